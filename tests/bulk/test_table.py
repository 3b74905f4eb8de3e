"""A whole game as arrays: every array against the plain rules."""

import pickle
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
from zerosum.bulk.table import ALIGNED
from zerosum.errors import GameError, NotSolved, TooLarge, ZerosumError
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
def test_arrays_of_games_follow_from_their_rules(name: str) -> None:
    path = f"docs/examples/{name}.py"
    options = {"lives": 2} if name == "digit-battle" else {}
    game = zerosum.game(path if name in EXAMPLES else name, **options)
    check_table(Table(game), game)


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
