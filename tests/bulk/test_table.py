"""A whole game as arrays: every array against the plain rules, and files from elsewhere."""

from __future__ import annotations

import json
import os
import pickle
import sys
import zipfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import zerosum
from tests.games import Nim
from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.naive import RANK, Naive
from zerosum import Game
from zerosum.bulk import Table
from zerosum.bulk.table import ALIGNED, Arrays
from zerosum.errors import GameError, NotSolved, TableError, TooLarge, ZerosumError
from zerosum.limits import Limits
from zerosum.solver import solved_table

EXAMPLES = ["countdown_env", "last_stick", "nim_with_a_pass", "noughts_and_crosses"]
SIGN = {"win": 1, "draw": 0, "loss": -1}


def check_table(table: Table[Any], game: Game[Any]) -> None:
    """Compare every array of a table with the plain rules."""
    naive = Naive(game)
    assert set(table.states) == set(naive.after)
    assert len(table) == len(naive.after)
    assert table.state(table.start) == game.initial()
    moves = {move for state in naive.after for move in naive.after[state]}
    numbers = sorted(move for move in moves if isinstance(move, int))
    assert table.actions == (*numbers, *sorted(move for move in moves if isinstance(move, str)))
    assert table.offsets[0] == 0
    assert table.offsets[-1] == len(table.targets) == len(table.moves) == len(table.regret)
    for index, state in enumerate(table.states):
        assert table.index_of(state) == index
        edges = slice(*table.offsets[[index, index + 1]])
        after = naive.after[state]
        assert [table.actions[move] for move in table.moves[edges]] == list(after)
        assert [table.state(target) for target in table.targets[edges]] == list(after.values())
        assert set(table.sources[edges].tolist()) <= {index}
        assert table.player[index] == state.player
        winner = naive.ends.get(state, -1)
        assert table.winner[index] == (2 if winner is None else winner)
        value = naive.values[state]
        assert table.value[index] == SIGN[value.result]
        assert table.plies[index] == (-1 if value.plies is None else value.plies)
        ranks = [RANK[then.result] for then in naive.moves(state).values()]
        assert table.regret[edges].tolist() == [max(ranks) - rank for rank in ranks]
        assert table.critical[index] == (len(set(ranks)) > 1)


@given(graphs())
def test_arrays_of_any_game_follow_from_its_rules(game: Graph) -> None:
    check_table(Table(game), game)


@given(mirrored())
def test_every_position_is_kept_apart_from_those_equal_to_it(game: Mirrored) -> None:
    check_table(Table(game), game)
    solved = solved_table(game)
    doubled = Table.of(game, solved)
    for state in Naive(game).after:
        index = doubled.index_of(state)
        assert doubled.player[index] == state.player
        assert doubled.state(index) == game.canonical(state)
        edges = slice(*doubled.offsets[[index, index + 1]])
        after = {doubled.index_of(then) for then in Naive(game).after[state].values()}
        assert set(doubled.targets[edges].tolist()) == after


@pytest.mark.parametrize("name", [*zerosum.games(), *EXAMPLES])
def test_arrays_of_games_follow_from_their_rules(name: str, tmp_path: Path) -> None:
    path = f"docs/examples/{name}.py"
    options = {"lives": 2} if name == "digit-battle" else {}
    game = zerosum.game(path if name in EXAMPLES else name, **options)
    table = Table(game)
    table.save(tmp_path / "table.npz")
    loaded = Table.load(tmp_path / "table.npz", game)
    check_table(loaded, game)
    assert loaded.states == table.states
    assert loaded.actions == table.actions
    assert all((a == b).all() for a, b in zip(loaded.arrays(), table.arrays(), strict=True))


def test_types_and_memory_are_as_documented() -> None:
    table = Table(Nim())
    kinds = {name: str(array.dtype) for name, array in table.arrays()._asdict().items()}
    assert kinds == {
        **dict.fromkeys(("offsets", "targets", "moves", "plies"), "int32"),
        **dict.fromkeys(("player", "winner", "value", "regret"), "int8"),
        "critical": "bool",
    }
    for array in table.arrays():
        assert array.flags.c_contiguous
        assert array.ctypes.data % ALIGNED == 0
        assert np.shares_memory(np.from_dlpack(array), array)
    assert all(a is b for a, b in zip(table.to("numpy"), table.arrays(), strict=True))
    with pytest.raises(ZerosumError, match="There is no array library 'nunpy'; did you mean numpy"):
        table.to("nunpy")


@pytest.mark.parametrize("name", ["torch", "jax", "cupy"])
def test_other_libraries_share_the_memory_of_a_table(name: str) -> None:
    pytest.importorskip(name, reason=f"{name} is not installed: run make arrays")
    table = Table(zerosum.game("docs/examples/noughts_and_crosses.py"))
    try:
        arrays = table.to(name, "cpu" if name == "jax" else None)
    except Exception as error:
        if name == "cupy":
            pytest.skip(f"CuPy finds no GPU: {error}")
        raise
    for ours, theirs in zip(table.arrays(), arrays, strict=True):
        assert theirs.tolist() == ours.tolist()
        if name != "cupy":  # which has no arrays on the CPU
            assert np.shares_memory(np.from_dlpack(theirs), ours)


