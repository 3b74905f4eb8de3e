"""Laws in words: as a statement, and as the reason for a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from string import Template
from typing import Any

from zerosum.coach.laws.features import Feature, is_plural
from zerosum.coach.laws.law import Clause, Law, LawCondition
from zerosum.coach.verdicts import DOES
from zerosum.options import written
from zerosum.protocol import Result
from zerosum.text import either, plain_name, short, signed, upper_first, with_name
from zerosum.wording.words import Names

DO: dict[Result, str] = {"win": "they win", "loss": "they lose", "draw": "it is a draw"}
IS: dict[Result, str] = {"win": "won", "loss": "lost", "draw": "drawn"}
VERBS = ("has ", "ends ")
# How two numbers compare, by a condition on their difference.
COMPARED: dict[tuple[str, Any], str] = {
    ("at least", 1): "is larger than",
    ("at least", 0): "is at least",
    ("at most", -1): "is smaller than",
    ("at most", 0): "is at most",
    ("is", 0): "equals",
    ("is not", 0): "differs from",
}

# How the player to move and the opponent are spoken of; `others` is without a noun.
Voice = Mapping[str, str]


def _voice(own: str, other: str, rival_has: str, others: str = "") -> Voice:
    """Speak of two players; the first one moves."""
    return {"own": own, "other": other, "others": others or other, "rival_has": rival_has}


THEIRS = _voice("their", "their opponent's", "their opponent has")
YOURS = _voice("your", "your opponent's", "your opponent has")
OPPONENTS = _voice("your opponent's", "your", "you have", "yours")


def statement(law: Law) -> str:
    """State a law: who loses, and exactly when."""
    if not law.parts:
        always = f"The player to move {DOES[law.otherwise]} from every position."
        return "Every position is a draw." if law.otherwise == "draw" else always
    (first, *others), (condition, *more) = law.parts, law.conditions
    decisive = {first.result, law.otherwise} == {"win", "loss"}
    if decisive and not others and not more and condition.feature == "turn":
        winner = ("first", "second")[(first.result == "win") != condition.holds(0)]
        return f"The {winner} player wins from every position."
    when = said(law.features, first.clauses)
    text = f"The player to move {DOES[first.result]} exactly if {when}"
    for part in others:
        text += f"; {DO[part.result]} if {said(law.features, part.clauses)}"
    if not decisive:
        text += f"; otherwise {DO[law.otherwise]}"
    return short(f"{text}.")


def reach(law: Law) -> str:
    """Tell in how many positions a law holds, and whether it is proved for every size."""
    if law.positions == 1:
        return "There is only one position."
    checked = f"This holds in all {law.positions:,} positions"
    if law.every_size:
        noun = plain_name(law.every_size)
        size = f"any number of {noun}" if is_plural(noun) else f"a {noun} of any size"
        return f"{checked}, and it is proved for {size}."
    if law.refuted:
        refuted = law.refuted
        variant = with_name(plain_name(refuted.option), written(refuted.value))
        wrong = f"it is wrong in {refuted.wrong:,} of {refuted.positions:,}"
        return f"{checked}, but at this size only: with {variant}, {wrong}."
    return f"{checked}."


def why(law: Law, state: Any, after: Any | None, move: str, names: Names | None = None) -> str:
    """Explain a position by a law: what makes it lost or won, or what a good move leaves.

    `after` is the position after that move, None if there is none. Names are for a report.
    """
    mine, theirs = YOURS, OPPONENTS
    if names is not None:
        mover, other = names[state.player], names[1 - state.player]
        if "You" not in names:
            mine = _voice(f"{mover}'s", f"{other}'s", f"{other} has")
            theirs = _voice(f"{other}'s", f"{mover}'s", f"{mover} has")
        elif mover != "You":
            mine, theirs = theirs, mine
    decided = law.clause(state)
    left = None if after is None else law.clause(after)
    if after is not None and left is not None and left[0] != "win":
        voice = mine if after.player == state.player else theirs
        text = said(law.features, [left[1]], voice, after)
        return short(f"After {move}, {text}: {IS[left[0]]} for whoever moves.")
    if decided is None:
        return ""
    text = said(law.features, [decided[1]], mine, state)
    return short(f"{upper_first(text)}: {IS[decided[0]]} for whoever moves.")


def said(
    features: Mapping[str, Feature],
    clauses: Sequence[Clause],
    voice: Voice = THEIRS,
    state: Any = None,
) -> str:
    """Write clauses, any of which decides; a state gives their numbers.

    >>> features = {"number": Feature("number", "the number", lambda state: state.number)}
    >>> odd, large = (("remainder", (2, 1)), ("at least", (5,)))
    >>> clause = (LawCondition("number", *odd), LawCondition("number", *large))
    >>> said(features, [clause, (LawCondition("number", "is", (2,)),)])
    'the number is odd and at least 5, or it is 2'
    """
    parts: list[str] = []
    before = ""
    for group in grouped(features, clauses):
        if len(group) == 1:
            subject, rest = _clause(features, group[0], state)
        else:
            subject = features[group[0][0].feature].text
            say = _after_moves if len(group[0]) > 1 else _any_of
            rest = say(features, group)
        parts.append(f"{'it' if subject and subject == before else subject} {rest}".strip())
        # After a clause about two things, 'it' could be either.
        about = {c.feature for c in group[0] if features[c.feature].kind not in ("move", "turn")}
        before = subject if len(about) == 1 else ""
    return Template(", or ".join(parts)).safe_substitute(voice)


def grouped(features: Mapping[str, Feature], clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Join neighbours that differ in numbers only: 2 or 5; 1 after a 3, or 2 after a 4."""

    def shape(clause: Clause) -> Any:
        kinds = [features[c.feature].kind for c in clause]
        plain = all(c.test in ("is", "remainder") for c in clause)
        if not plain or kinds not in (["value"], ["value", "move"]):
            return clause
        return [(c.feature, c.numbers[0] if c.test == "remainder" else None) for c in clause]

    for _, group in groupby(clauses, key=shape):
        yield list(group)


