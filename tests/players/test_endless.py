"""Matches between programs: their end when they repeat themselves, series, and seeds."""

import random
from typing import Any

import pytest

import zerosum
from tests.solutions import solved
from zerosum.match import Match
from zerosum.players import autoplay as players
from zerosum.players.levels import LevelBot
from zerosum.protocol import Game


def bots(
    game: Game[Any], first: str, second: str, seed: int = 1, solution: Any = None
) -> tuple[LevelBot[Any], LevelBot[Any]]:
    rng = random.Random(seed)
    return LevelBot(first, game, rng, solution), LevelBot(second, game, rng, solution)


@pytest.mark.parametrize(("most", "plies"), [(players.ENDLESS_PLIES, 398), (101, 101)])
def test_perfect_play_of_a_drawn_game_ends_by_repetition_or_by_length(
    most: int, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "ENDLESS_PLIES", most)
    solution = solved(zerosum.game("digit-battle"))
    both = bots(solution.game, "perfect", "perfect", solution=solution)
    match = players.autoplay(Match.new(solution.game), both)
    assert match.over
    assert match.round.end == ("endless", None, "endless play")
    assert match.ply == plies
    assert match.round.states.count(match.state) == 200 or most == plies


def circling(*bots: str | None) -> Match[Any]:
    """A match whose first position comes up again after every four moves."""
    game = zerosum.game("number-navigator", start=10)
    return Match.new(game, games=2, bots=(bots[0], bots[1]))


def circled(match: Match[Any], times: int) -> Match[Any]:
    for move in (3, 3, 4, 4) * times:  # 10, 5, 10: each halves, and adds 5
        assert not players.is_endless(match)
        match = match.play(move)
    return match


def test_repetitions_are_counted_within_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "ENDLESS_REPEATS", 2)
    match = circled(circling("easy", "hard"), 1)
    assert players.is_endless(match)
    assert players.repetition(match) == ""
    match = match.endless()
    assert not players.is_endless(match)
    assert not players.is_endless(match.next_game())


@pytest.mark.parametrize("bots", [(None, "easy"), ("perfect", None)])
def test_tenth_repetition_ends_a_game_between_a_person_and_a_program(bots: Any) -> None:
    match = circled(circling(*bots), 3)
    assert players.repetition(match) == ""
    match = circled(match, 1)
    rule = "the tenth time ends the game as a draw."
    assert players.repetition(match) == f"This position has come up 5 times; {rule}"
    assert players.repetition(match.undo()) == ""
    match = circled(match, 4)
    assert players.repetition(match) == f"This position has come up 9 times; {rule}"
    assert players.repetition(match.resign()) == ""
    match = circled(match, 1)
    assert players.is_endless(match)
    assert not players.is_endless(match.undo())
    ended = match.endless()
    assert ended.score == (0.5, 0.5)
    said = "This position has come up 10 times, so the game is a draw."
    assert players.repetition(ended) == said
    assert players.repetition(ended.next_game()) == ""
    assert not players.is_endless(ended.next_game())


def test_two_people_may_repeat_a_position_as_often_as_they_like() -> None:
    match = circled(circling(None, None), 60)
    assert players.repetition(match) == ""
    assert not players.is_endless(match)


@pytest.mark.parametrize("name", zerosum.games())
def test_the_same_seed_plays_the_same_match(name: str) -> None:
    game = zerosum.game(name)
    start = Match.new(game, ("Ada", "Bob"), first=1, games=5)
    solution = zerosum.solve(game)
    played = [
        players.autoplay(start, bots(game, "easy", "medium", seed=seed, solution=solution))
        for seed in (4, 4, 5)
    ]
    assert played[0] == played[1] != played[2]
    assert start == Match.new(game, ("Ada", "Bob"), first=1, games=5)
    assert [played_game.first for played_game in played[0].rounds] == [1, 0, 1, 0, 1]
    assert all(played_game.end is not None for played_game in played[0].rounds)


def test_a_bot_plays_for_its_player_in_every_seat() -> None:
    game = zerosum.game("dual-digits")
    match = players.autoplay(Match.new(game, games=40), bots(game, "perfect", "random"))
    assert match.score[0] > 35
    match = players.autoplay(Match.new(game, games=40), bots(game, "random", "perfect"))
    assert match.score[1] > 35
