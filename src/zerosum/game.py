"""What a game is: the protocol, an outcome, options, and the errors."""

from __future__ import annotations

import sys
from dataclasses import MISSING, field, fields, is_dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

S = TypeVar("S")
T = TypeVar("T")


class ZerosumError(Exception):
    """What went wrong, as a sentence for a person; every error of ours is one."""


class UnknownGame(ZerosumError):
    """There is no game of that name."""


class GameError(ZerosumError):
    """A game, or the file that should hold one, does not keep to the protocol."""


class OptionError(ZerosumError):
    """An option has a value that it cannot have."""

    def __init__(self, option: str, message: str) -> None:
        """Name the option beside the message."""
        super().__init__(f"{option}: {message}")
        self.option = option
        self.message = message


class MoveError(ZerosumError):
    """A move that was not made; the position is as it was."""


class UnreadableMove(MoveError):
    """What was typed is not a whole number."""


class IllegalMove(MoveError):
    """A whole number that the rules forbid here."""


class Outcome(NamedTuple):
    """How a game ended: the seat that won (0 moved first), and why."""

    winner: int
    reason: str


class Value(NamedTuple):
    """What a position is worth to the player to move, under best play.

    `result` is "win", "loss" or "draw"; `plies` counts the moves to the end when the winner
    hurries and the loser holds out. It is None for a draw, which has no end, and where it is
    not known.
    """

    result: str
    plies: int | None


class Game(Protocol[S]):
    """The rules of one variant of one game; a frozen dataclass whose fields are its options.

    A state is a NamedTuple of integers (and tuples of them) with a field `player`: the seat
    to move, 0 or 1. A move is the integer that a player types.

    A game in which not all moves can always be listed may also have
    `lists_all(state) -> bool`; `objection` is exact all the same.
    """

    def initial(self) -> S:
        """Return the position at the start."""

    def moves(self, state: S) -> tuple[int, ...]:
        """List the legal moves in a fixed order; () when the game is over."""

    def play(self, state: S, move: int) -> S:
        """Return the position after a legal move."""

    def outcome(self, state: S) -> Outcome | None:
        """Tell who won and why; None while the game goes on."""

    def objection(self, state: S, move: int) -> str | None:
        """Name the rule that forbids a move, as a sentence; None for a legal one."""


class Field(NamedTuple):
    """One thing that a state shows, as a page shows it: large, with a title above it.

    `seat` is whose it is, and None for what is shared; `kind` is "number", or "lives" for what
    somebody runs out of. The value may be a word where a number would not be understood.
    """

    name: str
    title: str
    value: int | str
    seat: int | None = None
    kind: str = "number"


PROTOCOL = ("initial", "moves", "play", "outcome", "objection")


def lists_all(game: Game[Any], state: Any) -> bool:
    """Tell whether `moves` names every legal move of this state."""
    ask = getattr(game, "lists_all", None)
    return True if ask is None else bool(ask(state))


def read_state(game: Game[S], data: Any) -> S:
    """Make a state of a game from its JSON array.

    >>> from zerosum.games.even_steven.rules import EvenSteven
    >>> read_state(EvenSteven(), [7, 1])
    State(number=7, player=1)
    """
    kind = type(game.initial())
    return kind(*(_tuples(value) for value in data))


def _tuples(value: Any) -> Any:
    """Turn JSON's lists into tuples, all the way down."""
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


class Option(NamedTuple):
    """One option of a game, as flags and forms need it."""

    name: str
    default: Any
    help: str


def option(default: T, help: str) -> T:  # noqa: A002 (the word that click and argparse use too)
    """Declare an option of a game: a dataclass field with its help text."""
    value: T = field(default=default, metadata={"help": help})
    return value


def options_of(game: Any) -> tuple[Option, ...]:
    """List the options of a game's class or of a variant, in the order of its fields.

    >>> from zerosum.games.even_steven.rules import EvenSteven
    >>> [(one.name, one.default) for one in options_of(EvenSteven)]
    [('start', 15), ('subtract_two', False)]
    """
    if not is_dataclass(game):
        return ()
    return tuple(
        Option(one.name, one.default, one.metadata.get("help", ""))
        for one in fields(game)
        if one.init and one.default is not MISSING
    )


