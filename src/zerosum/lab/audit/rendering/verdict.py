"""The verdict of an audit: who wins, is it fair, does skill matter, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.coach.advice import percent
from zerosum.lab.audit.document import Document
from zerosum.text import counted

# The faults that the verdict names.
MOST_NAMED = 4
WINNERS = {
    "first": "the first player wins",
    "second": "the second player wins",
    "draw": "neither side can force a win, and the game is a draw",
    "endless": "neither side can force a win, and the game can go on forever",
}
PROVED = {
    "win": "Under best play the first player wins: a search has proved it.",
    "loss": "Under best play the second player wins: a search has proved it.",
    "draw": "Under best play neither side wins: a search has proved it.",
}


def verdict_sentences(document: Document) -> tuple[str, ...]:
    """Say who wins, whether it is fair between equals, whether skill matters, what is wrong."""
    favours = document["verdict"]["favours"]
    sentences = [best_play_sentence(document)] if document["best_play"] else []
    if document["proved"]:
        sentences.append(PROVED[document["proved"]])
    if favours is not None:
        scores = [level["score"] for level in document["levels"] if level["level"] != "perfect"]
        judged = {
            "nobody": "Between equals the game is fair",
            "first": "Between equals the game favours the first player",
            "second": "Between equals the game favours the second player",
            "varies": "Between equals, whom the game favours depends on their level",
        }[favours]
        sentences.append(f"{judged}: below perfect play, the first player scores {_span(scores)}.")
    if document["skill"] is not None:
        sentences.append(_skill_sentence(document["skill"]))
    sentences.append(_faults_sentence(document))
    if document["environment"]:
        sentences.append("All of this is about what the environment's code does.")
    return tuple(sentences)


def _skill_sentence(skill: Document) -> str:
    """Say whether skill matters."""
    if not skill["matters"]:
        return "Skill does not matter: no decision changes the result."
    scores = [step["score"] for step in skill["scores"]]
    return f"Skill matters: each level scores {_span(scores)} against the next weaker one."


def _span(scores: Sequence[float]) -> str:
    """Write the least and the greatest of some scores."""
    low, high = percent(min(scores)), percent(max(scores))
    return low if low == high else f"{low} to {high}"


def best_play_sentence(document: Document) -> str:
    """Say who wins under best play, and in how many moves, where that is known."""
    best = document["best_play"]
    plies = best["value"]["plies"]
    moves = "" if plies is None else f" in {counted(plies, 'move')}"
    return f"Under best play {WINNERS[best['winner']]}{moves}."


def _faults_sentence(document: Document) -> str:
    """Say which faults were found, where they were looked for, and why there are no values."""
    faults, reasons = document["faults"], reasons_of(document, "values")
    found = _found(document) if faults else "No faults were found."
    if document["verdict"]["broken"]:
        return " ".join((*([found] if faults else []), *reasons))
    checked = reasons_of(document, "faults")
    return " ".join((found, *checked, *(f"There is no table: {reason}" for reason in reasons)))


def _found(document: Document) -> str:
    """Count the faults by their severity, and name the first ones."""
    faults = document["faults"]
    counts = [counted(count, kind) for kind, count in document["verdict"]["faults"].items()]
    codes = [fault["code"] for fault in faults[:MOST_NAMED]]
    more = ", …" if len(faults) > MOST_NAMED else ""
    return f"The audit found {' and '.join(counts)}: {', '.join(codes)}{more}."


def reasons_of(document: Document, part: str) -> list[str]:
    """Return why a part was left out, if it was."""
    return [left["reason"] for left in document["left_out"] if left["part"] == part]
