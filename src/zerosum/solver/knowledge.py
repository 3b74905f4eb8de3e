"""What is known of a game: all of it, what can follow a position, or what a search proves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import inf
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from zerosum.errors import TooLarge, TooSlow, Unknown, ZerosumError
from zerosum.limits import NONE, PERSON, Limits
from zerosum.protocol import Game, Move, Result, S, Value
from zerosum.registry.loading import broken_by
from zerosum.solver import solve, solved_table
from zerosum.solver.search import Search
from zerosum.solver.solution import Solution, best_of, for_mover, from_table, unknown_state
from zerosum.solver.table import RESULTS, check_limit, end_of, room

T = TypeVar("T")
BUDGET, NOTHING = PERSON.in_seconds(2.0), Limits(nodes=0)
# The share of a budget's seconds for a position itself, when its moves are asked about.
ROOT_SHARE = 0.7
# Where rules are slow, seconds to look up the moves of a position once the search is stopped.
LAST_SECONDS = 0.5
# What there was no time for is tried again with this many times the seconds, and not with fewer.
AGAIN = 1.5
# The tables from a position onward that are kept at a time; together, they have at most twice as
# many positions as one may have.
MOST_TABLES = 4
# The positions of which it is remembered that they have no table or no proof.
MOST_REFUSED = 10_000


class Refusal(NamedTuple):
    """Why a position has no table, and the number of positions that it is known to exceed.

    If there was no time for it, `seconds` were not enough.
    """

    error: TooLarge
    more_than: int
    seconds: float | None


class Knowledge(Generic[S]):
    """What is known of the positions of one variant, which may be too large for a table.

    `limit` is the most positions of the whole game, `onward_limit` of what can follow a position;
    `seconds` and `onward_seconds` are the time for such a table where rules are slow, `budget` is
    what one search may spend.

    >>> import zerosum
    >>> game = zerosum.game("docs/examples/noughts_and_crosses.py")
    >>> knowledge = Knowledge(game, limit=100)
    >>> knowledge.reason
    'Noughts and Crosses has more than 100 positions, the limit for a table.'
    >>> state = game.play(game.play(game.initial(), "b2"), "a1")
    >>> knowledge.onward(state) is None
    True
    >>> state = game.play(game.play(state, "c1"), "b1")
    >>> knowledge.onward(state).value(state)
    Value(result='win', plies=1)
    """

    def __init__(
        self,
        game: Game[S],
        limit: int = NONE.positions,
        *,
        onward_limit: int | None = None,
        cache: str | None = None,
        seconds: float | None = None,
        onward_seconds: float | None = None,
        budget: Limits = BUDGET,
    ) -> None:
        """Take the variant; nothing is computed before it is asked for."""
        check_limit(limit)
        self.game, self.limit = game, limit
        self.onward_limit = min(limit, PERSON.positions) if onward_limit is None else onward_limit
        check_limit(self.onward_limit)
        self._cache, self._seconds, self._budget = cache, seconds, budget
        self.onward_seconds = seconds if onward_seconds is None else onward_seconds
        self._whole: Solution[S] | ZerosumError | None = None
        self._tables: list[Solution[S]] = []  # the least recently used first
        self._refused: dict[S, Refusal] = {}
        self._unproved: dict[S, Limits] = {}  # with the budget that was not enough
        self._kind = type(game.initial())

    @classmethod
    def of(cls, solution: Solution[S]) -> Knowledge[S]:
        """Return the knowledge of a game that is solved."""
        knowledge = cls(solution.game)
        knowledge._whole = solution
        return knowledge

    @cached_property
    def _search(self) -> Search[S]:
        """The search of this variant, which keeps what it found."""
        return Search(self.game)

    @property
    def solution(self) -> Solution[S] | None:
        """The solution of the whole game; None if it is too large. What failed fails again."""
        if self._whole is None:
            try:
                limits = Limits(self.limit, self._seconds)
                self._whole = solve(self.game, limits, cache=self._cache)
            except ZerosumError as error:
                self._whole = error
                if isinstance(error, TooLarge) and self.onward_limit <= self.limit:
                    same = self._same(self.game.initial())
                    self._refuse(same, error, self.limit, self._seconds)
        if isinstance(self._whole, ZerosumError):
            if isinstance(self._whole, TooLarge):
                return None
            raise self._whole
        return self._whole

    @property
    def refusal(self) -> TooLarge | None:
        """The error of the whole game's solution; None if it has one."""
        return self._whole if self.solution is None and isinstance(self._whole, TooLarge) else None

    @property
    def reason(self) -> str:
        """Why the whole game has no solution, as a sentence; or an empty text."""
        return str(self.refusal or "")

    def found(self, state: S) -> Solution[S] | None:
        """Return the solution that covers a position, if one was made before."""
        self._check(state)
        if self.solution is not None:
            return self.solution
        same = self._same(state)
        most = room(same, self.onward_limit)
        for solution in reversed(self._tables):
            # With longer numbers than where the table begins, there is less room.
            if solution.solved is not None and solution.solved.graph.fits(same, most):
                return solution
        return None

    def onward(self, state: S) -> Solution[S] | None:
        """Return the exact solution of a position and of all that can follow it.

        It is None where these are more than a table may have.
        """
        found = self.found(state)
        same = self._same(state)
        refusal = self._refused.get(same)
        if found is not None or (
            refusal is not None and not _is_more(self.onward_seconds, refusal.seconds)
        ):
            return found
        most = room(same, self.onward_limit)
        try:
            solved = solved_table(
                self.game,
                Limits(self.onward_limit, self.onward_seconds),
                root=state,
                refused={
                    state for state, known in self._refused.items() if known.more_than >= most
                },
            )
        except TooLarge as error:
            self._refuse(same, error, self.onward_limit, self.onward_seconds)
            return None
        solution = from_table(self.game, solved, state)
        self._keep(solution)
        return solution

    def value(self, state: S) -> Value:
        """Return the value of a position for the player to move, or raise Unknown.

        It is exact; where a search proved it, the number of plies is not known.
        """
        solution = self.onward(state)
        if solution is not None:
            return solution.value(state)
        proved = self.proved(state)
        if proved is None:
            raise Unknown(self.unknown(state))
        return proved

    def proved(self, state: S, share: float = 1.0) -> Value | None:
        """Return the value of a position by search alone, without plies; None if not found.

        With a smaller share, the search may spend only so much of its budget.
        """
        result = self._proved(state, self._budget.share(share))
        return None if result is None else Value(result)

    def moves(self, state: S) -> dict[Move, Value | None]:
        """Return every legal move with its value for the player who makes it; None if unknown.

        The seconds of the budget are for the whole question: most of them for the position itself.
        """
        game, solution = self.game, self.onward(state)
        if solution is not None:
            solution.value(state)  # which refuses what is not a position of the game
        # After the end there is no move, whatever the rules list there.
        if game.outcome(state) is not None:
            return {}
        if solution is not None:
            return {**solution.moves(state)}
        nodes, most = self._budget.nodes, self._budget.seconds
        seconds = inf if most is None else most
        deadline = monotonic() + seconds
        result = self._proved(state, Limits(nodes=nodes, seconds=ROOT_SHARE * seconds))
        moves = game.moves(state)
        # What the position itself did not need is for its moves.
        rest = (1 - ROOT_SHARE) * seconds if result is None else max(0.0, deadline - monotonic())
        every = max(1, len(moves))
        share = Limits(nodes=nodes // every, seconds=rest / every)
        loss = Value("loss") if result == "loss" else None
        values = {}
        for move in moves:
            late = monotonic() > deadline
            values[move] = (None if late else self.move_value(state, move, share)) or loss
        return values

    def move_value(self, state: S, move: Move, budget: Limits | None = None) -> Value | None:
        """Return the value of a legal move for its player; None if it is unknown.

        Of a move that is proved, the length is known if it ends the game, or the reply does.
        """
        then = self.game.play(state, move)
        value = self._at_the_end(then)
        if value is None and (solution := self.found(then)) is not None:
            value = solution.value(then)
        if value is None:
            result = self._proved(then, budget or self._budget)
            if result is None:
                return None
            value = Value(result, 1 if result == "win" and self._wins_at_once(then) else None)
        return for_mover(state, then, value)

    def _at_the_end(self, state: S) -> Value | None:
        """Return the value of a position where the game is over; None while it goes on."""
        outcome = self.game.outcome(state)
        if outcome is None:
            return None
        result = RESULTS[end_of(self.game, state, outcome)]
        return Value(result, None if result == "draw" else 0)

    def _wins_at_once(self, state: S) -> bool:
        """Return whether a move ends the game with a win of its player."""
        after = (self.game.play(state, move) for move in self.game.moves(state))
        ends = ((then, self._at_the_end(then)) for then in after)
        return any(end and for_mover(state, then, end).result == "win" for then, end in ends)

    def best(self, state: S, values: Mapping[Move, Value | None] | None = None) -> tuple[Move, ...]:
        """Return the moves that are proved to be best; none where nothing is proved.

        A win is proved by one move; a draw or a loss only if the position is proved to be one.
        `values` are those of `moves`, which may prove more when it is asked again.
        """
        values = self.moves(state) if values is None else values
        known = {move: value for move, value in values.items() if value is not None}
        best = best_of(known)
        result = known[best[0]].result if best else None
        complete = len(known) == len(values) and self.game.lists_all(state)
        if result == "win" or complete or self.onward(state) is not None:
            return best
        return best if result == "draw" and self._proved(state, NOTHING) == "draw" else ()

    def unknown(self, state: S) -> str:
        """Say why the value of a position is not known."""
        unknown = "The value of this position is not known"
        refusal = self._refused.get(self._same(state))
        if refusal is None:
            return f"{unknown} yet."
        if refusal.more_than:
            return f"{unknown} yet: too many positions can follow it."
        if isinstance(refusal.error, TooSlow):
            return f"{unknown} yet: there was no time to visit all that can follow it."
        return f"{unknown}. {refusal.error}"

    @property
    def size(self) -> int:
        """What is kept, in positions of a table; one of a search takes the memory of two."""
        whole = self._whole.solved if isinstance(self._whole, Solution) else None
        searched = self._search.size if "_search" in self.__dict__ else 0
        return (len(whole.graph) if whole else 0) + self._size + 2 * searched

    @property
    def searched(self) -> int:
        """The number of positions that the search keeps."""
        return self._search.nodes if "_search" in self.__dict__ else 0

    def stop(self) -> None:
        """Search no more: what was found stays known."""
        self._budget = Limits(nodes=0, seconds=LAST_SECONDS)

    def forget(self) -> None:
        """Drop the tables from a position onward and all proofs, which can be found again."""
        self._tables.clear()
        self._unproved.clear()
        self.__dict__.pop("_search", None)

    def _proved(self, state: S, budget: Limits) -> Result | None:
        """Return the result of a position by search; what failed is tried again only with more."""
        known = self._search.known(state)
        same = self._same(state)
        tried = self._unproved.get(same, NOTHING)
        more = budget.nodes > tried.nodes or _is_more(budget.seconds, tried.seconds)
        if known is not None or not (budget.nodes and more):
            return known
        began = monotonic()
        result = self._search.prove(state, budget)
        if result is None:
            late = budget.seconds is not None and monotonic() - began > budget.seconds
            _remember(self._unproved, same, budget if late else budget.in_seconds(None))
        return result

    def _keep(self, solution: Solution[S]) -> None:
        """Keep a table, and drop the oldest ones when there are too many."""
        self._tables.append(solution)
        while len(self._tables) > MOST_TABLES or self._size > 2 * self.onward_limit:
            del self._tables[0]

    @property
    def _size(self) -> int:
        """The number of positions in all tables."""
        return sum(len(table.solved.graph) for table in self._tables if table.solved)

    def _refuse(self, same: S, error: TooLarge, limit: int, seconds: float | None) -> None:
        """Remember that a position has no table, and how many others at least can follow it."""
        more_than = room(same, limit) if error.limit else 0
        not_enough = seconds if isinstance(error, TooSlow) else None
        _remember(self._refused, same, Refusal(error, more_than, not_enough))

    def _check(self, state: S) -> None:
        """Refuse what is not a position."""
        if type(state) is not self._kind or state.player not in (0, 1):
            raise unknown_state(self.game, state)

    def _same(self, state: S) -> S:
        """Return the position that stands for this one by symmetry; refuse what is not one."""
        self._check(state)
        try:
            same = self.game.canonical(state)
            hash(same)
        except Exception as error:
            raise broken_by(self.game, error) from error
        return same


def _remember(known: dict[S, T], state: S, what: T) -> None:
    """Add what was found out about a position, and forget the oldest when there is too much."""
    known[state] = what
    if len(known) > MOST_REFUSED:
        del known[next(iter(known))]


def _is_more(seconds: float | None, tried: float | None) -> bool:
    """Return whether there is notably more time than was not enough, if there was not enough."""
    return tried is not None and (seconds is None or seconds > AGAIN * tried)