def _clause(features: Mapping[str, Feature], clause: Clause, state: Any) -> tuple[str, str]:
    """Return the subject of a clause, and what is said about it."""
    by_feature = [(features[name], list(c)) for name, c in groupby(clause, lambda c: c.feature)]
    alone = len(by_feature) == 1
    (subject, text), *others = (_about(feature, c, state, alone) for feature, c in by_feature)
    return subject, " and ".join([text, *(f"{s} {t}".strip() for s, t in others)])


def _about(
    feature: Feature, conditions: list[LawCondition], state: Any, alone: bool
) -> tuple[str, str]:
    """Return the subject of some conditions on one feature, `alone` in its clause, and the rest."""
    test, number = conditions[0].test, conditions[0].numbers[0]
    if feature.kind == "move":
        not_played = "not " * (test == "is not")
        return "", f"$rival_has {not_played}just played {number_text(number)}"
    if feature.kind == "turn":
        first = (number == 0) == (test == "is")
        return "", f"the {'first' if first else 'second'} player is to move"
    compared = [_comparison(feature, c.test, c.numbers[0]) for c in conditions]
    if all(compared):
        return "", " and ".join(compared)
    bounds = {c.test: c.numbers[0] for c in conditions}
    if set(bounds) == {"at least", "at most"}:
        low, high = bounds["at least"], bounds["at most"]
        several = LawCondition(feature.name, "between", (low, high))
        one = LawCondition(feature.name, "is", (low,))
        conditions = [one if low == high else several]
    texts: list[str] = []
    for condition in conditions:
        text = _predicate(feature, [condition])
        # Is odd and at least 5; has remainder 1 when divided by 3 and is at least 7.
        if not text.startswith(VERBS) and (not texts or texts[-1].startswith(VERBS)):
            text = f"is {text}"
        texts.append(text)
    rest = " and ".join(texts)
    if state is not None and any(c.test != "is" for c in conditions):
        of_it = f", which {rest}" if alone else f" ({rest.removeprefix('is ')})"
        rest = f"is {number_text(feature.of(state))}{of_it}"
    return feature.text, rest


def _comparison(feature: Feature, test: str, number: Any) -> str:
    """Compare what the players have, or two numbers; nothing if that cannot be said by a verb."""
    if feature.kind == "apart":
        by = {"is": "by", "is not": "by anything but"}.get(test)
        return f"{feature.both} differ {by} {number}" if by else ""
    left, right = feature.sides
    if not left:
        return ""
    if feature.both and number == 0 and test in ("is", "is not"):
        return f"{feature.both} {'are equal' if test == 'is' else 'differ'}"
    verb = COMPARED.get((test, number), "")
    if not verb and test == "at least" and number > 0:
        verb = f"is at least {number} more than"
    elif not verb and test == "at most" and number < 0:
        verb = f"is at least {-number} less than"
    elif not verb and test == "is":
        verb = f"is exactly {abs(number)} {'more' if number > 0 else 'less'} than"
    return f"{left} {verb} {right}" if verb else ""


def _any_of(features: Mapping[str, Feature], group: list[Clause]) -> str:
    """Say which values or remainders a number may have."""
    conditions = [condition for (condition,) in group]
    text = _predicate(features[conditions[0].feature], conditions)
    return text if text.startswith(VERBS) else f"is {text}"


def _after_moves(features: Mapping[str, Feature], group: list[Clause]) -> str:
    """Say after which moves a number has which value or remainder."""
    condition = group[0][0]
    by_move = {
        move: [clause[0].numbers[-1] for clause in clauses]
        for move, clauses in groupby(group, key=lambda clause: clause[1].numbers[0])
    }
    ends = _is_last_digit(features[condition.feature], condition)
    texts = [
        f"{'in ' * ends}{_either(numbers)} after {number_text(move)}"
        for move, numbers in by_move.items()
    ]
    texts[0] = texts[0].replace(" after ", " after $rival_has just played ")
    if ends:
        return f"ends {either(texts)}"
    if condition.test == "is":
        return f"is {either(texts)}"
    return f"has, when divided by {condition.numbers[0]}, remainder {either(texts)}"


def _predicate(feature: Feature, group: list[LawCondition]) -> str:
    """Say what a feature is; conditions differ in one number only."""
    condition = group[0]
    number: Any = condition.numbers[0]
    last = condition.numbers[-1]
    which = _either([c.numbers[-1] for c in group])
    if condition.test == "remainder":
        if number == 2 and len(group) == 1:
            return "odd" if last else "even"
        if _is_last_digit(feature, condition):
            return f"ends in {which}"
        if which == "0":
            return f"a multiple of {number}"
        return f"has remainder {which} when divided by {number}"
    if condition.test == "between":
        low, high = number_text(number), number_text(last)
        return f"{low} or {high}" if last == number + 1 else f"from {low} to {high}"
    return {"is": "", "is not": "not "}.get(condition.test, f"{condition.test} ") + which


def _is_last_digit(feature: Feature, condition: LawCondition) -> bool:
    """Return whether a condition is about the last digit of a number."""
    return condition.test == "remainder" and condition.numbers[0] == 10 and feature.natural


def _either(values: Sequence[Any]) -> str:
    """List values, any of which will do."""
    return either([number_text(value) for value in values])


def number_text(value: Any) -> str:
    """Write a number or a string."""
    if isinstance(value, int):
        return signed(value, "")
    return "none" if value is None else f"'{value}'"
