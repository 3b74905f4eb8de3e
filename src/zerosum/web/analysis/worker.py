"""The main loop of a solver process, which ends with its parent."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from zerosum.errors import GameError, ZerosumError
from zerosum.registry.loading import blame
from zerosum.web.analysis.budget import Budget, TooHard, to_document
from zerosum.web.analysis.frames import LONGEST, framed, read
from zerosum.web.analysis.solutions import File, Solutions, here, settle

# The niceness: the server itself must answer at once.
KINDNESS = 10
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """Answer questions until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    questions, answers = _pipes()
    heard: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions, heard), daemon=True).start()
    _prepare(json.loads(heard.get()))
    _tell(answers, b'{"answer": "ready"}')
    while True:
        _tell(answers, answered(heard.get()))


def answered(question: bytes) -> bytes:
    """Answer a question, with a result or an error; nothing is raised."""
    from zerosum.web.analysis.questions import QUESTIONS

    error: ZerosumError
    try:
        what, arguments = json.loads(question)
        answer = json.dumps({"answer": QUESTIONS[what](**arguments)}, ensure_ascii=False)
        message = answer.encode("utf-8", "replace")
        if len(message) <= LONGEST:
            return message
        error = TooHard("The answer is too long to send.")
    except ZerosumError as problem:
        error = problem
    except MemoryError:
        here().forget()
        error = TooHard("This needs more memory than is available.")
    except Exception as problem:
        # Rules are arbitrary code and may do anything.
        error = GameError(f"The rules of this game failed: {blame(problem)}")
    return json.dumps({"error": to_document(error)}).encode()


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take over the two pipes; rules that print or read get /dev/null instead."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nobody = os.open(os.devnull, os.O_RDWR)
    os.dup2(nobody, 0)
    os.dup2(nobody, 1)
    os.close(nobody)
    return questions, answers


def _listen(questions: BinaryIO, heard: SimpleQueue[bytes]) -> None:
    """Queue questions; exit as soon as the parent is gone, even in the middle of work."""
    while (question := read(questions)) is not None:
        heard.put(question)
    os._exit(0)


def _tell(answers: BinaryIO, message: bytes) -> None:
    """Send a message; exit if the parent is gone."""
    try:
        answers.write(framed(message))
        answers.flush()
    except OSError:
        os._exit(0)


def _prepare(setting: dict[str, Any]) -> None:
    """Load what every answer needs, then limit the memory."""
    from zerosum.errors import MissingExtra
    from zerosum.solver import load_numpy

    budget = Budget(*setting["budget"])
    files = {name: File(*file) for name, file in setting["files"].items()}
    settle(Solutions(files, setting["cache"], budget))
    with suppress(AttributeError, OSError):
        os.nice(KINDNESS)
    import zerosum.web.analysis.questions  # noqa: F401

    with suppress(MissingExtra):
        load_numpy()
    _limit_memory(budget.memory)


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
