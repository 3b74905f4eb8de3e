from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from tests.solve.brute import brute
from zerosum.coach.advice import Coach
from zerosum.coach.puzzles import puzzles, sources
from zerosum.coach.review import review
from zerosum.match import Match
from zerosum.solve.solver import theory_of

RANK = {"loss": 0, "draw": 1, "win": 2}
FLIP = {"win": "loss", "loss": "win", "draw": "draw"}
SMALL: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {}),
    ("even-steven", {"start": 20, "subtract_two": True}),
    ("divisor-duel", {}),
    ("dual-digits", {}),
    ("dual-digits", {"start": 20, "numbers": (1, 3, 6)}),
    ("number-navigator", {"start": 9}),
    ("digit-battle", {"lives": 2}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_everything_the_coach_says_of_a_position_is_so(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    coach, truth = Coach(zerosum.solve(game)), brute(game)
    for state, (result, plies) in truth.items():
        told = coach.why(state)
        if game.outcome(state) is not None:
            assert told == ["The game is over."]
            continue
        if (result, plies) == ("loss", 1):
            assert told[0] == "You lose with this move, whichever it is."
        elif result == "draw":
            assert told[0].startswith("Neither side can force a win")
        else:
            moves = f"in {plies} {'move' if plies == 1 else 'moves'}"
            start = {"win": "You can force a win", "loss": "You lose"}[result]
            assert told[0].startswith(f"{start} {moves}")
        assert all(line.endswith((".", "!")) for line in told)
        assert bool(theory_of(game)) == (len(told) == 3)
        move = int(coach.hint(state).split()[1].rstrip(":"))
        assert FLIP[truth[game.play(state, move)][0]] == result


@settings(max_examples=60)
@given(st.sampled_from(SMALL), st.data())
def test_a_review_against_the_plainest_judgement(
    variant: tuple[str, dict[str, Any]], data: st.DataObject
) -> None:
    game = zerosum.game(variant[0], **variant[1])
    truth = brute(game)
    match = Match.new(game)
    while match.round.end is None and match.ply < 25:
        match = match.play(data.draw(st.sampled_from(game.moves(match.state))))
    found = review(zerosum.solve(game), match.round)
    last_gift = None
    for ply, move in enumerate(match.round.moves):
        state = match.round.states[ply]
        results = {m: FLIP[truth[game.play(state, m)][0]] for m in game.moves(state)}
        fall = RANK[truth[state][0]] - RANK[results[move]]
        one = found.moves[ply]
        assert (one.ply, one.seat, one.move) == (ply + 1, state.player, move)
        assert one.label in {0: ("best", "good"), 1: ("mistake",), 2: ("blunder",)}[fall]
        assert (one.label == "best") == (move in zerosum.solve(game).best(state))
        assert one.decision == (len(set(results.values())) > 1)
        last_gift = ply + 1 if fall else last_gift
    assert found.turning_point == last_gift
    for state, value in zip(match.round.states, found.history, strict=True):
        result = truth[state][0]
        assert value.result == (FLIP[result] if state.player else result)


@pytest.mark.parametrize("name", zerosum.games())
def test_a_puzzle_has_exactly_one_answer(name: str) -> None:
    for game in sources(name):
        truth = brute(game)
        for one in puzzles(zerosum.solve(game)):
            result = truth[one.state][0]
            after = {m: FLIP[truth[game.play(one.state, m)][0]] for m in game.moves(one.state)}
            assert [m for m, r in after.items() if RANK[r] >= RANK[result]] == [one.answer]
            assert result != "loss"
            assert one.missed["random"] == pytest.approx(1 - 1 / len(after))


def test_a_theory_of_ones_own(tmp_path: Path) -> None:
    source = (Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py").read_text()
    head = "from zerosum.game import Value\nclass Theory:\n"
    good = (
        "    def value(game, state):\n"
        "        lost = state.sticks % 4 == 1\n"
        "        return Value('loss' if lost else 'win', None)\n"
    )
    for number, (body, message) in enumerate(
        [
            (good, None),
            (good + "    def law(game): return 'Leave 1, 5, 9 and so on.'\n", None),
            ("    def value(game, state):\n        return 1 // 0\n", "theory.*ZeroDivisionError"),
            (
                "    def value(game, state):\n"
                "        return Value('win', None) if state.sticks == 11 else None\n",
                "does not cover",
            ),
        ]
    ):
        path = tmp_path / f"own{number}.py"
        path.write_text(f"{source}\n{head}{body}")
        game = zerosum.game(str(path))
        if message:
            with pytest.raises(zerosum.ZerosumError, match=message):
                zerosum.solve(game).moves(game.initial())
            continue
        coach = Coach(zerosum.solve(game))
        assert coach.solution.best(game.initial()) == (2,)
        assert coach.why(game.initial())[0] == "You can force a win."
