"""What a measurement says, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zerosum.lab.measure.measurement import FirstError, Measurement, MoveChance
from zerosum.lab.measure.players import FaultKind
from zerosum.protocol import Move
from zerosum.text import brief, counted, either, short

FAULTS: dict[FaultKind, str] = {
    "illegal": "an illegal answer",
    "unreadable": "an unreadable answer",
    "missing": "no answer",
}
# The most moves of a line, and of what is right, that are written out.
MOST_MOVES = 12


def percentage(share: float) -> str:
    """Write a share with one decimal; one that is not quite 0 or 1 is not written as if it were.

    >>> percentage(0.4304), percentage(1.0), percentage(0.9999), percentage(0.0001)
    ('43.0%', '100%', 'over 99.9%', 'under 0.1%')
    """
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.001:
        return "under 0.1%"
    return "over 99.9%" if share > 0.999 else f"{share:.1%}"


def summary(measured: Measurement) -> str:
    """Say how good the decisions are, beside those of random play.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> summary(measure_player(zerosum.game("dual-digits"), "medium"))
    'Right in 85.8% of 103 decisions (random play: 43.0%).'
    """
    if measured.replies and sum(measured.faults.values()) == measured.replies:
        return f"Every answer was faulty. The first: {measured.listed_faults[0].message}"
    if measured.good is None or measured.random is None:
        return "No move in this game can throw away a result."
    value = percentage(measured.good.value)
    decisions = f"{measured.decisions:,} decision{'s' * (measured.decisions != 1)}"
    right = f"of {decisions} (random play: {percentage(measured.random)})."
    if measured.exact:
        these = " Exact for these answers." * (measured.answers == "deterministic")
        return f"Right in {value} {right}{these}"
    answers = f"a sample of {measured.asked:,}" if measured.sampled else "each"
    if measured.answers == "drawn":
        answers = f"{measured.samples:,} answer{'s' * (measured.samples != 1)} to {answers}"
    low, high = percentage(measured.good.low), percentage(measured.good.high)
    return (
        f"Right in about {value} {right} Estimated from {answers}; "
        f"95% confidence interval: {low} to {high}."
    )


def asked_sentences(measured: Measurement) -> list[str]:
    """Say how many positions the player was asked about, how often, and why; a level was not."""
    asked = f"It was asked about {counted(measured.questions, 'position')}"
    if not measured.questions:
        return []
    if measured.answers == "chances":
        return [f"{asked}."]
    if measured.answers == "deterministic":
        return [f"{asked}, once each: it declares that it is deterministic."]
    times = "once" if measured.samples == 1 else f"{measured.samples:,} times"
    found = measured.contradiction
    if found is None:
        return [f"{asked}, {times} each: it may draw its moves."]
    return [
        f"{asked}, {times} each. It declares that it is deterministic, but contradicts itself. "
        f"{after_moves(found.line)}, it answered {_moves(found.first)}, then "
        f"{_moves(found.second)}."
    ]


def withheld(measured: Measurement) -> str:
    """Say why there is no exploitability, and what would help."""
    declared = measured.contradiction is not None
    return (
        "Exploitability is withheld: a best response to drawn answers would also exploit their "
        "noise, so it would come out too high. To get it, let the player answer with the chances "
        f"of its moves{'' if declared else ', or declare that it is deterministic'}."
    )


def _moves(answer: Sequence[MoveChance]) -> str:
    """List the moves of an answer."""
    return either([brief(part.move) for part in answer]) if answer else "nothing legal"


def scores_title(measured: Iterable[Measurement]) -> str:
    """Say what the scores are: exact, exact for the answers that were given, or estimated."""
    bases = {found.answers for found in measured}
    if "drawn" in bases:
        return "Estimated score" if len(bases) == 1 else "Score"
    return "Exact score for these answers" if "deterministic" in bases else "Exact score"


def band_label(above: float, up_to: float) -> str:
    """Name a difficulty by the share of right moves; that of a decision is never 100%.

    >>> band_label(0, 0.25), band_label(0.25, 0.5), band_label(0.75, 1)
    ('up to 25%', '25% to 50%', 'over 75%')
    """
    if up_to == 1:
        return f"over {above:.0%}"
    return f"{above:.0%} to {up_to:.0%}" if above else f"up to {up_to:.0%}"


def errors_heading(measured: Measurement) -> str:
    """Say where the errors that are listed were found, or that there are none."""
    sample = ", in the sample" if measured.sampled else ""
    if not measured.errors:
        own = "its own games or " if measured.errors_in == "elsewhere" else ""
        if measured.sampled:
            return f"No errors in {own}the sample"
        return "No errors" if measured.exact else "No errors in these answers"
    if measured.errors_in == "own-games":
        return "Where it errs first"
    if measured.errors_in == "elsewhere":
        return f"No errors in its own games; the closest elsewhere{sample}"
    return f"Errors closest to the start{sample}"


def faults_sentence(measured: Measurement) -> str:
    """Count the faulty answers by their kinds, if there are any.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> faults_sentence(measure_player(zerosum.game("even-steven"), lambda game, state: 9))
    'Faulty answers: 80 illegal.'
    """
    often = sorted(measured.faults.items(), key=lambda fault: -fault[1])
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in often if count)
    return f"Faulty answers: {kinds}." if kinds else ""


def after_moves(line: Sequence[Move]) -> str:
    """Say where a line from the start leads; a long one is named by its last moves.

    >>> after_moves((3, 1, "pass")), after_moves(()), after_moves(range(1, 15))
    ('After 3, 1, pass', 'At the start', 'After … 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14')
    """
    listed = ", ".join(map(brief, line[-MOST_MOVES:]))
    return f"After {'… ' * (len(line) > MOST_MOVES)}{listed}" if line else "At the start"


def error_sentence(error: FirstError) -> str:
    """Say where an error is, what is played there, and what would be right."""
    where = after_moves(error.line)
    if error.line and error.position:
        where = f"{where} ({error.position})"
    right = short(either([*map(brief, error.right[:MOST_MOVES])]))
    if error.fault is not None:
        return f"{where}: {FAULTS[error.fault]}; right: {right}."
    if error.samples is not None:
        answers = counted(error.samples, "answer")
        return f"{where}: wrong in {error.wrong:,} of {answers}; right: {right}."
    if len(error.plays) == 1:
        return f"{where}: plays {brief(error.plays[0].move)}; right: {right}."
    return f"{where}: wrong {percentage(1 - error.good)} of the time; right: {right}."
