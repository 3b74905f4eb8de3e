"""history, show, stats, export, import, games, rules: what they print, for people and programs."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.helpers import Terminal, run


def document(home: Path, *args: str, schema: str, typed: str = "") -> Any:
    done = run(home, *args, typed=typed)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    jsonschema.validate(
        loaded, json.loads((files("zerosum") / "schemas" / f"{schema}.json").read_text())
    )
    return loaded


def played(home: Path, *args: str, typed: str) -> str:
    return str(document(home, "play", *args, "--json", schema="match", typed=typed)["id"])


def test_games_and_rules(home: Path) -> None:
    games = document(home, "games", "--json", schema="games")["games"]
    assert [game["name"] for game in games] == [
        "even-steven", "divisor-duel", "dual-digits", "number-navigator", "digit-battle",
    ]  # fmt: skip
    assert games[0]["options"][0] == {
        "name": "start", "kind": "number", "default": 15, "least": 1, "most": None, "choices": [],
        "help": "the shared number at the start",
    }  # fmt: skip
    assert {option["name"]: option["default"] for option in games[4]["options"]} == {
        "start": 0, "lives": 10, "target": 15, "limit": 20, "negative_penalty": 1,
        "target_penalty": 3, "limit_penalty": 2, "target_reset": 0, "limit_reset": 10,
    }  # fmt: skip
    listed = run(home, "games", "--plain").stdout
    assert (
        "Option: --start. Default: 15. What it is: the shared number at the start, from 1 up."
        in (listed)
    )
    rules = document(home, "rules", "dual-digits", "--json", schema="rules")
    assert rules["title"] == "Dual Digits"
    assert run(home, "rules", "dual-digits").stdout == rules["text"]
    plain = run(home, "rules", "dual-digits", "--plain").stdout
    assert "Your turn:" in plain
    assert not set(plain) & set("#`*")


def test_an_empty_history(home: Path) -> None:
    assert document(home, "history", "--json", schema="history")["matches"] == []
    assert document(home, "stats", "--json", schema="stats")["games"] == []
    assert "No matches yet" in run(home, "history").stderr
    assert list(home.iterdir()) == []  # looking leaves nothing behind
    assert run(home, "resume").returncode == 1
    assert run(home, "show", "abc").returncode == 1


def test_history_show_and_stats(home: Path) -> None:
    names = ("--names", "Ada", "Bob")
    won = played(home, "even-steven", "--start", "2", *names, typed="1\n1\n")
    series = played(
        home, "even-steven", "--start", "1", "--games", "2", *names, typed="1\nresign\n"
    )
    off = played(home, "digit-battle", typed="5\ndraw\ny\n")
    left = played(home, "dual-digits", *names, typed="4\n")
    matches = document(home, "history", "--json", schema="history")["matches"]
    assert [match["id"] for match in matches] == [left, off, series, won]
    assert [match["score"] for match in matches] == [[0, 0], [0.5, 0.5], [2, 0], [0, 1]]
    assert [match["over"] for match in matches] == [False, True, True, True]
    unfinished = document(home, "history", "--unfinished", "--json", schema="history")
    assert [match["id"] for match in unfinished["matches"]] == [left]
    some = document(
        home, "history", "--game", "even-steven", "--most", "1", "--json", schema="history"
    )
    assert [match["id"] for match in some["matches"]] == [series]
    text = run(home, "history").stdout
    for said in ("unfinished, 1 move", "draw\n", "Ada won, 2 to 0", "Bob won"):
        assert said in text
    stats = document(home, "stats", "--json", schema="stats")
    assert stats["games"] == [
        {"game": "digit-battle", "games": 1, "first": 0, "second": 0, "draws": 1},
        {"game": "even-steven", "games": 3, "first": 1, "second": 2, "draws": 0},
    ]
    assert stats["players"][:2] == [
        {"name": "Ada", "games": 3, "wins": 2, "draws": 0},
        {"name": "Bob", "games": 3, "wins": 1, "draws": 0},
    ]
    assert {"name": "Player 1", "games": 1, "wins": 0, "draws": 1} in stats["players"]
    assert "Won moving second  Drawn" in run(home, "stats").stdout
    shown = run(home, "show", won).stdout
    assert "Ada subtracts 1.\nNew Number: 1\n" in shown
    assert shown.endswith("Bob won: the number is exactly zero.\n")
    assert run(home, "show", off).stdout.endswith("\nDraw: both players agreed.\n")
    assert "Game 2 of 2." in run(home, "show", series).stdout
    assert "Unfinished. Resume with: " in run(home, "show", left).stdout
    assert document(home, "show", won, "--json", schema="match")["rounds"][0]["moves"] == [1, 1]


def test_a_record_goes_out_and_comes_back(home: Path) -> None:
    match = played(home, "dual-digits", typed="4\n3\nquit\n")
    record = document(home, "export", match, schema="match")
    assert record["rounds"][0]["moves"] == [4, 3]
    assert run(home, "export", match, "-o", "match.json").returncode == 0
    assert json.loads((home / "match.json").read_text()) == record
    again = run(home, "export", match, "-o", "match.json")
    assert again.returncode == 1
    assert "match.json already exists; not overwritten." in again.stderr
    other = ("--db", "other.db")
    taken = document(home, "import", "match.json", *other, "--json", schema="import")
    assert taken == {"format": "zerosum-import", "version": 1, "id": match, "new": True}
    taken = document(home, "import", "match.json", *other, "--json", schema="import")
    assert not taken["new"]
    back = document(home, "export", match, *other, schema="match")
    assert {**back, "updated": ""} == {**record, "updated": ""}
    # A record that shares the id of another match does not overwrite it.
    record["rounds"][0]["moves"] = [4]
    taken = document(
        home, "import", "-", *other, "--json", schema="import", typed=json.dumps(record)
    )
    assert taken["new"]
    assert taken["id"] != match
    assert document(home, "export", match, *other, schema="match")["rounds"][0]["moves"] == [4, 3]


def test_a_record_of_a_users_own_game_names_its_file(home: Path) -> None:
    source = (Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py").read_text()
    (home / "last_stick.py").write_text(source)
    match = played(home, "./last_stick.py", typed="1\nquit\n")
    assert run(home, "export", match, "-o", "m.json").returncode == 0
    done = run(home, "import", "m.json", "--db", "other.db")
    assert done.returncode == 1
    assert "--game" in done.stderr
    done = run(home, "import", "m.json", "--db", "other.db", "--game", "./last_stick.py")
    assert done.returncode == 0, done.stderr
    assert "Imported" in done.stdout


def test_a_table_on_a_terminal_is_drawn_and_plain_is_not(home: Path) -> None:
    played(home, "even-steven", typed="1\n")
    with Terminal(home, "history") as terminal:
        assert terminal.wait() == 0
        assert "│" in terminal.seen
    with Terminal(home, "history", "--plain") as terminal:
        assert terminal.wait() == 0
        assert "│" not in terminal.seen
        assert "Game: even-steven. Players: Player 1 - Player 2." in terminal.seen


@pytest.mark.parametrize("command", ["history", "stats", "games", "rules", "show", "export"])
def test_every_command_has_help(home: Path, command: str) -> None:
    done = run(home, command, "--help")
    assert done.returncode == 0
    assert "--json" in done.stdout
