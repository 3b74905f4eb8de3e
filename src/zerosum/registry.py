"""Finds a game by name: built in, installed by another package, or a file of the user's."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, NamedTuple

from zerosum.game import (
    Game,
    GameError,
    OptionError,
    UnknownGame,
    ZerosumError,
    brief,
    options_of,
    written,
)
from zerosum.sources import blame, check_class, game_in_file, note_source

BUILT_IN = {
    "even-steven": "zerosum.games.even_steven.rules:EvenSteven",
    "divisor-duel": "zerosum.games.divisor_duel.rules:DivisorDuel",
    "dual-digits": "zerosum.games.dual_digits.rules:DualDigits",
    "number-navigator": "zerosum.games.number_navigator.rules:NumberNavigator",
    "digit-battle": "zerosum.games.digit_battle.rules:DigitBattle",
}
GROUP = "zerosum.games"


class Entry(NamedTuple):
    """A game that was found: its name, its class, and the file it came from, if it did."""

    name: str
    game: Any
    file: str | None = None

    def variant(self, **options: Any) -> Game[Any]:
        """Make a variant, or say which option is wrong."""
        known = {one.name: one.default for one in options_of(self.game)}
        for name in options:
            if name not in known:
                offer = _nearest(name, known)
                listed = f"it has {', '.join(known)}" if known else "it has none"
                raise OptionError(name, f"{self.name} has no such option; {offer or listed}")
        # JSON has no tuples.
        given = {n: tuple(v) if isinstance(v, list) else v for n, v in options.items()}
        try:
            made: Game[Any] = self.game(**given)
        except ZerosumError:
            raise
        except (TypeError, ValueError) as error:
            raise OptionError("options", f"{self.name} refuses them: {error}") from error
        return made


_found: dict[str, Entry] = {}
_entries: dict[type, Entry] = {}


def games() -> tuple[str, ...]:
    """List the names of all games: the built-in ones first, then those of installed packages.

    >>> games()[:2]
    ('even-steven', 'divisor-duel')
    """
    return (*BUILT_IN, *sorted(set(_installed()) - set(BUILT_IN)))


def game(name: str, **options: Any) -> Game[Any]:
    """Make a variant of a game, given by name or by the path of a file that holds it.

    >>> game("dual-digits", start=9)
    DualDigits(start=9, numbers=(1, 2, 3, 4))
    >>> game("evensteven")
    Traceback (most recent call last):
    ...
    zerosum.game.UnknownGame: There is no game 'evensteven'; did you mean even-steven?
    """
    return find(name).variant(**options)


def find(name: str) -> Entry:
    """Find a game by name or path."""
    if is_path(name):
        kind, path = game_in_file(name)
        return _remember(Entry(_slug(kind.__name__), kind, path))
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    if key in _found:
        return _found[key]
    if key in BUILT_IN:
        return _remember(Entry(key, _resolve(BUILT_IN[key])))
    installed = _installed()
    if key in installed:
        return _remember(Entry(key, _from_package(installed[key])))
    for path in (f"./{name}.py", f"./{name}/"):
        if name and os.path.exists(path):
            raise UnknownGame(f"There is no game '{brief(name)}'; did you mean {path}?")
    offer = _nearest(key, (*BUILT_IN, *installed))
    raise UnknownGame(
        f"There is no game '{brief(name)}'; "
        + (offer or f"there are {', '.join((*BUILT_IN, *installed))}, or a file: ./my_game.py")
    )


def is_path(name: str) -> bool:
    """Tell whether a game was given as a file or folder and not by its name."""
    return "/" in name or os.sep in name or name.partition(":")[0].endswith(".py")


def entry_of(game: Game[Any]) -> Entry:
    """Tell how a variant's class was found; a class of the caller's own gets its name."""
    kind = type(game)
    if kind not in _entries:
        for name, where in BUILT_IN.items():
            if where == f"{kind.__module__}:{kind.__qualname__}":
                return find(name)
        return Entry(_slug(kind.__name__), kind)
    return _entries[kind]


def part_of(game: Game[Any], name: str) -> Any:
    """Give what stands beside a game's rules under a name (such as `words`), or None.

    A game in a folder has it as a module beside `rules`; a game in one file has it as an object
    of that name, or a class of that name in capitals.
    """
    home = type(game).__module__
    package, _, last = home.rpartition(".")
    if last == "rules":
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            return None
    module = sys.modules.get(home)
    return getattr(module, name, None) or getattr(module, name.capitalize(), None)


def rulebook_of(game: Game[Any]) -> str:
    """Give a game's page for players: its rulebook.md, or what its docstrings say."""
    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    if file and type(game).__module__.endswith(".rules"):
        page = os.path.join(os.path.dirname(file), "rulebook.md")
        if os.path.exists(page):
            with open(page, encoding="utf-8") as text:
                return text.read()
    lines = [f"# {title_of(game)}"]
    for doc in (getattr(module, "__doc__", None), type(game).__doc__):
        # A dataclass without a docstring gets its own signature for one.
        if doc and not doc.startswith(f"{type(game).__name__}("):
            lines += ["", "\n".join(line.strip() for line in doc.strip().splitlines())]
    options = options_of(game)
    if options:
        lines += ["", "## Variations", ""]
        lines += [
            f"- `{one.name}`: {one.help or 'an option'} ({written(one.default)})" for one in options
        ]
    return "\n".join(lines) + "\n"


def title_of(game: Game[Any]) -> str:
    """Give a game's title, as people write it."""
    own = getattr(part_of(game, "words"), "TITLE", None)
    return own if isinstance(own, str) else _slug(type(game).__name__).replace("-", " ").title()


def _remember(entry: Entry) -> Entry:
    """Keep an entry, so that its variants know their name again."""
    _entries[entry.game] = entry
    if entry.file is not None:
        note_source(entry.game)  # so that a change of the file is noticed later
    if entry.file is None:
        _found[entry.name] = entry
    return entry


def _resolve(where: str) -> Any:
    """Import a class by `module:name`."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def _installed() -> dict[str, Any]:
    """Find the entry points of installed packages."""
    from importlib.metadata import entry_points  # costs more than all the rest of this module

    return {point.name: point for point in entry_points(group=GROUP)}


def _from_package(point: Any) -> Any:
    """Load a game from an entry point."""
    try:
        kind = point.load()
    except Exception as error:
        raise GameError(
            f"The game '{point.name}' is installed but does not load: {blame(error)}"
        ) from error
    check_class(kind, point.name)
    return kind


def _nearest(name: str, names: Any) -> str:
    """Offer the name that was probably meant."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else ""


def _slug(name: str) -> str:
    """Turn a class's name into a game's: EvenSteven, even-steven."""
    spaced = "".join(f"-{c}" if c.isupper() else c for c in name)
    return spaced.replace("_", "-").strip("-").lower()
