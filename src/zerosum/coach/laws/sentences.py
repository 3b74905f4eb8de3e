"""Laws in words: as a statement, and as the reason for the value of a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from zerosum.coach.laws.features import Feature
from zerosum.coach.laws.law import Clause, Condition, Law
from zerosum.options import written
from zerosum.protocol import Result
from zerosum.text import either, plain_name, short, signed, with_name
from zerosum.wording.words import Names

DOES: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "draws"}
DO: dict[Result, str] = {"win": "they win", "loss": "they lose", "draw": "it is a draw"}
ALWAYS: dict[Result, str] = {
    "win": "The player to move wins from every position.",
    "loss": "The player to move loses from every position.",
    "draw": "Every position is a draw.",
}
IS: dict[Result, str] = {"win": "won", "loss": "lost", "draw": "drawn"}


class Voice(NamedTuple):
    """How the player to move and the opponent are spoken of; `others` is without a noun."""

    own: str
    other: str
    others: str
    rival_has: str


THEIRS = Voice("their", "their opponent's", "their opponent's", "their opponent has")
YOURS = Voice("your", "your opponent's", "your opponent's", "your opponent has")
OPPONENTS = Voice("your opponent's", "your", "yours", "you have")
VERBS = ("has ", "ends ")
# Words that end in an s and are not plurals.
SINGULAR = ("ss", "us", "is")


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
    return Voice(f"{mover}'s", f"{other}'s", f"{other}'s", f"{other} has")


def said(clauses: Sequence[Clause], voice: Voice = THEIRS, state: Any = None) -> str:
    """Write some clauses, any of which decides; with a state, its numbers are named.

    >>> number = Feature("shared", "number", lambda state: state.number)
    >>> odd, large = (Condition(number, "remainder", (2, 1)), Condition(number, "at least", (5,)))
    >>> said([(odd, large), (Condition(number, "is", (2,)),)])
    'the number is odd and at least 5, or it is 2'
    """
    parts: list[str] = []
    before = ""
    for group in _grouped(clauses):
        subject, rest = _clauses(group, voice, state)
        again = subject and subject == before
        parts.append(f"{'it' if again else subject} {rest}".strip())
        before = subject
    return ", or ".join(parts)


def _grouped(clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Join neighbours that differ in numbers only: 2 or 5; 1 after the move 3, or 2 after 4."""

    def shape(clause: Clause) -> Any:
        plain = all(c.test in ("is", "remainder") for c in clause)
        joined = len(clause) == 1 or clause[1].feature.kind == "move"
        if not plain or not joined or clause[0].feature.kind not in ("shared", "own", "other"):
            return clause
        return [(c.feature.name, c.numbers[0] if c.test == "remainder" else None) for c in clause]

    for _, group in groupby(clauses, key=shape):
        yield list(group)


def _clauses(group: list[Clause], voice: Voice, state: Any) -> tuple[str, str]:
    """Return the subject of clauses of one shape, and what is said about it."""
    first = group[0]
    if len(group) > 1 and len(first) > 1:
        return _after_moves(group, voice)
    if len(group) > 1:
        conditions = [clause[0] for clause in group]
        return _subject(first[0].feature, voice), _verbs([conditions])[0]
    texts = []
    features = [(feature, list(group)) for feature, group in groupby(first, lambda c: c.feature)]
    for feature, conditions in features:
        listed = [[condition] for condition in conditions]
        subject, predicates = _predicates(feature, listed, voice, state, len(features) == 1)
        texts.append((subject, " and ".join(predicates)))
    (subject, text), *others = texts
    return subject, " and ".join([text, *(f"{s} {t}".strip() for s, t in others)])


