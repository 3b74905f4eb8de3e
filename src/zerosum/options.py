"""The options of a game, each declared once with its default, help and bounds."""

from __future__ import annotations

from dataclasses import MISSING, field, fields, is_dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from zerosum.errors import OptionError, UnreadableMove
from zerosum.text import LONGEST_NUMBER, brief, either, read_numbers, read_whole

T = TypeVar("T")
OptionKind = Literal["flag", "number", "numbers", "text"]
ON, OFF = ("on", "yes", "true", "1"), ("off", "no", "false", "0")


class Option(NamedTuple):
    """An option of a game, as flags, forms and documents need it."""

    name: str
    default: Any
    help: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[Any, ...] = ()

    @property
    def kind(self) -> OptionKind:
        """The type of its values: on or off, a number, numbers, or a string."""
        if isinstance(self.default, bool):
            return "flag"
        if isinstance(self.default, int):
            return "number"
        return "numbers" if isinstance(self.default, tuple) else "text"

    @property
    def flag(self) -> str:
        """The name as it is typed on the command line.

        >>> Option("subtract_two", False).flag
        'subtract-two'
        """
        return self.name.replace("_", "-")

    @property
    def bounds(self) -> str:
        """The allowed values in a few words; nothing if all are allowed.

        >>> Option("start", 15, least=1).bounds, Option("side", 3, least=3, most=5).bounds
        ('at least 1', 'from 3 to 5')
        >>> Option("start", 15, most=10**6).bounds
        'at most 1,000,000'
        >>> Option("first", "cross", choices=("cross", "nought")).bounds
        'cross or nought'
        """
        if self.choices:
            return either([written(choice) for choice in self.choices])
        if self.least is not None and self.most is not None:
            return f"from {_bound(self.least)} to {_bound(self.most)}"
        if self.least is not None:
            return f"at least {_bound(self.least)}"
        return "" if self.most is None else f"at most {_bound(self.most)}"

    @property
    def about(self) -> str:
        """The help of the option, with its bounds.

        >>> Option("start", 15, "the number at the start", least=1).about
        'the number at the start, at least 1'
        """
        between = ": " if self.choices else ", "
        return between.join(filter(None, (self.help, self.bounds)))

    def check(self, value: object) -> None:
        """Refuse a value of the wrong type, or outside the bounds."""
        if self.kind == "flag":
            if type(value) is not bool:
                raise self.refusal("on or off (True or False)", value)
        elif self.kind == "number":
            self._check_whole(value)
        elif self.kind == "numbers":
            if not isinstance(value, tuple) or not value:
                raise OptionError(
                    self.name, f"must be one or more numbers, such as {written(self.default)}"
                )
            for number in value:
                self._check_whole(number)
        elif not isinstance(self.default, str):
            wanted = "its default must be an int, a bool, a str or a tuple of ints"
            raise OptionError(self.name, f"{wanted}, not {brief(self.default)}")
        elif not isinstance(value, str):
            raise self.refusal("a string", value)
        if self.choices and value not in self.choices:
            raise self.refusal(self.bounds, value)

    def _check_whole(self, value: object) -> None:
        """Refuse a value that is not a whole number within the bounds."""
        whole = type(value) is int
        low = whole and self.least is not None and value < self.least  # type: ignore[operator]
        high = whole and self.most is not None and value > self.most  # type: ignore[operator]
        if not whole or low or high:
            bounds = self._replace(choices=()).bounds
            wanted = f"a whole number {'of ' * bounds.startswith('at')}{bounds}".strip()
            raise self.refusal(wanted, value)

    def read(self, text: str, digits: int = LONGEST_NUMBER) -> Any:
        """Read a typed value, with numbers of at most `digits` digits; bounds come later.

        >>> Option("subtract_two", False).read("ON"), Option("numbers", (1, 3)).read("1, 4")
        (True, (1, 4))
        """
        try:
            if self.kind == "number":
                return read_whole(text, digits)
            if self.kind == "numbers":
                return read_numbers(text, digits)
        except UnreadableMove as error:
            raise OptionError(self.name, str(error)) from error
        word = text.strip()
        if self.kind == "flag" and word.lower() not in (*ON, *OFF):
            raise OptionError(self.name, "must be on or off")
        return word.lower() in ON if self.kind == "flag" else word

    def refusal(self, wanted: str, value: object) -> OptionError:
        """Return the error that says what is right; a string is quoted."""
        text = brief(repr(value)) if isinstance(value, str) else brief(value)
        return OptionError(self.name, f"must be {wanted}, not {text}")


