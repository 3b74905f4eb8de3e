"""A game being played: seats, moves, undo, clock, series, result; without input or output."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from zerosum.game import Game, GameError, IllegalMove, OptionError, ZerosumError, brief, check_whole

NAMES = ("Player 1", "Player 2")
LONGEST_NAME = 40
LONGEST_SERIES = 1_000_000
LONGEST_CLOCK = 86_400.0


class MatchError(ZerosumError):
    """Something that cannot be done with a match as it stands; the match is as it was."""


class Event(NamedTuple):
    """One thing that happened in a match: `move` with its number, or another word alone."""

    kind: str
    move: int | None = None


class End(NamedTuple):
    """How one game of a match ended: by what, won by which player (None: nobody), and why."""

    by: str
    winner: int | None
    reason: str


@dataclass(frozen=True)
class Round:
    """One game of a match: who moved first, the moves, the states they led through, the end."""

    first: int
    moves: tuple[int, ...]
    states: tuple[Any, ...]
    end: End | None = None

    def player(self, seat: int) -> int:
        """Tell which player sits in a seat; seat 0 moves first."""
        return seat ^ self.first


@dataclass(frozen=True)
class Match:
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

    game: Game[Any]
    players: tuple[str, str]
    length: int
    clock: float | None
    rounds: tuple[Round, ...]
    bots: tuple[str | None, str | None] = (None, None)
    seed: int | None = None

    @classmethod
    def new(
        cls,
        game: Game[Any],
        players: tuple[str, str] = NAMES,
        first: int = 0,
        length: int = 1,
        clock: float | None = None,
        bots: tuple[str | None, str | None] = (None, None),
        seed: int | None = None,
    ) -> Match:
        """Begin a match; `first` is the player who begins its first game.

        `bots` names the level of each player that is a program, and `seed` what their choices
        are drawn from; neither changes what the match does.
        """
        check_players(players)
        check_whole("first", first, least=0, most=1)
        check_whole("games", length, least=1, most=LONGEST_SERIES)
        check_clock(clock)
        check_bots(bots)
        if seed is not None:
            check_whole("seed", seed)
        return cls(game, players, length, clock, (_begin(game, first),), bots, seed)

    @property
    def round(self) -> Round:
        """The game being played, or the last one."""
        return self.rounds[-1]

    @property
    def state(self) -> Any:
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

    def names_of(self, played: Round) -> tuple[str, str]:
        """Give the names in the order of the seats of one game."""
        one, other = self.players
        return (other, one) if played.first else (one, other)

    @property
    def over(self) -> bool:
        """Whether the whole match is over."""
        return self.round.end is not None and len(self.rounds) >= self.length

    @property
    def score(self) -> tuple[int, int]:
        """The games won, by player."""
        winners = [played.end.winner for played in self.rounds if played.end]
        return winners.count(0), winners.count(1)

    @property
    def champion(self) -> int | None:
        """The player who won more games, once the match is over; None for a tie."""
        one, other = self.score
        return None if not self.over or one == other else int(other > one)

    def play(self, move: int) -> Match:
        """Make a move, or refuse it with the rule that forbids it."""
        self._going()
        played, game = self.round, self.game
        objection = game.objection(self.state, move)
        if objection is not None:
            raise IllegalMove(objection)
        states = (*played.states, game.play(self.state, move))
        return self._with(_stand(game, Round(played.first, (*played.moves, move), states)))

    def undo(self) -> Match:
        """Take back the last move of the game being played."""
        self._going()
        played = self.round
        if not played.moves:
            raise MatchError("There is nothing to undo: no move has been made in this game.")
        return self._with(replace(played, moves=played.moves[:-1], states=played.states[:-1]))

    def resign(self) -> Match:
        """Let the player to move give up the game."""
        return self._end("resignation", 1 - self.mover, f"{self.players[self.mover]} resigned")

    def concede(self) -> Match:
        """Let the player who is not to move give up the game."""
        return self._end("concession", self.mover, f"{self.players[1 - self.mover]} resigned")

    def time_out(self) -> Match:
        """Let the player to move lose on time."""
        return self._end("time", 1 - self.mover, f"{self.players[self.mover]} ran out of time")

    def call_off(self) -> Match:
        """End the game without a winner, as both players agreed."""
        return self._end("agreement", None, "both players agreed to call it off")

    def endless(self) -> Match:
        """End a game that repeats itself without a person watching."""
        return self._end("endless", None, "draw by endless play")

    def next_game(self) -> Match:
        """Begin the next game of the series, with the first move exchanged."""
        if self.round.end is None:
            raise MatchError("The game is still being played.")
        if self.over:
            raise MatchError("The match is over.")
        return replace(self, rounds=(*self.rounds, _begin(self.game, 1 - self.round.first)))

    def apply(self, event: Event) -> Match:
        """Let one event happen, in the next game where the last one has ended."""
        match = self.next_game() if self.round.end and not self.over else self
        if event.kind == "move" and event.move is not None:
            return match.play(event.move)
        if event.kind not in EVENTS:
            raise MatchError(f"'{brief(event.kind)}' is nothing that happens in a match.")
        happened: Match = EVENTS[event.kind](match)
        return happened

    def _going(self) -> None:
        """Refuse what only a game that goes on can have done to it."""
        if self.round.end is not None:
            raise MatchError("The game is over.")

    def _end(self, by: str, winner: int | None, reason: str) -> Match:
        """End the game being played."""
        self._going()
        return self._with(replace(self.round, end=End(by, winner, reason)))

    def _with(self, played: Round) -> Match:
        """Put another state of affairs in place of the game being played."""
        return replace(self, rounds=(*self.rounds[:-1], played))


EVENTS = {
    "undo": Match.undo,
    "resignation": Match.resign,
    "concession": Match.concede,
    "time": Match.time_out,
    "agreement": Match.call_off,
    "endless": Match.endless,
}


def _begin(game: Game[Any], first: int) -> Round:
    """Set up one game."""
    return _stand(game, Round(first, (), (game.initial(),)))


def _stand(game: Game[Any], played: Round) -> Round:
    """Let a game end where the rules say so."""
    state = played.states[-1]
    if getattr(state, "player", None) not in (0, 1):
        raise _broken(game, f"a state needs a field 'player', 0 or 1: {brief(state, 80)}")
    outcome = game.outcome(state)
    if outcome is None:
        return played
    if getattr(outcome, "winner", None) not in (0, 1):
        raise _broken(game, f"an outcome is Outcome(winner, reason), with winner 0 or 1: {outcome}")
    return replace(played, end=End("rules", played.player(outcome.winner), outcome.reason))


def _broken(game: Game[Any], message: str) -> GameError:
    """Say what a game does that no game may do."""
    return GameError(
        f"{type(game).__name__} breaks the protocol of a game: {message} "
        "(zerosum.testing.check_game says more)."
    )


def check_players(players: tuple[str, str]) -> None:
    """Refuse names that cannot be printed on a line, or told apart."""
    if len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise OptionError("names", "must be two names")
    for name in players:
        if not name.strip() or name != name.strip() or not name.isprintable():
            raise OptionError("names", f"'{brief(name)}' is no name that can be printed on a line")
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
