"""Inside a process with somebody else's code: it answers, within limits, and may not do harm."""

from __future__ import annotations

import _imp
import ctypes
import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from queue import SimpleQueue
from types import FrameType, ModuleType
from typing import Any, NoReturn

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
READY = b"ready"
# Asks a process what it is busy with; its answer begins so too.
WHERE = b"?"
# The exit code of a process whose answer cannot be sent: the code that it runs closed the pipe.
CUT_OFF = 117
# Seconds until an alarm rings again: what it interrupts may swallow it, such as a finalizer.
AGAIN = 2.0

# Prepares a process, and returns what answers each question, a line at a time.
Answerer = Callable[[bytes], Iterable[bytes]]
Prepare = Callable[[bytes], Answerer]

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
    """Raise an error after some seconds in the main thread, if that is possible.

    It comes again after two more, so what cleans up has no longer than that.
    """
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
