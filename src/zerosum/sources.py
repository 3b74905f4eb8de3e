"""The files that games are written in: loaded, checked, and known again by a digest."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from zerosum.game import PROTOCOL, Game, GameError, UnknownGame, brief


def game_in_file(name: str) -> tuple[Any, str]:
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
    return kind, path + (f":{wanted}" if wanted else "")


def _load(path: str) -> Any:
    """Run a file of rules once, as a module of its own."""
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
        check_class(classes[wanted], name)
        return classes[wanted]
    full = [kind for kind in classes.values() if not _lacking(kind)]
    if len(full) == 1:
        check_class(full[0], name)
        return full[0]
    if full:
        listed = ", ".join(kind.__name__ for kind in full)
        raise GameError(
            f"{brief(name, 200)} holds several games ({listed}); "
            f"pick one by its class: {brief(name, 200)}:{full[0].__name__}"
        )
    partly = [kind for kind in classes.values() if len(_lacking(kind)) < len(PROTOCOL)]
    if partly:
        check_class(partly[0], name)
    raise GameError(
        f"{brief(name, 200)} holds no game: a game is a class with {', '.join(PROTOCOL)}."
    )


def _lacking(kind: Any) -> list[str]:
    """List the methods of the protocol that a class does not have."""
    return [method for method in PROTOCOL if not callable(getattr(kind, method, None))]


def check_class(kind: Any, name: str) -> None:
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


def source_of(game: Game[Any]) -> str:
    """Give a digest of all files that a game's rules are written in.

    Rules that were changed on the disk after they were loaded are refused: what the program
    does and what the file says would be two things.
    """
    home = sys.modules.get(type(game).__module__)
    if home is None or not getattr(home, "__file__", None):
        raise GameError(f"{type(game).__name__} has no file, so its source is not known.")
    try:
        found = _digest(type(game))
    except (OSError, SyntaxError) as error:
        raise GameError(f"The rules cannot be read any more: {error}.") from error
    if home.__dict__.setdefault("__zerosum_source__", found) != found:
        raise GameError(
            f"{os.path.basename(str(home.__file__))}, or what it imports, has changed since it was "
            "loaded; start again to use it."
        )
    return found


def _digest(kind: Any) -> str:
    """Make a digest of the files of a class, of its bases, and of all that they import."""
    import hashlib

    digest = hashlib.sha256()
    for file in _files_of(sorted({base.__module__ for base in kind.__mro__})):
        with open(file, "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()


def note_source(kind: Any) -> None:
    """Remember the source of rules that have just been loaded."""
    module = sys.modules[kind.__module__]
    if "__zerosum_source__" not in module.__dict__:
        module.__dict__["__zerosum_source__"] = _digest(kind)


def _files_of(names: list[str]) -> list[str]:
    """List the files of some modules and of all that they import, but for the libraries."""
    import ast

    files: dict[str, None] = {}
    for name in names:  # the list grows while it is gone through
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        library = name.partition(".")[0] in sys.stdlib_module_names
        ours = name.startswith("zerosum.") and not name.startswith("zerosum.games.")
        if file is None or file in files or library or ours or not file.endswith(".py"):
            continue
        files[file] = None
        with open(file, "rb") as source:
            tree = ast.parse(source.read())
        package = name if hasattr(module, "__path__") else name.rpartition(".")[0]
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*(above if node.level else []), *filter(None, [node.module])])
                names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return sorted(files)


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
