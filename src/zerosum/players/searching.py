"""Choose a move if the value is unknown: by looking ahead and by random games."""

from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from time import monotonic
from typing import Generic, NamedTuple

from zerosum.errors import MatchError
from zerosum.limits import LEAST_MOVE_SECONDS, MOVE_SECONDS
from zerosum.match import outcome_of
from zerosum.protocol import Game, Move, S
from zerosum.solver.table import calling_rules, fault_in_moves

# What a finished game is worth to seat 0, by its winner.
POINTS = {0: 1.0, None: 0.5, 1: 0.0}
# A random game that takes longer counts as a draw.
LONGEST_GAME = 200
# How much a search prefers moves that it has seldom tried.
CURIOSITY = 0.3


class Effort(NamedTuple):
    """How hard a level thinks: how many moves it tries, and how deep."""

    moves: int
    depth: int


# Each wins about nine games of ten against the one before it, in connect four and in others.
EFFORTS = {"easy": Effort(300, 1), "medium": Effort(2_000, 2), "hard": Effort(25_000, 1_000)}


class OutOfBudget(Exception):
    """The search has used all its moves, or all its time."""


class Node(Generic[S]):
    """A position of the search, with what its random games were worth to seat 0.

    `proved` is what it is worth to seat 0 for certain, if that was found.
    """

    __slots__ = ("branches", "complete", "points", "proved", "state", "visits")

    def __init__(self, state: S, proved: float | None = None) -> None:
        """Take a state, and what it is worth if the game is over."""
        self.state, self.proved = state, proved
        self.branches: list[tuple[Move, Node[S]]] = []
        self.complete = True  # whether the branches are all legal moves
        self.points, self.visits = 0.0, 0

    def average(self, seat: int) -> float:
        """Return what a seat scored on average in the random games."""
        points = self.points / self.visits if self.visits else 0.5
        return 1.0 - points if seat else points

    def certain(self, seat: int) -> float | None:
        """Return what the position is certainly worth to a seat; None if unknown."""
        if self.proved is None:
            return None
        return 1.0 - self.proved if seat else self.proved

    def expected(self, seat: int) -> float:
        """Return what the position is worth to a seat, for certain or on average."""
        certain = self.certain(seat)
        return self.average(seat) if certain is None else certain

    def settle(self) -> None:
        """Note the position's certain worth, if the next ones tell."""
        seat = self.state.player
        worth = [after.certain(seat) for _, after in self.branches]
        known = [points for points in worth if points is not None]
        best = max(known, default=0.0)
        if best == 1.0 or (self.complete and len(known) == len(worth)):
            self.proved = 1.0 - best if seat else best


