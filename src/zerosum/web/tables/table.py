"""A match at a table: seats, offers and agreements, as immutable data."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from zerosum.errors import Unreadable
from zerosum.match import NAMES, Match
from zerosum.options import option_values
from zerosum.players.engines import SERVED
from zerosum.registry import entry_of
from zerosum.store import Saved
from zerosum.text import does, lower_first
from zerosum.web.analysis.queue import asker_of
from zerosum.web.analysis.referee import PLAYERS, Label, parts_of
from zerosum.web.answers import Mode, NewsKind, OfferKind, Played, Scene, TableView, Want

# The digest of each seat's token, with the players that it moves for.
Holders = tuple[tuple[str, tuple[int, ...]], ...]
MOST_NEWS = 8
LAST_MOVES = 20
# A bot waits a moment, so that people see their own move first.
BOT_SECONDS = 0.5
# A player in a sentence, and what an opponent without a name is called.
NAMED = re.compile(r"\{([01])\}( \w+s\b)?")
OPPONENT = "Your opponent"
# What two people without names at one screen are called.
SIDES = ("Left player", "Right player")


class News(NamedTuple):
    """One event in words, with the change and ply it led to, its kind, and who did it.

    `move` is the number of the announced move within its game. In the text, PLAYERS are named.
    """

    change: int
    ply: int
    text: str
    kind: NewsKind = "begin"
    player: int | None = None
    move: int | None = None


class Kept(msgspec.Struct, frozen=True):
    """What is stored about a table beside its match.

    `holders` has the digest of each seat's token with the players it moves for. `owner` stands for
    the address that created the match, and `public` lets everybody see it although it is not
    watched. `to` is the digest of whoever is challenged, for whom the open seat is reserved;
    `declined` means that nobody takes it, and `programs` are the players who are bots of somebody
    else's. `forked` means that it continues an earlier game.
    """

    mode: Mode
    holders: Holders
    watch: bool
    want: tuple[Want, Want] = ("off", "off")
    offers: tuple[tuple[OfferKind, int], ...] = ()
    tally: tuple[int, int] = (0, 0)
    next: str | None = None
    news: tuple[News, ...] = ()
    owner: str = ""
    public: bool = False
    to: str = ""
    declined: bool = False
    programs: tuple[int, ...] = ()
    forked: bool = False


_kept = attrgetter(*Kept.__struct_fields__)


class Stored(Kept, frozen=True, kw_only=True):
    """A table as it is stored; `games` have begun, the last perhaps without a move."""

    games: int


class LiveTable(Kept, frozen=True, kw_only=True, dict=True):
    """A match and everything around it; every change makes a new table.

    `ply` counts the events in the match's journal and only grows; `change` counts every change,
    including offers. `due` is when the server must act: move for a bot, or end a game on time.
    `played` has the moves of the current game as they are typed, and `last` the last of them in
    words; `scene` is what its rules say about the position, if they had to be asked in advance.
    """

    id: str
    match: Match[Any]
    ply: int = 0
    change: int = 0
    due: float | None = None
    played: tuple[str, ...] = ()
    last: tuple[Played, ...] = ()
    scene: Scene | None = None

    @cached_property
    def shown(self) -> list[tuple[TableView, str]]:
        """What everybody sees, and why the game is over, made when it is first shown."""
        return []

    @property
    def place(self) -> dict[str, Any]:
        """The variant and the position, for the solver processes."""
        game = self.match.game
        variant = {"game": entry_of(game).name, "options": option_values(game)}
        return {**variant, "state": parts_of(self.match.state)}

    @property
    def asker(self) -> str:
        """For whom the solver processes work here."""
        return seated_asker(self.owner, self.holders)

    @property
    def alone(self) -> bool:
        """Whether nobody has taken the second seat; whoever creates a match has the first."""
        return self.mode == "friend" and len(self.holders) < 2

    @property
    def waiting(self) -> bool:
        """Whether the second seat is still open."""
        return self.stage == "waiting"

    @cached_property
    def stage(self) -> str:
        """The stage: waiting, declined, playing or over; what nobody plays is soon deleted."""
        if self.alone:
            return "declined" if self.declined else "waiting"
        return "over" if self.match.over else "playing"

    @property
    def over(self) -> bool:
        """Whether nothing more is played here."""
        return self.match.over or self.declined

    @cached_property
    def running(self) -> bool:
        """Whether a game is in progress."""
        return self.stage == "playing" and self.match.round.end is None

    @property
    def concerned(self) -> tuple[str, ...]:
        """Whom it concerns: the holders of its seats, and who is challenged."""
        held = [digest for digest, _ in self.holders]
        return (*held, self.to) if self.to and self.to not in held else tuple(held)

    @property
    def bots_turn(self) -> bool:
        """Whether it is a bot's turn."""
        return self.running and self.match.bots[self.match.mover] is not None

    @property
    def coach_open(self) -> bool:
        """Whether analysis is allowed: in a live match between people, only if both agreed."""
        return self.mode != "friend" or self.match.over or "off" not in self.want

    def called(self, who: tuple[int, ...]) -> tuple[str, str]:
        """Return what the players are called by one of them, or by somebody else."""
        first, second = self.match.players
        # With an opponent who is called 'You', nobody else can be.
        if self.mode == "here" or len(who) != 1 or self.match.players[1 - who[0]] == "You":
            return first, second
        other = OPPONENT if self.match.players[1 - who[0]] in NAMES else ""
        return (other or first, "You") if who[0] else ("You", other or second)

    def players_of(self, digest: str | None) -> tuple[int, ...]:
        """Return the players that a token moves for."""
        return next((players for held, players in self.holders if held == digest), ())

    def may_see(self, digest: str | None) -> bool:
        """Return whether the holder of a token, or anybody, may see this table."""
        open_ = self.watch or self.public or self.alone
        return open_ or bool(self.players_of(digest))

    def offered(self, kind: str) -> int | None:
        """Return the player with an open offer of a kind, if any."""
        return next((player for offer, player in self.offers if offer == kind), None)

    def is_due(self, now: float) -> bool:
        """Return whether the server must act now."""
        return self.running and self.due is not None and self.due <= now

    def after(
        self, kind: NewsKind, player: int | None, text: str, move: int | None = None, **changes: Any
    ) -> LiveTable:
        """Return the table after a change, with a sentence about it."""
        change = self.change + 1
        news = News(change, changes.get("ply", self.ply), text, kind, player, move)
        return replace(self, change=change, news=(*self.news[1 - MOST_NEWS :], news), **changes)

    def with_news(self, kind: NewsKind, text: str) -> LiveTable:
        """Return the table with another sentence about its last change."""
        news = News(self.change, self.ply, text, kind)
        return replace(self, news=(*self.news[1 - MOST_NEWS :], news))

    def data(self) -> str:
        """Serialise what the journal of the match does not hold."""
        return msgspec.json.encode(Stored(*_kept(self), games=self.match.number)).decode()


