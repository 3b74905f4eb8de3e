"""Ask a Python function in a file: in a process of its own, within the limits of a program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from zerosum.lab.measure.asking.players import check_player, digest
from zerosum.lab.measure.asking.programs import USUAL_LIMITS, Limits, ProgramPlayer
from zerosum.options import option_values
from zerosum.protocol import Game, Move
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import file_fingerprint
from zerosum.worker import python

MAIN = "zerosum.lab.measure.asking.function_main:main"


def function_player(
    game: Game[Any],
    name: str,
    actions: Sequence[Move] = (),
    limits: Limits = USUAL_LIMITS,
    seed: int = 0,
) -> ProgramPlayer:
    """Return a player that calls a function, named as in ./mine.py:choose, with game and state.

    Random numbers of the function begin with `seed`, the position and the number of the question
    about it in every call, so that the order of the questions does not matter.
    """
    path, _, function = check_player(name).rpartition(":")
    path = os.path.abspath(os.path.expanduser(path))
    entry = entry_of(game)
    where, options = entry.file or entry.name, option_values(game)
    words = python(MAIN, path, function, where, options, seed, flags=("-P", "-B"))
    identity = digest("function", path, function, seed, _fingerprint(path))
    return ProgramPlayer(game, words, actions, limits, name, identity, seed)


def _fingerprint(path: str) -> str:
    """Return a digest of a file and what it imports; one that cannot be read fails later."""
    try:
        return file_fingerprint(path)
    except (OSError, SyntaxError, ValueError):
        return ""
