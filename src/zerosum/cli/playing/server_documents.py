"""The documents of the API, as far as a terminal shows them; a server may send more."""

from __future__ import annotations

from msgspec import Struct


class Option(Struct):
    """An option of a game."""

    name: str
    help: str
    kind: str
    default: str


class Game(Struct):
    """A game of the server."""

    name: str
    options: list[Option]


class Games(Struct):
    """The games of the server."""

    games: list[Game]


class Variant(Struct):
    """What is played."""

    name: str
    title: str
    variant: str


class Field(Struct):
    """A number of a position."""

    title: str
    value: str


class Cell(Struct):
    """A cell of a board, with the moves that it stands for."""

    text: str
    moves: list[str]


class Board(Struct):
    """A board."""

    rows: list[list[Cell]]


class Player(Struct):
    """A player, with the numbers that are theirs."""

    name: str
    bot: str | None
    score: float
    fields: list[Field]


class Turn(Struct):
    """Whose turn it is."""

    player: int
    yours: bool
    prompt: str


class Choice(Struct):
    """A move, and what it does or why it is not legal."""

    move: str
    label: str | None
    legal: bool
    why: str | None


class News(Struct):
    """Something that happened."""

    change: int
    text: str


class Clock(Struct):
    """The time for a turn."""

    seconds: float
    left: float | None


class Series(Struct):
    """The games of a match."""

    games: int
    game: int


class Captions(Struct):
    """What is said to us: who won, and how."""

    title: str
    reason: str


class Offer(Struct):
    """What a player offers."""

    kind: str
    player: int


class Coaching(Struct):
    """Whether the coach may speak, and whether it should without being asked."""

    open: bool
    yours: str


class Table(Struct):
    """A match as the server shows it to us."""

    id: str
    change: int
    ply: int
    game: Variant
    mode: str
    you: list[int]
    waiting: bool
    players: list[Player]
    goal: str
    fields: list[Field]
    board: Board | None
    turn: Turn | None
    moves: list[Choice]
    more: int
    news: list[News]
    clock: Clock | None
    series: Series
    over: bool
    offers: list[Offer]
    can: list[str]
    coach: Coaching
    captions: Captions
    link: str
    next: str | None


class Judged(Struct):
    """A move, and what the coach says of it."""

    move: str
    word: str


class Advice(Struct):
    """What the coach says; or only the reason why it cannot."""

    standing: str = ""
    why: list[str] = []
    hint: str = ""
    moves: list[Judged] = []
    reason: str = ""


class Book(Struct):
    """The rule book of a game, as Markdown."""

    text: str


class Refusal(Struct):
    """Why a request was refused."""

    code: str
    message: str
    field: str = ""
    legal: list[str] = []
    state: Table | None = None


class Refused(Struct):
    """The answer to a request that was refused."""

    error: Refusal
