"""What `import zerosum` may load, and the names that it promises."""

from __future__ import annotations

import subprocess
import sys

import zerosum

LOADED = "import sys, zerosum; print(*sorted(sys.modules))"


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_loads_only_the_standard_library() -> None:
    ours = {"zerosum"}
    # What the interpreter itself starts with: its own site and the finder of an editable install.
    before = loaded("import sys; print(*sorted(sys.modules))")
    names = {name.partition(".")[0] for name in loaded(LOADED) - before}
    assert not names - set(sys.stdlib_module_names) - ours


def test_importing_loads_nothing_heavy_of_the_standard_library_either() -> None:
    assert not loaded(LOADED) & {"sqlite3", "json", "random", "importlib.metadata", "asyncio"}


def test_the_public_names() -> None:
    assert zerosum.__all__ == [
        "GameError",
        "IllegalMove",
        "Match",
        "MoveError",
        "OptionError",
        "Outcome",
        "UnknownGame",
        "UnreadableMove",
        "Value",
        "ZerosumError",
        "game",
        "games",
        "solve",
    ]
    for name in zerosum.__all__:
        assert getattr(zerosum, name).__doc__


def test_game_and_games_stay_functions_whatever_else_is_imported() -> None:
    code = (
        "import zerosum, zerosum.games.even_steven.words, zerosum.store, zerosum.cli.play\n"
        "import zerosum.game, zerosum.games\n"
        "print(zerosum.games()[0], zerosum.game('even-steven').start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "even-steven 15\n"


def test_the_command_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys; from zerosum.cli import run; run(['--help']); "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = set(done.stderr.split())
    assert not names & {"rich", "platformdirs", "sqlite3", "json", "tomllib", "importlib.metadata"}