def option(
    default: T,
    help: str = "",  # noqa: A002 (the word that click and argparse use too)
    *,
    least: int | None = None,
    most: int | None = None,
    choices: tuple[T, ...] = (),
) -> T:
    """Declare an option of a game: a dataclass field with help text and bounds.

    >>> option(1, "the number at the start", least=2)
    Traceback (most recent call last):
    ...
    zerosum.errors.OptionError: default: must be a whole number of at least 2, not 1
    """
    if least is not None and most is not None and least > most:
        raise OptionError("least", f"{brief(least)} is above most, {brief(most)}")
    if not isinstance(default, (bool, int, str, tuple)):
        raise OptionError("default", "must be an int, a bool, a str or a tuple of ints")
    if not isinstance(help, str):
        raise OptionError("help", f"must be a string, not {brief(help)}")
    if isinstance(default, bool) and choices:
        raise OptionError("choices", "are not for an option that is on or off; leave them out")
    if len({written(choice).casefold() for choice in choices}) < len(choices):
        raise OptionError("choices", "must differ in more than upper and lower case")
    Option("default", default, help, least, most, tuple(choices)).check(default)
    about = {"help": help, "least": least, "most": most, "choices": tuple(choices)}
    value: T = field(default=default, metadata=about)
    return value


def options_of(game: Any) -> tuple[Option, ...]:
    """List the options of a game's class or of a variant, in the order of its fields.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> [(option.name, option.default) for option in options_of(EvenSteven)]
    [('start', 15), ('subtract_two', False)]
    """
    if not is_dataclass(game):
        return ()
    ours = Option._fields[2:]  # what `option` writes; a field may have other metadata too
    return tuple(
        Option(
            declared.name,
            declared.default,
            **{key: value for key, value in declared.metadata.items() if key in ours},
        )
        for declared in fields(game)
        if declared.init and declared.default is not MISSING
    )


def check_options(game: Any) -> None:
    """Refuse a variant with an option out of bounds."""
    for declared in options_of(game):
        declared.check(getattr(game, declared.name))


def option_values(game: Any) -> dict[str, Any]:
    """Return the values of a variant's options, ready for JSON.

    >>> from zerosum.books.dual_digits.rules import DualDigits
    >>> option_values(DualDigits(start=9, numbers=(1, 3)))
    {'start': 9, 'numbers': [1, 3]}
    """
    values = {declared.name: getattr(game, declared.name) for declared in options_of(game)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def _bound(value: int) -> str:
    """Write a bound with thousands separators, unless it is too long."""
    text = brief(value)
    return f"{value:,}" if text.lstrip("-").isdigit() else text


def written(value: Any) -> str:
    """Write the value of an option as it is typed.

    >>> written(True), written((1, 3)), written(15)
    ('on', '1,3', '15')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return str(value)


def check_whole(
    name: str, value: object, least: int | None = None, most: int | None = None
) -> None:
    """Refuse a value that is not a whole number from `least` to `most`.

    >>> check_whole("start", 0, least=1)
    Traceback (most recent call last):
    ...
    zerosum.errors.OptionError: start: must be a whole number of at least 1, not 0
    """
    Option(name, 0, least=least, most=most).check(value)
