"""What errors cost in a game: by hand, by playing games, and by adding up ever more plies."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.games import GAMES_FILE
from tests.graphs import Graph, graph, graphs
from tests.lab.measure.exactly import Exactly
from tests.lab.measure.players import always, any_player
from tests.naive import RANK
from zerosum.lab.measure import measure_player
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import PlayerFault

PLIES = 1 << 24
GAMES = 800


def test_regret_in_a_game_is_what_a_hand_computes() -> None:
    # Take 1 or 2 of four sticks; the last one wins. Three are lost, and one leaves no choice.
    sticks = zerosum.game(f"{GAMES_FILE}:Sticks", start=4)
    random: Any = measure_player(sticks, "random")
    by_chance, *_, perfect = random.scores
    assert by_chance.first.regret.value == pytest.approx(2 / 2 + 2 / 8)
    assert by_chance.second.regret.value == pytest.approx(2 / 4)
    assert by_chance.regret.value == pytest.approx(0.875)
    # It leaves two, in which the other can err, and not one.
    assert perfect.first.regret.value == pytest.approx(2 / 2 + 2 / 4)
    assert perfect.second.regret == Figure(0.0, 0.0, 0.0)
    assert random.regret.value == 1  # in both decisions, each of which is wrong half the time


def test_a_fault_throws_the_game_away() -> None:
    sticks = zerosum.game(f"{GAMES_FILE}:Sticks", start=4)
    measured: Any = measure_player(sticks, always(lambda game, state: 9))
    assert {score.first.regret for score in measured.scores} == {Figure(2.0, 2.0, 2.0)}
    # Moving second against perfect play, all is lost before.
    assert measured.scores[-1].second.regret == Figure(0.0, 0.0, 0.0)


def test_errors_that_never_stop_have_no_bound() -> None:
    # The first player, to move in node 0, can win at once (3), but always lets the other go on, who
    # can go around between 1 and 2 for ever, or err and lead back.
    endless = graph([0, 1, 0, 0], [[3, 1], [2, 0], [1], []], [None, None, None, 0])
    measured: Any = measure_player(endless, always(lambda game, state: max(game.moves(state))))
    regrets = [score.first.regret for score in measured.scores]
    assert regrets == [*[None] * 4, Figure(1.0, 1.0, 1.0)]
    assert [score.regret for score in measured.scores] == [*[None] * 4, Figure(0.5, 0.5, 0.5)]


@given(graphs(), st.integers(0, 2**32), st.sampled_from([0.0, 0.2]))
def test_regret_in_a_game_of_any_game(game: Graph, seed: int, fault: float) -> None:
    player = any_player(game, seed, fault)
    measured, exact = measure_player(game, player), Exactly(game, player)
    assert measured.scores is not None
    for score in measured.scores:
        for seat, found in enumerate((score.first, score.second)):
            total = added_up(exact, score.level, seat)
            if found.regret is None:
                assert total > PLIES / 1e6
            else:
                assert found.regret == Figure(*[found.regret.value] * 3)
                assert found.regret.value == pytest.approx(total, abs=1e-6)


def added_up(exact: Exactly, level: str, seat: int) -> float:
    """What a player throws away in its first plies, which double with every step."""
    naive = exact.naive
    number = {state: at for at, state in enumerate(naive.after)}
    thrown, steps = np.zeros(len(number)), np.zeros((len(number), len(number)))
    for state, moves in naive.after.items():
        reply = exact.replies.get(state)
        if isinstance(reply, PlayerFault) and state.player == seat:
            thrown[number[state]] = RANK[naive.values[state].result]
        elif moves:
            own = state.player == seat
            chances: Any = reply if own else naive.policies[level][state]
            for move, chance in chances.items():
                before, after = exact.loses(state)[move]
                thrown[number[state]] += float(chance) * (before - after) * own
                steps[number[state], number[moves[move]]] += float(chance)
    done = 1
    while done < PLIES:
        thrown, steps, done = thrown + steps @ thrown, steps @ steps, 2 * done
    return float(thrown[number[exact.game.initial()]])


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_regret_in_a_game_is_the_mean_of_games_that_are_played(level: str) -> None:
    game, rng = zerosum.game("number-navigator"), Random(5)
    player = any_player(game, 3)
    measured, exact = measure_player(game, player), Exactly(game, player)
    (score,) = (score for score in measured.scores or () if score.level == level)
    for seat, found in enumerate((score.first, score.second)):
        played = [thrown_in_a_game(exact, level, seat, rng) for _ in range(GAMES)]
        error = np.std(played) / np.sqrt(GAMES)
        assert found.regret is not None
        assert found.regret.value > 0.1
        assert abs(found.regret.value - np.mean(played)) < 4 * error


def thrown_in_a_game(exact: Exactly, level: str, seat: int, rng: Random) -> int:
    """Play a game, and count what is thrown away."""
    game, state, thrown = exact.game, exact.game.initial(), 0
    while game.outcome(state) is None:
        chances: Any = exact.replies[state]
        if state.player != seat:
            chances = exact.naive.policy(level, state)
        move = rng.choices(list(chances), [float(chance) for chance in chances.values()])[0]
        before, after = exact.loses(state)[move]
        thrown += (before - after) * (state.player == seat)
        state = game.play(state, move)
    return thrown