def variant_of(game: Game[Any]) -> dict[str, Any]:
    """Give a variant's options and their values, ready for JSON.

    >>> from zerosum.games.dual_digits.rules import DualDigits
    >>> variant_of(DualDigits(start=9, numbers=(1, 3)))
    {'start': 9, 'numbers': [1, 3]}
    """
    values = {one.name: getattr(game, one.name) for one in options_of(game)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def written(value: Any) -> str:
    """Write an option's value as it is typed.

    >>> written(True), written((1, 3)), written(15)
    ('on', '1,3', '15')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def check_whole(
    name: str, value: object, least: int | None = None, most: int | None = None
) -> None:
    """Refuse an option that is not a whole number of the given range.

    >>> check_whole("start", 0, least=1)
    Traceback (most recent call last):
    ...
    zerosum.game.OptionError: start: must be a whole number from 1 up, not 0
    """
    if type(value) is int:
        if (least is None or value >= least) and (most is None or value <= most):
            return
        wanted = _range(least, most)
    else:
        wanted = "a whole number" + _range(least, most).removeprefix("a whole number")
    raise OptionError(name, f"must be {wanted}, not {_shown(value)}")


def check_seat(player: object) -> None:
    """Refuse a player to move who is neither 0 nor 1."""
    if type(player) is not int or player not in (0, 1):
        raise ZerosumError(f"The player must be 0 or 1, not {_shown(player)}.")


def check_number(number: object, least: int = 0) -> None:
    """Refuse what cannot be a number of a position."""
    if type(number) is not int or number < least:
        raise ZerosumError(
            f"A number must be a whole number from {least} up, not {_shown(number)}."
        )


def either(words: list[str]) -> str:
    """Join words for a choice.

    >>> either(["13", "7"]), either(["1", "2", "3"])
    ('13 or 7', '1, 2 or 3')
    """
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def check_flag(name: str, value: object) -> None:
    """Refuse an option that is neither on nor off."""
    if type(value) is not bool:
        raise OptionError(name, f"must be on or off (True or False), not {_shown(value)}")


def _shown(value: object) -> str:
    """Show a wrong value so that a text is not taken for the number in it."""
    return brief(repr(value)) if isinstance(value, str) else brief(value)


def _range(least: int | None, most: int | None) -> str:
    """Say which whole numbers are meant."""
    if least is not None and most is not None:
        return f"a whole number from {brief(least)} to {brief(most)}"
    if least is not None:
        return f"a whole number from {brief(least)} up"
    if most is not None:
        return f"a whole number of at most {brief(most)}"
    return "a whole number"


def brief(value: object, width: int = 40) -> str:
    """Show a value in a message: on one line, without control characters, never too long.

    >>> brief(7), brief("a" * 100, 10), brief(10**5000)
    ('7', 'aaaaaaaaa… (100 characters)', 'a number of about 5001 digits')
    """
    if type(value) is int and abs(value) >= 10**width:
        # A conversion to text may be forbidden (sys.set_int_max_str_digits), and is slow.
        return f"a number of about {int(value.bit_length() * 0.30103) + 1} digits"
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # a number in it is too long for this interpreter
        text = f"{type(value).__name__} with very long numbers"
    shown = "".join(c if c.isprintable() else "�" for c in text[:width])
    return shown if len(text) <= width else f"{shown[:-1]}… ({len(text)} characters)"


# Reading a number takes time that grows with the square of its length: a quarter of a second here.
LONGEST_NUMBER = 200_000


def read_whole(text: str) -> int:
    """Read the whole number that a person typed, in any script's digits.

    >>> read_whole(" +7 "), read_whole("-3"), read_whole("٤٢")
    (7, -3, 42)
    >>> read_whole("1.0")
    Traceback (most recent call last):
    ...
    zerosum.game.UnreadableMove: '1.0' is not a whole number.
    """
    text = text.strip()
    digits = text[1:] if text[:1] in ("+", "-", "−") else text
    if not digits.isdecimal():
        raise UnreadableMove(f"'{brief(text)}' is not a whole number.")
    if len(digits) > LONGEST_NUMBER:
        raise UnreadableMove(
            f"A number of {len(digits)} digits is too long to read; {LONGEST_NUMBER} is the most."
        )
    limit = sys.get_int_max_str_digits()
    if limit and len(digits) > limit:
        raise UnreadableMove(
            f"A number of {len(digits)} digits is more than this interpreter reads "
            f"({limit}; see sys.set_int_max_str_digits)."
        )
    value = int(digits)
    return value if digits is text or text[0] == "+" else -value
