"""Questions and answers: lines from a person or a pipe, with a time limit, whatever the bytes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from zerosum.cli.console import Console
from zerosum.text import brief, visible

if TYPE_CHECKING:
    from zerosum.cli.line_editor import LineEditor

# What Tab completes.
Completions = Callable[[], Iterable[str]]

# The rest of a longer line is read and dropped.
LONGEST_LINE = 1_000_000
LONGEST_ECHO = 10_000
CHUNK = 65_536
LONGEST_WAIT = 3_600.0


class OutOfTime(Exception):
    """The time ran out before a line was finished."""


class Quit(Exception):
    """The player quits, or the input has ended."""


class Prompt:
    """Asks on a console, and reads the answer."""

    def __init__(self, console: Console) -> None:
        """Read answers from standard input."""
        self.console = console
        self.reader = Reader.stdin()

    @cached_property
    def editor(self) -> LineEditor | None:
        """The line editor, if there is a terminal and the platform has one."""
        if not self.reader.terminal:
            return None
        try:
            from zerosum.cli.line_editor import line_editor
        except ImportError:
            return None
        return line_editor(self.console)

    def ask(self, question: str, deadline: float | None = None, words: Completions = tuple) -> str:
        """Ask, wait for a line, and echo it if the terminal has not."""
        question = visible(question)
        if self.editor is not None:
            line = self.editor.read(question, deadline, words)
        else:
            self.console.write(question)
            self.console.stream.flush()
            line = self.reader.readline(deadline)
        if line is None:
            self.console.line()
            raise Quit
        if deadline is not None and time.monotonic() > deadline:
            raise OutOfTime
        if not self.reader.terminal:
            self.console.line(brief(line, LONGEST_ECHO))
        return line.strip()


class Reader:
    """Reads lines from a file descriptor without ever waiting longer than asked."""

    def __init__(self, fd: int | None) -> None:
        """Read from a descriptor; None is an input that has ended."""
        self.fd = fd
        self.terminal = fd is not None and os.isatty(fd)
        self._buffer = bytearray()
        self._ended = fd is None

    @classmethod
    def stdin(cls) -> Reader:
        """Read from standard input, if it is open."""
        try:
            return cls(None if sys.stdin is None else sys.stdin.fileno())
        except (OSError, ValueError):
            return cls(None)

    def readline(self, deadline: float | None = None) -> str | None:
        """Return the next line without its end; None when there are no more."""
        line, cut = bytearray(), False
        while True:
            end = self._buffer.find(b"\n")
            part = self._buffer if end < 0 else self._buffer[:end]
            cut = cut or len(line) + len(part) > LONGEST_LINE
            line += part[: max(0, LONGEST_LINE - len(line))]
            del self._buffer[: len(part) + (end >= 0)]
            if end >= 0:
                break
            if self._ended:
                if not line:
                    return None
                break
            chunk = self._wait(deadline)
            self._ended = not chunk
            self._buffer += chunk
        return line.decode("utf-8", "replace").removesuffix("\r") + ("…" if cut else "")

    def discard(self) -> None:
        """Drop an unfinished line that was typed on a terminal."""
        self._buffer.clear()
        if self.terminal and sys.platform != "win32":
            import termios

            assert self.fd is not None  # noqa: S101 (a terminal has one)
            termios.tcflush(self.fd, termios.TCIFLUSH)

    def _wait(self, deadline: float | None) -> bytes:
        """Wait for bytes until the deadline; on Windows, until they come."""
        if sys.platform == "win32":
            return self._read()
        from select import select  # loaded while the player reads the prompt

        assert self.fd is not None  # noqa: S101 (without one, the input has ended)
        bell = _bell()
        while True:
            left = LONGEST_WAIT if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise OutOfTime
            ready = select([self.fd, bell], [], [], min(left, LONGEST_WAIT))[0]
            if bell in ready:
                os.read(bell, CHUNK)  # Python's own handler runs before the next line
            elif ready:
                return self._read()

    def _read(self) -> bytes:
        """Read what has arrived; a terminal that was closed has nothing more."""
        assert self.fd is not None  # noqa: S101
        try:
            return os.read(self.fd, CHUNK)
        except OSError:
            return b""


@lru_cache(maxsize=1)
def _bell() -> int:
    """Return a descriptor that becomes readable after every signal.

    Otherwise a Ctrl-C just before the wait would be noticed only after the next line.
    """
    import signal

    bell, ring = os.pipe()
    os.set_blocking(bell, False)
    os.set_blocking(ring, False)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    return bell
