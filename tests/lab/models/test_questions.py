"""Questions: exact regrets, ids that are enough, samples that stand for all decisions."""

import json
from statistics import mean
from typing import Any

import pytest

import zerosum
from tests.game_files import CONNECT_FOUR, NOUGHTS, PASS, STICK
from zerosum.bulk import Table
from zerosum.lab.ids import id_of, read_id
from zerosum.lab.models import Question, questions_of
from zerosum.lab.models.questions import to_line
from zerosum.registry import games
from zerosum.solver.values import RANK
from zerosum.states import walk

VARIANTS: dict[str, dict[str, Any]] = {
    "even-steven": {"start": 21, "subtract_two": True},
    "divisor-duel": {"start": 60},
    "dual-digits": {"start": 17, "numbers": (1, 3, 4, 6)},
    "number-navigator": {"start": 9},
    "digit-battle": {"lives": 2},
    STICK: {"start": 13},
    PASS: {"heaps": (1, 2, 3)},
    NOUGHTS: {},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_decision_is_a_question_with_the_regret_of_each_legal_move(name: str) -> None:
    game = zerosum.game(name, **VARIANTS[name])
    solution = zerosum.solve(game)
    questions = {question.id: question for question in questions_of(game)}
    for state in walk(game):
        values = solution.moves(state)
        ranks = {str(move): RANK[value.result] for move, value in values.items()}
        if len({*ranks.values()}) < 2:
            assert id_of(game, state) not in questions
            continue
        question = questions.pop(id_of(game, state))
        best = max(ranks.values())
        asked = {move.move: move.regret for move in question.moves}
        assert asked == {move: best - rank for move, rank in ranks.items()}
        value = solution.value(state)
        assert value is not None
        assert (question.value, question.plies) == (value.result, value.plies)
        assert question.difficulty == sum(not regret for regret in asked.values()) / len(asked)
        assert question.weight == 1
    assert not questions


@pytest.mark.parametrize("name", VARIANTS)
def test_an_id_alone_leads_back_to_the_position(name: str) -> None:
    game = zerosum.game(name, **VARIANTS[name])
    for state in walk(game, limit=50):
        found = read_id(id_of(game, state))
        assert (found.game, found.state) == (game, state)
        assert type(found.state) is type(state)


@pytest.mark.parametrize("seed", range(3))
def test_a_sample_has_every_kind_of_decision_and_its_weights_make_up_for_it(seed: int) -> None:
    table = Table(zerosum.game("digit-battle", lives=3))
    every = questions_of(table)
    sample = questions_of(table, count=60, seed=seed)
    assert len(sample) == 60
    for stratum in {question.stratum for question in every}:
        size = sum(question.stratum == stratum for question in every)
        weights = [question.weight for question in sample if question.stratum == stratum]
        assert sum(weights) == pytest.approx(size)
    assert sample == questions_of(table, count=60, seed=seed)
    assert sample != questions_of(table, count=60, seed=seed + 1)


@pytest.mark.parametrize(("count", "samples"), [(4, 200), (25, 50)])
def test_the_weighted_mean_of_samples_is_that_of_all_decisions(count: int, samples: int) -> None:
    game = zerosum.game("dual-digits", start=40)
    table = Table(game)
    every = questions_of(game)
    truth = mean(question.difficulty for question in every)
    found = [weighted(questions_of(table, count=count, seed=seed)) for seed in range(samples)]
    assert mean(found) == pytest.approx(truth, abs=0.01)


def weighted(questions: list[Question]) -> float:
    """Return the weighted mean of the share of right moves."""
    total = sum(question.weight for question in questions)
    return sum(question.weight * question.difficulty for question in questions) / total


@pytest.mark.parametrize("name", games()[:4])
def test_a_theory_stands_for_a_table_in_a_game_of_any_size(name: str) -> None:
    game = zerosum.game(name, start=10**12 if name == "divisor-duel" else 10**40)
    solution = zerosum.solve(game)
    questions = questions_of(game, count=5)
    assert questions
    for question in questions:
        state = read_id(question.id).state
        values = solution.moves(state)
        best = max(RANK[value.result] for value in values.values())
        for move in question.moves:
            assert best - RANK[values[int(move.move)].result] == move.regret


def test_a_line_is_json_that_a_terminal_does_not_obey() -> None:
    (question, *_) = questions_of(zerosum.game(CONNECT_FOUR, width=4, height=3), count=3)
    line = to_line(question)
    assert line.isprintable()
    assert list(json.loads(line)) == list(Question.__struct_fields__)


def test_games_without_decisions_have_no_questions() -> None:
    assert questions_of(zerosum.game("even-steven", start=1)) == []
    assert not Table(zerosum.game("even-steven", start=1)).critical.any()
