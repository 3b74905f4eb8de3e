"""The process that audits one game: it answers on a pipe of its own, and keeps within limits."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO

from zerosum.audit.batch.isolation import CUT_OFF, DONE, READY
from zerosum.audit.rendering.verdict import best_play_sentence
from zerosum.audit.report import Audit, audit_steps
from zerosum.errors import GameError, NoGame, NotSolved, ZerosumError
from zerosum.processes import die_with_parent, limit_memory
from zerosum.registry import find
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.solver import load_numpy

# What is refused, because no game needs it: to start programs, to change files, to send signals.
STARTS = {
    *("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system"),
    *("pty.spawn", "subprocess.Popen"),
}
CHANGES = {
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "os.chflags", "os.utime", "os.setxattr", "os.removexattr"),
    *("shutil.rmtree", "shutil.move", "shutil.copyfile", "shutil.copytree", "shutil.chown"),
    *("shutil.make_archive", "shutil.unpack_archive", "tempfile.mkstemp", "tempfile.mkdtemp"),
    "sqlite3.connect",
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
OUT_OF_MEMORY = "It needs more memory than is allowed."
Answer = dict[str, Any]


def main(
    target: str, cpu_seconds: float, positions: int, memory_mib: int, libraries: list[str]
) -> None:
    """Audit a game and answer line by line, each answer more complete than the one before."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.set_int_max_str_digits(0)
    die_with_parent()
    load_numpy()
    for library in libraries:
        with suppress(ImportError):  # the game's own import says so
            import_module(library)
    pipe, process = _pipe(), os.getpid()
    _send(pipe, READY)
    _limit(cpu_seconds, memory_mib)
    for answer in answers(target, positions):
        if os.getpid() == process:  # rules may have forked in ways that Python does not see
            _send(pipe, json.dumps(answer))
    if os.getpid() == process:
        _send(pipe, DONE)
    os._exit(0)  # whatever threads the rules have left


def answers(target: str, positions: int) -> Iterator[Answer]:
    """Audit a game step by step; nothing is raised."""
    solved = False
    try:
        for audit in audit_steps(find(target).variant(), positions):
            yield _answer(audit)
            solved = True
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield _contradiction(error) if solved else _refusal(error)


def _answer(audit: Audit) -> Answer:
    """Answer with an audit: what became of the game, in a word and a sentence."""
    document, reasons = audit.document(), [part.reason for part in audit.left_out]
    if audit.broken:
        errors = [fault.message for fault in audit.faults if fault.severity == "error"]
        status, message = "broken", (errors + reasons)[0]
    elif audit.out_of_memory:
        return {"status": "memory-limit", "message": OUT_OF_MEMORY, "audit": None}
    elif audit.solution is None:
        status, message = "too-large", reasons[0]
    else:
        status, message = "solved", best_play_sentence(document)
    return {"status": status, "message": message, "audit": document}


def _refusal(error: BaseException) -> Answer:
    """Answer with an error: what became of the game, in a word and a sentence."""
    status, message = "crashed", f"The rules failed: {blame(error)}."
    if _caused_by_memory(error):
        status, message = "memory-limit", OUT_OF_MEMORY
    elif isinstance(error, NoGame):
        status, message = "not-a-game", str(error)
    elif isinstance(error, ZerosumError):
        status, message = "cannot-load", str(error)
    elif not raised_by_rules(error):
        message = f"This is a bug in Zerosum: {blame(error)}."
    return {"status": status, "message": message, "audit": None}


def _contradiction(error: BaseException) -> Answer:
    """Answer with an error after a table was made: rules that now differ from it are broken."""
    if not isinstance(error, (GameError, NotSolved)):
        return _refusal(error)
    message = f"Played again, the rules do not do what they did before: {error}"
    return {"status": "broken", "message": message, "audit": None}


def _caused_by_memory(error: BaseException | None) -> bool:
    """Return whether an error comes from one that says that memory is exhausted."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None


def _pipe() -> BinaryIO:
    """Take over standard output; rules that print or read get /dev/null instead."""
    pipe = os.fdopen(os.dup(1), "wb")
    nobody = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nobody, stream)
    os.close(nobody)
    return pipe


def _send(pipe: BinaryIO, line: str) -> None:
    """Send a line; rules may have closed the pipe."""
    try:
        pipe.write(line.encode() + b"\n")
        pipe.flush()
    except (OSError, ValueError):
        os._exit(CUT_OFF)


def _limit(cpu_seconds: float, memory_mib: int) -> None:
    """Limit time and memory, and refuse what no game needs."""
    import resource
    import tempfile

    tempfile.gettempdir()  # which writes a file to find out
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + cpu_seconds) + 1
    for limit, value in (
        (resource.RLIMIT_CPU, most),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):  # there is a lower one already
            resource.setrlimit(limit, (value, value))
    limit_memory(memory_mib << 20)
    sys.addaudithook(_refuse)
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)  # ends the process; the limit above is coarse


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to start programs, to change files, and to send signals to other processes."""
    if event in STARTS:
        raise PermissionError(f"a game may not start processes ({event})")
    if event in CHANGES or (event == "open" and _writes(*arguments)):
        raise PermissionError(f"a game may not write or remove files ({event})")
    if event == "os.killpg" or (event == "os.kill" and arguments[0] != os.getpid()):
        raise PermissionError(f"a game may not send signals to other processes ({event})")


def _writes(path: object, mode: object, flags: int) -> bool:
    """Return whether a file is opened for more than reading; what goes nowhere is allowed."""
    return bool(flags & WRITES) and path != os.devnull
