"""A game being played: seats, moves, undo, clock, series, result; without input or output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, overload

from zerosum.errors import MatchError, OptionError, broken_game
from zerosum.options import check_whole
from zerosum.protocol import AnyState, Game, Move, Outcome, S, check_move
from zerosum.text import brief

T = TypeVar("T")
P = TypeVar("P", bound=AnyState)
Ending = Literal["rules", "resignation", "concession", "time", "agreement", "endless"]
EventKind = Literal["move", "undo", "resignation", "concession", "time", "agreement", "endless"]
NAMES = ("Player 1", "Player 2")
LONGEST_NAME = 40
LONGEST_SERIES = 1_000_000
LONGEST_CLOCK = 86_400.0


class Event(NamedTuple):
    """One thing that happened in a match: `move` with what was played, or another word alone."""

    kind: EventKind
    move: Move | None = None


class End(NamedTuple):
    """How one game of a match ended: by what, won by which player (None: a draw), and why."""

    by: Ending
    winner: int | None
    reason: str


class Trail(Sequence[T]):
    """A sequence that never changes, and costs no copy to add to.

    Trails share one growing list; each sees the beginning of it up to its own length.

    >>> trail = Trail([1, 2])
    >>> longer = trail.add(3)
    >>> trail, longer, trail.add(4), longer.drop() == trail
    ((1, 2), (1, 2, 3), (1, 2, 4), True)
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        """Begin with some items."""
        self._items = list(items)
        self._length = len(self._items)

    def add(self, item: T) -> Trail[T]:
        """Give the trail with another item at its end."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        # If another trail, perhaps in another thread, already continued from here, copy the items.
        if items[length] is not item:
            items = [*items[:length], item]
        return self._of(items, length + 1)

    def drop(self) -> Trail[T]:
        """Give the trail without its last item."""
        return self._of(self._items, self._length - 1)

    @staticmethod
    def _of(items: list[T], length: int) -> Trail[T]:
        made: Trail[T] = Trail.__new__(Trail)
        made._items, made._length = items, length
        return made

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if isinstance(place, slice):
            return tuple(self._items[i] for i in range(*place.indices(self._length)))
        if not -self._length <= place < self._length:
            raise IndexError(place)
        return self._items[place if place >= 0 else place + self._length]

    def count(self, value: Any) -> int:
        """Count how often a value occurs."""
        return self._items[: self._length].count(value)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Trail, tuple)):
            return len(self) == len(other) and all(
                mine is yours or mine == yours for mine, yours in zip(self, other, strict=True)
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True)
class Round(Generic[S]):
    """One game of a match: who moved first, the moves, the states they led through, the end."""

    first: int
    moves: Trail[Move]
    states: Trail[S]
    end: End | None = None

    def player(self, seat: int) -> int:
        """Tell which player sits in a seat; seat 0 moves first."""
        return seat ^ self.first


@dataclass(frozen=True)
class Match(Generic[S]):
    """A match between two players: one game, or a series in which the first move alternates.

    Players are numbered as they are named, 0 and 1, for the whole match; seats belong to one
    game, and seat 0 moves first. Every change gives a new match.

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
    score: tuple[float, float] = (0, 0)

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
    ) -> Match[S]:
        """Begin a match; `first` is the player who begins its first game.

        `bots` names the level of each player that is a program, and `seed` what their choices
        are drawn from; neither changes what the match does.
        """
        check_players(players)
        check_whole("first", first, least=0, most=1)
        check_whole("games", games, least=1, most=LONGEST_SERIES)
        check_clock(clock)
        check_bots(bots)
        if seed is not None:
            check_whole("seed", seed)
        return cls(game, players, games, clock, Trail(), _begin(game, first), bots, seed)

    @property
    def rounds(self) -> tuple[Round[S], ...]:
        """All games so far, the one being played among them."""
        return (*self.earlier, self.round)

    @property
    def number(self) -> int:
        """The number of the game being played, or of the last one; the first has 1."""
        return len(self.earlier) + 1

    @property
    def state(self) -> S:
        """The position that stands."""
        return self.round.states[-1]

    @property
    def ply(self) -> int:
        """How many moves the game being played has had."""
        return len(self.round.moves)

    @property
    def mover(self) -> int:
        """The player to move."""
        return self.round.player(self.state.player)

    @property
    def seated(self) -> tuple[str, str]:
        """The names in the order of the seats."""
        return self.names_of(self.round)

    def names_of(self, played: Round[S]) -> tuple[str, str]:
        """Give the names in the order of the seats of one game."""
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
        return None if not self.over or mine == theirs else int(theirs > mine)

    def play(self, move: object) -> Match[S]:
        """Make a move, or refuse it with the rule that forbids it; any kind of integer will do."""
        self._going()
        played, game = self.round, self.game
        plain = check_move(game, self.state, move)
        after = game.play(self.state, plain)
        moves, states = played.moves.add(plain), played.states.add(after)
        return self._stand(replace(played, moves=moves, states=states))

    def undo(self) -> Match[S]:
        """Take back the last move of the game being played."""
        self._going()
        played = self.round
        if not played.moves:
            raise MatchError("There is nothing to undo: no move has been made in this game.")
        back = replace(played, moves=played.moves.drop(), states=played.states.drop())
        return replace(self, round=back)

    def resign(self) -> Match[S]:
        """Let the player to move give up the game."""
        return self._end("resignation", 1 - self.mover, f"{self.players[self.mover]} resigned")

    def concede(self) -> Match[S]:
        """Let the player who is not to move give up the game."""
        return self._end("concession", self.mover, f"{self.players[1 - self.mover]} resigned")

    def time_out(self) -> Match[S]:
        """Let the player to move lose on time."""
        return self._end("time", 1 - self.mover, f"{self.players[self.mover]} ran out of time")

    def call_off(self) -> Match[S]:
        """End the game as a draw, as both players agreed."""
        return self._end("agreement", None, "both players agreed")

    def endless(self) -> Match[S]:
        """End a game that repeats itself without a person watching."""
        return self._end("endless", None, "endless play")

    def next_game(self) -> Match[S]:
        """Begin the next game of the series, with the first move exchanged."""
        if self.round.end is None:
            raise MatchError("The game is still being played.")
        if self.over:
            raise MatchError("The match is over.")
        begun = _begin(self.game, 1 - self.round.first)
        return replace(self, earlier=self.earlier.add(self.round), round=begun)

    def apply(self, event: Event) -> Match[S]:
        """Let one event happen, in the next game where the last one has ended."""
        match = self.next_game() if self.round.end and not self.over else self
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
        from zerosum.record import dumps, to_record

        return dumps(to_record(self))

    @overload
    @staticmethod
    def from_json(text: str, game: Game[P] | type[Game[P]]) -> Match[P]: ...
    @overload
    @staticmethod
    def from_json(text: str, game: str | None = None) -> Match[Any]: ...
    @staticmethod
    def from_json(text: str, game: Game[Any] | type[Game[Any]] | str | None = None) -> Match[Any]:
        """Read a record back, and refuse it where it breaks the rules.

        `game` gives the rules, or their file, where the record's name for them is not known here;
        the options are the record's.
        """
        from zerosum.record import from_record, loads

        return from_record(loads(text), type(game) if isinstance(game, Game) else game)

    def _going(self) -> None:
        """Refuse what only a game that goes on can have done to it."""
        if self.round.end is not None:
            raise MatchError("The game is over.")

    def _end(self, by: Ending, winner: int | None, reason: str) -> Match[S]:
        """End the game being played; a draw is half a point for each."""
        self._going()
        mine, theirs = self.score
        if winner is None:
            score = _points(mine + 0.5), _points(theirs + 0.5)
        else:
            score = mine + (winner == 0), theirs + (winner == 1)
        return replace(self, round=replace(self.round, end=End(by, winner, reason)), score=score)

    def _stand(self, played: Round[S]) -> Match[S]:
        """Let a game go on from another position, or end where the rules say so."""
        after = replace(self, round=played)
        outcome = _outcome(self.game, after.state)
        if outcome is None:
            return after
        winner = None if outcome.winner is None else played.player(outcome.winner)
        return after._end("rules", winner, outcome.reason)


