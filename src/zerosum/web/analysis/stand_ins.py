"""Games of users in the server's own process: what they are called and their options, no rules."""

from __future__ import annotations

from dataclasses import make_dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import msgspec

from zerosum.errors import GameError, ZerosumError
from zerosum.options import Option, option, options_of
from zerosum.protocol import Game
from zerosum.registry import Entry, find, register
from zerosum.registry.fingerprint import fingerprint
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.states import tuples
from zerosum.web.analysis.solutions import File, solutions
from zerosum.wording.texts import rulebook_of, summary_of
from zerosum.wording.words import title_of

# Characters; a title is held to its length by what reads it.
LONGEST_BOOK = 200_000


class Texts(NamedTuple):
    """What is said about a game before anybody plays it."""

    title: str
    summary: str
    rulebook: str


class About(NamedTuple):
    """What a process that loaded a game tells the server about it, or why it could not."""

    name: str
    file: str | None
    source: str
    texts: Texts
    options: list[Option]
    failed: str = ""


class StandIn(Game[Any]):
    """A user's game in the server: other processes have its rules, which cannot be asked here."""

    _told: ClassVar[Texts]  # no option begins with an underscore

    def _ask(self, *arguments: Any) -> Any:
        """Rules that somebody else wrote never run in the server."""
        raise NotImplementedError(f"The rules of {type(self).__name__} are in other processes.")

    initial = _ask
    moves: Any = _ask
    play: Any = _ask
    outcome: Any = _ask


def stand_in(told: Any) -> tuple[Entry, File]:
    """Make the stand-in of a game from what a process told about it, with what finds its rules."""
    try:
        about = msgspec.convert(told, About)
        if about.failed:
            raise GameError(about.failed)
        fields = [
            (name, Any, option(_value(default), help_, least=least, most=most, choices=choices))
            for name, default, help_, least, most, choices in map(_read, about.options)
        ]
        texts = {"_told": about.texts}
        kind = make_dataclass(about.name, fields, bases=(StandIn,), namespace=texts, frozen=True)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise GameError(f"The game could not be loaded: {error}.") from error
    entry = register(Entry(about.name, kind, about.file))
    return entry, File(about.file or about.name, about.source, about.texts.title)


def _read(told: Option) -> Option:
    """Return an option as it was before JSON, which has no tuples."""
    choices = tuple(_value(choice) for choice in told.choices)
    return told._replace(choices=choices)


def _value(value: Any) -> Any:
    """Return a value of an option as it was before JSON."""
    return tuples(value) if isinstance(value, list) else value


@lru_cache(maxsize=512)
def texts_of(game: Game[Any]) -> Texts:
    """Return what is said about a game before anybody plays it."""
    return game._told if isinstance(game, StandIn) else _texts(game)


def _texts(game: Game[Any]) -> Texts:
    """Ask a game, loaded in this process, what is said about it."""
    cut = slice(LONGEST_BOOK)
    return Texts(title_of(game), summary_of(game)[cut], rulebook_of(game, typed=False)[cut])


# The questions that load a game in another process.


def about(name: str) -> About:
    """Load a game from a file or a package, and tell what the server must know about it."""
    try:
        entry = find(name)
        game = entry.variant()
        texts, source = _texts(game), "" if entry.file is None else fingerprint(game)
    except BaseException as error:  # rules are arbitrary code, and may even exit
        known = isinstance(error, ZerosumError)
        if not known and not raised_by_rules(error):
            raise
        failed = str(error) if known else f"The game could not be loaded: {blame(error)}"
        return About(name, None, "", Texts("", "", ""), [], failed)
    return About(entry.name, entry.file, source, texts, list(options_of(game)))


def load(name: str, **file: str) -> bool:
    """Load a game whose stand-in the server has, unless that was done."""
    solutions().files[name] = File(**file)
    solutions().entry(name)
    return True
