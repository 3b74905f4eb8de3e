"""Load a game from a user's file or folder, and explain what is wrong with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from types import FrameType
from typing import Any

from zerosum.errors import (
    BrokenGame,
    GameError,
    MissingExtra,
    NoGame,
    PartError,
    RulesTooSlow,
    UnknownGame,
)
from zerosum.options import options_of
from zerosum.protocol import Game
from zerosum.states import fault_at
from zerosum.text import brief, visible

# The prefix of the modules of users' files.
PREFIX = "zerosum_file_"
REQUIRED = ("initial", "moves", "play", "outcome")
# The most characters that are shown of what somebody else's code prints.
MOST_PRINTED = 1_000
# Functions that find games in classes of other kinds, loaded when a file has no game of its own:
# from classes, they return the classes of games that these make, by the names of the former.
LOADERS = ("zerosum.lab.adapters:environments_in",)
# Loading a game's file and its libraries may take as long as this many calls.
LOADS, LOADING = 6.0, "loading "
# Installed packages with games, loaded so far.
packages: set[str] = set()


def load_here(name: str) -> None:
    """Let somebody else's game be loaded in this process."""


# Called with the name of somebody else's game before it is loaded.
before_loading: Callable[[str], None] = load_here


def game_in_file(name: str) -> tuple[Any, str]:
    """Load a game from a user's file or folder; `path:Class` picks one of several."""
    path, wanted = file_named(name)
    before_loading(name)
    printed = StringIO()
    try:
        with redirect_stdout(printed):
            module = _load(path)
    finally:
        sys.stderr.write(visible(printed.getvalue()[:MOST_PRINTED]))
    return _only_game(module, name, wanted), path + (f":{wanted}" if wanted else "")


def file_named(name: str) -> tuple[str, str]:
    """Return the path of a user's file or folder, and the class picked in it, if any."""
    path, wanted = name, ""
    if ":" in os.path.basename(name):
        path, _, wanted = name.rpartition(":")
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.isdir(path):
        rules = os.path.join(path, "rules.py")
        if not os.path.isfile(rules):
            raise UnknownGame(f"The folder {brief(name, 200)} has no rules.py.")
    elif not os.path.isfile(path):
        raise UnknownGame(f"There is no file {brief(name, 200)}.")
    return path, wanted


def _load(path: str) -> Any:
    """Load a file of rules; explain what is wrong with it."""
    try:
        return run_file(path)
    except RulesTooSlow:
        raise
    except (Exception, SystemExit) as error:
        hint = ""
        missing = str(error.name) if isinstance(error, ImportError) else ""
        if missing == "gymnasium":
            raise MissingExtra("A Gymnasium environment", "rl") from error
        if missing.startswith("zerosum"):
            hint = " (Import from zerosum itself: from zerosum import Game, Outcome, option)"
        if missing == "gym":
            hint = " (gym was replaced by gymnasium: write import gymnasium as gym)"
        raise GameError(f"The game could not be loaded: {blame(error, path)}{hint}") from error


def run_file(path: str) -> Any:
    """Run a user's file, or the rules in a folder, once and as its own module."""
    from importlib.machinery import ModuleSpec, SourceFileLoader
    from importlib.util import module_from_spec
    from types import ModuleType
    from zlib import crc32

    stem = os.path.splitext(os.path.basename(path))[0].replace(".", "_")
    name = f"{PREFIX}{crc32(path.encode()):08x}_{stem}"
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
    except BaseException:
        sys.modules.pop(full, None)
        raise
    return module


def _only_game(module: Any, name: str, wanted: str) -> Any:
    """Return the one class of a module that is a game."""
    classes = {
        kind.__name__: kind
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    }
    if wanted and wanted not in classes:
        raise GameError(f"{brief(name, 200)}: the file has no class {brief(wanted)}.")
    asked = [classes[wanted]] if wanted else list(classes.values())
    games = {
        kind.__name__: kind
        for kind in asked
        if issubclass(kind, Game) and not kind.__abstractmethods__
    }
    for loader in LOADERS:
        home, _, function = loader.partition(":")
        games = games or getattr(import_module(home), function)(asked)
    if len(games) > 1:
        first = f"{brief(name, 200)}:{next(iter(games))}"
        raise GameError(
            f"{brief(name, 200)} has several games ({', '.join(games)}); "
            f"choose one by its class: {first}"
        )
    for kind in games.values():
        check_class(kind, name)
        return kind
    if wanted:
        check_class(classes[wanted], name)
    for kind in asked:
        if any(callable(getattr(kind, method, None)) for method in REQUIRED):
            check_class(kind, name)
    raise NoGame(
        f"{brief(name, 200)} has no game: a game is a class that subclasses zerosum.Game, "
        f"with {', '.join(REQUIRED)}. 'zerosum new my_game.py' writes one to start from."
    )


