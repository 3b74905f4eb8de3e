import copy
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.strategies import FILES, matches
from zerosum.documents import dumps, loads, schema
from zerosum.errors import DocumentError, RecordError
from zerosum.match import Match
from zerosum.record import from_record, to_record
from zerosum.registry import entry_of

SCHEMA = schema("match")


@given(matches())
def test_record_round_trip_of_any_match(match: Match[Any]) -> None:
    record = to_record(match, id="k3v9x2mp")
    jsonschema.validate(json.loads(dumps(record)), SCHEMA)
    own = type(match.game) if entry_of(match.game).file else None
    assert from_record(loads(dumps(record)), own) == match
    back = Match.from_json(match.to_json(), own)
    assert back == match
    for mine, theirs in zip(match.rounds, back.rounds, strict=True):
        assert list(map(type, mine.moves)) == list(map(type, theirs.moves))


def test_text_of_a_record_has_nothing_that_a_terminal_obeys() -> None:
    obeyed = "\x1b\x7f\x9b\u2028\u2029\u202e\u2066\ud800"
    text = dumps({"reason": f"Schluß {obeyed}"})
    assert text.replace("\n", "").isprintable()
    assert "Schluß" in text
    assert json.loads(text)["reason"] == f"Schluß {obeyed}"


def played() -> Match[Any]:
    """A series with a win, a resignation and two kinds of draws."""
    match = Match.new(zerosum.game("even-steven", start=4), ("Ada", "Bob"), games=4)
    for move in (2, 1, 1):
        match = match.play(move)
    match = match.next_game().play(1).resign()
    return match.next_game().play(2).agree_draw().next_game().endless()


def finished() -> dict[str, Any]:
    return copy.deepcopy(to_record(played()))


def test_points_times_bots_and_seed_of_a_record() -> None:
    match = Match.new(zerosum.game("even-steven"), games=2).agree_draw()
    assert json.dumps(to_record(match)["score"]) == "[0.5, 0.5]"
    twice = match.next_game().endless()
    assert json.dumps(to_record(twice)["score"]) == "[1, 1]"
    assert from_record(to_record(twice)) == twice
    match = Match.new(zerosum.game("even-steven"), bots=("easy", None), seed=7)
    record = to_record(match)
    assert (record["bots"], record["seed"]) == (["easy", None], 7)
    assert from_record(record) == match
    times = {"started": "2000-01-31T23:59:59Z", "updated": "2000-01-31T23:59:59.123Z"}
    assert from_record({**finished(), **times}) == played()


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_record_may_end_in_an_unfinished_series(rounds: int) -> None:
    record = finished()
    record["rounds"] = record["rounds"][:rounds]
    del record["score"], record["over"]
    match = from_record(record)
    assert (match.number, match.over) == (rounds, False)


def test_record_of_an_own_game_is_read_with_the_game_its_class_or_its_file() -> None:
    game = zerosum.game(FILES["last_stick.py"])
    match = Match.new(game).play(3)
    for own in (game, type(game), FILES["last_stick.py"]):
        assert Match.from_json(match.to_json(), own) == match
    record = {**to_record(match), "options": {"sticks": 5}}
    with pytest.raises(RecordError, match="last-stick has no such option"):
        from_record(record, type(game))


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
    lost = {**to_record(Match.new(zerosum.game("even-steven")).resign()), "version": 1}
    lost |= {"length": 1, "games": lost.pop("rounds"), "score": [0, 1]}
    assert from_record(lost).score == (0, 1)


@pytest.mark.parametrize("key", ["length", "games"])
def test_old_record_is_refused_by_the_keys_of_its_own_version(key: str) -> None:
    with pytest.raises(RecordError, match=r"not valid: (games|rounds): expected"):
        from_record(first_version(**{key: None}))


def test_record_of_an_unknown_game_asks_for_its_file() -> None:
    record = to_record(Match.new(zerosum.game(FILES["last_stick.py"])).play(3))
    with pytest.raises(RecordError, match=r"no game 'last-stick'.*add --game FILE"):
        from_record(record)
    assert from_record(record, FILES["last_stick.py"]).round.moves == (3,)


