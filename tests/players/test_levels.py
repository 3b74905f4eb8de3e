"""How each level chooses: only legal moves, perfect play that keeps the result, fixed by a seed."""

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import STICK
from zerosum.bulk import Table
from zerosum.errors import UnknownLevel
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS, SLIPS, LevelBot, policy, sample
from zerosum.protocol import Move
from zerosum.solver import solve
from zerosum.solver.solution import Solution

HUGE = st.integers(10**20, 10**1000) | st.sampled_from((3**2000, 10**1000 + 1, 2**3000))

variants = st.one_of(
    st.builds(zerosum.game, st.just("even-steven"), start=st.integers(1, 60) | HUGE),
    st.builds(
        zerosum.game, st.just("even-steven"), start=st.integers(1, 60), subtract_two=st.just(True)
    ),
    st.builds(zerosum.game, st.just("divisor-duel"), start=st.integers(2, 200)),
    st.builds(zerosum.game, st.just("divisor-duel"), start=HUGE),
    st.builds(zerosum.game, st.just("dual-digits"), start=st.integers(1, 40)),
    st.builds(zerosum.game, st.just("number-navigator"), start=st.integers(1, 30) | HUGE),
    st.builds(zerosum.game, st.just("digit-battle"), lives=st.integers(1, 3)),
    st.builds(zerosum.game, st.just(STICK), start=st.integers(2, 30)),
)
solved = cache(solve)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Solution[Any], Any]:
    """A position of a game that is solved and not over."""
    game = draw(variants)
    solution: Solution[Any] = solved(game)
    state = game.initial()
    for _ in range(draw(st.integers(0, 12))):
        after = game.play(state, draw(st.sampled_from(game.moves(state))))
        if game.outcome(after):
            break
        state = after
    return solution, state


@given(positions(), st.sampled_from(LEVELS))
def test_a_policy_is_a_distribution_over_legal_moves(
    position: tuple[Solution[Any], Any], level: str
) -> None:
    solution, state = position
    chances = policy(solution, level, state)
    assert sum(chances.values()) == pytest.approx(1.0, abs=1e-9)
    assert all(chance > 0 for chance in chances.values())
    assert all(solution.game.is_legal(state, move) for move in chances)
    moves = solution.game.moves(state)
    assert list(chances) == [move for move in moves if move in chances]
    if level != "perfect":
        assert len(chances) == len(moves)
        best = solution.best(state)
        kept = sum(chances[move] for move in best)
        assert kept == pytest.approx(1 - SLIPS[level] * (1 - len(best) / len(moves)))


@given(positions())
def test_the_perfect_level_never_gives_a_result_away(position: tuple[Solution[Any], Any]) -> None:
    solution, state = position
    (move,) = policy(solution, "perfect", state)
    result = solution.value(state).result
    assert solution.moves(state)[move].result == result
    if result == "win":
        assert move == solution.best(state)[0]


def test_the_choices_of_a_seed_are_the_same_on_every_machine() -> None:
    solution = solve(zerosum.game("number-navigator", start=8))
    bot, state = (
        LevelBot("easy", solution.game, random.Random(2024), solution),
        solution.game.initial(),
    )
    assert solution.best(state) == (3,)
    chosen = "".join(str(bot.move(state)) for _ in range(20))
    assert chosen == "33343332333343333423"


def test_sampling_draws_one_random_number_per_move() -> None:
    few: list[dict[Move, float]] = [{1: 1.0}, {1: 0.5, 2: 0.5}, dict.fromkeys(range(7), 1 / 7)]
    for chances in few:
        drawing, counting = random.Random(5), random.Random(5)
        assert sample(chances, drawing) in chances
        counting.random()
        assert drawing.getstate() == counting.getstate()

    class Last(random.Random):
        def random(self) -> float:
            return 1.0 - 2.0**-53

    assert sample(dict.fromkeys(range(10), 0.1 - 1e-12), Last()) == 9


@pytest.mark.parametrize(
    ("wrong", "offer"),
    [("perfekt", "did you mean perfect?"), ("HARD", "did you mean hard?"), ("x", "the levels are")],
)
def test_unknown_level_suggests_the_closest(wrong: str, offer: str) -> None:
    game = zerosum.game("even-steven")
    with pytest.raises(UnknownLevel, match=offer.replace("?", r"\?")):
        LevelBot(wrong, game, random.Random(1))
    with pytest.raises(UnknownLevel, match=wrong):
        policy(solve(game), wrong, game.initial())
    with pytest.raises(UnknownLevel, match=wrong):
        level_policy(Table(game), wrong)


def test_a_bot_solves_only_when_it_has_to() -> None:
    game = zerosum.game("digit-battle", lives=1)
    careless = LevelBot("random", game, random.Random(1))
    assert careless.move(game.initial()) in game.moves(game.initial())
    assert careless.solution._whole is None
    careful = LevelBot("easy", game, random.Random(1))
    careful.move(game.initial())
    assert careful.solution.is_whole
