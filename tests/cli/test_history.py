"""`zerosum history`, `show` and `stats`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.support import document, helpful, run
from tests.helpers import Terminal


def played(home: Path, *args: str, typed: str) -> str:
    return str(document(home, "play", *args, schema="match", typed=typed)["id"])


EMPTY = {"history": "No saved matches.\n", "stats": "No finished games yet.\n"}


def test_empty_history_creates_no_file(home: Path) -> None:
    assert document(home, "history", schema="history")["matches"] == []
    assert document(home, "stats", schema="stats")["games"] == []
    for command in ("history", "stats"):
        done = run(home, command)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr == EMPTY[command]
    assert list(home.iterdir()) == []  # looking leaves nothing behind
    assert run(home, "history", "--unfinished").stderr == "No unfinished matches.\n"
    of_game = run(home, "history", "--game", "even-steven")
    assert of_game.stderr == "No saved matches of that game.\n"
    helpful(run(home, "history", "--game", "nope"), 2, "There is no game 'nope'; ")
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
    matches = document(home, "history", schema="history")["matches"]
    assert [match["id"] for match in matches] == [left, off, series, won]
    assert [match["score"] for match in matches] == [[0, 0], [0.5, 0.5], [2, 0], [0, 1]]
    assert [match["over"] for match in matches] == [False, True, True, True]
    unfinished = document(home, "history", "--unfinished", schema="history")
    assert [match["id"] for match in unfinished["matches"]] == [left]
    some = document(home, "history", "--game", "even-steven", "--limit", "1", schema="history")
    assert [match["id"] for match in some["matches"]] == [series]
    text = run(home, "history").stdout
    for said in ("unfinished, 1 move", "draw\n", "Ada won, 2 to 0", "Bob won"):
        assert said in text
    stats = document(home, "stats", schema="stats")
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
    assert document(home, "show", won, schema="match")["rounds"][0]["moves"] == [1, 1]


def test_table_is_drawn_on_a_terminal_but_not_in_plain(home: Path) -> None:
    played(home, "even-steven", typed="1\n")
    with Terminal(home, "history") as terminal:
        assert terminal.wait() == 0
        assert "│" in terminal.seen
    with Terminal(home, "history", "--plain") as terminal:
        assert terminal.wait() == 0
        assert "│" not in terminal.seen
        assert "Game: even-steven. Players: Player 1 - Player 2." in terminal.seen
