"""A process for somebody else's code: started, asked, limited and killed."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import IO, Any, NamedTuple

from zerosum.errors import ZerosumError

# One question, one core.
ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# What a game's rules must not see.
PRIVATE = ("ZEROSUM_DB", "PGPASSWORD")
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
BEGIN = (
    "import json, sys; sys.path[:], module, name, arguments = json.loads(sys.argv[1]); "
    "from importlib import import_module; getattr(import_module(module), name)(*arguments)"
)
READY = b"ready"
# The exit code of a process whose answer cannot be sent: the code that it runs closed the pipe.
CUT_OFF = 117
# Seconds until a process is ready, on a machine that is busy.
STARTING = 120.0
# Seconds between two looks at a process that says nothing, and at one that is about to end.
POLL, ENDING = 0.2, 0.005
# The most bytes of an answer by default, and the most that are kept of standard error.
LONGEST, TAIL = 64 << 20, 2_000
# The most answers that are read ahead.
AHEAD = 1_000
CHUNK = 1 << 16

# Prepares a process for its questions, and returns what answers each, a line at a time.
Answerer = Callable[[bytes], Iterable[bytes]]
Prepare = Callable[[bytes], Answerer]


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
    """A process that is spoken to line by line, within limits of time and size.

    One thread asks at a time; any other may `kill`. Each pipe has a thread, so that nothing that
    the process does holds up whoever asks. With a `secret` that only the two processes know, every
    answer begins with it: anything else that is written into the pipe is not taken for one.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], longest: int = LONGEST, secret: bytes = b""
    ) -> None:
        """Take a process, which is spoken to through its standard streams."""
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
        """The end of what the process has written on standard error, as far as we have heard it."""
        if self.has_ended():
            self._errors.join(POLL)
        return self._tail.decode("utf-8", "replace").strip()

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
            # What it said before it ended is here by now; what it has started may hold the pipes.
            if ended:
                raise WorkerGone("The process ended without an answer.")
            if left <= 0:
                raise WorkerLate(f"The process did not answer within {seconds:g} s.")

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """Kill the process, and all that it has started in its session; never waits for it."""
        if self._ending is None:
            self._process.kill()
            if sys.platform != "win32":
                with suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Send no more: whoever reads to the end may end too."""
        self._questions.put(None)

    def end(self, grace: float = 0.0) -> ProcessEnd:
        """Wait a moment for the process to end by itself, then kill it; return how it ended."""
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
        words = python("zerosum.worker:serve", target, flags=("-P", "-B"))
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


def start_apart(
    words: Sequence[str], folder: str | None = None, variables: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, without a shell: all that it starts can be killed.

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


# What follows runs in the process itself.

_exit = os._exit  # rules are kept from it


class Parent:
    """The process that asks, seen from the one that answers."""

    def __init__(self, questions: int, answers: int) -> None:
        """Take the two pipes; the first line is the secret that every answer carries."""
        self._pipe, self._process = answers, os.getpid()
        self._questions: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._read, args=(questions,), daemon=True).start()
        self._secret = self.hear()

    def hear(self) -> bytes:
        """Return the next question."""
        return self._questions.get()

    def say(self, answer: bytes) -> None:
        """Send an answer, which is one line; a forked copy of this process ends instead."""
        if os.getpid() != self._process:
            _exit(0)
        # The line before it may be one that the rules have begun.
        rest = memoryview(b"\n%b%b\n" % (self._secret, answer))
        try:
            while rest:
                rest = rest[os.write(self._pipe, rest) :]
        except OSError:  # the rules may have closed the pipe
            _exit(CUT_OFF)

    def _read(self, questions: int) -> None:
        """Queue questions; exit as soon as the parent is gone, even in the middle of work."""
        with os.fdopen(questions, "rb") as lines:
            for line in lines:
                self._questions.put(line.rstrip(b"\n"))
        _exit(0)


def serve(target: str) -> None:
    """Answer questions until the parent is gone: the main function of the process."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.set_int_max_str_digits(0)
        die_with_parent()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=die_with_parent)
        parent = Parent(os.dup(0), os.dup(1))
        _silence(0)
        os.dup2(2, 1)
        module, _, name = target.partition(":")
        prepare: Prepare = getattr(import_module(module), name)
        answer = prepare(parent.hear())
        parent.say(READY)
        _silence(1, 2)
        while True:
            for line in answer(parent.hear()):
                parent.say(line)
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.stderr.flush()
    _exit(1)  # whatever threads the rules have left


def _silence(*streams: int) -> None:
    """Let rules that print or read get /dev/null."""
    nobody = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(nobody, stream)
    os.close(nobody)


def die_with_parent() -> None:
    """End with the parent, on Linux, even if rules block everything else."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


@contextmanager
def alarm(seconds: float | None, late: BaseException) -> Iterator[None]:
    """Raise an error after some seconds in the main thread, wherever it is, if that is possible."""
    in_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not in_main:
        yield
        return

    def ring(*_: object) -> None:
        raise late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def limit_memory(most: int) -> None:
    """Allow this many bytes beyond what is mapped; libraries reserve more than they use."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb") as mapped:
            there = int(mapped.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = there + most
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def limit_processor(seconds: float) -> None:
    """Allow this much processor time from now on; then a signal ends the process."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    with suppress(OSError, ValueError):  # there is a lower one already
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    signal.setitimer(signal.ITIMER_PROF, seconds)  # the limit above is coarse


# What is refused, because no game needs it: to start programs, to change files, to send signals.
REFUSED = ("os.", "shutil.", "subprocess.", "pty.", "tempfile.", "sqlite3.")
ALLOWED = {
    *("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr"),
    *("os.chdir", "os.putenv", "os.unsetenv"),
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def refuse_changes() -> None:
    """Refuse from now on what no game needs: to start programs, change files, or send signals."""
    import resource
    import tempfile

    tempfile.gettempdir()  # which writes a file to find out
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        with suppress(OSError, ValueError):  # there is a lower one already
            resource.setrlimit(limit, (0, 0))
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to start programs, to change files, and to send signals to other processes."""
    if event in ALLOWED or (event == "os.kill" and arguments[0] == os.getpid()):
        return
    if event.startswith(REFUSED) or (event == "open" and _writes(*arguments)):
        raise PermissionError(f"a game may not run programs, change files or signal ({event})")


def _writes(path: object, mode: object, flags: int) -> bool:
    """Return whether a file is opened for more than reading; what goes nowhere is allowed."""
    return bool(flags & WRITES) and path != os.devnull
