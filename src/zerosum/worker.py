"""A process for somebody else's code: started, asked and killed; sandbox.py is inside it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from queue import Empty, SimpleQueue
from typing import IO, Any, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.sandbox import WHERE

# One question, one core.
ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# What a game's rules must not see.
PRIVATE = ("ZEROSUM_DB", "PGPASSWORD")
BEGIN = (
    "import json, sys; sys.path[:], module, name, arguments = json.loads(sys.argv[1]); "
    "from importlib import import_module; getattr(import_module(module), name)(*arguments)"
)
# Seconds to say what it is busy with, or to write a trace if all threads are held up.
TELLING = 1.0
# A call in a trace of faulthandler.
CALL = re.compile(r'File "([^"\n]+)", line (\d+) in (\w+|<module>)')
# Seconds until a process is ready, on a machine that is busy.
STARTING = 120.0
# Seconds between two looks at a silent process, and at one about to end.
POLL, ENDING = 0.2, 0.005
# The most bytes of an answer, and of standard error that are kept.
LONGEST, TAIL = 64 << 20, 16_000
# The most answers that are read ahead.
AHEAD = 1_000
CHUNK = 1 << 16


class WorkerError(ZerosumError):
    """A process without an answer; it must be ended."""


class WorkerLate(WorkerError):
    """A process did not answer in time."""


class WorkerGone(WorkerError):
    """A process ended, or was killed, before it answered."""


class WorkerTooLong(WorkerError):
    """A process says more than is allowed."""


class ProcessEnd(NamedTuple):
    """How a process ended: its exit code, and whether by itself."""

    code: int
    by_itself: bool


class LineProcess:
    """A process spoken to line by line, within limits of time and size.

    One thread asks at a time; any other may `kill`. Each pipe has a thread, so that nothing that
    the process does holds up whoever asks. With a `secret` that only the two processes know, every
    answer begins with it: nothing else is taken for one.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], longest: int = LONGEST, secret: bytes = b""
    ) -> None:
        """Take a process with its standard streams."""
        self._process = process
        self._longest = longest
        self._secret = secret
        self._ending: ProcessEnd | None = None
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes | WorkerError] = SimpleQueue()
        self._tail = b""
        pipes = (process.stderr, process.stdout, process.stdin)
        works = (self._read_errors, self._read, self._write)
        threads = [
            threading.Thread(target=work, args=(pipe,), daemon=True)
            for work, pipe in zip(works, pipes, strict=True)
        ]
        for thread in threads:
            thread.start()
        self._errors = threads[0]

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The end of what the process has written on standard error, as far as heard."""
        return self._said().decode("utf-8", "replace").strip()

    def send(self, line: bytes) -> None:
        """Send a line; it is written while the answer is awaited."""
        self._questions.put(line)

    def receive(self, seconds: float) -> bytes:
        """Return the next answer; raise WorkerLate, WorkerGone or WorkerTooLong."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            ended = self.has_ended()
            with suppress(Empty):
                answer = self._answers.get(timeout=min(max(left, 0.0), POLL))
                if isinstance(answer, bytes):
                    return answer
                self._answers.put(answer)  # for whoever asks again
                raise answer
            # What it said before it ended is here; what it started may hold the pipes.
            if ended:
                raise WorkerGone("The process ended without an answer.")
            if left <= 0:
                raise WorkerLate(f"The process did not answer within {seconds:g} s.")

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def where(self) -> str:
        """Return the call in which the process hangs, if known; it may answer now."""
        self.send(WHERE)
        with suppress(WorkerError):
            while not (line := self.receive(TELLING)).startswith(WHERE):
                pass
            return line[len(WHERE) :].decode()
        if sys.platform != "win32" and not self.has_ended():
            os.kill(self.pid, signal.SIGUSR2)
            time.sleep(TELLING)
        return stuck_in(self._said())

    def kill(self) -> None:
        """Kill the process and its whole session; never wait for it."""
        if self._ending is None:
            self._process.kill()
            if sys.platform != "win32":
                with suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Send no more: whoever reads to the end may end too."""
        self._questions.put(None)

    def end(self, grace: float = 0.0) -> ProcessEnd:
        """Let the process end for a moment, then kill it; return how it ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        ended = self.has_ended()
        self.kill()
        self._ending = self._ending or ProcessEnd(self._process.wait(), ended)
        self.close()
        return self._ending

    def _write(self, pipe: IO[bytes]) -> None:
        """Write questions; if nobody reads them, no answer comes."""
        with suppress(OSError), pipe:
            while (question := self._questions.get()) is not None:
                pipe.write(question + b"\n")
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        """Queue the answers, but not many more than are asked for."""
        error: WorkerError = WorkerGone("The process ended without an answer.")
        with pipe:
            while (line := pipe.readline(self._longest + 1)).endswith(b"\n"):
                if line.startswith(self._secret):
                    self._answers.put(line[len(self._secret) : -1])
                while self._answers.qsize() > AHEAD and self._ending is None:
                    time.sleep(ENDING)
        if len(line) > self._longest:
            error = WorkerTooLong(f"The process says more than {self._longest:,} bytes.")
        self._answers.put(error)

    def _said(self) -> bytes:
        """Return the end of standard error: all of it, if the process and its children ended."""
        if self.has_ended():
            self._errors.join(TELLING)
        return self._tail

    def _read_errors(self, pipe: IO[bytes]) -> None:
        """Keep the end of what comes on standard error."""
        with pipe:
            while chunk := os.read(pipe.fileno(), CHUNK):
                self._tail = (self._tail + chunk)[-TAIL:]


