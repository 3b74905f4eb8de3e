"""The plainest case of the platform's directories is ours; it must agree with platformdirs."""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from zerosum.cli.dirs import config_file, data_file


@pytest.mark.parametrize("xdg", [None, "", "/somewhere/else", "relative"])
@pytest.mark.parametrize("home", ["/home/ada", "/"])
def test_as_platformdirs_says(monkeypatch: pytest.MonkeyPatch, xdg: str | None, home: str) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("ZEROSUM_CONFIG", raising=False)
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        if xdg is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, xdg)
    data = Path(platformdirs.user_data_dir("zerosum", appauthor=False))
    config = Path(platformdirs.user_config_dir("zerosum", appauthor=False))
    assert Path(data_file()) == data / "zerosum.db"
    assert Path(config_file()) == config / "config.toml"


def test_the_common_case_does_not_load_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("the short way is for Linux")
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert data_file() == "/home/ada/.local/share/zerosum/zerosum.db"
