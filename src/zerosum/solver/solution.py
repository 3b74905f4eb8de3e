"""What is known about a game: the values of all or some positions, and how."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from zerosum.errors import NotSolved, OptionError, TooLarge, TooSlow, Unknown, ZerosumError
from zerosum.limits import LAST_LOOK_SECONDS, NONE, PERSON, QUICK, SEARCH, VAST, Limits
from zerosum.protocol import Game, Move, Result, S, Value, check_is_game
from zerosum.solver.search import Search
from zerosum.solver.table import (
    RESULTS,
    SolvedTable,
    calling_rules,
    check_positions,
    end_of,
    solved_table,
    too_large,
    unknown_state,
)
from zerosum.solver.theory import Theory, ask_theory, theory_of
from zerosum.solver.values import best_of, for_mover
from zerosum.states import largest
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.solver.cache import Cache
    from zerosum.solver.spread.folder import MappedTable

T = TypeVar("T")
# What gives exact values, and how the value of a position is known: by the game's theory, by a
# table of the whole game or of what can follow the position, or because a search proved who wins,
# but not how fast.
Source: TypeAlias = "Theory[S] | SolvedTable[S] | MappedTable[S]"
How = Literal["theory", "table", "onward", "search", "unknown"]
LONGEST_LINE = 1000
NOTHING = Limits(nodes=0)
# The share of a search's seconds for a position, if its moves are asked about.
ROOT_SHARE = 0.7
# What there was no time for is tried again with at least this many times the seconds.
AGAIN = 1.5
# The tables from positions onward that are kept: together at most twice as large as one.
MOST_TABLES = 4
# The most positions remembered as having no table or no proof.
MOST_REFUSED = 10_000


class Solution(Generic[S]):
    """What is known about a variant: all of it, what follows a position, or proofs.

    The whole game is solved by its theory, or by a table within `limits`. If it is too large, a
    table of what can follow a position is made within `here`; if that is too large, a search
    within `search` tries to prove who wins. Nothing is computed before it is asked for, and what
    was found is kept. `cache` is a folder for tables of whole games.

    A move is counted from the position before it: the best move of a win in 5 wins in 5.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.game("even-steven"))
    >>> state = solution.game.initial()
    >>> solution.value(state), solution.how(state)
    (Value(result='loss', plies=8), 'theory')
    >>> solution.best(solution.game.play(state, 1))
    (2,)
    >>> solution = Solution(zerosum.game("docs/examples/noughts_and_crosses.py"), Limits(100))
    >>> solution.reason
    'Noughts and Crosses has more than 100 positions, the limit for a table.'
    >>> state = solution.game.initial()
    >>> for move in ("b2", "a1", "c1", "b1"):
    ...     state = solution.game.play(state, move)
    >>> solution.value(state), solution.how(state)
    (Value(result='win', plies=1), 'onward')
    """

    def __init__(
        self,
        game: Game[S],
        limits: Limits = NONE,
        *,
        here: Limits | None = None,
        search: Limits = SEARCH,
        cache: str | None = None,
    ) -> None:
        """Take the variant; nothing is computed yet."""
        self.game = game
        self.limits = limits
        self.search = search
        check_positions(limits.positions)
        self.here = limits.within(PERSON.in_seconds(None)) if here is None else here
        check_positions(self.here.positions)
        self.cache: Cache | None = None  # where what is found in the whole table is kept
        self._folder = cache
        self._whole: Source[S] | None = None
        self._failed: ZerosumError | None = None
        self._tables: list[SolvedTable[S]] = []  # the oldest first
        # Positions without a table and without a proof, with the limits that failed.
        self._refused: dict[S, tuple[TooLarge, Limits]] = {}
        self._unproved: dict[S, Limits] = {}
        self._kind = type(game.initial())

    @classmethod
    def by_theory(cls, game: Game[S], theory: Theory[S]) -> Solution[S]:
        """Solve a game by its theory."""
        solution = cls(game)
        solution._whole = theory
        return solution

    @property
    def is_whole(self) -> bool:
        """Whether the whole game is solved, or too large; what failed fails again."""
        if self._whole is None and self._failed is None:
            try:
                self._whole = self._solve()
            except ZerosumError as error:
                # Its traceback would keep all positions that were visited.
                self._failed = error.with_traceback(None)
                if isinstance(error, TooLarge) and self.here.positions <= self.limits.positions:
                    start = self._same(self.game.initial())
                    _remember(self._refused, start, (error, self.limits))
        if self._failed is not None and not isinstance(self._failed, TooLarge):
            raise self._failed
        return self._whole is not None

    @property
    def refusal(self) -> TooLarge | None:
        """Why the whole game is not solved; None if it is."""
        failed = None if self.is_whole else self._failed
        return failed if isinstance(failed, TooLarge) else None

    @property
    def reason(self) -> str:
        """Why the whole game is not solved, as a sentence; or ''."""
        return str(self.refusal or "")

    def whole(self) -> Solution[S]:
        """Return this solution if it is the whole game's, or raise TooLarge."""
        if self.refusal is not None:
            raise self.refusal
        return self

    @property
    def positions(self) -> int | None:
        """The number of positions, if the whole game is solved by a table."""
        if not self.is_whole or isinstance(self._whole, Theory | None):
            return None
        return len(self._whole)

    @property
    def solved(self) -> SolvedTable[S] | None:
        """The table of the whole game, if it is solved by one that fits into memory."""
        if self.is_whole and isinstance(self._whole, SolvedTable):
            return self._whole
        return None

    def table(self, state: S) -> SolvedTable[S] | None:
        """Return the table that gives the value of a position, if one does."""
        source = self._source(state)
        return source if isinstance(source, SolvedTable) else None

    def is_exact(self, state: S) -> bool:
        """Return whether a theory or a table knows a position and what can follow."""
        return self._source(state) is not None

    def how(self, state: S) -> How:
        """Return how a position's value is known, or that it is not."""
        source = self._source(state)
        if source is None:
            return "unknown" if self.find(state) is None else "search"
        if isinstance(source, Theory):
            return "theory"
        return "table" if source is self._whole else "onward"

    def value(self, state: S) -> Value:
        """Return a position's value for the player to move, or raise Unknown.

        If it is only proved, the number of plies may be unknown.
        """
        value = self.find(state)
        if value is None:
            raise Unknown(self.unknown(state))
        return value

    def find(self, state: S) -> Value | None:
        """Return the value of a position for the player to move; None if it is unknown.

        If only proved, it has plies only if no move can be better than the best.
        """
        source = self._source(state)
        if source is not None:
            return self._by(source, state)
        values = self.known_moves(state)
        best = self.best(state, values)
        value = values[best[0]] if best else None
        if value is None:
            return self.proved(state)
        known = known_only(values).values()
        complete = len(known) == len(values) and self.game.lists_all(state)
        counted = complete and all(each.plies or each.result == "draw" for each in known)
        if value == Value("win", 1) or (counted and value.result != "draw"):
            return value
        return Value(value.result)

    def proved(self, state: S, share: float = 1.0) -> Value | None:
        """Return the value of a position by search alone, without plies; None if not found.

        With a smaller share, the search gets that part of its limits.
        """
        result = self._proved(state, self.search.share(share))
        return None if result is None else Value(result)

    def moves(self, state: S) -> dict[Move, Value]:
        """Return every legal move with its value for its player, or raise Unknown."""
        values = known_only(found := self.known_moves(state))
        if len(values) < len(found):
            raise Unknown(self.unknown(state))
        return values

    def known_moves(self, state: S) -> dict[Move, Value | None]:
        """Return every legal move with its value for its player; None if unknown.

        The seconds are for the whole question: most of them for the position itself.
        """
        game, source = self.game, self._source(state)
        if source is not None:
            self._by(source, state)  # which refuses what is not a position of the game
        # After the end there is no move, whatever the rules list there.
        if game.outcome(state) is not None:
            return {}
        if source is not None:
            return {move: self._exactly(source, state, move) for move in game.moves(state)}
        deadline = self.search.deadline()
        seconds = self.search.share(ROOT_SHARE).seconds
        result = self._proved(state, self.search.in_seconds(seconds))
        moves = game.moves(state)
        loss = Value("loss") if result == "loss" else None
        values: dict[Move, Value | None] = dict.fromkeys(moves, loss)
        for number, move in enumerate(moves):
            # What the position and the moves before did not need is for the others.
            seconds = (deadline - monotonic()) / (len(moves) - number)
            share = Limits(nodes=self.search.nodes // len(moves), seconds=seconds)
            if seconds >= 0:
                values[move] = self._found(state, move, share) or loss
        return values

    def move_value(self, state: S, move: Move) -> Value:
        """Return a legal move's value for its player, counting the move, or raise Unknown."""
        source = self._source(state)
        if source is not None:
            return self._exactly(source, state, move)
        value = self._found(state, move, self.search)
        if value is None:
            raise Unknown(self.unknown(self.game.play(state, move)))
        return value

    def _exactly(self, source: Source[S], state: S, move: Move) -> Value:
        """Return the exact value of a move."""
        then = self.game.play(state, move)
        self._check(then)
        return for_mover(state, then, self._by(source, then))

    def _by(self, source: Source[S], state: S) -> Value:
        """Return the value of a position by a theory or a table."""
        if not isinstance(source, Theory):
            try:
                return source.at(self.game.canonical(state))
            except (KeyError, TypeError):
                raise unknown_state(self.game, state) from None
        value: Value | None = ask_theory(source, "value", state)
        if value is None:
            raise NotSolved(f"{type(source).__name__} does not cover {brief(state, 80)}.")
        return value

    def _found(self, state: S, move: Move, limits: Limits) -> Value | None:
        """Return what is known about a move if not everything is known.

        If it is proved, its length is known only if it ends the game, or the reply does.
        """
        then = self.game.play(state, move)
        value = self._at_the_end(then)
        if value is None and (source := self._made(then)) is not None:
            value = self._by(source, then)
        if value is None:
            result = self._proved(then, limits)
            if result is None:
                return None
            at_once = result == "win" and self._wins_at_once(then)
            value = Value(result, 1 if at_once else None)
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
        """Return the best moves: they keep the result, then win soonest or hold out longest.

        If not everything is known, they are those proved to be best, a win of known length first:
        a win is proved by one move, a draw or a loss only if the position is proved
        to be one. `values` are those of `known_moves`, which may prove more when it is asked again.
        """
        values = self.known_moves(state) if values is None else values
        known = known_only(values)
        best = best_of(known)
        if not best or self.is_exact(state):
            return best
        result = known[best[0]].result
        if result == "win":
            return tuple(sorted(best, key=lambda move: known[move].plies or inf))
        complete = len(known) == len(values) and self.game.lists_all(state)
        if complete or result == self._proved(state, NOTHING) == "draw":
            return best
        return ()

    def line(self, state: S, most: int = LONGEST_LINE) -> tuple[Move, ...]:
        """Return a best line to the end, to a repetition, or of `most` moves."""
        moves: list[Move] = []
        seen = {state}
        while len(moves) < most and (best := self.best(state)):
            moves.append(best[0])
            state = self.game.play(state, best[0])
            if state in seen:
                break
            seen.add(state)
        return tuple(moves)

    def unknown(self, state: S) -> str:
        """Say why the value of a position is unknown."""
        error, _ = self._refused.get(self._same(state), (None, None))
        if error is None:
            return "The value of this position is still unknown."
        if error.limit:
            return "Too many positions follow to know who is winning."
        if isinstance(error, TooSlow):
            return "There was not enough time to find out who is winning."
        return f"The value of this position is unknown. {error}"

    @property
    def size(self) -> int:
        """What is kept, in positions of a table; searched ones count double."""
        searched = self._searching.size if "_searching" in self.__dict__ else 0
        whole = len(self._whole.graph) if isinstance(self._whole, SolvedTable) else 0
        return whole + self._size + 2 * searched

    @property
    def searched(self) -> int:
        """The number of positions that the search keeps."""
        return self._searching.nodes if "_searching" in self.__dict__ else 0

    def stop(self) -> None:
        """Stop searching; keep what was found."""
        self.search = Limits(nodes=0, seconds=LAST_LOOK_SECONDS)

    def forget(self) -> None:
        """Drop the tables from a position onward and all proofs, which can be found again."""
        self._tables.clear()
        self._unproved.clear()
        self.__dict__.pop("_searching", None)

    def _solve(self) -> Source[S]:
        """Solve the whole game: by its theory, or else by a table."""
        theory = theory_of(self.game)
        if theory is None:
            return self._tabled(self.limits)
        first = self.game.initial()
        value: Value = ask_theory(theory, "value", first)
        # If a theory does not know the plies, a small table does.
        if value.result != "draw" and value.plies is None and largest(first) < QUICK.positions:
            with suppress(TooLarge):
                return self._tabled(self.limits.within(QUICK))
        return theory

    def _tabled(self, limits: Limits) -> SolvedTable[S] | MappedTable[S]:
        """Make the table of the whole game, or read it from the cache."""
        if not self._folder:
            return solved_table(self.game, limits)
        from zerosum.solver.cache import Cache

        cache = Cache(self.game, self._folder)
        table, self.cache = cache.table(limits), cache
        return table

    def _source(self, state: S) -> Source[S] | None:
        """Return what knows a position exactly: the whole game, or a table, made if need be."""
        made = self._made(state)
        if made is not None:
            return made
        same, here = self._same(state), self.here
        error, tried = self._refused.get(same, (None, NONE))
        # What there was no time for is tried again with more.
        late = isinstance(error, TooSlow) and _is_more(here.seconds, tried.seconds)
        if error is not None and not late:
            return None
        try:
            table = solved_table(self.game, here, root=state)
        except TooLarge as error:
            _remember(self._refused, same, (error.with_traceback(None), here))
            return None
        self._tables.append(table)
        while len(self._tables) > MOST_TABLES or self._size > 2 * here.positions:
            del self._tables[0]
        return table

    def _made(self, state: S) -> Source[S] | None:
        """Return what knows a position exactly, if it was made before."""
        self._check(state)
        if self._whole is not None or self.is_whole:
            return self._whole
        same = self._same(state)
        return next((made for made in reversed(self._tables) if same in made.graph.index), None)

    @property
    def _size(self) -> int:
        """The number of positions in all tables from a position onward."""
        return sum(len(table.graph) for table in self._tables)

    @cached_property
    def _searching(self) -> Search[S]:
        """The search of this variant, which keeps what it found."""
        return Search(self.game)

    def _proved(self, state: S, limits: Limits) -> Result | None:
        """Return a position's result by search; what failed is retried only with more."""
        known = self._searching.known(state)
        same = self._same(state)
        tried = self._unproved.get(same, NOTHING)
        more = limits.nodes > tried.nodes or _is_more(limits.seconds, tried.seconds)
        if known is not None or not (limits.nodes and more):
            return known
        began = monotonic()
        result = self._searching.prove(state, limits)
        if result is None:
            late = limits.seconds is not None and monotonic() - began > limits.seconds
            _remember(self._unproved, same, limits if late else limits.in_seconds(None))
        return result

    def _check(self, state: S) -> None:
        """Refuse what is not a position."""
        # A plain tuple equals a state but is not one; symmetry may make any seat equal to 0.
        if type(state) is not self._kind or state.player not in (0, 1):
            raise unknown_state(self.game, state)

    def _same(self, state: S) -> S:
        """Return what stands for a position by symmetry; refuse what is not one."""
        self._check(state)
        with calling_rules(self.game):
            same = self.game.canonical(state)
            hash(same)
        return same


def solve(
    game: Game[S], limits: Limits = NONE, *, cache: str | None = None, cluster: Any = None
) -> Solution[S]:
    """Solve a variant exactly: by its theory, or else by a table of its positions.

    A game that is too large raises TooLarge; `Solution(game)` tells what can be known about it.
    `cache` is a folder for solved tables. With a `cluster`, the address of a Dask scheduler or a
    Client, the table is made there, of any size unless `limits` are given: all workers must see
    the cache as the same folder.

    >>> import zerosum
    >>> solution = solve(zerosum.game("dual-digits"))
    >>> solution.value(solution.game.initial())
    Value(result='loss', plies=10)
    """
    check_is_game(game)
    if cluster is None:
        return Solution(game, limits, cache=cache).whole()
    if cache is None:
        raise OptionError("cache", "a cluster leaves its table there; name a folder")
    from zerosum.cluster import cluster as connected
    from zerosum.solver.spread.driver import solve_in_parts

    with connected(cluster) as executor:
        solve_in_parts(game, executor, cache, VAST if limits is NONE else limits)
    return solve_table(game, cache=cache)


def solve_table(game: Game[S], limits: Limits = NONE, *, cache: str | None = None) -> Solution[S]:
    """Solve a variant by a table, whether or not it has a theory."""
    solution = Solution(game, limits, cache=cache)
    solution._whole = solution._tabled(limits)
    return solution


def table_of(solution: Solution[S]) -> SolvedTable[S]:
    """Return the table of a solution; make one for a theory's.

    A table that was made in parts may have too many positions: then TooLarge is raised.
    """
    if (table := solution.whole().solved) is not None:
        return table
    if (solution.positions or 0) > NONE.positions:
        raise too_large(solution.game, NONE.positions, NONE.positions)
    return solved_table(solution.game)


def known_only(values: Mapping[Move, Value | None]) -> dict[Move, Value]:
    """Return the moves whose values are known."""
    return {move: value for move, value in values.items() if value is not None}


def _remember(known: dict[S, T], state: S, what: T) -> None:
    """Add what was found out about a position, and forget the oldest when there is too much."""
    known[state] = what
    if len(known) > MOST_REFUSED:
        del known[next(iter(known))]


def _is_more(seconds: float | None, tried: float | None) -> bool:
    """Return whether there is notably more time than was not enough, if any."""
    return tried is not None and (seconds is None or seconds > AGAIN * tried)
