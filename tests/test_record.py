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
from tests.strategies import FILES, matches
from zerosum.errors import RecordError
from zerosum.match import Match
from zerosum.record import dumps, from_record, loads, to_record
from zerosum.registry import entry_of

SCHEMA = json.loads((files("zerosum") / "schemas" / "match.json").read_text())


@given(matches())
def test_a_match_comes_back_from_its_record(match: Match[Any]) -> None:
    record = to_record(match, id="k3v9x2mp")
    jsonschema.validate(record, SCHEMA)
    own = type(match.game) if entry_of(match.game).file else None
    assert from_record(loads(dumps(record)), own) == match
    back = Match.from_json(match.to_json(), own)
    assert back == match
    for mine, theirs in zip(match.rounds, back.rounds, strict=True):
        assert list(map(type, mine.moves)) == list(map(type, theirs.moves))


def played() -> Match[Any]:
    """A series with a win, a resignation and two kinds of draws."""
    match = Match.new(zerosum.game("even-steven", start=4), ("Ada", "Bob"), games=4)
    for move in (2, 1, 1):
        match = match.play(move)
    match = match.next_game().play(1).resign()
    return match.next_game().play(2).call_off().next_game().endless()


def finished() -> dict[str, Any]:
    return copy.deepcopy(to_record(played()))


def test_the_model_of_the_broken_records_is_sound() -> None:
    assert from_record(finished()) == played()
    assert finished()["score"] == [2, 2]


def test_points_are_whole_or_halves() -> None:
    match = Match.new(zerosum.game("even-steven"), games=2).call_off()
    assert json.dumps(to_record(match)["score"]) == "[0.5, 0.5]"
    twice = match.next_game().endless()
    assert json.dumps(to_record(twice)["score"]) == "[1, 1]"
    assert from_record(to_record(twice)) == twice


def test_a_draw_by_the_rules_has_no_winner_and_comes_back() -> None:
    rules = FILES["noughts_and_crosses.py"]
    match = Match.new(zerosum.game(rules))
    for move in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"):
        match = match.play(move)
    record = to_record(match)
    assert record["rounds"][0]["end"] == {
        "by": "rules",
        "winner": None,
        "reason": "the board is full",
    }
    assert (record["rounds"][0]["moves"][0], record["score"]) == ("b2", [0.5, 0.5])
    assert from_record(record, rules) == match
    record["rounds"][0]["end"]["winner"] = 0
    with pytest.raises(RecordError, match="the record's end is not the one"):
        from_record(record, rules)


def first_version(**changes: Any) -> dict[str, Any]:
    """The same series as version 1 wrote it: a game without a winner counted for nobody."""
    record = finished()
    games = {"length": record["games"], "games": record.pop("rounds")}
    return {**record, **games, "version": 1, "score": [1, 1], **changes}


def test_a_record_of_the_first_version_is_read() -> None:
    assert from_record(first_version()) == played()
    oldest = first_version()
    del oldest["bots"], oldest["seed"]
    assert from_record(oldest) == played()
    assert to_record(from_record(first_version())) == finished()


def test_a_record_of_the_first_version_is_held_to_its_score() -> None:
    with pytest.raises(RecordError, match=r"score is \[2, 2\], but its moves make it \[1, 1\]"):
        from_record(first_version(score=[2, 2]))


def test_a_record_of_a_game_that_is_not_known_asks_for_its_file() -> None:
    record = to_record(Match.new(zerosum.game(FILES["last_stick.py"])).play(3))
    with pytest.raises(RecordError, match=r"no game 'last-stick'.*name its file \(--game FILE"):
        from_record(record)
    assert from_record(record, FILES["last_stick.py"]).round.moves == (3,)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "chess", "not a record of a match"),
        (("version",), 4, "of version 4, made by a newer Zerosum; this one reads up to 3"),
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
        (("games",), 1, "Game 2 cannot follow the one before. The match is over"),
        (("games",), 0, "games: must be a whole number from 1 to 1000000"),
        (("clock",), "10", "clock: must be a number of seconds"),
        (("rounds",), [], "no games"),
        (("rounds", 0), 5, "game 1 must have 'first'"),
        (("rounds", 0, "first"), 2, "first: must be a whole number from 0 to 1"),
        (("rounds", 1, "first"), 0, "Game 2: the first move alternates"),
        (("rounds", 0, "moves"), [2, 2, 2, 1], "Game 1, ply 3: Only an even number"),
        (("rounds", 0, "moves"), [2, 1, 1, 1], "Game 1, ply 4: The game is over"),
        (
            ("rounds", 0, "moves"),
            [2, 1, 1.0],
            "Game 1, ply 3: A move is an integer or a text, not 1.0",
        ),
        (
            ("rounds", 0, "moves"),
            [2, 1, True],
            "Game 1, ply 3: A move is an integer or a text, not True",
        ),
        (("rounds", 0, "moves"), [2, 1, "1"], "Game 1, ply 3: '1' is not a legal move"),
        (("rounds", 0, "moves"), [2, 1], "Game 1 ended by 'rules', but its moves do not"),
        (("rounds", 0, "end"), None, "Game 1 goes on in the record, but its moves end it"),
        (("rounds", 0, "end", "winner"), 1, "Game 1: the record's end is not the one"),
        (("rounds", 0, "end", "by"), "time", "Game 1: the record's end is not the one"),
        (("rounds", 1, "end", "by"), "undo", "Game 2 ended by 'undo'"),
        (("rounds", 1, "end", "by"), "magic", "Game 2 ended by 'magic'"),
        (("rounds", 1, "end", "winner"), 0, "Game 2: the record's end is not the one"),
        (("rounds", 2, "end", "winner"), 0, "Game 3: the record's end is not the one"),
        (("score",), [1, 1], "score is .1, 1., but its moves make it .2, 2."),
        (("score",), [2.5, 1.5], "score is .2.5, 1.5., but its moves make it .2, 2."),
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
def test_what_is_not_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordError, match="not a JSON document"):
        loads(text)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(RecordError, match=r"nested too deeply|not a JSON"):
        loads("[" * 100_000)


def test_a_number_longer_than_the_interpreter_writes_is_a_clear_error() -> None:
    record = to_record(Match.new(zerosum.game("even-steven", start=10**5000)))
    with pytest.raises(RecordError, match="set_int_max_str_digits"):
        dumps(record)
