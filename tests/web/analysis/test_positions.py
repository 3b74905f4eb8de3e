"""Positions, maps and puzzles: true, and no state from outside does any harm."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from tests.game_files import write
from tests.games import GAMES_FILE
from tests.solutions import solved
from tests.strategies import matches
from tests.web.analysis.test_questions import FILES, GAMES, POSITIONS, named, solution_of, sound
from tests.web.pools import ask_here, solving, told, value_told
from zerosum.coach.puzzles import daily, sources
from zerosum.coach.puzzles import puzzles as puzzles_of
from zerosum.match import Match
from zerosum.protocol import read_move
from zerosum.states import read_state
from zerosum.web.analysis import puzzles
from zerosum.web.http.log import Bug
from zerosum.web.refusals import Refused


def position(name: str, options: dict[str, Any], at: Any = None) -> Any:
    """Ask about a position."""
    return ask_here("position", game=name, options=options, at=at)


@pytest.fixture(autouse=True, scope="module")
def known_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A process that knows games of a user's own, and may not solve much."""
    folder = tmp_path_factory.mktemp("games")
    paths = {**FILES, "nim": f"{GAMES_FILE}:Nim", "failing": write(folder, "Failing")}
    with solving(paths, POSITIONS):
        yield


@given(matches())
@settings(max_examples=settings().max_examples // 4)
def test_position_agrees_with_the_solution(match: Match[Any]) -> None:
    game, state = match.game, match.state
    document = ask_here("position", **named(game), at=state)
    sound(document)
    solution = solution_of(game)
    exact = solution.is_exact(state)
    assert document["exact"] is exact
    outcome = game.outcome(state)
    assert (document["over"] is None) == (outcome is None)
    for choice in document["moves"]:
        move = read_move(game, state, choice["move"])
        then = game.play(state, move)
        assert read_state(game, json.loads(choice["to"])) == then
        if exact:
            assert choice["value"] == value_told(solution.move_value(state, move))
            assert choice["verdict"] != "best" or move in solution.best(state)
    if exact:
        assert document["value"] == value_told(solution.value(state))
        for choice in document["moves"][:3]:
            after = ask_here("position", **named(game), at=json.loads(choice["to"]))
            assert after["state"] == choice["to"]


parts = st.recursive(
    st.none() | st.integers(-30, 30) | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4),
)


@given(st.sampled_from((*GAMES, "nim", "failing")), st.lists(parts, max_size=4))
@settings(max_examples=settings().max_examples)
def test_any_state_is_answered_or_refused(name: str, state: Any) -> None:
    document = None
    with suppress(Refused):
        document = position(name, {}, state)
    if document is not None:
        sound(document)
        assert isinstance(json.loads(document["state"]), list)


FLAT: Any = ([], [15], [15, 2], ["15", 0], [[15], 0], [15, 0, 0], [16, 0], [-1, 0], [10**100, 0])
NESTED: Any = ([[1, 2], 0], [[3, 4, 2, 0], 0], [[[3], 4, 2], 0], [3, 0], [[[[[15]]]], 0])


def test_invalid_position_is_refused_in_a_sentence() -> None:
    for name, states in (("even-steven", FLAT), ("nim", NESTED)):
        for state in states:
            with pytest.raises(Refused, match=r"\.$"):
                position(name, {}, state)


@pytest.mark.parametrize("name", GAMES)
def test_puzzles_match_the_terminal(name: str) -> None:
    path = FILES.get(name, name)
    known = {puzzle.id: puzzle for game in sources(path) for puzzle in puzzles_of(solved(game))}
    seen: list[str] = []
    for seed in range(min(12, len(known))):
        document = told(puzzles.puzzle, [name], None, seen, str(seed))
        sound(document)
        puzzle = known[document["id"]]
        assert document["id"] not in seen
        assert document["grade"] == puzzle.grade
        assert document["state"] == json.dumps(puzzle.state, separators=(",", ":"))
        assert document["count"] == len(known)
        assert document["left"] == len(known) - len(seen)
        assert not {"answer", "value", "best", "right"} & set(document)
        right = [
            choice["move"]
            for choice in document["moves"]
            if told(puzzles.answer, document["id"], choice["move"], [])["right"]
        ]
        assert right == [str(puzzle.answer)]
        seen.append(document["id"])
    ends = [id_.rpartition("-")[2] for id_ in known]
    for done in (list(known), ends):
        assert told(puzzles.puzzle, [name], None, done, "x") == {
            "none": "You have solved every puzzle of this kind. Well done!"
        }
    last = told(puzzles.puzzle, [name], None, ends[1:], "x")
    assert (last["id"], last["left"]) == (next(iter(known)), 1)


