"""Fingerprints of games: their own files, and the names and versions of their libraries."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.game_files import STICK
from zerosum.errors import GameError
from zerosum.registry import fingerprint as module
from zerosum.registry.fingerprint import fingerprint

RULES = Path(STICK).read_text()
HELPED = RULES.replace("(1, 2, 3)", "STEPS")
INSIDE = RULES.replace("        return tuple(", "        import numpy\n        return tuple(")


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def taken(path: Path, text: str = "") -> str:
    """Return the fingerprint of a game, after writing its file if a source is given."""
    return fingerprint(zerosum.game(str(written(path, text) if text else path)))


@pytest.mark.parametrize("text", [f"import numpy\n{RULES}", INSIDE], ids=["top", "inside"])
def test_importing_numpy_is_not_a_change(text: str, tmp_path: Path) -> None:
    # In a process of its own, where NumPy is loaded only after the file was.
    path = written(tmp_path / "sticks.py", text)
    code = (
        "import sys, zerosum\n"
        f"game = zerosum.game({str(path)!r})\n"
        f"for _ in (1, 2): print(zerosum.solve(game, cache={str(tmp_path / 'cache')!r})"
        ".value(game.initial()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Value(result='win', plies=6)\n" * 2
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "changing.py", RULES)
    game = zerosum.game(str(path))
    first = fingerprint(game)
    path.write_text(RULES.replace("(1, 2, 3)", "(1, 2)"))
    with pytest.raises(GameError, match=r"changing\.py, or a file that it imports, has changed"):
        zerosum.solve(game, cache=str(tmp_path))
    path.write_text(RULES)
    assert fingerprint(game) == first
    path.unlink()
    with pytest.raises(GameError, match="can no longer be read"):
        fingerprint(game)


@pytest.mark.parametrize(
    ("line", "helper"),
    [
        ("from sticks_beside import STEPS", "sticks_beside.py"),
        ("from sticks_package.small import STEPS", "sticks_package/small.py"),
        ("if True:\n    from sticks_folder.small import STEPS", "sticks_folder/small.py"),
    ],
    ids=["file", "package", "folder"],
)
def test_a_changed_helper_is_noticed(
    line: str, helper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    path = written(tmp_path / helper, "STEPS = (1, 2, 3)\n")
    if "package" in helper:
        written(path.parent / "__init__.py", "")
    game = zerosum.game(str(written(tmp_path / "helped.py", f"{line}\n{HELPED}")))
    fingerprint(game)
    path.write_text("STEPS = (1, 2)\n")
    with pytest.raises(GameError, match="has changed since it was loaded"):
        fingerprint(game)


@pytest.mark.parametrize(
    "line", ["from .steps import STEPS", "from . import steps\nSTEPS = steps.STEPS"]
)
def test_relative_imports_in_a_folder_are_followed(line: str, tmp_path: Path) -> None:
    for name, steps in (("first", "(1, 2, 3)"), ("same", "(1, 2, 3)"), ("other", "(1, 2)")):
        written(tmp_path / name / "steps.py", f"STEPS = {steps}\n")
        written(tmp_path / name / "rules.py", f"{line}\n{HELPED}")
    first, same, other = (taken(tmp_path / name) for name in ("first", "same", "other"))
    assert first == same != other


def test_another_version_of_a_library_is_another_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"import numpy\n{RULES}"
    first, same = (taken(tmp_path / f"{name}.py", text) for name in ("first", "same"))
    usual = module._version
    monkeypatch.setattr(module, "_version", lambda n: "0.1" if n == "numpy" else usual(n))
    assert first == same != taken(tmp_path / "other.py", text)


def test_the_version_of_zerosum_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = taken(tmp_path / "first.py", RULES)
    monkeypatch.setattr(zerosum, "__version__", "99")
    assert taken(tmp_path / "second.py", RULES) != first


def test_missing_library_is_not_an_error(tmp_path: Path) -> None:
    optional = "try:\n    import nothing_of_this_name\nexcept ImportError:\n    pass\n"
    assert taken(tmp_path / "optional.py", optional + RULES)


def test_libraries_may_be_installed_in_a_folder_of_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lib, text = tmp_path / "lib[1]", f"import sticks_library\n{RULES}"
    monkeypatch.syspath_prepend(str(lib))
    written(lib / "sticks_library.py", "")
    about = "Metadata-Version: 2.1\nName: sticks_library\nVersion: 1.0\n"
    written(lib / "sticks_library-1.0.dist-info" / "METADATA", about)
    written(lib / "sticks_library-1.0.dist-info" / "RECORD", "sticks_library.py,,\n")
    first = taken(tmp_path / "first.py", text)
    written(lib / "sticks_library.py", "# another line\n")
    assert taken(tmp_path / "second.py", text) == first
    # The game's own files may lie there too.
    written(lib / "sticks_helper.py", "")
    text = text.replace("sticks_library", "sticks_helper")
    first = taken(lib / "first.py", text)
    written(lib / "sticks_helper.py", "# another line\n")
    assert taken(lib / "second.py", text) != first


def test_an_installed_game_is_its_own_package_and_not_its_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site-packages"
    monkeypatch.syspath_prepend(str(site))
    imports = "import hypothesis\nimport sticks_own_neighbour\nfrom sticks_own.steps import STEPS\n"
    written(site / "sticks_own" / "__init__.py", "")
    written(site / "sticks_own" / "rules.py", imports + HELPED)
    own = written(site / "sticks_own" / "steps.py", "STEPS = (1, 2, 3)\n")
    neighbour = written(site / "sticks_own_neighbour.py", "")
    for name in ("sticks_own", "sticks_own_neighbour"):
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        written(site / f"{name}-1.0.dist-info" / "METADATA", about)
    points = "[zerosum.games]\nsticks-own = sticks_own.rules:LastStick\n"
    written(site / "sticks_own-1.0.dist-info" / "entry_points.txt", points)
    game: Any = zerosum.game("sticks-own")
    first = fingerprint(game)
    neighbour.write_text("# another line\n")
    assert fingerprint(game) == first
    own.write_text("STEPS = (1, 2)\n")
    with pytest.raises(GameError, match="has changed since it was loaded"):
        fingerprint(game)


def test_rules_without_a_file_have_no_fingerprint() -> None:
    kind = type(zerosum.game("even-steven"))
    loose: Any = type("Loose", (kind,), {"__module__": "no_module_of_this_name"})
    with pytest.raises(GameError, match="Loose has no file"):
        fingerprint(loose())
