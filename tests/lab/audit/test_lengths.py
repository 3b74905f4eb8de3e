"""The lengths of games: against all games one by one, and by hand."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.games import Hotseat, Nim, Stack, Sticks, WildRow
from tests.graphs import Graph, Mirrored, graphs, mirrored
from zerosum import Game
from zerosum.bulk.chain import Chain
from zerosum.lab.audit.measures import lengths, size
from zerosum.players.level_policies import chain_of
from zerosum.solver import solve_table

ACYCLIC: list[Game[Any]] = [
    zerosum.game("even-steven", start=11),
    zerosum.game("dual-digits", start=6),
    Nim((1, 2, 1), shrink=True),
    Hotseat(),
    Stack(blanks=True),
    WildRow(),
]


def chain(game: Game[Any]) -> Chain:
    return chain_of(solve_table(game))


def longest(game: Game[Any]) -> int | None:
    solution = solve_table(game)
    return size(solution, chain_of(solution)).longest


def ended(game: Game[Any], state: Any, plies: int) -> dict[int, Fraction]:
    """The chance that random play from a state ends after each number of plies, up to a limit."""
    moves = game.moves(state)
    if not moves:
        return {0: Fraction(1)}
    shares: dict[int, Fraction] = {}
    for move in moves if plies else ():
        for count, share in ended(game, game.play(state, move), plies - 1).items():
            shares[count + 1] = shares.get(count + 1, Fraction(0)) + share / len(moves)
    return shares


@pytest.mark.parametrize("game", ACYCLIC, ids=repr)
def test_lengths_equal_those_of_all_games(game: Game[Any]) -> None:
    computed, exact = lengths(chain(game)), ended(game, game.initial(), 100)
    assert sum(exact.values()) == 1
    expected = [float(exact.get(plies, 0)) for plies in range(max(exact) + 1)]
    assert computed.shares == pytest.approx(expected, rel=1e-12)
    assert computed.rest == 0.0
    assert longest(game) == max(exact)


@given(graphs(most=7))
def test_lengths_of_any_graph_begin_with_those_of_all_short_games(game: Graph) -> None:
    computed, exact = lengths(chain(game)), ended(game, game.initial(), 5)
    shares = (*computed.shares, *[0.0] * 6)[:6]
    assert shares == pytest.approx([float(exact.get(plies, 0)) for plies in range(6)], abs=1e-12)
    assert sum(computed.shares) + computed.rest == pytest.approx(1.0, abs=1e-9)


def can_last(game: Game[Any], state: Any, plies: int) -> bool:
    """Whether a game from a state can go on for a number of plies."""
    states = {state}
    for _ in range(plies):
        states = {game.play(state, move) for state in states for move in game.moves(state)}
    return bool(states)


@given(mirrored())
def test_longest_game_is_none_exactly_if_play_can_go_on_forever(game: Mirrored) -> None:
    most = longest(game)
    first = game.initial()
    if most is None:
        assert can_last(game, first, 50)
    else:
        assert can_last(game, first, most)
        assert not can_last(game, first, most + 1)


def test_lengths_stop_at_a_limit_and_say_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lengths(chain(Sticks(9)))
    monkeypatch.setattr("zerosum.lab.audit.measures.MEASURE_STEPS", 40)
    part = lengths(chain(Sticks(9)))
    assert 0 < part.rest < 1
    assert part.shares == whole.shares[: len(part.shares)]
    assert sum(part.shares) + part.rest == pytest.approx(1.0)
