"""Solve a game exactly: by its theory, by a table of its positions, or by search."""

from zerosum.solver.search import Search as Search
from zerosum.solver.solution import Solution as Solution
from zerosum.solver.solution import solve as solve
from zerosum.solver.solution import solve_table as solve_table
from zerosum.solver.solution import table_of as table_of
from zerosum.solver.table import solved_table as solved_table
from zerosum.solver.theory import Theory as Theory

__all__ = ["Search", "Solution", "Theory", "solve", "solve_table"]
