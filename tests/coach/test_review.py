"""Reviews of random games against the plainest judgement: what each move did to the result."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from tests.coach.test_advice import EXAMPLES, FLIP, RANK, SMALL
from tests.players.graphs import Graph, graphs, solved
from tests.solver.brute import brute
from zerosum.coach.review import VERDICTS, judge, review
from zerosum.match import Match
from zerosum.protocol import Game, Value
from zerosum.solver.solution import Solution


@settings(max_examples=40)
@given(st.sampled_from(SMALL), st.data())
def test_a_review_of_a_built_in_game(
    variant: tuple[str, dict[str, Any]], data: st.DataObject
) -> None:
    game = zerosum.game(variant[0], **variant[1])
    check_review(zerosum.solve(game), played(game, data))


@given(graphs(), st.data())
def test_a_review_of_any_game(game: Graph, data: st.DataObject) -> None:
    check_review(solved(game), played(game, data))


def played(game: Game[Any], data: st.DataObject) -> Match[Any]:
    """Play some moves at random."""
    match = Match.new(game)
    while match.round.end is None and match.ply < 25:
        match = match.play(data.draw(st.sampled_from(game.moves(match.state))))
    return match


def check_review(solution: Solution[Any], match: Match[Any]) -> None:
    game, truth, found = match.game, brute(match.game), review(solution, match.round)
    gifts = []
    decisions = {0: [0, 0], 1: [0, 0]}
    for ply, move in enumerate(match.round.moves):
        state, judged = match.round.states[ply], found.moves[ply]
        values = {move: moved(game, truth, state, move) for move in game.moves(state)}
        fall = RANK[truth[state].result] - RANK[values[move].result]
        best = {move for move, value in values.items() if value[:2] == truth[state][:2]}
        if len(values) == 1:
            verdict = "only"
        elif len({value.result for value in values.values()}) == 1:
            verdict = "forced"
        else:
            verdict = ("best" if move in best else "good", "mistake", "blunder")[fall]
            decisions[state.player][0] += not fall
            decisions[state.player][1] += 1
        assert (judged.ply, judged.seat, judged.move) == (ply + 1, state.player, move)
        assert (judged.before, judged.value) == (truth[state], values[move])
        assert judged.verdict == verdict
        assert set(judged.best) == best
        assert judge(solution, state)[move] == (judged.value, judged.verdict, judged.word)
        gifts += [ply + 1] * (fall > 0)
    assert found.turning_point == (gifts[-1] if gifts else None)
    assert {seat: list(found.decisions(seat)) for seat in (0, 1)} == decisions
    for state, value in zip(match.round.states, found.history, strict=True):
        result, plies, endless = truth[state]
        assert value == (FLIP[result] if state.player else result, plies, endless)


def moved(game: Game[Any], truth: dict[Any, Value], state: Any, move: Any) -> Value:
    """What a move is worth to whoever makes it; the move itself is counted."""
    after = game.play(state, move)
    result, plies, endless = truth[after]
    mine: Any = result if after.player == state.player else FLIP[result]
    return Value(mine, None if plies is None else plies + 1, endless)


def test_a_review_of_a_drawn_game() -> None:
    game = zerosum.game(str(EXAMPLES / "noughts_and_crosses.py"))
    match = Match.new(game)
    # The second player's edge should lose to b1, and c3 lets it go again.
    for move in ("a1", "a2", "c3", "b2", "c2", "c1", "a3", "b3", "b1"):
        match = match.play(move)
    assert match.score == (0.5, 0.5)
    found = review(zerosum.solve(game), match.round)
    told = [(move.move, move.verdict, move.word) for move in found.moves]
    assert told == [
        ("a1", "forced", "all moves draw"),
        ("a2", "mistake", "mistake"),
        ("c3", "mistake", "mistake"),
        *((move, "best", "best") for move in ("b2", "c2", "c1", "a3", "b3")),
        ("b1", "only", "only move"),
    ]
    assert found.turning_point == 3
    assert found.history[1:4] == (Value("draw"), Value("win", 5), Value("draw"))


def test_every_verdict_and_its_words() -> None:
    words: dict[str, set[str]] = {verdict: set() for verdict in VERDICTS}
    for name, options in SMALL:
        game = zerosum.game(name, **options)
        solution = zerosum.solve(game)
        for state in brute(game):
            for judged in judge(solution, state).values():
                words[judged.verdict].add(judged.word)
    assert words == {
        "best": {"best"},
        "good": {"wins later"},
        "mistake": {"mistake"},
        "blunder": {"blunder"},
        "only": {"only move"},
        "forced": {
            *("all moves win", "fastest win", "wins later"),
            *("all moves lose", "longest defence", "loses sooner"),
        },
    }


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (63, {"longest defence", "loses sooner"}),
        (10**40, {"keeps the result", "blunder"}),
        (945 * 107, {"all moves lose"}),
        (3 * (10**40 + 1), {"keeps the result"}),  # of which not all divisors are known
    ],
)
def test_no_move_is_called_best_where_lengths_are_unknown_or_nothing_can_change(
    start: int, words: set[str]
) -> None:
    solution = zerosum.solve(zerosum.game("divisor-duel", start=start))
    judged = judge(solution, solution.game.initial()).values()
    assert {judgement.word for judgement in judged} == words
    assert all(judgement.verdict != "best" for judgement in judged)
