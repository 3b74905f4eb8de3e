"""Matches between programs: their end when they repeat themselves, series, and seeds."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import zerosum
from tests.game_files import STICK
from tests.solutions import solved
from zerosum.bulk.chain import Chain
from zerosum.bulk.table import Table
from zerosum.match import Match
from zerosum.players import autoplay as players
from zerosum.players.level_policies import chain_of
from zerosum.players.levels import LEVELS, SLIPS, LevelBot, policy
from zerosum.players.strength import strengths
from zerosum.protocol import Game
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution


def battle() -> Solution[Any]:
    return solved(zerosum.game("digit-battle"))


def bots(
    game: Game[Any], first: str, second: str, seed: int = 1, solution: Any = None
) -> tuple[LevelBot[Any], LevelBot[Any]]:
    rng = random.Random(seed)
    return LevelBot(first, game, rng, solution), LevelBot(second, game, rng, solution)


def test_perfect_play_of_a_drawn_game_ends_by_the_endless_rule() -> None:
    game = battle().game
    match = players.autoplay(Match.new(game), bots(game, "perfect", "perfect", solution=battle()))
    assert match.over
    assert match.round.end == ("endless", None, "endless play")
    assert match.round.states.count(match.state) == 200
    assert match.ply == 398


def test_a_limit_of_plies_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "ENDLESS_PLIES", 101)
    game = battle().game
    match = players.autoplay(Match.new(game), bots(game, "perfect", "perfect", solution=battle()))
    assert match.ply == 101
    assert match.round.end is not None
    assert match.round.end.by == "endless"


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


def test_a_users_own_game_has_bots_and_strengths() -> None:
    game = zerosum.game(STICK)
    match = players.autoplay(Match.new(game, games=10), bots(game, "perfect", "hard"))
    assert match.over
    overall = strengths(solve_table(game)).overall
    assert overall("perfect", "random") > overall("hard", "random") > overall("easy", "random")


# What the comment on ENDLESS_REPEATS says.

START = 0  # the index of the first state, with seat 0 to move


@lru_cache(maxsize=1)
def chain_of_battle() -> Chain:
    return chain_of(battle())


def steps(first: str, second: str) -> tuple[Table[Any], Any]:
    """The table of Digit Battle, and the chances of its edges between two levels."""
    table, policies = chain_of_battle().table, chain_of_battle().policies
    rows = policies[LEVELS.index(first)], policies[LEVELS.index(second)]
    return table, np.where(table.player[table.sources] == 0, *rows)


WORST = [("hard", "hard"), ("hard", "perfect"), ("perfect", "hard")]


@pytest.mark.parametrize("pair", WORST)
def test_games_that_end_have_ended_long_before_the_limit_of_plies(pair: tuple[str, str]) -> None:
    table, chances = steps(*pair)
    going: Any = np.zeros(len(table))
    going[START] = 1.0
    over = table.winner >= 0
    for _ in range(500):
        going = np.bincount(table.targets, chances * going[table.sources], len(going))
        going[over] = 0.0
    assert going.sum() < 1e-8


def test_perfect_play_repeats_where_eight_of_nine_replies_are_wrong() -> None:
    game, state = battle().game, battle().game.initial()
    assert policy(battle(), "perfect", state) == {1: 1.0}
    after = game.play(state, 1)
    kept = [move for move, value in battle().moves(after).items() if value.result == "draw"]
    assert kept == [1]
    assert game.play(after, 1) == state
    holds = {level: (1 - slip * 8 / 9) ** 19 for level, slip in SLIPS.items()}
    for level, share in {"hard": 0.1705, "medium": 0.0084, "easy": 1.4e-5}.items():
        assert holds[level] == pytest.approx(share, rel=0.01)


@pytest.mark.parametrize(
    ("pair", "bounds"),
    [
        (("hard", "hard"), {20: (0.0, 1e-3), 200: (0.0, 1e-8)}),
        (("perfect", "hard"), {20: (0.170, 0.171), 200: (0.0, 1e-8)}),
        (("hard", "perfect"), {20: (0.11, 0.16), 200: (0.0, 1e-8)}),
    ],
)
def test_limit_of_repetitions_is_almost_never_reached(
    pair: tuple[str, str], bounds: dict[int, tuple[float, float]]
) -> None:
    ever, back = visits_of(*pair)
    for repeats, (least, most) in bounds.items():
        chances = ever * back ** (repeats - 1)
        # Some position occurs so often at least as often as the likeliest one does, and at most
        # as often as all of them do together.
        assert least <= chances.max()
        assert chances.sum() <= most


def visits_of(first: str, second: str) -> tuple[Any, Any]:
    """The chance of each position to occur at all, and once it has, to occur again."""
    table, chances = steps(first, second)
    ever, back = [], []
    # A level with one move goes on from a position always in the same way, so that the next
    # position, where the other moves, is repeated as often; counting these is enough.
    counted = {0, 1} - {seat for seat, level in enumerate((first, second)) if level == "perfect"}
    comes = np.zeros(len(table))  # how often each state is entered from an earlier layer
    comes[START] = 1.0
    for block in reversed(table.plan.blocks):
        block_states = table.plan.order[block.begin : block.end].copy()
        for states in block_states.reshape(-1, block.size) if block.size else ():
            states.sort()
            own, _ = table.edges_from(states)
            source, target = np.searchsorted(states, table.sources[own]), table.targets[own]
            inner = np.isin(target, states)
            inside = np.zeros((len(states), len(states)))
            place = np.searchsorted(states, target[inner])
            np.add.at(inside, (source[inner], place), chances[own][inner])
            visits = np.linalg.inv(np.eye(len(states)) - inside)
            seen, again = comes[states] @ visits, np.diag(visits)
            mine = np.isin(table.player[states], list(counted))
            ever.append((seen / again)[mine])
            back.append((1 - 1 / again)[mine])
            np.add.at(comes, target[~inner], (chances[own] * seen[source])[~inner])
        if not block.size:  # never back into the same block
            away, _ = table.edges_from(block_states)
            np.add.at(comes, table.targets[away], (chances * comes[table.sources])[away])
    return np.concatenate(ever), np.concatenate(back)
