"""A review in words: each label has a reason, and each move a word before it is made."""

from __future__ import annotations

import zerosum
from zerosum.coach.advice import Coach
from zerosum.coach.review import review, verdicts
from zerosum.coach.telling import MARKS, better, reason, shares, turning_point
from zerosum.match import Match


def reasons(name: str, moves: tuple[int, ...], **options: int) -> list[tuple[str, str]]:
    """Play a game, and give the label and the reason of every move."""
    match = Match.new(zerosum.game(name, **options), ("Ada", "Bob"))
    for move in moves:
        match = match.play(move)
    coach = Coach(zerosum.solve(match.game))
    judged = review(coach.solution, match.round)
    return [(one.label, reason(coach, match.round, one)) for one in judged.moves]


def test_every_label_has_its_reason() -> None:
    told = reasons("even-steven", (1, 1, 1, 1, 2, 1, 1), start=16)
    assert told[0] == ("best", "Nothing was better.")
    assert told[1] == ("best", "There was no other move.")
    assert told[2][0] == "good"
    assert told[2][1].startswith("It still wins, but later than ")
    label, why = reasons("even-steven", (2,), start=16)[0]
    assert label == "blunder"
    assert why.startswith("After 2: divide by 2, leaving 8: they play ")
    assert why.endswith("Better: Play 1: subtract 1, leaving 15.")


def test_where_nothing_can_be_won_that_is_the_reason() -> None:
    assert reasons("dual-digits", (1,))[0] == ("best", "No move could change the result.")
    sooner = reasons("even-steven", (2,), start=10, subtract_two=True)
    assert sooner == [("good", "It loses, and sooner than 1 or 3.")]


def test_lengths_that_are_not_known_are_not_compared() -> None:
    told = reasons("divisor-duel", (1,), start=10**40)
    assert told == [("good", "It keeps the result.")]
    solution = zerosum.solve(zerosum.game("divisor-duel", start=10**40))
    words = {one.word for one in verdicts(solution, solution.game.initial()).values()}
    assert words == {"keeps the result", "blunder"}


def test_a_word_for_every_move() -> None:
    game = zerosum.game("even-steven", start=30, subtract_two=True)
    solution = zerosum.solve(game)
    words = set()
    state = game.initial()
    for move in (1, 1, 2, 1, 1, 1, 1, 1, 1):
        told = verdicts(solution, state)
        assert [move for move, one in told.items() if one.best] == list(solution.best(state))
        words |= {one.word for one in told.values()}
        state = game.play(state, move)
    assert words == {"best", "wins later", "loses sooner", "blunder"}


def test_the_summary_names_the_turning_point_and_the_shares() -> None:
    match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"))
    for move in (1, 2, 1, 2, 1, 2, 1):
        match = match.play(move)
    coach = Coach(zerosum.solve(match.game))
    judged = review(coach.solution, match.round)
    told = turning_point(coach, ("Ada", "Bob"), match.round, judged)
    assert told[0] == "Turning point: move 4. Bob played 2, from win in 5 to loss in 3."
    assert told[2].startswith("Better for Bob: Play 1")
    assert [better(one) for one in judged.moves if one.label == "blunder"] == ["1"]
    assert MARKS[judged.moves[3].label] == "??"
    assert shares(("Ada", "Bob"), judged) == [
        "Ada: never had anything to get wrong.",
        "Bob: 0 of 1 good decisions (0%).",
    ]
