"""Tables as NumPy's .npz files: data only, checked before it is used, never code."""

from __future__ import annotations

import json
import stat
from contextlib import suppress
from os import PathLike, fspath
from os import stat as status
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.bulk.lines import Lines
from zerosum.errors import GameError, TableError
from zerosum.protocol import Game, Move, check_is_game
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver import load_numpy
from zerosum.solver.table import DRAWN
from zerosum.states import is_plain, tuples
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.bulk.table import Table

Path = str | PathLike[str]
FORMAT, VERSION = "zerosum-table", 1
# The arrays from which all others follow, with their types.
KINDS = {
    "offsets": "int32",
    "targets": "int32",
    "moves": "int32",
    "player": "int8",
    "winner": "int8",
    "value": "int8",
    "plies": "int32",
}
# The states of a file from elsewhere are nested no deeper than this.
DEEPEST = 20


class Contents(NamedTuple):
    """What a file holds: the states, the moves by their numbers, and the arrays by name."""

    states: list[Any]
    actions: tuple[Move, ...]
    arrays: dict[str, Any]


def write_table(path: Path, game: Game[Any] | None, contents: Contents) -> None:
    """Write a table, and which rules it is of."""
    np = load_numpy()
    about = {"format": FORMAT, "version": VERSION, **_rules(game)}
    try:
        documents = {"about": about, "actions": contents.actions, "states": contents.states}
        texts = {name: json.dumps(document).encode() for name, document in documents.items()}
        with open(_checked(path), "wb") as file:
            coded = {name: np.frombuffer(text, np.uint8) for name, text in texts.items()}
            np.savez(file, **coded, **contents.arrays)
    except OSError as error:
        raise TableError(f"{_shown(path)} cannot be written: {error.strerror}.") from error
    except ValueError as error:  # an interpreter may refuse to write very long numbers
        raise TableError(f"The numbers of this game are too long for a file: {error}.") from error


def _rules(game: Game[Any] | None) -> dict[str, str]:
    """Return what tells one set of rules from another, as far as it is known."""
    if game is None:
        return {}
    known = {"game": entry_of(game).name, "variant": repr(game)}
    with suppress(GameError):  # rules without a file
        known["fingerprint"] = fingerprint(game)
    return known


def read_table(path: Path, game: Game[Any] | None) -> Contents:
    """Read a table whose arrays fit together; with a game, only one of these rules."""
    np = load_numpy()
    if game is not None:
        check_is_game(game)
    try:
        # A pipe would be waited for.
        if not stat.S_ISREG(status(_checked(path)).st_mode):
            raise TableError(f"{_shown(path)} is not a file.")
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as parts:
            # What is not compressed has no more to read than the file is long.
            if any(part.compress_type for part in parts.zip.infolist()):
                raise ValueError
            about, actions, states = (
                json.loads(parts[name].tobytes()) for name in ("about", "actions", "states")
            )
            arrays = {name: parts[name] for name in KINDS}
        version = about["format"], about["version"]
        sound = version != (FORMAT, VERSION) or _fit(np, actions, states, arrays)
    except OSError as error:
        raise TableError(f"{_shown(path)} cannot be read: {error.strerror}.") from error
    except TableError:
        raise
    except Exception as error:  # there is no end to what a damaged file may raise
        raise TableError(f"{_shown(path)} is not a table that Zerosum saved.") from error
    if version != (FORMAT, VERSION):
        raise TableError(f"{_shown(path)} was saved by another version of Zerosum.")
    if not sound:
        raise damaged(path)
    contents = Contents(list(map(tuples, states)), tuple(actions), arrays)
    return contents if game is None else _of_game(path, about, contents, game)


def _of_game(path: Path, about: Any, contents: Contents, game: Game[Any]) -> Contents:
    """Return the contents with the states of a game; refuse a table of other rules."""
    kind, rules = type(game.initial()), {"fingerprint": fingerprint(game), **_rules(game)}
    if about.get("variant") != rules["variant"]:
        found = brief(about.get("variant", "an unknown game"), 200)
        raise TableError(f"{_shown(path)} is a table of {found}, not of {brief(game, 200)}.")
    if any(about.get(name) != text for name, text in rules.items()):
        rules_of = f"{brief(game, 200)}'s rules"
        raise TableError(f"{_shown(path)} was saved with a different version of {rules_of}.")
    try:
        states: list[Any] = [kind(*state) for state in contents.states]
    except TypeError as error:
        raise damaged(path) from error
    if states[0] != game.initial():
        raise damaged(path)
    return contents._replace(states=states)


