"""A process for somebody else's code: started, asked, limited and killed."""

from __future__ import annotations

import _imp
import ctypes
import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from itertools import takewhile
from queue import Empty, SimpleQueue
from types import FrameType, ModuleType
from typing import IO, Any, NamedTuple, NoReturn

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
# Asks a process what it is busy with; its answer begins so too.
WHERE = b"?"
# Seconds to answer that, or to write a trace if all threads are held up.
TELLING = 1.0
# A call in a trace of faulthandler.
CALL = re.compile(r'File "([^"\n]+)", line (\d+) in (\w+|<module>)')
# The exit code of a process whose answer cannot be sent: the code that it runs closed the pipe.
CUT_OFF = 117
# Seconds until a process is ready, on a machine that is busy.
STARTING = 120.0
# Seconds between two looks at a silent process, and at one about to end.
POLL, ENDING = 0.2, 0.005
# The most bytes of an answer, and of standard error that are kept.
LONGEST, TAIL = 64 << 20, 16_000
# The most answers that are read ahead.
AHEAD = 1_000
CHUNK = 1 << 16
# Seconds until an alarm rings again: what it interrupts may swallow it, such as a finalizer.
AGAIN = 2.0

# Prepares a process, and returns what answers each question, a line at a time.
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


# What follows runs in the process itself.

_exit = os._exit  # rules are kept from it


def name_nothing(frame: FrameType | None) -> str:
    """Return nothing: who prepares a process may know more about its calls."""
    return ""


# Names the call of somebody else's code in progress.
name_call: Callable[[FrameType | None], str] = name_nothing


class Parent:
    """The process that asks, seen from the one that answers."""

    def __init__(self, questions: int, answers: int) -> None:
        """Take the two pipes; the first line is the secret of every answer."""
        die_with_parent()
        self._pipe, self._process = answers, os.getpid()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._end_copy, after_in_child=self._die_too)
        self._main = threading.get_ident()
        self._questions: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._read, args=(questions,), daemon=True).start()
        self._secret = self.hear()

    def hear(self) -> bytes:
        """Return the next question."""
        return self._questions.get()

    def say(self, answer: bytes) -> None:
        """Send an answer, which is one line; a forked copy ends instead."""
        self._end_copy()
        # The line before it may be one that the rules have begun.
        rest = memoryview(b"\n%b%b\n" % (self._secret, answer))
        try:
            while rest:
                rest = rest[os.write(self._pipe, rest) :]
        except OSError:  # the rules may have closed the pipe
            _exit(CUT_OFF)

    def _end_copy(self) -> None:
        """End a forked copy, before it answers or forks again: rules may fork at every call."""
        if os.getpid() != self._process:
            _exit(0)

    def _die_too(self) -> None:
        """End a forked copy with the process, which may have ended already."""
        die_with_parent()
        if os.getppid() != self._process:
            _exit(0)

    def _read(self, questions: int) -> None:
        """Queue questions; exit as soon as the parent is gone, even amid work."""
        with os.fdopen(questions, "rb") as lines:
            for line in lines:
                if line == WHERE + b"\n":
                    busy = sys._current_frames().get(self._main)
                    self.say(WHERE + name_call(busy).encode("ascii", "backslashreplace"))
                else:
                    self._questions.put(line.rstrip(b"\n"))
        _exit(0)


def serve(target: str) -> None:
    """Answer questions until the parent is gone: the process's main function."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.set_int_max_str_digits(0)
        parent = Parent(os.dup(0), os.dup(1))
        _silence(0)
        os.dup2(2, 1)
        module, _, name = target.partition(":")
        prepare: Prepare = getattr(import_module(module), name)
        answer = prepare(parent.hear())
        parent.say(READY)
        trace = os.dup(2)
        faulthandler.enable(trace, all_threads=False)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGUSR2, trace, all_threads=False)
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
    """End with the parent, on Linux, even if rules block all else."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def become(words: list[str], megabytes: int, niceness: int) -> None:
    """Become a program, within limits; on Linux, it ends with the thread that has started us."""
    die_with_parent()
    limit_memory(megabytes << 20)
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    try:
        os.execvp(words[0], words)  # noqa: S606 (what somebody asked for)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        sys.exit(f"{words[0]} cannot be started: {reason}.")


