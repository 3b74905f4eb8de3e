"""A review in words: the turning point, each player's share of good decisions, each move."""

from __future__ import annotations

from typing import Any

from zerosum.coach.advice import Coach
from zerosum.coach.review import Judged, Review, Verdict
from zerosum.match import Round
from zerosum.protocol import S
from zerosum.text import short
from zerosum.wording import Names, spoken

MARKS: dict[Verdict, str] = {
    "best": "",
    "good": "",
    "mistake": "?",
    "blunder": "??",
    "only": "",
    "forced": "",
}
NAMED = 3


def better(judged: Judged) -> str:
    """Name what would have been better, or nothing."""
    if judged.move in judged.best or judged.verdict == "only":
        return ""
    return short(" or ".join(map(str, judged.best[:NAMED])))


def turning_point(coach: Coach[S], names: Names, played: Round[S], reviewed: Review) -> list[str]:
    """Say where the game was decided, and what would have been better, and why."""
    if reviewed.turning_point is None:
        return ["There was no turning point: no move changed the result."]
    judged = reviewed.moves[reviewed.turning_point - 1]
    state, name = played.states[judged.ply - 1], names[judged.seat]
    best = coach.best(state)
    told = [
        f"Turning point: move {judged.ply}. {name} played {coach.named(state, judged.move)}, "
        f"and went from a {spoken(judged.before)} to a {spoken(judged.value)}.",
        f"After it: {coach.after(state, judged.move, names)}",
        f"Better: {coach.named(state, best)}. Then: {coach.after(state, best, names)}",
    ]
    law = "" if coach.theory is None else short(coach.theory.why(state))
    return [*told, *([f"To {name}: {law}"] if law else [])]


def shares(names: Names, reviewed: Review) -> list[str]:
    """Say how many of their decisions each player got right."""
    told = []
    for seat in (0, 1):
        good, every = reviewed.decisions(seat)
        if every:
            told.append(f"{names[seat]}: {good} of {every} good decisions ({good / every:.0%}).")
        else:
            told.append(f"{names[seat]} had no real choice this game.")
    return told


def reason(coach: Coach[S], names: Names, played: Round[S], judged: Judged) -> str:
    """Say why a move has its verdict."""
    state = played.states[judged.ply - 1]
    if not judged.kept:
        then = coach.after(state, judged.move, names)
        return f"After it: {then} Better: {coach.named(state, coach.best(state))}."
    if judged.verdict == "only":
        return "There was no other move."
    if judged.verdict == "forced" and judged.move in judged.best:
        return f"No move could change the result ({judged.word})."
    if judged.verdict == "best":
        return "Nothing was better."
    if judged.value.plies is None:
        return "It keeps the result."
    if judged.value.result == "loss":
        return f"It loses sooner than {better(judged)}."
    return f"It still wins, but later than {better(judged)}."


def drawn(names: Names, played: Round[Any], reviewed: Review) -> dict[str, Any]:
    """Give what the chart of a game is made from."""
    return {
        "values": reviewed.history,
        "moves": played.moves,
        "labels": [judged.verdict for judged in reviewed.moves],
        "names": names,
        "movers": [judged.seat for judged in reviewed.moves],
    }
