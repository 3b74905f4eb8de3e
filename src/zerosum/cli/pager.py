"""The pager: long pages on a terminal, one screen at a time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from shlex import split
from shutil import get_terminal_size, which

CODES = re.compile(r"\x1b\[[0-9;]*m")
# As git does: colours are shown, a page of one screen is printed, and the screen is not cleared.
LESS = {"LESS": "FRX", "LV": "-c"}


def show(text: str) -> None:
    """Print a text; if it is longer than the screen, through the user's pager."""
    sys.stdout.flush()
    if _height(text) < get_terminal_size().lines:
        sys.stdout.write(text)
        return
    # Ctrl-C is the pager's own: it stops a search. What is not ignored is the default there again.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        pager = subprocess.Popen(  # noqa: S603 (the user's own)
            _command(), stdin=subprocess.PIPE, env={**LESS, **os.environ}
        )
        pager.communicate(text.encode("utf-8", "replace"))
    except (OSError, IndexError):  # there is none, or it cannot be run
        sys.stdout.write(text)
    finally:
        signal.signal(signal.SIGINT, before)


def _command() -> list[str]:
    """Return the user's pager, or the best one that is installed."""
    named = os.environ.get("PAGER")
    if named is not None:
        with suppress(ValueError):
            return split(named)
    return [program for program in map(which, ("less", "more")) if program][:1]


def _height(text: str) -> int:
    """Count the lines that a text takes on the screen."""
    columns = max(1, get_terminal_size().columns)
    lines = CODES.sub("", text).split("\n")
    return sum(max(1, -(-len(line) // columns)) for line in lines) - 1
