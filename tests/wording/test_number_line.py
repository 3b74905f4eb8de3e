"""Number lines: where moves lead, what is forbidden, what is marked, and which games have one."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import COUNTDOWN, NOUGHTS, PASS, STICK
from tests.strategies import matches
from zerosum.match import Match
from zerosum.wording.hooks import Mark
from zerosum.wording.number_line import FURTHEST, NumberLine, number_lines
from zerosum.wording.words import words_of


def lines_of(name: str, options: dict[str, Any], *moves: Any) -> tuple[NumberLine, ...]:
    game = zerosum.game(name, **options)
    state = game.initial()
    for move in moves:
        state = game.play(state, move)
    return number_lines(words_of(game), state)


GOAL = Mark("goal", 0, 0)
COSTS = (
    Mark("hit!", 15, 15),
    Mark("below 0: −1 ♥", None, -1, "cost"),
    Mark("over 20: −2 ♥", 21, None, "cost"),
)


@pytest.mark.parametrize(
    ("name", "options", "shown", "marks"),
    [
        ("even-steven", {}, (0, 15), (GOAL,)),
        ("digit-battle", {}, (-8, 29), COSTS),
        ("digit-battle", {"limit_penalty": 0}, (-8, 29), COSTS[:2]),
        (STICK, {}, (0, 11), (Mark("loses", 0, 0, "cost"),)),
    ],
)
def test_shared_number_has_one_line_with_its_range_and_marks(
    name: str, options: dict[str, Any], shown: tuple[int, int], marks: tuple[Mark, ...]
) -> None:
    (line,) = lines_of(name, options)
    assert (line.seat, (line.low, line.high), line.marks) == (None, shown, marks)


def test_race_has_two_lines_and_only_the_mover_has_targets() -> None:
    own, other = lines_of("number-navigator", {"start": 8}, 4)
    assert (own.seat, own.value, own.targets) == (0, 13, ())
    assert (other.seat, other.value, other.marks) == (1, 8, (GOAL,))
    assert [(target.step, target.number) for target in other.targets] == [
        *(("−1", 7), ("−2", 6), ("÷2", 4), ("+5", 13))
    ]
    assert (own.low, own.high) == (other.low, other.high)


def test_forbidden_moves_stand_where_they_would_lead_with_the_rule_against_them() -> None:
    (line,) = lines_of("dual-digits", {}, 3)
    *legal, forbidden = line.targets
    assert [target.number for target in legal] == [21, 20, 18]
    assert (forbidden.move, forbidden.number) == (3, 19)
    assert str(forbidden.reason).startswith("Your opponent has just subtracted that number")
    (line,) = lines_of("even-steven", {})  # half of 15 is not a whole number
    assert [target.move for target in line.targets] == [1]


def test_a_target_is_the_number_that_a_move_makes_before_it_is_reset() -> None:
    (line,) = lines_of("digit-battle", {}, 8)
    assert [target.number for target in line.targets] == list(range(9, 18))
    assert [target.note for target in line.targets if target.note] == ["hit! takes 3 ♥, now 0"]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (NOUGHTS, {}),
        (PASS, {}),
        ("even-steven", {"start": 200}),
        ("number-navigator", {"start": 10**7}),
    ],
)
def test_games_that_do_not_fit_on_a_line_have_none(name: str, options: dict[str, Any]) -> None:
    assert lines_of(name, options) == ()


@pytest.mark.parametrize(
    ("fields", "after", "names"),
    [
        # A count of turns, and a memory of the last move, are not numbers to play on.
        ("number, turns", "state.number - move, state.turns + 1", ["number"]),
        ("number, last", "state.number - move, move", ["number"]),
        ("number, heap", "state.number - move, state.heap + 2 * move", []),
        ("number", "move", ["number"]),
    ],
)
def test_line_of_a_users_game_is_the_number_that_moves_count(
    fields: str, after: str, names: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "countdown.py"
    typed = "".join(f"    {name}: int\n" for name in fields.split(", "))
    rest = "0, " * fields.count(",")
    text = COUNTDOWN.replace("    number: int\n", typed)
    text = text.replace("State(3, 0)", f"State(9, {rest}0)")
    text = text.replace("(1,) if state.number else ()", "tuple(range(min(state.number, 3)))[::-1]")
    text = text.replace("range(min(state.number, 3))", "range(1, 1 + min(state.number, 3))")
    text = text.replace("State(state.number - 1,", f"State({after},")
    if after == "move":
        text = text.replace("range(1, 1 + min(state.number, 3))", "range(state.number)")
    path.write_text(text)
    game = zerosum.game(str(path))
    lines = number_lines(words_of(game), game.initial())
    assert [line.name for line in lines] == names
    assert [mark.text for line in lines for mark in line.marks] == ["goal"] * len(names)


@given(matches())
def test_every_legal_move_that_makes_a_number_is_on_the_line(match: Match[Any]) -> None:
    words, state = words_of(match.game), match.state
    for line in number_lines(words, state):
        assert line.low <= line.value <= line.high
        assert line.value == getattr(state, line.name)
        legal = [target.move for target in line.targets if target.reason is None]
        mine = line.seat in (None, state.player)
        assert legal == (list(match.game.moves(state)) if mine else [])
        for target in line.targets:
            assert line.low <= target.number <= line.high
            assert abs(target.number - line.value) <= FURTHEST
