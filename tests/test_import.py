"""What `import zerosum` loads, and the names that it promises."""

import doctest
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import zerosum
from tests.game_files import STICK

ROOT = Path(__file__).parents[1]
LOADED = "import sys, zerosum; print(*sorted(sys.modules))"
# The names at the top, by who needs them. Whatever is not here has a home one level deeper.
PUBLIC = {
    # An author writes rules, words and a theory, and has them checked.
    *("Game", "Move", "Outcome", "Value", "option", "options_of", "Theory"),
    *("Words", "Field", "Mark", "Step", "check_game"),
    # A program finds a game, shows it, plays it, and keeps what was played.
    *("game", "games", "describe", "rules_text", "read_answer"),
    *("Match", "Round", "Event", "End", "open_store"),
    # It asks who wins, within limits, and sees it on a map.
    *("solve", "Solution", "Limits", "map_svg"),
    # A teacher explains it.
    *("Coach", "review", "Review", "puzzles", "Puzzle", "find_law", "Law"),
    # The computer plays too.
    *("Bot", "LevelBot", "autoplay"),
    # The laboratory: other people's environments, and what is true of a game as a whole.
    *("from_env", "audit_game", "Audit"),
    # The errors that callers handle: a wrong move or option, and what cannot be known.
    *("ZerosumError", "IllegalMove", "UnreadableMove", "OptionError", "TooLarge", "Unknown"),
}


# Each rule book may call its state a state.
SHARED = {"State"}
STRING = re.compile(r'"""(?:.|\n)*?"""')
CLASS = re.compile(r"^ *class (\w+)[(:\[]", re.MULTILINE)


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_loads_only_the_standard_library() -> None:
    # What the interpreter itself starts with: its own site and the finder of an editable install.
    before = loaded("import sys; print(*sorted(sys.modules))")
    after = loaded(LOADED) - before
    assert not {name.partition(".")[0] for name in after} - {*sys.stdlib_module_names, "zerosum"}
    assert not after & {"sqlite3", "json", "random", "importlib.metadata", "asyncio", "dataclasses"}


def test_importing_leaves_no_file_open() -> None:
    code = "import zerosum.lab.adapters.running"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True)
    assert done.stderr == b""


PACKAGES = {
    "": PUBLIC,
    "bulk": {"Batch", "Table", "best_response", "exploitability", "outcome_chances"},
    "players": {
        *("Bot", "Chances", "Estimate", "LevelBot", "Strengths", "Tournament"),
        *("PolicyPlayer", "level_policy", "policy_of", "strengths"),
    },
    "solver": {"Search", "Solution", "Theory", "solve", "solve_table"},
    "envs": {"Encoding", "aec_env", "gym_env", "openspiel_game", "sb3_env", "vector_env"},
    "lab.measure": {
        *("Measurement", "Measurements", "PlayerFailed", "PlayerFault", "ProgramLimits"),
        *("ProgramPlayer", "measure_player", "measure_players", "measurement_svg", "open_journal"),
    },
}


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_have_their_public_names(name: str) -> None:
    package = import_module(f"zerosum.{name}".rstrip("."))
    source = Path(str(package.__file__)).read_text()
    assert set(package.__all__) == PACKAGES[name]
    assert set(dir(package)) >= PACKAGES[name]
    for public in PACKAGES[name] - {"sb3_env"}:  # whose library is not among ours
        assert getattr(package, public).__doc__, public
        assert f"import {public} as {public}\n" in source


def test_public_names_at_the_top_are_few_and_hide_no_module() -> None:
    assert len(PUBLIC) <= 45
    folder = Path(str(zerosum.__file__)).parent
    for name in PUBLIC:
        assert not (folder / f"{name}.py").exists()
        assert not (folder / name).is_dir()
        assert not isinstance(getattr(zerosum, name), ModuleType)


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        ("--help", {"rich", "platformdirs", "sqlite3", "json", "tomllib", "importlib.metadata"}),
        ("mcp --help", {"mcp", "anyio", "starlette", "asyncio", "sqlite3", "zerosum.mcp"}),
        ("web --help", {"httptools", "starlette", "asyncio", "sqlite3"}),
        ("games", {"msgspec", "zerosum.solver", "sqlite3"}),
        ("history", {"msgspec", "zerosum.solver"}),
        ("levels --help", {"numpy"}),
        (
            "solve digit-battle --lives 1",
            {"zerosum.solver.spread", "zerosum.cluster", "distributed"},
        ),
        ("measure easy dual-digits", {"zerosum.solver.spread", "zerosum.cluster", "distributed"}),
    ],
)
def test_commands_load_only_what_they_need(command: str, unneeded: set[str]) -> None:
    code = (
        f"import sys; from zerosum.cli import run; run({command.split()}); "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & unneeded


CLIENT = f"""
{Path(STICK).read_text()}
import random
from collections.abc import Iterator
from typing import assert_type

from zerosum import LevelBot, Match, Puzzle, Solution, Value, autoplay, game, puzzles, solve

class Mine:
    def move(self, state: State) -> int:
        return 1

match = Match.new(LastStick())
assert_type(match, Match[State])
assert_type(match.state.sticks, int)
assert_type(match.play(1).round.states[0], State)
assert_type(solve(LastStick()), Solution[State])
assert_type(solve(LastStick()).value(match.state), Value)
assert_type(autoplay(match, (Mine(), Mine())).state, State)
assert_type(Match.from_json("", LastStick), Match[State])
assert_type(puzzles(solve(LastStick())), Iterator[Puzzle[State]])
assert_type(LevelBot("hard", LastStick(), random.Random(1)).game, Game[State])
assert_type(game("even-steven").initial().number, int)
"""


def test_clients_and_the_library_page_pass_strict_mypy(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(CLIENT)
    page = ROOT / "docs" / "library.md"
    (tmp_path / "page.py").write_text(doctest.script_from_examples(page.read_text()))
    # With the settings and the cache of `make lint`, which has read the rest already.
    files = [str(tmp_path / name) for name in ("client.py", "page.py")]
    mypy = [sys.executable, "-m", "mypy", "--strict", *files]
    done = subprocess.run(mypy, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_no_class_name_means_two_things() -> None:
    sources = [path.read_text() for path in (ROOT / "src").rglob("*.py")]
    classes = [name for text in sources for name in CLASS.findall(STRING.sub("", text))]
    assert len(classes) > 500
    found = Counter(name.lstrip("_") for name in classes)
    assert {name for name, count in found.items() if count > 1} <= SHARED
