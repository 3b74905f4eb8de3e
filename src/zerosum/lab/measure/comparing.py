"""Several measurements together: players on the same decisions, and over all games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from zerosum.bulk.table import Table
from zerosum.lab.measure.decisions import LARGEST_REGRET, Sample
from zerosum.lab.measure.measurement import (
    ComparedPlayer,
    Comparison,
    Measurement,
    Measurements,
    PairedDifference,
    shown_player,
)
from zerosum.lab.measure.measuring import Measured, measured_answers
from zerosum.lab.measure.sampling import (
    Draws,
    Figure,
    estimate_difference,
    estimate_slips,
    mean_figure,
)
from zerosum.players.asked import FAULT_KINDS, Choice, FaultKind, Player
from zerosum.protocol import Game

# What a player, or a game, is known by: a second one of the same name has a number.
Numbered = tuple[str, int]


def measure_players(
    games: Sequence[Game[Any] | Table[Any]],
    players: Sequence[str | Choice | Player],
    **how: Any,
) -> Measurements:
    """Measure players in games, each in every game, and compare them.

    `how` is what `measure_player` takes: `samples`, `budget`, `seed`, `jobs`.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_players
    >>> games = [zerosum.game("dual-digits"), zerosum.game("even-steven")]
    >>> found = measure_players(games, ["easy", "hard"]).comparison
    >>> [(player.player, round(player.slips.value, 3)) for player in found.players]
    [('hard', 0.1), ('easy', 0.5)]
    >>> (pair,) = found.pairs
    >>> f"{pair.player} is right {pair.right.value:.1%} more often than {pair.other}"
    'hard is right 21.4% more often than easy'
    """
    tables = [game if isinstance(game, Table) else Table(game) for game in games]
    return measurements_of(
        [measured_answers(table, player, **how) for table in tables for player in players]
    )


def measurements_of(measured: Sequence[Measured]) -> Measurements:
    """Put measurements into one document, with what they say together."""
    return Measurements(
        measurements=tuple(found.measurement for found in measured),
        comparison=_comparison(measured),
    )


def _comparison(measured: Sequence[Measured]) -> Comparison | None:
    """Compare the players in the games in which all of them were measured."""
    if len(measured) < 2:
        return None
    by_player: dict[Numbered, dict[str, Measured]] = {}
    for found in measured:
        name, game = found.measurement.player, _game_of(found.measurement)
        number = sum(name == other and game in games for (other, _), games in by_player.items())
        by_player.setdefault((name, number), {})[game] = found
    first, *others = by_player.values()
    games = [
        game
        for game, found in first.items()
        if found.measurement.slips is not None and all(game in played for played in others)
    ]
    if not games:
        return None
    rows = {
        shown_player(*player): [played[game] for game in games]
        for player, played in by_player.items()
    }
    players = sorted(
        (_player(name, row) for name, row in rows.items()),
        key=lambda player: (player.slips.value, -player.right.value),
    )
    about = [first[game].measurement for game in games]
    pairs = [
        _difference(one.player, rows[one.player], two.player, rows[two.player])
        for one, two in combinations(players, 2)
    ]
    return Comparison(
        games=tuple(found.title for found in about),
        decisions=sum(found.decisions for found in about),
        random=_mean([found.random for found in about]),
        random_regret=_mean([found.random_regret for found in about]),
        players=tuple(players),
        pairs=tuple(pairs),
    )


def _game_of(measurement: Measurement) -> str:
    """Return what tells a variant from all others."""
    return f"{measurement.title} {measurement.game} {measurement.hashes.table}"


def _player(name: str, row: Sequence[Measured]) -> ComparedPlayer:
    """Put the figures of a player in all games together."""
    measurements = [found.measurement for found in row]
    faults: Counter[FaultKind] = Counter()
    for found in measurements:
        faults.update(found.faults)
    return ComparedPlayer(
        player=name,
        exact=all(found.exact for found in measurements),
        slips=_slips([found.sample for found in row], measurements),
        right=_known(mean_figure(found.good for found in measurements)),
        regret=_known(mean_figure(found.regret for found in measurements)),
        faults={kind: faults[kind] for kind in FAULT_KINDS},
    )


def _slips(samples: Sequence[Sample], measurements: Sequence[Measurement]) -> Figure:
    """Estimate how often a player slips, from all decisions together: games are strata."""
    if len(samples) == 1:
        return _known(measurements[0].slips)
    strata, begin = [], 0
    for sample in samples:
        own = sample.draws.strata
        own = np.zeros(len(sample.asked), np.int64) if own is None else own
        strata.append(own + begin)
        begin += int(own.max()) + 1
    draws = Draws(
        np.concatenate([sample.asked for sample in samples]),
        np.concatenate([sample.draws.noise for sample in samples]),
        np.concatenate(strata),
        any(sample.draws.endless for sample in samples),
    )
    good = np.concatenate([sample.judged.good for sample in samples])
    harm = np.concatenate([1 - sample.decisions.random.good for sample in samples])
    return _known(estimate_slips(good, harm, draws))


def _difference(
    name: str, row: Sequence[Measured], other: str, other_row: Sequence[Measured]
) -> PairedDifference:
    """Compare two players on the decisions that both were asked about, in every game."""
    pairs = [(one.sample, two.sample) for one, two in zip(row, other_row, strict=True)]
    right = [
        estimate_difference(one.judged.good, two.judged.good, one.draws, two.draws)
        for one, two in pairs
    ]
    regret = [
        estimate_difference(
            one.judged.regret, two.judged.regret, one.draws, two.draws, LARGEST_REGRET
        )
        for one, two in pairs
    ]
    return PairedDifference(
        player=name,
        other=other,
        decisions=sum(int((one.asked & two.asked).sum()) for one, two in pairs),
        right=None if None in right else mean_figure(right),
        regret=None if None in regret else mean_figure(regret),
    )


def _mean(values: Sequence[float | None]) -> float:
    """Return the mean of figures of random play."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known)


def _known(figure: Figure | None) -> Figure:
    """Return a figure of a game with decisions, some of which were asked about."""
    assert figure is not None  # noqa: S101
    return figure
