"""Files that should hold a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import METHODS, ONE, helpful
from tests.cli.support import first_id as run_id
from tests.helpers import run

TWO = f"{ONE}@dataclass(frozen=True)\nclass Two(Game[State]):{METHODS}"
FILES: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["holds no game", "initial"]),
    "comment": (b"# nothing yet\n", ["holds no game"]),
    "syntax error": (b"x = 1\nclass Mine(\n", ["does not load", "line 2"]),
    "raising": (b"x = 1\n\nx / 0\n", ["does not load", "line 3", "ZeroDivisionError"]),
    "missing import": (b"import no_such_module\n", ["does not load", "line 1", "no_such_module"]),
    "exit": (b"import sys\nsys.exit(3)\n", ["does not load", "line 2"]),
    "recursion": (b"def f(): f()\nf()\n", ["does not load", "RecursionError"]),
    "no class": (b"def initial(): pass\n", ["holds no game"]),
    "other class": (b"class Cat:\n    pass\n", ["holds no game"]),
    "lacking": (
        b"from zerosum import Game\nclass Mine(Game[tuple]):\n    def initial(self): pass\n",
        ["Mine lacks moves, play, outcome."],
    ),
    "not a subclass": (
        ONE.replace("class One(Game[State])", "class One").encode(),
        ["One is not a game", "class One(Game[State])"],
    ),
    "not a dataclass": (
        b"from zerosum import option\n"
        + ONE.replace("@dataclass(frozen=True)\n", "")
        .replace("(Game[State]):", "(Game[State]):\n    start: int = option(3)")
        .encode(),
        ["@dataclass(frozen=True)", "class One"],
    ),
    "two": (TWO.encode(), ["several games (One, Two)", "./mine.py:One"]),
    "binary": (bytes(range(256)), ["does not load"]),
    "latin-1": ("name = 'Müller'\n".encode("latin-1"), ["does not load"]),
    "escape": (b"raise ValueError('\\x1b[31mred')\n", ["does not load", "line 1"]),
}


@pytest.mark.parametrize("what", list(FILES))
def test_a_file_without_a_game_says_what_is_wrong_with_it(home: Path, what: str) -> None:
    content, says = FILES[what]
    (home / "mine.py").write_bytes(content)
    for command in ("play", "check"):
        helpful(run(home, command, "./mine.py"), 1, "mine.py", *says)


def test_one_of_two_games_in_a_file_is_picked_by_its_class(home: Path) -> None:
    (home / "mine.py").write_text(TWO)
    done = run(home, "play", "./mine.py:Two", typed="1\n")
    assert done.returncode == 0
    assert "Number: 2" in done.stdout
    helpful(run(home, "play", "./mine.py:Three"), 1, "no class Three")


def test_a_folder_without_rules_is_refused(home: Path) -> None:
    (home / "mine").mkdir()
    helpful(run(home, "play", "./mine"), 2, "folder without a rules.py")


def test_a_game_of_ones_own_answers_bad_input_like_any_other(home: Path) -> None:
    (home / "mine.py").write_text(ONE)
    done = run(home, "play", "mine.py", typed=b"x\n\n2\n\xff\n1\n")
    assert done.returncode == 0
    assert "'x' is not a whole number. Legal now: 1." in done.stdout
    assert "Only 1. Legal now: 1." in done.stdout
    assert stored_own(home) == [1]


def stored_own(home: Path) -> Any:
    return json.loads(run(home, "export", run_id(home)).stdout)["rounds"][0]["moves"]
