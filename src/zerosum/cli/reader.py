"""Lines from a person or a pipe, with a time limit, whatever bytes they are made of."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import lru_cache

# More than this of one line is read, but not kept.
LONGEST_LINE = 1_000_000
CHUNK = 65_536
LONGEST_WAIT = 3_600.0


class OutOfTime(Exception):
    """The time ran out before a line was finished."""


class Reader:
    """Reads lines from a file descriptor without ever waiting longer than asked."""

    def __init__(self, fd: int | None) -> None:
        """Read from a descriptor; None reads nothing, like an input that is closed."""
        self.fd = fd
        self.terminal = fd is not None and os.isatty(fd)
        self._buffer = bytearray()
        self._ended = fd is None
        self._wait = self._select if sys.platform != "win32" else self._listen()

    @classmethod
    def stdin(cls) -> Reader:
        """Read from standard input, wherever it leads."""
        try:
            return cls(None if sys.stdin is None else sys.stdin.fileno())
        except (OSError, ValueError):
            return cls(None)

    def readline(self, deadline: float | None = None) -> str | None:
        """Give the next line without its end; None when there are no more."""
        kept, lost = bytearray(), False
        while True:
            end = self._buffer.find(b"\n")
            part = self._buffer if end < 0 else self._buffer[:end]
            lost = lost or len(kept) + len(part) > LONGEST_LINE
            kept += part[: max(0, LONGEST_LINE - len(kept))]
            del self._buffer[: len(part) + (end >= 0)]
            if end >= 0:
                break
            if self._ended:
                if not kept:
                    return None
                break
            chunk = self._wait(deadline)
            self._ended = not chunk
            self._buffer += chunk
        return kept.decode("utf-8", "replace").removesuffix("\r") + ("…" if lost else "")

    def forget(self) -> None:
        """Drop what was typed on a terminal and not finished."""
        self._buffer.clear()
        if self.terminal and sys.platform != "win32":
            import termios

            assert self.fd is not None  # noqa: S101 (a terminal has one)
            termios.tcflush(self.fd, termios.TCIFLUSH)

    def _select(self, deadline: float | None) -> bytes:
        """Wait for bytes until the deadline."""
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
        """Read what there is; a terminal that has gone away has nothing more."""
        assert self.fd is not None  # noqa: S101
        try:
            return os.read(self.fd, CHUNK)
        except OSError:
            return b""

    def _listen(self) -> Callable[[float | None], bytes]:
        """Wait by a thread, where a terminal cannot be waited for with a limit."""
        from queue import Empty, SimpleQueue
        from threading import Thread

        chunks: SimpleQueue[bytes] = SimpleQueue()

        def pump() -> None:
            while chunk := self._read():
                chunks.put(chunk)
            chunks.put(b"")

        def wait(deadline: float | None) -> bytes:
            if thread.ident is None:
                thread.start()
            try:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                return chunks.get(timeout=left)
            except Empty:
                raise OutOfTime from None

        thread = Thread(target=pump, daemon=True)
        return wait


@lru_cache(maxsize=1)
def _bell() -> int:
    """Give a descriptor that can be read after every signal.

    A Ctrl-C between the last look for signals and the wait would otherwise be noticed only
    after the next line.
    """
    import signal

    bell, ring = os.pipe()
    os.set_blocking(bell, False)
    os.set_blocking(ring, False)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    return bell
