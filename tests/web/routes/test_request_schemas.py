"""Requests are read strictly, from JSON or a form, and refused with the field that is wrong."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from zerosum.registry import find
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.web.routes.request_schemas import ACTS, Act, Fork, NewMatch, parse, read
from zerosum.web.site import options_read
from zerosum.web.tables.actions import Action

KEY = "k" * 22
NEW = {"key": KEY, "game": "even-steven"}
MOVE = {"key": KEY, "ply": 2, "action": "move", "move": "1"}


def act(**fields: Any) -> Act:
    return parse(json.dumps({**MOVE, **fields}).encode(), *ACTS)


def new_match(**fields: Any) -> NewMatch:
    return parse(json.dumps({**NEW, **fields}).encode(), NewMatch)


@pytest.mark.parametrize(
    ("typed", "read"), [("1", "1"), (1, "1"), (7.0, "7"), (10**39, str(10**39)), (" b2 ", "b2")]
)
def test_move_is_a_string_or_a_whole_number(typed: Any, read: str) -> None:
    assert act(move=typed).action(ServerLimits()) == Action("move", read)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([KEY, "move", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
names = st.sampled_from(["key", "ply", "action", "move", "offer", "game", "options", "x"])


@given(st.dictionaries(names, values).map(json.dumps) | values.map(json.dumps) | st.text())
@example('{"action": "\\ud800"}')
@example(f'{{"key": "{KEY}", "action": "undo", "ply": 1e999}}')
@example(f'{{"action": "undo", "action": 1, "key": "{KEY}", "ply": 1}}')
@example("[" * 20_000)
def test_any_body_is_read_or_refused(body: str) -> None:
    for kinds in (ACTS, (NewMatch,)):
        with suppress(Refused):
            parse(body.encode("utf-8", "surrogatepass"), *kinds)


async def read_form(body: bytes) -> NewMatch:
    """Read a form as a route does."""
    headers = [(b"content-type", b"application/x-www-form-urlencoded")]

    async def receive() -> Message:
        return {"type": "http.request", "body": body}

    return await read(Request({"type": "http", "headers": headers}, receive), NewMatch)


def test_form_has_the_same_fields_as_json() -> None:
    typed = (
        b"key=%s&game=even-steven&games=3&clock=60&watch=off&watch=on&option.start=+9&names=Ada&"
    )
    form = asyncio.run(read_form(typed % KEY.encode() + b"names=&level="))
    fields = {"games": 3, "clock": 60, "watch": "on", "options": {"start": "9"}}
    assert form == new_match(**fields, names=["Ada", ""])
    assert form.watched


@pytest.mark.parametrize(
    ("fields", "watched"),
    [
        ({}, False),
        ({"mode": "friend"}, True),
        ({"mode": "friend", "watch": "off"}, False),
        ({"mode": "here", "watch": "yes"}, True),
        ({"mode": "here", "watch": "true"}, True),
    ],
)
def test_friends_can_be_watched_by_default(fields: dict[str, Any], watched: bool) -> None:
    assert new_match(**fields).watched is watched


def test_defaults() -> None:
    new, fork = new_match(), parse(b'{"key":"%s"}' % KEY.encode(), Fork)
    assert (new.mode, new.level, new.first, new.games, new.clock) == ("bot", "medium", "1", 1, None)
    assert (fork.game, fork.ply, fork.level) == (0, 0, "perfect")


@pytest.mark.parametrize(
    ("game", "given", "read"),
    [
        ("even-steven", {"start": " +21 "}, {"start": 21}),
        ("even-steven", {"start": 21.0}, {"start": 21}),
        ("dual-digits", {"numbers": "1, 2,3"}, {"numbers": (1, 2, 3)}),
        ("dual-digits", {"numbers": [1, "2"]}, {"numbers": (1, 2)}),
        ("even-steven", {"subtract_two": "ON"}, {"subtract_two": True}),
        ("even-steven", {"subtract_two": False}, {"subtract_two": False}),
        ("digit-battle", {"start": "-" + "9" * 40}, {"start": 1 - 10**40}),
    ],
)
def test_options_are_read_by_their_type(game: str, given: Any, read: Any) -> None:
    assert options_read(find(game), given, ServerLimits()) == read
