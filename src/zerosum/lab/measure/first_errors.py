"""Where a player errs first: positions to look at, with the shortest line to each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from zerosum.bulk.lines import Lines
from zerosum.lab.measure.players import FaultKind
from zerosum.protocol import Move, Result
from zerosum.solver import load_numpy

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Longs
    from zerosum.lab.measure.answers import Answers
    from zerosum.lab.measure.decisions import Sample
    from zerosum.players.answers import Answer

# Where errors were looked for: along the player's own games; if those have none, in all other
# decisions; or, if not all of its games are known, in the decisions that it was asked about.
ErrorsIn = Literal["own-games", "elsewhere", "asked"]
# The most errors that are listed.
MOST_ERRORS = 12


class FirstError(NamedTuple):
    """A decision that a player gets wrong, always or sometimes; after `line`, it is to move.

    `result` is what the position is worth, `good` the chance to keep it, `right` the moves that
    do, and `plays` those that the player chooses, with their chances; none if there were only
    faults. Where answers were drawn, `samples` is their number, and chances are shares of them.
    """

    line: tuple[Move, ...]
    state: Any
    seat: int
    result: Result
    good: float
    plays: Answer
    right: tuple[Move, ...]
    fault: FaultKind | None
    samples: int | None

    @property
    def wrong(self) -> int | None:
        """How many of the drawn answers throw away the result."""
        return None if self.samples is None else round(self.samples * (1 - self.good))


def first_errors(
    sample: Sample, answers: Answers, complete: bool
) -> tuple[ErrorsIn, tuple[FirstError, ...]]:
    """List the first errors in the player's own games, or the closest in all its decisions."""
    if complete and (reached := _reached_errors(sample, answers)):
        return "own-games", tuple(reached)
    closest = _listed(sample, answers, Lines(answers.table), sample.asked)
    return "elsewhere" if complete else "asked", tuple(closest)


def _reached_errors(sample: Sample, answers: Answers) -> list[FirstError]:
    """List the errors that the player's own play leads to soonest, on either seat.

    The opponent may play anything, and the player has made no error before.
    """
    table, found = answers.table, []
    for seat in (0, 1):

        def follow(edges: Longs, seat: int = seat) -> Flags:
            own = table.player[table.sources[edges]] == seat
            followed: Flags = ~own | ((answers.chances[edges] > 0) & (table.regret[edges] == 0))
            return followed

        lines = Lines(table, follow)
        states = sample.decisions.states
        there = (lines.plies[states] >= 0) & (table.player[states] == seat)
        found += _listed(sample, answers, lines, there)
    found.sort(key=lambda error: len(error.line))
    return found[:MOST_ERRORS]


def _listed(sample: Sample, answers: Answers, lines: Lines, those: Flags) -> list[FirstError]:
    """List the errors among some decisions, those with the shortest lines first."""
    np, states = load_numpy(), sample.decisions.states
    wrong = np.flatnonzero(those & (sample.judged.good < 1))
    order = wrong[np.argsort(lines.plies[states[wrong]], kind="stable")][:MOST_ERRORS]
    return [
        _error(answers, lines, int(states[number]), float(sample.judged.good[number]))
        for number in order.tolist()
    ]


def _error(answers: Answers, lines: Lines, state: int, good: float) -> FirstError:
    """Describe an error."""
    table, faults = answers.table, answers.faults.get(state, [])
    edges, _ = table.edges_from(load_numpy().array([state]))
    right = edges[table.regret[edges] == 0]
    return FirstError(
        lines.moves_to(state),
        table.state(state),
        int(table.player[state]),
        "win" if table.value[state] > 0 else "draw",
        good,
        answers.moves_at(state),
        tuple(table.actions[move] for move in table.moves[right]),
        faults[0].kind if answers.lost[state] == 1 else None,
        int(answers.samples[state]) or None,
    )
