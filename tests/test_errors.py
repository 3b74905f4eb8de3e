"""The command that installs what is missing: it suits a clone and an installed package."""

import sys
from pathlib import Path

import pytest

from zerosum import errors
from zerosum.errors import MissingExtra, install_command

ROOT = Path(errors.__file__).parents[2]


def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the package look as if it were installed in a folder."""
    monkeypatch.setattr(errors, "__file__", str(site / "zerosum" / "errors.py"))


def test_clone_is_installed_again() -> None:
    assert install_command("rl") == f"{sys.executable} -m pip install -e '{ROOT}[rl]'"


def test_package_gets_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed(tmp_path / "lib" / "site", monkeypatch)
    for extra in ("web", "rl"):
        command = f"{sys.executable} -m pip install 'zerosum[{extra}]'"
        assert install_command(extra) == command
        assert str(MissingExtra("This", extra)).endswith(f" not installed. Run: {command}")


def test_environment_without_pip_uses_uv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed(tmp_path / "lib" / "site", monkeypatch)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert install_command("rl") == f"uv pip install --python {sys.executable} 'zerosum[rl]'"
