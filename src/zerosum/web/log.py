"""The log: one line a request, and nothing in it that would open a match."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any
from urllib.parse import quote

REQUESTS = logging.getLogger("zerosum.web.requests")
TROUBLE = logging.getLogger("zerosum.web")

SHOWN = 6
LONGEST_WORD = 24
LONGEST_PATH = 120


class _Stderr(logging.StreamHandler[Any]):
    """Writes to standard error, and does not mind when nobody reads it."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Let a line go that cannot be written."""


def start_log(quiet: bool) -> None:
    """Send lines to standard error: all of them, or only those about trouble."""
    handler = _Stderr(sys.stderr)
    handler.setFormatter(_formatter())
    for logger in (TROUBLE, logging.getLogger("uvicorn.error")):
        for old in list(logger.handlers):
            logger.removeHandler(old)
        logger.addHandler(handler)
        logger.propagate = False
    TROUBLE.setLevel(logging.INFO)
    REQUESTS.setLevel(logging.CRITICAL if quiet else logging.INFO)


def _formatter() -> logging.Formatter:
    """Begin every line with the time of the world, to the second."""
    made = logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    made.converter = time.gmtime
    return made


def log_request(method: str, path: str, status: int, seconds: float, client: str) -> None:
    """Write a line about a request; status 0: the client was gone before the answer."""
    if not REQUESTS.isEnabledFor(logging.INFO) or (0 < status < 400 and _dull(path)):
        return
    REQUESTS.info(
        "%s %s %s %.0fms %s", method, shown(path), status or "-", 1000 * seconds, client or "-"
    )


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
