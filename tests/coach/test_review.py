"""Reviews of random games against a naive judgement, and the sentences of a review."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.coach.test_advice import SMALL
from tests.graphs import Graph, graphs
from tests.naive import FLIP, RANK, Naive
from zerosum.coach.advice import Coach
from zerosum.coach.review import Review, describe_moment, key_moments, no_turn, reason, review
from zerosum.coach.verdicts import judge
from zerosum.match import Match
from zerosum.protocol import Game, Move
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution

NAMES = ("Ada", "Bob")


@given(st.sampled_from(SMALL), st.data())
def test_review_of_built_in_games(variant: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    game = zerosum.game(variant[0], **variant[1])
    check_review(zerosum.solve(game), played(game, data))


@given(graphs(), st.data())
def test_review_of_random_games(game: Graph, data: st.DataObject) -> None:
    check_review(solve_table(game), played(game, data))


def played(game: Game[Any], data: st.DataObject) -> Match[Any]:
    """Play some moves at random."""
    match = Match.new(game)
    while match.round.end is None and match.ply < 25:
        match = match.play(data.draw(st.sampled_from(game.moves(match.state))))
    return match


def check_review(solution: Solution[Any], match: Match[Any]) -> None:
    naive, found = Naive(match.game), review(solution, match.round)
    truth = naive.values
    gifts = []
    decisions = {0: [0, 0], 1: [0, 0]}
    for ply, move in enumerate(match.round.moves):
        state, judged = match.round.states[ply], found.moves[ply]
        values = naive.moves(state)
        fall = RANK[truth[state].result] - RANK[values[move].result]
        if len(values) == 1:
            verdict = "only"
        elif len({value.result for value in values.values()}) == 1:
            verdict = "forced"
        else:
            verdict = ("best" if move in naive.best(state) else "good", "mistake", "blunder")[fall]
            decisions[state.player][0] += not fall
            decisions[state.player][1] += 1
        assert (judged.ply, judged.seat, judged.move) == (ply + 1, state.player, move)
        assert (judged.before, judged.value) == (truth[state], values[move])
        assert judged.verdict == verdict
        assert set(judged.best) == set(naive.best(state))
        assert judge(solution, state)[move] == (judged.value, judged.verdict, judged.word)
        gifts += [ply + 1] * (fall > 0)
    assert found.turning_point == (gifts[-1] if gifts else None)
    assert {seat: list(found.decisions(seat)) for seat in (0, 1)} == decisions
    for state, value in zip(match.round.states, found.history, strict=True):
        result, plies, endless = truth[state]
        assert value == (FLIP[result] if state.player else result, plies, endless)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (63, {"longest defence", "loses sooner"}),
        (10**40, {"keeps the result", "blunder"}),
        (945 * 107, {"all moves lose"}),
        (3 * (10**40 + 1), {"keeps the result"}),  # of which not all divisors are known
    ],
)
def test_no_move_is_best_if_lengths_are_unknown_or_nothing_can_change(
    start: int, words: set[str]
) -> None:
    solution = zerosum.solve(zerosum.game("divisor-duel", start=start))
    judged = judge(solution, solution.game.initial()).values()
    assert {judgement.word for judgement in judged} == words
    assert all(judgement.verdict != "best" for judgement in judged)


def reviewed(
    name: str, moves: tuple[Move, ...], **options: Any
) -> tuple[Coach[Any], Match[Any], Review]:
    """Play and review a game."""
    match = Match.new(zerosum.game(name, **options), NAMES)
    for move in moves:
        match = match.play(move)
    coach = Coach(zerosum.solve(match.game))
    return coach, match, review(coach.solution, match.round)


def reasons(name: str, *moves: Move, **options: Any) -> list[tuple[str | None, str]]:
    """Play a game; return the verdict on every move and the reason."""
    coach, match, found = reviewed(name, moves, **options)
    return [(move.verdict, reason(coach, NAMES, match.round, move)) for move in found.moves]


def test_reasons_for_each_verdict() -> None:
    judged = reasons("even-steven", 1, 1, start=16)
    assert judged == [("best", "Nothing was better."), ("only", "There was no other move.")]
    judged = reasons("even-steven", 1, start=14, subtract_two=True)
    assert judged == [("good", "It still wins, but later than ÷2.")]
    verdict, why = reasons("even-steven", 2, start=16)[0]
    assert verdict == "blunder"
    assert why.startswith("After that: Bob plays −1 → 7; Ada plays ")
    assert why.endswith("Better: −1 → 15.")


def test_reasons_where_no_move_changes_the_result() -> None:
    no_choice = "No move could change the result"
    assert reasons("dual-digits", 1)[0] == ("forced", f"{no_choice} (all moves lose).")
    options = {"start": 10, "subtract_two": True}
    assert reasons("even-steven", 2, **options) == [("forced", "It loses sooner than −1 or −2.")]
    longest = ("forced", f"{no_choice} (longest defence).")
    assert reasons("even-steven", 1, **options) == [longest]
    won = reasons("even-steven", 1, 1)[1]
    assert won == ("forced", "It still wins, but later than ÷2.")
    assert reasons("divisor-duel", 1, start=10**40) == [("good", "It keeps the result.")]


def test_moves_that_are_not_listed_are_judged_too() -> None:
    half = 10**40 + 1  # not fully factored, so it is not listed as a divisor of its double
    coach, match, found = reviewed("divisor-duel", (half,), start=2 * half)
    assert half not in match.game.moves(match.round.states[0])
    move = found.moves[0]
    assert (move.verdict, move.word, move.move in move.best) == ("good", "keeps the result", True)
    assert reason(coach, NAMES, match.round, move) == "It keeps the result."


def test_key_moments_are_at_most_three_and_in_order() -> None:
    _, _, found = reviewed("number-navigator", (4, 4, 1, 1, 1, 1, 1, 1, 1, 1), start=9)
    bad = [move.ply for move in found.moves if not move.kept]
    assert len(bad) > 3
    moments = [move.ply for _, move in key_moments([found])]
    assert len(moments) == 3
    assert moments == sorted(moments)
    assert found.turning_point in moments
    assert set(moments) <= set(bad)
    assert key_moments([]) == []


def test_no_review_says_you() -> None:
    coach, match, found = reviewed("even-steven", (1, 2, 1, 2, 1, 2, 1))
    texts = [reason(coach, NAMES, match.round, move) for move in found.moves]
    for move in found.moves:
        texts += describe_moment(coach, NAMES, match.round, found, move)
    assert not any(re.search(r"\b(you|your|they)\b", text, re.IGNORECASE) for text in texts)


def test_end_that_gives_a_win_away_is_named() -> None:
    match = Match.new(zerosum.game("even-steven", start=14), NAMES).play(2).play(1)
    solution = zerosum.solve(match.game)  # Ada is to move at 6, and wins in 5

    def said(ended: Match[Any]) -> str:
        return no_turn(NAMES, ended.round, review(solution, ended.round))

    given_away = "No move changed the result, but the end did: it was a win for Ada in 5."
    for ended in (match.resign(), match.agree_draw(), match.time_out()):
        assert said(ended) == given_away
    lost = match.play(1)
    assert said(lost.resign()) == "There was no turning point: no move changed the result."
