"""How to play a game well, in a few sentences: its theory, or laws found in its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from zerosum.coach.advice import Coach, percent
from zerosum.protocol import Result, S
from zerosum.solver.solution import RANK, Solution
from zerosum.states import walk
from zerosum.text import either, runs, short, signed
from zerosum.wording.words import spoken

# Positions beyond this are not counted: that would take seconds.
MOST_STATES = 150_000
MOST_LAWS = 6
MOST_RANGES = 10
# A law compares with no more numbers than this.
MOST_VALUES = 100
DOES: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "draws"}
KEEP: dict[Result, str] = {"win": "win", "loss": "lose", "draw": "hold the draw"}
KEEPS: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "holds the draw"}


Conditions = dict[str, Callable[["Position"], bool]]


class Position(NamedTuple):
    """A position as its player sees it: the shared number, what both have, and its result."""

    number: int
    own: int
    other: int
    result: Result


class Law(NamedTuple):
    """The result for the player to move: `then` under a condition, and `otherwise` if not."""

    then: Result
    otherwise: Result
    condition: str = ""


def strategy(solution: Solution[S]) -> list[str]:
    """Explain how to play a game well.

    >>> import zerosum
    >>> game = zerosum.game("docs/examples/last_stick.py")
    >>> strategy(zerosum.solve(game))[2]
    'Leave your opponent 1, 5 or 9: whoever moves from there loses.'
    """
    coach, first = Coach(solution), solution.game.initial()
    value = solution.value(first)
    start = f"The start is a {spoken(value)} for the player who moves first."
    if value.result == "draw":
        start = "The start is a draw: neither side can force a win."
    found = () if coach.statement else tuple(_found(coach, first))
    reasons = coach.reasons(first) if coach.statement or value.result != "draw" else []
    lines = (coach.statement, start, _first_moves(coach, first), *found, *reasons)
    return [line for line in lines if line]


def _first_moves(coach: Coach[S], first: S) -> str:
    """Describe the first moves: which keep the result, and which of them win most often."""
    values = coach.solution.moves(first)
    if len(values) < 2 or not coach.game.lists_all(first):
        return ""
    result = coach.solution.value(first).result
    keep = [move for move, value in values.items() if value.result == result]
    text = f"Every first move {KEEPS[result]}."
    if len(keep) < len(values):
        listed = short(", ".join(map(str, keep)))
        text = f"At the start, only {listed} {KEEPS[result]}."
        if len(keep) > 1:
            text = f"At the start, only these {KEEP[result]}: {listed}."
        if len(keep) > MOST_RANGES:
            text = f"At the start, {len(keep)} of {len(values)} moves {KEEP[result]}."
    return f"{text} {coach.comparison(first)}".rstrip()


def _found(coach: Coach[S], first: S) -> Iterator[str]:
    """Find laws in the values of all positions."""
    game = coach.game
    states = list(walk(game, limit=MOST_STATES, key=game.canonical))
    if len(states) == MOST_STATES:
        return
    results = {
        state: coach.solution.value(state).result for state in states if game.outcome(state) is None
    }
    shared, owned, title = _fields(coach, first)
    if shared is None and owned is None:
        return
    positions = [_position(state, result, shared, owned) for state, result in results.items()]
    if owned is not None:
        yield from _compared(positions, title)
    if shared is not None:
        yield from _numbers(positions, title)


def _fields(coach: Coach[Any], first: Any) -> tuple[int | None, tuple[int, int] | None, str]:
    """Find the one number that players share, and the numbers that each has, with their title."""
    fields = [
        field
        for field in coach.words.fields(first)
        if isinstance(field.value, int) and field.name in first._fields
    ]
    shared = [first._fields.index(field.name) for field in fields if field.seat is None]
    seats = [[field for field in fields if field.seat == seat] for seat in (0, 1)]
    one = shared[0] if len(shared) == 1 else None
    if [len(owned) for owned in seats] != [1, 1]:
        return one, None, ""
    first_index, second_index = (first._fields.index(owned[0].name) for owned in seats)
    return one, (first_index, second_index), seats[0][0].title.lower()


def _position(
    state: Any, result: Result, shared: int | None, owned: tuple[int, int] | None
) -> Position:
    """Describe a position by its numbers."""
    number = 0 if shared is None else state[shared]
    own, other = (0, 0) if owned is None else (state[index] for index in owned)
    return Position(number, *((other, own) if state.player else (own, other)), result)


def _compared(positions: Sequence[Position], title: str) -> Iterator[str]:
    """Tell how much it helps to have more of something, where it does."""
    more = Counter(p.result for p in positions if p.own > p.other)
    fewer = Counter(p.result for p in positions if p.own < p.other)
    if more["win"] * 2 > more.total() and fewer["loss"] * 2 > fewer.total():
        won, lost = more["win"] / more.total(), fewer["loss"] / fewer.total()
        yield (
            f"Stay ahead: the player to move wins {percent(won)} of positions with more {title}, "
            f"and loses {percent(lost)} with fewer."
        )


def _numbers(positions: Sequence[Position], title: str) -> Iterator[str]:
    """Tell which numbers to leave and which to avoid, by the law that holds for each."""
    by_number: dict[int, list[Position]] = {}
    for position in positions:
        by_number.setdefault(position.number, []).append(position)
    conditions = _conditions(positions, title)
    found = {number: _law(by_number[number], conditions) for number in sorted(by_number)}
    laws: dict[Law, list[int]] = {}
    for law in found.values():
        if law is not None:
            laws[law] = []
    for number, law in found.items():
        if law is not None:
            # Where a condition never varies, a law of other numbers may hold as well.
            wider = (w for w in laws if w.condition and _holds(w, by_number[number], conditions))
            laws[law if law.condition else next(wider, law)].append(number)
    merits = {law: _merit(law) for law in laws if laws[law]}
    least = min(by_number)
    for law in sorted(merits, key=merits.__getitem__)[:MOST_LAWS]:
        yield _sentence(law, _listed(laws[law], least))
    unclear = [number for number, law in found.items() if law is None]
    if unclear and merits:
        yield f"From {_listed(unclear, least)} there is no short rule."


def _merit(law: Law) -> tuple[int, int]:
    """Return a sort key: what is good to leave to an opponent comes first."""
    return RANK[law.then] + RANK[law.otherwise], RANK[law.then]


def _law(positions: Sequence[Position], conditions: Conditions) -> Law | None:
    """Find the simplest law that gives the result of every one of some positions."""
    results = {position.result for position in positions}
    if len(results) == 1:
        (result,) = results
        return Law(result, result)
    for condition, test in conditions.items():
        then = {position.result for position in positions if test(position)}
        otherwise = {position.result for position in positions if not test(position)}
        if len(then) == len(otherwise) == 1:
            return Law(then.pop(), otherwise.pop(), condition)
    return None


def _holds(law: Law, positions: Sequence[Position], conditions: Conditions) -> bool:
    """Return whether a law gives the result of every one of some positions."""
    test = conditions[law.condition]
    return all(p.result == (law.then if test(p) else law.otherwise) for p in positions)


def _conditions(positions: Sequence[Position], title: str) -> Conditions:
    """List what a law may depend on, in words for an opponent who is to move."""
    return {
        f"with more {title} than you": lambda p: p.own > p.other,
        f"with at least as many {title} as you": lambda p: p.own >= p.other,
        **{
            f"while you have at most {most} {title}": partial(_at_most, "other", most)
            for most in sorted({position.other for position in positions})[:MOST_VALUES]
        },
        **{
            f"with at most {most} {title}": partial(_at_most, "own", most)
            for most in sorted({position.own for position in positions})[:MOST_VALUES]
        },
    }


def _at_most(name: str, most: int, position: Position) -> bool:
    """Return whether a player has no more than a number of something."""
    return bool(getattr(position, name) <= most)


def _sentence(law: Law, numbers: str) -> str:
    """Write what it means to leave some numbers to the opponent."""
    if not law.condition:
        advice: dict[Result, str] = {
            "loss": f"Leave your opponent {numbers}: whoever moves from there loses.",
            "draw": f"It is safe to leave {numbers}: every position there is a draw.",
            "win": f"Do not leave {numbers}: whoever moves from there wins.",
        }
        return advice[law.then]
    start = "Leaving"  # which is good or bad, as the law says
    if "draw" in (law.then, law.otherwise):
        start = "Avoid leaving" if "win" in (law.then, law.otherwise) else "Aim to leave"
    text = f"{DOES[law.then]} {law.condition}, and otherwise {DOES[law.otherwise]}"
    return f"{start} {numbers}: your opponent {text}."


def _listed(numbers: list[int], least: int) -> str:
    """List numbers, with ranges drawn together; `least` is the smallest that there is."""
    ranges = runs(numbers).replace("-", "−").split(", ")
    low, to, high = ranges[0].partition(" to ")
    if to and least < 0 and low == signed(least):
        ranges[0] = f"{high} and below"
    more = len(ranges) - MOST_RANGES
    return either(ranges if more <= 0 else [*ranges[:MOST_RANGES], f"{more} others"])
