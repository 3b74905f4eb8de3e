"""One thinker: a process that answers one question after another, and ends with its parent."""

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
from zerosum.web.budget import Budget, TooHard, to_document
from zerosum.web.frames import LONGEST, framed, read
from zerosum.web.shelf import File, Shelf, here, settle

# So much less urgent than the server itself, which has to answer at once.
KINDNESS = 10
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """Answer until the parent is gone."""
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
    """Answer a question, or say what is wrong with it; nothing else ever comes out of this."""
    from zerosum.web.minds import QUESTIONS

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
        error = TooHard("This takes more memory than there is.")
    except Exception as problem:
        # Rules are programs of anybody's, and may do anything.
        error = GameError(f"The game does not answer: {blame(problem)}")
    return json.dumps({"error": to_document(error)}).encode()


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the two pipes for ourselves; rules that print or ask shall find nobody there."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nobody = os.open(os.devnull, os.O_RDWR)
    os.dup2(nobody, 0)
    os.dup2(nobody, 1)
    os.close(nobody)
    return questions, answers


def _listen(questions: BinaryIO, heard: SimpleQueue[bytes]) -> None:
    """Hear questions, and the silence when the parent is gone, in the middle of work too."""
    while (question := read(questions)) is not None:
        heard.put(question)
    os._exit(0)


def _tell(answers: BinaryIO, message: bytes) -> None:
    """Send a message; with nobody there to hear it, there is nothing left to do."""
    try:
        answers.write(framed(message))
        answers.flush()
    except OSError:
        os._exit(0)


def _prepare(setting: dict[str, Any]) -> None:
    """Load what every answer needs, and then take no more memory than is allowed."""
    from zerosum.errors import MissingExtra
    from zerosum.solver import load_numpy

    budget = Budget(*setting["budget"])
    files = {name: File(*file) for name, file in setting["files"].items()}
    settle(Shelf(files, setting["cache"], budget))
    with suppress(AttributeError, OSError):
        os.nice(KINDNESS)
    import zerosum.web.minds  # noqa: F401

    with suppress(MissingExtra):
        load_numpy()
    _limit_memory(budget.memory)


def _limit_memory(most: int) -> None:
    """Allow so much beyond what is mapped already; libraries reserve more than they use."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb") as mapped:
            there = int(mapped.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = there + most
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _die_with_parent() -> None:
    """Ask Linux to end this process with its parent, even where nothing in it can run."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
