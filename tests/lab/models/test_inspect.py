"""The tasks of Inspect, end to end: scores, faults, whole games, wrong arguments."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import zerosum
from tests.cli.support import run
from tests.lab.models.inspect_stubs import FAULTS, FEW
from tests.solutions import once, tables
from zerosum.bulk import Table
from zerosum.errors import ZerosumError
from zerosum.lab.measure import measure_player
from zerosum.lab.models import answers_in, mark, read_answers
from zerosum.lab.models.suites import SUITES, suite_questions
from zerosum.players.levels import SLIPS

DUAL = zerosum.game("dual-digits")


@pytest.fixture(scope="module")
def runs() -> Any:
    """Run the tasks once a run, in a process whose streams are no concern of other tests."""

    def make() -> str:
        folder = Path(tables(), "inspect")
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-m", "tests.lab.models.inspect_runs", str(folder)],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()[-2000:]
        return done.stdout.decode().splitlines()[-1]

    return json.loads(once("inspect.json", make))


def test_a_known_policy_has_its_exact_share_of_right_decisions(runs: Any) -> None:
    def largest(game: Any, state: Any) -> Any:
        return max(game.moves(state))

    largest.deterministic = True  # type: ignore[attr-defined]
    shown, samples = runs["largest"]["metrics"], runs["largest"]["samples"]
    measured = measure_player(DUAL, largest)
    assert measured.good is not None
    assert measured.regret is not None
    assert measured.decisions == len(samples) == 103
    assert shown["right"]["weighted_mean"] == pytest.approx(measured.good.value)
    assert shown["regret"]["weighted_mean"] == pytest.approx(measured.regret.value)
    bands = {
        f"by_difficulty_up to {100 * band.up_to:.0f}% right": band.good.value
        for band in measured.difficulty
        if band.good
    }
    assert bands.items() <= shown["right"].items()
    phases = {f"by_phase_{phase}" for phase in ("early", "middle", "late")}
    assert phases | {f"{phase} stderr" for phase in phases} < {*shown["right"]}
    assert 0 < shown["right"]["weighted_stderr"] < shown["right"]["by_phase_early stderr"] < 0.2


def test_every_fault_counts_apart_and_costs_the_result(runs: Any) -> None:
    samples = runs["faults"]["samples"]
    assert {sample["said"] for sample in samples} == {*FAULTS}
    for sample in samples:
        scores = dict(sample["scores"])
        # Dual Digits has no draws.
        assert (scores.pop("right"), scores.pop("regret")) == (0, 2)
        assert scores == {**dict.fromkeys(scores, 0), FAULTS[sample["said"]]: 1}


def test_epochs_are_samples_of_the_same_questions(runs: Any) -> None:
    shown = runs["drawn"]["metrics"]["right"]["weighted_mean"]
    assert shown == pytest.approx(runs["share drawn right"])
    assert 0 < shown < 1


def test_a_model_that_plays_as_hard_slips_as_rarely(runs: Any) -> None:
    found = mark(Table(zerosum.game("dual-digits", start=12)), read_answers(runs["hard"]["log"]))
    assert found.good is not None is not found.slips
    assert found.good.value == pytest.approx(runs["share held"])
    assert found.slips.low <= SLIPS["hard"] <= found.slips.high
    assert found.slips.high < 0.5
    assert not sum(found.faults.values())


def test_a_log_has_the_answers_as_a_table_does(runs: Any) -> None:
    table = Table(zerosum.game("dual-digits", start=8))
    file = read_answers(runs["drawn"]["log"])
    assert (file.name, file.notes) == ("mockllm/model", ())
    assert {answer.tokens for answer in file.answers} == {5}
    assert all(answer.prompt_hash and answer.seconds for answer in file.answers)
    answers = answers_in(table, file)
    decisions = np.flatnonzero(table.critical)
    assert set(answers.samples[decisions]) == {3}
    kept = (answers.chances * (table.regret == 0) * table.critical[table.sources]).sum()
    assert kept / len(decisions) == pytest.approx(runs["share drawn right"])


def test_a_log_is_measured_like_any_player(runs: Any, tmp_path: Path) -> None:
    done = run(tmp_path, "measure", runs["largest"]["log"], "--json", "--svg", "out.svg")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["good"]["value"] == pytest.approx(
        runs["largest"]["metrics"]["right"]["weighted_mean"]
    )
    assert (found["player"], found["decisions"], found["asked"]) == ("mockllm/model", 103, 103)
    assert found["spent"]["tokens"] == 5 * 103
    assert found["hashes"]["prompt"]
    assert "mockllm/model plays Dual Digits" in (tmp_path / "out.svg").read_text()


def test_a_log_with_impossible_figures_is_refused(runs: Any, tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log

    def refused(words: str) -> None:
        write_eval_log(log, str(tmp_path / "odd.json"))
        with pytest.raises(ZerosumError, match=words):
            read_answers(str(tmp_path / "odd.json"))

    log = read_eval_log(runs["drawn"]["log"])
    (sample, *_) = log.samples or []
    about = dict(sample.metadata)
    sample.metadata["prompt_version"] = "x"
    refused("Expected 'int")
    sample.metadata = {**about, "prompt_hash": [1]}
    refused("Expected 'str")
    sample.metadata = about
    for seconds in (-1.0, 1e300, float("inf")):
        sample.working_time = seconds
        refused("Expected 'float'")
    sample.working_time = float("nan")
    refused("not a number")


def test_faults_in_a_log_keep_their_kinds(runs: Any) -> None:
    answers = answers_in(Table(DUAL), read_answers(runs["faults"]["log"]))
    kinds = {kind.replace("-", "_") for listed in answers.faults.values() for kind, _ in listed}
    assert kinds == {*FAULTS.values()}


def test_errors_of_the_harness_are_no_answers(runs: Any) -> None:
    file, samples = read_answers(runs["down"]["log"]), runs["down"]["samples"]
    down = sum(sample["scores"] is None for sample in samples)
    assert 0 < down < len(samples)
    assert len(file.answers) == len(samples) - down
    (note,) = file.notes
    assert f"{down} samples without an answer" in note
    answers = answers_in(Table(zerosum.game("dual-digits", start=9)), file)
    assert not answers.faults


def test_a_log_of_matches_has_no_answers_to_questions(runs: Any) -> None:
    with pytest.raises(ZerosumError, match="Only those of zerosum/decisions"):
        read_answers(runs["perfect"]["log"])


def test_a_suite_is_a_task(runs: Any) -> None:
    with patch.dict(SUITES, FEW):
        asked = suite_questions("zerosum-sizes")
    assert runs["suite"] == [question.id for question in asked] != []


def test_rules_may_be_the_text_of_a_file(runs: Any) -> None:
    assert "You win by taking a biscuit." in runs["prose"]
    assert "# Dual Digits" not in runs["prose"]


def test_a_perfect_model_wins_from_the_seat_that_can_win(runs: Any) -> None:
    shown = runs["perfect"]["metrics"]
    assert shown["points"]["by_seat_second"] == 1
    assert shown["regret"]["mean"] == shown["forfeit"]["mean"] == 0
    games = [[sample["moves"] for sample in runs[name]["samples"]] for name in ("perfect", "again")]
    assert len(games[0]) == 6
    assert games[0] == games[1]


def test_a_game_is_forfeited_only_after_the_retries(runs: Any) -> None:
    shown = {name: metrics["mean"] for name, metrics in runs["stubborn"]["metrics"].items()}
    assert (shown["points"], shown["forfeit"], shown["illegal"]) == (0, 1, 3)


def test_wrong_arguments_are_refused_in_a_sentence(runs: Any) -> None:
    named, least, option, suite = runs["refusals"]
    assert "zerosum-1 has no options: its questions are always the same" in suite
    assert "did you mean dual-digits" in named
    assert "must be a whole number of at least 1" in least
    assert "did you mean start" in option
