"""The log: one line per request, nothing in it that opens a match, and no way to flood it."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote

log = logging.getLogger("zerosum.web")
LOGGERS = (log, logging.getLogger("asyncio"))

SHOWN = 6
# An id of a match, but for its beginning; and what SQLite cannot decode: perhaps a player's name.
HIDDEN = re.compile(r"(?<=\b[2-9a-hjkmnp-z]{6})[2-9a-hjkmnp-z]{20}\b|(?<=with text ')(?s:.*)(?=')")
LONGEST_WORD = 24
LONGEST_PATH = 120
LONGEST_TEXT = 1000
FRAMES = 12
CAUSES = 3
# Their messages are about the code; those of others may quote what somebody typed.
ABOUT_CODE = (AttributeError, ImportError, NameError, RecursionError, TypeError, ZeroDivisionError)

# Not worth a line, if successful.
ROUTINE = ("/static/", "/healthz")
MINUTE = 60.0
REQUEST_LINES = 120
PROBLEM_LINES = 5
KINDS = 200


class Bug(RuntimeError):
    """A fault of our own in a solver process; the message is its trace."""


class Log(logging.Handler):
    """Writes a few lines of each kind a minute, and then how many more there were."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with the request log off."""
        super().__init__()
        self.requests = False
        self._clock = clock
        self._ends = 0.0
        self._counts: dict[str, list[int]] = {}

    def write(self, line: str, kind: str, most: int, others: str = "") -> None:
        """Write a line unless there were many of its kind; `others` counts further kinds."""
        now = self._clock()
        if now >= self._ends:
            self.sum_up()
            self._ends = now + MINUTE
        if others and kind not in self._counts and len(self._counts) >= KINDS:
            kind = others
        count = self._counts.setdefault(kind, [0, most])
        count[0] += 1
        if count[0] <= most:
            _print(line)

    def sum_up(self) -> None:
        """Write how many lines were left out."""
        counts, self._counts = self._counts, {}
        for kind, (count, most) in counts.items():
            if count > most:
                _print(f"… {count - most} more like this within a minute ({kind})")

    def emit(self, record: logging.LogRecord) -> None:
        """Write what went wrong, without names of players or whole ids of matches."""
        text = HIDDEN.sub("…", record.getMessage())[:LONGEST_TEXT]
        file, line = record.pathname, record.lineno
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            text += "\n" + HIDDEN.sub("…", trace(error))
            for frame, at in traceback.walk_tb(error.__traceback__):
                file, line = frame.f_code.co_filename, at
        self.write(text, f"{os.path.basename(file)}:{line}", PROBLEM_LINES)


def _print(line: str) -> None:
    """Print a line with the time; ignore a closed standard error."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}\n")


def trace(error: BaseException | None) -> str:
    """Return where an error and its causes happened; their messages only if about the code."""
    parts: list[str] = []
    while error is not None and len(parts) < CAUSES:
        frames = traceback.format_tb(error.__traceback__)[-FRAMES:]
        said = f": {error}"[:LONGEST_TEXT] if type(error) in ABOUT_CODE else ""
        if isinstance(error, Bug):
            said = f" in a solver process:\n{error}"
        parts.append(
            f"Traceback (most recent call last):\n{''.join(frames)}{type(error).__name__}{said}"
        )
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nThis was caused by:\n".join(parts)


_handler = Log()


def start_log(quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
    """Log to standard error: everything, or only problems if `quiet`."""
    global _handler
    stop_log()
    _handler = Log(clock)
    _handler.requests = not quiet
    for logger in LOGGERS:
        logger.addHandler(_handler)
    log.setLevel(logging.INFO)


def stop_log() -> None:
    """Write what was left out, and restore the state before the log was started."""
    _handler.sum_up()
    _handler.requests = False
    for logger in LOGGERS:
        logger.removeHandler(_handler)


def log_request(method: str, path: str, status: int, seconds: float, client: str) -> None:
    """Log a request; status 0 means that the client left before the answer."""
    if _handler.requests and not (0 < status < 400 and path.startswith(ROUTINE)):
        client = client or "-"
        line = f"{method} {short_path(path)} {status or '-'} {1000 * seconds:.0f}ms {client}"
        _handler.write(line, f"requests from {client}", REQUEST_LINES, "requests from others")


def short_path(path: str) -> str:
    """Return a path that opens nothing: it has only the beginning of a match's id.

    >>> short_path("/api/v1/matches/abcdefghijklmnopqrstuvwxyz/coach")
    '/api/v1/matches/abcdef/coach'
    """
    words = path.split("/")
    for at, word in enumerate(words):
        if len(word) > LONGEST_WORD or words[at - 1 : at] in (["m"], ["matches"]):
            words[at] = word[:SHOWN]
    return quote("/".join(words)[:LONGEST_PATH])
