"""What a law may mention: numbers of a state as its player sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations
from operator import add, attrgetter, sub, xor
from typing import Any, Literal

from zerosum.protocol import Game
from zerosum.states import leaves
from zerosum.text import plain_name
from zerosum.wording.words import words_of

# A value is that of a field, of a part of it, or of one player; the others are made of two values,
# or tell what was just played and who is to move.
Kind = Literal["value", "sum", "difference", "compared", "apart", "move", "turn"]
Read = Callable[[Any], Any]
# Names that belong to the first and to the second seat.
SEATS = (
    *(("first", "second"), ("player1", "player2"), ("player_1", "player_2"), ("p1", "p2")),
    *(("player0", "player1"), ("player_0", "player_1"), ("player_one", "player_two")),
    *(("player_a", "player_b"), ("white", "black"), ("_1", "_2")),
)
# Numbered fields may just as well be two things that the players share.
NUMBERED = SEATS[-1]
# The most parts of a tuple that are features, and numbers that are compared.
MOST_PARTS, MOST_COMPARED = 4, 6
# The most different values whose occurrences in a tuple are counted.
MOST_COUNTED = 4
# How many positions are looked at to see what kind of field something is.
LOOKED_AT = 300
# Names of pairs that are a number for each player, not things counted.
MEASURED = ("positions", "scores", "numbers", "totals", "values", "healths", "sums", "heights")
ORDINALS = ("first", "second", "third", "fourth")
# Words that end in an s and are not plurals.
SINGULAR = ("ss", "us", "is")


@dataclass(frozen=True)
class Feature:
    """A number or string of a position; `weight` is the cost of naming it.

    `text` is how a sentence names it, with $own and $other for the players. What is made of two
    numbers has words for its `sides`, and perhaps for `both`. `moduli` is the largest divisor of
    interest; a `natural` number is never below 0.
    """

    name: str
    text: str
    read: Read = field(compare=False, repr=False)
    weight: float = 0.0
    moduli: int = 4
    natural: bool = False
    kind: Kind = "value"
    sides: tuple[str, str] = ("", "")
    both: str = ""

    def of(self, state: Any) -> Any:
        """Return the value in a position; None if a state has an unusual form."""
        try:
            return self.read(state)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return None

    def is_whole(self, states: Sequence[Any]) -> bool:
        """Return whether it is a whole number in all the positions."""
        return all(isinstance(self.of(state), int) for state in states)


def features_of(game: Game[Any], states: Sequence[Any]) -> dict[str, Feature]:
    """List the features of some positions by name, the plainest first.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> list(features_of(game, [game.initial()]))
    ['number', 'move previous']
    """
    # The last positions are those with the smallest numbers.
    looked_at = [*states[:: max(1, len(states) // LOOKED_AT)], *states[-LOOKED_AT:]]
    names = [name for name in states[0]._fields if name != "player"]
    words = words_of(game)
    if words.board(states[0]) is not None:  # it may show what numbers that nobody sees stand for
        seen = {part.name for part in words.fields(states[0])}
        tuples = {name for name in names if isinstance(getattr(states[0], name), tuple)}
        names = [name for name in names if name in seen | tuples]
    pairs = [
        (first, second, noun)
        for first, second, noun in _named_pairs(names)
        if not first.endswith(NUMBERED)
        or _is_owned(game, (attrgetter(first), attrgetter(second)), looked_at)
    ]
    owned = {name for first, second, _ in pairs for name in (first, second)}
    shared = [name for name in names if name not in owned]
    played = _move_fields(game, shared, looked_at)
    found: list[Feature] = []
    for name in shared:
        found += of_field("", plain_name(name), attrgetter(name), looked_at, played=name in played)
    numbers = [feature for feature in found if feature.kind == "value" and feature.weight < 0.5]
    for first, second, noun in pairs:
        several = isinstance(getattr(states[0], first), tuple)
        noun = noun or ("numbers" if several else "number")
        found += of_players(noun, attrgetter(first), attrgetter(second), looked_at)
    if len({state.player for state in states}) > 1:
        for name in shared:
            parts = _part(attrgetter(name), 0), _part(attrgetter(name), 1)
            pair = all(_is_pair(getattr(state, name)) for state in looked_at)
            if pair and _is_owned(game, parts, looked_at):
                noun = plain_name(name)
                noun = noun.removesuffix("s") if noun.endswith(MEASURED) else noun
                found += of_players(noun, *parts, looked_at, 0.2)
        found.append(Feature("turn", "", attrgetter("player"), 0.5, kind="turn"))
    found += compared(numbers[:MOST_COMPARED], looked_at)
    return {feature.name: feature for feature in found}


def _part(read: Read, index: int) -> Read:
    """Read a part of a tuple."""
    return lambda state: read(state)[index]


def _both(operator: Callable[[Any, Any], Any], left: Feature, right: Feature) -> Read:
    """Read the sum or the difference of two features."""
    return lambda state: operator(left.read(state), right.read(state))


def _is_pair(value: Any) -> bool:
    """Return whether a value is two numbers."""
    return isinstance(value, tuple) and [type(part) for part in value] == [int, int]


def _named_pairs(names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Pair the fields whose names belong to the seats, with their common part."""
    for name in names:
        for first, second in SEATS:
            other = name.replace(first, second, 1)
            if other != name and other in names:
                yield name, other, plain_name(name.replace(first, "", 1).strip("_"))
                break


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
    """Return whether each part belongs to a player, whose moves alone change it."""
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


