"""The leaderboard of the documents is what the arena says."""

import pytest
from tools.leaderboard import SUITE, board, one

from zerosum.lab.arena.arena import Arena
from zerosum.lab.arena.ratings import Meeting, fits_of, misfit_of, ratings_of
from zerosum.lab.ids import read_variant
from zerosum.lab.measure import measure_player
from zerosum.lab.models.suites import suite_named
from zerosum.players.levels import LEVELS

# Variants that are soon solved; the others would take a minute.
QUICK = ("even-steven?start=137", "examples/last_stick.py?start=31")


def test_levels_and_stubs_are_computed_again() -> None:
    games = [read_variant(name) for name in QUICK]
    again = Arena(games, LEVELS).run()
    kept = {(p.game, p.player, p.opponent): p for p in board().pairings}
    assert len(again.pairings) == 20
    for pairing in again.pairings:
        was = kept[pairing.game, pairing.player, pairing.opponent]
        assert was.score.value == pytest.approx(pairing.score.value)
        assert (was.first.wins, was.second.wins) == pytest.approx(
            (pairing.first.wins, pairing.second.wins)
        )
    judged = {(j.game, j.player): j for j in board().judgements}
    for name, game in zip(QUICK, games, strict=True):
        measured = measure_player(game, one)
        was_judged = judged[name, "always 1"]
        assert was_judged.right is not None
        assert measured.good is not None
        assert was_judged.right.value == pytest.approx(measured.good.value)
        assert was_judged.faults == {k: count for k, count in measured.faults.items() if count}


def test_ratings_follow_from_the_pairings() -> None:
    found = board()
    meetings = [Meeting(p.player, p.opponent, p.score) for p in found.pairings]
    ratings = ratings_of(meetings, LEVELS)
    for standing in found.standings:
        if standing.rating is not None:
            assert standing.rating.value == pytest.approx(ratings.rating[standing.player].value)
    order = [s.player for s in found.standings if s.rating is not None]
    fits = fits_of(meetings, sorted(order, key=lambda n: -ratings.rating[n].value), ratings)
    misfit = misfit_of(fits)
    assert misfit is not None
    assert found.misfit is not None
    assert misfit.unexplained == pytest.approx(found.misfit.unexplained)
    assert len(found.games) == len(suite_named(SUITE).parts)
    for about, part in zip(found.games, suite_named(SUITE).parts, strict=True):
        assert read_variant(about.id) == part.game


def test_everybody_is_there() -> None:
    kinds = {standing.player: standing.kind for standing in board().standings}
    assert set(LEVELS) <= set(kinds)
    assert sum(name.startswith("gg-bench ") for name in kinds) == 5
    assert kinds["learner"] == "function"
    assert kinds["stub model"] == "answers"
