"""Reviews where not everything is known: where exactness begins, and what is said before."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.coach.test_partial import CLAIMED, NAMES, NOUGHTS_GAME, Told
from tests.coach.test_review import played
from tests.game_files import NOUGHTS
from tests.games import Claims
from tests.graphs import Graph, Mirrored, graphs, mirrored
from tests.naive import Naive
from tests.solver.test_too_large import reachable
from zerosum.coach.advice import Coach
from zerosum.coach.review import (
    Review,
    accuracies,
    accuracy,
    describe_moment,
    exactness,
    key_moments,
    no_turn,
    reason,
    review,
    where_exact,
)
from zerosum.match import Match
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.chart_text import chart_text
from zerosum.protocol import Value
from zerosum.solver import solve_table
from zerosum.wording.words import words_of


@given(graphs() | mirrored(), st.data())
def test_review_is_exact_from_where_it_says(game: Graph | Mirrored, data: st.DataObject) -> None:
    match, naive = played(game, data), Naive(game)
    whole = review(solve_table(game), match.round)
    states, moves = match.round.states, match.round.moves
    for limit in range(1, reachable(game, game.initial()) + 1):
        found = review(Told(game, limit), match.round)
        begin = next((n for n, s in enumerate(states) if reachable(game, s) <= limit), len(states))
        assert found.exact_from == (begin + 1 if begin < len(moves) else None)
        assert found.moves[begin:] == whole.moves[begin:]
        assert found.history == (None,) * begin + whole.history[begin:]
        for move in found.moves[:begin]:
            assert move.verdict == ("only" if len(naive.after[states[move.ply - 1]]) == 1 else None)
            assert move.before is None
            assert move.best == ()
        late = [move for move in whole.moves[begin:] if not move.kept]
        assert found.turning_point == (late[-1].ply if late else None)
        for seat in (0, 1):
            counted = [m for m in whole.moves[begin:] if m.seat == seat and m.decision]
            assert found.decisions(seat) == (sum(m.kept for m in counted), len(counted))
        check_words(found, match, limit)


def check_words(found: Review, match: Match[Any], limit: int) -> None:
    """Whatever is said of a review is said without an error, and unknown is said to be so."""
    coach = Coach(Told(match.game, limit))
    for move in found.moves:
        assert not reason(coach, NAMES, match.round, move).startswith("None")
    for _, move in key_moments([found]):
        assert describe_moment(coach, NAMES, match.round, found, move)
    chart = Chart.reviewed(words_of(match.game), NAMES, match.round, found)
    unknown = None in found.history
    for text in (chart_text(chart), chart_text(chart, plain=True), chart_svg(chart)):
        assert ("unknown" in text) == unknown
    assert chart.turning_point == found.turning_point or (
        found.turning_point is not None and not chart.changes
    )
    assert bool(exactness(found)) == (found.exact_from != 1)
    if found.turning_point is None:
        assert (
            no_turn(NAMES, match.round, found).startswith("There was no turning point") != unknown
        )
    else:
        assert no_turn(NAMES, match.round, found) == ""


def test_review_with_slow_rules_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new(Claims())
    for move in CLAIMED:
        match = match.play(move)
    now = 0.0

    class Slow(Told):
        def is_exact(self, state: Any) -> bool:
            nonlocal now
            now += self.here.seconds or 0.0
            return False

        def proved(self, state: Any, share: float = 1.0) -> Any:
            nonlocal now
            now += 0.5
            return Value("draw")

    monkeypatch.setattr("zerosum.coach.review.monotonic", lambda: now)
    found = review(Slow(match.game, 5_000), match.round, 4.0)
    assert found.exact_from is None
    assert found.history[-1] == Value("draw")
    assert found.history[0] is None
    assert now < 5.0


def test_proofs_before_the_exact_part() -> None:
    game = zerosum.game(NOUGHTS)
    match = Match.new(game)
    for move in NOUGHTS_GAME:
        match = match.play(move)
    states = match.round.states
    whole = review(solve_table(game), match.round)
    proofs = {states[1]: "draw", states[2]: "win", states[3]: "loss"}
    found = review(Told(game, 90, proofs=proofs), match.round)
    assert found.exact_from == 5
    assert found.history == (None, Value("draw"), Value("win"), Value("win"), *whole.history[4:])
    assert exactness(found) == (
        "From move 5 on, every value is exact; before that, only 3 values are known."
    )
    assert [move.word for move in found.moves[:3]] == ["draws", "mistake", "wins"]
    assert found.turning_point == 2
    solution = Told(game, 90, proofs=proofs)
    ((_, moment),) = key_moments([found])
    assert describe_moment(Coach(solution), NAMES, match.round, found, moment) == [
        "Turning point: move 2. Bob played b1 and went from a draw to a loss (length unknown).",
        "Before the move – . . . / . X . / . . .; Ada's sign: X; Bob's sign: O",
    ]
    assert found.decisions(1) == review(Told(game, 90), match.round).decisions(1)


def test_sentences_where_no_move_is_exact() -> None:
    game = zerosum.game(NOUGHTS)
    match = Match.new(game).play("b2").play("a1")
    found = review(Told(game, 10), match.round)
    assert found.exact_from is None
    assert exactness(found) == "No move can be judged exactly: every value is unknown."
    assert no_turn(NAMES, match.round, found) == "Whether the game had a turning point is unknown."
    assert accuracies(NAMES, found) == []
    chart = Chart.reviewed(words_of(match.game), NAMES, match.round, found)
    assert chart.sentences() == [
        "The value is unknown up to move 2.",
        "Whether a move changed the result is unknown.",
    ]
    assert where_exact([found]) == "where values are exact"
    assert accuracy("Ada", 1, 1, where_exact([found])) == (
        "Ada got the only decision right where values are exact."
    )


def test_chart_breaks_off_where_values_are_unknown() -> None:
    win, loss = Value("win", 3), Value("loss", 2)
    chart = Chart([win, None, None, loss, None, loss], moves=[1, 2, 3, 4, 5], names=NAMES)
    assert chart.gaps == [range(1, 3), range(4, 5)]
    assert chart.changes == []
    assert chart.turning_point is None
    assert chart.sentences() == [
        "Start: win for Ada in 3.",
        "The value is unknown after moves 1 and 2.",
        "Move 3, Ada plays 3: win for Bob in 2.",
        "The value is unknown after move 4.",
        "Whether a move changed the result is unknown.",
        "After 5 moves: win for Bob in 2.",
    ]
    drawn = chart_svg(chart)
    assert '<path d="" class="turn"' in drawn
    assert "<title>Move 1, Ada plays 1: unknown</title>" in drawn
    assert "gap = unknown" in chart_text(chart)
    assert "Gap = unknown." in drawn
