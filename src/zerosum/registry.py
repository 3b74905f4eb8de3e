"""Finds a game by name: built in, installed by another package, or a file of the user's."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, NamedTuple

from zerosum.game import (
    PROTOCOL,
    Game,
    GameError,
    OptionError,
    UnknownGame,
    ZerosumError,
    brief,
    options_of,
    written,
)

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
        return _remember(_from_file(name))
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


def source_of(game: Game[Any]) -> str:
    """Give a digest of the files that a game's rules are written in.

    Rules that were changed on the disk after they were loaded are refused: what the program
    does and what the file says would be two things.
    """
    import hashlib

    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    if module is None or file is None:
        raise GameError(f"{type(game).__name__} has no file, so its source is not known.")
    files = [file]
    if module.__name__.endswith(".rules"):
        folder = os.path.dirname(file)
        beside = (os.path.join(folder, name) for name in sorted(os.listdir(folder)))
        files = [one for one in beside if one.endswith(".py") and not one.endswith("words.py")]
    digest = hashlib.sha256()
    try:
        for one in files:
            with open(one, "rb") as source:
                digest.update(source.read())
    except OSError as error:
        raise GameError(f"{os.path.basename(file)} cannot be read: {error.strerror}.") from error
    found = digest.hexdigest()
    if module.__dict__.setdefault("__zerosum_source__", found) != found:
        raise GameError(
            f"{os.path.basename(file)} has changed since it was loaded; start again to use it."
        )
    return found


def title_of(game: Game[Any]) -> str:
    """Give a game's title, as people write it."""
    own = getattr(part_of(game, "words"), "TITLE", None)
    return own if isinstance(own, str) else _slug(type(game).__name__).replace("-", " ").title()


def _remember(entry: Entry) -> Entry:
    """Keep an entry, so that its variants know their name again."""
    _entries[entry.game] = entry
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
    _check(kind, point.name)
    return kind


def _from_file(name: str) -> Entry:
    """Load a game from a file or a folder of the user's; `path:Class` picks one of several."""
    path, _, wanted = name.rpartition(":") if ":" in os.path.basename(name) else (name, "", "")
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.isdir(path):
        rules = os.path.join(path, "rules.py")
        if not os.path.isfile(rules):
            raise UnknownGame(f"{brief(name, 200)} is a folder without a rules.py in it.")
    elif not os.path.isfile(path):
        raise UnknownGame(f"There is no file {brief(name, 200)}.")
    module = _load(path)
    kind = _only_game(module, name, wanted)
    return Entry(_slug(kind.__name__), kind, path + (f":{wanted}" if wanted else ""))


def _load(path: str) -> Any:
    """Run a file of rules once, as a module of its own."""
    from hashlib import sha256
    from importlib.machinery import ModuleSpec, SourceFileLoader
    from importlib.util import module_from_spec
    from types import ModuleType
    from zlib import crc32

    stem = os.path.splitext(os.path.basename(path))[0]
    name = f"zerosum_file_{crc32(path.encode()):08x}_{stem}"
    folder = os.path.isdir(path)
    full = f"{name}.rules" if folder else name
    if full in sys.modules:
        return sys.modules[full]
    try:
        if folder:
            package = ModuleType(name)
            package.__path__ = [path]
            sys.modules[name] = package
            return import_module(full)
        loader = SourceFileLoader(name, path)
        spec = ModuleSpec(name, loader, origin=path)
        spec.has_location = True  # so that the module knows its file
        module = sys.modules[name] = module_from_spec(spec)
        loader.exec_module(module)
        module.__dict__["__zerosum_source__"] = sha256(loader.get_data(path)).hexdigest()
    except (Exception, SystemExit) as error:
        sys.modules.pop(full, None)
        raise GameError(f"The game does not load: {blame(error, path)}") from error
    return module


def _only_game(module: Any, name: str, wanted: str) -> Any:
    """Pick the class of a module that is a game."""
    classes = {
        kind.__name__: kind
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    if wanted:
        if wanted not in classes:
            raise GameError(f"{brief(name, 200)}: there is no class {brief(wanted)} in that file.")
        _check(classes[wanted], name)
        return classes[wanted]
    full = [kind for kind in classes.values() if not _lacking(kind)]
    if len(full) == 1:
        _check(full[0], name)
        return full[0]
    if full:
        listed = ", ".join(kind.__name__ for kind in full)
        raise GameError(
            f"{brief(name, 200)} holds several games ({listed}); "
            f"pick one by its class: {brief(name, 200)}:{full[0].__name__}"
        )
    partly = [kind for kind in classes.values() if len(_lacking(kind)) < len(PROTOCOL)]
    if partly:
        _check(partly[0], name)
    raise GameError(
        f"{brief(name, 200)} holds no game: a game is a class with {', '.join(PROTOCOL)}."
    )


def _lacking(kind: Any) -> list[str]:
    """List the methods of the protocol that a class does not have."""
    return [method for method in PROTOCOL if not callable(getattr(kind, method, None))]


def _check(kind: Any, name: str) -> None:
    """Refuse what is not a game, before anything is asked of it."""
    lacking = _lacking(kind)
    if not isinstance(kind, type) or lacking:
        raise GameError(
            f"{brief(name, 200)}: {getattr(kind, '__name__', 'what it names')} is no game; "
            f"it lacks {', '.join(lacking) or 'a class'}."
        )
    from dataclasses import Field

    if any(isinstance(value, Field) for value in vars(kind).values()):
        raise GameError(
            f"{brief(name, 200)}: put @dataclass(frozen=True) above class {kind.__name__}, "
            "so that its options are options."
        )


def blame(error: BaseException, path: str = "") -> str:
    """Say what an author's code raised, and in which line of which file."""
    file, line = path, None
    if isinstance(error, SyntaxError):
        file, line = error.filename or path, error.lineno
    elif error.__traceback__:
        trace = error.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
    where = os.path.basename(file) + (f", line {line}" if line else "")
    return f"{where}: {type(error).__name__}: {brief(str(error), 200)}"


def _nearest(name: str, names: Any) -> str:
    """Offer the name that was probably meant."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else ""


def _slug(name: str) -> str:
    """Turn a class's name into a game's: EvenSteven, even-steven."""
    spaced = "".join(f"-{c}" if c.isupper() else c for c in name)
    return spaced.replace("_", "-").strip("-").lower()
