"""A review in words: the turning point, each player's share of good decisions, each move."""

from __future__ import annotations

from typing import Any

from zerosum.coach.advice import Coach, spoken
from zerosum.coach.review import Judged, Review
from zerosum.match import Round
from zerosum.wording import Names, short

MARKS = {"best": "", "good": "", "mistake": "?", "blunder": "??"}
NAMED = 3


def better(one: Judged) -> str:
    """Name what would have been better, or nothing."""
    return "" if one.label == "best" else short(" or ".join(map(str, one.best[:NAMED])))


def turning_point(coach: Coach, names: Names, played: Round, judged: Review) -> list[str]:
    """Say where the game was decided, and what would have been better, and why."""
    if judged.turning_point is None:
        return ["There was no turning point: nobody gave anything away."]
    one = judged.moves[judged.turning_point - 1]
    state = played.states[one.ply - 1]
    lost = f"from {spoken(one.before)} to {spoken(one.after)}"
    return [
        f"Turning point: move {one.ply}. {names[one.seat]} played {short(str(one.move))}, {lost}.",
        coach.punished(state, one.move),
        f"Better for {names[one.seat]}: {coach.hint(state)}",
        *coach.why(state)[1:],
    ]


def shares(names: Names, judged: Review) -> list[str]:
    """Say how many of their decisions each player got right."""
    told = []
    for seat in (0, 1):
        good, all_ = judged.decisions(seat)
        if all_:
            share = f"{good} of {all_} good decisions ({good / all_:.0%})"
        else:
            share = "never had anything to get wrong"
        told.append(f"{names[seat]}: {share}.")
    return told


def reason(coach: Coach, played: Round, one: Judged) -> str:
    """Say why a move has its label."""
    state = played.states[one.ply - 1]
    if not one.kept:
        return f"{coach.punished(state, one.move)} Better: {coach.hint(state)}"
    if len(coach.game.moves(state)) == 1:
        return "There was no other move."
    if one.label == "best":
        return "Nothing was better." if one.decision else "No move could change the result."
    if one.after.plies is None or one.after.result == "draw":
        return "It keeps the result."
    how = "It still wins, but later" if one.after.result == "win" else "It loses, and sooner"
    return f"{how} than {better(one)}."


def drawn(names: Names, played: Round, judged: Review) -> dict[str, Any]:
    """Give what the chart of a game is made from."""
    return {
        "values": judged.history,
        "moves": played.moves,
        "labels": [one.label for one in judged.moves],
        "names": names,
        "movers": [one.seat for one in judged.moves],
    }
