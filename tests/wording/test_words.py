"""What a game says and shows: its goal, fields, buttons and keys, for any game."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

import zerosum
from tests.game_files import COUNTDOWN, NOUGHTS, TAKE_AWAY
from tests.games import Heaps, Hotseat, Nim, WildRow
from tests.strategies import matches
from zerosum.errors import GameError, Nonconforming
from zerosum.match import Match
from zerosum.registry import entry_of
from zerosum.testing import check_game
from zerosum.wording.hooks import Field
from zerosum.wording.texts import rulebook_of
from zerosum.wording.words import MOST_KEYS, ask, words_of


def fields_of(game: Any) -> list[tuple[str, int | str, int | None, str]]:
    fields = words_of(game).fields(game.initial())
    return [(field.title, field.value, field.seat, field.kind) for field in fields]


def test_fields_have_titles_seats_and_kinds() -> None:
    assert fields_of(zerosum.game("dual-digits"))[1] == (
        *("Just subtracted", "nothing yet", None, "number"),
    )
    assert fields_of(zerosum.game("digit-battle")) == [
        ("Number", 0, None, "number"),
        ("Lives", 10, 0, "lives"),
        ("Lives", 10, 1, "lives"),
    ]


def test_tuples_are_written_as_text() -> None:
    assert fields_of(Nim()) == [("Heaps", "3, 4, 2", None, "number")]
    nested = Heaps((1, (2, 3), ()), 0)  # type: ignore[arg-type]
    assert words_of(Nim()).fields(nested)[0].value == "1, (2, 3), (none)"
    assert fields_of(Hotseat()) == []


@given(matches())
def test_every_number_of_a_state_is_shown_once(match: Match[Any]) -> None:
    assume(entry_of(match.game).file is None)
    fields = words_of(match.game).fields(match.state)
    assert [field.name for field in fields] == [n for n in match.state._fields if n != "player"]
    for field in fields:
        value = getattr(match.state, field.name)
        assert field.value == value or (field.name == "previous" and not value)


LONG_DOC = r'"""Take \x1b[31mred sticks' + ", and more" * 40 + '."""'
HIT, LAST = "+7 → 15, hit! takes 3 ♥, now 0", ["+8 → 16", "+9 → 17"]


def worded(folder: Path, own: str) -> Any:
    """A game of a user's own whose words have a hook."""
    path = folder / "worded.py"
    words = (
        f"from zerosum import Field, Mark, Step, Words\n\nclass TakeAwayWords(Words):\n    {own}\n"
    )
    path.write_text(f"{TAKE_AWAY}\n\n{words}")
    return zerosum.game(str(path))


def test_a_game_can_override_its_fields(tmp_path: Path) -> None:
    game = worded(tmp_path, "fields = lambda self, s: (Field('s', 'Left', s.sticks, 1, 'lives'),)")
    assert words_of(game).fields(game.initial()) == (Field("s", "Left", 7, 1, "lives"),)
    assert check_game(game) > 5


@pytest.mark.parametrize(
    ("hook", "given", "wanted"),
    [
        ("fields", "None", "a tuple of zerosum.Field"),
        ("fields", "[('s', 'Left', 7)]", "a tuple of zerosum.Field"),
        ("fields", "[Field('s', 'Left', 7, 2)]", "a tuple of zerosum.Field"),
        ("fields", "[Field('s', 'Left', 7, None, 'hearts')]", "a tuple of zerosum.Field"),
        ("fields", "[Field('s', 'Left', 7)] * 51", "a tuple of zerosum.Field"),
        ("goal", "7", "a string of at most 300 printable characters, not 7"),
        ("goal", r"'\x1b[2J'", "a string of at most 300"),
        ("step", "Step('−1', 6, 'x' * 101)", r"a zerosum.Step"),
        ("step", "'−1'", r"a zerosum.Step\(text, number, note\)"),
        ("marks", "Mark('goal', 0, 0)", r"a tuple of zerosum.Mark\(text, low, high, kind\)"),
        ("marks", "[Mark('goal', 0, 0, 'good')]", r"a tuple of zerosum.Mark"),
        ("marks", "[Mark('goal', None, 10**5000)]", "a tuple of .*, no number beyond 1,000,000"),
        ("marks", "[Mark('goal', 0, 0)] * 51", "a tuple of .*, at most 50 of them"),
    ],
)
def test_wrong_types_of_what_a_game_shows_are_errors_of_the_game(
    hook: str, given: str, wanted: str, tmp_path: Path
) -> None:
    game = worded(tmp_path, f"{hook} = lambda self, *asked: {given}")
    with pytest.raises(Nonconforming, match=rf"TakeAwayWords.{hook}\(\) must return {wanted}"):
        check_game(game)


@pytest.mark.parametrize("title", ["'x' * 101", r"'\x1b[31mRed'", r"'a\nb'"])
def test_titles_are_short_lines(title: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match="title must be a string of at most 100 printable"):
        worded(tmp_path, f"title = {title}")


def test_docstrings_reach_people_without_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "documented.py"
    path.write_text(TAKE_AWAY.replace("(Game[State]):\n", f"(Game[State]):\n    {LONG_DOC}\n"))
    game = zerosum.game(str(path))
    goal = words_of(game).goal()
    assert goal.startswith("Take \N{REPLACEMENT CHARACTER}[31mred sticks,")
    assert len(goal) == 300
    page = rulebook_of(game)
    assert "\x1b" not in page
    assert "red sticks" in page


@pytest.mark.parametrize("zeros", [7, 4000])
def test_digit_battle_has_words_for_numbers_of_any_size(zeros: int) -> None:
    size = 10**zeros
    penalties = dict.fromkeys(("target_penalty", "limit_penalty", "negative_penalty"), size)
    words = words_of(zerosum.game("digit-battle", target=size, limit=size, **penalties))
    assert words.goal().startswith("Take all their ♥: hit 1")
    assert [mark.high for mark in words.marks()] == [-1]
    assert words.step(words.game.initial()._replace(number=-2), 1).note.startswith("costs 1")


@pytest.mark.parametrize(
    ("name", "options", "goal"),
    [
        (
            "digit-battle",
            {},
            "Take all their ♥: hit 15 for 3; you lose 2 over 20, 1 below 0.",
        ),
        (
            "digit-battle",
            {"target": 7, "limit_penalty": 0},
            "Take all their ♥: hit 7 for 3; you lose 1 below 0.",
        ),
    ],
)
def test_goal_is_one_sentence_that_fits_the_variant(name: str, options: Any, goal: str) -> None:
    assert words_of(zerosum.game(name, **options)).goal() == goal


@pytest.mark.parametrize(
    ("first", "names", "told"),
    [
        (0, ("Ada", "Bob"), "Ada!**\nYou have reduced your number to zero and won"),
        (0, ("You", "Bob"), "You!**\nYou have reduced your number to zero and won"),
        (0, ("Bob", "You"), "Bob!**\nBob has reduced their number to zero and won"),
        (-1, ("Ada", "Bob"), "Bob!**\nAda's number went below zero, and you have won"),
        (-1, ("You", "Bob"), "Bob!**\nYour number went below zero, and Bob has won"),
    ],
)
def test_nobody_who_lost_is_told_that_they_have_won(
    first: int, names: tuple[str, str], told: str
) -> None:
    game = zerosum.game("number-navigator")
    state: Any = game.initial()._replace(first=first, player=1)
    outcome = game.outcome(state)
    assert outcome is not None
    assert told in words_of(game).ending(state, outcome, names)


def test_whoever_has_no_number_left_is_named() -> None:
    game = zerosum.game("dual-digits")
    for number, told in (
        (1, "You have no number left to subtract"),
        (0, "the number is exactly zero"),
    ):
        state: Any = game.initial()._replace(number=number, previous=1)
        outcome = game.outcome(state)
        assert outcome is not None
        assert words_of(game).reason(state, outcome, ("You", "Bob")) == told


@pytest.mark.parametrize(
    ("docstring", "goal"),
    [
        (
            "Take sticks. Whoever takes the last one wins. Enjoy!",
            "Whoever takes the last one wins.",
        ),
        (f"Take sticks. Win {'many ' * 60}games. The last one loses.", "The last one loses."),
        (f"Take sticks. You win {'many ' * 60}games.", "Take sticks."),
    ],
)
def test_goal_is_the_sentence_that_says_who_wins(docstring: str, goal: str, tmp_path: Path) -> None:
    path = tmp_path / "documented.py"
    path.write_text(TAKE_AWAY.replace("(Game[State]):\n", f"(Game[State]):\n    {docstring!r}\n"))
    assert words_of(zerosum.game(str(path))).goal() == goal


def test_goal_of_a_game_without_docstrings_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN)
    assert words_of(zerosum.game(str(path))).goal() == ""


