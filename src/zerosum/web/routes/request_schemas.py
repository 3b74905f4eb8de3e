"""Requests, each defined once: its parser, its refusals and its description come from here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Raw, Struct, defstruct
from msgspec.structs import FieldInfo
from starlette.requests import Request

from zerosum.coach.puzzles import GRADES, Grade
from zerosum.match import LONGEST_CLOCK
from zerosum.players.engines import SERVED, SERVED_NAME
from zerosum.players.levels import LEVELS
from zerosum.text import brief, either
from zerosum.web.answers import JSON, Mode, Want
from zerosum.web.http.origins import header
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused, invalid, sentence
from zerosum.web.site import LONGEST_TEXT, OPTION
from zerosum.web.tables.actions import ACTIONS, Action, DeclaredAction, Typed

FORM = "application/x-www-form-urlencoded"
# Matches, and below it everything about each of them.
MATCHES = "/api/v1/matches"
# In an address, these hold JSON.
JSON_PARAMETERS = frozenset({"options", "state"})
# Enough for an evening; for more there is the rematch.
LONGEST_SERIES = 99
MOST_PLIES = 10**9
MOST_GAMES = 10**6
# Longer than any defence in a puzzle.
MOST_ANSWERS = 200
# More than any server offers.
MOST_OPEN = 100
T = TypeVar("T")
S = TypeVar("S", bound=Struct)


def _whole(least: int, most: int) -> Meta:
    """Limit a whole number."""
    return Meta(ge=least, le=most, description=f"a whole number from {least:,} to {most:,}")


# A field must be what its description says: a refusal quotes it.
Text = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_TEXT,
        description=f"text of 1 to {LONGEST_TEXT} characters",
    ),
]
Key = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{22,64}$(?!\n)",
        description="22 to 64 random letters and digits, new for each request",
    ),
]
Clock = Annotated[
    float,
    Meta(
        ge=1,
        le=LONGEST_CLOCK,
        description=f"a number of seconds per turn from 1 to {LONGEST_CLOCK:,.0f}",
    ),
]
Ply = Annotated[int, _whole(0, MOST_PLIES)]
GameNumber = Annotated[int, _whole(0, MOST_GAMES)]
# JSON of any depth would pass the parser, but fail in everything that walks it.
Given = str | int | float | bool | list[str | int | float]
Options = Annotated[
    dict[str, Given],
    Meta(
        description="an object of numbers, strings, flags and lists of numbers",
        examples=[{"start": "15"}],
    ),
]
_Leaf = int | str | None
State = Annotated[
    list[_Leaf | list[_Leaf | list[_Leaf | list[_Leaf | list[_Leaf]]]]],
    Meta(description="a JSON array of whole numbers and strings", examples=[[7, 0]]),
]


OPPONENTS = (*LEVELS, f"{SERVED}{SERVED_NAME.pattern}")
ChosenOpponent = Annotated[
    str,
    Meta(
        pattern=rf"^({'|'.join(OPPONENTS)})$(?!\n)",
        description=f"{', '.join(LEVELS)}, or {SERVED}NAME for a program of this server",
    ),
]


class Requested(Struct, forbid_unknown_fields=True, frozen=True):
    """A request, or the query of an address."""


class Keyed(Requested, frozen=True):
    """A request that has one effect, however often it is sent."""

    key: Key


class NewMatch(Keyed, frozen=True):
    """A new match; the options are still as typed."""

    game: Annotated[Text, Meta(examples=["even-steven"])]
    options: Options = {}
    mode: Mode = "bot"
    level: ChosenOpponent = "medium"
    names: Annotated[list[str], Meta(max_length=2, description="a list of one or two names")] = []
    first: Annotated[
        Literal["1", "2", "random", "auto"],
        Meta(description="1, 2, random, or auto (the bot moves first if moving first loses)"),
    ] = "1"
    games: Annotated[int, _whole(1, LONGEST_SERIES)] = 1
    clock: Clock | None = None
    coach: Want = "off"
    watch: Annotated[
        bool | None, Meta(description="true or false (whether anyone with the link can watch)")
    ] = None
    to: Annotated[Text | None, Meta(description="the name of a bot to challenge")] = None

    @property
    def watched(self) -> bool:
        """Whether anyone with the link can watch: by default, if a friend is invited by it."""
        return self.mode == "friend" if self.watch is None else self.watch


class Join(Keyed, frozen=True):
    """Take the open seat."""

    name: Text | None = None


class Decline(Keyed, frozen=True):
    """Decline an invitation, or withdraw one's own."""


class NewPerson(Keyed, frozen=True):
    """A person with a name, or a bot."""

    name: Text
    bot: Annotated[bool, Meta(description="true or false (whether a program plays)")] = True


