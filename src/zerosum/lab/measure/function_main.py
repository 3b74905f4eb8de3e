"""The process that calls a player's function: it speaks the protocol of a program."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from operator import index
from typing import Any
from zlib import crc32

from zerosum.errors import ZerosumError
from zerosum.lab.measure.players import Choice, failure, is_deterministic
from zerosum.lab.measure.programs import PROTOCOL
from zerosum.protocol import Game
from zerosum.registry import find
from zerosum.registry.loading import blame, run_file
from zerosum.states import read_state
from zerosum.text import brief, did_you_mean
from zerosum.worker import Answerer

# The most functions of a file that are named.
MOST_NAMED = 8


def prepare(setting: bytes) -> Answerer:
    """Return what answers; a file, and a game, are loaded when it is greeted."""
    path, function, name, options, seed = json.loads(setting)
    game: Game[Any]
    choose: Choice

    def answer(line: bytes) -> Iterator[bytes]:
        nonlocal game, choose
        question = json.loads(line)
        try:
            if question["type"] == "hello":
                game, choose = find(name).variant(**options), _function(path, function)
                declared = is_deterministic(choose)
                said = {"type": "ready", "protocol": PROTOCOL, "deterministic": declared}
            else:
                state = read_state(game, question["state"].values())
                about = f"{seed} {state} {question['sample']}"
                random.seed(about)
                if numpy := sys.modules.get("numpy"):  # which the function has loaded
                    numpy.random.seed(crc32(about.encode()))
                said = {"id": question["id"], **_answer(game, choose, state)}
        except ZerosumError as error:
            said = {"error": str(error)}
        yield json.dumps(said).encode()

    return answer


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
    """Return a value that JSON has: numbers of libraries become plain, other objects strings."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    for convert in (index, float):
        try:
            return convert(value)
        except (TypeError, ValueError):
            continue
    return [brief(value)]  # a list is not a move, whatever it says


def _function(path: str, name: str) -> Choice:
    """Load a file, as if it were run from its own folder, and return its function."""
    sys.path.insert(0, os.path.dirname(path))
    file = os.path.basename(path)
    try:
        module = run_file(path)
        with open(path, "rb") as text, suppress(ImportError):
            if b"numpy" in text.read():  # which the function may import when it is called
                import_module("numpy")
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
