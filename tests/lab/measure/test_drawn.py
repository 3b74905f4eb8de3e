"""Players that draw their moves: their figures are estimates whose intervals hold the truth."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench.intervals import Draws, held

import zerosum
from tests.games import GAMES_FILE
from tests.lab.measure.players import always
from tests.lab.measure.test_measurement import written
from zerosum.bulk import Table, exploitability
from zerosum.errors import ZerosumError
from zerosum.lab.journal import open_journal
from zerosum.lab.measure import measure_player, measurement_svg
from zerosum.lab.measure.decisions import decisions_in
from zerosum.lab.measure.far import FarTable, far_decisions, far_theory
from zerosum.lab.measure.measurement import MoveChance
from zerosum.lab.measure.measurement_report import (
    asked_sentences,
    errors_heading,
    measurement_report,
    summary,
)
from zerosum.lab.measure.sampling import Figure
from zerosum.players import level_policy
from zerosum.players.asked import PlayerFailed
from zerosum.protocol import Game, Move
from zerosum.reports import to_text


@pytest.fixture(scope="module")
def small() -> Table[Any]:
    return Table(zerosum.game("divisor-duel", start=12))


def figures(measured: Any) -> list[Figure]:
    """List the figures of a measurement that have intervals."""
    regrets = [score.regret for score in measured.scores]
    scores = [figure for score in measured.scores for figure in score.figures]
    return [measured.good, measured.regret, measured.slips, *regrets, *scores]


def test_drawn_answers_give_estimates_and_nothing_is_called_exact() -> None:
    # `hard` in Number Navigator: when single draws were taken for its policy, exploitability was
    # 0.433 on average, and the score against perfect anything from 0 to 0.5.
    table = Table(zerosum.game("number-navigator"))
    true: Any = measure_player(table, "hard")
    assert true.scores[-1].overall == pytest.approx(0.388, abs=5e-4)
    assert true.worst.exploitability == pytest.approx(0.122, abs=5e-4)
    policy = level_policy(table, "hard")
    assert true.worst.exploitability == pytest.approx(exploitability(table, policy))
    found = measure_player(table, Draws(table, "hard"))
    for figure, truth in zip(figures(found), figures(true), strict=True):
        assert truth.low == truth.high
        assert figure.low - 1e-9 <= truth.value <= figure.high + 1e-9
        assert figure.low < figure.high or truth.value in (0, 1)
    assert (found.exact, found.answers, found.samples) == (False, "drawn", 10)
    assert found.replies == 10 * found.questions
    assert found.worst is None
    said = [to_text(measurement_report(found)), measurement_svg(found)]
    assert not any("exact" in text.lower() for text in said)
    assert " Estimated from 10 answers to each; 95% confidence interval: " in said[0]
    assert " positions, 10 times each: it may draw its moves.\n" in said[0]
    assert "Estimated score: 1 for a win, ½ for a draw\n" in said[0]
    assert "Exploitability is withheld: " in said[0]
    assert "best response  " not in said[0]
    assert "Estimated score: 1 for a win" in said[1]
    assert json.loads(written(found))["worst"] is None


def test_intervals_hold_the_truth(small: Table[Any]) -> None:
    true, tries = figures(measure_player(small, "medium")), 25
    hits = [0] * len(true)
    for seed in range(tries):
        found = figures(measure_player(small, Draws(small, "medium", seed)))
        for number, (figure, truth) in enumerate(zip(found, true, strict=True)):
            hits[number] += figure.low - 1e-9 <= truth.value <= figure.high + 1e-9
    # With a chance of 92%, fewer than 19 of 25 would be seen in less than 1 of 200 cases.
    assert min(hits) >= 19


def test_intervals_of_slip_rates_hold_the_truth(small: Table[Any]) -> None:
    # python -m bench.intervals does so with four games, five levels and 300 seeds.
    assert min(held(small, "medium", 3, 60)) >= 0.9


def test_more_answers_say_more_and_one_says_little(small: Table[Any]) -> None:
    def width(samples: int) -> list[float]:
        found = measure_player(small, Draws(small, "medium"), samples=samples)
        return [figure.high - figure.low for figure in figures(found)]

    one, ten, many = width(1), width(10), width(100)
    assert all(a >= b >= c for a, b, c in zip(one, ten, many, strict=True))
    assert 0.25 < many[0] / ten[0] < 0.4
    with pytest.raises(ZerosumError, match="samples: must be a whole number of at least 1, not 0"):
        measure_player(small, "medium", samples=0)


def test_stopped_measurement_draws_the_same(small: Table[Any], tmp_path: Path) -> None:
    whole = written(measure_player(small, Draws(small, "medium")))
    path = str(tmp_path / "journal")
    for most in (7, 35):
        stopped = Draws(small, "medium")
        stopped.left = most
        with open_journal(path) as journal, pytest.raises(PlayerFailed):
            measure_player(small, stopped, journal=journal)
    rest = Draws(small, "medium")
    with open_journal(path) as journal:
        assert written(measure_player(small, rest, journal=journal)) == whole
    assert 10**9 - rest.left == json.loads(whole)["replies"] - 42


def test_chances_and_determinism_are_exact() -> None:
    game = zerosum.game("dual-digits")

    def chances(game: Game[Any], state: Any) -> dict[Move, float]:
        return dict.fromkeys(game.moves(state), 1 / len(game.moves(state)))

    known = measure_player(game, chances)
    assert (known.answers, known.exact, known.replies) == ("chances", True, known.questions)
    once = measure_player(game, always(lambda game, state: max(game.moves(state))))
    assert (once.answers, once.exact, once.replies) == ("deterministic", True, once.questions)
    for found in (known, once):
        assert found.worst is not None
        assert all(figure.low == figure.high for figure in figures(found))
    assert summary(once).endswith(" Exact for these answers.")
    assert "these answers" not in summary(known)
    assert "Exact score for these answers" in measurement_svg(once)


def test_player_that_breaks_its_promise_is_found_out() -> None:
    game, rng = zerosum.game("dual-digits"), Random(3)
    found = measure_player(game, always(lambda game, state: rng.choice(game.moves(state))))
    assert found.contradiction is not None
    assert found.contradiction.first != found.contradiction.second
    assert (found.answers, found.exact, found.worst) == ("drawn", False, None)
    assert (
        " It declares that it is deterministic, but contradicts itself."
        in asked_sentences(found)[0]
    )
    document = json.loads(written(found))
    state = game.initial()
    for move in document["contradiction"]["line"]:
        state = game.play(state, move)
    assert document["contradiction"]["state"] == list(state)


def test_answers_that_are_faulty_now_and_then_lose_as_often() -> None:
    table: Table[Any] = Table(zerosum.game(f"{GAMES_FILE}:Sticks", start=4))  # 4 is won by taking 1

    class Stumbles(Draws):
        def ask(self, state: Any, sample: int, /) -> Move:
            stumbles = sample == 1 and state == self.game.initial()
            return 9 if stumbles else super().ask(state, sample)

    found: Any = measure_player(table, Stumbles(table, "perfect"), samples=4)
    assert found.faults["illegal"] == 1
    error = found.errors[0]
    assert (error.line, error.good, error.fault) == ((), 0.75, None)
    assert error.plays == (MoveChance(1, 0.75),)
    first = found.scores[-1].first
    assert (first.wins, first.losses) == pytest.approx((0.75, 0.25))
    assert first.low < 0.75 < first.high
    assert errors_heading(found) == "Where it errs first"
    written(found)


def test_games_that_would_be_endless_may_end_by_rare_moves() -> None:
    table = Table(zerosum.game("digit-battle", lives=1))  # perfect beats medium every time, at last
    found: Any = measure_player(table, Draws(table, "medium"))
    perfect = found.scores[-1]
    assert perfect.second.endless == 1  # with the moves that were drawn
    assert [figure.low for figure in perfect.figures] == [0, 0, 0]


def test_fewer_decisions_may_be_asked_about_than_were_drawn() -> None:
    game = zerosum.game("dual-digits", start=10**40)
    theory = far_theory(game)
    assert theory is not None
    table = FarTable(game, far_decisions(theory, count=9, seed=0))
    assert decisions_in(table, 4, seed=0) == table.decisions[:4]
    assert len(decisions_in(table, None, seed=0)) == 9
