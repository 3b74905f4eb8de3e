"""Documents as structures: written, read, refused and described."""

import json
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from msgspec import UNSET, Struct, UnsetType

from zerosum.documents import (
    Document,
    described,
    documents,
    format_of,
    read,
    schema,
    to_json,
    version_of,
)
from zerosum.errors import DocumentError


class Player(Struct, frozen=True):
    """A player of the sample."""

    name: str
    wins: int | None = None


class Sample(Document, frozen=True, kw_only=True, tag="zerosum-sample"):
    """A document for these tests."""

    version: Literal[2] = 2
    id: str | UnsetType = UNSET
    move: Annotated[int | str, described("as a player types it")]
    players: list[Player]


SAMPLE = Sample(move=10**30, players=[Player("Ada", 1), Player("Bob\x1b[2J")])
GIVEN: dict[str, Any] = json.loads(to_json(SAMPLE))


def test_what_is_written_is_read_again() -> None:
    assert list(GIVEN) == ["format", "version", "move", "players"]
    assert read(Sample, to_json(SAMPLE)) == read(Sample, GIVEN) == SAMPLE
    assert "\x1b" not in to_json(SAMPLE)


def test_unknown_fields_of_a_later_release_are_ignored() -> None:
    assert read(Sample, {**GIVEN, "later": True}) == SAMPLE


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "zerosum-other"}, "not a document of the format zerosum-sample"),
        ({"version": 3}, "has version 3; this Zerosum reads 2"),
        ({"move": None}, "move: expected `int | str`, got `null`"),
        ({"players": [{}]}, "players[0]: object missing required field `name`"),
    ],
)
def test_a_document_that_is_not_valid_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(Sample, {**GIVEN, **change})
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "{", '"text"', b"\xff"])
def test_what_is_not_a_document_at_all_is_refused(text: str | bytes) -> None:
    with pytest.raises(DocumentError):
        read(Sample, text)


def test_the_schema_requires_what_is_always_written() -> None:
    found = schema(Sample)
    jsonschema.Draft202012Validator.check_schema(found)
    jsonschema.validate(GIVEN, found)
    sample = found["$defs"]["Sample"]
    assert sample["required"] == ["format", "version", "move", "players"]
    assert sample["properties"]["move"]["description"] == "as a player types it"
    assert found["$id"] == "urn:zerosum:sample:2"


@pytest.mark.parametrize("name", documents())
def test_every_kind_is_named_after_its_format_and_describes_its_fields(name: str) -> None:
    kind = documents()[name]
    assert format_of(kind) == f"zerosum-{name}"
    assert version_of(kind) > 0
    assert kind.__doc__
    jsonschema.Draft202012Validator.check_schema(schema(name))
