"""The coach and the review of games too large for a table: exact, or called unknown."""

from __future__ import annotations

import re
from itertools import product
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from tests.coach.test_review import played
from tests.game_files import CONNECT_FOUR, NOUGHTS
from tests.games import Claims
from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.naive import RANK, Naive
from tests.solver.test_knowledge import reachable
from zerosum.coach.advice import Coach
from zerosum.coach.partial import known_value
from zerosum.coach.review import (
    NO_TURN,
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
from zerosum.coach.verdicts import BAD, judge_partly
from zerosum.errors import MatchError, NotSolved, TooLarge, Unknown
from zerosum.match import Match
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.chart_text import chart_text
from zerosum.players.searching import EFFORTS, Effort
from zerosum.protocol import Game, Outcome, Value
from zerosum.solver import solve_table
from zerosum.solver.knowledge import Knowledge
from zerosum.solver.search import Budget

NAMES = ("Ada", "Bob")
CLAIMED = (
    *("c3", "e3", "b1", "e2", "a5", "e4", "b4", "b3", "d5"),
    *("c4", "d3", "e1", "a4", "d1", "c2", "a2", "c1", "d4"),
)
NOUGHTS_GAME = ("b2", "b1", "a2", "c2", "a1", "c3", "a3")
NOTHING = Budget(0, None)


class Told(Knowledge[Any]):
    """Knowledge whose search proves what it is told, and nothing else."""

    def __init__(self, game: Any, limit: int, **proofs: Any) -> None:
        super().__init__(game, limit)
        self.proofs = proofs.get("proofs", {})

    def _proved(self, state: Any, budget: Budget) -> Any:
        return self.proofs.get(state)


@patch.dict(EFFORTS, hard=Effort(20, 2))
@settings(max_examples=60)
@given(graphs() | mirrored(), st.integers(1, 8), st.data())
def test_advice_is_true_as_far_as_it_goes(
    game: Graph | Mirrored, limit: int, data: st.DataObject
) -> None:
    naive = Naive(game)
    proved = data.draw(st.sets(st.sampled_from(sorted(naive.after, key=repr))))
    proofs = {state: naive.values[state].result for state in proved}
    coach = Coach(Told(game, limit, proofs=proofs))
    exact = Coach(solve_table(game))
    for state in naive.after:
        if coach.knowledge.onward(state) is not None:
            assert coach.hint(state).split(".")[0] == exact.hint(state).split(".")[0]
            assert coach.standing(state) == exact.standing(state)
            continue
        truth, hint = naive.moves(state), coach.hint(state)
        top = max(truth.values(), key=lambda value: RANK[value.result]).result
        if match := re.match(r"Play (\w+).*?\. It (wins|keeps the draw)(?: in (\d+))?", hint):
            best = truth[named(truth, match[1])]
            assert (best.result, top) in (("win",) * 2, ("draw",) * 2)
            assert match[3] in (None, str(best.plies))
        if "Every move loses" in hint:
            assert top == "loss"
        standing = coach.standing(state)
        assert standing.startswith("The value of this position is not known") or top == (
            "win"
            if "You can force a win" in standing
            else "loss"
            if "You lose" in standing
            else "draw"
        )
        value = known_value(coach.knowledge, state)
        assert value in (None, Value(top), naive.values[state])
        assert value is None or value.plies is None or f" in {value.plies} move" in standing
        for move, judged in judge_partly(coach.knowledge, state).items():
            assert judged.value is None or judged.value.result == truth[move].result
            fall = RANK[top] - RANK[truth[move].result]
            assert judged.verdict not in BAD or judged.verdict == BAD[fall - 1]
        assert coach.why(state) == [standing]
        assert coach.chances(state) == {}


def named(moves: Any, text: str) -> Any:
    """Find the move that a text names."""
    return next(move for move in moves if str(move) == text)


def test_sentences_of_the_coach() -> None:
    game = zerosum.game(NOUGHTS)
    state = game.initial()
    for move in ("b2", "b1"):
        state = game.play(state, move)
    after = {move: game.play(state, move) for move in game.moves(state)}

    def advice(**results: str) -> tuple[str, str]:
        proofs = {after[move]: result for move, result in results.items() if move in after}
        if "here" in results:
            proofs[state] = results["here"]
        coach = Coach(Told(game, 20, proofs=proofs))
        return coach.standing(state), coach.hint(state)

    nothing = "The value of this position is not known yet: too many positions can follow it."
    others = "What the other moves are worth is not known yet."
    level = "The hard level might play c1."
    assert advice() == (nothing, f"{nothing} {level}")
    assert advice(a1="win", a3="win") == (nothing, f"a1 and a3 lose. {others} {level}")
    assert advice(a1="win", a3="draw") == (nothing, f"a1 loses. a3 draws. {others} {level}")
    assert advice(a1="win", c1="win") == (nothing, f"a1 and c1 lose. {others}")
    assert advice(a1="loss") == (
        "You can force a win; how many moves it takes is not known.",
        "Play a1. It wins; how many moves it takes is not known.",
    )
    losing = dict.fromkeys(("a1", "c1", "a2", "c2", "a3", "b3"), "win")
    assert advice(**losing) == (nothing, "Play c3. Every other move loses.")
    assert advice(**losing, c3="draw")[1] == "Play c3. It keeps the draw."
    assert advice(here="draw", a2="draw") == (
        "Neither side can force a win.",
        "Play a2. It keeps the draw.",
    )
    assert advice(here="loss") == (
        "You lose if your opponent plays well.",
        "Every move loses. Try a1.",
    )


def test_win_at_once_is_said_to_be_one_and_is_preferred() -> None:
    game = zerosum.game(CONNECT_FOUR)
    state = game.initial()
    for move in (3, 2, 3, 2, 3, 4):
        state = game.play(state, move)
    coach = Coach(Told(game, 20, proofs={game.play(state, 1): "loss"}))
    assert judge_partly(coach.knowledge, state)[1].value == Value("win")
    assert known_value(coach.knowledge, state) == Value("win", 1)
    assert coach.standing(state) == "You can force a win in 1 move."
    assert coach.hint(state) == "Play 3. It wins in 1 move."
    assert coach.best(state) == 3


def test_a_move_is_not_said_to_lose_because_a_later_look_proves_more() -> None:
    game: Any = graph((0, 1, 0), ((0, 1), (0, 1), ()), (1, 1, 0))
    ring: Any = graph((0, 1, 0, 1), ((1, 2), (0, 3), (1, 3), ()), (None, None, None, 1))
    for rules in (game, ring):
        naive = Naive(rules)
        for nodes, state in product(range(1, 8), naive.after):
            coach = Coach(Knowledge(rules, 1, budget=Budget(nodes, None)))
            wins = any(value.result != "loss" for value in naive.moves(state).values())
            for _ in range(3):
                assert not (wins and "Every move loses" in coach.hint(state))


def test_what_is_not_a_position_gets_no_hint() -> None:
    game = zerosum.game(NOUGHTS)
    for known in (Knowledge(game, 20), solve_table(game)):
        for state in (None, (5, 0), game.initial()._replace(player=7)):
            with pytest.raises(NotSolved):
                Coach(known).hint(state)


def test_lists_of_moves_say_what_is_unknown() -> None:
    game = zerosum.game(NOUGHTS)
    state = game.initial()
    proofs = {game.play(state, "a1"): "loss", game.play(state, "b1"): "win"}
    coach = Coach(Told(game, 20, proofs=proofs))
    assert coach.moves(state)[:3] == ["+ a1: win (length unknown)", *BLUNDER, "? c1: unknown"]
    assert coach.moves(state, plain=True)[2] == "Move c1: unknown"
    assert coach.best(state) == "a1"
    with pytest.raises(Unknown):
        Coach(Told(game, 20)).best(state)
    with pytest.raises(TooLarge, match="Noughts and Crosses has more than 20 positions"):
        _ = coach.solution
    assert coach.law is None
    assert coach.statement == ""


BLUNDER = ("- b1: loss (length unknown)",)


@settings(max_examples=50)
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
    chart = Chart.reviewed(NAMES, match.round, found)
    unknown = None in found.history
    for text in (chart_text(chart), chart_text(chart, plain=True), chart_svg(chart)):
        assert ("unknown" in text) == unknown
    assert chart.turning_point == found.turning_point or (
        found.turning_point is not None and not chart.changes
    )
    assert bool(exactness(found)) == (found.exact_from != 1)
    if found.turning_point is None:
        assert (no_turn(found) == NO_TURN) == (not unknown)
    else:
        assert no_turn(found) == ""


def test_review_with_slow_rules_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new(Claims())
    for move in CLAIMED:
        match = match.play(move)
    now = 0.0

    class Slow(Told):
        def onward(self, state: Any) -> Any:
            nonlocal now
            now += self.onward_seconds or 0.0
            return None

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


class Growth(NamedTuple):
    ply: int
    number: int
    player: int


class Swelling(Game[Growth]):
    """Twenty plies; in the middle of them, the number is so long that there is less room."""

    def initial(self) -> Growth:
        return Growth(0, 0, 0)

    def moves(self, state: Growth) -> tuple[int, ...]:
        return (0, 1, 2) if state.ply < 20 else ()

    def play(self, state: Growth, move: int) -> Growth:
        low, ply = (state.number + move) % 4, state.ply + 1
        return Growth(ply, low + (1 << 600) * (7 <= ply <= 13), 1 - state.player)

    def outcome(self, state: Growth) -> Outcome | None:
        return Outcome((0, 1, None, 0)[state.number % 4], "over") if state.ply == 20 else None


def test_review_of_numbers_that_grow_long_and_shrink() -> None:
    match = Match.new(Swelling())
    while match.round.end is None:
        match = match.play(1)
    whole = review(solve_table(match.game), match.round)
    for limit in (10, 58, 70, 88):
        found = review(Knowledge(match.game, 10, onward_limit=limit), match.round)
        begin = found.exact_from
        assert begin is not None
        assert found.moves[begin - 1 :] == whole.moves[begin - 1 :]


def test_coach_of_a_finished_game_says_that_it_is_over() -> None:
    game: Any = graph((0, 1, 0), ((1, 2), (2,), ()), (0, 0, 0))
    for knowledge in (Knowledge(game), Knowledge(game, limit=1, onward_seconds=0.0)):
        coach, end = Coach(knowledge), game.node(2)
        assert coach.standing(end) == coach.hint(end) == "The game is over."
        with pytest.raises(MatchError, match="The game is over"):
            coach.best(end)


def test_review_of_a_large_game_in_words() -> None:
    match = Match.new(Claims())
    for move in CLAIMED:
        match = match.play(move)
    found = review(Knowledge(match.game, 5000, budget=NOTHING), match.round)
    assert exactness(found) == "From move 17 on, every value is exact; before that it is unknown."
    assert no_turn(found) == "From move 17 on, no move changed the result."
    assert accuracies(NAMES, found) == [
        "Ada: no real choice from move 17 on.",
        "Bob: got the only decision right from move 17 on.",
    ]
    assert Chart.reviewed(NAMES, match.round, found).sentences() == [
        "The value is unknown up to move 15.",
        "Move 16, Bob plays a2: win for Bob in 2.",
        "From move 17 on, no move changed the result.",
        "After 18 moves: win for Bob, the game is over.",
    ]


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
    knowledge = Told(game, 90, proofs=proofs)
    ((_, moment),) = key_moments([found])
    assert describe_moment(Coach(knowledge), NAMES, match.round, found, moment) == [
        "Turning point: move 2. Bob played b1 and went from a draw to a loss (length unknown).",
        "Before the move – . . . / . X . / . . .",
    ]
    assert found.decisions(1) == review(Told(game, 90), match.round).decisions(1)


def test_sentences_where_no_move_is_exact() -> None:
    game = zerosum.game(NOUGHTS)
    match = Match.new(game).play("b2").play("a1")
    found = review(Told(game, 10), match.round)
    assert found.exact_from is None
    assert exactness(found) == "No move can be judged exactly: every value is unknown."
    assert no_turn(found) == "Whether the game had a turning point is unknown."
    assert accuracies(NAMES, found) == []
    chart = Chart.reviewed(NAMES, match.round, found)
    assert chart.sentences() == [
        "The value is unknown up to move 2.",
        "Whether a move changed the result is unknown.",
    ]
    assert where_exact([found]) == "where values are exact"
    assert accuracy("Ada", 1, 1, where_exact([found])) == (
        "Ada: got the only decision right where values are exact."
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
    path = re.search(r'<path d="(M[^"]*)" class="line"', drawn)
    assert path is not None
    assert path[1].count("M") == 3
    assert "<title>Move 1, Ada plays 1: unknown</title>" in drawn
    assert "gap = unknown" in chart_text(chart)
    assert "Gap = unknown." in drawn