def check_class(kind: Any, name: str) -> None:
    """Refuse a class that is not a game."""
    if not isinstance(kind, type) or not issubclass(kind, Game):
        what = getattr(kind, "__name__", "its target")
        raise GameError(
            f"{brief(name, 200)}: {what} is not a game; write class {what}(Game[State]), "
            "with Game from zerosum."
        )
    lacking = [method for method in REQUIRED if method in kind.__abstractmethods__]
    if lacking:
        methods = f"method{'s' * (len(lacking) > 1)} {', '.join(lacking)}"
        raise GameError(f"{brief(name, 200)}: {kind.__name__} has no {methods}.")
    from dataclasses import Field

    if any(isinstance(value, Field) for value in vars(kind).values()):
        raise GameError(
            f"{brief(name, 200)}: put @dataclass(frozen=True) above class {kind.__name__}, "
            "so that its fields become options."
        )
    for option in options_of(kind):
        private = option.name.startswith("_")
        if private or hasattr(Game, option.name):
            fault = "is a method of every game"
            if private:
                fault = "begins with an underscore"
            where = f"{brief(name, 200)}: {kind.__name__}.{option.name}"
            raise GameError(f"{where} {fault}; rename the option.")


def file_of(module: str) -> str:
    """Return the name of the file of a module, for messages."""
    return os.path.basename(getattr(sys.modules.get(module), "__file__", None) or module)


def raised_by_rules(error: BaseException) -> bool:
    """Return whether an error was raised in a game that is not built in, or by what it called."""
    return bool(_calls_of_rules(error))


def _calls_of_rules(error: BaseException) -> list[FrameType]:
    """List the calls of games not built in that an error has passed."""
    return _in_rules([frame for frame, _ in _calls(error)])


def _calls(error: BaseException) -> list[tuple[FrameType, int]]:
    """List an error's calls, outermost first, with their lines."""
    from traceback import walk_tb

    return list(walk_tb(error.__traceback__))


def _in_rules(frames: list[FrameType]) -> list[FrameType]:
    """Return those of some calls that run a game that is not built in, or its package."""
    kinds: list[type[Any]] = [Game]
    for kind in kinds:  # the list grows while the loop runs over it
        kinds += kind.__subclasses__()
    modules = {kind.__module__.removesuffix(".rules") for kind in kinds} | packages
    homes = (PREFIX, *(f"{name}." for name in modules if not name.startswith("zerosum.")))
    return [frame for frame in frames if f"{frame.f_globals.get('__name__')}.".startswith(homes)]


def call_of_rules(frame: FrameType | None) -> FrameType | None:
    """Return the outermost call of a game that is not built in, among this one and its callers."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.insert(0, frame)
        frame = frame.f_back
    return _outermost(_in_rules(frames))


def _outermost(calls: list[FrameType]) -> FrameType | None:
    """Return the first of these calls, outermost first, that is written in a file, if any is."""
    # A dataclass writes an __init__ of its own.
    written = (call for call in calls if call.f_code.co_filename != "<string>")
    return next(written, calls[0] if calls else None)


def describe_call(frame: FrameType) -> str:
    """Name what was asked of somebody else's rules, at which position, and where it is written."""
    where = f"line {frame.f_lineno}"
    if frame.f_code.co_name != "<module>":
        where = f"{os.path.basename(frame.f_code.co_filename)}, {where}"
    return f"{_name_call(frame)} ({where})"


def call_in_progress(frame: FrameType | None) -> str:
    """Name the call of a user's rules in progress, with its position and line, if there is one."""
    call = call_of_rules(frame)
    return "" if call is None else describe_call(call)