def _after_moves(group: list[Clause], voice: Voice) -> tuple[str, str]:
    """Say after which moves a number has which value or remainder."""
    condition = group[0][0]
    subject = _subject(condition.feature, voice)
    by_move = {
        move: [clause[0].numbers[-1] for clause in clauses]
        for move, clauses in groupby(group, key=lambda clause: clause[1].numbers[0])
    }
    ends = _is_last_digit(condition)
    texts = [
        f"{'in ' * ends}{either([number_text(n) for n in numbers])} after {number_text(move)}"
        for move, numbers in by_move.items()
    ]
    texts[0] = texts[0].replace(" after ", " after the move ")
    if ends:
        return subject, f"ends {either(texts)}"
    if condition.test == "is":
        return subject, f"is {either(texts)}"
    return subject, f"has, when divided by {condition.numbers[0]}, remainder {either(texts)}"


def _predicates(
    feature: Feature, groups: list[list[Condition]], voice: Voice, state: Any, alone: bool
) -> tuple[str, list[str]]:
    """Return the subject of some conditions on one feature, `alone` in its clause, and the rest."""
    conditions = [group[0] for group in groups]
    if feature.kind == "move":
        played = either([number_text(c.numbers[0]) for c in groups[0]])
        verb = "not just played" if conditions[0].test == "is not" else "just played"
        return "", [f"{voice.rival_has} {verb} {played}"]
    if feature.kind == "turn":
        first = (conditions[0].numbers[0] == 0) == (conditions[0].test == "is")
        return "", [f"the {'first' if first else 'second'} player is to move"]
    if feature.kind in ("difference", "compared", "apart"):
        texts = [_difference(feature, condition, voice) for condition in conditions]
        if all(texts):
            return "", [text for text in texts if text]
    bounds = {c.test: c.numbers[0] for c in conditions}
    if set(bounds) == {"at least", "at most"}:
        low_high = (bounds["at least"], bounds["at most"])
        groups = [[Condition(feature, "between", low_high)]]
        conditions = groups[0]
    subject, which = _subject(feature, voice), _verbs(groups)
    if state is not None and any(c.test != "is" for c in conditions):
        listed = " and ".join(which)
        of_it = f", which {listed}" if alone else f" ({listed.removeprefix('is ')})"
        which = [f"is {number_text(feature.of(state))}{of_it}"]
    return subject, which


def _verbs(groups: list[list[Condition]]) -> list[str]:
    """Write predicates with their verb: is odd and at least 5; has remainder 1 …"""
    texts: list[str] = []
    for group in groups:
        text = _predicate(group)
        if not text.startswith(VERBS) and (not texts or texts[-1].startswith(VERBS)):
            text = f"is {text}"
        texts.append(text)
    return texts


def _predicate(group: list[Condition]) -> str:
    """Say what a feature is; several conditions differ in one number only."""
    condition = group[0]
    numbers = condition.numbers
    if condition.test == "remainder":
        rests = sorted(c.numbers[1] for c in group)
        if numbers[0] == 2 and len(rests) == 1:
            return "odd" if numbers[1] else "even"
        if _is_last_digit(condition):
            return f"ends in {either([str(r) for r in rests])}"
        if rests == [0]:
            return f"a multiple of {numbers[0]}"
        return f"has remainder {either([str(r) for r in rests])} when divided by {numbers[0]}"
    if condition.test == "between":
        low, high = map(number_text, numbers)
        return f"{low} or {high}" if numbers[1] == numbers[0] + 1 else f"from {low} to {high}"
    which = either([number_text(c.numbers[0]) for c in group])
    return {"is": "", "is not": "not ", "at most": "at most ", "at least": "at least "}[
        condition.test
    ] + which


def _is_last_digit(condition: Condition) -> bool:
    """Return whether a condition is about the last digit of a number."""
    return (
        condition.test == "remainder" and condition.numbers[0] == 10 and condition.feature.natural
    )


def number_text(value: Any) -> str:
    """Write a number or a string."""
    if isinstance(value, int):
        return signed(value, "")
    return "none" if value is None else f"'{value}'"


