"""What it means to leave each number to an opponent, where no short law was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from zerosum.coach.laws.law import RESULTS, positions_of
from zerosum.coach.laws.sentences import DOES
from zerosum.protocol import Game, Result
from zerosum.solver import table_of
from zerosum.solver.solution import RANK, Solution
from zerosum.text import either, runs, signed
from zerosum.wording.words import words_of

MOST_LAWS = 6
MOST_RANGES = 10
# A law compares with no more numbers than this.
MOST_VALUES = 100

Conditions = dict[str, Callable[["Position"], bool]]


class Position(NamedTuple):
    """A position as its player sees it: the shared number, what both have, and its result."""

    number: int
    own: int
    other: int
    result: Result


class NumberLaw(NamedTuple):
    """The result for the player to move: `then` under a condition, and `otherwise` if not."""

    then: Result
    otherwise: Result
    condition: str = ""


def laws_by_number(solution: Solution[Any]) -> Iterator[str]:
    """Tell which numbers to leave and which to avoid, where players share one number.

    >>> import zerosum
    >>> next(laws_by_number(zerosum.solve(zerosum.game("digit-battle"))))
    'Aim to leave 20: your opponent loses with at most 5 lives, and otherwise draws.'
    """
    positions, title = _positions(solution)
    if positions:
        yield from _numbers(positions, title)


def numbers_to_leave(solution: Solution[Any]) -> str:
    """Name the numbers from which whoever moves loses, whatever else there is; or nothing.

    >>> import zerosum
    >>> numbers_to_leave(zerosum.solve(zerosum.game("docs/examples/last_stick.py")))
    'Leave your opponent 1, 5 or 9: whoever moves from there loses.'
    """
    results: dict[int, set[Result]] = {}
    for position in _positions(solution)[0]:
        results.setdefault(position.number, set()).add(position.result)
    lost = sorted(number for number, found in results.items() if found == {"loss"})
    return _sentence(NumberLaw("loss", "loss"), _listed(lost, min(results))) if lost else ""


def _positions(solution: Solution[Any]) -> tuple[list[Position], str]:
    """List the positions of a game in which players share one number, and what they have."""
    shared, owned, title = _fields(solution.game, solution.game.initial())
    if shared is None:
        return [], ""
    states, results, _ = positions_of(table_of(solution))
    if not all(isinstance(state[shared], int) for state in states):
        return [], ""
    pairs = zip(states, results.tolist(), strict=True)
    return [_position(state, RESULTS[result], shared, owned) for state, result in pairs], title


def _fields(game: Game[Any], first: Any) -> tuple[int | None, tuple[int, int] | None, str]:
    """Find the one number that players share, and the numbers that each has, with their title."""
    fields = [
        field
        for field in words_of(game).fields(first)
        if isinstance(field.value, int) and field.name in first._fields
    ]
    shared = [first._fields.index(field.name) for field in fields if field.seat is None]
    seats = [[field for field in fields if field.seat == seat] for seat in (0, 1)]
    one = shared[0] if len(shared) == 1 else None
    if [len(owned) for owned in seats] != [1, 1]:
        return one, None, ""
    first_index, second_index = (first._fields.index(owned[0].name) for owned in seats)
    return one, (first_index, second_index), seats[0][0].title.lower()


def _position(state: Any, result: Result, shared: int, owned: tuple[int, int] | None) -> Position:
    """Describe a position by its numbers."""
    number = state[shared]
    own, other = (0, 0) if owned is None else (state[index] for index in owned)
    return Position(number, *((other, own) if state.player else (own, other)), result)


def _numbers(positions: Sequence[Position], title: str) -> Iterator[str]:
    """Tell which numbers to leave and which to avoid, by the law that holds for each."""
    by_number: dict[int, list[Position]] = {}
    for position in positions:
        by_number.setdefault(position.number, []).append(position)
    conditions = _conditions(positions, title)
    found = {number: _law(by_number[number], conditions) for number in sorted(by_number)}
    laws: dict[NumberLaw, list[int]] = {}
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
        yield f"For {_listed(unclear, least)}, no short rule was found."


def _merit(law: NumberLaw) -> tuple[int, int]:
    """Return a sort key: what is good to leave to an opponent comes first."""
    return RANK[law.then] + RANK[law.otherwise], RANK[law.then]


def _law(positions: Sequence[Position], conditions: Conditions) -> NumberLaw | None:
    """Find a law that gives the result of every one of some positions; the first that does."""
    results = {position.result for position in positions}
    if len(results) == 1:
        (result,) = results
        return NumberLaw(result, result)
    for condition, test in conditions.items():
        then = {position.result for position in positions if test(position)}
        otherwise = {position.result for position in positions if not test(position)}
        if len(then) == len(otherwise) == 1:
            return NumberLaw(then.pop(), otherwise.pop(), condition)
    return None


def _holds(law: NumberLaw, positions: Sequence[Position], conditions: Conditions) -> bool:
    """Return whether a law gives the result of every one of some positions."""
    test = conditions[law.condition]
    return all(p.result == (law.then if test(p) else law.otherwise) for p in positions)


def _conditions(positions: Sequence[Position], title: str) -> Conditions:
    """List what a law may depend on, in words for an opponent who is to move."""
    return {
        f"with more {title} than you": lambda p: p.own > p.other,
        f"with at least as many {title} as you": lambda p: p.own >= p.other,
        **{
            f"while you have {_most(most)} {title}": partial(_at_most, "other", most)
            for most in sorted({position.other for position in positions})[:MOST_VALUES]
        },
        **{
            f"with {_most(most)} {title}": partial(_at_most, "own", most)
            for most in sorted({position.own for position in positions})[:MOST_VALUES]
        },
    }


def _most(number: int) -> str:
    """Write a limit before a plural noun, so never with a 1."""
    return "fewer than 2" if number == 1 else f"at most {number}"


def _at_most(name: str, most: int, position: Position) -> bool:
    """Return whether a player has no more than a number of something."""
    return bool(getattr(position, name) <= most)


def _sentence(law: NumberLaw, numbers: str) -> str:
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
    return either(ranges if more <= 1 else [*ranges[:MOST_RANGES], f"{more:,} others"])
