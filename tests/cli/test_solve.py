"""`zerosum solve`, `explain`, `starts` and `levels`."""

import csv
import io
import re
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

from tests.cli.support import document, helpful, run
from tests.game_files import COUNTDOWN, STICK
from zerosum.cli.commands import solve
from zerosum.cli.commands.lab import audit
from zerosum.coach.laws import discovery


def test_solve_shows_value_moves_line_and_theory(home: Path) -> None:
    done = run(home, "solve", "even-steven", "--moves", "1")
    assert "Even-Steven after −1: win in 7 for the player to move." in done.stdout
    assert "+ win in 7  fastest win" in done.stdout
    assert "The fastest win: ÷2, −1, −1, −1, ÷2, −1, −1\n" in done.stdout
    assert "Theory: " in done.stdout
    found = document(home, "solve", "even-steven", "--moves", "1", schema="solution")
    assert found["value"] == {"result": "win", "plies": 7, "endless": False}
    worth = {"result": "win", "endless": False, "verdict": "forced"}
    assert found["moves"] == [
        {"move": 1, "label": "Subtract 1, leaving 13", "plies": 9, "word": "wins later", **worth},
        {"move": 2, "label": "Divide by 2, leaving 7", "plies": 7, "word": "fastest win", **worth},
    ]
    over = document(home, "solve", "divisor-duel", "--moves", "8,4,2,1", schema="solution")
    assert over["value"] == {"result": "loss", "plies": 0, "endless": False}
    assert over["moves"] == []
    out = run(home, "solve", "divisor-duel", "--moves", "8,4,2,1").stdout
    assert out.endswith("The game is over: the player to move has lost.\n")


def test_solve_claims_no_more_than_is_known(home: Path) -> None:
    lost = run(home, "solve", "divisor-duel", "--start", "999999").stdout
    assert lost.startswith("Divisor Duel (start 999999): loss")
    won = run(home, "solve", "divisor-duel", "--start", "1000000").stdout
    assert "One line: " in lost
    assert "A winning line: " in won
    for out in (lost, won):
        assert "best" not in out.partition("Theory")[0].lower()
        assert "longest" not in out.lower()
    assert "The longest defence: −1, ÷2, −1" in run(home, "solve", "even-steven").stdout
    assert "A drawing line: " in run(home, "solve", "digit-battle", "--lives", "2").stdout


def test_solve_refuses_impossible_moves_options_and_sizes(home: Path) -> None:
    for args, message in (
        (
            ("--moves", "2"),
            "'--moves': move 1: Only an even number can be divided by 2. Legal now: 1.",
        ),
        (("--moves", "1,x"), "'--moves': move 2: 'x' is not a whole number."),
        (("--start", "0"), "'--start': must be a whole number of at least 1"),
        (("--memory", "64"), "--memory and --parts are for tables in parts: add --workers N."),
        (("--parts", "16"), "--memory and --parts are for tables in parts: add --workers N."),
    ):
        helpful(run(home, "solve", "even-steven", *args), 2, message)
    done = run(home, "explain", "digit-battle", "--positions", "100")
    helpful(done, 1, "Digit Battle has more than 100 positions", "--positions N")


def test_larger_table_is_advised_only_where_it_helps(home: Path) -> None:
    rules = (
        COUNTDOWN.replace("State(3, 0)", "State(10**20_000, 0)"),
        f"{COUNTDOWN}    def lists_all(self, state): return False\n",
    )
    for command, game, message in (
        ("puzzle", rules[0], "Countdown has more than "),
        ("explain", rules[1], "Not every move can be listed"),
    ):
        (home / "countdown.py").write_text(game)
        done = run(home, command, "./countdown.py")
        helpful(done, 1, message)
        assert "--positions" not in done.stderr


