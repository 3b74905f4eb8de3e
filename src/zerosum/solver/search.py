"""The value of one position by search: for games too large for a table."""

import time
from collections.abc import Sequence
from math import inf
from typing import Any, Generic

from zerosum.limits import NONE, Limits, progress
from zerosum.protocol import Game, Move, Result, S
from zerosum.solver.proofs import FOREVER, LOSS, REPEATS, WIN, ProofGraph
from zerosum.solver.table import (
    RESULTS,
    calling_rules,
    check_equal,
    end_of,
    fault_in_moves,
    is_symmetric,
    unknown_state,
    without_gc,
    wrong_player,
)

# The search turns from one question and method to the next after this much work, then after more.
SLICE = 1 << 10
# A new position is this many times the work of a step over known ones.
NEW = 4
# Known positions passed without a new one: the search then goes in circles.
CIRCLES = 4_000
STEP = 1 << 12
# Symmetry is tested for the first pairs that it makes equal, and then now and then.
TESTED, TEST_STEP = 64, 256


class _Spent(Exception):
    """The limits are reached, or nothing is left to search."""


class Search(Generic[S]):
    """Proves the values of positions of a variant, and keeps what it found.

    Two questions are asked: does the player to move win, or lose? Each is pursued in two ways in
    turn: by depth-first proof-number search, which is led by how little is left to prove, and by
    plain depth-first search, which gets through long games. Both write into one ProofGraph, the
    only place where conclusions are drawn.

    >>> import zerosum
    >>> game = zerosum.game("digit-battle", lives=50)
    >>> search = Search(game)
    >>> search.prove(game.initial(), Limits(nodes=1000))
    'draw'
    >>> search.nodes < 1000
    True
    """

    def __init__(self, game: Game[S]) -> None:
        """Take the variant."""
        self.game = game
        self._progress = progress()
        self._graph: ProofGraph[S] = ProofGraph()
        with calling_rules(game):
            self._kind = type(game.initial())
        self._symmetric = is_symmetric(game)
        self._lists_all = type(game).lists_all is Game.lists_all
        self._equal = 0
        self._confirmed = False
        self._work = 0
        self._closed = 0
        self._limit = 0
        self._deadline = inf

    @property
    def nodes(self) -> int:
        """The positions that are kept now."""
        return len(self._graph)

    @property
    def size(self) -> int:
        """What is kept now, with the moves: as many of them as take the memory of a position."""
        return self._graph.size

    def known(self, state: S) -> Result | None:
        """Return the value of a position if it was found already."""
        self._check(state)
        with calling_rules(self.game):
            number = self._graph.index.get(self._same(state))
        return None if number is None else self._graph.result(number)

    def prove(self, state: S, limits: Limits) -> Result | None:
        """Return the value of a position for the player to move; None if it takes too much.

        The search stops when its nodes or its seconds are spent; every 16 moves between positions
        count as one more node. With nodes alone, it finds the same on every machine. Endless play
        is a draw. If some legal moves are not listed, only wins are found.
        """
        self._check(state)
        if self.size > max(NONE.nodes, limits.nodes):  # keep only what is proved
            self._graph = self._graph.decided()
        self._limit = self.size + limits.nodes
        self._deadline = limits.deadline()
        self._progress = progress()
        with calling_rules(self.game), without_gc():
            return self._prove(state)

    def _check(self, state: Any) -> None:
        """Refuse what is not a position of the game; begin afresh after an interruption."""
        if self._graph.torn:
            self._graph = ProofGraph()
        if type(state) is not self._kind or state.player not in (0, 1):
            raise unknown_state(self.game, state)

    def _prove(self, state: S) -> Result | None:
        """Answer both questions about a position, within the limits."""
        graph = self._graph
        try:
            root = self._number(self._same(state), 0)
        except _Spent:  # slow rules have used all the time
            return None
        try:
            self._answer(root)
        except _Spent:
            if graph.has_loops:
                graph.close()
        result = graph.result(root)
        if result is not None and not self._confirmed:
            self.game.confirm(self.game.play)
            self._confirmed = True
        return result

    def _answer(self, root: int) -> None:
        """Pursue both questions in both ways, in turn, until answered."""
        graph, size = self._graph, SLICE
        self._closed = len(graph)
        questions = [2 * root + WIN, 2 * root + LOSS]
        while questions := [question for question in questions if graph.is_open(question)]:
            for question in questions:
                self._by_numbers(question, self._work + size)
            for question in list(questions):
                # If some moves are not listed, nothing may be left that could answer it.
                if self._in_depth(question, self._work + size // 2):
                    questions.remove(question)
            size += size // 2

    def _by_numbers(self, root: int, until: int) -> None:
        """Search where the proof numbers say that an answer is nearest (df-pn)."""
        graph = self._graph
        proof = graph.proof
        disproof = graph.disproof
        moves_of = graph.moves
        stack = [(root, REPEATS, REPEATS)]
        path = {root}
        idle = 0
        while stack and self._work < until and idle < CIRCLES + 4 * len(stack):
            question, most_near, most_far = stack[-1]
            if proof[question] and disproof[question]:
                moves = moves_of[question >> 1]
                if moves is None:
                    self._expand(question >> 1)
                    idle = 0
                    continue
                self._step()
                idle += 1
                # A win needs one move, so the easiest counts for its proof, and all for its
                # disproof; a loss needs all moves, and it is the other way round.
                kind = question & 1
                near, far = (disproof, proof) if kind == LOSS else (proof, disproof)
                total, least, second, chosen = weigh(moves, kind, near, far, path)
                if chosen >= 0 and least < most_near and total < most_far:
                    limits = (
                        min(most_near, second + second // 4 + 1),
                        most_far - total + far[chosen],
                    )
                    both = limits if chosen & 1 == kind else limits[::-1]
                    stack.append((chosen, *both))
                    path.add(chosen)
                    continue
                if chosen < 0:
                    proof[question], disproof[question] = REPEATS, 1
                else:
                    near[question], far[question] = min(least, REPEATS), min(total, REPEATS)
            stack.pop()
            path.discard(question)
        if not stack:
            self._close(1.25)

    def _in_depth(self, root: int, until: int) -> bool:
        """Search depth first; return whether nothing left could answer the question."""
        graph = self._graph
        proof, disproof = graph.proof, graph.disproof
        moves_of, width = graph.moves, graph.width
        stack, seen = [root], {root}
        while stack:
            question = stack[-1]
            if not proof[question] or not disproof[question]:
                stack.pop()
                continue
            moves = moves_of[question >> 1]
            if moves is None:
                if self._work >= until:
                    return False
                self._expand(question >> 1)
                continue
            self._step()
            kind = question & 1
            # The fewest replies come first: an order that stays, so that many ways meet again.
            least, chosen = FOREVER, -1
            for move in moves:
                after = move ^ kind
                if width[after >> 1] < least and graph.is_open(after) and after not in seen:
                    least, chosen = width[after >> 1], after
            if chosen < 0:
                stack.pop()
            else:
                stack.append(chosen)
                seen.add(chosen)
        if graph.has_loops:
            graph.close()
        return True

    def _close(self, growth: float) -> None:
        """Look for endless play, if there are that many times the positions of the last look."""
        if self._graph.has_loops and len(self._graph) > growth * self._closed:
            self._graph.close()
            self._closed = len(self._graph)

    def _step(self) -> None:
        """Count a step over known positions."""
        self._work += 1
        if self._deadline != inf and time.monotonic() > self._deadline:
            raise _Spent

    def _play(self, state: S, move: Move) -> S:
        """Play a move, if the limits are not reached."""
        self._step()
        return self.game.play(state, move)

    def _expand(self, number: int) -> None:
        """Ask the rules for a position's moves, and add the positions they lead to."""
        game, graph = self.game, self._graph
        state = graph.states[number]
        depth = graph.depth[number] + 1
        if graph.size >= self._limit:
            raise _Spent
        self._step()
        moves: dict[int, None] = {}
        for move in game.moves(state):
            after = self._play(state, move)
            same = self._same(after)
            if same != after:
                self._equal += 1
                if self._equal <= TESTED or not self._equal % TEST_STEP:
                    check_equal(game, after, same, self._play)
            following = 2 * self._number(same, depth) | (after.player != state.player)
            moves[following] = None
            if not graph.proof[following ^ WIN]:
                # One winning move is enough.
                moves = {following: None}
                break
        self._work += NEW * len(moves)
        graph.expand(number, tuple(moves), not self._lists_all and not game.lists_all(state))
        self._close(2)

    def _number(self, state: S, depth: int) -> int:
        """Return the number of a position, a new one if need be."""
        graph = self._graph
        number = graph.index.get(state)
        if number is not None:
            return number
        if depth and graph.size >= self._limit:
            raise _Spent
        if self._progress is not None and len(graph) and not len(graph) % STEP:
            self._progress(len(graph))
        if state.player not in (0, 1):
            raise wrong_player(self.game, state)
        outcome = self.game.outcome(state)
        if outcome is not None:
            return graph.add(state, RESULTS[end_of(self.game, state, outcome)], depth)
        self._step()
        moves = self.game.moves(state)
        if not moves:
            raise fault_in_moves(self.game, state, moves)
        return graph.add(state, None, depth, len(moves))

    def _same(self, state: S) -> S:
        """Return the position that represents this one by symmetry."""
        return self.game.canonical(state) if self._symmetric else state


def weigh(
    moves: Sequence[int], kind: int, near: list[int], far: list[int], path: set[int]
) -> tuple[int, int, int, int]:
    """Return the sum of the far numbers after some moves, the two least near ones, and the choice.

    The choice is the question with the least near number, or -1 if there is none: on the way
    at hand, a repetition never proves anything.
    """
    total, least, second, chosen = 0, REPEATS, REPEATS, -1
    for move in moves:
        after = move ^ kind
        number = far[after]
        if not number:
            continue
        if after in path:
            if kind == LOSS:
                return total, least, second, -1
            continue
        total += number
        number = near[after]
        if number < least:
            least, second, chosen = number, least, after
        elif number < second:
            second = number
    return total, least, second, chosen