def of_field(
    owner: Literal["", "own", "other"],
    noun: str,
    read: Read,
    states: Sequence[Any],
    weight: float = 0.0,
    played: bool = False,
) -> Iterator[Feature]:
    """Describe a field: a plain value, or a tuple by its parts, its sum and so on."""

    def made(noun: str, read: Read, more: float = 0.0, moduli: int = 4, **about: Any) -> Feature:
        text = owned_text(f"${owner}", noun) if owner else noun_text(noun)
        counted = bool(owner) and is_plural(noun) and " of " not in noun
        text = f"{'the number of ' * counted}{text}"
        return Feature(f"{owner} {noun}".lstrip(), text, read, weight + more, moduli, **about)

    values = [read(state) for state in states]
    if not any(isinstance(value, tuple) for value in values):
        natural = all(isinstance(value, int) and value >= 0 for value in values)
        if played:
            yield Feature(f"move {noun}", "", read, kind="move")
        else:
            yield made(noun, read, moduli=16, natural=natural)
        return
    if not all(isinstance(value, tuple) for value in values):
        return
    flat = [_flat(value) for value in values]
    if len({len(leaf) for leaf in flat}) > 1:
        yield made(f"length of {noun}", lambda s: len(read(s)), 0.2, 8)
    elif len(flat[0]) <= MOST_PARTS and all(not isinstance(v, tuple) for v in values[0]):
        for index, ordinal in enumerate(ORDINALS[: len(flat[0])]):
            yield made(f"{ordinal} of {noun}", _part(read, index), 0.2)
    seen: set[Any] = {leaf for part in flat for leaf in part}
    if seen and all(type(leaf) is int for leaf in seen):
        yield made(f"sum of {noun}", lambda s: sum(_flat(read(s))), 0.4, 8)
        if min(seen) >= 0 and max(seen) > 1:
            yield made(f"nim-sum of {noun}", lambda s: reduce(xor, _flat(read(s)), 0), 0.6)
        yield made(f"largest of {noun}", lambda s: max(_flat(read(s)), default=0), 0.6)
        yield made(f"smallest of {noun}", lambda s: min(_flat(read(s)), default=0), 0.6)
    if len(seen) <= MOST_COUNTED:
        for value in sorted(seen, key=lambda v: (v is not None, isinstance(v, str), str(v))):
            said = "empty" if value in ("", None) else value
            yield made(f"count of {said} in {noun}", _count(read, value), 0.6, 6)
    elif len(flat[0]) <= 12:
        yield made(f"count of 0 in {noun}", _count(read, 0), 0.7)


def _count(read: Read, value: Any) -> Read:
    """Read how often a value occurs in a tuple."""
    return lambda state: _flat(read(state)).count(value)


def _flat(value: Any) -> list[Any]:
    """Return the leaves of a nested tuple."""
    if all(not isinstance(part, tuple) for part in value):
        return list(value)
    return [leaf for _, leaf in leaves(value)]


def of_players(
    noun: str, first: Read, second: Read, states: Sequence[Any], weight: float = 0.0
) -> Iterator[Feature]:
    """Describe what each player has: the mover, the opponent, and the difference."""

    def own(state: Any) -> Any:
        return second(state) if state.player else first(state)

    def other(state: Any) -> Any:
        return first(state) if state.player else second(state)

    mine = list(of_field("own", noun, own, states, weight))
    theirs = {rival.name: rival for rival in of_field("other", noun, other, states, weight)}
    yield from mine
    yield from theirs.values()
    for feature in mine:
        noun = feature.name.removeprefix("own ")
        rival = theirs.get(f"other {noun}")
        if rival and feature.is_whole(states) and rival.is_whole(states):
            text = f"the difference between {owned_text('$own', noun)} and $others"
            read, sides = _both(sub, feature, rival), (feature.text, "$others")
            yield Feature(f"difference {noun}", text, read, weight, kind="difference", sides=sides)
            text, read = owned_text("both players'", noun), _both(add, feature, rival)
            yield Feature(f"sum {noun}", f"the sum of {text}", read, weight + 0.5, kind="sum")


def compared(numbers: Sequence[Feature], states: Sequence[Any]) -> Iterator[Feature]:
    """Compare the shared numbers, two at a time; a pair's numbers have its noun."""
    names = {feature.name for feature in numbers}
    for left, right in combinations(numbers, 2):
        if not left.is_whole(states) or not right.is_whole(states):
            continue
        noun = left.name.removeprefix("first of ")
        pair = right.name == f"second of {noun}" and f"third of {noun}" not in names
        nouns, weight = f"{left.name}|{right.name}", 0.2 + left.weight + right.weight
        sides, both, together = (left.text, right.text), f"{left.text} and {right.text}", ""
        if pair:
            nouns, weight, sides = noun, 0.2, (left.text, "the second")
            both = together = f"the two {'' if is_plural(noun) else 'parts of the '}{noun}"
        text, difference = f"the difference between {both}", _both(sub, left, right)
        made = Feature(f"compared {nouns}", text, difference, weight, kind="compared", sides=sides)
        yield replace(made, both=together)
        size = _both(lambda a, b: abs(a - b), left, right)
        yield Feature(f"apart {nouns}", text, size, weight + 0.1, kind="apart", both=both)
        if not pair:  # the sum of a tuple is a feature already
            text, total = f"the sum of {both}", _both(add, left, right)
            yield Feature(f"added {nouns}", text, total, weight + 0.3, kind="sum")


def owned_text(whose: str, noun: str) -> str:
    """Return a noun with its owner: their lives; the first of their heaps."""
    if " of " not in noun:
        return f"{whose} {noun}"
    before, article, after = noun_text(noun).rpartition(" the ")
    return f"{before}{article.replace('the', whose)}{after}"


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
