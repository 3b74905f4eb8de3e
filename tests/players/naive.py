"""The rules, the solver, the levels and their chances once more: naively, and in exact fractions.

Nothing here knows the rooms that it checks; only the slips are theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tests.solver.brute import decide
from zerosum.players.levels import LEVELS, SLIPS
from zerosum.protocol import Move, Value

State = Any  # a tuple, the seat to move at its end
Moves = Callable[[State], dict[Any, State]]
End = Callable[[State], int | None]
Ends = tuple[Fraction, Fraction, Fraction, Fraction]
DRAWN = 2
RANK = {"win": 2, "draw": 1, "loss": 0}


@dataclass
class Naive:
    """A game as two functions, and all that follows from them.

    `end` is the seat that has won a state, DRAWN, or None while the game goes on.
    """

    start: State
    moves: Moves
    end: End

    @cached_property
    def leads(self) -> dict[State, dict[Move, State]]:
        """Every reachable state with its moves."""
        found: dict[State, dict[Move, State]] = {}
        todo = [self.start]
        while todo:
            state = todo.pop()
            if state not in found:
                found[state] = {} if self.end(state) is not None else self.moves(state)
                todo += found[state].values()
        return found

    @cached_property
    def values(self) -> dict[State, Value]:
        """What every state is worth to the seat to move."""
        after = {state: list(moves.values()) for state, moves in self.leads.items()}
        ends = {state: self.end(state) for state, moves in self.leads.items() if not moves}
        drawn = {state: None if end == DRAWN else end for state, end in ends.items()}
        return decide(after, {state: state[-1] for state in after}, drawn)

    def rank(self, state: State, seat: int) -> int:
        """What a state is worth to a seat: 2 won, 1 drawn, 0 lost."""
        rank = RANK[self.values[state].result]
        return rank if seat == state[-1] else 2 - rank

    def plies(self, state: State) -> int:
        """The moves to the end; 0 for a draw."""
        return self.values[state].plies or 0

    def best(self, state: State) -> list[Move]:
        """The moves that keep the result, and then win soonest or lose latest."""

        def worth(move: Move) -> tuple[int, int]:
            after = self.leads[state][move]
            rank = self.rank(after, state[-1])
            return rank, -self.plies(after) if rank == 2 else self.plies(after)

        top = max(map(worth, self.leads[state]))
        return [move for move in self.leads[state] if worth(move) == top]

    def trap(self, state: State, move: Move) -> Fraction:
        """The share of wrong replies to a move."""
        after = self.leads[state][move]
        replies = self.leads[after].values()
        if not replies or after[-1] == state[-1]:
            return Fraction(0)
        wrong = [r for r in replies if self.rank(r, after[-1]) < self.rank(after, after[-1])]
        return Fraction(len(wrong), len(replies))

    def perfect(self, state: State) -> Move:
        """The first best move where the game is won; else the best trap."""
        if self.rank(state, state[-1]) == 2:
            return self.best(state)[0]
        moves = self.leads[state]
        rank = self.rank(state, state[-1])
        keeping = [m for m in moves if self.rank(moves[m], state[-1]) == rank]
        most = max(self.trap(state, m) for m in keeping)
        keeping = [m for m in keeping if self.trap(state, m) == most]
        late = max(self.plies(moves[m]) for m in keeping)
        return next(m for m in keeping if self.plies(moves[m]) == late)

    def policy(self, level: str, state: State) -> dict[Move, Fraction]:
        """The chances of the moves."""
        if level == "perfect":
            return {self.perfect(state): Fraction(1)}
        slip = Fraction(str(SLIPS[level]))
        moves, best = self.leads[state], self.best(state)
        return {
            m: slip / len(moves) + ((1 - slip) / len(best) if m in best else 0)
            for m in moves
            if slip or m in best
        }

    def chain(self, pair: tuple[str, str]) -> dict[State, dict[State, Fraction]]:
        """The chances of going from each state that a pair can reach to the next."""
        steps: dict[State, dict[State, Fraction]] = {}
        todo = [self.start]
        while todo:
            state = todo.pop()
            if state in steps:
                continue
            steps[state] = {}
            if self.leads[state]:
                for move, chance in self.policies[pair[state[-1]]][state].items():
                    after = self.leads[state][move]
                    steps[state][after] = steps[state].get(after, Fraction(0)) + chance
                todo += steps[state]
        return steps

    @cached_property
    def policies(self) -> dict[str, dict[State, dict[Move, Fraction]]]:
        """The chances of all moves in all states, by level."""
        inner = [state for state, moves in self.leads.items() if moves]
        return {level: {s: self.policy(level, s) for s in inner} for level in LEVELS}

    def ends(self, pair: tuple[str, str]) -> Ends:
        """The chances that the first wins, the second wins, it is drawn, or it never ends."""
        steps = self.chain(pair)
        live = _reaching(steps, [state for state in steps if not steps[state]])
        # One equation a state: what it is worth is what it leads to, at its chance.
        rows = {s: {t: p for t, p in steps[s].items() if t in live} for s in live}
        order = [state for state in live if rows[state]]
        if self.start not in live:
            return Fraction(0), Fraction(0), Fraction(0), Fraction(1)
        # The start is left to the end; each state in turn is put into all that lead to it.
        order.sort(key=lambda state: state == self.start)
        for state in order:
            stay = rows[state].pop(state, Fraction(0))
            row = rows[state] = {t: p / (1 - stay) for t, p in rows[state].items()}
            for other in order:
                if other != state and (weight := rows[other].pop(state, None)):
                    for after, chance in row.items():
                        rows[other][after] = rows[other].get(after, Fraction(0)) + weight * chance
        row = rows[self.start] if order else {self.start: Fraction(1)}
        first, second, drawn = (
            sum((p for t, p in row.items() if self.end(t) == end), Fraction(0))
            for end in (0, 1, DRAWN)
        )
        return first, second, drawn, 1 - first - second - drawn


def _reaching(steps: dict[State, dict[State, Fraction]], goals: list[State]) -> set[State]:
    """The states from which one of some others can be reached."""
    found = set(goals)
    while True:
        more = {s for s, row in steps.items() if s not in found and not found.isdisjoint(row)}
        if not more:
            return found
        found |= more
