"""Users' games in the server: everything that is said of them, and none of their rules."""

from pathlib import Path

import msgspec
import pytest

from tests.game_files import COUNTDOWN, NOUGHTS, STEPS
from tests.web.support import Inside
from zerosum.errors import GameError, OptionError, UnknownGame
from zerosum.options import option_values, options_of
from zerosum.registry import entry_of, find
from zerosum.web.analysis.stand_ins import about, stand_in, texts_of

OPTIONS = """class Countdown(Game[State]):
    texts: str = option("x", "named like a part of ours", choices=("x", "y"))
    large: int = option(10**30, least=1, most=10**40)
    numbers: tuple = option((1, 3), "several", least=1)
    flag: bool = option(False)
"""


@pytest.mark.parametrize("text", ["", STEPS, COUNTDOWN, OPTIONS])
def test_stand_in_has_all_but_the_rules(tmp_path: Path, text: str) -> None:
    path = Path(NOUGHTS)
    if text:
        path = tmp_path / "own.py"
        if text == OPTIONS:
            text = COUNTDOWN.replace("class Countdown(Game[State]):\n", OPTIONS)
        path.write_text(text.replace("Game, Outcome\n", "Game, Outcome, option\n"))
    real = find(str(path))
    entry, file = stand_in(msgspec.json.decode(msgspec.json.encode(about(str(path)))))
    variant = entry.variant()
    assert (entry.name, entry.file, file.path) == (real.name, real.file, str(path))
    assert options_of(entry.game) == options_of(real.game)
    assert option_values(variant) == option_values(real.variant())
    assert texts_of(variant) == texts_of(real.variant())
    assert entry_of(variant) is entry
    for method in ("initial", "moves", "play", "outcome"):
        with pytest.raises(NotImplementedError):
            getattr(variant, method)()
    with pytest.raises(OptionError):
        entry.variant(unknown=1)


def test_two_games_of_one_name_are_both_named(tmp_path: Path) -> None:
    first, second, steven = (tmp_path / f"{name}.py" for name in ("first", "second", "steven"))
    for path in (first, second):
        path.write_text(COUNTDOWN)
    steven.write_text(COUNTDOWN.replace("class Countdown", "class EvenSteven"))
    for paths, name, named in (
        ((first, second), "countdown", f"{first} and {second}"),
        ((steven,), "even-steven", f"a built-in one and {steven}"),
    ):
        with pytest.raises(UnknownGame) as refused, Inside("", files=tuple(map(str, paths))):
            pass
        remedy = "Rename the class of one of them."
        assert str(refused.value) == f"Two games are called '{name}': {named}. {remedy}"


@pytest.mark.parametrize("told", [None, {}, ["x", None, "", ["", "", ""], [["if", 1]]]])
def test_malformed_descriptions_are_not_games(told: object) -> None:
    with pytest.raises(GameError, match="could not be loaded"):
        stand_in(told)