def test_more_time_is_advised_where_rules_are_slow(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((solve, "SHORT_PATIENCE"), (audit, "PATIENCE")):
        monkeypatch.setattr(module, name, 0.0)
    reason = "A table of Digit Battle was not finished within 0 seconds."
    more = "Add --positions N to remove the time limit."
    done = run(home, "solve", "digit-battle", "--seconds", "0")
    assert done.stderr == f"{reason} {more} Instead, a search tries to prove who wins.\n"
    audited = run(home, "audit", "digit-battle")
    assert reason in audited.stdout
    assert audited.stderr == f"{more}\nThe exit code is 1: the game was not solved.\n"


@pytest.mark.parametrize(
    "command",
    [
        ["solve", STICK, "--start", "2103"],
        ["check", STICK, "--start", "2103"],
        ["play", STICK, "--start", "2103", "--coach"],
        ["solve", "number-navigator", "--start", f"{10**400}"],
        ["starts", "number-navigator", "--from", f"{10**400}", "--to", f"{10**400 + 1}"],
    ],
    ids=lambda command: command[0],
)
def test_a_length_is_written_in_one_way(home: Path, command: list[str]) -> None:
    said = run(home, *command, typed="hint\nwhy\n1\nwhy\n")
    text = said.stdout + said.stderr
    assert not re.search(r"\b(in|within|after) \d{4,}\b|\b\d{4,} (moves|positions)", text)


def test_second_explanation_is_read_from_the_cache(home: Path) -> None:
    asked = ("explain", "digit-battle", "--lives", "2")
    first = run(home, *asked).stdout
    with patch("zerosum.cli.commands.explain.strategy", side_effect=AssertionError):
        assert run(home, *asked).stdout == first


def test_explain_shows_theory_and_on_request_a_map(home: Path) -> None:
    out = run(home, "explain", "dual-digits").stdout
    assert out.startswith("How to play Dual Digits well\n")
    assert "The multiples of 5 are lost" in out
    assert out.count(" in 10 ") == 1
    assert "map of values" not in out
    assert "Dual Digits: map of values" in run(home, "explain", "dual-digits", "--map").stdout
    explained = document(home, "explain", "dual-digits", schema="explanation")
    assert explained["theory"] == explained["advice"][0]
    plain = run(home, "explain", "even-steven", "--map", "--plain").stdout
    assert not set(plain) & set("│─●○")
    run(home, "explain", "even-steven", "--svg", "map.svg")
    assert ElementTree.parse(home / "map.svg").getroot().tag.endswith("svg")
    again = run(home, "explain", "even-steven", "--svg", "map.svg")
    helpful(again, 1, "map.svg already exists; not overwritten.")


def test_explain_tells_a_program_whether_it_looked_for_a_law(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theory = document(home, "explain", "even-steven", schema="explanation")
    none_found = document(home, "explain", "digit-battle", "--lives", "2", schema="explanation")
    monkeypatch.setattr(discovery, "LAW_POSITIONS", 5)
    too_large = document(home, "explain", "digit-battle", "--lives", "1", schema="explanation")
    explained = (theory, none_found, too_large)
    assert [each["searched"] for each in explained] == [False, True, False]
    assert [each["law"] for each in explained] == [None] * 3
    assert any("too many to look for a law" in line for line in too_large["advice"])


def test_starts_as_table_csv_and_json(home: Path) -> None:
    args = ("starts", "even-steven", "--from", "1", "--to", "5")
    expected = [(1, "win", 1), (2, "loss", 2), (3, "win", 3), (4, "win", 3), (5, "loss", 4)]
    rows = list(csv.reader(io.StringIO(run(home, *args, "--csv").stdout)))
    assert rows[0] == ["start", "result", "plies", "endless"]
    assert [(int(s), r, int(p)) for s, r, p, _ in rows[1:]] == expected
    listed = document(home, *args, schema="starts")["starts"]
    assert [(row["start"], row["result"], row["plies"]) for row in listed] == expected
    assert "second" in run(home, *args).stdout
    assert (
        len(document(home, "starts", "divisor-duel", "--to", "4", schema="starts")["starts"]) == 3
    )
    for wrong in (("--csv", "--json"), ("--from", "9", "--to", "2"), ("--to", "999999999")):
        assert run(home, *args, *wrong).returncode == 2