def damaged(path: Path) -> TableError:
    """Return the error for a file whose contents contradict each other."""
    return TableError(f"{_shown(path)} is damaged: its contents contradict each other.")


def _fit(np: Any, actions: Any, states: Any, arrays: dict[str, Any]) -> bool:
    """Return whether arrays have the right types, lengths and ranges, and states are states."""
    if any(part.dtype != KINDS[name] or part.ndim != 1 for name, part in arrays.items()):
        return False
    offsets, targets, moves, *of_states = arrays.values()
    player, winner, value, plies = of_states
    count, most = len(states), np.iinfo(np.int32).max
    degrees = np.diff(offsets.astype(np.int64))
    ranges = (
        *((targets, 0, count - 1), (moves, 0, len(actions) - 1), (player, 0, 1)),
        *((winner, -1, 2), (value, -1, 1), (plies, -1, most), (degrees, 0, most)),
    )
    return bool(
        is_plain(states, list, DEEPEST)
        and all(type(state) is list for state in states)
        and len({*map(tuples, states)}) == count > 0
        and all(type(move) in (int, str) for move in actions)
        and actions == sorted({*actions}, key=lambda move: (isinstance(move, str), move))
        and all(len(part) == count for part in of_states)
        and len(offsets) == count + 1
        and len(targets) == len(moves) == offsets[-1]
        and offsets[0] == 0
        and all(
            low <= part.min(initial=low) <= part.max(initial=low) <= high
            for part, low, high in ranges
        )
        and ((degrees == 0) == (winner >= 0)).all()
        and len(np.unique(np.repeat(np.arange(count), degrees) * len(actions) + moves))
        == len(moves)
    )


def has_proof(table: Table[Any]) -> bool:
    """Return whether values and plies follow from the ends and the moves, which proves them."""
    np = load_numpy()
    value, plies, source = table.value, table.plies, table.sources
    over, drawn = table.winner >= 0, table.winner == DRAWN
    wanted = np.where(drawn, 0, np.where(table.winner == table.player, 1, -1))
    least = np.full(len(value), 3)
    np.minimum.at(least, source, table.regret)
    # A win is as quick as the quickest of its winning moves, a loss as slow as the slowest.
    after = plies[table.targets] + 1
    quickest, slowest = np.full(len(value), np.iinfo(np.int32).max), np.zeros(len(value), np.int32)
    keeps = table.regret == 0
    np.minimum.at(quickest, source[keeps], after[keeps])
    np.maximum.at(slowest, source, after)
    right = np.where(value == 0, -1, np.where(over, 0, np.where(value > 0, quickest, slowest)))
    return bool((value == wanted)[over].all() and not least[~over].any() and (plies == right).all())


def follows_rules(table: Table[Any]) -> bool:
    """Return whether the states, moves and ends of a table are those of its game."""
    game, index = table.game, {state: number for number, state in enumerate(table.states)}
    edges = [table.actions[number] for number in table.moves.tolist()]
    targets, offsets, winners = (
        part.tolist() for part in (table.targets, table.offsets, table.winner)
    )
    try:
        for number, state in enumerate(table.states):
            outcome = game.outcome(state)
            moves = game.moves(state) if outcome is None else ()
            winner = -1 if outcome is None else DRAWN if outcome.winner is None else outcome.winner
            own = slice(offsets[number], offsets[number + 1])
            after = [index.get(game.play(state, move)) for move in moves]
            there = (list(moves), after, winner, state.player)
            if there != (edges[own], targets[own], winners[number], table.player[number]):
                return False
    except Exception:  # rules may do anything with what is not a state of theirs
        return False
    return bool((Lines(table).plies >= 0).all())


def _checked(path: object) -> Path:
    """Return a path; refuse what cannot be one."""
    if not isinstance(path, (str, PathLike)) or "\0" in fspath(path):
        raise TableError(f"The path of a table is a string, not {brief(repr(path))}.")
    return path


def _shown(path: Path) -> str:
    """Write a path for a message."""
    return brief(fspath(path), 200)
