"""Find a game by name: built in, from a package, or in a user's file."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

from zerosum.errors import GameError, OptionError, UnknownGame, ZerosumError
from zerosum.options import Option, options_of
from zerosum.protocol import Game
from zerosum.registry import loading
from zerosum.registry.loading import blame, check_class, file_of, game_in_file
from zerosum.text import brief, did_you_mean

if TYPE_CHECKING:
    from zerosum.books.digit_battle.rules import DigitBattle
    from zerosum.books.divisor_duel.rules import DivisorDuel
    from zerosum.books.dual_digits.rules import DualDigits
    from zerosum.books.even_steven.rules import EvenSteven
    from zerosum.books.number_navigator.rules import NumberNavigator

T = TypeVar("T")
BUILT_IN = {
    "even-steven": "zerosum.books.even_steven.rules:EvenSteven",
    "divisor-duel": "zerosum.books.divisor_duel.rules:DivisorDuel",
    "dual-digits": "zerosum.books.dual_digits.rules:DualDigits",
    "number-navigator": "zerosum.books.number_navigator.rules:NumberNavigator",
    "digit-battle": "zerosum.books.digit_battle.rules:DigitBattle",
}
GROUP = "zerosum.games"


class Entry(NamedTuple):
    """A game in the registry: name, class, and the file it came from, if any."""

    name: str
    game: Any
    file: str | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the game."""
        return options_of(self.game)

    def variant(self, **options: Any) -> Game[Any]:
        """Make a variant; raise OptionError for a wrong option."""
        known = [option.name for option in self.options]
        for name, value in options.items():
            if name not in known:
                raise OptionError(name, no_option(self.name, name, known))
            if isinstance(value, str) and not value.replace("\n", " ").isprintable():
                raise OptionError(name, f"'{brief(value)}' cannot be printed")
        # JSON has no tuples.
        values = {n: tuple(v) if isinstance(v, list) else v for n, v in options.items()}
        try:
            variant: Game[Any] = self.game(**values)
        except ZerosumError:
            raise
        except (TypeError, ValueError) as error:
            raise OptionError("options", f"{error}") from error
        return variant


_by_name: dict[str, Entry] = {}
_by_class: dict[type, Entry] = {}


def games() -> tuple[str, ...]:
    """List the names of all games: the built-in ones first, then those of packages.

    >>> games()[:2]
    ('even-steven', 'divisor-duel')
    """
    return (*BUILT_IN, *sorted(set(_entry_points()) - set(BUILT_IN)))


@overload
def game(name: Literal["even-steven"], **options: Any) -> EvenSteven: ...
@overload
def game(name: Literal["divisor-duel"], **options: Any) -> DivisorDuel: ...
@overload
def game(name: Literal["dual-digits"], **options: Any) -> DualDigits: ...
@overload
def game(name: Literal["number-navigator"], **options: Any) -> NumberNavigator: ...
@overload
def game(name: Literal["digit-battle"], **options: Any) -> DigitBattle: ...
@overload
def game(name: str, **options: Any) -> Game[Any]: ...
def game(name: str, **options: Any) -> Game[Any]:
    """Make a variant of a game, by its name or by the path of its file.

    >>> game("dual-digits", start=9)
    DualDigits(start=9, numbers=(1, 2, 3, 4))
    >>> game("evensteven")
    Traceback (most recent call last):
    ...
    zerosum.errors.UnknownGame: There is no game 'evensteven'; did you mean even-steven?
    """
    return find(name).variant(**options)


def find(name: str) -> Entry:
    """Find a game by a typed name or path: a file of rules is a program."""
    if is_path(name):
        kind, path = game_in_file(name)
        return _remember(Entry(_slug(kind.__name__), kind, path))
    return find_named(name)


def find_named(name: str) -> Entry:
    """Find a game by name: built in or installed, never a file."""
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    if key in _by_name:
        return _by_name[key]
    if key in BUILT_IN:
        module, _, kind = BUILT_IN[key].partition(":")
        return _remember(Entry(key, getattr(import_module(module), kind)))
    installed = _entry_points()
    if key in installed:
        return _remember(Entry(key, _from_package(installed[key])))
    for path in (f"./{name}.py", f"./{name}/"):
        if name.strip(".") and not is_path(name) and os.path.exists(path):
            raise UnknownGame(f"There is no game '{brief(name)}'; did you mean {path}?")
    names = (*BUILT_IN, *installed)
    offer = did_you_mean(key, names)
    raise UnknownGame(
        f"There is no game '{brief(name)}'; "
        + (offer or f"the games are {', '.join(names)}. Or name a file, such as ./my_game.py.")
    )


