"""What a state shows on a page, and the keys of a game, for any game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings

import zerosum
from tests.game_files import TAKE_AWAY
from tests.games import Heaps, Hotseat, Nim
from tests.strategies import matches
from zerosum.errors import GameError, Nonconforming
from zerosum.match import Match
from zerosum.registry import entry_of
from zerosum.testing import check_game
from zerosum.wording.hooks import Field
from zerosum.wording.words import MOST_KEYS, words_of


def fields_of(game: Any) -> list[tuple[str, int | str, int | None, str]]:
    fields = words_of(game).fields(game.initial())
    return [(field.title, field.value, field.seat, field.kind) for field in fields]


def test_the_fields_of_the_five_games() -> None:
    assert fields_of(zerosum.game("even-steven")) == [("Number", 15, None, "number")]
    assert fields_of(zerosum.game("divisor-duel")) == [("Number", 16, None, "number")]
    assert fields_of(zerosum.game("dual-digits")) == [
        ("Number", 25, None, "number"),
        ("Just subtracted", "none", None, "number"),
    ]
    assert fields_of(zerosum.game("number-navigator")) == [
        ("Number", 20, 0, "number"),
        ("Number", 20, 1, "number"),
    ]
    assert fields_of(zerosum.game("digit-battle")) == [
        ("Number", 0, None, "number"),
        ("Lives", 10, 0, "lives"),
        ("Lives", 10, 1, "lives"),
    ]


def test_dual_digits_shows_what_may_not_be_repeated() -> None:
    game = zerosum.game("dual-digits")
    fields = words_of(game).fields(game.play(game.initial(), 3))
    assert fields[1] == Field("previous", "Just subtracted", 3)


def test_tuples_are_written_as_text() -> None:
    assert fields_of(Nim()) == [("Heaps", "3, 4, 2", None, "number")]
    nested = Heaps((1, (2, 3), ()), 0)  # type: ignore[arg-type]
    assert words_of(Nim()).fields(nested)[0].value == "1, (2, 3), (none)"
    assert fields_of(Hotseat()) == []


@given(matches())
@settings(max_examples=60)
def test_every_number_of_a_state_is_shown_once(match: Match[Any]) -> None:
    assume(entry_of(match.game).file is None)
    fields = words_of(match.game).fields(match.state)
    assert [field.name for field in fields] == [n for n in match.state._fields if n != "player"]
    for field in fields:
        value = getattr(match.state, field.name)
        assert field.value == value or (field.name == "previous" and not value)


def worded(folder: Path, own: str) -> Any:
    """A game of a user's own whose words have a hook."""
    path = folder / "worded.py"
    words = f"from zerosum import Field, Words\n\nclass TakeAwayWords(Words):\n    {own}\n"
    path.write_text(f"{TAKE_AWAY}\n\n{words}")
    return zerosum.game(str(path))


def test_a_game_can_override_its_fields(tmp_path: Path) -> None:
    game = worded(tmp_path, "fields = lambda self, s: (Field('s', 'Left', s.sticks, 1, 'lives'),)")
    assert words_of(game).fields(game.initial()) == (Field("s", "Left", 7, 1, "lives"),)
    assert check_game(game) > 5


@pytest.mark.parametrize(
    "given",
    [
        *("'text'", "None", "[('s', 'Left', 7)]", "[Field('s', 'Left', 7.5)]"),
        *("[Field('s', 'Left', True)]", "[Field('s', 'Left', 7, 2)]", "[Field('s', 7, 7)]"),
        "[Field('s', 'Left', 7, None, 'hearts')]",
    ],
)
def test_invalid_fields_are_an_error_of_the_game(given: str, tmp_path: Path) -> None:
    game = worded(tmp_path, f"fields = lambda self, state: {given}")
    with pytest.raises(GameError, match=r"TakeAwayWords.fields\(\) must return a tuple of"):
        words_of(game).fields(game.initial())
    with pytest.raises(Nonconforming, match=r"fields\("):
        check_game(game)


def test_a_misspelt_method_of_words_is_found(tmp_path: Path) -> None:
    game = worded(tmp_path, "lable = lambda self, state, move: 'Take'")
    with pytest.raises(Nonconforming, match=r"TakeAwayWords.lable"):
        check_game(game)


@pytest.mark.parametrize(
    ("name", "options", "keys"),
    [
        ("even-steven", {}, (1, 2)),
        ("even-steven", {"start": 10**90, "subtract_two": True}, (1, 2, 3)),
        ("dual-digits", {"numbers": (2, 3, 7)}, (2, 3, 7)),
        ("dual-digits", {"numbers": tuple(range(1, MOST_KEYS + 2))}, ()),
        ("number-navigator", {}, (1, 2, 3, 4)),
        ("number-navigator", {"start": 1000}, (1, 2, 3, 4)),
        ("digit-battle", {}, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("divisor-duel", {}, (1, 2, 3, 4, 5, 6, 7, 8)),
        ("divisor-duel", {"start": 1000}, ()),
        ("divisor-duel", {"start": 10**99 + 9}, ()),
    ],
)
def test_the_keys_of_a_game(name: str, options: Any, keys: tuple[int, ...]) -> None:
    assert words_of(zerosum.game(name, **options)).keys() == keys
