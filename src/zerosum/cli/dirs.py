"""The platform's own places for our files."""

from __future__ import annotations

import os
import sys

APP = "zerosum"


def data_file() -> str:
    """Where matches are kept unless another place is named."""
    return os.path.join(_directory("data", "XDG_DATA_HOME", ".local/share"), "zerosum.db")


def config_file() -> str:
    """Where settings are read from unless another place is named."""
    named = os.environ.get("ZEROSUM_CONFIG")
    return named or os.path.join(_directory("config", "XDG_CONFIG_HOME", ".config"), "config.toml")


def cache_dir() -> str:
    """Where solutions are kept that can be worked out again."""
    named = os.path.expanduser(os.environ.get("ZEROSUM_CACHE", ""))
    return named or _directory("cache", "XDG_CACHE_HOME", ".cache")


def _directory(kind: str, variable: str, usual: str) -> str:
    """Ask platformdirs, except in the plainest case: loading it doubles the time to a prompt."""
    home = os.environ.get("HOME", "")
    if sys.platform == "linux" and variable not in os.environ and os.path.isabs(home):
        return os.path.join(home, usual, APP)
    import platformdirs

    places = {
        "data": platformdirs.user_data_dir,
        "config": platformdirs.user_config_dir,
        "cache": platformdirs.user_cache_dir,
    }
    return places[kind](APP, appauthor=False)