EVENTS: dict[str, Callable[[Match[Any]], Match[Any]]] = {
    "undo": Match.undo,
    "resignation": Match.resign,
    "concession": Match.concede,
    "time": Match.time_out,
    "agreement": Match.call_off,
    "endless": Match.endless,
}


def _points(score: float) -> float:
    """Write points without a fraction where there is none."""
    return int(score) if score == int(score) else score


def _begin(game: Game[S], first: int) -> Round[S]:
    """Set up one game."""
    state = game.initial()
    if _outcome(game, state) is not None:
        raise broken_game(game, "it is over before its first move")
    return Round(first, Trail(), Trail([state]))


def _outcome(game: Game[S], state: S) -> Outcome | None:
    """Ask the rules whether a game has ended, and blame them for an answer that is none."""
    if getattr(state, "player", None) not in (0, 1):
        raise broken_game(game, f"a state needs a field 'player', 0 or 1: {brief(state, 80)}")
    outcome = game.outcome(state)
    if outcome is not None and getattr(outcome, "winner", "") not in (0, 1, None):
        raise broken_game(game, f"an outcome is Outcome(winner, reason), not {brief(outcome)}")
    return outcome


def check_players(players: tuple[str, str]) -> None:
    """Refuse names that cannot be printed on a line, or told apart."""
    if len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise OptionError("names", "must be two names")
    for name in players:
        if not name.strip():
            raise OptionError("names", "a name cannot be empty")
        if name != name.strip() or not name.isprintable():
            raise OptionError("names", f"'{brief(name)}' cannot be printed on a line")
        if len(name) > LONGEST_NAME:
            raise OptionError("names", f"a name has at most {LONGEST_NAME} characters")
    if players[0].casefold() == players[1].casefold():
        raise OptionError("names", "the two players need different names")


def check_bots(bots: tuple[str | None, str | None]) -> None:
    """Refuse what cannot be the level of a program."""
    words = [bot for bot in bots if bot is not None]
    if len(bots) != 2 or not all(isinstance(bot, str) and bot.isidentifier() for bot in words):
        raise OptionError("bots", "must be two levels, or None for a person")


def check_clock(clock: float | None) -> None:
    """Refuse a clock that no one could play by."""
    if clock is None:
        return
    if type(clock) not in (int, float) or not 0 < clock <= LONGEST_CLOCK:
        raise OptionError(
            "clock", f"must be a number of seconds above 0, at most {LONGEST_CLOCK:g}"
        )
