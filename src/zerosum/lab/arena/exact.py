"""Games between players whose chances are known: all pairings at once, as linear systems."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.chain import Chain
from zerosum.bulk.table import Floats, Longs, Table
from zerosum.lab.arena.leaderboard import SeatEnds
from zerosum.lab.measure.measuring import Measured
from zerosum.lab.measure.scores import with_faults


class KnownPlayer(NamedTuple):
    """A player whose chances are known: of every edge, and of a faulty answer in every position.

    In each position they add up to 1.
    """

    chances: Floats
    faulty: Floats

    @classmethod
    def of(cls, measured: Measured) -> "KnownPlayer | None":
        """Return the chances of a player, if its answers say all that its games depend on.

        Where it never gets, it may play anything.
        """
        answers = measured.answers
        if answers.drawn or measured.measurement.left_out not in (None, "cycle"):
            return None
        sources = answers.table.sources
        anything = ~answers.known[sources]
        chances = np.where(anything, 1 / answers.choices[sources], answers.chances)
        return cls(chances, np.where(answers.known, answers.lost, 0.0))


def exact_ends(
    table: Table[Any], players: Sequence[KnownPlayer]
) -> dict[tuple[int, int], tuple[SeatEnds, SeatEnds]]:
    """Return how the games of every two players end: with the one moving first, and second."""
    pairs: Longs = np.array(list(permutations(range(len(players)), 2))).reshape(-1, 2)
    chain, faulty_ends = _chain(table, players)
    ends = chain.ends_from_start(pairs)
    ends /= ends.sum(axis=1, keepdims=True)  # which is 1, but for rounding
    faults: Floats = np.zeros((len(pairs), 2))
    if any(end is not None for end in faulty_ends):
        visits, _ = chain.visits_and_endless(pairs)
        for seat, end in enumerate(faulty_ends):
            if end is not None:
                faults[:, seat] = visits[end]
    listed = zip(pairs.tolist(), ends.tolist(), faults.tolist(), strict=True)
    rows = {(first, second): found for (first, second), *found in listed}
    return {
        (one, other): (_seat(0, *rows[one, other]), _seat(1, *rows[other, one]))
        for one, other in rows
        if one < other
    }


def _seat(seat: int, ends: list[float], faults: list[float]) -> SeatEnds:
    """Return how games end, seen from a seat."""
    *won, drawn, endless = ends
    return SeatEnds(
        wins=won[seat],
        losses=won[1 - seat],
        draws=drawn,
        endless=endless,
        forfeits=min(faults[seat], won[1 - seat]),
        gifts=min(faults[1 - seat], won[seat]),
    )


def _chain(
    table: Table[Any], players: Sequence[KnownPlayer]
) -> tuple[Chain, tuple[int | None, int | None]]:
    """Return the chain of a table in which a faulty answer of either seat loses at an end."""
    rows = np.stack([player.chances for player in players])
    faulty = np.stack([player.faulty for player in players])
    ends: list[int | None] = []
    for seat in (0, 1):
        before = len(table)
        table, rows = with_faults(table, rows, faulty, seat)
        ends.append(before if len(table) > before else None)
        faulty = np.pad(faulty, ((0, 0), (0, len(table) - before)))
    return Chain(table, rows), (ends[0], ends[1])
