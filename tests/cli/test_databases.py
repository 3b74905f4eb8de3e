"""Commands on a PostgreSQL database, and on matches of the browser."""

import json
import re
from pathlib import Path
from typing import Any

from tests.cli.support import run
from tests.store.support import begin, even, open_both
from zerosum.match import Match
from zerosum.store import new_id, open_store

HIDDEN = re.compile("tiger|lion")


def spoken(home: Path, *args: str, typed: str = "", **env: str) -> tuple[str, str]:
    """Run a command that works, and shows no password."""
    done = run(home, *args, typed=typed, **env)
    assert done.returncode == 0, done.stderr
    assert not HIDDEN.search(done.stdout + done.stderr)
    return done.stdout, done.stderr


def test_every_command_works_with_postgresql(home: Path, database: str) -> None:
    env = {"ZEROSUM_DB": database}
    names = ["--names", "Ada", "Bob"]
    _, err = spoken(home, "play", "even-steven", "--start", "4", *names, typed="2\nquit\n", **env)
    (id_,) = re.findall(r"resume (\w+)$", err.strip())
    assert "postgresql" not in err
    assert "Ada - Bob, unfinished" in spoken(home, "history", **env)[0]
    out, _ = spoken(home, "resume", typed="1\n1\n", **env)
    assert "Ada wins the game!" in out
    assert "Ada beat Bob" in spoken(home, "history", **env)[0]
    assert "Ada won: the number is exactly zero." in spoken(home, "show", id_, **env)[0]
    stats = json.loads(spoken(home, "stats", "--json", **env)[0])
    assert stats["players"] == [
        {"name": "Ada", "games": 1, "wins": 1, "draws": 0, "computer": False},
        {"name": "Bob", "games": 1, "wins": 0, "draws": 0, "computer": False},
    ]
    record = spoken(home, "export", id_, **env)[0]
    assert json.loads(record)["rounds"][0]["moves"] == [2, 1, 1]
    assert "Ada" in spoken(home, "review", id_, **env)[0]
    assert "is already here" in spoken(home, "import", "-", typed=record, **env)[0]
    spoken(home, "puzzle", "even-steven", typed="quit\n", **env)
    assert id_ in spoken(home, "show", **env)[1]
    spoken(home, "delete", id_, "--yes", **env)
    assert spoken(home, "history", **env)[1] == "No saved matches.\n"
    assert not (home / ".local").exists()
    done = run(home, "resume", **env)
    assert done.returncode == 1
    assert "no unfinished match" in done.stderr


def test_suggested_command_hides_the_password(home: Path, database: str) -> None:
    _, err = spoken(home, "play", "even-steven", "--db", database, typed="1\nquit\n")
    address = re.escape(database.partition("@")[2])
    assert re.search(rf"resume \w+ --db postgresql://zerosum:PASSWORD@{address}\n", err)
    id_ = json.loads(spoken(home, "history", "--json", "--db", database)[0])["matches"][0]["id"]
    shown, _ = spoken(home, "show", id_, "--db", database)
    assert "--db postgresql://zerosum:PASSWORD@" in shown


def test_unreachable_database_is_named_without_its_password_and_play_goes_on(home: Path) -> None:
    for secret in ("ti@ger/lion", "tiger"):
        db = ("--db", f"postgresql://ada:{secret}@127.0.0.1:1/games")
        done = run(home, "history", *db)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("Error: ")
        assert not HIDDEN.search(done.stderr)
    out, err = spoken(home, "play", "even-steven", "--start", "1", *db, typed="1\n")
    assert "wins the game!" in out
    assert "nothing will be saved" in err


def live(address: str, match: Match[Any], **more: str) -> str:
    store = open_both(address)
    id_ = new_id(26)
    assert store.server.write([[begin(id_, match, **more)]]) == [None]
    store.close()
    return id_


def test_browser_match_is_shown_but_not_resumed(home: Path, address: str) -> None:
    env = {"ZEROSUM_DB": address}
    id_ = live(address, even().play(1))
    shown, _ = spoken(home, "show", id_[:8], **env)
    assert "New Number: 14" in shown
    assert "Unfinished. It is being played in the browser." in shown
    done = run(home, "resume", id_, typed="1\n", **env)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"Error: Match {id_} is being played in the browser; continue there.\n"
    done = run(home, "resume", **env)
    assert "Your unfinished matches are in the browser. Open it with: " in done.stderr
    assert spoken(home, "history", "--unfinished", **env)[0] == ""


def test_finished_browser_match_is_reviewed(home: Path, address: str) -> None:
    env = {"ZEROSUM_DB": address}
    id_ = live(address, even(2).play(1).play(1), stage="over")
    assert "Bob won" in spoken(home, "show", id_, **env)[0]
    assert "Bob" in spoken(home, "review", id_[:8], **env)[0]
    done = run(home, "resume", id_, **env)
    assert f"Match {id_} is over" in done.stderr


def test_long_ids_are_shortened_in_the_list(home: Path) -> None:
    db = str(home / "a.db")
    ids = [live(db, even()) for _ in range(3)]
    out, _ = spoken(home, "history", ZEROSUM_DB=db)
    for id_ in ids:
        assert id_[:8] in out
        assert id_ not in out
        assert "even-steven" in spoken(home, "show", id_[:8], "--json", ZEROSUM_DB=db)[0]
    assert max(len(line) for line in out.splitlines()) <= 80
    listed = json.loads(spoken(home, "history", "--json", ZEROSUM_DB=db)[0])["matches"]
    assert {match["id"] for match in listed} == set(ids)


def test_ids_that_begin_alike_are_listed_in_full(home: Path) -> None:
    store = open_store(str(home / "a.db"))
    for id_ in ("abcdefgh", "abcdefghij2345", "abcdefghijkmnp", "xbcdefghijkmnp"):
        store.create(even(), id_)
    store.close()
    out, _ = spoken(home, "history", ZEROSUM_DB=str(home / "a.db"))
    found = {line.split()[0] for line in out.splitlines()[1:]}
    assert found == {"abcdefgh", "abcdefghij2345", "abcdefghijkmnp", "xbcdefgh"}
