"""A process that is spoken to line by line, within limits of time and size, and ends with us."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from zerosum.worker import has_ended, kill_group

# The most bytes of one line, and the most that are kept of standard error.
LONGEST, TAIL = 1 << 20, 2_000
CHUNK = 1 << 16
# Seconds between two looks at a process that says nothing, and for one to end by itself.
POLL, GRACE = 0.5, 0.5
# Kills the group of the process if we are killed ourselves: then its standard input ends.
WATCHDOG = (
    "import os, signal, sys; sys.stdin.buffer.read(); os.killpg(int(sys.argv[1]), signal.SIGKILL)"
)


class Ended(Exception):
    """The process will say no more; the message says how it ended."""


class TooLong(Exception):
    """The process says more than is allowed."""


class LineProcess:
    """A process in a session of its own, with pipes that are never waited for without a limit."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start a program, without a shell; raise OSError if that fails."""
        self._outgoing, self._incoming, self._tail = bytearray(), bytearray(), bytearray()
        self._lines: deque[bytes] = deque()
        self._process = _start(words, stderr=subprocess.PIPE, env=environment)
        try:
            watch = [sys.executable, "-I", "-S", "-c", WATCHDOG, str(self._process.pid)]
            self._watchdog = _start(watch, stderr=subprocess.DEVNULL)
        except BaseException:
            _reap(self._process)
            raise
        self._stdin, self._stdout, self._stderr = map(
            _pipe, (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def send(self, line: bytes) -> None:
        """Send a line; what the pipe does not take now is sent while an answer is awaited."""
        waiting = bool(self._outgoing)
        self._outgoing += line + b"\n"
        self._write()
        if self._outgoing and not waiting:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def receive(self, deadline: float) -> bytes:
        """Return the next line; raise TimeoutError at the deadline, Ended or TooLong."""
        while not self._lines:
            if len(self._incoming) > LONGEST:
                raise TooLong
            self._exchange(deadline)
        return self._lines.popleft()

    @property
    def last_words(self) -> str:
        """The end of what the process has written on standard error."""
        return self._tail.decode("utf-8", "replace").strip()

    def end(self, grace: float = 0.0) -> None:
        """End the process and all that it has started; it may have a moment to end by itself."""
        try:
            if grace and not self._outgoing:
                self._stdin.close()
                deadline = time.monotonic() + grace
                with suppress(TimeoutError, Ended):
                    while True:
                        self._exchange(deadline)
                        self._incoming.clear()
        finally:
            # The group first: until then the watchdog sees to it, should we be killed now.
            kill_group(self._process)
            self._selector.close()
            _reap(self._watchdog)
            _reap(self._process)

    def _exchange(self, deadline: float) -> None:
        """Wait until something can be read or written, and do it."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        events = self._selector.select(min(left, POLL))
        # Whatever it has started may hold the pipes open.
        if not events and has_ended(self._process):
            raise Ended(self._ending())
        for key, _ in events:
            if key.fileobj is self._stdin:
                self._write()
                if not self._outgoing:
                    self._selector.unregister(self._stdin)
            elif key.fileobj is self._stderr:
                self._read_errors()
            else:
                self._read()

    def _write(self) -> None:
        """Write as much as the pipe takes; that nobody reads it shows when no answer comes."""
        try:
            written = os.write(self._stdin.fileno(), self._outgoing)
            del self._outgoing[:written]
        except BlockingIOError:
            pass
        except OSError:
            self._outgoing.clear()

    def _read(self) -> None:
        """Read what has been answered so far, and divide it into lines."""
        chunk = os.read(self._stdout.fileno(), CHUNK)
        if not chunk:
            raise Ended(self._ending())
        *lines, rest = (self._incoming + chunk).split(b"\n")
        self._lines.extend(map(bytes, lines))
        self._incoming = rest

    def _read_errors(self) -> bool:
        """Keep the end of what comes on standard error; return whether there may be more."""
        chunk = os.read(self._stderr.fileno(), CHUNK)
        self._tail += chunk
        del self._tail[:-TAIL]
        if not chunk:
            self._selector.unregister(self._stderr)
        return bool(chunk)

    def _ending(self) -> str:
        """Say how the process ended, once it has had a moment to do so; read its last words."""
        deadline = time.monotonic() + GRACE
        while not has_ended(self._process) and time.monotonic() < deadline:
            time.sleep(0.002)
        with suppress(OSError, KeyError):  # nothing more to read, now or ever
            while self._read_errors():
                pass
        ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            return "closed its standard output"
        if ended.si_code == os.CLD_EXITED:
            return f"ended with exit code {ended.si_status}"
        return f"was killed by signal {ended.si_status} ({signal.strsignal(ended.si_status)})"


def _start(words: Sequence[str], **pipes: Any) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own: Ctrl-C does not reach it, and all of it can end."""
    return subprocess.Popen(  # noqa: S603 (what the user asked for, or our own interpreter)
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
        **pipes,
    )


def _reap(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started, and close our ends of its pipes."""
    kill_group(process)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that was asked for."""
    if pipe is None:
        raise ValueError("There is no pipe.")
    return pipe