def _subject(feature: Feature, voice: Voice) -> str:
    """Return the words for a feature."""
    if feature.kind == "added":
        left, right = feature.noun.split("|")
        return f"the sum of {noun_text(left)} and {noun_text(right)}"
    if feature.kind in ("compared", "apart"):
        return f"the difference between {_both(feature)}"
    if feature.kind == "sum":
        both = _owned("both players'", feature.noun)
        return f"the sum of {both}"
    if feature.kind == "difference":
        return f"the difference between {_owned(voice.own, feature.noun)} and {voice.others}"
    if feature.kind in ("own", "other"):
        whose = voice.own if feature.kind == "own" else voice.other
        return f"{'the number of ' * _counted(feature.noun)}{_owned(whose, feature.noun)}"
    return noun_text(feature.noun)


def _owned(whose: str, noun: str) -> str:
    """Return a noun with its owner: their lives; the first of their heaps."""
    if " of " not in noun:
        return f"{whose} {noun}"
    before, article, after = noun_text(noun).rpartition(" the ")
    return f"{before}{article.replace('the', whose)}{after}"


def _counted(noun: str) -> bool:
    """Return whether a noun is of things that a player has some of."""
    return is_plural(noun) and " of " not in noun


def noun_text(noun: str) -> str:
    """Return a noun with its article; things that are many are counted."""
    if noun.startswith("count of "):
        what, _, field = noun.removeprefix("count of ").partition(" in ")
        things = "empty cells" if what == "empty" else f"{what.replace('-', '−')}s"
        return f"the number of {things} in the {field}"
    if " of " in noun:
        return f"the {noun.replace(' of ', ' of the ', 1)}"
    return noun if len(noun) == 1 else f"the {'number of ' * is_plural(noun)}{noun}"


def is_plural(noun: str) -> bool:
    """Return whether a noun looks like a plural."""
    return noun.endswith("s") and not noun.endswith(SINGULAR)


# How two numbers compare, by a condition on their difference.
_COMPARED: dict[tuple[str, int], str] = {
    ("at least", 1): "is larger than",
    ("at least", 0): "is at least",
    ("at most", -1): "is smaller than",
    ("at most", 0): "is at most",
    ("is", 0): "equals",
    ("is not", 0): "differs from",
}


def _both(feature: Feature) -> str:
    """Return the words for two numbers that are compared: of a pair, or of two fields."""
    left, shared, right = feature.noun.partition("|")
    if shared:
        return f"{noun_text(left)} and {noun_text(right)}"
    return f"the two {left}" if is_plural(left) else f"the two parts of the {left}"


def _difference(feature: Feature, condition: Condition, voice: Voice) -> str:
    """Compare what the players have, or two numbers; or nothing, if it is about a remainder."""
    if feature.kind == "apart":
        by = {"is": "by", "is not": "by anything but"}.get(condition.test)
        return f"{_both(feature)} differ {by} {condition.numbers[0]}" if by else ""
    compared = _COMPARED.get((condition.test, condition.numbers[0])) or _by_how_much(condition)
    if not compared:
        return ""
    if feature.kind == "compared":
        left, shared, right = feature.noun.partition("|")
        if shared:
            return f"{noun_text(left)} {compared} {noun_text(right)}"
        if condition.numbers == (0,) and condition.test in ("is", "is not"):
            return f"{_both(feature)} {'are equal' if condition.test == 'is' else 'differ'}"
        return f"{noun_text(f'first of {left}')} {compared} the second"
    number = "the number of " * _counted(feature.noun)
    return f"{number}{_owned(voice.own, feature.noun)} {compared} {voice.others}"


def _by_how_much(condition: Condition) -> str:
    """Compare two numbers by their difference, if that is large enough to be named."""
    test, number = condition.test, condition.numbers[0]
    if test == "at least" and number > 0:
        return f"is at least {number} more than"
    if test == "at most" and number < 0:
        return f"is at least {-number} less than"
    if test == "is":
        return f"is exactly {abs(number)} {'more' if number > 0 else 'less'} than"
    return ""
