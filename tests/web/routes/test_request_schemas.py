"""Requests are read however their values are written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.web.support import Inside
from zerosum.web.refusals import Refused
from zerosum.web.routes.request_schemas import ACTS, NewMatch, parse

KEY = "k" * 22


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("requests") / "a.db") as server:
        yield server


@pytest.mark.parametrize("typed", ["1", 1, 1.0, " 1 "])
def test_move_is_a_string_or_a_whole_number(server: Inside, typed: Any) -> None:
    ada = server.visitor()
    ada.create(mode="here")
    assert ada.do("move", move=typed)["last"][-1]["move"] == "1"


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


@pytest.mark.parametrize(
    ("fields", "watched"),
    [
        ({"mode": "bot"}, False),
        ({"mode": "friend"}, True),
        ({"mode": "friend", "watch": "off"}, False),
        ({"mode": "here", "watch": "yes"}, True),
        ({"mode": "here", "watch": True}, True),
    ],
)
def test_friends_can_be_watched_by_default(
    server: Inside, fields: dict[str, Any], watched: bool
) -> None:
    assert server.visitor().create(**fields)["watch"] is watched


@pytest.mark.parametrize(
    ("game", "name", "given", "read"),
    [
        ("even-steven", "start", " +21 ", "21"),
        ("even-steven", "start", 21.0, "21"),
        ("dual-digits", "numbers", "1, 2,3", "1,2,3"),
        ("dual-digits", "numbers", [1, "2"], "1,2"),
        ("even-steven", "subtract_two", "ON", "on"),
        ("even-steven", "subtract_two", False, "off"),
        ("digit-battle", "start", "-" + "9" * 40, "-" + "9" * 40),
    ],
)
def test_options_are_read_by_their_type(
    server: Inside, game: str, name: str, given: Any, read: str
) -> None:
    view = server.visitor().create(game, mode="here", options={name: given})
    assert view["game"]["options"][name] == read
