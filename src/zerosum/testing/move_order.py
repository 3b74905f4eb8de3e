"""Checks that moves have the same order in every process, unlike sets."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from zerosum.limits import ORDER_SECONDS
from zerosum.options import option_values
from zerosum.protocol import Game
from zerosum.registry import entry_of, find, games
from zerosum.states import LARGE, largest, leaves, tuples, walk
from zerosum.testing.checker import Checker
from zerosum.testing.rules import at
from zerosum.text import brief
from zerosum.worker import Worker, WorkerError

COMPARED_STATES = 100
# Two strings in a set have the same order in half of all processes, so several are asked.
HASH_SEEDS: tuple[str, ...] = ("0", "1", "2")
PREPARE = "zerosum.testing.move_order:prepare"


def check_order(check: Checker) -> None:
    """Moves have the same order in every process.

    The hash of a number is the same everywhere. A class that no file holds is not compared.
    """
    name = _name(check.game)
    if name is None or largest(check.game.initial()) >= LARGE:
        return
    here = _listing(check.game)
    if all(type(leaf) is int for _, leaf in leaves(here)):
        return
    setting = json.dumps([name, option_values(check.game)]).encode()
    workers = [Worker(PREPARE, setting, variables={"PYTHONHASHSEED": s}) for s in HASH_SEEDS]
    try:
        for worker in workers:
            seconds = ORDER_SECONDS if check.seconds is None else check.seconds
            worker.wait_until_ready(seconds)
            _compare(check, here, tuples(json.loads(worker.ask(b"", seconds))))
    except WorkerError:
        return  # other checks report rules that hang or exit
    finally:
        for worker in workers:
            worker.end()


def prepare(setting: bytes) -> Callable[[bytes], Iterator[bytes]]:
    """Load a game in another process, and return what answers with its listing."""
    name, options = json.loads(setting)
    game = find(name).variant(**options)

    def answer(question: bytes) -> Iterator[bytes]:
        yield json.dumps(_listing(game)).encode()

    return answer


def _name(game: Game[Any]) -> str | None:
    """Return the name by which another process finds a game, or None."""
    entry = entry_of(game)
    return entry.file or (entry.name if entry.name in games() else None)


def _listing(game: Game[Any]) -> tuple[Any, ...]:
    """List the first positions with their moves; until an order differs, the positions agree."""
    return tuple((state, game.moves(state)) for state in islice(walk(game), COMPARED_STATES))


def _compare(check: Checker, here: tuple[Any, ...], there: tuple[Any, ...]) -> None:
    """Raise a fault at the first difference between two processes."""
    for (state, moves), (other, listed) in zip(here, there, strict=True):
        if moves != listed:
            raise check.fault(
                f"moves() returns {brief(moves)} {at(state)}, but {brief(listed)} in another run; "
                "the order of a set changes, so put sorted() around it",
                "not-deterministic",
            )
        if tuple(state) != other:
            raise check.fault(
                f"play() leads to {brief(state, 100)}, but elsewhere in another run",
                "not-deterministic",
            )
