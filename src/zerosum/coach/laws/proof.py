"""Prove a law for a number of any size, by induction with a symbolic number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from math import lcm
from typing import Any, cast

from zerosum.coach.laws.law import Law
from zerosum.coach.laws.symbols import Linear, Undecided
from zerosum.errors import OptionError
from zerosum.protocol import Game, Result
from zerosum.solver.values import OTHER, RANK

# Up to these numbers, positions are checked one by one, without a symbol.
CHECKED = (60, 240)
# A symbol stands for numbers with one remainder; the divisor is the law's times these.
MULTIPLES = (1, 2, 3, 4, 6, 12)
MOST_DIVISOR, MOST_OTHERS = 240, 60


def proved_for(law: Law, states: Sequence[Any]) -> str | None:
    """Return the name of a number for which a law is proved at any size; or None.

    Every move has to make the number smaller. Then the law is true if it agrees with the moves at
    each position: one by one below a bound, and all at once above it.
    """
    # A symbol must not enter rules that are the code of an object.
    if law.game.is_foreign or not is_dataclass(law.game):
        return None
    names: tuple[str, ...] = type(states[0])._fields
    for name in names:
        values = {getattr(state, name) for state in states}
        if name == "player" or any(type(value) is not int for value in values):
            continue
        others = list(dict.fromkeys(state._replace(**{name: 0}) for state in states))
        low = min(values)
        if len(values) > 3 and len(others) <= MOST_OTHERS and low >= -CHECKED[-1]:
            proof = Proof(law, name, low, others)
            if any(proof.holds(checked) for checked in CHECKED):
                return name
    return None


class Proof:
    """An attempt to prove a law for one number, `name`, from `low` up."""

    def __init__(self, law: Law, name: str, low: int, others: list[Any]) -> None:
        """Take a law; `others` are the states without the number."""
        self.plain, self.law = law.game, law
        self.name, self.low, self.others = name, low, others

    def holds(self, checked: int) -> bool:
        """Return whether the law is proved, with positions below about `checked` one by one."""
        divisors: list[Any] = [c.numbers[0] for c in self.law.conditions if c.test == "remainder"]
        divisor = lcm(*divisors)
        tried = [divisor * multiple for multiple in MULTIPLES if divisor * multiple <= MOST_DIVISOR]
        return any(self._with(divisor, -(-checked // divisor)) for divisor in tried)

    def _with(self, divisor: int, least: int) -> bool:
        """Try numbers below divisor × least one by one, others by their remainders."""
        asked: list[str] = []
        numbers = [
            *range(self.low, divisor * least),
            *(Linear(divisor, rest, least, asked) for rest in range(divisor)),
        ]
        # A game may remember what it read, so each attempt has its own.
        self.game, self.read = watched(self.plain)
        self.law = replace(self.law, game=self.game)
        try:
            agrees = all(
                self._agrees(state._replace(**{self.name: number}), number)
                for number in reversed(numbers)
                for state in self.others
            )
            return agrees and self._starts_anywhere(numbers) and not asked
        except (Undecided, Exception):  # the rules may fail in any way at all
            return False

    def _agrees(self, state: Any, number: Any) -> bool:
        """Return whether the law gives a position the best result of its moves."""
        game = self.game
        if game.outcome(state) is not None:
            return True
        if not game.lists_all(state):
            return False
        ranks = []
        for after in (game.play(state, move) for move in game.moves(state)):
            result = self._result(after, number)
            if result is None:
                return False
            mine = after.player == state.player
            ranks.append(RANK[result if mine else OTHER[result]])
        return bool(ranks) and max(ranks) == RANK[self.law.result(state)]

    def _result(self, state: Any, number: Any) -> Result | None:
        """Return the result after a move: by the rules at the end, else by the law.

        It is None unless that is a checked case with a smaller number.
        """
        outcome = self.game.outcome(state)
        if outcome is None:
            same = self.game.canonical(state)
            known = same._replace(**{self.name: 0}) in self.others
            smaller = self.low <= getattr(same, self.name) < number
            return self.law.result(state) if known and smaller else None
        if outcome.winner is None:
            return "draw"
        return "win" if outcome.winner == state.player else "loss"

    def _starts_anywhere(self, numbers: list[Any]) -> bool:
        """Return whether games that start elsewhere have just the cases that are checked.

        The rules may not read an option that says where a game starts, and one that moves the
        number may move nothing else.
        """
        rules = set(self.read)
        self.read.clear()
        first = self.game.initial()
        values: dict[type[Any], list[Any]] = {int: numbers, bool: [False, True]}
        return rules.isdisjoint(self.read) and all(
            self._alike(first, changed(self.plain, option, value).initial())
            for option in self.read
            # Whatever else an option is, it may have any number of values: a KeyError.
            for value in values[type(getattr(self.plain, option))]
            if type(value) is Linear or _allowed(self.plain, option, value)
        )

    def _alike(self, first: Any, start: Any) -> bool:
        """Return whether two starts differ in the number alone, or have the same one."""
        number = getattr(start, self.name)
        if type(number) is int and number == getattr(first, self.name):
            return True
        return bool(start._replace(**{self.name: 0}) == first._replace(**{self.name: 0}))


def changed(game: Game[Any], option: str, number: Any) -> Game[Any]:
    """Return the variant with another number, or a symbol, as an option."""
    variant: Game[Any] = _bare(type(game), game)
    object.__setattr__(variant, option, number)
    # What the game makes of its options, without the check of their types.
    made = getattr(type(game).__post_init__, "__wrapped__", None)
    if made is not None:
        made(variant)
    names = [field.name for field in fields(cast(Any, game)) if field.name != option]
    if any(getattr(variant, name) != getattr(game, name) for name in names):
        raise Undecided  # it is more than one option
    return variant


def _allowed(game: Game[Any], option: str, number: int) -> bool:
    """Return whether an option may be a number."""
    try:
        replace(cast(Any, game), **{option: number})
    except OptionError:
        return False
    return True


def watched(game: Game[Any]) -> tuple[Game[Any], set[str]]:
    """Return a game that notes which options its rules read, and the set it notes them in."""
    read: set[str] = set()
    names = {field.name for field in fields(cast(Any, game))}

    class Watched(type(game)):  # type: ignore[misc]
        def __getattribute__(self, name: str) -> Any:
            read.update(names if name == "__dict__" else names & {name})
            return super().__getattribute__(name)

    copy = _bare(Watched, game)
    read.clear()
    return copy, read


def _bare(kind: type[Any], game: Game[Any]) -> Any:
    """Return a game with another's options, and without its memory."""
    copy = object.__new__(kind)
    for field in fields(cast(Any, game)):
        object.__setattr__(copy, field.name, getattr(game, field.name))
    return copy
