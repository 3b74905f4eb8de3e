"""Suites: the same questions for everybody, and players of any kind measured on them."""

from functools import cache
from statistics import mean
from typing import Any

import msgspec
import pytest

import zerosum
from tests.game_files import EXAMPLES
from tests.solutions import once
from zerosum.bulk import Table
from zerosum.errors import NotSolved
from zerosum.lab.ids import read_id
from zerosum.lab.measure.exports import rows_of
from zerosum.lab.measure.far import FarTable
from zerosum.lab.measure.measuring import measured_answers
from zerosum.lab.models.questions import Question, to_line
from zerosum.lab.models.suites import SUITES, suite_hash, suite_named, suite_questions
from zerosum.players.levels import SLIPS
from zerosum.protocol import Game
from zerosum.solver.values import RANK
from zerosum.wording.words import words_of

ONE = suite_named("zerosum-1")
SIZES = suite_named("zerosum-sizes")


@cache
def asked(suite: str) -> list[Question]:
    """Write the questions of a suite once a run, as they are read from lines of JSON."""
    text = once(f"{suite}.jsonl", lambda: "\n".join(map(to_line, suite_questions(suite))))
    return [msgspec.json.decode(line, type=Question) for line in text.splitlines()]


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_never_changes(name: str) -> None:
    """If its rules or prompts have to change, it is another suite, with another name and hash."""
    assert suite_hash(asked(name)) == SUITES[name].hash


@pytest.mark.parametrize("name", SUITES)
def test_questions_of_a_suite_are_different(name: str) -> None:
    questions = asked(name)
    assert len({question.id for question in questions}) == len(questions)
    assert len({question.prompt_hash for question in questions}) == len(questions)


def test_the_hash_is_that_of_prompts_and_prices() -> None:
    first, *others = asked("zerosum-sizes")
    about: dict[str, Any] = {key: getattr(first, key) for key in first.__struct_fields__}
    for change in ({"prompt_hash": "0"}, {"moves": first.moves[1:]}, {"weight": 2.0}):
        changed = Question(**{**about, **change})
        assert suite_hash([changed, *others]) != SIZES.hash
    rules = Question(**{**about, "rules_hash": "0"})  # of their wording, which may improve
    assert suite_hash([rules, *others]) == SIZES.hash


def test_knowing_the_usual_games_by_heart_is_not_enough() -> None:
    """Most questions about a variant are not about the game with its usual options too."""
    assert len({type(part.game) for part in ONE.parts}) == 10
    assert len(asked("zerosum-1")) > 1000
    known: dict[str, list[bool]] = {}
    for question in asked("zerosum-1"):
        variant = question.id.partition("#")[0]
        known.setdefault(variant, []).append(is_known_by_heart(question))
    assert len(known) == len(ONE.parts)
    most = max(sum(each) / len(each) for each in known.values())
    assert most < 0.4
    every = [part for each in known.values() for part in each]
    shares = [
        1 if by_heart else question.difficulty
        for question, by_heart in zip(asked("zerosum-1"), every, strict=True)
    ]
    page = (EXAMPLES.parent / "models.md").read_text()
    assert f"{mean(every):.0%} of the questions" in page
    assert f"no variant more than {most:.0%}" in page
    assert f"be right in {mean(shares):.0%}" in page


def is_known_by_heart(question: Question) -> bool:
    """Whether the game with its usual options has the position, with the same moves right."""
    game, state = read_id(question.id)
    usual = usual_table(type(game))
    if usual is None:  # another board, where no position is the same
        return False
    try:
        index = usual.index_of(state)
    except NotSolved:
        return False
    edges = slice(*usual.offsets[index : index + 2].tolist())
    regrets = dict(zip(usual.moves_of(index), usual.regret[edges].tolist(), strict=True))
    right = {str(move) for move, regret in regrets.items() if not regret}
    return right == {move.move for move in question.moves if not move.regret}


@cache
def usual_table(kind: type[Game[Any]]) -> Table[Any] | None:
    usual = kind()
    board = words_of(usual).board(usual.initial())
    return Table(usual) if board is None else None


def test_sizes_reach_10_to_40_and_are_exact() -> None:
    starts = {question.options["start"] for question in asked("zerosum-sizes")}
    assert {10, 100, 10**40} < starts
    for question in asked("zerosum-sizes")[::40]:
        named = read_id(question.id)
        values = zerosum.solve(named.game).moves(named.state)
        best = max(RANK[value.result] for value in values.values())
        regrets = {str(move): best - RANK[value.result] for move, value in values.items()}
        assert regrets == {move.move: move.regret for move in question.moves}


@pytest.mark.parametrize("name", ["zerosum-1", "zerosum-sizes"])
def test_a_player_is_asked_exactly_the_questions_of_a_suite(name: str) -> None:
    for part in suite_named(name).parts[-2:]:
        states: list[Any] = []

        def last(game: Any, state: Any, states: list[Any] = states) -> Any:
            states.append(state)
            return game.moves(state)[-1]

        last.deterministic = True  # type: ignore[attr-defined]
        table = part.table
        measured = measured_answers(table, last, sample=part.sample(table))
        theirs = [q for q in asked(name) if read_id(q.id).game == part.game]
        assert {*states} == {read_id(question.id).state for question in theirs}
        weight = sum(question.weight for question in theirs)
        right = sum(q.weight * (q.moves[-1].regret == 0) for q in theirs)
        assert measured.measurement.good is not None
        assert measured.measurement.good.value == pytest.approx(right / weight)
        rows = list(rows_of(measured.answers, "last"))
        prices = {row.id.partition("#")[2]: row.regret for row in rows}
        assert prices == {q.id.partition("#")[2]: q.moves[-1].regret for q in theirs}


@pytest.mark.parametrize("level", ["random", "medium", "perfect"])
def test_a_level_slips_at_its_rate_where_there_is_no_table(level: str) -> None:
    table = SIZES.parts[9].table
    assert isinstance(table, FarTable)
    measured = measured_answers(table, level).measurement
    assert measured.slips is not None
    assert measured.slips.value == pytest.approx(SLIPS[level], abs=1e-6)
    assert (measured.positions, measured.left_out, measured.exact) == (None, "size", False)
