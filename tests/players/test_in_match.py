"""A program in a match plays the same move at the same point, in every process."""

from __future__ import annotations

from random import Random

import zerosum
from zerosum.match import Match
from zerosum.players.levels import (
    LEVELS,
    LevelBot,
    accepts_draw,
    choose_move,
    needs_solution,
    seed_at,
)


def test_seed_depends_on_match_seed_game_ply_and_player() -> None:
    match = Match.new(zerosum.game("even-steven", start=3), games=2, seed=5)
    seeds = [seed_at(match)]
    for move in (1, 1, 1):
        match = match.play(move)
        seeds.append(seed_at(match))
    seeds.append(seed_at(match.next_game()))
    assert seeds == ["5 1 0 0", "5 1 1 1", "5 1 2 0", "5 1 3 1", "5 2 0 1"]


def test_choose_move_agrees_with_a_seeded_bot() -> None:
    game = zerosum.game("dual-digits")
    solution = zerosum.solve(game)
    state = game.play(game.initial(), 3)
    for level in LEVELS:
        known = solution if needs_solution(level) else None
        for seed in map(str, range(20)):
            bot = LevelBot(level, game, Random(seed), solution)
            assert choose_move(game, level, state, seed, known) == bot.move(state)
    drawn = {choose_move(game, "random", state, str(seed), None) for seed in range(50)}
    assert drawn == set(game.moves(state))


def test_only_a_winning_program_declines_a_draw() -> None:
    game = zerosum.game("even-steven", start=15)
    solution = zerosum.solve(game)
    lost, won = game.initial(), game.play(game.initial(), 1)
    assert not accepts_draw("hard", lost, solution)  # the player to move is losing
    assert accepts_draw("hard", won, solution)
    assert accepts_draw("random", lost, None)
    assert accepts_draw("random", lost, solution)


def test_people_and_the_random_level_need_no_solution() -> None:
    assert [needs_solution(level) for level in (None, *LEVELS)] == [False, False] + [True] * 4
