"""A program that calls a player's function, and speaks the protocol of docs/engines.md."""

import json
import os
import random
import sys
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from operator import index
from typing import Any
from zlib import crc32

import numpy as np

from zerosum.errors import ZerosumError
from zerosum.players.asked import Choice, failure, is_deterministic
from zerosum.protocol import Game
from zerosum.registry import find
from zerosum.registry.loading import blame, run_file
from zerosum.sandbox import die_with_parent
from zerosum.states import read_state
from zerosum.text import brief, did_you_mean


def main(path: str, function: str, name: str, options: dict[str, Any]) -> None:
    """Answer until the questions end; what the function prints goes to standard error."""
    die_with_parent()
    sys.set_int_max_str_digits(0)
    questions = os.fdopen(os.dup(0))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    hello = json.loads(questions.readline())
    try:
        game = find(name).variant(**options)
        choose = load_function(path, function)
        declared = is_deterministic(choose)
        said = {"type": "ready", "protocol": hello["protocol"], "deterministic": declared}
    except ZerosumError as error:
        said = {"error": str(error)}
    print(json.dumps(said), file=answers, flush=True)
    for line in questions:
        question = json.loads(line)
        state = read_state(game, question["state"].values())
        about = f"{hello['seed']} {state} {question['sample']}"
        random.seed(about)
        np.random.seed(crc32(about.encode()))
        said = {"id": question["id"], **_answer(game, choose, state)}
        print(json.dumps(said, default=_plain), file=answers, flush=True)
    os._exit(0)  # whatever threads the function has left


def _answer(game: Game[Any], choose: Choice, state: Any) -> dict[str, Any]:
    """Call the function, and return its choice or its failure; nothing is raised."""
    try:
        choice = choose(game, state)
        if isinstance(choice, Mapping):
            return {"moves": {str(move): _finite(chance) for move, chance in choice.items()}}
        return {"move": choice}
    except BaseException as error:  # a function may even exit
        reason = failure(getattr(choose, "__name__", "The function"), error)
        return {"error": reason, "fault": "crash"}


def _finite(chance: Any) -> Any:
    """Return a chance that JSON can hold: one that is not a number is refused by its name."""
    return str(chance) if isinstance(chance, float) and not isfinite(chance) else chance


def _plain(value: Any) -> Any:
    """Turn an object into JSON: a number of some library becomes a plain one."""
    for convert in (index, float):
        with suppress(TypeError, ValueError):
            return convert(value)
    return [brief(value)]  # a list is not a move, whatever it says


def load_function(path: str, name: str) -> Choice:
    """Load a file, as if it were run from its own folder, and return its function."""
    sys.path.insert(0, os.path.dirname(path))
    file = os.path.basename(path)
    try:
        module = run_file(path)
    except BaseException as error:
        raise ZerosumError(f"{file} could not be loaded: {blame(error, path)}") from error
    choose: Choice | None = getattr(module, name, None)
    if not callable(choose):
        hint = did_you_mean(name, (f for f, value in vars(module).items() if callable(value)))
        raise ZerosumError(f"{file} has no function {name}{f'; {hint}' if hint else '.'}")
    return choose
