"""The main loop of a solver process, which ends with its parent."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from traceback import format_exception
from typing import Any, BinaryIO

import msgspec

from zerosum.errors import GameError, ZerosumError
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.web.analysis.budget import Budget, Bug, TooHard, to_document
from zerosum.web.analysis.solutions import File, Solutions, here, install

# The niceness: the server itself must answer at once.
NICENESS = 10
LONGEST = 32 << 20
NOT_UNICODE = "The texts of this game are not valid Unicode."
# uvloop lets a process inherit whatever is inheritable, such as a listening socket.
MOST_FILES = 1 << 16
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """Answer questions until the parent is gone; a question and an answer are a line each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    questions, answers = _pipes()
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(questions, lines), daemon=True).start()
    _prepare(msgspec.json.decode(lines.get()))
    _write(answers, b"ready")
    while True:
        _write(answers, answered(lines.get()))


def answered(question: bytes) -> bytes:
    """Answer a question, with a result or an error; nothing is raised."""
    from zerosum.web.analysis.questions import QUESTIONS

    error: Exception
    try:
        asker, (what, arguments) = msgspec.json.decode(question)
        here().asker = asker
        answer = msgspec.json.encode({"answer": QUESTIONS[what](**arguments)})
        if len(answer) <= LONGEST:
            return answer
        error = TooHard("The answer is too long to send.")
    except ZerosumError as problem:
        error = problem
    except MemoryError:
        here().clear()
        error = TooHard("The answer needs more memory than is available.")
    except UnicodeEncodeError:
        error = GameError(NOT_UNICODE)
    except BaseException as problem:  # rules are arbitrary code, and may even exit
        if raised_by_rules(problem):
            error = GameError(f"The rules of this game failed: {blame(problem)}")
        else:
            error = Bug("".join(format_exception(problem)))
    with suppress(UnicodeEncodeError):
        return msgspec.json.encode({"error": to_document(error)})
    return msgspec.json.encode({"error": to_document(GameError(NOT_UNICODE))})


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take over the two pipes; rules that print or read get /dev/null instead."""
    os.closerange(3, MOST_FILES)
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nobody = os.open(os.devnull, os.O_RDWR)
    os.dup2(nobody, 0)
    os.dup2(nobody, 1)
    os.close(nobody)
    return questions, answers


def _read(questions: BinaryIO, lines: SimpleQueue[bytes]) -> None:
    """Queue questions; exit as soon as the parent is gone, even in the middle of work."""
    for line in questions:
        lines.put(line)
    os._exit(0)


def _write(answers: BinaryIO, answer: bytes) -> None:
    """Send an answer; exit if the parent is gone."""
    try:
        answers.write(answer + b"\n")
        answers.flush()
    except OSError:
        os._exit(0)


def _prepare(setting: dict[str, Any]) -> None:
    """Load what every answer needs, then limit the memory."""
    from zerosum.errors import MissingExtra
    from zerosum.solver import load_numpy

    budget = Budget(*setting["budget"])
    files = {name: File(*file) for name, file in setting["files"].items()}
    install(Solutions(files, setting["cache"], budget))
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    import zerosum.web.analysis.questions  # noqa: F401

    with suppress(MissingExtra):
        load_numpy()
    _limit_memory(budget.megabytes << 20)


def _limit_memory(most: int) -> None:
    """Allow this much beyond what is already mapped; libraries reserve more than they use."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb") as mapped:
            there = int(mapped.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = there + most
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _die_with_parent() -> None:
    """Ask Linux to kill this process with its parent, even while it is blocked."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