class MonteCarlo(Generic[S]):
    """A search by random games, more of them where moves have done well.

    It is the same on every machine, unless it runs out of time: it uses no functions that round
    differently, and no order of a set.
    """

    def __init__(self, game: Game[S], effort: Effort, rng: Random, spent: float = 0.0) -> None:
        """Take the rules, how much to do, and how much of a move's time is gone."""
        self.game = game
        self.effort = effort
        self._random = rng.random
        self._left = 0
        self._until = monotonic() + max(LEAST_MOVE_SECONDS, MOVE_SECONDS - spent)

    def search(self, state: S) -> Node[S]:
        """Look at every move, then play random games to the budget's end."""
        root = Node(state)
        root.complete = self.game.lists_all(state)
        moves = self._moves(state)
        self._left = len(moves) + self.effort.moves
        try:
            for branch in self._branches(state, moves):
                root.branches.append(branch)
            root.settle()
            while root.proved is None:
                self._play_once(root)
        except OutOfBudget:
            pass
        if len(root.branches) < len(moves):
            # The rules are slow. A move not looked at may still be chosen.
            seen = {move for move, _ in root.branches}
            root.branches += [(move, Node(state)) for move in moves if move not in seen]
            root.settle()
        elif self.effort.depth > 1:
            self._check_replies(root)
        return root

    def _check_replies(self, root: Node[S]) -> None:
        """Look at every reply to the chosen move, as long as it loses."""
        self._left = self.effort.moves
        try:
            while root.proved is None:
                _, chosen = favourite(root)
                if chosen.branches or chosen.proved is not None:
                    return
                self._expand(chosen)
                root.settle()
        except OutOfBudget:
            pass

    def _play_once(self, root: Node[S]) -> None:
        """Go down to a position seldom tried, and play a random game from there."""
        self._spend()
        path = [root]
        node = root
        while node.branches and node.proved is None:
            node = self._promising(node)
            path.append(node)
        if node.visits and node.proved is None and len(path) <= self.effort.depth:
            self._expand(node)
            if node.proved is None:
                node = self._promising(node)
                path.append(node)
        points = self._random_game(node.state) if node.proved is None else node.proved
        proved = False
        for node in reversed(path):
            node.visits += 1
            node.points += points
            if proved and node.proved is None:
                node.settle()
            proved = node.proved is not None

    def _promising(self, node: Node[S]) -> Node[S]:
        """Return the next position to try: a new, a good or a neglected one."""
        seat = node.state.player
        # The number of binary digits is a logarithm that no machine rounds.
        curiosity = CURIOSITY * node.visits.bit_length()
        best, most = node.branches[0][1], -1.0
        for _, after in node.branches:
            if after.certain(seat) == 0.0:
                continue
            if not after.visits:
                return after
            promise = after.expected(seat) + sqrt(curiosity / after.visits)
            if promise > most:
                best, most = after, promise
        return best

    def _expand(self, node: Node[S]) -> None:
        """Add the positions after every move."""
        self._spend()
        node.complete = self.game.lists_all(node.state)
        node.branches = list(self._branches(node.state, self._moves(node.state)))
        node.settle()

    def _branches(self, state: S, moves: Sequence[Move]) -> Iterator[tuple[Move, Node[S]]]:
        """Yield the moves in random order, each with the position after it."""
        for move in sorted(moves, key=lambda _: self._random()):
            self._spend()
            after = self.game.play(state, move)
            outcome = outcome_of(self.game, after)
            yield move, Node(after, None if outcome is None else POINTS[outcome.winner])

    def _random_game(self, state: S) -> float:
        """Play at random to the end, and return what that is worth to seat 0."""
        game, draw = self.game, self._random
        for _ in range(LONGEST_GAME):
            self._spend()
            moves = self._moves(state)
            state = game.play(state, moves[int(draw() * len(moves))])
            outcome = outcome_of(game, state)
            if outcome is not None:
                return POINTS[outcome.winner]
        return POINTS[None]

    def _moves(self, state: S) -> tuple[Move, ...]:
        """Return the legal moves of a position where the game is not over."""
        moves = self.game.moves(state)
        if not moves:
            if outcome_of(self.game, state) is not None:
                raise MatchError("The game is over.")
            raise fault_in_moves(self.game, state, moves)
        return moves

    def _spend(self) -> None:
        """Count a move, and stop at the last one or when time is up."""
        if self._left <= 0 or monotonic() > self._until:
            raise OutOfBudget
        self._left -= 1


def favourite(root: Node[S]) -> tuple[Move, Node[S]]:
    """Return the best move for certain, or the one tried most that may not lose.

    Among certain equals, it is the one that did best at random.
    """
    seat = root.state.player

    def worth(branch: tuple[Move, Node[S]]) -> tuple[float, float]:
        after = branch[1]
        certain = after.certain(seat)
        if root.proved is None:
            return float(certain != 0.0), after.visits
        return -1.0 if certain is None else certain, after.average(seat)

    return max(root.branches, key=worth)


def searched(game: Game[S], level: str, state: S, rng: Random, spent: float = 0.0) -> Node[S]:
    """Search a position as a level does; rules that fail are named."""
    search = MonteCarlo(game, EFFORTS[level], rng, spent)
    with calling_rules(game):
        return search.search(state)
