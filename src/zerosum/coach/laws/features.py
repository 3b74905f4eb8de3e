"""What a law may mention: numbers that are read from a state as its player sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from operator import xor
from typing import Any, Literal

from zerosum.protocol import Game
from zerosum.states import leaves
from zerosum.text import plain_name
from zerosum.wording.words import words_of

Owner = Literal["shared", "own", "other"]
Kind = Owner | Literal["move", "turn", "difference", "sum", "compared", "apart", "added"]
Read = Callable[[Any], Any]
# Names that belong to the first and to the second seat.
SEATS = (
    *(("first", "second"), ("player1", "player2"), ("player_1", "player_2"), ("p1", "p2")),
    *(("player0", "player1"), ("player_0", "player_1"), ("player_one", "player_two")),
    *(("player_a", "player_b"), ("white", "black"), ("_1", "_2")),
)
# Numbered fields may just as well be two things that the players share.
NUMBERED = SEATS[-1]
# The most parts of a tuple that are features of their own, and the most numbers that are compared.
MOST_PARTS, MOST_COMPARED = 4, 6
# The most different values whose occurrences in a tuple are counted.
MOST_COUNTED = 4
# How many positions are looked at to see what kind of field something is.
LOOKED_AT = 300
# Names of pairs that are a number for each player, and not things that are counted.
MEASURED = ("positions", "scores", "numbers", "totals", "values", "healths", "sums", "heights")
ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True)
class Feature:
    """One number, or string, of a position; `weight` is what it costs to mention it.

    `moduli` is the largest divisor of interest; a `natural` number is never below 0.
    """

    kind: Kind
    noun: str
    read: Read = field(compare=False, repr=False)
    weight: float = 0.0
    moduli: int = 4
    natural: bool = False

    def of(self, state: Any) -> Any:
        """Return the value in a position; None if a state has another form than most."""
        try:
            return self.read(state)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return None

    @property
    def name(self) -> str:
        """The name for programs, such as "number" or "own lives"."""
        return self.noun if self.kind == "shared" else f"{self.kind} {self.noun}".rstrip()


def features_of(game: Game[Any], states: Sequence[Any]) -> list[Feature]:
    """List the features of some positions, the plainest first.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> [feature.name for feature in features_of(game, [game.initial()])]
    ['number', 'move previous']
    """
    # The last positions are those with the smallest numbers.
    looked_at = [*states[:: max(1, len(states) // LOOKED_AT)], *states[-LOOKED_AT:]]
    names = [name for name in states[0]._fields if name != "player"]
    pairs = [
        (first, second)
        for first, second in seat_fields(game, states[0])
        if not first.endswith(NUMBERED)
        or _is_owned(game, (_field(first), _field(second)), looked_at)
    ]
    owned = {name for pair in pairs for name in pair}
    moves = _move_fields(game, names, looked_at)
    found: list[Feature] = []
    for name in names:
        if name not in owned:
            kind: Kind = "move" if name in moves else "shared"
            found += _of_field(kind, plain_name(name), _field(name), looked_at)
    for first, second in pairs:
        several = isinstance(getattr(states[0], first), tuple)
        noun = plain_name(_common(first, second)) or ("numbers" if several else "number")
        found += _owned(noun, _field(first), _field(second), looked_at)
    seats = {state.player for state in states}
    if len(seats) > 1:
        for name in (name for name in names if name not in owned):
            parts = _part(_field(name), 0), _part(_field(name), 1)
            pair = all(_is_pair(getattr(state, name)) for state in looked_at)
            if pair and _is_owned(game, parts, looked_at):
                found += _owned(_of_one(plain_name(name)), *parts, looked_at, 0.2)
        found.append(Feature("turn", "", _field("player"), 0.5))
    numbers = [feature for feature in found if feature.kind == "shared" and feature.weight < 0.5]
    return found + list(_compared(numbers[:MOST_COMPARED], looked_at))


def _field(name: str) -> Read:
    """Read a field of a state."""
    return lambda state: getattr(state, name)


def _part(read: Read, index: int) -> Read:
    """Read a part of a tuple."""
    return lambda state: read(state)[index]


def _is_pair(value: Any) -> bool:
    """Return whether a value is two numbers."""
    return isinstance(value, tuple) and len(value) == 2 and all(type(v) is int for v in value)


def seat_fields(game: Game[Any], state: Any) -> tuple[tuple[str, str], ...]:
    """Pair the fields that belong to the seats, by the game's words or by their names."""
    names = state._fields
    seats = {field.name: field.seat for field in words_of(game).fields(state)}
    pairs = []
    for name in names:
        for first, second in SEATS:
            other = name.replace(first, second, 1)
            said = {seats.get(name), seats.get(other)}
            if other != name and other in names and said in ({0, 1}, {None}):
                pairs.append((name, other))
                break
    return tuple(dict.fromkeys(pairs))


def _common(first: str, second: str) -> str:
    """Return what the names of two fields have in common."""
    for one, two in SEATS:
        if first.replace(one, two, 1) == second:
            return first.replace(one, "", 1).strip("_")
    return first


def _move_fields(game: Game[Any], names: Sequence[str], states: Sequence[Any]) -> set[str]:
    """Find the fields that hold the move that has just been played."""
    known = set(names)
    for state in states:
        for move in game.moves(state):
            after = game.play(state, move)
            known = {name for name in known if getattr(after, name) == move}
            if not known:
                return known
    return known


