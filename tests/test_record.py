from __future__ import annotations

import copy
import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.strategies import matches
from zerosum.match import Match
from zerosum.record import RecordError, dumps, from_record, loads, to_record

SCHEMA = json.loads((files("zerosum") / "schemas" / "match.json").read_text())


@given(matches())
def test_a_match_comes_back_from_its_record(match: Match) -> None:
    record = to_record(match, id="k3v9x2mp")
    jsonschema.validate(record, SCHEMA)
    assert from_record(loads(dumps(record))) == match


def finished() -> dict[str, Any]:
    match = Match.new(zerosum.game("even-steven", start=4), ("Ada", "Bob"), length=2)
    for move in (2, 1, 1):
        match = match.play(move)
    match = match.next_game().play(1).resign()
    return copy.deepcopy(to_record(match))


def test_the_model_of_the_broken_records_is_sound() -> None:
    assert from_record(finished()).score == (1, 1)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "chess", "no record of a match"),
        (("version",), 2, "of version 2, made by a newer Zerosum; this one reads up to 1"),
        (("version",), "1", "version must be a whole number"),
        (("version",), True, "version must be a whole number"),
        (("game",), "even-stephen", "did you mean even-steven"),
        (("game",), 7, "must have 'game', a text"),
        (("options", "start"), 0, "option start: must be a whole number from 1 up"),
        (("options", "strat"), 4, "did you mean start"),
        (("options",), None, "must have 'options', an object"),
        (("players",), ["Ada", "Ada"], "different names"),
        (("players",), ["Ada"], "two names"),
        (("players",), ["Ada", 5], "two names"),
        (("length",), 1, "Game 2 cannot follow the one before. The match is over"),
        (("length",), 0, "length: must be a whole number from 1 to 1000000"),
        (("clock",), "10", "clock: must be a number of seconds"),
        (("games",), [], "no games"),
        (("games", 0), 5, "game 1 must have 'first'"),
        (("games", 0, "first"), 2, "first: must be a whole number from 0 to 1"),
        (("games", 1, "first"), 0, "Game 2: the first move alternates"),
        (("games", 0, "moves"), [2, 2, 2, 1], "Game 1, ply 3: 2 is no move. Only an even number"),
        (("games", 0, "moves"), [2, 1, 1, 1], "Game 1, ply 4: 1 is no move. The game is over"),
        (("games", 0, "moves"), [2, 1, 1.0], "Game 1, ply 3: 1.0 is not a whole number"),
        (("games", 0, "moves"), [2, 1, True], "Game 1, ply 3: True is not a whole number"),
        (("games", 0, "moves"), [2, 1, "1"], "Game 1, ply 3: '1' is not a whole number"),
        (("games", 0, "moves"), [2, 1], "Game 1 ended by 'rules', but its moves do not"),
        (("games", 0, "end"), None, "Game 1 goes on in the record, but its moves end it"),
        (("games", 0, "end", "winner"), 1, "Game 1: the record's end is not the one"),
        (("games", 0, "end", "by"), "time", "Game 1: the record's end is not the one"),
        (("games", 1, "end", "by"), "undo", "Game 2 ended by 'undo'"),
        (("games", 1, "end", "by"), "magic", "Game 2 ended by 'magic'"),
        (("games", 1, "end", "winner"), 0, "Game 2: the record's end is not the one"),
        (("score",), [2, 0], "score is .2, 0., but its moves make it .1, 1."),
        (("over",), False, "over is False"),
        (("over",), 1, "over is 1"),
        (("game",), "./evil.py", "not a file to run"),
        (("started",), "yesterday", "'started' must be a time"),
        (("updated",), 7, "'updated' must be a time"),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused(
    path: tuple[Any, ...], value: Any, message: str
) -> None:
    record: Any = finished()
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(RecordError, match=message):
        from_record(record)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=8,
    ),
    st.sampled_from(sorted(finished())),
)
def test_any_value_in_any_place_is_refused_or_read(value: Any, key: str) -> None:
    record = {**finished(), key: value}
    try:
        match = from_record(record)
    except RecordError:
        return
    assert from_record(to_record(match)) == match


@pytest.mark.parametrize("text", ["", "{", "[1,", "NaN", '{"a": Infinity}', b"\xff\xfe\x00", "\0"])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordError, match="no JSON"):
        loads(text)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(RecordError, match=r"nested too deeply|no JSON"):
        loads("[" * 100_000)


def test_a_number_longer_than_the_interpreter_writes_is_a_clear_error() -> None:
    record = to_record(Match.new(zerosum.game("even-steven", start=10**5000)))
    with pytest.raises(RecordError, match="set_int_max_str_digits"):
        dumps(record)
