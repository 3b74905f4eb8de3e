"""Laws in words: as a statement, and as the reason for the value of a position."""

from __future__ import annotations

from typing import Any

from zerosum.coach.laws.law import Law
from zerosum.coach.laws.phrases import OPPONENTS, YOURS, Voice, is_plural, number_text, said
from zerosum.options import written
from zerosum.protocol import Result
from zerosum.text import counted, plain_name, short, with_name
from zerosum.wording.words import Names

DOES: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "draws"}
DO: dict[Result, str] = {"win": "they win", "loss": "they lose", "draw": "it is a draw"}
ALWAYS: dict[Result, str] = {
    "win": "The player to move wins from every position.",
    "loss": "The player to move loses from every position.",
    "draw": "Every position is a draw.",
}
RACE = (
    "This is a race: no move touches what the opponent has. Count the moves that each player needs "
    "alone to finish. The player to move wins exactly if they need no more than their opponent."
)
STUCK = "A player who can never finish loses to one who can; if neither can, it is a draw."
IS: dict[Result, str] = {"win": "won", "loss": "lost", "draw": "drawn"}


def statement(law: Law) -> str:
    """State a law: who loses, and exactly when."""
    if law.race:
        return f"{RACE} {STUCK}" if law.race.stuck else RACE
    if not law.parts:
        return ALWAYS[law.otherwise]
    winner = _winning_seat(law)
    if winner is not None:
        return f"The {('first', 'second')[winner]} player wins from every position."
    first, *others = law.parts
    only = law.exact and first.result not in (law.otherwise, *(part.result for part in others))
    exactly = "exactly if" if only else "if"
    text = f"The player to move {DOES[first.result]} {exactly} {said(first.clauses)}"
    for part in others:
        text += f"; {DO[part.result]} if {said(part.clauses)}"
    if not only or {first.result, law.otherwise} != {"win", "loss"}:
        text += f"; otherwise {DO[law.otherwise]}"
    if law.exceptions:
        where = " and ".join(_described(law, state) for state in law.exceptions)
        text += f". The only {'exception is' if len(law.exceptions) == 1 else 'exceptions are'}"
        text += f" {where}"
    return short(f"{text}.")


def _winning_seat(law: Law) -> int | None:
    """Return the seat that wins every position, if that is what a law says."""
    part = law.parts[0]
    conditions = [condition for clause in part.clauses for condition in clause]
    if len(law.parts) > 1 or len(conditions) > 1 or conditions[0].feature.kind != "turn":
        return None
    if {part.result, law.otherwise} != {"win", "loss"} or law.right < law.positions:
        return None
    return int((part.result == "win") != (conditions[0].holds(0)))


def reach(law: Law) -> str:
    """Tell where a law holds: in how many positions, and whether that is proved for every size."""
    if not law.exact:
        return f"It is right in {law.right:,} of {law.positions:,} positions ({law.share:.1%})."
    if law.positions == 1:
        return "There is only one position."
    checked = f"This holds in all {law.positions:,} positions"
    if law.exceptions:
        checked = f"That makes it exact in all {law.positions:,} positions"
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
    if law.race:
        return _needed(law, state, names)
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


def _needed(law: Law, state: Any, names: Names | None) -> str:
    """Tell how many moves both players need in a race."""
    assert law.race is not None  # noqa: S101 (the caller has looked)
    own, other = law.race.needed(law.game.canonical(state))
    who, rival = ("You", "your opponent")
    if names is not None:
        who, rival = names[state.player], names[1 - state.player]
    if own is None and other is None:
        return "Neither player can finish."
    if own is None or other is None:
        stuck = f"{who} cannot finish" if own is None else f"{rival} cannot finish"
        return f"{stuck[:1].upper()}{stuck[1:]}."
    needs = "need" if names is None else "needs"
    mine = f"{who} {needs} {counted(own, 'move')} to finish alone"
    if own == other:
        first = "you go" if names is None else f"{who} goes"
        return f"{mine} and {rival} needs as many, but {first} first."
    return f"{mine}, and {rival} needs {other}."


def _described(law: Law, state: Any) -> str:
    """Describe a position by its fields."""
    parts = [
        f"{plain_name(name)} {number_text(value) if not isinstance(value, tuple) else value}"
        for name, value in zip(state._fields, state, strict=True)
        if name != "player"
    ]
    said = law.result(state)
    # A law with exceptions knows two results.
    truth = law.otherwise if said != law.otherwise else law.parts[0].result
    return f"{', '.join(parts)} (the rule says {IS[said]}; it is {IS[truth]})"