def _is_owned(game: Game[Any], parts: tuple[Read, Read], states: Sequence[Any]) -> bool:
    """Return whether each of two parts belongs to a player: no other player's move changes it."""
    movers: tuple[set[int], set[int]] = (set(), set())
    for state in states:
        for move in game.moves(state):
            after = game.play(state, move)
            for part, seats in zip(parts, movers, strict=True):
                if part(after) != part(state):
                    seats.add(state.player)
        if any(len(seats) > 1 for seats in movers):
            return False
    return movers[0] != movers[1]


def _of_field(
    kind: Kind, noun: str, read: Read, states: Sequence[Any], weight: float = 0.0
) -> Iterator[Feature]:
    """Describe a field: a plain value by itself, a tuple by its parts, its sum, and so on."""
    values = [read(state) for state in states]
    if not any(isinstance(value, tuple) for value in values):
        natural = all(isinstance(value, int) and value >= 0 for value in values)
        yield Feature(kind, noun, read, weight, moduli=16, natural=natural)
        return
    if not all(isinstance(value, tuple) for value in values):
        return
    flat = [[leaf for _, leaf in leaves(value)] for value in values]
    if len({len(leaf) for leaf in flat}) > 1:
        yield Feature(kind, f"length of {noun}", lambda s: len(read(s)), weight + 0.2, 8)
    elif len(flat[0]) <= MOST_PARTS and all(not isinstance(v, tuple) for v in values[0]):
        for index, ordinal in enumerate(ORDINALS[: len(flat[0])]):
            yield Feature(kind, f"{ordinal} of {noun}", _part(read, index), weight + 0.2)
    seen: set[Any] = {leaf for part in flat for leaf in part}
    if seen and all(type(leaf) is int for leaf in seen):
        yield Feature(kind, f"sum of {noun}", lambda s: sum(_flat(read(s))), weight + 0.4, 8)
        if min(seen) >= 0 and max(seen) > 1:
            yield Feature(
                kind, f"nim-sum of {noun}", lambda s: reduce(xor, _flat(read(s)), 0), weight + 0.6
            )
        yield Feature(
            kind, f"largest of {noun}", lambda s: max(_flat(read(s)), default=0), weight + 0.6
        )
        yield Feature(
            kind, f"smallest of {noun}", lambda s: min(_flat(read(s)), default=0), weight + 0.6
        )
    if len(seen) <= MOST_COUNTED:
        for value in sorted(seen, key=lambda v: (v is not None, isinstance(v, str), str(v))):
            said = "empty" if value in ("", None) else value
            yield Feature(kind, f"count of {said} in {noun}", _count(read, value), weight + 0.6, 6)
    elif len(flat[0]) <= 12:
        yield Feature(kind, f"count of 0 in {noun}", lambda s: _flat(read(s)).count(0), 0.7)


def _of_one(noun: str) -> str:
    """Return what one player has of a pair of numbers: of scores, a score."""
    return noun.removesuffix("s") if noun.endswith(MEASURED) else noun


def _count(read: Read, value: Any) -> Read:
    """Read how often a value occurs in a tuple."""
    return lambda state: _flat(read(state)).count(value)


def _flat(value: Any) -> list[Any]:
    """Return the leaves of a nested tuple."""
    if all(not isinstance(part, tuple) for part in value):
        return list(value)
    return [leaf for _, leaf in leaves(value)]


def _owned(
    noun: str, first: Read, second: Read, states: Sequence[Any], weight: float = 0.0
) -> Iterator[Feature]:
    """Describe what each player has: the mover's own, the opponent's, and the difference."""

    def own(state: Any) -> Any:
        return second(state) if state.player else first(state)

    def other(state: Any) -> Any:
        return first(state) if state.player else second(state)

    mine = list(_of_field("own", noun, own, states, weight))
    theirs = list(_of_field("other", noun, other, states, weight))
    yield from mine
    yield from theirs
    for feature, rival in zip(mine, theirs, strict=False):
        if feature.noun == rival.noun and _whole(feature, states) and _whole(rival, states):
            yield Feature("difference", feature.noun, _minus(feature.read, rival.read), weight)
            yield Feature("sum", feature.noun, _plus(feature.read, rival.read), weight + 0.5)


def _compared(numbers: Sequence[Feature], states: Sequence[Any]) -> Iterator[Feature]:
    """Compare the numbers that players share, two at a time; those of a pair have its noun."""
    nouns_of = {feature.noun for feature in numbers}
    pairs = {
        (f"first of {noun}", f"second of {noun}")
        for noun in (named.removeprefix("second of ") for named in nouns_of)
        if f"third of {noun}" not in nouns_of
    }
    for left, right in combinations(numbers, 2):
        if _whole(left, states) and _whole(right, states):
            nouns, weight = f"{left.noun}|{right.noun}", 0.2 + left.weight + right.weight
            difference = _minus(left.read, right.read)
            if (left.noun, right.noun) in pairs:
                nouns, weight = left.noun.removeprefix("first of "), 0.2
            yield Feature("compared", nouns, difference, weight)
            yield Feature("apart", nouns, _absolute(difference), weight + 0.1)
            if "|" in nouns:  # the sum of a tuple is a feature already
                yield Feature("added", nouns, _plus(left.read, right.read), weight + 0.3)


def _whole(feature: Feature, states: Sequence[Any]) -> bool:
    """Return whether a feature is a whole number in all the positions."""
    return all(isinstance(feature.of(state), int) for state in states)


def _minus(left: Read, right: Read) -> Read:
    """Read a difference."""
    return lambda state: left(state) - right(state)


def _absolute(read: Read) -> Read:
    """Read a number without its sign."""
    return lambda state: abs(read(state))


def _plus(left: Read, right: Read) -> Read:
    """Read a sum."""
    return lambda state: left(state) + right(state)
