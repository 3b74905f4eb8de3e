"""What the server answers, as structures; the description of the API is made from them."""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.structs import fields

from zerosum.coach.lesson import StepKind
from zerosum.coach.puzzles import Grade
from zerosum.coach.verdicts import Verdict
from zerosum.match import Ending
from zerosum.options import OptionKind
from zerosum.players.levels import LEVELS
from zerosum.players.scale import Strength
from zerosum.protocol import Result
from zerosum.web.refusals import STATUS

if TYPE_CHECKING:
    from starlette.responses import Response

T = TypeVar("T")
JSON = "application/json"
Mode = Literal["friend", "bot", "here"]
Want = Literal["off", "ask", "on"]
OfferKind = Literal["undo", "draw", "next", "rematch"]
Done = Literal["move", OfferKind, "resign", "decline", "coach", "publish"]
NewsKind = Literal["begin", "join", Done, "time", "offer", "stuck", "repetition"]
Player = Annotated[int, Meta(ge=0, le=1, extra_json_schema={"enum": [0, 1]})]
Points = Annotated[float, Meta(ge=0, multiple_of=0.5)]
Bot = Annotated[str, Meta(extra_json_schema={"enum": list(LEVELS)})]
Opponent = Annotated[str, Meta(description="a level, or engine:NAME for a program of the server")]
Code = Annotated[str, Meta(extra_json_schema={"enum": list(STATUS)})]
EndCode = Annotated[str, Meta(extra_json_schema={"enum": ["over", *STATUS]})]


def answer(document: object, status: int = 200) -> Response:
    """Answer with a document."""
    from starlette.responses import Response  # which whoever reads answers may not have

    return Response(msgspec.json.encode(document), status, media_type=JSON)


def read(kind: type[T], content: bytes) -> T:
    """Read a document of a server that may be later than we are."""
    known: Any = kind
    found: T = msgspec.json.decode(content, type=_lenient(known))
    return found


@cache
def _lenient(kind: Any) -> Any:
    """Return a kind of document that may have more keys, and other words, than we know of."""
    parts = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        made = [
            (field.name, _lenient(field.type), *([] if field.required else [field.default]))
            for field in fields(kind)
        ]
        return defstruct(kind.__name__, made, kw_only=True)
    if get_origin(kind) is Literal:
        return type(parts[0])
    if get_origin(kind) is Annotated:
        return Annotated[(_lenient(parts[0]), *kind.__metadata__)]
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(map(_lenient, parts))]  # noqa: UP007
    return get_origin(kind)[tuple(map(_lenient, parts))] if parts else kind


class Part(Struct, forbid_unknown_fields=True, gc=False):
    """A document of the API, or a part of one; later versions may add keys."""


# A position.


class ShownField(Part):
    """One part of a position."""

    name: str
    title: str
    value: str
    kind: Literal["number", "lives"]


class Cell(Part):
    """A cell of a board, and the moves that it stands for.

    If there are none, a tap may still play one. `seat` is the one whose piece is on it, and what
    is `lit` stands out, such as a winning row.
    """

    text: str
    moves: list[str]
    tap: str | None = None
    seat: Player | None = None
    lit: bool = False


class Board(Part):
    """A board, with the signs of the seats.

    Every other row and column of a lattice is drawn as lines between its cells.
    """

    rows: list[list[Cell]]
    signs: list[str] = []
    lattice: bool = False


class LineMark(Part):
    """A number on a line, or a range of numbers, that means something."""

    text: str
    low: int | None
    high: int | None
    kind: Literal["goal", "cost"]


class Line(Part):
    """A number line, and whose it is."""

    name: str
    title: str
    player: Player | None
    value: int
    low: int
    high: int
    marks: list[LineMark]


class Drawn(Part, kw_only=True):
    """A position: as JSON, by the fields that nobody owns, as a board, and as number lines."""

    state: str
    fields: list[ShownField]
    board: Board | None
    lines: list[Line]
    picture: str  # the lines as SVG for a page; empty without


class Shown(Drawn, kw_only=True):
    """A position to study, also on one line, with the fields of each seat."""

    position: str
    player_fields: list[list[ShownField]]
    mover: Player


