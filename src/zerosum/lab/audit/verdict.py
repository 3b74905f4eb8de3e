"""The verdict of an audit: who wins, is it fair, does skill matter, what is wrong."""

from collections.abc import Iterator, Sequence

from zerosum.lab.audit.document import Audit, BestPlay, Favours, Winner
from zerosum.protocol import Result
from zerosum.testing import NO_END
from zerosum.text import counted, percent

WINNERS: dict[Winner, str] = {
    "first": "the first player wins",
    "second": "the second player wins",
    "draw": "neither side can force a win, and the game is a draw",
    "endless": "neither side can force a win, and the game can go on forever",
}
PROVED: dict[Result, str] = {
    "win": "Under best play the first player wins: a search has proved it.",
    "loss": "Under best play the second player wins: a search has proved it.",
    "draw": "Under best play neither side wins: a search has proved it.",
}
FAVOURS: dict[Favours, str] = {
    "nobody": "Between equals the game is fair",
    "first": "Between equals the game favours the first player",
    "second": "Between equals the game favours the second player",
    "varies": "Between equals, whom the game favours depends on their level",
}
# What some level must score against the next weaker one for skill to matter.
SKILLED = 0.55


def verdict_sentences(audit: Audit) -> Iterator[str]:
    """Say who wins, how fair it is, whether skill matters, what is wrong."""
    if audit.has("no-end-met"):
        yield NO_END
    if audit.best_play is not None:
        yield best_play_sentence(audit.best_play)
    if audit.proved is not None:
        yield PROVED[audit.proved]
    if audit.levels is not None and audit.verdict.favours is not None:
        scores = [measured.score for measured in audit.levels if measured.level != "perfect"]
        judged = FAVOURS[audit.verdict.favours]
        yield f"{judged}: below perfect play, the first player scores {_span(scores)}."
    if audit.skill is not None and audit.skill.matters:
        scores = [step.score for step in audit.skill.scores]
        matters = "matters" if max(scores) >= SKILLED else "hardly matters"
        yield f"Skill {matters}: each level scores {_span(scores)} against the next weaker one."
    elif audit.skill is not None:
        yield "Skill does not matter: no decision changes the result."
    yield _faults_sentence(audit)
    if audit.environment:
        yield "This describes the code of the environment, not its documentation."


def _span(scores: Sequence[float]) -> str:
    """Write the least and the greatest of some scores."""
    low, high = percent(min(scores)), percent(max(scores))
    return low if low == high else f"{low} to {high}"


def best_play_sentence(best: BestPlay) -> str:
    """Say who wins under best play, and how soon, if that is known."""
    plies = best.value.plies
    moves = "" if plies is None else f" in {counted(plies, 'move')}"
    return f"Under best play {WINNERS[best.winner]}{moves}."


def _faults_sentence(audit: Audit) -> str:
    """Say which faults were found and where, and why there are no values."""
    reasons = audit.reasons("values")
    found = _found(audit) if audit.faults else "No faults were found."
    if audit.verdict.broken:
        return " ".join((*([found] if audit.faults else []), *reasons))
    checked = audit.reasons("faults")
    return " ".join((found, *checked, *(f"There is no table: {reason}" for reason in reasons)))


def _found(audit: Audit) -> str:
    """Count the faults by their severity, and name them."""
    counts = [counted(count, kind) for kind, count in audit.verdict.faults.items()]
    codes = ", ".join(fault.code for fault in audit.faults)
    return f"The audit found {' and '.join(counts)}: {codes}."
