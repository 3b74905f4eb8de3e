"""The decisions of a game, how well they are made, and the errors closest to the start.

A decision is a position in which some move throws away a result. Each counts once, however often
games lead there; the share of good moves in it is the chance of the moves that keep the result.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from zerosum.bulk.shortest_lines import Lines
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.lab.measure.far import FarLines, FarTable, ValuedDecision, lines_of
from zerosum.lab.measure.interview import Answers, Faulty
from zerosum.lab.measure.measurement import (
    DifficultyBand,
    FirstError,
    ListedFault,
    PlyGroup,
    Thrown,
    ThrownShare,
)
from zerosum.lab.measure.sampling import (
    BANDS,
    Draws,
    band_name,
    band_of,
    estimate,
    estimate_slips,
    stratified,
)
from zerosum.protocol import Value
from zerosum.text import brief, plain_name, short
from zerosum.wording.texts import SEATS
from zerosum.wording.words import Words, words_of

# The value of the position before a move that throws away a result, and the regret of the move.
THROWN: dict[Thrown, tuple[int, int]] = {
    "win-draw": (1, 1),
    "win-loss": (1, 2),
    "draw-loss": (0, 1),
}
LARGEST_REGRET = 2
# The phases of a game: thirds of the fewest plies to its decisions.
PHASES = ("early", "middle", "late")
# The most faults, and errors, that are listed.
MOST_LISTED = 12
# The most characters in which a position is described.
LONGEST_POSITION = 48
# The most groups into which the plies from the start are divided.
MOST_GROUPS = 12


class Judged(NamedTuple):
    """What becomes of each decision: the chance to keep the result, the regret, what is lost."""

    good: Floats
    regret: Floats
    thrown: dict[Thrown, Floats]


class Decisions:
    """The decisions of a table: their difficulty, and how far they are from the start."""

    def __init__(self, table: Table[Any]) -> None:
        """Find the decisions, and what random play makes of them."""
        self.table = table
        self.states: Longs = np.flatnonzero(table.critical)
        self.value: Longs = table.value[self.states].astype(np.int64)
        legal = np.diff(table.offsets)
        self.random = self.judge(1 / legal[table.sources], np.zeros(len(table)))
        right = self._sums(table.regret == 0).astype(np.int64)
        self.band: Longs = band_of(right, legal[self.states])
        self.plies: Longs = lines_of(table).plies[self.states]

    def __len__(self) -> int:
        """Count the decisions."""
        return len(self.states)

    @property
    def strata(self) -> list[str]:
        """The stratum of each decision: its difficulty band and its phase."""
        if not len(self):
            return []
        plies = np.maximum(self.plies, 0)  # those that are unknown count as early
        phases = plies * len(PHASES) // (int(plies.max()) + 1)
        pairs = zip(self.band.tolist(), phases.tolist(), strict=True)
        return [f"{band_name(band)}, {PHASES[phase]}" for band, phase in pairs]

    @property
    def stratum_numbers(self) -> Longs:
        """The same as numbers."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(name, len(numbers)) for name in self.strata], np.int64)

    def judge(self, chances: Floats, faulty: Floats) -> Judged:
        """Judge the chances of edges, and of faults, which throw away all that there is."""
        regret = self.table.regret
        faulty = faulty[self.states]
        kept = self._sums(chances * (regret == 0))
        lost = self._sums(chances * (regret > 0))
        # So that 1 is exactly 1, whatever was added up.
        whole = kept + lost + faulty
        whole = np.where(whole > 0, whole, 1.0)
        good = np.where(lost + faulty == 0, 1.0, kept / whole)
        thrown: dict[Thrown, Floats] = {}
        for what, (value, size) in THROWN.items():
            share = self._sums(chances * (regret == size)) + faulty * (size == value + 1)
            thrown[what] = np.where(self.value == value, share / whole, 0.0)
        lost = sum((THROWN[what][1] * share for what, share in thrown.items()), np.zeros(len(self)))
        return Judged(good, lost, thrown)

    def _sums(self, weights: Any) -> Floats:
        """Add up what the edges of each decision have."""
        table = self.table
        weighed: Floats = np.bincount(table.sources, weights, len(table)).astype(float)
        return weighed[self.states]