@pytest.mark.parametrize(
    ("name", "options", "played", "buttons"),
    [
        ("even-steven", {"start": 6}, (), ["−1 → 5", "÷2 → 3"]),
        ("even-steven", {"start": 6}, (1,), ["−1 → 4", "Only an even number can be divided by 2."]),
        ("dual-digits", {}, (3,), ["−1 → 21", "−2 → 20", "−3 was just played", "−4 → 18"]),
        ("number-navigator", {}, (), ["−1 → 19", "−2 → 18", "÷2 → 10", "+5 only below 10"]),
        ("digit-battle", {}, (8,), [*(f"+{n} → {8 + n}" for n in range(1, 7)), HIT, *LAST]),
        (NOUGHTS, {}, ("b2",), ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]),
    ],
)
def test_buttons_say_what_a_move_does_and_where_it_leads(
    name: str, options: Any, played: tuple[Any, ...], buttons: list[str]
) -> None:
    game = zerosum.game(name, **options)
    state = game.initial()
    for move in played:
        state = game.play(state, move)
    words = words_of(game)
    listed = game.moves(state) if name == NOUGHTS else words.keys()
    assert [words.button(state, move) for move in listed] == buttons


@pytest.mark.parametrize(
    ("name", "options", "keys"),
    [
        ("even-steven", {"start": 10**90, "subtract_two": True}, (1, 2, 3)),
        ("dual-digits", {"numbers": tuple(range(1, MOST_KEYS + 2))}, ()),
        ("number-navigator", {"start": 1000}, (1, 2, 3, 4)),
        ("divisor-duel", {}, (1, 2, 3, 4, 5, 6, 7, 8)),
        ("divisor-duel", {"start": 1000}, ()),
    ],
)
def test_the_keys_of_a_game(name: str, options: Any, keys: tuple[int, ...]) -> None:
    assert words_of(zerosum.game(name, **options)).keys() == keys


def test_a_cell_with_several_moves_names_none_of_them() -> None:
    game = WildRow()
    state = game.play(game.initial(), "x2")
    assert "… │ X │ …" in "".join(ask(words_of(game), state, ("Ada", "Bob")))