def seated_asker(owner: str, holders: Holders) -> str:
    """Return for whom the solver processes work at a table: whoever created it."""
    return asker_of(owner, holders[0][0] if holders else "")


def deadline(match: Match[Any], now: float) -> float | None:
    """Return when the server must act on the turn that begins now, if ever."""
    if match.round.end is not None:
        return None
    if match.bots[match.mover] is not None:
        return now + BOT_SECONDS
    return None if match.clock is None else now + match.clock


def last_plies(match: Match[Any]) -> range:
    """Return the last plies of the current game, counted from 0."""
    return range(max(0, match.ply - LAST_MOVES), match.ply)


def played_move(match: Match[Any], ply: int, label: Label) -> Played:
    """Describe a move of the current game."""
    played = match.round
    player = played.player(played.states[ply].player)
    said = f"{PLAYERS[player]}{label.told}"
    return Played(ply + 1, player, str(played.moves[ply]), label.text, label.button, said)


@lru_cache(maxsize=4096)  # every table tells the last moves again
def addressed(text: str, called: tuple[str, str]) -> str:
    """Name the players in a sentence; 'you' have a verb of your own.

    >>> addressed("{0} wants a rematch.", ("Ada", "You")), addressed("{1} is here.", ("Ada", "You"))
    ('Ada wants a rematch.', 'You are here.')
    >>> addressed("Time is up for {1}.", ("Ada", "You")), addressed("{1}: −1 → 3.", ("Ada", "Bob"))
    ('Time is up for you.', 'Bob: −1 → 3.')
    """

    def name(match: re.Match[str]) -> str:
        name, verb = called[int(match[1])], match[2] or ""
        named = does(name, verb[1:]) if verb else name
        return lower_first(named) if name in ("You", OPPONENT) and match.start() else named

    return NAMED.sub(name, text)


def read_stored(id: str, data: str) -> Stored:  # noqa: A002
    """Read what `LiveTable.data` has written."""
    try:
        return msgspec.json.decode(data, type=Stored)
    except msgspec.DecodeError as error:
        raise Unreadable(f"Match {id} cannot be read: {error}.") from error


def restored(saved: Saved, stored: Stored, version: int, due: float | None) -> LiveTable:
    """Return a table as it was stored."""
    match, fields = saved.match, asdict(stored)
    if match.number < fields.pop("games"):
        match = match.next_game()  # it has begun, but has no move yet
    more: dict[str, Any] = {"ply": saved.events, "change": version, "due": due}
    return LiveTable(id=saved.id, match=match, **fields, **more)


def misleads(name: str) -> bool:
    """Return whether a name is what players call themselves or each other."""
    return name.casefold() in ("you", OPPONENT.casefold())


def default_names(mode: str, names: list[str], level: str | None) -> tuple[str, str]:
    """Return both names, with defaults for missing ones: on one screen, whose side is whose.

    >>> default_names("bot", [], "hard"), default_names("friend", ["Ada"], None)
    (('Player 1', 'Computer (hard)'), ('Ada', 'Player 2'))
    >>> default_names("here", ["", "Bob"], None), default_names("here", ["right player"], None)
    (('Left player', 'Bob'), ('right player', 'Left player'))
    """
    usual = SIDES if mode == "here" else NAMES
    bot = str(level).removeprefix(SERVED)
    second_usual = f"Computer ({bot})" if mode == "bot" else usual[1]
    first, second = (*names, "", "")[:2]
    # A default must not repeat the other player's name.
    first = first or next(name for name in usual if name.casefold() != second.casefold())
    free = (name for name in (second_usual, *usual) if name.casefold() != first.casefold())
    return first, second or next(free)
