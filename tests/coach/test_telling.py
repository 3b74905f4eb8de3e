"""A review in words: each verdict has a reason, and people are named, never addressed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import zerosum
from zerosum.coach.advice import Coach
from zerosum.coach.review import Review, review
from zerosum.coach.telling import MARKS, better, reason, shares, turning_point
from zerosum.match import Match
from zerosum.protocol import Move

NAMES = ("Ada", "Bob")
CROSSES = str(Path(__file__).parents[2] / "docs" / "examples" / "noughts_and_crosses.py")


def reviewed(
    name: str, moves: tuple[Move, ...], **options: Any
) -> tuple[Coach[Any], Match[Any], Review]:
    """Play a game, and review it."""
    match = Match.new(zerosum.game(name, **options), NAMES)
    for move in moves:
        match = match.play(move)
    coach = Coach(zerosum.solve(match.game))
    return coach, match, review(coach.solution, match.round)


def reasons(name: str, *moves: Move, **options: Any) -> list[tuple[str, str]]:
    """Play a game, and give the verdict and the reason of every move."""
    coach, match, found = reviewed(name, moves, **options)
    return [(move.verdict, reason(coach, NAMES, match.round, move)) for move in found.moves]


def test_every_verdict_has_its_reason() -> None:
    told = reasons("even-steven", 1, 1, start=16)
    assert told == [("best", "Nothing was better."), ("only", "There was no other move.")]
    told = reasons("even-steven", 1, start=14, subtract_two=True)
    assert told == [("good", "It still wins, but later than 2.")]
    verdict, why = reasons("even-steven", 2, start=16)[0]
    assert verdict == "blunder"
    assert why.startswith("After it: Bob plays 1: Subtract 1, leaving 7; Ada plays ")
    assert why.endswith("Better: 1: Subtract 1, leaving 15.")


def test_where_no_move_changes_the_result_that_is_the_reason() -> None:
    no_choice = "No move could change the result"
    assert reasons("dual-digits", 1)[0] == ("forced", f"{no_choice} (all moves lose).")
    options = {"start": 10, "subtract_two": True}
    assert reasons("even-steven", 2, **options) == [("forced", "It loses sooner than 1 or 3.")]
    longest = ("forced", f"{no_choice} (longest defence).")
    assert reasons("even-steven", 1, **options) == [longest]
    won = reasons("even-steven", 1, 1)[1]
    assert won == ("forced", "It still wins, but later than 2.")


def test_unknown_lengths_are_not_compared() -> None:
    assert reasons("divisor-duel", 1, start=10**40) == [("good", "It keeps the result.")]


def test_a_summary_names_the_turning_point_and_the_shares() -> None:
    coach, match, found = reviewed("even-steven", (1, 2, 1, 2, 1, 2, 1))
    assert turning_point(coach, NAMES, match.round, found) == [
        "Turning point: move 4. Bob played 2: Divide by 2, leaving 3, and went from a win in 5 to "
        "a loss in 4.",
        "After it: Ada plays 1: Subtract 1, leaving 2; Bob plays 1: Subtract 1, leaving 1; "
        "Ada plays 1: Subtract 1, leaving 0; and Ada has won.",
        "Better: 1: Subtract 1, leaving 5. Then: Ada plays 1: Subtract 1, leaving 4; "
        "Bob plays 2: Divide by 2, leaving 2; Ada plays 1: Subtract 1, leaving 1; "
        "Bob plays 1: Subtract 1, leaving 0; and Bob has won.",
        "To Bob: 6 is even. Leave your opponent an odd number from 5 up: 5.",
    ]
    assert [better(move) for move in found.moves if move.verdict == "blunder"] == ["1"]
    assert MARKS[found.moves[3].verdict] == "??"
    assert shares(NAMES, found) == [
        "Ada had no real choice this game.",
        "Bob: 0 of 1 good decisions (0%).",
    ]


def test_a_summary_of_a_drawn_game() -> None:
    coach, match, found = reviewed(CROSSES, ("b2", "a1", "a2", "c2", "c1", "a3", "b3", "b1", "c3"))
    assert match.score == (0.5, 0.5)
    assert turning_point(coach, NAMES, match.round, found) == [
        "There was no turning point: no move changed the result."
    ]
    coach, match, found = reviewed(CROSSES, ("b2", "b1"))
    told = turning_point(coach, NAMES, match.round, found)
    assert told[0] == ("Turning point: move 2. Bob played b1, and went from a draw to a loss in 6.")
    assert told[2].endswith("; and so on, to a draw.")
