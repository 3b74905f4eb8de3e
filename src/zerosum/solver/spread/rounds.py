"""Retrograde analysis of a part: rounds from the ends back, with messages between the parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.solver.retrograde import edges_from, sorting
from zerosum.solver.spread import packing
from zerosum.solver.spread.files import PartState, PartStep
from zerosum.solver.spread.walk import over, sending
from zerosum.solver.table import DRAWN, LOST, OPEN, WON

# A node is a position, or a position and who forces the end, and takes its number in the state of a
# part. There it has the number of moves that may still save it, or one of these.
IS_LOST, IS_WON, IS_DRAWN = over(LOST), over(WON), over(DRAWN)


def graph(job: PartStep) -> PartState:
    """Sort the moves into a part by where they lead; begin with the positions that are over."""
    part = job.part
    targets, codes, senders, left = (
        np.concatenate([job.read("walk", step, name) for step in part.walked])
        for name in ("targets", "codes", "senders", "left")
    )
    order = sorting(targets, part.count)
    came = np.zeros(part.count + 1, np.int64)
    np.cumsum(np.bincount(targets, minlength=part.count), out=came[1:])
    part.drawn_ends = int((left == IS_DRAWN).sum())
    state = _narrow(left)
    moves = {"came": came, "codes": codes[order], "senders": senders[order]}
    return _tell(job, state, _decided(state), moves=moves)


def decide(job: PartStep) -> PartState:
    """Take in what is known of the moves from a part; tell the parts before what follows."""
    return _round(job, 0)


def draws(job: PartStep) -> PartState:
    """Tell every position before a draw that it has one more move which keeps the draw."""
    part, worth = job.part, _state(job)
    part.decided = part.state
    ended = worth == IS_DRAWN
    drawn = ended | (worth >= 0)
    # Who forces the end is the player to move in the first node of a position, else the opponent.
    state = np.full(2 * part.count, IS_DRAWN, np.int32)
    state[0::2][drawn] = state[1::2][drawn] = 0
    state[0::2][ended], state[1::2][ended] = IS_WON, IS_LOST
    return _tell(job, state, np.flatnonzero(drawn), counting=True)


def count(job: PartStep) -> PartState:
    """Count the moves of every draw that keep it; begin with the draws that are over."""
    state = np.array(_state(job))
    for codes in job.messages("sent"):
        for node in (0, 1):
            before = 2 * (codes >> 1) + node
            np.add.at(state, before[state[before] >= 0], 1)
    return _tell(job, state, _decided(state), 1)


def ended(job: PartStep) -> PartState:
    """Do a round in which a position counts once for each player who may force the end."""
    return _round(job, 1)


def write(job: PartStep) -> PartState:
    """Write the positions of a part, in the order of their keys, with worth and plies."""
    part = job.part
    if not part.count:
        none = np.zeros(0, np.int8)
        return job.finish(part, keys=packing.joined([]), worth=none, plies=none.astype(np.int16))
    forced = _state(job)
    plies = np.full(part.count, -1, np.int32)
    plies[job.read("graph", 0, "layer")] = 0
    for step in part.rounds:
        plies[job.read("decide", step, "layer")] = step
    worth = np.full(part.count, OPEN, np.int8)
    state = forced if part.decided is None else job.read(*part.decided, "state")
    for value in (LOST, WON, DRAWN):
        worth[state == over(value)] = value
    if part.decided is not None:
        worth[(worth == OPEN) & ((forced[0::2] == IS_WON) | (forced[1::2] == IS_LOST))] = DRAWN
    keys = packing.joined([job.read("walk", run, "run") for run in part.runs])
    numbers = np.concatenate([job.read("walk", run, "numbers") for run in part.runs])
    order, _ = packing.sorting(keys)
    numbers = numbers[order]
    return job.finish(
        part, keys=keys[:, order], worth=worth[numbers], plies=_narrow(plies[numbers])
    )


def _round(job: PartStep, shift: int) -> PartState:
    """Decide what follows from the messages of one round."""
    state = np.array(_state(job))
    codes = np.concatenate(job.messages("sent"))
    nodes, wins = codes >> 1, (codes & 1).astype(np.bool_)
    is_open = state[nodes] >= 0
    winning = np.unique(nodes[is_open & wins])
    state[winning] = IS_WON
    losing = nodes[is_open & ~wins]
    losing = losing[state[losing] >= 0]
    np.subtract.at(state, losing, 1)
    lost = np.unique(losing[state[losing] == 0])
    state[lost] = IS_LOST
    if not shift:
        job.part.rounds.append(job.step)
    return _tell(job, state, np.concatenate((winning, lost)), shift)


def _tell(
    job: PartStep,
    state: Any,
    layer: Any,
    shift: int = 0,
    counting: bool = False,
    moves: dict[str, Any] | None = None,
) -> PartState:
    """Send what was decided in a round to the positions before; one with a shift has two nodes."""
    came, codes, senders = (
        moves[name] if moves else job.read("graph", 0, name)
        for name in ("came", "codes", "senders")
    )
    edges, begins = edges_from(came, layer >> shift)
    code = codes[edges]
    before, turn = code >> 1, code & 1
    said = before << 1
    if not counting:
        sizes = np.diff(begins, append=len(edges))
        seat = np.repeat((layer & shift).astype(np.uint32), sizes) ^ (turn & shift)
        won = np.repeat((state[layer] == IS_WON).astype(np.uint32), sizes)
        said = (before << shift | seat) << 1 | won ^ turn
    part, places = sending(job, senders[edges])
    part.state = (job.phase, job.step)
    return job.finish(part, state=state, layer=layer, sent=said[places], **(moves or {}))


def _state(job: PartStep) -> Any:
    """Map the state of a part, from whichever step changed it last."""
    return job.read(*job.part.state, "state")


def _decided(state: Any) -> Any:
    """Return the nodes that are lost or won."""
    return np.flatnonzero((state == IS_LOST) | (state == IS_WON)).astype(np.uint32)


def _narrow(numbers: Any) -> Any:
    """Return numbers in 16 bits, if they fit."""
    small = numbers.max(initial=0) <= np.iinfo(np.int16).max
    return numbers.astype(np.int16 if small else np.int32)
