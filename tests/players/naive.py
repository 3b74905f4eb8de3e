"""The rules, the solver, the levels and their chances once more: naively, and in exact fractions.

Nothing here knows the rooms that it checks; only the slips are theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from zerosum.players.levels import LEVELS, SLIPS

State = Any  # a tuple, the seat to move at its end
Moves = Callable[[State], dict[int, State]]
Winner = Callable[[State], int | None]
Ends = tuple[Fraction, Fraction, Fraction]


@dataclass
class Naive:
    """A game as two functions, and all that follows from them."""

    start: State
    moves: Moves
    winner: Winner

    @cached_property
    def leads(self) -> dict[State, dict[int, State]]:
        """Every reachable state with its moves."""
        found: dict[State, dict[int, State]] = {}
        todo = [self.start]
        while todo:
            state = todo.pop()
            if state not in found:
                found[state] = {} if self.winner(state) is not None else self.moves(state)
                todo += found[state].values()
        return found

    @cached_property
    def decided(self) -> dict[State, tuple[int, int]]:
        """The seat that wins each state, and in how many plies; draws are not there."""
        known: dict[State, tuple[int, int]] = {}
        for state in self.leads:
            won = self.winner(state)
            if won is not None:
                known[state] = won, 0
        plies = 0
        while True:
            plies += 1
            new: dict[State, tuple[int, int]] = {}
            for state, moves in self.leads.items():
                if state in known:
                    continue
                results = {known[after][0] if after in known else -1 for after in moves.values()}
                if state[-1] in results:
                    new[state] = state[-1], plies
                elif results == {1 - state[-1]}:
                    new[state] = 1 - state[-1], plies
            if not new:
                return known
            known |= new

    def rank(self, state: State, seat: int) -> int:
        """What a state is worth to a seat: 2 won, 1 drawn, 0 lost."""
        if state not in self.decided:
            return 1
        return 2 if self.decided[state][0] == seat else 0

    def best(self, state: State) -> list[int]:
        """The moves that keep the result, and then win soonest or lose latest."""

        def worth(move: int) -> tuple[int, int]:
            after = self.leads[state][move]
            rank, plies = self.rank(after, state[-1]), self.decided.get(after, (0, 0))[1]
            return rank, {2: -plies, 1: 0, 0: plies}[rank]

        top = max(map(worth, self.leads[state]))
        return [move for move in self.leads[state] if worth(move) == top]

    def trap(self, state: State, move: int) -> Fraction:
        """The share of wrong replies to a move."""
        after = self.leads[state][move]
        replies = self.leads[after].values()
        if not replies or after[-1] == state[-1]:
            return Fraction(0)
        wrong = [r for r in replies if self.rank(r, after[-1]) < self.rank(after, after[-1])]
        return Fraction(len(wrong), len(replies))

    def perfect(self, state: State) -> int:
        """The first best move where the game is won; else the best trap."""
        if self.rank(state, state[-1]) == 2:
            return self.best(state)[0]
        moves = self.leads[state]
        rank = self.rank(state, state[-1])
        keeping = [m for m in moves if self.rank(moves[m], state[-1]) == rank]
        most = max(self.trap(state, m) for m in keeping)
        keeping = [m for m in keeping if self.trap(state, m) == most]
        if rank == 1:
            return keeping[0]
        late = max(self.decided[moves[m]][1] for m in keeping)
        return next(m for m in keeping if self.decided[moves[m]][1] == late)

    def policy(self, level: str, state: State) -> dict[int, Fraction]:
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
    def policies(self) -> dict[str, dict[State, dict[int, Fraction]]]:
        """The chances of all moves in all states, by level."""
        inner = [state for state, moves in self.leads.items() if moves]
        return {level: {s: self.policy(level, s) for s in inner} for level in LEVELS}

    def ends(self, pair: tuple[str, str]) -> Ends:
        """The chances that the first wins, the second wins, or nobody ever does."""
        steps = self.chain(pair)
        live = _reaching(steps, [state for state in steps if not steps[state]])
        # One equation a state: what it is worth is what it leads to, at its chance.
        rows = {s: {t: p for t, p in steps[s].items() if t in live} for s in live}
        order = [state for state in live if rows[state]]
        if self.start not in live:
            return Fraction(0), Fraction(0), Fraction(1)
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
        first = sum((p for t, p in row.items() if self.winner(t) == 0), Fraction(0))
        second = sum((p for t, p in row.items() if self.winner(t) == 1), Fraction(0))
        return first, second, 1 - first - second

    def after(self, pair: tuple[str, str], left: Fraction, most: int) -> Ends:
        """The exact chances that the first, the second, or nobody has won after some plies.

        The game is followed until what goes on has less than the chance `left`.
        """
        steps = self.chain(pair)
        unit = _common(p for row in steps.values() for p in row.values())
        whole = {s: {t: int(p * unit) for t, p in row.items()} for s, row in steps.items()}
        # All chances are whole numbers of 1 / scale, so that there is nothing to be cancelled.
        going, done, scale = {self.start: 1}, [0, 0], 1
        for _ in range(most):
            new: dict[State, int] = {}
            scale, done = scale * unit, [won * unit for won in done]
            for state, chance in going.items():
                for after, part in whole[state].items():
                    won = self.winner(after)
                    if won is None:
                        new[after] = new.get(after, 0) + chance * part
                    else:
                        done[won] += chance * part
            going = new
            if sum(going.values()) < left * scale:
                break
        rest = sum(going.values())
        return Fraction(done[0], scale), Fraction(done[1], scale), Fraction(rest, scale)


def _common(chances: Iterable[Fraction]) -> int:
    """A number of which all these chances are whole parts."""
    unit = 1
    for chance in chances:
        unit *= (chance * unit).denominator
    return unit


def _reaching(steps: dict[State, dict[State, Fraction]], goals: list[State]) -> set[State]:
    """The states from which one of some others can be reached."""
    found = set(goals)
    while True:
        more = {s for s, row in steps.items() if s not in found and not found.isdisjoint(row)}
        if not more:
            return found
        found |= more
