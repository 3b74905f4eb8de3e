"""The log: one line per request, and nothing in it that opens a match."""

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
    """Writes log records in the same format as requests."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; of a match's id, only the beginning."""
        _lines.write(NAME.sub(lambda found: found[0][:SHOWN], self.format(record)))


class _Lines:
    """Writes lines with timestamps; lines about requests only once the log is started."""

    def __init__(self) -> None:
        """Start with the request log off."""
        self.kept = False
        self._second = 0
        self._time = ""

    def write(self, line: str) -> None:
        """Write a line; ignore a closed standard error."""
        second = int(time.time())
        if second != self._second:
            self._second = second
            self._time = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{self._time} {line}\n")


_lines = _Lines()


def start_log(quiet: bool) -> None:
    """Log to standard error: everything, or only errors if `quiet`."""
    handler = _Trouble()
    for logger in (TROUBLE, logging.getLogger("uvicorn.error")):
        for old in list(logger.handlers):
            logger.removeHandler(old)
        logger.addHandler(handler)
    TROUBLE.setLevel(logging.INFO)
    _lines.kept = not quiet


def stop_log() -> None:
    """Restore the state before the log was started."""
    for logger in (TROUBLE, logging.getLogger("uvicorn.error")):
        logger.handlers.clear()
    _lines.kept = False


def log_request(method: str, path: str, status: int, seconds: float, client: str) -> None:
    """Log a request; status 0 means that the client left before the answer."""
    if not _lines.kept or (0 < status < 400 and _dull(path)):
        return
    _lines.write(f"{method} {shown(path)} {status or '-'} {1000 * seconds:.0f}ms {client or '-'}")


def _dull(path: str) -> bool:
    """Return whether successful requests for a path are not worth a line."""
    return path.startswith("/static/") or path in ("/healthz", "/pictures.css")


def shown(path: str) -> str:
    """Return a path that opens nothing: of a match's id, only the beginning.

    >>> shown("/m/abcdefghijklmnopqrstuvwxyz/state")
    '/m/abcdef/state'
    """
    words = path.split("/")
    for at, word in enumerate(words):
        if len(word) > LONGEST_WORD or words[at - 1 : at] == ["m"]:
            words[at] = word[:SHOWN]
    return quote("/".join(words)[:LONGEST_PATH])
