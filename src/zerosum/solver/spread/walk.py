"""The walk over all positions: each step expands those that are new in a part."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from operator import attrgetter
from time import monotonic
from typing import Any

import numpy as np

from zerosum.errors import BrokenGame, TooLarge
from zerosum.protocol import Game
from zerosum.solver.spread.files import PartState, PartStep
from zerosum.solver.spread.packing import (
    Keys,
    Numbers,
    find,
    joined,
    pack,
    part_of,
    sorting,
    unpack,
)
from zerosum.solver.table import (
    calling_rules,
    check_equal,
    end_of,
    fault_in_moves,
    is_symmetric,
    unlisted,
    without_gc,
    wrong_player,
)
from zerosum.states import fault_at

# Positions that are expanded at a time, and seconds between two signs of life.
CHUNK, PULSE = 2_048, 1.0
# A number of a position, and two bits, have to fit into 32 bits.
MOST_IN_A_PART = 1 << 30
# A run is merged with the one before unless that is this many times as long.
RUN_RATIO = 2


def walk(game: Game[Any], job: PartStep) -> Iterator[bool | PartState]:
    """Number the positions that are new among those sent to a part, and send what they lead to.

    It yields True before the rules are asked, and now and then meanwhile, and False after that.
    """
    part = job.part
    keys, codes, senders = _received(game, job)
    order, first = sorting(keys)
    distinct = keys[:, order[first]]
    number, fresh = _known(job, distinct)
    new = distinct[:, fresh]
    numbers = part.count + np.arange(new.shape[1])
    number[fresh] = numbers
    if part.count + len(numbers) > MOST_IN_A_PART:
        raise TooLarge(f"A part has more than {MOST_IN_A_PART:,} positions; split it into more.")
    # A move, by where it leads: the number there, and here with a bit for a turn that passes.
    targets = np.empty(len(order), np.uint32)
    targets[order] = number[np.cumsum(first) - 1]
    edges = {"targets": targets[: len(codes)], "codes": codes, "senders": senders}
    runs, run = _merged(job, new, numbers)
    counts, sent, said = list[Numbers](), list[Keys](), list[Numbers]()
    for begin in range(0, len(numbers), CHUNK):
        with without_gc():
            found = yield from _expanded(game, unpack(game, new[:, begin : begin + CHUNK]))
            counts.append(found[0])
            sent.append(pack(game, found[1]))
            before = np.repeat(numbers[begin : begin + CHUNK], np.maximum(found[0], 0))
            said.append((before << 1 | found[2]).astype(np.uint32))
            del found  # before the garbage collector looks at it
    leads = joined(sent)
    answer, places = sending(job, part_of(leads, job.parts))
    answer.count += len(numbers)
    answer.walked.append(job.step)
    answer.runs = runs
    arrays = {"sent_keys": leads[:, places], "sent": np.concatenate([codes[:0], *said])[places]}
    left = np.concatenate([np.zeros(0, np.int32), *counts])
    yield job.finish(answer, **edges, **run, **arrays, left=left)


def _received(game: Game[Any], job: PartStep) -> tuple[Keys, Numbers, Numbers]:
    """Return the positions sent to a part, with the moves that led to them."""
    if not job.inbox:  # the walk begins
        none = np.zeros(0, np.uint32)
        return pack(game, [game.canonical(game.initial())]), none, none.astype(np.uint16)
    codes = job.messages("sent")
    senders = [np.full(len(c), row[0], np.uint16) for c, row in zip(codes, job.inbox, strict=True)]
    return joined(job.messages("sent_keys")), np.concatenate(codes), np.concatenate(senders)


def _known(job: PartStep, keys: Keys) -> tuple[Numbers, Any]:
    """Return the numbers of positions that were met before, and which are new."""
    number = np.full(keys.shape[1], -1)
    for run in job.part.runs:
        place = find(job.read("walk", run, "run"), keys)
        met = place >= 0
        number[met] = job.read("walk", run, "numbers")[place[met]]
    return number, number < 0


def _merged(job: PartStep, keys: Keys, numbers: Numbers) -> tuple[list[int], dict[str, Any]]:
    """Merge new positions with those of earlier runs that are not much longer."""
    runs = list(job.part.runs)
    if not len(numbers):
        return runs, {}
    numbers = numbers.astype(np.uint32)
    while runs:
        before = job.read("walk", runs[-1], "numbers")
        if len(before) >= RUN_RATIO * len(numbers):
            break
        keys = joined([job.read("walk", runs.pop(), "run"), keys])
        numbers = np.concatenate((before, numbers))
        order, _ = sorting(keys)
        keys, numbers = keys[:, order], numbers[order]
    return [*runs, job.step], {"run": keys, "numbers": numbers}


def sending(job: PartStep, parts: Numbers) -> tuple[PartState, Numbers]:
    """Return a part that sends messages to these parts, and the order in which it writes them."""
    places = np.argsort(parts, kind="stable")
    ends = np.cumsum(np.bincount(parts, minlength=job.parts))
    part = job.part
    part.sent, part.bounds = job.home, [0, *ends.tolist()]
    return part, places


def _expanded(
    game: Game[Any], states: list[Any]
) -> Generator[bool, None, tuple[Numbers, list[Any], Numbers]]:
    """Ask the rules what follows some positions.

    Return for each position how many moves it has, or a negative number if the game is over; and
    where every move leads, and whether it passes the turn.
    """
    counts, played, same = list[int](), list[Any](), list[Any]()
    outcome_of, moves_of, play, canonical = game.outcome, game.moves, game.play, game.canonical
    partial = type(game).lists_all is not Game.lists_all
    symmetric = is_symmetric(game)
    due = monotonic() + PULSE
    yield True
    with calling_rules(game):
        _check(game, states[0])
        for state in states:
            if monotonic() > due:
                yield True
                due = monotonic() + PULSE
            outcome = outcome_of(state)
            if outcome is not None:
                counts.append(over(end_of(game, state, outcome)))
                continue
            moves = moves_of(state)
            if type(moves) is not tuple or not moves:
                raise fault_in_moves(game, state, moves)
            if partial and not game.lists_all(state):
                raise unlisted(game)
            counts.append(len(moves))
            after = [play(state, move) for move in moves]
            played += after
            if symmetric:
                same += map(canonical, after)
        movers, players = (bytes(map(attrgetter("player"), those)) for those in (states, played))
    yield False
    if max(players, default=0) > 1:
        raise wrong_player(game, next(state for state in played if state.player > 1))
    degrees = np.array(counts, np.int32)
    before = np.repeat(np.frombuffer(movers, np.uint8), np.maximum(degrees, 0))
    return degrees, same if symmetric else played, np.frombuffer(players, np.uint8) ^ before


def _check(game: Game[Any], state: Any) -> None:
    """Look closely at a position: one of many."""
    if fault := fault_at(game, state):
        raise BrokenGame(game, fault)
    if game.outcome(state) is None:
        for move in game.moves(state):
            after = game.play(state, move)
            if (same := game.canonical(after)) != after:
                check_equal(game, after, same, game.play)


def over(end: int) -> int:
    """Return what takes the place of the number of moves when the game is over.

    >>> from zerosum.solver.table import DRAWN, LOST, WON
    >>> [over(end) for end in (LOST, WON, DRAWN)]
    [-1, -2, -3]
    """
    return -1 - end
