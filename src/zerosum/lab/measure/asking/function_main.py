"""The process that calls a player's function: a program that speaks the protocol itself."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from operator import index
from typing import Any, BinaryIO
from zlib import crc32

from zerosum.errors import ZerosumError
from zerosum.lab.measure.asking.players import Choice, failure, is_deterministic
from zerosum.lab.measure.asking.programs import PROTOCOL
from zerosum.protocol import Game
from zerosum.registry import find
from zerosum.registry.loading import blame, run_file
from zerosum.states import read_state
from zerosum.text import brief, did_you_mean
from zerosum.worker import die_with_parent

# The most functions of a file that are named.
MOST_NAMED = 8


def main(path: str, function: str, game: str, options: dict[str, Any], seed: int) -> None:
    """Answer questions until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.set_int_max_str_digits(0)
    die_with_parent()
    questions, answers = _pipes()
    questions.readline()  # hello: all that it says is among the arguments too
    answer: dict[str, Any]
    try:
        variant = find(game).variant(**options)
        choose = _function(path, function)
        answer = {"type": "ready", "protocol": PROTOCOL, "deterministic": is_deterministic(choose)}
    except ZerosumError as error:
        answer = {"error": str(error)}
    _send(answers, answer)
    process = os.getpid()
    for line in questions:
        question = json.loads(line)
        state = read_state(variant, question["state"].values())
        _seed_random(f"{seed} {state} {question['sample']}")
        answer = _answer(variant, choose, state)
        if os.getpid() != process:  # the function may have forked: only one of the two answers
            os._exit(0)
        _send(answers, {"id": question["id"], **answer})
    os._exit(0)  # whatever threads the function has left


def _answer(game: Game[Any], choose: Choice, state: Any) -> dict[str, Any]:
    """Call the function, and return its choice or its failure; nothing is raised."""
    try:
        choice = choose(game, state)
        if isinstance(choice, Mapping):
            return {"moves": {str(_plain(m)): _plain(c) for m, c in choice.items()}}
        return {"move": _plain(choice)}
    except BaseException as error:  # a function may even exit
        return {"error": failure(getattr(choose, "__name__", "The function"), error)}


def _plain(value: Any) -> Any:
    """Return a value that JSON has: numbers of libraries become plain, other objects texts."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    for convert in (index, float):
        try:
            return convert(value)
        except (TypeError, ValueError):
            continue
    return [brief(value)]  # a list is not a move, whatever it says


def _seed_random(text: str) -> None:
    """Begin the random numbers of Python, and those of NumPy if it is installed."""
    random.seed(text)
    with suppress(ImportError):
        import numpy as np

        np.random.seed(crc32(text.encode()))


def _function(path: str, name: str) -> Choice:
    """Load a file, as if it were run from its own folder, and return its function."""
    sys.path.insert(0, os.path.dirname(path))
    file = os.path.basename(path)
    try:
        module = run_file(path)
    except BaseException as error:
        raise ZerosumError(f"{file} could not be loaded: {blame(error, path)}") from error
    found = getattr(module, name, None)
    if not callable(found):
        own = module.__name__
        functions = [f for f, v in vars(module).items() if getattr(v, "__module__", "") == own]
        hint = did_you_mean(name, functions) or f"it has {', '.join(functions[:MOST_NAMED])}."
        raise ZerosumError(f"{file} has no function {name}{f'; {hint}' if functions else '.'}")
    choose: Choice = found
    return choose


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take over the pipes; what the function prints goes to standard error."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nobody = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nobody, 0)
    os.close(nobody)
    os.dup2(2, 1)
    return questions, answers


def _send(answers: BinaryIO, answer: dict[str, Any]) -> None:
    """Send a line."""
    answers.write(json.dumps(answer).encode() + b"\n")
    answers.flush()
