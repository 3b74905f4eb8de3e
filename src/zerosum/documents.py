"""Every JSON document as a typed structure; its schema, its reader and its page come from there.

A document is a structure whose docstring says what it is, and whose parts are structures too, such
as MatchDocument below. What is computed may be such a structure from the beginning; then nothing
has to be copied into the document. A field that may be missing has the type `T | UnsetType` and the
default `UNSET`; one that is unknown is None. `to_json` writes a document, `read` reads one,
`schema` describes one, and `documents` finds them all.

Loading msgspec takes a moment, so nothing on the way to a prompt may import this module.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from math import isinf
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from zerosum.errors import DocumentError, UnreadableMove
from zerosum.match import Ending
from zerosum.options import option_values
from zerosum.protocol import Game, Move, Result, Value
from zerosum.registry import entry_of
from zerosum.text import OBEYED, brief, lower_first, read_whole


def described(text: str) -> Meta:
    """Describe a field: `Annotated[int, described("moves from the start")]`."""
    return Meta(description=text)


class Document(Struct, frozen=True, kw_only=True, tag_field="format"):
    """A JSON document: `tag` is its format, and its first field is its version."""


D = TypeVar("D", bound=Document)


class StatedValue(Struct, frozen=True):
    """The value of a position, for the player to move."""

    result: Result
    plies: Annotated[int | None, described("moves to the end; null for a draw or if unknown")]
    endless: Annotated[
        bool | None, described("a draw in which nobody can force an end; null if unknown")
    ]


def about(game: Game[Any]) -> dict[str, Any]:
    """Return what every document about a variant says about it."""
    return {"game": entry_of(game).name, "options": option_values(game)}


def value_of(value: Value | None, exact: bool = True) -> StatedValue | None:
    """Describe a value, None if it is unknown; a search does not find out what is endless."""
    if value is None:
        return None
    unsure = value.result == "draw" and not exact
    return StatedValue(value.result, value.plies, None if unsure else value.endless)


class RoundEnd(Struct, frozen=True):
    """How a game of a match ended."""

    by: Ending
    winner: Annotated[Literal[0, 1] | None, described("the player who won; null for a draw")]
    reason: str


class RecordedRound(Struct, frozen=True):
    """A game of a match."""

    first: Annotated[Literal[0, 1], described("the player who moved first")]
    moves: Annotated[list[Move], described("as they are typed; integers of any size")]
    end: Annotated[RoundEnd | None, described("null while the game goes on")]


class MatchDocument(Document, frozen=True, kw_only=True, tag="zerosum-match"):
    """One game or a series between two players; zerosum.record writes it, and replays it."""

    version: Literal[3] = 3
    id: Annotated[str | UnsetType, described("names the match in a database")] = UNSET
    started: Annotated[str | UnsetType, described("a time such as 2000-01-31T23:59:59Z")] = UNSET
    updated: str | UnsetType = UNSET
    game: Annotated[str, described("the game's name, such as even-steven")]
    options: Annotated[dict[str, Any], described("every option of the game, with its value")]
    players: Annotated[
        tuple[str, str], described("names; elsewhere a player is a place in this list, 0 or 1")
    ]
    games: Annotated[int, described("how many games the match has")]
    clock: Annotated[float | None, described("seconds for a turn")]
    bots: Annotated[
        tuple[str | None, str | None],
        described(
            "the level of a program, or what names one of your own: exec: and its command line, or "
            "./mine.py:choose, or engine: and its name at a server; null for a person"
        ),
    ]
    seed: Annotated[int | None, described("what the choices of programs are drawn from")]
    rounds: Annotated[list[RecordedRound], described("the games played so far")]
    score: Annotated[tuple[float, float], described("1 for a game won, 0.5 for a draw")]
    over: Annotated[bool, described("whether the whole match is over")]


# The modules with documents in them.
HOMES = (
    "zerosum.documents",
    "zerosum.solver.spread.folder",
    "zerosum.cli.commands.solve",
    "zerosum.cli.commands.explain",
    "zerosum.cli.commands.levels",
    "zerosum.cli.commands.starts",
    "zerosum.cli.commands.review",
    "zerosum.cli.commands.puzzle",
    "zerosum.cli.listings",
    "zerosum.cli.commands.stats",
    "zerosum.cli.commands.saved_matches",
    "zerosum.lab.audit.document",
    "zerosum.lab.measure.measurement",
    "zerosum.lab.arena.leaderboard",
)


def documents() -> dict[str, type[Document]]:
    """Return every kind of document, by the name after zerosum- in its format.

    >>> documents()["match"].__name__
    'MatchDocument'
    """
    found = [value for home in HOMES for value in vars(import_module(home)).values()]
    kinds = [kind for kind in found if isinstance(kind, type) and issubclass(kind, Document)]
    return {
        format_of(kind).removeprefix("zerosum-"): kind for kind in kinds if kind is not Document
    }


def format_of(kind: type[Document]) -> str:
    """Return the format of a document, such as zerosum-audit."""
    return str(kind.__struct_config__.tag)


def version_of(kind: type[Document]) -> int:
    """Return the version of a document."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    return int(fields["version"].default)