class Open(Keyed, frozen=True):
    """The games in which a bot is open to challenges."""

    games: Annotated[
        list[Text], Meta(max_length=MOST_OPEN, description=f"a list of at most {MOST_OPEN} games")
    ]


class MatchesQuery(Requested, frozen=True):
    """The matches before one of them: by default, the newest."""

    before: Annotated[str, Meta(max_length=LONGEST_TEXT, description="the id of a match")] = ""


class Fork(Keyed, frozen=True):
    """Play on from a position of a finished game, against a bot."""

    game: GameNumber = 0
    ply: Ply = 0
    level: ChosenOpponent = "perfect"


class Act(Keyed, frozen=True, tag_field="action", kw_only=True):
    """A player's action, and the ply it answers."""

    ply: Ply

    def action(self, limits: ServerLimits) -> Action:
        """Return the action that is meant; a move is as it was typed."""
        move, offer, want = (getattr(self, field, None) for field in ("move", "offer", "want"))
        typed = None if move is None else typed_move(move, limits)
        return Action(str(self.__struct_config__.tag), typed, offer, want)


def _act(tag: str, declared: DeclaredAction) -> type[Act]:
    """Define the request of an action."""
    name, about = tag.capitalize(), {"__doc__": declared.about}
    fields = list(declared.fields.items())
    made = defstruct(name, fields, bases=(Act,), namespace=about, tag=tag, frozen=True)
    return cast(type[Act], made)


ACTS = tuple(_act(tag, declared) for tag, declared in ACTIONS.items())


class Attempt(Requested, frozen=True):
    """Answer a puzzle with a move, after the right ones so far, or give up."""

    id: Text
    played: Annotated[
        list[Typed],
        Meta(max_length=MOST_ANSWERS, description=f"a list of at most {MOST_ANSWERS} moves"),
    ] = []
    move: Typed | None = None
    give_up: Annotated[bool, Meta(description="true or false")] = False


class Follow(Requested, frozen=True):
    """Follow several matches through one connection."""

    matches: Annotated[
        list[Annotated[str, Meta(max_length=LONGEST_TEXT)]],
        Meta(min_length=1, max_length=50, description="a list of the ids of 1 to 50 matches"),
    ]


class AdviceQuery(Requested, frozen=True):
    """The ply that a question to the coach is about: by default, the current one."""

    ply: Ply | None = None


class ReviewQuery(Requested, frozen=True):
    """A game of a match, counted from 0: by default, the last that can be reviewed."""

    game: GameNumber | None = None


class VariantQuery(Requested, frozen=True):
    """A variant of a game."""

    options: Options = {}


class PositionQuery(VariantQuery, frozen=True):
    """A position of a variant: by default, its start."""

    state: State | None = None


class PuzzleQuery(Requested, frozen=True):
    """The puzzles to pick from; or the id of one, or the one of the day (UTC) and the grade."""

    id: Annotated[str, Meta(max_length=LONGEST_TEXT, description="the id of a puzzle")] = ""
    daily: Annotated[bool, Meta(description="true or false")] = False
    game: Annotated[str, Meta(description="the name of a game; empty for any")] = ""
    grade: Annotated[
        Grade | Literal[""],
        Meta(description=f"{either(GRADES)}; empty for any, or for the easy one of the day"),
    ] = ""
    seen: Annotated[str, Meta(description="puzzles to leave out, separated by commas")] = ""


async def read(request: Request, *kinds: type[S]) -> S:
    """Read the body of a request, of one of these kinds: JSON, or a form with the same fields."""
    kind = media_type(request)
    if kind == FORM:
        form = await form_of(request)
        found = {name: form[name] for name in form if not name.startswith(OPTION)}
        if options := options_in(form):
            found["options"] = options
        return parse(msgspec.json.encode(found), *kinds, strict=False)
    if kind != JSON:
        raise Refused("media_type", f"The body must be {JSON} or an HTML form.")
    return parse(await request.body(), *kinds)


def read_query(request: Request, kind: type[S]) -> S:
    """Read the query of an address."""
    given = request.query_params.multi_items()
    found = {
        name: _decoded(text.encode(), Raw) if name in JSON_PARAMETERS else text
        for name, text in given
    }
    if len(found) < len(given):
        raise Refused("malformed", "A parameter appears more than once.")
    return parse(msgspec.json.encode(found), kind, strict=False)


def parse(raw: bytes, *kinds: type[S], strict: bool = True) -> S:
    """Read JSON; only if that fails, find the field that does not fit."""
    try:
        found: S = _decoder(kinds, strict).decode(raw)
    except (ValueError, RecursionError) as error:
        raise _refusal(raw, kinds, strict) from error
    return found


