"""`zerosum history` and `show`."""

import time
from pathlib import Path

import pytest

from tests.cli.support import document, helpful, on_screen, run
from tests.helpers import database
from tests.store.support import execute
from zerosum.pictures.labels import columns as width_of


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


def test_history_and_show(home: Path) -> None:
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
    for said in (
        "Ada - Bob, unfinished\n",
        "Player 1 drew with Player 2\n",
        "Ada beat Bob, 2 to 0\n",
        "Bob beat Ada\n",
    ):
        assert said in text
    played(home, "even-steven", "--names", "Player 1", "Bob", typed="1\nresign\n")
    assert "You beat Bob\n" in run(home, "history").stdout  # as the browser saves it
    assert "Bob beat Ada." in run(home, "history", "--plain").stdout
    shown = run(home, "show", won).stdout
    assert "Ada subtracts 1.\nNew Number: 1\n" in shown
    assert shown.endswith("Bob won: the number is exactly zero.\n")
    assert run(home, "show", off).stdout.endswith("\nDraw: both players agreed.\n")
    assert "Game 2 of 2." in run(home, "show", series).stdout
    assert "Unfinished. Resume with: " in run(home, "show", left).stdout
    assert document(home, "show", won, schema="match")["rounds"][0]["moves"] == [1, 1]


def test_history_fits_the_screen(home: Path) -> None:
    wide = ("--names", "山田太郎" * 10, "Alexandra of the very long name indeed")
    played(home, "number-navigator", *wide, "--games", "4", typed="1\nresign\n")
    for columns in (72, 80, 132):
        shown = on_screen(home, "history", "--no-color", COLUMNS=str(columns)).stdout
        assert max(map(width_of, shown.splitlines())) <= columns
    assert "山田太郎" * 10 in run(home, "history").stdout


def test_history_is_in_local_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(home, "even-steven", typed="1\n")
    ended = "2001-12-31T23:30:00.000Z"
    execute(database(home), "update matches set started = ?, updated = ?", ended, ended)
    for zone, day in (("Asia/Tokyo", "2002-01-01 08:30"), ("America/Lima", "2001-12-31 18:30")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert f"  {day}  " in run(home, "history", TZ=zone).stdout
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("damage", ["player_1 = x'ff00'", "score_1 = 7", "updated = 'noon'"])
def test_damaged_match_does_not_hide_the_others(home: Path, damage: str) -> None:
    damaged = played(home, "even-steven", typed="1\n")
    intact = [played(home, "dual-digits", typed="1\n") for _ in range(2)]
    execute(database(home), f"update matches set {damage} where id = ?", damaged)
    done = run(home, "history")
    assert done.returncode == 0
    assert all(id_ in done.stdout for id_ in (damaged, *intact))
    listed = document(home, "history", schema="history")
    unreadable = [match["id"] for match in listed["unreadable"]]
    if "updated" in damage:  # which is shown as it is
        assert unreadable == []
        return
    assert unreadable == [damaged]
    assert f"{damaged}                    unreadable" in done.stdout
    assert done.stderr.startswith(f"Match {damaged} is damaged: its ")
    assert [match["id"] for match in listed["matches"]] == intact[::-1]
    assert run(home, "resume", typed="quit\n").returncode == 0
    assert run(home, "show", damaged).returncode == 1
    assert run(home, "delete", damaged, "--yes").returncode == 0
    assert document(home, "history", schema="history")["unreadable"] == []


@pytest.mark.parametrize("command", ["show", "export", "review"])
def test_latest_match_is_the_default(home: Path, command: str) -> None:
    kind = "reviewable" if command == "review" else "saved"
    helpful(run(home, command), 1, f"There is no {kind} match. Start one with: ")
    played(home, "dual-digits", typed="1\n")
    latest = played(home, "even-steven", typed="1\n")
    done = run(home, command)
    assert (done.returncode, done.stderr) == (0, f"Match {latest}, the latest.\n")
    assert done.stdout == run(home, command, latest).stdout
    of_game = run(home, command, "--game", "dual-digits")
    assert of_game.returncode == 0
    assert of_game.stdout != done.stdout
