"""Requests, each defined once: its parser, its refusals and its description come from here."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from zerosum.coach.puzzles import GRADES, Grade
from zerosum.match import LONGEST_CLOCK
from zerosum.players.levels import Level
from zerosum.text import either
from zerosum.web.limits import Limits
from zerosum.web.routes.reading import Reader, Switch, typed_move
from zerosum.web.tables.actions import Action
from zerosum.web.tables.table import Mode, Want
from zerosum.web.variants import LONGEST_TEXT, is_on

# Enough for an evening; for more there is the rematch.
LONGEST_SERIES = 99
MOST_PLIES = 10**9
MOST_GAMES = 10**6
Offer = Literal["undo", "draw", "next", "rematch"]


def must(text: str, **limits: Any) -> Meta:
    """Limit a field, with the sentence for a value that does not fit."""
    return Meta(extra={"must": text}, **limits)


def _whole(name: str, least: int, most: int) -> Meta:
    """Limit a whole number."""
    text = f"{name} must be a whole number from {least} to {most}"
    return must(text, ge=least, le=most)


def _text(name: str, **more: Any) -> Meta:
    """Limit a text."""
    text = f"{name} must be text of 1 to {LONGEST_TEXT} characters"
    return must(text, min_length=1, max_length=LONGEST_TEXT, **more)


Key = Annotated[
    str,
    must(
        "a key must be 22 to 64 random letters and digits, new for each request",
        pattern="^[A-Za-z0-9_-]{22,64}$(?!\n)",
        description="New for every request, with at least 128 random bits",
    ),
]
Clock = Annotated[
    float,
    must(f"a clock must be 1 to {LONGEST_CLOCK:g} seconds per turn", ge=1, le=LONGEST_CLOCK),
]
Ply = Annotated[int, _whole("ply", 0, MOST_PLIES)]
GameNumber = Annotated[int, _whole("game", 0, MOST_GAMES)]
Typed = Annotated[
    int | str,
    must(
        "a move must be text or a whole number",
        description="What a player types: a number, or a short text such as b2",
        examples=["1", "b2"],
    ),
]
# JSON of any depth would pass the parser, but fail in everything that walks it.
Given = str | int | float | bool | list[str | int | float]
Options = Annotated[
    dict[str, Given],
    must(
        "options must be an object of numbers, texts, flags and lists of numbers",
        description="Options of the game",
        examples=[{"start": "15"}],
    ),
]
_Leaf = int | str | None
State = Annotated[
    list[_Leaf | list[_Leaf | list[_Leaf | list[_Leaf | list[_Leaf]]]]],
    must(
        "a state must be a JSON array of whole numbers and texts",
        description="A position",
        examples=[[7, 0]],
    ),
]


class NewMatch(Struct, forbid_unknown_fields=True, frozen=True):
    """A new match; the options are still as typed."""

    key: Key
    game: Annotated[str, _text("game", examples=["even-steven"])]
    options: Options = {}
    mode: Mode = "bot"
    level: Level = "medium"
    names: Annotated[list[str], must("names must be a list of one or two names", max_length=2)] = []
    first: Literal["1", "2", "random"] = "1"
    games: Annotated[int, _whole("games", 1, LONGEST_SERIES)] = 1
    clock: Clock | None = None
    coach: Want = "off"
    watch: Annotated[
        Switch | UnsetType,
        must("this must be on or off", description="Whether anyone with the link can watch"),
    ] = UNSET

    @property
    def watched(self) -> bool:
        """Whether anyone with the link can watch: by default, if a friend is invited by it."""
        return self.mode == "friend" if self.watch is UNSET else is_on(self.watch)


class Join(Struct, forbid_unknown_fields=True, frozen=True):
    """Take the open seat."""

    key: Key
    name: Annotated[str, _text("name")] | None = None


class Fork(Struct, forbid_unknown_fields=True, frozen=True):
    """Play on from a position of a finished game, against a bot."""

    key: Key
    game: GameNumber = 0
    ply: Ply = 0
    level: Level = "perfect"


class Act(Struct, tag_field="action", forbid_unknown_fields=True, kw_only=True):
    """A player's action, and the ply it answers."""

    key: Key
    ply: Ply

    def action(self, limits: Limits) -> Action:
        """Return the action that is meant; a move is as it was typed."""
        kind, *fields = (self.__struct_config__.tag, "move", "offer", "want")
        move, offer, want = (getattr(self, field, None) for field in fields)
        typed = None if move is None else typed_move(move, limits)
        return Action(str(kind), typed, offer=offer, want=want)


def _act(tag: str, about: str, **fields: Any) -> type[Act]:
    """Define an action by the fields that it has besides."""
    name, described = tag.capitalize(), {"__doc__": about}
    made = defstruct(name, list(fields.items()), bases=(Act,), namespace=described, tag=tag)
    return cast(type[Act], made)


ACTS = (
    _act("move", "Make a move.", move=Typed),
    _act("undo", "Take one's last move back, or ask for it."),
    _act("draw", "Offer a draw."),
    _act("resign", "Resign the game."),
    _act("accept", "Accept an offer.", offer=Offer),
    _act("decline", "Decline an offer, or withdraw one's own.", offer=Offer),
    _act("coach", "Turn the coach on or off.", want=Want),
    _act("next", "Start the next game of the match."),
    _act("rematch", "Offer a rematch."),
)


class Attempt(Struct, forbid_unknown_fields=True, frozen=True):
    """Answer a puzzle with a move, or give up."""

    id: Annotated[str, _text("id")]
    move: Typed | UnsetType = UNSET
    give_up: Annotated[bool, must("give_up must be true or false")] = False


class Follow(Struct, forbid_unknown_fields=True, frozen=True):
    """Follow several matches through one connection, by the tickets in their documents."""

    tickets: Annotated[
        list[Annotated[str, Meta(max_length=400)]],
        must("tickets must be a list of 1 to 50 tickets", min_length=1, max_length=50),
    ]


class Moment(Struct):
    """When the coach is asked."""

    ply: Annotated[Ply | UnsetType, Meta(description="The ply the question is about")] = UNSET


class Played(Struct):
    """A game of a match."""

    game: Annotated[GameNumber | UnsetType, Meta(description="Which game of a match, from 0")] = (
        UNSET
    )


class Variant(Struct):
    """A variant of a game."""

    options: Options = {}


class Place(Variant):
    """A position of a variant: by default, its start."""

    state: State | UnsetType = UNSET


class Pick(Struct):
    """The puzzles to pick from."""

    game: Annotated[str, Meta(description="The game; empty for any")] = ""
    grade: Annotated[
        Grade | Literal[""],
        must(f"grade must be {either(GRADES)}", description="Difficulty; empty for any"),
    ] = ""
    seen: Annotated[str, Meta(description="Puzzles to leave out, separated by commas")] = ""


NEW_MATCH = Reader(NewMatch)
JOIN = Reader(Join)
FORK = Reader(Fork)
ACT = Reader(*ACTS)
ATTEMPT = Reader(Attempt)
FOLLOW = Reader(Follow)
MOMENT = Reader(Moment)
PLAYED = Reader(Played)
VARIANT = Reader(Variant)
PLACE = Reader(Place)
PICK = Reader(Pick)