def to_json(document: Document) -> str:
    """Write a document as JSON that people can read too."""
    return dumps(to_dict(document))


def dumps(document: dict[str, Any], indent: int | None = 2) -> str:
    r"""Write a document as text that people can read too, and that a terminal never obeys.

    >>> dumps({"reason": "Schluß\x9b2J"})
    '{\n  "reason": "Schluß\\u009b2J"\n}'
    """
    try:
        text = json.dumps(document, indent=indent, ensure_ascii=False)
    except ValueError as error:
        raise DocumentError(
            "A number in this document is too long for this Python to write "
            "(see sys.set_int_max_str_digits)."
        ) from error
    return re.sub(OBEYED, lambda found: f"\\u{ord(found[0]):04x}", text)


def loads(text: str | bytes) -> Any:
    """Read a document from text."""
    try:
        return json.loads(
            text, parse_int=read_whole, parse_float=_real, parse_constant=_no_constant
        )
    except UnreadableMove as error:
        raise DocumentError(str(error)) from error
    except (ValueError, RecursionError) as error:
        said = str(error)
        if isinstance(error, json.JSONDecodeError) and "\n" not in error.doc.strip():
            at = min(error.pos, len(error.doc.rstrip())) + 1
            said = f"{error.msg} (character {at:,})"  # it has no lines to count
        raise DocumentError(f"This is not valid JSON: {brief(said, 120)}.") from error


def _no_constant(name: str) -> None:
    """Refuse NaN and the infinities, which Python reads but JSON does not have."""
    raise ValueError(f"{name} is not a number")


def _real(text: str) -> float:
    """Read a number with a point; refuse one whose square is infinite, which JSON lacks too."""
    number = float(text)
    if isinf(number * number):
        raise ValueError(f"{brief(text)} is too large")
    return number


def to_dict(document: Struct) -> dict[str, Any]:
    """Return a document, or a part of one, as dictionaries and lists."""
    made: dict[str, Any] = msgspec.to_builtins(document)
    return made


def read(kind: type[D], document: object) -> D:
    """Read a document, from JSON or from dictionaries; refuse what is not one.

    >>> from zerosum.documents import Document, read
    >>> class Counted(Document, frozen=True, kw_only=True, tag="zerosum-counted"):
    ...     version: int = 1
    ...     games: int
    >>> read(Counted, '{"format": "zerosum-counted", "version": 1, "games": 3}').games
    3
    >>> read(Counted, {"format": "zerosum-counted", "version": 1, "games": "three"})
    Traceback (most recent call last):
    ...
    zerosum.errors.DocumentError: This zerosum-counted document is not valid: games: expected \
`int`, got `str`.
    """
    if isinstance(document, str | bytes):
        document = loads(document)
    name, known = format_of(kind), version_of(kind)
    if not isinstance(document, dict) or document.get("format") != name:
        raise DocumentError(f"This is not a document of the format {name}.")
    version = document.get("version")
    if version != known:
        raise DocumentError(
            f"This {name} document has version {brief(version)}; this Zerosum reads {known}."
        )
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        wrong, _, where = str(error).partition(" - at ")
        reason = lower_first(wrong)
        place = where.strip("`").removeprefix("$.")
        listed = ": ".join(filter(None, (place, reason)))
        raise DocumentError(f"This {name} document is not valid: {listed}.") from error


def schema(kind: type[Document] | str) -> dict[str, Any]:
    """Return the JSON schema of a document, by its structure or by its name.

    A document that we write has all its fields, except those that may be missing.
    """
    structure = documents()[kind] if isinstance(kind, str) else kind
    made = msgspec.json.schema(structure)
    for part in made["$defs"].values():
        fields = part.get("properties", {})
        required = part.get("required", [])
        if fields:
            part["required"] = [
                name for name, field in fields.items() if name in required or "default" in field
            ]
    name = format_of(structure).replace("-", ":", 1)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{name}:{version_of(structure)}",
    }
    return {**head, **made}
