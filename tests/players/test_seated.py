"""A program at the table plays the same move at the same place, wherever it is asked."""

from __future__ import annotations

from random import Random

import zerosum
from zerosum.match import Match
from zerosum.players.levels import LEVELS, LevelBot
from zerosum.players.seated import agrees, chosen, needs_solution, place_in


def test_a_place_depends_on_the_seed_the_game_the_ply_and_the_player() -> None:
    match = Match.new(zerosum.game("even-steven", start=3), games=2, seed=5)
    places = [place_in(match)]
    for move in (1, 1, 1):
        match = match.play(move)
        places.append(place_in(match))
    places.append(place_in(match.next_game()))
    assert places == ["5 1 0 0", "5 1 1 1", "5 1 2 0", "5 1 3 1", "5 2 0 1"]


def test_a_level_plays_as_its_bot_seeded_by_the_place() -> None:
    game = zerosum.game("dual-digits")
    solution = zerosum.solve(game)
    state = game.play(game.initial(), 3)
    for level in LEVELS:
        known = solution if needs_solution(level) else None
        for place in map(str, range(20)):
            bot = LevelBot(level, game, Random(place), solution)
            assert chosen(game, level, state, place, known) == bot.move(state)
    drawn = {chosen(game, "random", state, str(place), None) for place in range(50)}
    assert drawn == set(game.moves(state))


def test_only_a_winning_program_declines_a_draw() -> None:
    game = zerosum.game("even-steven", start=15)
    solution = zerosum.solve(game)
    lost, won = game.initial(), game.play(game.initial(), 1)
    assert not agrees("hard", lost, solution)  # whoever is to move is losing
    assert agrees("hard", won, solution)
    assert agrees("random", lost, None)
    assert agrees("random", lost, solution)


def test_people_and_the_random_level_need_no_solution() -> None:
    assert [needs_solution(level) for level in (None, *LEVELS)] == [False, False] + [True] * 4
