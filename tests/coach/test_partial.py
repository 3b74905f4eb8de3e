"""The coach and the review of games too large for a table: exact, or called unknown."""

import re
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import NOUGHTS
from tests.games import after
from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.naive import RANK, Naive
from zerosum.coach.advice import Coach
from zerosum.coach.verdicts import BAD, judge
from zerosum.errors import MatchError, TooLarge, Unknown
from zerosum.limits import Limits
from zerosum.players.searching import EFFORTS, Effort
from zerosum.protocol import Value
from zerosum.solver import solve_table
from zerosum.solver.solution import Solution

NAMES = ("Ada", "Bob")
CLAIMED = (
    *("c3", "e3", "b1", "e2", "a5", "e4", "b4", "b3", "d5"),
    *("c4", "d3", "e1", "a4", "d1", "c2", "a2", "c1", "d4"),
)
NOUGHTS_GAME = ("b2", "b1", "a2", "c2", "a1", "c3", "a3")
NOTHING = Limits(nodes=0, seconds=None)


class Told(Solution[Any]):
    """A solution whose search proves what it is told, and nothing else."""

    def __init__(self, game: Any, limit: int, **proofs: Any) -> None:
        super().__init__(game, Limits(limit))
        self.proofs = proofs.get("proofs", {})

    def _proved(self, state: Any, budget: Limits) -> Any:
        return self.proofs.get(state)


@patch.dict(EFFORTS, hard=Effort(20, 2))
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
        if coach.solution.is_exact(state):
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
        assert standing == coach.solution.unknown(state) or top == (
            "win"
            if "You can force a win" in standing
            else "loss"
            if standing.startswith(("You lose", "Every move loses"))
            else "draw"
        )
        value = coach.solution.find(state)
        assert value in (None, Value(top), naive.values[state])
        if value is not None and value.plies is not None and value != Value("loss", 1):
            assert f" in {value.plies} move" in standing
        for move, judged in judge(coach.solution, state).items():
            assert judged.value is None or judged.value.result == truth[move].result
            fall = RANK[top] - RANK[truth[move].result]
            assert judged.verdict not in BAD or judged.verdict == BAD[fall - 1]
        assert coach.why(state) == [standing]
        assert coach.chances(state) == {}


def named(moves: Any, text: str) -> Any:
    """Find the move that a string names."""
    return next(move for move in moves if str(move) == text)


def test_sentences_of_the_coach() -> None:
    game = zerosum.game(NOUGHTS)
    state = after(game, "b2", "b1")
    then = {move: game.play(state, move) for move in game.moves(state)}

    def advice(**results: str) -> tuple[str, str]:
        proofs = {then[move]: result for move, result in results.items() if move in then}
        if "here" in results:
            proofs[state] = results["here"]
        coach = Coach(Told(game, 20, proofs=proofs))
        return coach.standing(state), coach.hint(state)

    nothing = "Too many positions follow to know who is winning."
    others = "The other moves are still unknown."
    level = "The hard level would play c1."
    assert advice() == (nothing, level)
    assert advice(a1="win", a3="win") == (nothing, f"a1 and a3 lose. {others} {level}")
    assert advice(a1="win", a3="draw") == (nothing, f"a1 loses. a3 draws. {others} {level}")
    assert advice(a1="win", c1="win") == (nothing, f"a1 and c1 lose. {others}")
    assert advice(a1="loss") == (
        "You can force a win, in an unknown number of moves.",
        "Play a1. It wins, in an unknown number of moves.",
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


def test_a_move_is_not_said_to_lose_because_a_later_look_proves_more() -> None:
    game: Any = graph((0, 1, 0), ((0, 1), (0, 1), ()), (1, 1, 0))
    ring: Any = graph((0, 1, 0, 1), ((1, 2), (0, 3), (1, 3), ()), (None, None, None, 1))
    for rules in (game, ring):
        naive = Naive(rules)
        for nodes, state in product(range(1, 8), naive.after):
            coach = Coach(Solution(rules, Limits(1), search=Limits(nodes=nodes, seconds=None)))
            wins = any(value.result != "loss" for value in naive.moves(state).values())
            for _ in range(3):
                assert not (wins and "Every move loses" in coach.hint(state))


def test_lists_of_moves_say_what_is_unknown() -> None:
    game = zerosum.game(NOUGHTS)
    state = game.initial()
    proofs = {game.play(state, "a1"): "loss", game.play(state, "b1"): "win"}
    coach = Coach(Told(game, 20, proofs=proofs))
    lost = "- b1: loss (length unknown)"
    others = "a2, a3, b2, b3, c1, c2, c3: unknown"
    assert coach.moves(state) == ["+ a1: win (length unknown)", lost, f"? {others}"]
    assert coach.moves(state, plain=True)[2] == f"Move {others}"
    assert coach.best(state) == "a1"
    with pytest.raises(Unknown):
        Coach(Told(game, 20)).best(state)
    with pytest.raises(TooLarge, match="Noughts and Crosses has more than 20 positions"):
        coach.solution.whole()
    assert coach.law is None
    assert coach.statement == ""


def test_coach_of_a_finished_game_says_that_it_is_over() -> None:
    game: Any = graph((0, 1, 0), ((1, 2), (2,), ()), (0, 0, 0))
    for solution in (Solution(game), Solution(game, Limits(1), here=Limits(seconds=0.0))):
        coach, end = Coach(solution), game.node(2)
        assert coach.standing(end) == coach.hint(end) == "The game is over."
        with pytest.raises(MatchError, match="The game is over"):
            coach.best(end)
