"""`zerosum arena`."""

import json
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

import zerosum
from tests.cli.support import document, helpful, on_screen, run
from tests.game_files import EXAMPLES
from tests.lab.audit.test_cluster import DRAWS, after_the_first_row
from zerosum.bulk import Table
from zerosum.documents import read
from zerosum.lab.arena.leaderboard import Leaderboard
from zerosum.lab.audit.processes.game_files import AuditJob
from zerosum.lab.ids import read_id
from zerosum.players.levels import LEVELS

NINE = "dual-digits?start=9"
# Without a table only two players play, and soon know enough.
FEW = ("--positions", "5", "--within", "0.45", "--jobs", "1")


@pytest.fixture
def mine(home: Path) -> str:
    """A file of the user's with a function that draws its moves."""
    (home / "mine.py").write_text(DRAWS)
    return "./mine.py:choose"


def saved(home: Path) -> list[str]:
    """List what is saved in the cache."""
    folder = home / ".cache" / "zerosum" / "arena"
    return [file.name for file in folder.iterdir()] if folder.exists() else []


def test_report_of_the_levels(home: Path) -> None:
    done = run(home, "arena", "hard", NINE, "even-steven")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Leaderboard of 2 games"
    assert lines[1].startswith("5 players, ")
    assert lines[1].endswith("every pairing is exact.")
    assert [line.split()[0] for line in lines[3:8]] == [*reversed(LEVELS)]
    assert "Nobody beats a higher-rated player." in lines
    assert saved(home) == []
    one = run(home, "arena", "hard", "dual-digits", "--start", "9")
    assert one.stdout.startswith("Leaderboard of Dual Digits (start 9)\n")
    assert run(home, "arena", "hard", NINE).stdout == one.stdout


def test_document_is_added_to(home: Path) -> None:
    found = document(home, "arena", "hard", NINE, schema="leaderboard")
    (home / "board.json").write_text(json.dumps(found))
    added = document(
        home, "arena", "Ada=easy", NINE, "--add-to", "board.json", schema="leaderboard"
    )
    whole = document(home, "arena", "Ada=easy", NINE, schema="leaderboard")
    assert added == whole
    assert len(read(Leaderboard, added).standings) == 6
    (home / "other.json").write_text("{}")
    wrong = run(home, "arena", "easy", NINE, "--add-to", "other.json")
    helpful(wrong, 1, "not a document of the format zerosum-leaderboard")
    helpful(run(home, "arena", "easy", NINE, "--add-to", "no.json"), 1, "There is no file")


def test_page_and_picture(home: Path) -> None:
    done = run(home, "arena", "Łukasz=hard", NINE, "--html", "a.html", "--svg", "a.svg")
    assert done.returncode == 0
    page = (home / "a.html").read_text()
    assert "Łukasz" in page
    assert "zerosum arena Łukasz=hard" in page.replace("&#x27;", "'").replace("'", "")
    assert "Łukasz" in (home / "a.svg").read_text()
    again = run(home, "arena", "hard", NINE, "--html", "a.html")
    assert again.returncode == 0  # a page may be replaced
    helpful(run(home, "arena", "hard", NINE, "--svg", "a.svg"), 1, "not overwritten")
    printed = run(home, "arena", "hard", NINE, "--html", "-")
    assert printed.stdout.startswith("<!doctype html>")
    assert "Leaderboard of" not in printed.stdout.partition("</html>")[2]


def test_ways_to_show_it(home: Path) -> None:
    wide = on_screen(home, "arena", "hard", NINE, "--no-pager", COLUMNS="120").stdout
    assert "╭" in wide
    narrow = on_screen(home, "arena", "hard", NINE, "--no-pager", COLUMNS="50").stdout
    assert max(map(len, narrow.splitlines())) < 60
    plain = on_screen(home, "arena", "hard", NINE, "--plain").stdout
    assert "hard scores 0." in plain
    assert not set("╭│█▏") & set(plain)