def test_wrong_answer_reveals_nothing_but_giving_up_does() -> None:
    document = told(puzzles.puzzle, ["dual-digits"], "hard", [], "1")
    moves = [choice["move"] for choice in document["moves"]]
    answers = {move: told(puzzles.answer, document["id"], move, []) for move in moves}
    (right,) = [move for move in moves if answers[move]["right"]]
    assert answers[right]["answer"] == right
    for wrong in set(moves) - {right}:
        assert answers[wrong]["answer"] is None
        assert answers[wrong]["why"] == answers[wrong]["steps"] == []
        assert f"No: −{wrong} → " in answers[wrong]["text"]
    given_up = told(puzzles.answer, document["id"], None, [])
    assert given_up["right"] is given_up["solved"] is False
    assert given_up["answer"] == right
    assert given_up["text"].startswith(f"Play −{right} → ")
    assert given_up["why"]


@pytest.mark.parametrize("name", GAMES)
def test_puzzle_is_played_to_the_end_against_the_defence(name: str) -> None:
    document = told(puzzles.puzzle, [name], None, [], "1")
    id_, mover, shown, played = document["id"], document["mover"], document, list[str]()
    solved = False
    while not solved:
        given_up = told(puzzles.answer, id_, None, played)
        found = told(puzzles.answer, id_, given_up["answer"], played)
        sound(found)
        assert found["right"]
        own, *replies = found["steps"]
        assert (own["move"], own["player"]) == (given_up["answer"], shown["mover"])
        assert all(reply["player"] == 1 - mover for reply in replies)
        played.append(own["move"])
        solved, shown = found["solved"], found["steps"][-1]["shown"]
        assert solved or shown["mover"] == mover
    assert found["steps"][-1]["over"] or document["task"] == "Only one move holds the draw."
    with pytest.raises(Refused, match="not the first moves of a solution"):
        told(puzzles.answer, id_, "1", played)


def test_puzzle_of_the_day_is_the_same_by_its_link(monkeypatch: pytest.MonkeyPatch) -> None:
    day = date(2026, 11, 15)
    monkeypatch.setattr(puzzles, "today", lambda: day)
    document = told(puzzles.puzzle_of_the_day, "hard")
    sound(document)
    found = [puzzle for game in sources("even-steven") for puzzle in puzzles_of(solved(game))]
    assert document["id"] == daily(day, lambda _: found, "hard").id
    assert document["date"] == "2026-11-15"
    assert document["goal"].endswith("win. Subtract 1 or 2, or halve an even number.")
    assert told(puzzles.puzzle_named, document["id"]) == {**document, "date": None}


def test_puzzles_of_all_games_follow_seed_and_grade() -> None:
    names = [*zerosum.games(), "last-stick", "failing"]
    some = [told(puzzles.puzzle, names, "easy", [], str(seed)) for seed in range(20)]
    assert some == [told(puzzles.puzzle, names, "easy", [], str(seed)) for seed in range(20)]
    assert {document["grade"] for document in some} == {"easy"}
    assert len({document["game"] for document in some}) > 3


def test_missing_puzzles_are_refused() -> None:
    assert told(puzzles.puzzle, ["last-stick"], "hard", [], "") == {
        "none": "There are no hard puzzles here. Try another grade."
    }
    for name in ("", "x", "-", "even-steven", "even-steven-00000000", f"{FILES['last-stick']}-1"):
        with pytest.raises(Refused, match="There is no puzzle"):
            told(puzzles.answer, name, "1", [])
    document = told(puzzles.puzzle, ["even-steven"], None, [], "")
    with pytest.raises(Refused) as caught:
        told(puzzles.answer, document["id"], str(10**50), [])
    assert caught.value.code == "illegal_move"
    assert caught.value.more["legal"] == [choice["move"] for choice in document["moves"]]
    with pytest.raises(Refused) as caught:
        told(puzzles.answer, document["id"], "b2", [])
    assert caught.value.code == "unreadable_move"


def test_unreachable_position_is_refused_with_its_own_reason() -> None:
    with pytest.raises(Refused, match=r"^A game from 15 never reaches 99\.$"):
        position("even-steven", {}, [99, 0])
    with pytest.raises(Refused, match="makes the rules fail"):
        position("digit-battle", {"lives": 500}, [5, "a", 0, 0])


@pytest.mark.parametrize("number", [13, 14])
def test_bug_is_not_blamed_on_the_position(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr("zerosum.web.analysis.positions.shown", lambda *_: 1 // 0)
    with pytest.raises(Bug, match="ZeroDivisionError"):
        position("even-steven", {}, [number, 0])


def test_game_files_are_found_by_name_only(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no game"):
        position(write(tmp_path, "Noting"), {})


def test_explore_names_no_keys_and_no_moves_that_the_game_never_has() -> None:
    refused = position("even-steven", {}, [7, 0])["refused"]
    assert refused == ["Only an even number can be divided by 2."]
    (refused,) = position("number-navigator", {})["refused"]
    assert refused == "5 can be added only to a number below 10."