# The games and the server.


class GameOption(Part, kw_only=True):
    """An option of a game."""

    name: str
    title: str
    help: str
    kind: OptionKind
    default: str
    least: int | None
    most: int | None
    choices: list[str]


class OfferedGame(Part):
    """A game that is offered."""

    name: str
    title: str
    summary: str
    options: list[GameOption]


class Rulebook(Part):
    """The rule book of a game, as Markdown."""

    name: str
    title: str
    text: str


class Games(Part):
    """All games."""

    games: list[OfferedGame]
    programs: Annotated[
        list[str], Meta(description="opponents beside the levels, which the operator has named")
    ]


class Health(Part):
    """Whether everything works, and what does not."""

    status: Literal["ok", "failing"]
    problems: list[str] | UnsetType = UNSET


# A table.


class Variant(Part):
    """A variant of a game, and how it differs from the default."""

    name: str
    title: str
    options: dict[str, str]
    variant: str


class Seat(Part, kw_only=True):
    """A player at a table; `seat` is the one of the rules, which the first player may not have."""

    name: str
    bot: Opponent | None
    program: bool
    joined: bool
    seat: Player
    score: Points
    tally: int
    fields: list[ShownField]


class WhoseTurn(Part):
    """Whose turn it is."""

    player: Player
    yours: bool
    text: str
    prompt: str


class Effect(Part):
    """What a move changes in a field."""

    name: str
    player: Player | None
    value: str


class Choice(Part, kw_only=True):
    """A move, what it does, or why it is illegal."""

    move: str
    label: str | None
    button: str
    legal: bool
    why: str | None
    changes: list[Effect]


class Playable(Drawn, kw_only=True):
    """A position to play on, with its moves: all legal ones as they are typed, and those shown."""

    goal: str
    moves: list[Choice]
    legal: list[str]
    more: int
    digits: bool


class Scene(Playable, kw_only=True):
    """What a table shows of a state; `own` are the fields of each seat."""

    own: tuple[list[ShownField], list[ShownField]]
    prompt: str
    reason: str  # why the game is over, with {0} and {1} for the names of the players


class Played(Part):
    """A move that was played."""

    ply: int
    player: Player
    move: str
    text: str
    button: str
    said: str


class NewsItem(Part):
    """One event in words, with the change and ply it led to."""

    change: int
    ply: int
    text: str
    kind: NewsKind
    player: Player | None
    move: int | None


class TurnClock(Part):
    """The seconds for a turn, and how many are left."""

    seconds: float
    left: float | None


class Series(Part):
    """How many games the match has, the current one, and the score."""

    games: int
    game: int
    score: tuple[Points, Points]


class Ended(Part):
    """How the current game ended."""

    by: Ending | Literal["declined"]
    winner: Player | None
    reason: str


class Agreed(Part):
    """Who wants the coach, and whether it is on."""

    want: tuple[Want, Want]
    open: bool
    yours: Want


class Control(Part):
    """A button that acts, or a link."""

    action: str
    text: str
    open: bool = True
    href: str | None = None
    primary: bool = False
    offer: OfferKind | UnsetType = UNSET
    level: Bot | UnsetType = UNSET


class Offer(Part):
    """An open offer, and the buttons that answer it."""

    kind: OfferKind
    player: Player
    text: str
    answers: list[Control]


class Captions(Part):
    """What the page says to this visitor."""

    page: str
    names: tuple[str, str]
    match: str
    turn: str
    title: str
    reason: str
    share: str
    begins: str  # who begins the game after this one
    tags: list[list[str]]
    scores: list[str]
    tools: list[Control]
    onward: list[Control]