class Sample(NamedTuple):
    """Which decisions were asked about, and how they were made."""

    decisions: Decisions
    judged: Judged
    draws: Draws

    @property
    def asked(self) -> Flags:
        """The decisions that were asked about."""
        return self.draws.drawn

    def figures(self) -> dict[str, Any]:
        """Return what a measurement says about the decisions, if the game has any.

        What is thrown away is 0 in those decisions in which it is not possible, so that with the
        share of good moves these shares add up to 1.
        """
        if not len(self.decisions):
            figures = dict.fromkeys(("good", "random", "regret", "random_regret", "slips"))
            return {**figures, "thrown": (), "difficulty": (), "plies": ()}
        judged, random, draws = self.judged, self.decisions.random, self.draws
        possible = {what: int((lost > 0).sum()) for what, lost in random.thrown.items()}
        thrown = (
            ThrownShare(what, possible[what], share, float(random.thrown[what].mean()))
            for what, lost in judged.thrown.items()
            if (share := estimate(lost, draws)) and (possible[what] or lost.any())
        )
        band = self.decisions.band
        plies = self.decisions.plies
        width = -(-(int(plies.max()) + 1) // MOST_GROUPS) or 1
        return {
            "good": estimate(judged.good, draws),
            "random": float(random.good.mean()),
            "regret": estimate(judged.regret, draws, LARGEST_REGRET),
            "random_regret": float(random.regret.mean()),
            "slips": estimate_slips(judged.good, 1 - random.good, draws),
            "thrown": tuple(thrown),
            "difficulty": tuple(
                DifficultyBand(above=n / BANDS, up_to=(n + 1) / BANDS, **self._group(band == n))
                for n in np.unique(band).tolist()
            ),
            "plies": tuple(
                PlyGroup(
                    first=n * width, last=(n + 1) * width - 1, **self._group(plies // width == n)
                )
                for n in np.unique(plies // width).tolist()
                if n >= 0  # else it is unknown how they are reached
            ),
        }

    def _group(self, those: Flags) -> dict[str, Any]:
        """Return the figures of some decisions, given those of them that were asked about."""
        draws = self.draws.among(those)
        asked = draws.drawn
        random = self.decisions.random
        thrown = {
            what: draws.mean(lost[those][asked])
            for what, lost in self.judged.thrown.items()
            if asked.any() and (lost.any() or random.thrown[what].any())
        }
        return {
            "decisions": len(asked),
            "asked": int(asked.sum()),
            "good": estimate(self.judged.good[those], draws),
            "thrown": thrown,
            "random": float(random.good[those].mean()),
        }


def decisions_in(table: Table[Any], count: int | None, seed: int) -> list[ValuedDecision]:
    """Draw a stratified sample of the decisions of a table, in the order of the table.

    Without a table of all positions, there are no more than were drawn for it.
    """
    if isinstance(table, FarTable):
        return table.decisions[:count]
    decisions, lines = Decisions(table), lines_of(table)
    strata = decisions.strata
    asked = []
    for number, weight in stratified(strata, count, seed):
        state = int(decisions.states[number])
        edges = range(*table.offsets[state : state + 2].tolist())
        regrets = {table.actions[table.moves[edge]]: int(table.regret[edge]) for edge in edges}
        won = decisions.value[number] > 0
        value = Value("win", int(table.plies[state])) if won else Value("draw")
        place = table.state(state), lines.moves_to(state)
        asked.append(ValuedDecision(*place, value, regrets, strata[number], weight))
    return asked


def listed_faults(answers: Answers) -> Iterable[ListedFault]:
    """List the faults that are closest to the start, equal ones once."""
    if answers.faults:
        lines, table = lines_of(answers.table), answers.table
        times = Counter(fault for listed in answers.faults.values() for fault in listed)
        first: dict[Faulty, int] = {}
        for state in sorted(answers.faults, key=lambda state: (lines.plies[state], state)):
            for fault in answers.faults[state]:
                first.setdefault(fault, state)
        for fault, state in list(first.items())[:MOST_LISTED]:
            yield ListedFault(lines.moves_to(state), table.state(state), *fault, times[fault])


def first_errors(sample: Sample, answers: Answers, complete: bool) -> dict[str, Any]:
    """List the errors that the player's own play leads to soonest, on either seat.

    The opponent may play anything, and the player has made no error before. If there are none, or
    the player was not asked about all of these games, list the closest in all its decisions.
    """
    table = answers.table
    states = sample.decisions.states
    found = []
    for seat in (0, 1) if complete else ():

        def follow(edges: Longs, seat: int = seat) -> Flags:
            own = table.player[table.sources[edges]] == seat
            followed: Flags = ~own | ((answers.chances[edges] > 0) & (table.regret[edges] == 0))
            return followed

        lines = lines_of(table, follow)
        there = (lines.plies[states] >= 0) & (table.player[states] == seat)
        found += _listed_errors(sample, answers, lines, there)
    if found:
        found.sort(key=lambda error: len(error.line or ()))
        return {"errors_in": "own-games", "errors": tuple(found[:MOST_LISTED])}
    closest = _listed_errors(sample, answers, lines_of(table), sample.asked)
    return {"errors_in": "elsewhere" if complete else "asked", "errors": tuple(closest)}


def _listed_errors(
    sample: Sample, answers: Answers, lines: Lines | FarLines, those: Flags
) -> list[FirstError]:
    """List the errors among some decisions, those with the shortest lines first."""
    states = sample.decisions.states
    wrong = np.flatnonzero(those & (sample.judged.good < 1))
    order = wrong[np.argsort(lines.plies[states[wrong]], kind="stable")][:MOST_LISTED]
    return [
        _error(answers, lines, int(states[number]), float(sample.judged.good[number]))
        for number in order.tolist()
    ]


def _error(answers: Answers, lines: Lines | FarLines, state: int, good: float) -> FirstError:
    """Describe an error."""
    table, samples = answers.table, answers.samples[state]
    faults = answers.faults.get(state, [])
    edges, _ = table.edges_from(np.array([state]))
    right = edges[table.regret[edges] == 0]
    there, line = table.state(state), lines.moves_to(state)
    words = words_of(table.game)
    return FirstError(
        line=line,
        state=there,
        position=_fields(words, there) if line is not None else short(words.position(there, SEATS)),
        seat=1 if table.player[state] else 0,
        result="win" if table.value[state] > 0 else "draw",
        good=good,
        plays=answers.moves_at(state),
        right=tuple(table.actions[move] for move in table.moves[right]),
        fault=faults[0][0] if answers.lost[state] == 1 else None,
        samples=int(samples) or None,
        wrong=round(samples * (1 - good)) if samples else None,
    )


def _fields(words: Words[Any], state: Any) -> str:
    """Describe a position by its fields, unless that would take too many words."""
    if words.board(state) is not None:
        return ""
    fields = words.fields(state)
    text = ", ".join(f"{plain_name(field.name)} {brief(field.value)}" for field in fields)
    return text if len(text) <= LONGEST_POSITION else ""
