"""Draws in which no move sets a trap: the perfect level plays the one that wins most in the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.graphs import Graph, graphs
from tests.naive import Naive
from tests.solutions import solved
from zerosum.coach.advice import Coach
from zerosum.players.level_policies import kept_chain, numbered
from zerosum.players.levels import policy
from zerosum.protocol import Game
from zerosum.solver import solve_table, table_of


def best_wins(naive: Naive, seat: int) -> dict[Any, float]:
    """The most that a seat can win against medium by first choices, and any in harmless draws."""
    chances = {state: float(naive.ends.get(state, -1) == seat) for state in naive.after}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state, moves in naive.after.items():
            if not moves:
                continue
            if state.player == seat:
                free = naive.harmless.get(state, [naive.first_choice(state)])
                new = max(chances[moves[move]] for move in free)
            else:
                medium = naive.policy("medium", state).items()
                new = sum(float(chance) * chances[moves[move]] for move, chance in medium)
            change = max(change, new - chances[state])
            chances[state] = new
    return chances


def check_patience(game: Game[Any]) -> None:
    """Compare what the perfect level wins with the most that its choices allow."""
    naive, solution = Naive(game), solve_table(game)
    chosen = {s: next(iter(policy(solution, "perfect", s))) for s in naive.after if naive.after[s]}
    for seat in (0, 1):
        best, won = best_wins(naive, seat), naive.wins(seat, chosen)
        for state in naive.harmless:
            assert won[state] == pytest.approx(best[state], abs=1e-6)
            assert chosen[state] in naive.keeping(state)


@given(graphs())
def test_harmless_draws_of_any_game_are_played_for_the_most_wins(game: Graph) -> None:
    check_patience(game)


# Nodes 0 and 1 are a circle; only 5, two moves away by 2 and 4, has a reply that is wrong.


def test_perfect_level_wins_every_draw_of_digit_battle_against_medium() -> None:
    solution = solved(zerosum.game("digit-battle"))
    chain = kept_chain(solution, table_of(solution))
    ends = chain.ends(numbered([("perfect", "medium"), ("medium", "perfect")]))
    drawn = (chain.table.value == 0) & (chain.table.winner < 0)
    for seat in (0, 1):
        assert ends[drawn, seat, seat] == pytest.approx(1.0, abs=1e-9)
    # Three lives against ten: it used to throw the three away.
    state = solution.game.initial()._replace(first_lives=3)
    (move,) = policy(solution, "perfect", state)
    assert solution.game.play(state, move).first_lives == 3
    chances = Coach(solution).chances(solution.game.initial())
    assert list(chances.values()) == pytest.approx([1.0] * 9, abs=1e-9)