def test_tables_can_be_pickled() -> None:
    table = Table(zerosum.game("even-steven"))
    copied = pickle.loads(pickle.dumps(table))
    assert copied.states == table.states
    assert all((a == b).all() for a, b in zip(copied.arrays(), table.arrays(), strict=True))


def test_states_that_are_not_in_a_table_are_refused() -> None:
    table = Table(zerosum.game("even-steven", start=4))
    for state in (table.state(0)._replace(number=5), None, [1, 2]):
        with pytest.raises(NotSolved, match=r"cannot be reached|is not a position"):
            table.index_of(state)  # type: ignore[arg-type]
    for index in (-1, len(table), "a", None):
        with pytest.raises(NotSolved, match=rf"has the states 0 to 7, not {index}\."):
            table.state(index)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="Pass a game, such as"):
        Table("even-steven")  # type: ignore[arg-type]
    with pytest.raises(TooLarge, match="more than 5 positions"):
        Table(zerosum.game("even-steven"), Limits(5))


def test_moves_that_change_when_asked_again_are_reported() -> None:
    game = graph([0, 1], [(1, 1), ()])
    table = Table(game)
    type(game).edges = ((1,), ())
    with pytest.raises(GameError, match="lists other moves when it is asked again"):
        _ = table.moves


def test_file_is_read_without_its_game(tmp_path: Path) -> None:
    table = Table(zerosum.game("even-steven", start=4))
    table.save(tmp_path / "table.npz")
    plain: Table[Any] = Table.load(tmp_path / "table.npz")
    assert plain.state(0) == (4, 0)
    assert type(plain.state(0)) is tuple
    assert plain.index_of(table.state(3)) == 3
    assert (plain.start, plain.actions) == (0, (1, 2))
    assert all((a == b).all() for a, b in zip(plain.arrays(), table.arrays(), strict=True))
    with pytest.raises(NotSolved, match=r"\(9, 9\) is not a state of this table"):
        plain.index_of((9, 9))
    with pytest.raises(TableError, match="loaded without its game"):
        _ = plain.game
    # What is in the file can be read with NumPy alone.
    with np.load(tmp_path / "table.npz", allow_pickle=False) as parts:
        for name in Arrays._fields:
            assert (parts[name] == getattr(table, name)).all()
        assert json.loads(parts["actions"].tobytes()) == [1, 2]
    plain.save(tmp_path / "again.npz")
    assert Table.load(tmp_path / "again.npz").states == plain.states
    with pytest.raises(
        TableError, match=r"is a table of an unknown game, not of EvenSteven\(start=4"
    ):
        Table.load(tmp_path / "again.npz", table.game)


def test_file_of_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    Table(zerosum.game("even-steven", start=4)).save(path)
    others: list[Game[Any]] = [zerosum.game("even-steven", start=5), zerosum.game("dual-digits")]
    for other in others:
        with pytest.raises(TableError, match=r"is a table of EvenSteven\(start=4, .*\), not of"):
            Table.load(path, other)
    source = Path("docs/examples/last_stick.py").read_text()
    (tmp_path / "mine.py").write_text(source)
    Table(zerosum.game(str(tmp_path / "mine.py"))).save(path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.py").write_text(source.replace("(1, 2, 3)", "(1, 2)"))
    with pytest.raises(
        TableError, match=r"saved with a different version of LastStick\(start=11\)'s rules\."
    ):
        Table.load(path, zerosum.game(str(tmp_path / "other" / "mine.py")))


def test_rules_without_a_file_cannot_be_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt: Any = ModuleType("prompt")
    monkeypatch.setitem(sys.modules, "prompt", prompt)
    exec(Path("docs/examples/last_stick.py").read_text(), prompt.__dict__)
    game = prompt.LastStick()
    Table(game).save(tmp_path / "table.npz")
    assert Table.load(tmp_path / "table.npz").actions == (1, 2, 3)
    with pytest.raises(GameError, match="has no file"):
        Table.load(tmp_path / "table.npz", game)


def test_table_with_symmetry_cannot_be_saved(tmp_path: Path) -> None:
    game = zerosum.game("even-steven")
    with pytest.raises(TableError, match=r"save Table\(game\)"):
        Table.of(game, solved_table(game)).save(tmp_path / "table.npz")


def test_paths_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    for path in (None, 7, "a\0b"):
        with pytest.raises(TableError, match="The path of a table is a string, not "):
            Table.load(path)  # type: ignore[arg-type]
        with pytest.raises(TableError, match="The path of a table is a string, not "):
            Table(Nim((1,))).save(path)  # type: ignore[arg-type]
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TableError, match=r"pipe is not a file\."):
        Table.load(tmp_path / "pipe")
    with pytest.raises(TableError, match=r"none.npz cannot be read: No such file or directory\."):
        Table.load(tmp_path / "none.npz")
    with pytest.raises(TableError, match=r"table.npz cannot be written: No such file or directory"):
        Table(Nim((1,))).save(tmp_path / "none" / "table.npz")


