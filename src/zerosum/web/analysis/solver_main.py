"""The main loop of a solver process, which ends with its parent."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from traceback import walk_tb
from typing import Any, BinaryIO

import msgspec

from zerosum.errors import (
    GameError,
    MissingExtra,
    NotSolved,
    OptionError,
    TooLarge,
    Unknown,
    UnknownGame,
)
from zerosum.protocol import Game
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.solver import load_numpy
from zerosum.states import read_state
from zerosum.web.analysis.questions import QUESTIONS
from zerosum.web.analysis.solutions import File, Solutions, TooHard, install, solutions
from zerosum.web.http.log import trace
from zerosum.web.limits import Limits
from zerosum.web.refusals import Refused, refused_option, sentence
from zerosum.worker import die_with_parent, limit_memory

# The niceness: the server itself must answer at once.
NICENESS = 10
LONGEST = 32 << 20
# uvloop lets a process inherit whatever is inheritable, such as a listening socket.
MOST_FILES = 1 << 16
Setting = tuple[dict[str, File], str | None, Limits]


def main() -> None:
    """Answer questions until the parent is gone; a question and an answer are a line each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.set_int_max_str_digits(0)  # as in the server
    die_with_parent()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=die_with_parent)
    questions, answers = _pipes()
    lines: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(questions, lines), daemon=True).start()
    _prepare(lines.get())
    answer, process = b"ready", os.getpid()
    while os.getpid() == process:  # rules may have forked: only one of the two answers
        with suppress(OSError):  # once the parent is gone, the other thread exits
            answers.write(answer + b"\n")
            answers.flush()
        answer = answered(lines.get())
    os._exit(0)


def answered(question: bytes) -> bytes:
    """Answer a question, with a result or an error; nothing is raised."""
    try:
        solutions().asker, (what, arguments) = msgspec.json.decode(question)
        answer = msgspec.json.encode({"answer": QUESTIONS[what](**_meant(arguments))})
        if len(answer) > LONGEST:
            raise TooHard("The answer is too long to send.")
        return answer
    except BaseException as error:  # rules are arbitrary code, and may even exit
        refused = _refused(error)
    try:
        return msgspec.json.encode(refused.document())
    except UnicodeEncodeError as error:
        return msgspec.json.encode(_refused(error).document())


def _meant(arguments: dict[str, Any]) -> dict[str, Any]:
    """Replace the name and the options of a variant by the game, and make its state one."""
    if "options" in arguments:
        game = arguments["game"] = solutions().game(arguments["game"], arguments.pop("options"))
        if "state" in arguments:
            arguments["state"] = read_state(game, arguments["state"])
    return arguments


def _refused(error: BaseException) -> Refused:
    """Return the refusal that an error becomes; a bug of our own has its traceback."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, OptionError):
        return refused_option(error)
    if isinstance(error, (GameError, UnknownGame)):
        return Refused("broken_game", sentence(str(error)))
    if isinstance(error, (TooLarge, Unknown)):
        return TooHard(str(error))
    if isinstance(error, MemoryError):
        solutions().clear()
        return TooHard("The answer needs more memory than is available.")
    if isinstance(error, UnicodeEncodeError):
        return Refused("broken_game", "The texts of this game are not valid Unicode.")
    if raised_by_rules(error):
        text = f"The rules of this game failed: {blame(error)}"
        return Refused("broken_game", sentence(text))
    if isinstance(error, NotSolved) and _is_about_own_game(error):
        # Such as moves that continue after the end, which no table has.
        return Refused("broken_game", f"The rules of this game contradict themselves: {error}")
    return Refused("error", trace(error))


def _is_about_own_game(error: BaseException) -> bool:
    """Return whether an error was raised while we looked at a game that is not built in."""
    return any(
        isinstance(value, Game) and not type(value).__module__.startswith("zerosum.")
        for frame, _ in walk_tb(error.__traceback__)
        for value in frame.f_locals.values()
    )


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


def _prepare(setting: bytes) -> None:
    """Load what every answer needs, then limit the memory."""
    files, cache, limits = msgspec.json.decode(setting, type=Setting)
    install(Solutions(files, cache, limits))
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with suppress(MissingExtra):
        load_numpy()
    for name in files:
        with suppress(BaseException):  # to be raised again by whatever is asked about it
            solutions().entry(name)
    limit_memory(limits.solver_megabytes << 20)
