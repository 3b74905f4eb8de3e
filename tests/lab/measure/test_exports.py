"""Rows: every answer with its price, for every kind of player."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import run

GAME = ("dual-digits", "--start", "9")


def rows_from(home: Path, *words: str) -> list[dict[str, Any]]:
    """Measure a player, and return its rows."""
    done = run(home, "measure", *words, *GAME, "--rows", "rows.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    lines = (home / "rows.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    measured = json.loads(done.stdout)
    decisions = [row for row in rows if row["decision"]]
    # A mean over the answers to each decision, and then over decisions.
    of_each: dict[str, list[float]] = {}
    for row in decisions:
        of_each.setdefault(row["id"], []).append(row["right"])
    means = [sum(right) / len(right) for right in of_each.values()]
    assert sum(means) / len(means) == pytest.approx(measured["good"]["value"])
    assert len(of_each) == measured["decisions"]
    return rows


def test_rows_of_a_level_have_its_chances(tmp_path: Path) -> None:
    for row in rows_from(tmp_path, "medium"):
        assert sum(part["chance"] for part in row["moves"]) == pytest.approx(1)
        assert (row["answer"], row["seconds"], row["move"]) == (None, None, None)


def test_rows_of_a_function_have_what_it_said_and_took(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def choose(game, state):\n    return 9 if state.number == 5 else game.moves(state)[0]\n"
    )
    rows = rows_from(tmp_path, str(tmp_path / "mine.py:choose"), "--samples", "2")
    assert {row["sample"] for row in rows} == {1, 2}
    faulty = [row for row in rows if row["fault"]]
    assert faulty
    for row in rows:
        assert row["seconds"] >= 0
        number = json.loads(row["id"].partition("#")[2])[0]
        if row in faulty:
            assert (number, row["fault"], row["answer"], row["move"]) == (5, "illegal", "9", None)
            assert row["right"] == 0
        else:
            assert row["answer"] == str(row["move"])
    taken = run(tmp_path, "measure", "easy", *GAME, "--rows", "rows.jsonl")
    assert taken.returncode == 1
    assert "rows.jsonl already exists; not overwritten" in taken.stderr


def test_rows_of_answers_have_their_texts_and_tokens(tmp_path: Path) -> None:
    run(tmp_path, "questions", *GAME, "--out", "questions.jsonl")
    lines = (tmp_path / "questions.jsonl").read_text().splitlines()
    asked = [json.loads(line) for line in lines]
    answers = [
        {"id": q["id"], "text": f"So:\nMOVE: {q['moves'][0]['move']}", "tokens": 4, "seconds": 0.5}
        | {"prompt_hash": q["prompt_hash"]}
        for q in asked
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(a) + "\n" for a in answers))
    rows = rows_from(tmp_path, "--answers", "answers.jsonl")
    told = {row["id"]: (row["answer"], row["prompt_hash"], row["regret"]) for row in rows}
    assert told == {
        q["id"]: (a["text"], q["prompt_hash"], q["moves"][0]["regret"])
        for q, a in zip(asked, answers, strict=True)
    }
    assert {(row["tokens"], row["seconds"], row["cost"]) for row in rows} == {(4, 0.5, None)}
