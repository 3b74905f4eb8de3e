"""The document about gg-bench, made from the rows of an audit."""

import json
from pathlib import Path
from typing import get_args

import pytest
from tools.gg_bench import MEANING, Row, document, published_in

import zerosum
from tests.game_files import EXAMPLES
from zerosum.documents import to_dict
from zerosum.lab.audit.document import EnvironmentCode, FaultCode, TableCode


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


def test_every_fault_of_an_environment_has_a_meaning() -> None:
    codes = {code for kind in get_args(FaultCode) for code in get_args(kind)}
    assert {*get_args(TableCode), *get_args(EnvironmentCode)} <= set(MEANING) <= codes