@contextmanager
def alarm(seconds: float | None, late: BaseException) -> Iterator[None]:
    """Raise an error after some seconds in the main thread, if that is possible."""
    in_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not hasattr(signal, "setitimer") or not in_main:
        yield
        return

    def ring(*_: object) -> None:
        raise late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
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
    """Allow this much processor time from now on; a signal ends it."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    with suppress(OSError, ValueError):  # there is a lower one already
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    signal.setitimer(signal.ITIMER_PROF, seconds)  # the limit above is coarse


def refuse_to_exit() -> None:
    """Make os._exit an error from now on: rules that call it are at fault; a forked copy may."""
    process = os.getpid()

    def leave(code: int) -> NoReturn:
        if os.getpid() != process:
            _exit(code)
        raise SystemExit(f"os._exit({code})")

    os._exit = leave  # type: ignore[assignment]


# What is refused, because no game needs it.
REFUSED = ("os.", "shutil.", "subprocess.", "pty.", "tempfile.", "sqlite3.", "resource.prlimit")
OTHERS = {"os.kill", "resource.prlimit"}  # which any process may do to itself
ALLOWED = {
    *("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr"),
    *("os.chdir", "os.putenv", "os.unsetenv"),
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# What does the same, and tells no audit hook.
UNHEARD = {
    "os": ("chroot", "mkfifo", "mknod", "pidfd_open", "setpriority"),
    "_posixsubprocess": ("fork_exec",),
    "subprocess": ("_fork_exec",),
}
UNHEARD["posix"] = UNHEARD["os"]
# What makes a module that Python has built in: a second copy would have all of these again.
CREATE = "create_builtin"


def refuse_changes() -> None:
    """Refuse from now on what no game needs: to start programs, change files, or send signals."""
    import resource
    import tempfile

    tempfile.gettempdir()  # which writes a file to find out
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        with suppress(OSError, ValueError):  # there is a lower one already
            resource.setrlimit(limit, (0, 0))
    for module, names in UNHEARD.items():
        for name in filter(vars(import_module(module)).__contains__, names):
            setattr(sys.modules[module], name, partial(_refuse, f"os.{name}", ()))
    setattr(_imp, CREATE, partial(_create, getattr(_imp, CREATE)))
    sys.addaudithook(_refuse)


def _create(create: Callable[[ModuleSpec], ModuleType], spec: ModuleSpec) -> ModuleType:
    """Create a module that Python has built in, unless it is a second copy of one of ours."""
    _refuse("import", (spec.name,))
    return create(spec)


def _refuse(event: str, arguments: tuple[Any, ...], *_: object, **__: object) -> None:
    """Refuse to start programs, change files, and signal or limit other processes."""
    if event == "import" and arguments[0] in UNHEARD:
        raise ImportError(f"a game may not load {arguments[0]} again")
    if event in ALLOWED or (event in OTHERS and arguments[0] in (0, os.getpid())):
        return
    if event.startswith(REFUSED) or (event == "open" and _writes(*arguments)):
        raise PermissionError(f"a game may not run programs, change files or signal ({event})")


# To reach the network, to call C, which could do anything, or to have an interpreter without hooks.
OUTSIDE = ("socket.", "ctypes.", "syslog.", "cpython.PyInterpreterState_New")
# Libraries in C that read files or start programs, and tell no audit hook.
LIBRARIES = {"readline", "_tkinter", "_gdbm", "_dbm", "_curses", "_posixshmem", "spwd"}
LISTED = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir", "glob.glob")


def refuse_outside() -> None:
    """Refuse from now on what a game by an unknown author has no business with.

    That is the network, C libraries, our variables, and all files but Python's own and those in the
    current folder. Libraries that are loaded already are not held up.
    """
    import posix
    import site

    environment: dict[bytes, bytes] = posix.environ  # where Python has a copy
    environment.clear()
    os.environ.clear()
    libraries = (sys.prefix, sys.base_prefix, *site.getsitepackages(), site.getusersitepackages())
    ours = (os.path.dirname(os.__file__), os.path.dirname(os.path.abspath(__file__)), os.getcwd())
    folders = {os.path.join(os.path.realpath(path), "") for path in (*libraries, *ours)}
    allowed = tuple(folders - {os.sep})

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(OUTSIDE):
            raise PermissionError(f"a game may not reach the network or call C ({event})")
        if event == "import" and arguments[0] in LIBRARIES:
            raise ImportError(f"a game may not use {arguments[0]}")
        if event not in ("open", *LISTED) or isinstance(arguments[0], int):
            return
        named = arguments[0] or "."
        # A path of another type could change before it is used.
        named = os.fsdecode(named) if type(named) in (str, bytes) else "?"
        if event == "open" and arguments[1] is None and not os.path.isabs(named):
            named = "?"  # os.open may take it from any folder
        if named == os.devnull:
            return
        path = os.path.join(os.path.realpath(named), "") if named != "?" else ""
        if not path.startswith(allowed):
            raise PermissionError(f"a game may read only what is beside it, not {named[:80]!a}")

    sys.addaudithook(refuse)


def _writes(path: object, mode: object, flags: int) -> bool:
    """Return whether a file is opened for writing; /dev/null is allowed."""
    return bool(flags & WRITES) and path != os.devnull
