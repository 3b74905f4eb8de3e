"""Whether a game is too large, by a sample: never wrong about one that fits, and quick."""

from math import exp
from typing import Any

import pytest

import zerosum
from tests.game_files import DOTS, NOUGHTS
from tests.games import Claims, Nim, Sticks, after, broken
from zerosum.errors import GameError, TooLarge
from zerosum.limits import Limits, reporting
from zerosum.protocol import Game, Outcome
from zerosum.solver import size, solve, table_of
from zerosum.solver.size import doubt, surely_larger
from zerosum.solver.table import build_table


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample games of any size, from close to their start."""
    monkeypatch.setattr(size, "SMALL", 0)
    monkeypatch.setattr("zerosum.solver.table.SAMPLED", 20)


def larger(game: Game[Any], limit: int, seed: int = 0, **arguments: Any) -> bool:
    """Sample from the start of a game."""
    starts = [arguments.pop("root", game.initial())]
    return surely_larger(game, limit, starts, game.canonical, seed=seed, **arguments)


def fewest_repeats(draws: int, most: int, limit: int) -> float:
    """The exact chance of at most some number of repetitions among equally likely draws."""
    chances = [1.0] + [0.0] * most
    for draw in range(draws):
        after = [0.0] * (most + 1)
        for repeats, chance in enumerate(chances):
            again = (draw - repeats) / limit
            after[repeats] += chance * (1 - again)
            if repeats < most:
                after[repeats + 1] += chance * again
        chances = after
    return sum(chances)


@pytest.mark.parametrize("limit", [50, 400, 3000])
@pytest.mark.parametrize("repeats", [0, 1, 2, 5, 12, 30])
def test_doubt_is_at_least_the_exact_chance(limit: int, repeats: int) -> None:
    for draws in (repeats + 1, 40, 90, 200, 350):
        exact = fewest_repeats(draws, repeats, limit)
        assert exp(doubt(draws, repeats, limit)) >= exact * (1 - 1e-9), (draws, repeats, limit)


GAMES = (zerosum.game(NOUGHTS), zerosum.game("digit-battle", lives=3), Nim((4, 4, 3)))


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_fits_is_never_called_too_large(game: Game[Any]) -> None:
    count = len(table_of(solve(game)).graph)
    assert not any(larger(game, count, seed=seed) for seed in range(8))
    assert len(table_of(solve(game, Limits(count))).graph) == count
    with pytest.raises(TooLarge):
        solve(game, Limits(count - 1))


def test_a_game_with_far_more_positions_is_found_out_from_any_position() -> None:
    game, state, limit = Claims(), Claims().initial(), size.SMALL
    for move in ("a1", "c3", "e5"):
        assert larger(game, limit, root=state)
        state = game.play(state, move)
    late = ("b1", "d1", "a2", "b2", "c2", "d2", "e2", "a4", "b4", "d4", "e4", "c5", "b5")
    assert not larger(game, limit, root=after(game, "a1", "c3", "e5", *late))


def test_depths_count_together_where_none_has_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "SAMPLE_SECONDS", 3600.0)
    visited: list[int] = []
    with pytest.raises(TooLarge), reporting(visited.append):
        build_table(zerosum.game(DOTS), Limits(400_000))
    assert visited == []  # it was refused before the walk reported anything


@pytest.mark.usefixtures("everywhere")
def test_the_same_seed_gives_the_same_answer_within_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = 0

    class Counted(Claims):
        def play(self, state: Any, move: str) -> Any:
            nonlocal calls
            calls += 1
            return super().play(state, move)

    assert larger(Counted(), 5000)
    first, calls = calls, 0
    assert larger(Counted(), 5000)
    assert calls == first < 20_000
    monkeypatch.setattr(size, "SAMPLE_CALLS", 500)
    calls = 0
    assert not larger(Counted(), 5000)  # unknown, and not called too large
    assert calls < 1000


@pytest.mark.usefixtures("everywhere")
def test_what_rules_list_after_the_end_does_not_count() -> None:
    # It goes on forever after its end, which no table visits.
    over = Outcome(0, "it is over")
    endless = broken(
        initial=lambda self: Sticks(5).initial()._replace(number=0),
        moves=lambda self, state: tuple(range(1, 30)),
        play=lambda self, state, move: state._replace(number=30 * state.number + move),
        outcome=lambda self, state: over if state.number >= 30 else None,
    )
    count = len(table_of(solve(endless)).graph)
    assert not any(larger(endless, count, seed=seed) for seed in range(20))


def test_rules_that_fail_in_a_sample_are_named() -> None:
    def play(self: Any, state: Any, move: Any) -> Any:
        if state.number > 10**6:  # where a walk comes only after the sample
            raise ZeroDivisionError("no")
        return state._replace(number=state.number * 20 + move)

    game = broken(
        moves=lambda self, state: tuple(range(20)), play=play, outcome=lambda self, state: None
    )
    with pytest.raises(GameError, match="ZeroDivisionError: no"):
        solve(game)
