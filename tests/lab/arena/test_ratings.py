"""Ratings beside an independent computation, and what they cannot say."""

from itertools import combinations
from math import log10
from random import Random

import pytest

from zerosum.lab.arena.ratings import (
    DRAWN_SHARE,
    Meeting,
    fits_of,
    misfit_of,
    ratings_of,
)
from zerosum.lab.measure.sampling import Figure
from zerosum.players.levels import LEVELS


def exactly(score: float) -> Figure:
    return Figure(score, score, score)


def some_meetings(seed: int, names: list[str]) -> list[Meeting]:
    rng = Random(seed)
    scores = [rng.choice((0.0, 1.0, rng.random())) for _ in range(40)]
    pairs = [*combinations(names, 2)] * 2
    return [Meeting(*pair, exactly(score)) for pair, score in zip(pairs, scores, strict=False)]


def by_turns(meetings: list[Meeting], names: list[str]) -> dict[str, float]:
    """Zermelo's iteration: strengths follow from points and meetings, one after the other."""
    strength = dict.fromkeys(names, 1.0)
    points = dict.fromkeys(names, 0.0)
    for player, opponent, score in meetings:
        shrunk = (1 - DRAWN_SHARE) * score.value + DRAWN_SHARE / 2
        points[player] += shrunk
        points[opponent] += 1 - shrunk
    for _ in range(3000):
        for name in names:
            against = [
                two if one == name else one for one, two, _ in meetings if name in (one, two)
            ]
            weights = (1 / (strength[name] + strength[other]) for other in against)
            strength[name] = points[name] / sum(weights)
    return {name: 400 * log10(value) for name, value in strength.items()}


@pytest.mark.parametrize("seed", range(6))
def test_ratings_are_those_of_zermelos_iteration(seed: int) -> None:
    names = ["Ada", "Bob", "Cleo", "Dan", "Eve"]
    meetings = some_meetings(seed, names)
    found = ratings_of(meetings, LEVELS)
    expected = by_turns(meetings, names)
    mean = sum(expected.values()) / len(expected)
    assert found.anchors == ()
    for name in names:
        assert found.rating[name].value == pytest.approx(expected[name] - mean, abs=1e-6)
        assert found.rating[name].low == found.rating[name].high == found.rating[name].value


def test_two_players_are_as_far_apart_as_their_odds() -> None:
    for score in (0.0, 0.3, 0.9, 1.0):
        shrunk = 0.99 * score + 0.005
        rating = ratings_of([Meeting("random", "hard", exactly(score))], LEVELS).rating
        assert rating["random"].value == 0
        assert rating["hard"].value == pytest.approx(400 * log10((1 - shrunk) / shrunk))


def test_nobodys_presence_moves_the_levels() -> None:
    among = [Meeting(a, b, exactly(0.4)) for a, b in combinations(LEVELS, 2)]
    alone = ratings_of(among, LEVELS)
    strangers = [Meeting("Ada", level, exactly(0.9)) for level in LEVELS]
    strangers.append(Meeting("Bob", "Ada", exactly(1.0)))
    together = ratings_of(strangers + among, LEVELS)
    assert together.anchors == LEVELS
    assert {name: together.rating[name] for name in LEVELS} == alone.rating
    # Given the levels, the others are where the score that they have is the one expected.
    scored = [0.99 * m.score.value + 0.005 for m in strangers]
    expected = [together.expected(m.player, m.opponent) for m in strangers]
    assert sum(expected[:5]) - expected[5] == pytest.approx(sum(scored[:5]) - scored[5], abs=1e-9)
    assert expected[5] == pytest.approx(scored[5])


def test_noise_of_scores_is_that_of_the_ratings() -> None:
    def rated(score: float) -> float:
        meetings = [
            Meeting("easy", "random", exactly(0.7)),
            Meeting("Ada", "easy", exactly(score)),
            Meeting("Ada", "random", exactly(0.8)),
        ]
        return ratings_of(meetings, LEVELS).rating["Ada"].value

    meetings = [
        Meeting("easy", "random", exactly(0.7)),
        Meeting("Ada", "easy", Figure(0.6, 0.5, 0.9)),
        Meeting("Ada", "random", exactly(0.8)),
    ]
    ada = ratings_of(meetings, LEVELS).rating["Ada"]
    assert (ada.low, ada.high) == pytest.approx((rated(0.5), rated(0.9)))
    # The noise of several scores is independent: twice the same is √2 times as far.
    twice = [*meetings[:1], *meetings[1:] * 2]
    both = ratings_of(twice, LEVELS).rating["Ada"]
    assert both.value == pytest.approx(ada.value)
    assert both.low > ada.low
    once = ratings_of([*twice[:2], twice[2], exact_like(twice[3]), twice[4]], LEVELS).rating["Ada"]
    assert both.value - both.low == pytest.approx(2**0.5 * (once.value - once.low))


def exact_like(meeting: Meeting) -> Meeting:
    return meeting._replace(score=exactly(meeting.score.value))


def test_who_beats_whom_in_a_circle_is_said() -> None:
    scores = {("rock", "scissors"): 0.9, ("scissors", "paper"): 0.8, ("paper", "rock"): 0.7}
    meetings = [Meeting(*pair, exactly(score)) for pair, score in scores.items()]
    ratings = ratings_of(meetings, LEVELS)
    order = sorted(ratings.rating, key=lambda name: -ratings.rating[name].value)
    fits = fits_of(meetings, order, ratings)
    misfit = misfit_of(fits)
    assert misfit is not None
    # Rock's lost games are the fewest, and paper's the most: one game goes against that.
    assert order == ["rock", "scissors", "paper"]
    upsets = {(upset.player, upset.opponent): upset.score.value for upset in misfit.upsets}
    assert upsets == pytest.approx({("paper", "rock"): 0.7})
    assert misfit.cycles == (("rock", "scissors", "paper"),)
    seen = {(fit.player, fit.opponent): fit.residual for fit in fits}
    assert seen["rock", "paper"] == pytest.approx(0.3 - ratings.expected("rock", "paper"))
    squares = sum(residual**2 for residual in seen.values())
    assert misfit.unexplained == pytest.approx(squares / (0.4**2 + 0.3**2 + 0.2**2))


def test_a_score_that_may_be_half_or_is_shown_as_half_is_no_upset() -> None:
    sure, unsure, even = Figure(0.6, 0.51, 0.7), Figure(0.6, 0.49, 0.7), exactly(0.504)
    for figure, upsets in ((sure, 1), (unsure, 0), (even, 0)):
        meetings = [
            Meeting("hard", "random", exactly(0.9)),
            Meeting("Ada", "hard", figure),
            Meeting("Ada", "random", exactly(0.1)),
        ]
        ratings = ratings_of(meetings, LEVELS)
        misfit = misfit_of(fits_of(meetings, ["hard", "Ada", "random"], ratings))
        assert misfit is not None
        assert len([one for one in misfit.upsets if one.player == "Ada"]) == upsets


def test_means_count_every_game_alike() -> None:
    meetings = [Meeting("Ada", "Bob", exactly(1.0)), Meeting("Bob", "Ada", exactly(0.5))]
    (fit,) = fits_of(meetings, ["Ada", "Bob"], ratings_of(meetings, LEVELS))
    assert (fit.player, fit.score.value) == ("Ada", 0.75)
    assert fit.expected == pytest.approx(0.99 * 0.75 + 0.005)
    assert misfit_of(()) is None
