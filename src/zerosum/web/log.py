"""The log: one line a request, and nothing in it that would open a match."""

from __future__ import annotations

import logging
import re
import sys
import time
from contextlib import suppress
from urllib.parse import quote

TROUBLE = logging.getLogger("zerosum.web")

SHOWN = 6
NAME = re.compile(r"\b[2-9a-hjkmnp-z]{26}\b")
LONGEST_WORD = 24
LONGEST_PATH = 120


class _Trouble(logging.Handler):
    """Writes what is logged in the same way as lines about requests."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, and what belongs to it; of a match's name only the beginning."""
        _lines.write(NAME.sub(lambda found: found[0][:SHOWN], self.format(record)))


class _Lines:
    """Writes lines, each with its time; those about requests only once the log is started."""

    def __init__(self) -> None:
        """Begin with a log that is not kept."""
        self.kept = False
        self._second = 0
        self._time = ""

    def write(self, line: str) -> None:
        """Write a line; nothing happens where nobody reads it."""
        second = int(time.time())
        if second != self._second:
            self._second = second
            self._time = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{self._time} {line}\n")


_lines = _Lines()


def start_log(quiet: bool) -> None:
    """Send lines to standard error: all of them, or only those about trouble."""
    handler = _Trouble()
    for logger in (TROUBLE, logging.getLogger("uvicorn.error")):
        for old in list(logger.handlers):
            logger.removeHandler(old)
        logger.addHandler(handler)
    TROUBLE.setLevel(logging.INFO)
    _lines.kept = not quiet


def stop_log() -> None:
    """Leave everything as it was before the log was started."""
    for logger in (TROUBLE, logging.getLogger("uvicorn.error")):
        logger.handlers.clear()
    _lines.kept = False


def log_request(method: str, path: str, status: int, seconds: float, client: str) -> None:
    """Write a line about a request; status 0: the client was gone before the answer."""
    if not _lines.kept or (0 < status < 400 and _dull(path)):
        return
    _lines.write(f"{method} {shown(path)} {status or '-'} {1000 * seconds:.0f}ms {client or '-'}")


def _dull(path: str) -> bool:
    """Tell whether nobody wants to read about a path that worked."""
    return path.startswith("/static/") or path in ("/healthz", "/pictures.css")


def shown(path: str) -> str:
    """Write a path so that it opens nothing: of a match's name, only the beginning.

    >>> shown("/m/abcdefghijklmnopqrstuvwxyz/state")
    '/m/abcdef/state'
    """
    words = path.split("/")
    for at, word in enumerate(words):
        if len(word) > LONGEST_WORD or words[at - 1 : at] == ["m"]:
            words[at] = word[:SHOWN]
    return quote("/".join(words)[:LONGEST_PATH])
