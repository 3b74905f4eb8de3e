"""`zerosum review`."""

import json
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

from tests.cli.support import document, helpful, run
from zerosum.limits import NONE

SAMPLES = {"even-steven": "1,2,1,2,1,2,1", "number-navigator": "3,2,3,3,4,2,2,2,3,4,2,2,2"}


@pytest.mark.parametrize("name", ["even-steven", "number-navigator"])
def test_review_of_a_sample_game(home: Path, name: str) -> None:
    typed = "".join(f"{move}\n" for move in SAMPLES[name].split(","))
    match = json.loads(run(home, "play", name, "--json", typed=typed).stdout)
    whole = document(home, "review", match["id"], schema="review")
    assert whole["options"] == match["options"]
    found = whole["games"][0]
    assert [judged["move"] for judged in found["moves"]] == match["rounds"][0]["moves"]
    kept = ("best", "good", "only", "forced")
    for judged in found["moves"]:
        fall = ("loss", "draw", "win").index(judged["before"]["result"])
        fall -= ("loss", "draw", "win").index(judged["value"]["result"])
        assert judged["verdict"] in {0: kept, 1: ("mistake",), 2: ("blunder",)}[fall]
        assert judged["decision"] == (judged["verdict"] not in ("only", "forced"))
        # A move is counted like the position that it is made in.
        assert (judged["value"] == judged["before"]) == (judged["move"] in judged["best"])
    bad = [judged["ply"] for judged in found["moves"] if judged["verdict"] not in kept]
    assert found["turning_point"] == (bad[-1] if bad else None)
    out = run(home, "review", match["id"]).stdout
    assert ("Turning point: move" in out) == bool(bad)
    (home / "record.json").write_text(json.dumps(match))
    with patch("zerosum.coach.review.review", side_effect=AssertionError("it is kept")):
        assert run(home, "review", "record.json").stdout == out
    assert run(home, "review", "-", typed=json.dumps(match)).stdout == out
    assert run(home, "review", match["id"], "--svg", "c.svg").returncode == 0
    assert ElementTree.parse(home / "c.svg").getroot().tag.endswith("svg")


def test_a_review_without_a_time_limit_is_not_one_that_ran_out_of_time(home: Path) -> None:
    typed = "1\n2\nresign\n"
    match = json.loads(
        run(home, "play", "digit-battle", "--lives", "2", "--json", typed=typed).stdout
    )

    def exact_from(*limit: str) -> int | None:
        found = document(home, "review", match["id"], *limit, schema="review")["games"][0]
        return int(found["exact_from"]) if found["exact_from"] else None

    where = "zerosum.cli.commands.review"
    with patch(f"{where}.SHORT_PATIENCE", 0.0), patch(f"{where}.REVIEW_SECONDS", 0.0):
        assert exact_from() != 1
        assert exact_from("--positions", f"{NONE.positions}") == 1


def test_review_opens_with_accuracy_and_key_moments(home: Path) -> None:
    typed = "".join(f"{move}\n" for move in SAMPLES["even-steven"].split(","))
    run(home, "play", "even-steven", "--names", "Ada", "Bob", typed=typed)
    lines = run(home, "review").stdout.splitlines()
    assert lines[:7] == [
        "Even-Steven: Ada against Bob",
        "Ada won: the number is exactly zero.",
        "Ada had no real choice.",
        "Bob missed the only decision.",
        "",
        "Turning point: move 4. Bob played ÷2 → 3 and went from a win in 5 to a loss in 4.",
        "Before the move – Number: 6",
    ]


def test_series_is_reviewed_as_a_whole(home: Path) -> None:
    args = ("--start", "6", "--games", "2", "--names", "Ada", "Bob")
    run(home, "play", "even-steven", *args, typed="2\n1\n1\n1\n2\n1\n1\n1\n")
    out = run(home, "review").stdout
    assert out.startswith(
        "Even-Steven: Ada against Bob\n"
        "Final score: Ada 1, Bob 1.\n"
        "Ada missed the only decision.\n"
        "Bob missed the only decision.\n"
        "Game 1, move 1: Ada played ÷2 → 3, a blunder.\n"
        "Game 2, move 1: Bob played ÷2 → 3, a blunder.\n"
    )
    assert out.count("Turning point: move 1.") == 2
    found = document(home, "review", schema="review")
    assert [(moment["game"], moment["ply"]) for moment in found["key_moments"]] == [(1, 1), (2, 1)]
    assert "\n".join(found["key_moments"][0]["text"]) in out
    assert (found["good"], found["decisions"]) == ([0, 0], [1, 1])


def test_review_refuses_games_without_moves(home: Path) -> None:
    match = json.loads(run(home, "play", "even-steven", "--json", typed="1\n").stdout)
    empty = json.loads(run(home, "play", "even-steven", "--json").stdout)
    helpful(run(home, "review", "-", typed=json.dumps(empty)), 1, "nothing to review")
    assert run(home, "review", match["id"], "--number", "7").returncode == 2


def test_review_takes_the_latest_match_that_was_played_and_has_moves(home: Path) -> None:
    watch = ("play", "dual-digits", "--watch", "random", "random", "--seed", "1", "--quiet")
    run(home, *watch)
    assert json.loads(run(home, "review", "--json").stdout)["game"] == "dual-digits"
    run(home, "play", "even-steven", typed="1\n")
    run(home, *watch)
    run(home, "play", "divisor-duel", typed="resign\n")
    assert json.loads(run(home, "review", "--json").stdout)["game"] == "even-steven"
