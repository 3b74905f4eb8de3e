"""Lists of which only the last items are read, and perhaps how many there are."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from zerosum.lab.adapters.source.effects import builtin
from zerosum.lab.adapters.source.flow_graph import ALL, INNER, ORDER, Nodes

if TYPE_CHECKING:
    from zerosum.lab.adapters.source.expressions import Expressions

# The ends of nodes for the last items of a list, and for its length up to a number.
TAIL, LENGTH = "#tail:", "#length:"
ANY_LENGTH = 1 << 30


class Tail(NamedTuple):
    """How many of the last items of a list are read, and up to which number they are counted."""

    items: int
    length: int


def tail_read(expr: ast.expr, at: Expressions) -> Nodes | None:
    """Return what flows into an expression that reads the end of a list or its length."""
    if isinstance(expr, ast.Subscript):
        index = expr.slice
        if isinstance(index, ast.Slice):
            last = index.lower if index.upper is None and index.step is None else None
        else:
            last = index
        count = _negative(last)
        name = at.attribute(expr.value)
        return _nodes(name, f"{TAIL}{count}", ORDER, INNER) if name and count else None
    if isinstance(expr, ast.Compare) and len(expr.ops) == 1:
        name, most = _measured(expr.left, at), expr.comparators[0]
        if name and isinstance(most, ast.Constant) and type(most.value) is int:
            return _nodes(name, f"{LENGTH}{max(0, most.value + 1)}")
        return None
    name = _measured(expr, at)
    return _nodes(name, f"{LENGTH}{ANY_LENGTH}") if name else None


def length_of(expr: ast.expr, at: Expressions) -> Nodes:
    """Return what decides whether a list fits where it is stored, if it is one of self."""
    name = at.attribute(expr)
    if name is None or type(at.graph.values.get(name)) is not list:
        return frozenset()
    return _nodes(name, f"{LENGTH}{ANY_LENGTH}")


def has_items(name: str) -> Nodes:
    """Return what flows into whether a list has items."""
    return _nodes(name, f"{LENGTH}1")


def tails(read: Iterable[str]) -> dict[str, Tail]:
    """Pick the lists of which only the end is read."""
    names = set(read)
    found: dict[str, Tail] = {}
    for entry in names:
        name, kind, number = entry.partition(TAIL if TAIL in entry else LENGTH)
        if kind and name + ALL not in names:
            before = found.get(name, Tail(0, 0))
            items = int(number) if kind == TAIL else 0
            found[name] = Tail(max(before.items, items), max(before.length, int(number)))
    return found


def _nodes(name: str, *ends: str) -> Nodes:
    """Return the node of an attribute, and those about parts of it."""
    return frozenset(f"self.{name}{end}" for end in ("", *ends))


def _negative(expr: ast.expr | None) -> int:
    """Return n for the index -n, and 0 for all others."""
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        number = getattr(expr.operand, "value", 0)
        return number if type(number) is int else 0
    return 0


def _measured(expr: ast.expr, at: Expressions) -> str | None:
    """Return the attribute whose length an expression is."""
    if builtin(expr, at) == "len" and isinstance(expr, ast.Call) and len(expr.args) == 1:
        return at.attribute(expr.args[0])
    return None