def is_loaded(name: str) -> bool:
    """Return whether a file of rules was loaded before, because somebody named it."""
    with suppress(UnknownGame):
        path, _ = loading.file_named(name)
        files = [entry.file or "" for entry in _by_class.values()]
        return any(file == path or file.startswith(f"{path}:") for file in files)
    return False


def is_path(name: str) -> bool:
    """Return whether a name is the path of a file or folder."""
    return "/" in name or os.sep in name or name.partition(":")[0].endswith(".py")


def short_path(file: str) -> str:
    """Write the path of a game's file as typed in the current folder."""
    here = os.path.join(os.getcwd(), "")
    below = file.startswith(here) and here != os.sep
    return f"./{file.removeprefix(here)}" if below else file


def entry_of(game: Game[Any]) -> Entry:
    """Return the entry of a variant's class; an unregistered class is named after itself."""
    kind = type(game)
    if kind not in _by_class:
        for name, where in BUILT_IN.items():
            if where == f"{kind.__module__}:{kind.__qualname__}":
                return find(name)
        return Entry(_slug(kind.__name__), kind)
    return _by_class[kind]


def part_of(game: Game[Any], name: str, base: type[T]) -> type[T] | None:
    """Return the class of a game's own words or theory, or None.

    A game in a folder has it in a module of that name beside `rules`; a game in one file, in the
    same file. If there are several, the one named after the game is used: NimWords for Nim. One
    named after another game of the file is never used.
    """
    kind = type(game)
    package, _, last = kind.__module__.rpartition(".")
    home = f"{package}.{name}" if last == "rules" else kind.__module__
    if last == "rules":
        try:
            import_module(home)
        except ModuleNotFoundError as error:
            if error.name != home:
                raise
            return None
    classes = [
        cls
        for cls in vars(sys.modules.get(home, object)).values()
        if isinstance(cls, type) and cls.__module__ == home
    ]
    others = {f"{cls.__name__}{base.__name__}" for cls in classes if issubclass(cls, Game)}
    wanted = f"{kind.__name__}{base.__name__}"
    others.discard(wanted)
    own = [cls for cls in classes if issubclass(cls, base) and cls.__name__ not in others]
    file = file_of(home)
    for cls in classes:
        if cls.__name__ in (base.__name__, wanted) and cls not in own:
            raise GameError(
                f"{file}: write class {wanted}({base.__name__}[State]), "
                f"with {base.__name__} from zerosum."
            )
    named = [cls for cls in own if cls.__name__ == wanted]
    if len(own) > 1 and not named:
        listed = ", ".join(cls.__name__ for cls in own)
        raise GameError(
            f"{file} has several classes of {name} ({listed}); rename the right one to {wanted}."
        )
    return next(iter(named or own), None)


def register(entry: Entry) -> Entry:
    """Let a class's variants know the name and the file of their game."""
    _by_class[entry.game] = entry
    return entry


def _remember(entry: Entry) -> Entry:
    """Remember an entry, so that its variants know their name."""
    register(entry)
    if entry.file is not None:
        from zerosum.registry.fingerprint import note_fingerprint

        note_fingerprint(entry.game)  # to notice a change of the file later
    else:
        _by_name[entry.name] = entry
    return entry


def _entry_points() -> dict[str, Any]:
    """Find the entry points of installed packages."""
    return _points_on(tuple((folder, _changed(folder)) for folder in sys.path))


def _changed(folder: str) -> int:
    """Return when something was last installed in a folder, or removed."""
    with suppress(OSError):
        return os.stat(folder or os.curdir).st_mtime_ns
    return 0


@lru_cache(1)  # it reads a file of every package
def _points_on(path: tuple[tuple[str, int], ...]) -> dict[str, Any]:
    """Find the entry points in folders, as they are now."""
    from importlib.metadata import entry_points  # costs more than all the rest of this module

    return {point.name: point for point in entry_points(group=GROUP)}


def _from_package(point: Any) -> Any:
    """Load a game from an entry point."""
    loading.before_loading(point.name)
    loading.packages.add(point.module.partition(".")[0])
    try:
        kind = point.load()
    except Exception as error:
        raise GameError(
            f"The game '{point.name}' is installed but could not be loaded: {blame(error)}"
        ) from error
    check_class(kind, point.name)
    return kind


def no_option(game: str, name: str, known: Sequence[str]) -> str:
    """Return a sentence on an unknown option, with those of the game."""
    options = f"its options are {', '.join(known)}"
    if len(known) < 2:
        options = f"its only option is {known[0]}" if known else "it has no options"
    return f"{game} has no such option; {did_you_mean(name, known) or options}"


def _slug(name: str) -> str:
    """Turn a class's name into a game's: EvenSteven becomes even-steven."""
    spaced = "".join(f"-{c}" if c.isupper() else c for c in name)
    return spaced.replace("_", "-").strip("-").lower()
