"""Answers of any harness: read, judged, and turned into the chances of a table's edges."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
from zerosum.bulk import Table
from zerosum.errors import ZerosumError
from zerosum.lab.ids import read_id
from zerosum.lab.measure import measure_player
from zerosum.lab.measure.decisions import Decisions
from zerosum.lab.measure.sampling import Draws, estimate, estimate_slips, stratified
from zerosum.lab.models import (
    AnswerFile,
    ModelAnswer,
    answers_in,
    mark,
    questions_of,
    read_answers,
)
from zerosum.lab.models.answers import replies
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import SLIPS

DUAL = zerosum.game("dual-digits", start=12)
FIRST, SECOND, *OTHERS = questions_of(DUAL)


def written(folder: Path, *answers: Any) -> str:
    """Write answers to a file; one that is a string is a line as it is."""
    path = folder / "answers.jsonl"
    lines = (line if isinstance(line, str) else json.dumps(line) + "\n" for line in answers)
    path.write_text("".join(lines))
    return str(path)


def test_answers_are_the_chances_of_the_edges_of_a_table(tmp_path: Path) -> None:
    legal = [move.move for move in FIRST.moves]
    path = written(
        tmp_path,
        "\ufeff",  # as Windows begins a file
        {"id": FIRST.id, "text": f"Perhaps {legal[1]}.\nMOVE: {legal[0]}", "tokens": 7},
        "\n",
        {"id": SECOND.id, "move": int(SECOND.moves[0].move), "stratum": "ignored"},
        {"id": FIRST.id, "text": f"I choose {legal[0]}."},
        {"id": FIRST.id, "move": legal[1], "seconds": 0.5, "cost": 0.01},
        {"id": FIRST.id, "text": f"MOVE: {legal[0]}", "fault": "cut-off"},
    )
    table = Table(DUAL)
    answers = answers_in(table, read_answers(path))
    (first, second) = (
        table.index_of(DUAL.initial()._replace(**dict(zip(FIELDS, state, strict=True))))
        for state in (json.loads(question.id.partition("#")[2]) for question in (FIRST, SECOND))
    )
    begin, end = table.offsets[first : first + 2]
    chances = dict(zip(map(str, table.moves_of(first)), answers.chances[begin:end], strict=True))
    assert chances == {**dict.fromkeys(chances, 0), legal[0]: 0.25, legal[1]: 0.25}
    assert (answers.lost[first], answers.samples[first], answers.samples[second]) == (0.5, 4, 1)
    assert [kind for kind, _ in answers.faults[first]] == ["unreadable", "cut-off"]
    asked = answers.known & (answers.choices > 1)
    assert {*asked.nonzero()[0].tolist()} == {first, second}


def test_answers_to_all_questions_measure_as_the_player_does() -> None:
    def largest(game: Any, state: Any) -> Any:
        return max(game.moves(state))

    table = Table(DUAL)
    states = {question.id: read_id(question.id).state for question in questions_of(table)}
    given = [ModelAnswer(id=name, move=largest(DUAL, state)) for name, state in states.items()]
    found = mark(table, AnswerFile("a.jsonl", "model", tuple(given)))
    true = measure_player(table, policy_by(table, largest))
    assert found.good is not None is not true.good
    assert found.regret is not None is not true.regret
    assert found.slips is not None is not true.slips
    for mine, theirs in ((found.good, true.good), (found.regret, true.regret)):
        assert mine.value == pytest.approx(theirs.value)
        assert mine.low < theirs.value < mine.high  # one answer may have been drawn
    assert found.slips.value == pytest.approx(true.slips.value)
    assert (found.decisions, found.asked, found.random) == (len(given), len(given), true.random)
    assert found.errors[0].line == true.errors[0].line


def policy_by(table: Table[Any], choose: Any) -> Any:
    """Return the policy of a function that always plays the same move."""
    policy = np.zeros(len(table.targets))
    for index, state in enumerate(table.states):
        for edge, move in enumerate(table.moves_of(index), int(table.offsets[index])):
            policy[edge] = move == choose(table.game, state)
    return policy


@pytest.mark.parametrize("count", [8, 60])
def test_a_sample_counts_by_its_weights(count: int) -> None:
    table = Table(zerosum.game("digit-battle", lives=2))
    asked = questions_of(table, count=count, seed=3)
    given = tuple(ModelAnswer(id=question.id, move=question.moves[0].move) for question in asked)
    found = mark(table, AnswerFile("a.jsonl", "model", given))
    weight = sum(question.weight for question in asked)
    right = sum(question.weight * (question.moves[0].regret == 0) for question in asked)
    regret = sum(question.weight * question.moves[0].regret for question in asked)
    assert found.good is not None is not found.regret
    assert found.asked == count
    assert found.good.value == pytest.approx(right / weight)
    assert found.regret.value == pytest.approx(regret / weight)


def test_intervals_of_a_model_that_draws_hold_the_truth() -> None:
    """In at least 93 of 100 stratified samples, for one answer to each question."""
    level, count = "medium", 60
    table = Table(zerosum.game("dual-digits", start=60))
    decisions = Decisions(table)
    names, strata = decisions.strata, decisions.stratum_numbers
    chance = decisions.judge(level_policy(table, level), np.zeros(len(table))).good
    harm, held, rng = 1 - decisions.random.good, [0, 0], np.random.default_rng(1)
    for seed in range(300):
        drawn = np.zeros(len(decisions), bool)
        drawn[[number for number, _ in stratified(names, count, seed)]] = True
        right = (rng.random(len(chance)) < chance).astype(float)
        draws = Draws(drawn, drawn.astype(float), strata)
        good, slips = estimate(right, draws), estimate_slips(right, harm, draws)
        assert good is not None is not slips
        held[0] += good.low <= chance.mean() <= good.high
        held[1] += slips.low <= SLIPS[level] <= slips.high
    assert min(held) >= 279


def test_move_0_is_what_was_said() -> None:
    (reply,) = replies(DUAL, DUAL.initial(), [ModelAnswer(id="", move=0)])
    assert (reply.said, reply.kind) == ("0", "illegal")


FIELDS = type(DUAL.initial())._fields
WRONG: dict[str, list[Any]] = {
    "is empty": [],
    "Line 2 of": [{"id": FIRST.id, "move": 1}, '{"id": "dual-digits#', ""],
    r"Line 2 of .*: Expecting ',' delimiter \(character 11\)\.": [
        {"id": FIRST.id, "move": 1},
        '{"id": "a"',
        "",
    ],
    "Was the file written to its end?": ['{"id": "dual'],
    "missing required field 'id'": [{"move": 1}],
    'has neither "text" nor "move"': [{"id": FIRST.id, "answer": "MOVE: 1"}],
    "Expected 'int' >= 0": [{"id": FIRST.id, "move": 1, "tokens": -5}],
    "Expected 'float' <= ": ['{"id": "a", "move": 1, "cost": 1e99}'],
    "1e999 is too large": ['{"id": "a", "move": 1, "cost": 1e999}'],
    "is not the id of a question": [{"id": "17", "move": 1}],
    "did you mean dual-digits": [{"id": "dual-digit#[1,2,0]", "move": 1}],
    "does not end with a position": [{"id": "dual-digits?start=12#[1,2,0,4]", "move": 1}],
    "has no answers about this Dual Digits": [{"id": "dual-digits#[9,3,0]", "move": 1}],
    "cannot be reached": [{"id": "dual-digits?start=12#[99,3,0]", "move": 1}],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_with_a_file_is_said(sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path, *WRONG[sentence])
    with pytest.raises(ZerosumError, match=sentence.replace("?", r"\?")):
        answers_in(Table(DUAL), read_answers(path))
