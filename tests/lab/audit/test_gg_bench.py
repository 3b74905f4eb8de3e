"""The document about gg-bench, made from the rows of an audit."""

import json
from pathlib import Path
from typing import get_args

import pytest
from tools.gg_bench import MEANING, Row, document, main, published_in

import zerosum
from tests.game_files import EXAMPLES
from zerosum.documents import to_dict
from zerosum.lab.audit.document import EnvironmentCode, FaultCode, TableCode
from zerosum.lab.models import questions_of


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    games = (EXAMPLES / "countdown_env.py", EXAMPLES / "last_stick.py")
    audits = [to_dict(zerosum.audit_game(zerosum.game(str(game)))) for game in games]
    solved: list[Row] = [
        {"name": f"env_{number}", "status": "solved", "audit": audit}
        for number, audit in enumerate(audits, 1)
    ]
    unsolved = {"faults": [{"code": "stuck"}]}
    return [*solved, {"name": "env_10", "status": "time-limit", "audit": unsolved}]


def test_the_document_counts_what_was_found(rows: list[Row], tmp_path: Path) -> None:
    won = {"gpt_wins": 10, "agent_wins": 15, "draws": 5}
    scores = {"usage_tracker": {}, "1": won, "10": {**won, "gpt_wins": 30}}
    (tmp_path / "model-x_eval_1.json").write_text(json.dumps(scores))
    limits = {"cpu_seconds": 2, "positions": 1000}
    text = document({"limits": limits, "rows": rows}, published_in(tmp_path))
    assert "solved 2 exactly" in text
    assert "| time-limit: not solved within the time | 1 | 1 |" in text
    assert "| model-x | 46.7% |" in text  # (10/30 + 30/50) / 2
    assert "--seconds 2 --positions 1000" in text
    assert "no fault at all; of the others, 1 has at least one" in " ".join(text.split())


def test_what_was_written_by_hand_stays(rows: list[Row], tmp_path: Path) -> None:
    page, results = tmp_path / "gg-bench.md", tmp_path / "results.json"
    page.write_text("Old.\n\n<!-- large -->\n\nBy hand.\n\n<!-- /large -->\n")
    limits = {"cpu_seconds": 2, "positions": 1000}
    results.write_text(json.dumps({"limits": limits, "rows": rows}))
    scores = tmp_path / "scores"
    scores.mkdir()
    won = {"gpt_wins": 10, "agent_wins": 15, "draws": 5}
    (scores / "model-x_eval_1.json").write_text(json.dumps({"1": won}))
    main([str(results), str(scores), "--folder", str(tmp_path), "--replace"])
    text = page.read_text()
    assert "Old." not in text
    assert "\n\n<!-- large -->\n\nBy hand.\n\n<!-- /large -->\n\n## The env" in text


def test_the_part_about_questions_is_made_from_their_journal(tmp_path: Path) -> None:
    last_stick = zerosum.game(str(EXAMPLES / "last_stick.py"))
    asked = [to_dict(question) for question in questions_of(last_stick, count=3)]
    rows = [
        {"name": "env_3", "status": "solved", "questions": asked, "decisions": 14, "random": 0.34},
        {"name": "env_1", "status": "solved", "questions": [], "decisions": 0, "random": None},
        {"name": "env_2", "status": "time-limit", "questions": [], "decisions": 0, "random": None},
    ]
    journal, page = tmp_path / "journal", tmp_path / "gg-bench.md"
    lines = [{"journal": "questions"}, *({"key": row["name"], "row": row} for row in rows)]
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    page.write_text("Before.\n\n<!-- questions -->old<!-- /questions -->\n\nAfter.\n")
    main(["--questions", str(journal), "--folder", str(tmp_path)])
    text = page.read_text()
    assert text.startswith("Before.\n\n<!-- questions -->\n\n## gg-bench, exact")
    assert text.endswith("\n\n<!-- /questions -->\n\nAfter.\n")
    assert "| their decisions | 14 |\n| questions | 3 |" in text
    assert "right in 34.0% of decisions if every environment" in text
    assert "- questions (1): 3\n- no decision: all moves have the same result (1): 1\n" in text
    assert "- time-limit: not solved within the time (1): 2\n" in text


def test_every_fault_of_an_environment_has_a_meaning() -> None:
    codes = {code for kind in get_args(FaultCode) for code in get_args(kind)}
    assert {*get_args(TableCode), *get_args(EnvironmentCode)} <= set(MEANING) <= codes