@pytest.mark.parametrize("document", [None, [], 7, "moves", {}, {"format": "zerosum-history"}])
def test_another_document_is_not_a_record(document: Any) -> None:
    with pytest.raises(RecordError, match="not a record of a match"):
        from_record(document)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("version",), 4, "has version 4; this Zerosum reads 3"),
        (("version",), 0, "has version 0"),
        (("game",), "even-stephen", "did you mean even-steven"),
        (("options", "start"), 0, "option start: must be a whole number of at least 1"),
        (("options", "strat"), 4, "did you mean start"),
        (("options",), None, "not valid: options: expected `object`"),
        (("players",), "Ada", "not valid: players: expected `array`"),
        (("players",), ["Ada", "Ada"], "^The record's players: the two players need different"),
        (("games",), 1, "Game 2: The match is over"),
        (("games",), 0, "games: must be a whole number from 1 to 1,000,000"),
        (("clock",), float("inf"), "clock: must be a number of seconds above 0"),
        (("bots",), None, "not valid: bots: expected `array`"),
        (("seed",), "lucky", "not valid: seed: expected `int | null`"),
        (("rounds",), [], "no games"),
        (("rounds", 1), 5, r"rounds\[1\]: expected `object`"),
        (("rounds", 1), {"moves": []}, r"rounds\[1\]: object missing required field `first`"),
        (("rounds", 1, "end"), {"winner": 0}, r"rounds\[1\].end: object missing .* field `by`"),
        (("rounds", 0, "first"), True, r"rounds\[0\].first: expected `int`"),
        (("rounds", 0, "first"), 2, r"rounds\[0\].first: invalid enum value 2"),
        (("rounds", 1, "first"), 0, "Game 2: 'first' is 0, but its moves make it 1"),
        (("rounds", 0, "moves"), [2, 2, 2, 1], "Game 1, move 3: Only an even number"),
        (("rounds", 0, "moves"), [2, 1, 1, 1], "Game 1, move 4: The game is over"),
        (("rounds", 0, "moves"), [2, 1, 1.0], r"moves\[2\]: expected `int . str`, got `float`"),
        (("rounds", 0, "moves"), [2, 1, "1"], "Game 1, move 3: '1' is not a legal move"),
        (("rounds", 0, "moves"), [2, 1], 'Game 1: .by. is "rules", but its moves make it null'),
        (("rounds", 0, "end"), None, 'Game 1: .by. is null, but its moves make it "rules"'),
        (("rounds", 0, "end", "winner"), 1, "Game 1: 'winner' is 1, but its moves make it 0"),
        (("rounds", 0, "end", "by"), "time", 'Game 1: .by. is "time", but its'),
        (("rounds", 1, "end", "by"), "undo", r"rounds\[1\].end.by: invalid enum value 'undo'"),
        (("rounds", 1, "end", "winner"), 0, "Game 2: 'winner' is 0, but its moves make it 1"),
        (("rounds", 2, "end", "winner"), 0, "Game 3: 'winner' is 0, but its moves make it null"),
        (("score",), [1, 1], "'score' is .1, 1., but its moves make it .2, 2."),
        (("over",), False, "'over' is false"),
        (("game",), "./evil.py", "not a file to run"),
        (("started",), "yesterday", "'started' must be a time"),
        (("updated",), 7, "not valid: updated: expected `str`"),
    ],
)
def test_a_record_that_breaks_the_rules_is_refused(
    path: tuple[Any, ...], value: Any, message: str
) -> None:
    record: Any = finished()
    parent = record
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
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
def test_record_with_any_one_value_replaced_is_read_or_refused(value: Any, key: str) -> None:
    record = {**finished(), key: value}
    try:
        match = from_record(record)
    except RecordError:
        return
    assert from_record(to_record(match)) == match


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "{}{}", "[1,", "NaN", '{"a": Infinity}', '{"a": 1e308}', b"\xff\xfe\x00", "\0"),
        *("[" * 100_000, "[" * 100_000 + "]" * 100_000),
    ],
)
def test_invalid_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(DocumentError, match="not valid JSON"):
        loads(text)


def test_a_number_longer_than_the_interpreter_writes_is_a_clear_error() -> None:
    record = to_record(Match.new(zerosum.game("even-steven", start=10**5000)))
    with pytest.raises(DocumentError, match="set_int_max_str_digits"):
        dumps(record)


def test_a_number_too_long_to_read_is_a_clear_error() -> None:
    with pytest.raises(DocumentError, match="A number of 5000 digits is too long"):
        loads("1" * 5000)
