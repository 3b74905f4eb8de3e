"""A game being played: seats, moves, undo, clock, series, result; without input or output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Literal, NamedTuple, TypeGuard, TypeVar, overload

from zerosum.errors import BrokenGame, MatchError, OptionError
from zerosum.options import check_whole
from zerosum.protocol import AnyState, Game, Move, Outcome, S, check_move
from zerosum.text import brief

P = TypeVar("P", bound=AnyState)
T = TypeVar("T")
Ending = Literal["rules", "resignation", "concession", "time", "agreement", "endless"]
EventKind = Literal["move", "undo", "resignation", "concession", "time", "agreement", "endless"]
NAMES = ("Player 1", "Player 2")
# What the loser did, if the rules did not end the game.
LOST: dict[Ending, str] = {
    "resignation": "resigned",
    "concession": "resigned",
    "time": "ran out of time",
}
LONGEST_NAME = 40
LONGEST_COMMAND = 1_000
LONGEST_SERIES = 1_000_000
LONGEST_CLOCK = 86_400.0


class Event(NamedTuple):
    """An event of a match: a move with what was played, or another kind alone."""

    kind: EventKind
    move: Move | None = None


class End(NamedTuple):
    """How a game of a match ended: by what, won by which player (None for a draw), and why."""

    by: Ending
    winner: int | None
    reason: str


class Trail(Sequence[T]):
    """An immutable sequence that is not copied when an item is added.

    Trails share one growing list; each sees the part up to its length.

    >>> trail = Trail([1, 2])
    >>> longer = trail.add(3)
    >>> trail, longer, trail.add(4), longer.drop() == trail
    ((1, 2), (1, 2, 3), (1, 2, 4), True)
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        """Take the first items."""
        self._items = list(items)
        self._length = len(self._items)

    def add(self, item: T) -> Trail[T]:
        """Return the trail with another item at its end."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        # If another trail, perhaps in another thread, already continued from here, copy.
        if items[length] is not item:
            items = [*items[:length], item]
        return self._of(items, length + 1)

    def drop(self) -> Trail[T]:
        """Return the trail without its last item."""
        return self._of(self._items, self._length - 1)

    @staticmethod
    def _of(items: list[T], length: int) -> Trail[T]:
        trail: Trail[T] = Trail.__new__(Trail)
        trail._items, trail._length = items, length
        return trail

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._items[: self._length])[index]
        return self._items[range(self._length)[index]]

    def __iter__(self) -> Iterator[T]:
        return iter(self[:])

    def count(self, value: Any) -> int:
        """Count how often a value occurs."""
        return self._items[: self._length].count(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Trail, tuple)) and self[:] == other[:]

    def __hash__(self) -> int:
        return hash(self[:])

    def __repr__(self) -> str:
        return repr(self[:])


@dataclass(frozen=True)
class Round(Generic[S]):
    """One game of a match: who began, the moves, the states on the way, the end."""

    first: int
    moves: Trail[Move]
    states: Trail[S]
    end: End | None = None

    def player(self, seat: int) -> int:
        """Return the player in a seat; seat 0 moves first."""
        return seat ^ self.first


@dataclass(frozen=True)
class Match(Generic[S]):
    """A match between two players: one game, or a series in which the first move alternates.

    Players are 0 and 1, in the order of their names, for the whole match; seats belong to one
    game, and seat 0 moves first. Every change returns a new match.

    >>> import zerosum
    >>> match = Match.new(zerosum.game("even-steven", start=2), ("Ada", "Bob"))
    >>> match = match.play(1)
    >>> match.mover, match.state.number
    (1, 1)
    >>> match = match.play(1)
    >>> match.over, match.score, match.round.end.reason
    (True, (0, 1), 'the number is exactly zero')
    """

    game: Game[S]
    players: tuple[str, str]
    games: int
    clock: float | None
    earlier: Trail[Round[S]]
    round: Round[S]
    bots: tuple[str | None, str | None] = (None, None)
    seed: int | None = None
    won: tuple[int, int] = (0, 0)

    @classmethod
    def new(
        cls,
        game: Game[S],
        players: tuple[str, str] = NAMES,
        first: int = 0,
        games: int = 1,
        clock: float | None = None,
        bots: tuple[str | None, str | None] = (None, None),
        seed: int | None = None,
        initial: S | None = None,
    ) -> Match[S]:
        """Begin a match; `first` is the player who begins its first game.

        `bots` has the level of each player that is a program, or what names somebody's own program,
        and `seed` is for their random choices; neither changes what the match does. With an
        `initial` state that is already known, the rules are not asked.
        """
        check_players(players)
        check_whole("first", first, least=0, most=1)
        check_whole("games", games, least=1, most=LONGEST_SERIES)
        check_clock(clock)
        check_bots(bots)
        if seed is not None:
            check_whole("seed", seed)
        if initial is None:
            initial = game.initial()
            if outcome_of(game, initial) is not None:
                raise BrokenGame(game, "it is over before its first move")
        round_: Round[S] = Round(first, Trail(), Trail([initial]))
        return cls(game, players, games, clock, Trail(), round_, bots, seed)

    def fork(
        self,
        number: int,
        ply: int,
        players: tuple[str, str] = NAMES,
        bots: tuple[str | None, str | None] = (None, None),
        seed: int | None = None,
    ) -> Match[S]:
        """Return a match that continues one of its games (0 is the first) from a ply.

        The first player is to move. The states are shared, not made again.

        >>> import zerosum
        >>> match = Match.new(zerosum.game("even-steven", start=9)).play(1).play(1)
        >>> fork = match.fork(0, 1)
        >>> fork.ply, fork.mover, fork.state == match.round.states[1]
        (1, 0, True)
        """
        played = self.rounds[number]
        moves = Trail(played.moves[:ply])
        states = Trail(played.states[: ply + 1])
        first, initial = states[-1].player, states[0]
        begun = Match.new(self.game, players, first, bots=bots, seed=seed, initial=initial)
        return replace(begun, round=Round(first, moves, states))

    @property
    def rounds(self) -> tuple[Round[S], ...]:
        """All games so far, including the one being played."""
        return (*self.earlier, self.round)

    @property
    def events(self) -> Iterator[Event]:
        """The events that lead to this match, without undone ones."""
        for played in self.rounds:
            yield from (Event("move", move) for move in played.moves)
            if played.end is not None and played.end.by != "rules":
                yield Event(played.end.by)

    @property
    def number(self) -> int:
        """The number of the game being played, or of the last one, counted from 1."""
        return len(self.earlier) + 1

    @property
    def ended(self) -> int:
        """The number of games that have ended: all but the last, or all."""
        return self.number - (self.round.end is None)

    @property
    def score(self) -> tuple[float, float]:
        """The points of both players."""
        return points(self.won, self.ended)

    @cached_property
    def state(self) -> S:
        """The current position."""
        return self.round.states[-1]

    @property
    def ply(self) -> int:
        """The number of moves in the game being played."""
        return len(self.round.moves)

    @cached_property
    def mover(self) -> int:
        """The player to move."""
        return self.round.player(self.state.player)

    @property
    def seated(self) -> tuple[str, str]:
        """The names in the order of the seats."""
        return self.names_of(self.round)

    def names_of(self, played: Round[S]) -> tuple[str, str]:
        """Return the names in the order of the seats of a game."""
        ada, bob = self.players
        return (bob, ada) if played.first else (ada, bob)

    @property
    def over(self) -> bool:
        """Whether the whole match is over."""
        return self.round.end is not None and self.number >= self.games

    @property
    def champion(self) -> int | None:
        """The player with more points, once the match is over; None for a tie."""
        mine, theirs = self.score
        if not self.over or mine == theirs:
            return None
        return int(theirs > mine)

    def play(self, move: object) -> Match[S]:
        """Make a move, or refuse it with the rule that forbids it; any type of integer will do."""
        self._check_unfinished()
        plain = check_move(self.game, self.state, move)
        after = self.game.play(self.state, plain)
        return self.played(plain, after, outcome_of(self.game, after))

    def played(self, move: Move, state: S, outcome: Outcome | None) -> Match[S]:
        """Return the match after a legal move with known state and outcome."""
        self._check_unfinished()
        before = self.round
        round_ = Round(before.first, before.moves.add(move), before.states.add(state))
        # Not by `replace`, which takes several times as long.
        after = Match(
            *(self.game, self.players, self.games, self.clock, self.earlier, round_),
            *(self.bots, self.seed, self.won),
        )
        if outcome is None:
            return after
        winner = None if outcome.winner is None else round_.player(outcome.winner)
        return after._end("rules", winner, outcome.reason)

    def undo(self) -> Match[S]:
        """Take back the last move of the current game, even if it ended it.

        >>> import zerosum
        >>> match = Match.new(zerosum.game("even-steven", start=1)).play(1)
        >>> match.over, match.undo().over, match.undo().score
        (True, False, (0, 0))
        """
        played, won = self.round, self.won
        if played.end is not None:
            if played.end.by != "rules":
                raise MatchError("The game is over, but no move ended it.")
            won = _added(won, played.end.winner, -1)
        if not played.moves:
            raise MatchError("There is nothing to undo: no move has been made in this game.")
        back = Round(played.first, played.moves.drop(), played.states.drop())
        return replace(self, round=back, won=won)

    def resign(self) -> Match[S]:
        """Resign the game for the player to move."""
        return self._lose("resignation", self.mover)

    def concede(self) -> Match[S]:
        """Resign the game for the player who is not to move."""
        return self._lose("concession", 1 - self.mover)

    def time_out(self) -> Match[S]:
        """End the game on time: the player to move loses."""
        return self._lose("time", self.mover)

    def agree_draw(self) -> Match[S]:
        """End the game as a draw by agreement."""
        return self._end("agreement", None, "both players agreed")

    def endless(self) -> Match[S]:
        """End the game as a draw by endless play, where a game with a program repeats itself."""
        return self._end("endless", None, "endless play")

    def next_game(self) -> Match[S]:
        """Begin the next game of the series; the other player moves first."""
        if self.round.end is None:
            raise MatchError("The game is still being played.")
        if self.over:
            raise MatchError("The match is over.")
        start = Trail([self.round.states[0]])
        begun = Round(1 - self.round.first, Trail[Move](), start)
        return replace(self, earlier=self.earlier.add(self.round), round=begun)

    def begun(self) -> Match[S]:
        """Return the match before its next move: in the next game, if the last one has ended."""
        return self.next_game() if self.round.end and not self.over else self

    def apply(self, event: Event) -> Match[S]:
        """Apply an event, in the next game if the last has ended, unless undone."""
        match = self if event.kind == "undo" else self.begun()
        if event.kind == "move" and event.move is not None:
            return match.play(event.move)
        if event.kind not in EVENTS:
            raise MatchError(f"'{brief(event.kind)}' is not an event of a match.")
        return EVENTS[event.kind](match)

    def to_json(self) -> str:
        """Write the match as a record: a JSON document with every move.

        >>> import zerosum
        >>> match = Match.new(zerosum.game("even-steven")).play(1)
        >>> Match.from_json(match.to_json()) == match
        True
        """
        from zerosum.documents import dumps
        from zerosum.record import to_record

        return dumps(to_record(self))

    @overload
    @staticmethod
    def from_json(text: str, game: Game[P] | type[Game[P]]) -> Match[P]: ...
    @overload
    @staticmethod
    def from_json(text: str, game: str | None = None) -> Match[Any]: ...
    @staticmethod
    def from_json(text: str, game: Game[Any] | type[Game[Any]] | str | None = None) -> Match[Any]:
        """Read a record back, and refuse it if it breaks the rules.

        `game` is the game's class or file, for a game that cannot be found by its name; the
        options are the record's.
        """
        from zerosum.documents import loads
        from zerosum.record import from_record

        return from_record(loads(text), type(game) if isinstance(game, Game) else game)

    def _check_unfinished(self) -> None:
        """Refuse to change a game that is over."""
        if self.round.end is not None:
            raise MatchError("The game is over.")

    def _lose(self, by: Ending, player: int) -> Match[S]:
        """End the game for a player by what that player did."""
        return self._end(by, 1 - player, f"{self.players[player]} {LOST[by]}")

    def _end(self, by: Ending, winner: int | None, reason: str) -> Match[S]:
        """End the game being played."""
        self._check_unfinished()
        round_ = replace(self.round, end=End(by, winner, reason))
        return replace(self, round=round_, won=_added(self.won, winner))


EVENTS: dict[str, Callable[[Match[Any]], Match[Any]]] = {
    "undo": Match.undo,
    "resignation": Match.resign,
    "concession": Match.concede,
    "time": Match.time_out,
    "agreement": Match.agree_draw,
    "endless": Match.endless,
}


def points(won: tuple[int, int], ended: int) -> tuple[float, float]:
    """Return the points of both players; a draw is half a point for each.

    >>> points((2, 0), 3), points((2, 0), 4)
    ((2.5, 0.5), (3, 1))
    """
    first, second = won
    draws = ended - first - second
    half = draws / 2 if draws % 2 else draws // 2
    return first + half, second + half


def _added(won: tuple[int, int], winner: int | None, games: int = 1) -> tuple[int, int]:
    """Add games that a player won, or take them off; a draw adds nothing."""
    first, second = won
    return first + games * (winner == 0), second + games * (winner == 1)


def outcome_of(game: Game[S], state: S) -> Outcome | None:
    """Return the outcome of a state; refuse any other type."""
    if getattr(state, "player", None) not in (0, 1):
        raise BrokenGame(game, f"a state needs a field 'player', 0 or 1: {brief(state, 80)}")
    outcome = game.outcome(state)
    told = isinstance(getattr(outcome, "reason", None), str)
    if outcome is not None and (getattr(outcome, "winner", "") not in (0, 1, None) or not told):
        wanted = f"an outcome is Outcome(winner, reason), not {brief(outcome)}"
        raise BrokenGame(game, f"{wanted}, from outcome at {brief(state, 80)}")
    return outcome


def check_players(players: tuple[str, str]) -> None:
    """Refuse names that cannot be printed on a line, or are equal."""
    if len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise OptionError("names", "must be two names")
    for name in players:
        if not name.strip():
            raise OptionError("names", "a name cannot be empty")
        if name != name.strip() or not name.isprintable():
            raise OptionError("names", f"'{brief(name)}' has spaces around it or cannot be printed")
        if len(name) > LONGEST_NAME:
            raise OptionError("names", f"a name has at most {LONGEST_NAME} characters")
    if players[0].casefold() == players[1].casefold():
        raise OptionError("names", "the two players need different names")


def check_bots(bots: tuple[str | None, str | None]) -> None:
    """Refuse anything but two levels or programs, or None for a person."""
    words = [bot for bot in bots if bot is not None]
    named = (isinstance(bot, str) and (bot.isidentifier() or is_engine(bot)) for bot in words)
    if len(bots) != 2 or not all(named):
        raise OptionError("bots", "must be two levels or programs, or None for a person")
    if any(len(bot) > LONGEST_COMMAND or not bot.isprintable() for bot in words):
        text = f"a program has at most {LONGEST_COMMAND:,} characters, all of which can be printed"
        raise OptionError("bots", text)


def is_engine(bot: str | None) -> TypeGuard[str]:
    """Return whether a bot is somebody's own program, not a level: its name has a colon.

    >>> [bot for bot in ("hard", "exec:./my-engine", "./mine.py:choose", None) if is_engine(bot)]
    ['exec:./my-engine', './mine.py:choose']
    """
    return bot is not None and ":" in bot


def check_clock(clock: float | None) -> None:
    """Refuse a clock that nobody could play by."""
    if clock is None:
        return
    if type(clock) not in (int, float) or not 0 < clock <= LONGEST_CLOCK:
        raise OptionError(
            "clock", f"must be a number of seconds above 0, at most {LONGEST_CLOCK:g}"
        )