def test_interrupted_games_go_on(home: Path, mine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.lab.arena.venues.SLOW_GAMES", 20)  # in fewer processes

    def interrupt() -> None:
        raise KeyboardInterrupt

    words = ("arena", "even-steven", "random", mine, *FEW, "--json")
    with after_the_first_row(interrupt):
        stopped = run(home, *words)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert "Saved. To continue, run the same command again." in stopped.stderr
    assert len(saved(home)) == 1
    done = run(home, *words)
    assert done.returncode == 0
    assert "Using what is saved; --fresh plays again." in done.stderr
    assert saved(home) == []
    # What is kept in a journal is not played again by another leaderboard.
    kept = run(home, *words, "--journal", "mine.journal")
    assert kept.stdout == done.stdout
    rows = (home / "mine.journal").read_bytes()
    with patch("zerosum.lab.arena.arena.work_in_process", side_effect=AssertionError):
        again = run(home, *words[:-1], "--journal", "mine.journal")
    assert again.stdout.startswith("Leaderboard of Even-Steven\n2 players; ")
    assert again.stdout.splitlines()[1].endswith(" games were played.")
    assert (home / "mine.journal").read_bytes() == rows


def test_answers_of_a_player_who_is_being_judged_are_saved(home: Path, mine: str) -> None:
    def stopped(job: AuditJob, answers: str, fresh: bool) -> None:
        Path(answers, "some.journal").touch()
        raise KeyboardInterrupt

    with patch("zerosum.lab.arena.arena.work_in_process", stopped):
        done = run(home, "arena", mine, NINE, "--jobs", "1")
    assert (done.returncode, done.stdout) == (130, "")
    assert "Saved. To continue, run the same command again." in done.stderr


def test_program_may_be_told_of_a_file_of_any_name(home: Path) -> None:
    program = f"exec:{sys.executable} {EXAMPLES / 'engine.py'}"
    names = ("log.jsonl", "log.eval", "policy.npy")
    players = [f"{program} {name}" for name in names]
    done = run(home, "arena", *(f"{name[-3:]}={name}" for name in players), players[0], NINE)
    assert done.returncode == 0, done.stderr
    for name in names:
        assert f"\n{name[-3:]}  " in done.stdout
    found = document(home, "measure", *players, NINE, schema="measurements")
    assert [f"exec:{one['player']}" for one in found["measurements"]] == players


def test_wrong_words(home: Path, mine: str) -> None:
    helpful(run(home, "arena"), 2, "Name a player")
    helpful(run(home, "arena", "even-steven"), 2, "even-steven is a game; name a player too")
    unknown = "There is no player or game called 'foo'. A player is a level, or a function"
    for words in (["arena", "dual-digits", "foo"], ["measure", "hard", "dual-digits", "foo"]):
        helpful(run(home, *words), 2, unknown)
    for word in ("exec:./missing", "Bob=exec:./missing"):
        helpful(run(home, "arena", word, NINE), 2, "There is no program ./missing.")
    (home / "engine.py").touch()
    told = "./engine.py is not executable; try 'exec:python ./engine.py'."
    helpful(run(home, "measure", "exec:./engine.py", NINE), 2, told)
    helpful(run(home, "arena", "hrad", NINE), 2, "did you mean hard")
    helpful(run(home, "arena", "hard", "even-stevn"), 2, "did you mean even-steven")
    helpful(run(home, "arena", "hard", "dual-digits?strt=9"), 1, "did you mean start")
    helpful(run(home, "arena", "hard", "dual-digits?start=x"), 1, "not a whole number")
    helpful(run(home, "arena", f"{'x' * 50}={mine}", NINE), 2, "cannot be a player's name")
    helpful(run(home, "arena", "exec:", NINE), 2, "cannot be empty")
    helpful(run(home, "arena", "./none.py:choose", NINE), 2, "There is no file ./none.py")
    helpful(run(home, "arena", "hard", NINE, "--within", "0"), 2, "from 0.001 to 0.5")
    helpful(run(home, "arena", "hard", NINE, "--within", "much"), 2, "not a number")
    both = ("--jobs", "2", "--cluster", "tcp://127.0.0.1:1")
    helpful(run(home, "arena", "hard", NINE, *both), 2, "workers of its own")
    helpful(run(home, "arena", "hard", NINE, "--journal", "."), 1, "not a regular file")
    far = f"even-steven?start={10**25}"
    helpful(run(home, "arena", "hard", far, NINE), 1, "Name a second player: Even-Steven")


def test_answers_are_judged_but_do_not_play(home: Path) -> None:
    game, questions = zerosum.game("dual-digits", start=9), home / "questions.jsonl"
    assert run(home, "questions", "dual-digits", "--start", "9", "--out", str(questions)).stdout
    ids = [json.loads(line)["id"] for line in questions.read_text().splitlines()]
    given = [{"id": ids[0], "text": "?"}, *({"id": name, "text": "MOVE: 1"} for name in ids[1:])]
    (home / "ones.jsonl").write_text("\n".join(map(json.dumps, given)))
    found = document(home, "arena", "Ones=ones.jsonl", schema="leaderboard")
    assert [one["id"] for one in found["games"]] == [NINE]
    (ones,) = (one for one in found["standings"] if one["player"] == "Ones")
    table = Table(game)
    legal = [1 in table.moves_of(table.index_of(read_id(name).state)) for name in ids]
    assert ones["rating"] is None
    assert ones["faults"]["unreadable"] == 1
    assert ones["faults"]["illegal"] == legal[1:].count(False)
    assert "Ones" not in {one["player"] for one in found["pairings"]}
    assert "ones.jsonl" in run(home, "arena", "hard", "--answers", "ones.jsonl").stdout
    helpful(run(home, "arena", "none.jsonl"), 1, "There is no file none.jsonl")


def test_player_that_cannot_be_asked_is_an_error(home: Path) -> None:
    (home / "mine.py").write_text("1 / 0\n")
    done = run(home, "arena", "Ada=./mine.py:choose", NINE, "--jobs", "1")
    assert done.returncode == 1
    said = "Ada, in 1 game (Dual Digits (start 9)): Ada is not ready: mine.py could not be loaded"
    assert f"Error: {said}" in done.stderr
    assert f"Who did not take part\n- {said}" in done.stdout
    assert "in fewer than" not in done.stdout
