"""Many games at once: they agree with the plain rules, and with each other on every library."""

import hashlib
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.games import Claims
from tests.graphs import graphs
from zerosum.bulk import Batch, Table, batch, libraries
from zerosum.bulk.libraries import LIBRARIES
from zerosum.errors import IllegalMove, MatchError, TooLarge, UnreadableMove, ZerosumError
from zerosum.limits import Limits
from zerosum.protocol import Game

CROSSES = zerosum.game("docs/examples/noughts_and_crosses.py")
TABLES = cache(Table)


def random_choice(seed: int, ply: int, game: int, count: int) -> int:
    """An independent implementation, with integers of any size."""

    def mixed(bits: int) -> int:
        bits = (bits ^ bits >> 16) * 0x7FEB352D % 2**32
        bits = (bits ^ bits >> 15) * 0x846CA68B % 2**32
        return bits ^ bits >> 16

    key = int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8])
    key = (key + (ply + 1) * 0x9E3779B97F4A7C15) % 2**64
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    key = (key ^ key >> 27) * 0x94D049BB133111EB % 2**64
    key ^= key >> 31
    noise = mixed((mixed(game ^ key % 2**32) + (key >> 32)) % 2**32)
    return (noise % 2**31) * count >> 31


def check_by_the_rules(game: Game[Any], played: Any, seed: int, plies: int) -> None:
    """Follow every game of a batch with the plain rules, through ends and restarts."""
    states, results = [game.initial()] * played.n, [0, 0, 0]
    for ply in range(plies):
        ended = []
        for number, state in enumerate(states):
            moves = game.moves(state)
            after = game.play(state, moves[random_choice(seed, ply, number, len(moves))])
            outcome = game.outcome(after)
            winner = -1 if outcome is None else 2 if outcome.winner is None else outcome.winner
            ended.append(winner)
            results[winner] += winner >= 0
            states[number] = game.initial() if outcome else after
        played.play(1)
        assert [played.table.state(index) for index in played.states.tolist()] == states
        assert played.ended.tolist() == ended
        assert played.legal_counts.tolist() == [len(game.moves(state)) for state in states]
    assert played.results == tuple(results)


@given(graphs(), st.integers(0, 9))
def test_batches_of_any_graph_follow_its_rules(game: Game[Any], seed: int) -> None:
    table = Table(game)
    if table.winner[table.start] >= 0:
        with pytest.raises(MatchError, match="over at its start"):
            Batch(table, 1)
    else:
        check_by_the_rules(game, Batch(table, 3, seed), seed, 12)


@given(st.data())
def test_given_choices_follow_the_rules(data: st.DataObject) -> None:
    table = TABLES(CROSSES)
    played = Batch(table, 4)
    states = [CROSSES.initial()] * 4
    for _ in range(data.draw(st.integers(1, 20))):
        choices = [data.draw(st.integers(0, count - 1)) for count in played.legal_counts.tolist()]
        played.step(np.array(choices))
        for number, choice in enumerate(choices):
            after = CROSSES.play(states[number], CROSSES.moves(states[number])[choice])
            states[number] = CROSSES.initial() if CROSSES.outcome(after) else after
        assert [table.state(index) for index in played.states] == states


def test_games_depend_on_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    table = TABLES(CROSSES)
    large, small, other = (
        Batch(table, 70_000, seed=-1),
        Batch(table, 9, -1),
        Batch(table, 9, 10**30),
    )
    monkeypatch.setattr(batch, "WIDE", 0)
    wide = Batch(table, 9, seed=-1)
    for played in (large, small, other, wide):
        played.play(17)
        played.play(2)
    assert large.states[:9].tolist() == small.states.tolist() == wide.states.tolist()
    assert wide.results == small.results
    assert small.states.tolist() != other.states.tolist()
    assert large.plies == 19


def test_refused_choices_move_no_game() -> None:
    played = Batch(Table(zerosum.game("even-steven")), 3, seed=1)
    played.play(3)
    before = played.states.tolist()
    choices = played.legal_counts.tolist()
    for wrong in ([0, 0, choices[2]], [0, -1, 0], [0, 0, 2**32], np.array([0, 2**64 - 1, 0], "u8")):
        with pytest.raises(IllegalMove, match=r"Game \d has .* No game has moved"):
            played.step(wrong)
    ragged = [[0], [0, 0], 0]
    for unreadable in ([0, 0], [[0, 0, 0]], ragged, [0.0, 0.0, 0.0], [True, False, True]):
        with pytest.raises(UnreadableMove, match="Pass 3 integers, one for each game"):
            played.step(unreadable)
    assert played.states.tolist() == before
    for kind in (np.uint8, np.uint64, np.int64):
        played.step(np.zeros(3, kind))
    assert played.plies == 6


def test_sizes_are_checked() -> None:
    table = Table(zerosum.game("even-steven"))
    wrong: Any
    for wrong in (0, -1, 1.5, True, None, 1 << 31):
        with pytest.raises(ZerosumError, match="n: must be a whole number from 1 to "):
            Batch(table, wrong)
    for wrong in (None, 7.0, "7", True):
        with pytest.raises(ZerosumError, match="seed: must be a whole number, not"):
            Batch(table, 1, seed=wrong)
    for wrong in (-1, 1.5):
        with pytest.raises(ZerosumError, match="plies: must be a whole number of at least 0"):
            Batch(table, 1).play(wrong)
    with pytest.raises(ZerosumError, match="plays on a table, such as"):
        Batch(table.game, 1)  # type: ignore[arg-type]
    assert Batch(table, np.int64(4)).n == 4  # type: ignore[arg-type]
    with pytest.raises(TooLarge):
        Table(Claims(), Limits(1000))


def test_too_many_moves_of_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_MOVES", 8)
    with pytest.raises(TooLarge, match="A position has 9 moves; a batch can have at most 8"):
        Batch(TABLES(CROSSES), 1)


def test_devices_and_libraries_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(zerosum.game("even-steven"))
    with pytest.raises(ZerosumError, match="no array library 'tensorflow'; choose numpy"):
        Batch(table, 1, library="tensorflow")
    with pytest.raises(ZerosumError, match="numpy has no device cuda"):
        Batch(table, 1, device="cuda")

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(libraries, "import_module", missing)
    libraries.array_library.cache_clear()
    with pytest.raises(ZerosumError, match="The array library torch is not installed"):
        Batch(table, 1, library="torch")
    libraries.array_library.cache_clear()


@pytest.mark.parametrize("name", [name for name in LIBRARIES if name != "numpy"])
def test_every_library_plays_the_same_games(name: str) -> None:
    pytest.importorskip(name, reason=f"{name} is not installed: run make arrays")
    for game in (zerosum.game("digit-battle"), CROSSES):
        table = TABLES(game)
        try:
            theirs = Batch(table, 500, seed=3, library=name)
        except Exception as error:
            if name == "cupy":
                pytest.skip(f"CuPy finds no GPU: {error}")
            raise
        ours = Batch(table, 500, seed=3)
        for played in (ours, theirs):
            played.play(50)
            played.step(played.legal_counts - 1)
        for mine, other in ((ours.states, theirs.states), (ours.ended, theirs.ended)):
            assert mine.tolist() == other.tolist()
        assert ours.results == theirs.results
        with pytest.raises(IllegalMove):
            theirs.step(theirs.legal_counts)
        for choices in ([0] * 500, np.zeros(500, np.uint16)):
            theirs.step(choices)