class Worker(LineProcess):
    """A process that runs somebody else's code, and answers questions.

    On Linux it ends with the thread that has started it.
    """

    def __init__(
        self,
        target: str,
        setting: bytes = b"",
        folder: str | None = None,
        variables: Mapping[str, str] | None = None,
        longest: int = LONGEST,
    ) -> None:
        """Start a process; `target` is the `module:function` that prepares it with the setting."""
        # -B: nothing is written beside a user's file.
        words = python("zerosum.sandbox:serve", target, flags=("-P", "-B"))
        process = start_apart(words, folder, variables)
        secret = os.urandom(16).hex().encode()
        super().__init__(process, longest, secret)
        self.send(secret)
        self.send(setting)

    def wait_until_ready(self, seconds: float = STARTING) -> None:
        """Wait until the process is prepared."""
        self.receive(seconds)

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Send a question, and return the answer, a line each."""
        self.send(question)
        return self.receive(seconds)


def stuck_in(trace: bytes) -> str:
    """Name the call of somebody else's code that a trace last mentions, if any."""
    last = trace.decode("utf-8", "replace").rpartition("most recent call first")[2]
    # The most recent call is first; our callers are below ours.
    ours, libraries = os.path.dirname(os.path.abspath(__file__)), os.__file__
    calls = takewhile(lambda call: not call[0].startswith(ours), CALL.findall(last))
    home = (os.path.dirname(libraries), sys.prefix, "<frozen")
    theirs = [call for call in calls if not call[0].startswith(home)]
    if not theirs:
        return ""
    file, line, name = theirs[-1]
    file, where = os.path.basename(file), f"line {line}"
    if name == "<module>":
        return f"loading {file} ({where})"
    return f"{name} ({file}, {where})"


def start_apart(
    words: Sequence[str], folder: str | None = None, variables: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a program in its own session, without a shell: all of it can be killed.

    It gets our variables, but for what is private.
    """
    around = {name: value for name, value in os.environ.items() if name not in PRIVATE}
    return subprocess.Popen(  # noqa: S603 (what the user asked for, or our own interpreter)
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**around, **dict.fromkeys(ONE_CORE, "1"), **(variables or {})},
        start_new_session=True,
    )


def python(target: str, *arguments: Any, flags: Sequence[str] = ("-P",)) -> list[str]:
    """Return the command line of our own interpreter that calls `module:function`.

    It finds the same modules as this one; -P: a file in the current folder is not among them.
    """
    path = [os.path.abspath(entry) for entry in sys.path if entry]
    module, _, name = target.partition(":")
    return [sys.executable, *flags, "-c", BEGIN, json.dumps([path, module, name, arguments])]