class TableView(Playable, kw_only=True):
    """What a visitor sees of a match: `you` are the players that they move for.

    `moves` are the choices as a page shows them, some illegal ones among them; `more` counts legal
    ones that are neither listed nor on the board. `played` and `legal` are moves as they are typed.
    For a bot, there is no picture.
    """

    format: Literal["zerosum-table"]
    version: Literal[1]
    id: str
    link: str
    change: int
    ply: int
    game: Variant
    mode: Mode
    watch: bool
    you: tuple[Player, ...]
    watching: bool
    waiting: bool
    players: tuple[Seat, Seat]
    turn: WhoseTurn | None
    played: tuple[str, ...]
    last: tuple[Played, ...]
    news: list[NewsItem]
    clock: TurnClock | None
    series: Series
    ended: Ended | None
    over: bool
    reviewable: list[int]
    offers: list[Offer]
    can: tuple[str, ...]
    coach: Agreed
    captions: Captions
    next: str | None


# People and bots.


class Matches(Part):
    """A page of a list of matches."""

    matches: list[TableView]
    before: str | None


class Enrolled(Part):
    """Somebody with a name on this server, and their token."""

    token: str
    name: str
    bot: bool


class OpenTo(Part):
    """A bot, and the games in which it is open to challenges."""

    name: str
    games: list[str]


class Bots(Part):
    """The bots that are open to challenges."""

    bots: list[OpenTo]


# How a person plays.


class Placed(Part):
    """A place on the scale from random to perfect, in words and as a picture; both may be empty."""

    strength: Strength
    text: str
    about: str
    place: str
    svg: str


class Suggestion(Part):
    """What to do next, and where."""

    text: str
    href: str


class OwnGame(Placed, kw_only=True):
    """How a person plays a game; `unjudged` are those of their games that are not judged."""

    game: str
    title: str
    unjudged: int
    next: Suggestion | None


class OwnStrength(Part):
    """How a person plays, in all games together and in each; `course` is over time.

    Each of its strengths is about the last decisions up to then. `pending` games have not been
    judged yet, because the answer would take too long: ask again.
    """

    together: Placed
    games: list[OwnGame]
    course: list[Strength]
    course_text: str
    course_svg: str
    pending: int = 0


# The events of a stream, by name.


class Opened(Part):
    """The stream is open; `beat` is the seconds from one heartbeat to the next."""

    beat: float


class Here(Part):
    """Which players of a match are connected; null if that is unknown."""

    id: str
    here: tuple[bool, bool] | None


class StreamEnd(Part):
    """Nothing more will come for a match."""

    id: str
    code: EndCode


class Beat(Part):
    """A heartbeat."""


EVENTS = {"open": Opened, "table": TableView, "here": Here, "end": StreamEnd, "beat": Beat}
MY_EVENTS = {**EVENTS, "challenge": TableView, "declined": TableView}


# Refusals.


class Refusal(Part, kw_only=True):
    """Why a request was refused."""

    code: Code
    message: str
    field: str | UnsetType = UNSET
    legal: list[str] | UnsetType = UNSET
    ply: int | UnsetType = UNSET
    retry: int | UnsetType = UNSET
    allow: str | UnsetType = UNSET  # the methods of an address
    state: TableView | UnsetType = UNSET


class Error(Part):
    """A refusal."""

    error: Refusal


# Analysis. A value that is None is unknown; `reason` says why not everything is exact.


class ShownValue(Part):
    """A value for the player to move."""

    result: Result
    plies: int | None
    endless: bool | None
    glyph: str
    text: str


class MoveWorth(Part, kw_only=True):
    """What a move is worth to the player making it."""

    move: str
    word: str
    value: ShownValue | None
    verdict: Verdict | None


class MoveAdvice(MoveWorth, kw_only=True):
    """A move as the coach sees it, and the chance to win with it against a slip."""

    chance: str | None


class Advice(Part, kw_only=True):
    """What the coach says about a position; if nothing is known, only why not."""

    ply: int = 0
    exact: bool = False
    reason: str
    standing: str = ""
    why: list[str] = []
    value: ShownValue | None = None
    title: str  # the advice in one sentence
    because: str = ""  # the reason for it, or what is expected, in one more
    expected: float | None = None  # the score that hard expects, if no best move is known
    counts: str = ""  # how moves are counted, if there are several; to be said once
    compared: str = ""  # how equally good moves differ, if that is known
    line: list[AnswerStep] = []  # how it can go on, from the move that is advised
    moves: list[MoveAdvice] = []
    more: int = 0