@cache
def _decoder(kinds: tuple[type[Struct], ...], strict: bool) -> msgspec.json.Decoder[Any]:
    """Make the decoder of some kinds of request; in a form, numbers and flags are text."""
    return msgspec.json.Decoder(Union[kinds], strict=strict)  # noqa: UP007


def _refusal(raw: bytes, kinds: tuple[type[Struct], ...], strict: bool) -> Refused:
    """Return the refusal of a body, with the first field that does not fit."""
    found = _decoded(raw, dict[str, Raw])
    kind, tag_field = kinds[0], kinds[0].__struct_config__.tag_field
    if tag_field is not None:
        by_tag = {kind.__struct_config__.tag: kind for kind in kinds}
        tag = found.pop(tag_field, Raw())
        if not _fits(tag, Literal[tuple(by_tag)], strict):
            return invalid(tag_field, f"{tag_field} must be {either(list(map(str, by_tag)))}")
        kind = by_tag[msgspec.json.decode(tag)]
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name in found:
        if name not in fields:
            known = ", ".join([*filter(None, [tag_field]), *fields])
            there = f"the fields are {known}" if known else "no fields are read"
            text = f"There is no field '{brief(name)}'; {there}."
            return Refused("invalid", text, field=brief(name))
    for name, field in fields.items():
        if not _fits(found[name], field.type, strict) if name in found else field.required:
            return invalid(name, _must(field))
    return Refused("malformed", "A field appears more than once.")


def problems(form: Mapping[str, Any], kind: type[Struct]) -> dict[str, str]:
    """Return what every field of a form must be that does not fit."""
    return {
        field.name: sentence(_must(field))
        for field in msgspec.structs.fields(kind)
        if field.name in form
        and not _fits(Raw(msgspec.json.encode(form[field.name])), field.type, False)
    }


def _fits(raw: Raw, kind: Any, strict: bool) -> bool:
    """Return whether the value of a field fits its type."""
    try:
        msgspec.json.decode(raw, type=kind, strict=strict)
    except (ValueError, RecursionError):
        return False
    return True


def _must(field: FieldInfo) -> str:
    """Return what a field must be, by its description; a choice names its words."""
    told = next(_descriptions(field.type), "") or either(list(get_args(field.type)))
    name = field.name if field.name.isalpha() else f"`{field.name}`"
    return f"{name} must be {told}"


def _descriptions(kind: Any) -> Iterator[str]:
    """Yield the descriptions in a type."""
    yield from (meta.description for meta in getattr(kind, "__metadata__", ()) if meta.description)
    for part in get_args(kind):
        yield from _descriptions(part)


def _decoded(raw: bytes, kind: type[T]) -> T:
    """Read untrusted JSON: an object, or any value."""
    try:
        return msgspec.json.decode(raw.decode(), type=kind)
    except msgspec.ValidationError as error:
        raise Refused("malformed", "The body must be a JSON object.") from error
    except msgspec.DecodeError as error:
        raise Refused("malformed", sentence(str(error))) from error
    except UnicodeDecodeError as error:
        raise Refused("malformed", "The body is not valid UTF-8.") from error
    except RecursionError as error:
        raise Refused("malformed", "The JSON is nested too deeply.") from error


def media_type(request: Request) -> str:
    """Return the type of a body."""
    kind = header(request.scope, b"content-type").decode("latin-1")
    return kind.partition(";")[0].strip().lower()


def is_form(request: Request) -> bool:
    """Return whether a request comes from an HTML form."""
    return media_type(request) == FORM


async def form_of(request: Request) -> dict[str, Any]:
    """Read an HTML form, by field."""
    try:
        text = (await request.body()).decode()
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise Refused("malformed", "The form cannot be read.") from error
    return _fields(pairs)


def fields_in(request: Request) -> dict[str, Any]:
    """Return the fields of a form that an address fills in."""
    return _fields(request.query_params.multi_items())


def _fields(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the fields of a form: `names` is a list, empty fields are skipped."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name == "names":
            found.setdefault(name, []).append(value.strip())
        elif value.strip():
            found[name] = value.strip()
    return found


def options_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options among the fields of a form.

    >>> options_in({"game": "even-steven", "option.start": "9"})
    {'start': '9'}
    """
    return {name.removeprefix(OPTION): fields[name] for name in fields if name.startswith(OPTION)}


def typed_move(move: int | str, limits: ServerLimits) -> str:
    """Return a move as typed; the game's rules interpret it later."""
    text = str(move).strip()
    if len(text.removeprefix("-")) > limits.number_digits:
        most = f"A move can have at most {limits.number_digits} characters."
        raise Refused("unreadable_move", most, field="move")
    return text
