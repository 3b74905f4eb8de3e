"""Laws in words: as a statement, and as the reason for the value of a position."""

from __future__ import annotations

from typing import Any

from zerosum.coach.laws.law import Law
from zerosum.coach.laws.phrases import OPPONENTS, YOURS, Voice, is_plural, said
from zerosum.options import written
from zerosum.protocol import Result
from zerosum.text import plain_name, short, with_name
from zerosum.wording.words import Names

DOES: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "draws"}
DO: dict[Result, str] = {"win": "they win", "loss": "they lose", "draw": "it is a draw"}
ALWAYS: dict[Result, str] = {
    "win": "The player to move wins from every position.",
    "loss": "The player to move loses from every position.",
    "draw": "Every position is a draw.",
}
IS: dict[Result, str] = {"win": "won", "loss": "lost", "draw": "drawn"}


def statement(law: Law) -> str:
    """State a law: who loses, and exactly when."""
    if not law.parts:
        return ALWAYS[law.otherwise]
    winner = _winning_seat(law)
    if winner is not None:
        return f"The {('first', 'second')[winner]} player wins from every position."
    first, *others = law.parts
    text = f"The player to move {DOES[first.result]} exactly if {said(first.clauses)}"
    for part in others:
        text += f"; {DO[part.result]} if {said(part.clauses)}"
    if {first.result, law.otherwise} != {"win", "loss"}:
        text += f"; otherwise {DO[law.otherwise]}"
    return short(f"{text}.")


def _winning_seat(law: Law) -> int | None:
    """Return the seat that wins every position, if that is what a law says."""
    part = law.parts[0]
    conditions = [condition for clause in part.clauses for condition in clause]
    if len(law.parts) > 1 or len(conditions) > 1 or conditions[0].feature.kind != "turn":
        return None
    if {part.result, law.otherwise} != {"win", "loss"}:
        return None
    return int((part.result == "win") != (conditions[0].holds(0)))


def reach(law: Law) -> str:
    """Tell where a law holds: in how many positions, and whether that is proved for every size."""
    if law.positions == 1:
        return "There is only one position."
    checked = f"This holds in all {law.positions:,} positions"
    if law.every_size:
        noun = plain_name(law.every_size)
        size = f"any number of {noun}" if is_plural(noun) else f"a {noun} of any size"
        return f"{checked}, and it is proved for {size}."
    if law.refuted:
        option, value, wrong, positions = law.refuted
        variant = with_name(plain_name(option), written(value))
        only = f"at this size only: with {variant}, it is wrong in {wrong:,} of {positions:,}"
        return f"{checked}, but {only}."
    return f"{checked}."


def why(law: Law, state: Any, after: Any | None, move: str, names: Names | None = None) -> str:
    """Explain a position by a law: what makes it lost or won, or what a good move leaves.

    `after` is the position after that move, None if there is none. Names are for a report.
    """
    voices = (YOURS, OPPONENTS) if names is None else (_named(names), _named(names[::-1]))
    mine, theirs = voices if names is None or not state.player else voices[::-1]
    decided = law.clause(state)
    left = None if after is None else law.clause(after)
    if after is not None and left is not None and left[0] != "win":
        voice = mine if after.player == state.player else theirs
        text = said([left[1]], voice, after)
        return short(f"After {move}, {text}: {IS[left[0]]} for whoever moves.")
    if decided is None:
        return ""
    text = said([decided[1]], mine, state)
    return short(f"{text[:1].upper()}{text[1:]}: {IS[decided[0]]} for whoever moves.")


def _named(names: Names) -> Voice:
    """Speak of two players by their names; the first one moves."""
    mover, other = names
    return Voice(f"{mover}'s", f"{other}'s", f"{other}'s", f"{mover} has", other, f"{other} has")