class Reviewed(Shown, kw_only=True):
    """A position of a game under review, and the move played there."""

    ply: int
    over: bool
    move: str | None
    label: str | None
    value: ShownValue | None = None
    move_value: ShownValue | None = None
    best_value: ShownValue | None = None
    verdict: Verdict | None = None
    word: str = ""
    glyph: str = ""
    best: list[str] = []
    buttons: dict[str, str] = {}  # what the move played and the best ones do, in a few characters
    reason: str = ""


class Moment(Part):
    """A key moment of a game, or of all games of a match."""

    game: int
    ply: int
    text: str


class SeriesGame(Part):
    """How a game of a match ended."""

    game: int
    text: str


class SeriesReview(Part):
    """All games of a match together."""

    accuracy: list[str]
    moments: list[Moment]
    games: list[SeriesGame]


class GameReview(Part, kw_only=True):
    """The review of a game; without known values, it has its moves but no chart."""

    exact: bool = False
    exact_from: int | None = None
    reason: str = ""
    game: int
    names: list[str]
    svg: str = ""  # the chart, with whoever is called 'You' on top
    opening: str = ""  # who wins from the start with best play
    turned: str = ""  # what was done at the turning point, after the name of who did it
    text: list[str] = []
    turning_point: int | None = None
    no_turn: str = ""
    plies: list[Reviewed]
    decisions: list[list[int]] = []
    accuracy: list[str] = []
    moments: list[Moment] = []
    series: SeriesReview | None = None


class MoveTexts(Part):
    """A legal move as it is typed, in words, and in a few characters."""

    move: str
    label: str
    button: str


class Reached(MoveWorth, kw_only=True):
    """A move, what it is worth, and where it leads."""

    label: str
    button: str
    to: str


class Position(Shown, kw_only=True):
    """What a position is worth, and where its moves lead."""

    exact: bool
    reason: str
    standing: str
    why: list[str]
    value: ShownValue | None
    over: str | None
    moves: list[Reached]
    more: int
    refused: list[str]


class VariantTheory(Part, kw_only=True):
    """The theory of a variant, or the law found in its table."""

    exact: bool
    reason: str | UnsetType = UNSET
    theory: str = ""
    law: str = ""
    text: list[str] = []
    value: ShownValue | None = None


class DrawnPosition(Part):
    """A position as a picture in SVG or a board, and what that does not show, as sentences."""

    state: str
    fields: list[str]
    board: Board | None
    picture: str


class TriedMove(MoveTexts):
    """A move that may be the answer, and what is said about it."""

    right: bool
    said: str


class ShownStep(Part, kw_only=True):
    """A statement, perhaps about a position of its own, and another position to find a move in."""

    kind: StepKind
    title: str
    text: str
    about: DrawnPosition | None
    task: str
    position: DrawnPosition
    moves: list[TriedMove]


class GameLesson(Part):
    """The lesson of a game: no steps if it has none."""

    game: str
    title: str
    steps: list[ShownStep]


class PosedPuzzle(Shown, kw_only=True):
    """A puzzle, without its answer."""

    id: str
    date: str | None = None
    game: str
    title: str
    options: dict[str, str]
    variant: str
    goal: str
    grade: Grade
    missed: dict[Bot, float]
    task: str
    digits: bool
    moves: list[MoveTexts]
    count: int | None = None
    left: int | None = None


class Exhausted(Part):
    """There is no other puzzle, and why."""

    none: str


class Asked(Shown, kw_only=True):
    """A position with its moves."""

    moves: list[MoveTexts]


class AnswerStep(Part):
    """A move of a line of play, or of the answer to a puzzle, and what it leads to."""

    move: str
    player: Player
    text: str
    over: bool
    shown: Asked


class PuzzleAnswer(Part, kw_only=True):
    """Whether a move solves a puzzle, and why."""

    right: bool = False
    solved: bool = False
    answer: str | None = None
    value: ShownValue
    text: str
    why: list[str] = []
    steps: list[AnswerStep] = []