def parts_of(path: Path) -> dict[str, Any]:
    """The arrays of a file, with its documents decoded."""
    with np.load(path, allow_pickle=False) as parts:
        arrays = {name: parts[name] for name in parts}
    documents = ("about", "actions", "states")
    return {**arrays, **{name: json.loads(arrays[name].tobytes()) for name in documents}}


def write_parts(path: Path, parts: dict[str, Any]) -> None:
    arrays: dict[str, Any] = {
        name: np.frombuffer(json.dumps(part).encode(), np.uint8)
        if name in ("about", "actions", "states")
        else part
        for name, part in parts.items()
    }
    np.savez(path, **arrays)


def changed(name: str, index: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(parts: dict[str, Any]) -> None:
        parts[name][index] = value

    return change


def replaced(name: str, make: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def change(parts: dict[str, Any]) -> None:
        parts[name] = make(parts[name])

    return change


def seats_exchanged(parts: dict[str, Any]) -> None:
    """Change a file so that its values still follow from its ends."""
    winner = parts["winner"]
    parts.update(player=1 - parts["player"], winner=np.where(winner < 0, winner, 1 - winner))


@pytest.mark.parametrize(
    "change",
    [
        changed("targets", 0, 99),
        changed("targets", 0, -1),
        changed("moves", 0, 2),
        changed("offsets", 0, 1),
        changed("offsets", 1, 50),
        changed("offsets", -1, 100),
        changed("player", 0, 2),
        changed("winner", 0, 1),
        changed("winner", -1, -1),
        changed("winner", -1, 2),
        changed("value", 0, 0),
        changed("value", 0, -1),
        changed("plies", 0, 5),
        changed("plies", -1, 3),
        replaced("player", lambda part: part[:-1]),
        replaced("targets", lambda part: part.astype(np.int64)),
        replaced("value", lambda part: part[None]),
        replaced("states", lambda part: part[:-1]),
        replaced("states", lambda part: [part[0], *part[:-1]]),
        replaced("states", lambda part: [*part[:-1], [1.5, 0]]),
        replaced("states", lambda part: [*part[:-1], [[[]] * 2, {}]]),
        replaced("states", lambda part: [*part[:-1], 7]),
        replaced("states", lambda part: [*part[:-1], [1, 2, 3]]),
        replaced("states", lambda part: [part[1], part[0], *part[2:]]),
        replaced("states", lambda part: json.loads("[" * 500 + "]" * 500)),
        replaced("actions", lambda part: [1, 1]),
        replaced("actions", lambda part: [1, None]),
        replaced("actions", lambda part: part[::-1]),
        replaced("actions", lambda part: [1, 3]),
        changed("moves", [0, 1], [0, 0]),
        changed("moves", [0, 1], [1, 0]),
        changed("states", 1, [9, 1]),
        seats_exchanged,
        replaced("about", lambda part: {**part, "version": 2}),
        replaced("about", lambda part: []),
        lambda parts: parts.pop("plies"),
    ],
)
def test_damaged_files_are_refused(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    game, path = zerosum.game("even-steven", start=4), tmp_path / "table.npz"
    Table(game).save(path)
    parts = parts_of(path)
    write_parts(path, parts)
    assert len(Table.load(path, game)) == 8
    change(parts)
    write_parts(path, parts)
    with pytest.raises(TableError, match=r"is damaged|not a table that Zerosum saved|version"):
        Table.load(path, game)


def test_files_that_are_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    array = np.array([print], object)
    for write in (
        lambda: path.write_bytes(b""),
        lambda: path.write_bytes(b"PK\x03\x04 and more"),
        lambda: path.write_bytes(pickle.dumps(print)),
        lambda: np.savez(path, about=array, actions=array, states=array, allow_pickle=True),
        lambda: zipfile.ZipFile(path, "w").close(),
        lambda: np.savez_compressed(path, about=array[:0].astype(int)),
        lambda: path.with_suffix(".npy").rename(path),
    ):
        np.save(path.with_suffix(".npy"), np.arange(3))
        write()
        with pytest.raises(TableError, match=r"table\.npz is not a table that Zerosum saved\."):
            Table.load(path)


def test_shortened_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    Table(Nim()).save(path)
    whole = path.read_bytes()
    for size in chain(range(0, len(whole), 997), [len(whole) - 1]):
        path.write_bytes(whole[:size])
        with pytest.raises(TableError):
            Table.load(path)