def seconds_for(call: str, seconds: float) -> float:
    """Return the seconds for a call, or for loading a file and its libraries.

    >>> seconds_for("Nim.moves (nim.py, line 7)", 5.0), seconds_for("loading nim.py (line 7)", 5.0)
    (5.0, 30.0)
    """
    return seconds * (LOADS if call.startswith(LOADING) else 1.0)


def late(call: str, seconds: float) -> str:
    """Say that a call of the rules takes too long; `seconds` are for one, and more for loading.

    >>> late("Nim.moves at State(number=3, player=0) (nim.py, line 7)", 5.0)
    'Nim.moves at State(number=3, player=0) (nim.py, line 7) did not answer within 5 seconds.'
    """
    within = f"within {seconds_for(call, seconds):g} seconds."
    if call.startswith(LOADING):
        return f"L{call[1:]} was not finished {within}"
    return f"{call} did not answer {within}"


def _name_call(frame: FrameType) -> str:
    """Name what was asked of somebody else's rules, and where."""
    if frame.f_code.co_name == "<module>":
        return f"{LOADING}{os.path.basename(frame.f_code.co_filename)}"
    code = frame.f_code
    given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    # A state's method has it as `self`; others, as whatever they call it.
    state = next((value for value in given if isinstance(value, (tuple, list))), None)
    return f"{code.co_qualname}{_position(state)}"


def _position(state: Any) -> str:
    """Write the position of a call, by its fields alone: nothing of theirs may be called now."""
    fields = getattr(type(state), "_fields", None)
    if not isinstance(state, tuple) or not fields or not all(map(_is_safe, state)):
        if state is not None and _is_safe(state):
            return f" at {brief(state, 80)}"
        return ""
    values = (brief(part if type(part) is int else repr(part)) for part in state)
    listed = ", ".join(f"{name}={value}" for name, value in zip(fields, values, strict=False))
    return f" at {type(state).__name__}({brief(listed, 80)})"


def _is_safe(value: Any) -> bool:
    """Return whether a value is Python's own throughout, so that it can be written."""
    if type(value) in (tuple, list, set, frozenset):
        return all(map(_is_safe, value))
    return value is None or type(value) in (int, str, float, bool)


def call_that_raised(error: BaseException) -> str:
    """Name the call of somebody else's rules behind an error, or nothing."""
    frame = _outermost(_calls_of_rules(error))
    return "" if frame is None else _name_call(frame)


def blame(error: BaseException, path: str = "") -> str:
    """Describe what an author's code raised, with its file and line."""
    file, line, message = path, None, _message(error)
    if isinstance(error, SyntaxError):
        file = error.filename or path
        line = error.lineno
        message = error.msg
    elif calls := _calls(error):
        # The author's last line, whatever it called; or the last of all, if none is theirs.
        theirs = _calls_of_rules(error)
        frame, line = ([call for call in calls if call[0] in theirs] or calls)[-1]
        file = frame.f_code.co_filename
    where = os.path.basename(file) + (f", line {line}" if line else "")
    said = f": {brief(message, 200)}" if message else ""
    return f"{where}: {type(error).__name__}{said}"


def _message(error: BaseException) -> str:
    """Return the message of an error, whose class may be somebody else's."""
    try:
        return str(error)
    except Exception:
        return "(its message cannot be read)"


def broken_by(game: Game[Any], error: BaseException) -> GameError:
    """Return the error for rules that raised something, or made us fail."""
    call = call_that_raised(error)
    if call:
        return BrokenGame(game, f"{call} fails in {blame(error)}")
    return BrokenGame(game, _fault_behind(game, error) or blame(error))


def _fault_behind(game: Game[Any], error: BaseException) -> str:
    """Say what is wrong with the positions we looked at when we failed; or nothing."""
    for frame, _ in reversed(_calls(error)):
        for name in ("after", "state", "first"):
            with suppress(Exception):  # they may fail again
                if name in frame.f_locals and (fault := fault_at(game, frame.f_locals[name])):
                    return fault
    return ""


def wrong_answer(part: object, asked: str, wanted: str, answer: object) -> PartError:
    """Return the error for an answer of the wrong type of a game's own words or theory."""
    where = f"{file_of(type(part).__module__)}: {type(part).__name__}.{asked}"
    return PartError(f"{where} must return {wanted}, not {brief(answer)}.")
