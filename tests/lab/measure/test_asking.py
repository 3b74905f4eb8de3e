"""Which players can be asked, what names one, and how their answers are judged."""

from pathlib import Path
from typing import Any

import pytest

import zerosum
from zerosum.players.asked import CallablePlayer, PlayerFault, UnknownPlayer, check_player

GAME = zerosum.game("dual-digits")
START = GAME.initial()


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize("error", [KeyError("oh"), SystemExit(2), Mute()])
def test_function_that_fails_gives_no_answer(error: BaseException) -> None:
    def choose(game: Any, state: Any) -> Any:
        raise error

    with pytest.raises(PlayerFault, match=r"choose failed: test_asking\.py, line \d+: "):
        CallablePlayer(GAME, choose).ask(START, 1)


def test_function_with_other_arguments_gives_no_answer() -> None:
    with pytest.raises(PlayerFault, match="<lambda> failed: TypeError: "):
        CallablePlayer(GAME, lambda: 1).ask(START, 1)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hrad", "did you mean hard?"),
        ("", "There is no level ''"),
        ("dual-digits", "dual-digits is a game; name a player too"),
        ("./mine.py:LastStick", "./mine.py:LastStick is a game; name a player too"),
        ("./missing.py:choose", "There is no file ./missing.py."),
        ("missing:choose", "There is no file missing."),
        ("{file}", "Name a function in {file}, such as {file}:choose."),
        ("{file}:", "Name a function in {file}, such as {file}:choose."),
        ("{file}:a b", "Name a function in {file}, such as {file}:choose."),
        ("{folder}", "There is no file {folder}."),
        ("{folder}:choose", "There is no file {folder}."),
    ],
)
def test_what_does_not_name_a_player(tmp_path: Path, name: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text("")
    names = {"file": file, "folder": tmp_path}
    with pytest.raises(UnknownPlayer) as error:
        check_player(name.format(**names))
    assert says.format(**names) in str(error.value)
