"""Places for files: which is used, and what happens where none can be."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from tests.cli.support import run, stored


@pytest.mark.parametrize("db", ["/proc/zerosum/a.db", "/dev/null/a.db"])
def test_play_goes_on_where_nothing_can_be_kept_and_says_so(home: Path, db: str) -> None:
    done = run(home, "play", "even-steven", "--start", "2", typed="1\n1\n", ZEROSUM_DB=db)
    assert done.returncode == 0
    assert "Player 2 wins the game!" in done.stdout
    assert "nothing will be saved" in done.stderr
    assert "nothing will be saved" not in done.stdout
    left = run(home, "play", "even-steven", typed="1\nsave\n", ZEROSUM_DB=db)
    assert left.returncode == 0
    assert "could not be saved" in left.stderr
    assert "resume" not in left.stderr
    assert "could not be saved" in left.stdout


def test_a_home_that_is_no_folder_does_not_stop_a_game(home: Path) -> None:
    (home / ".local").write_text("a file")
    done = run(home, "play", "even-steven", "--json", typed="1\n")
    assert done.returncode == 0
    assert "nothing will be saved" in done.stderr
    document = json.loads(done.stdout)
    assert document["rounds"][0]["moves"] == [1]
    assert "id" not in document
    assert (home / ".local").read_text() == "a file"


def test_a_file_that_is_not_ours_stops_a_game_before_it_begins(home: Path) -> None:
    (home / "diary.txt").write_text("Dear diary,\n" * 50)
    before = sorted(os.listdir(home))
    for args in (["play", "even-steven"], ["resume"], ["history"], ["stats"], ["show", "abc"]):
        done = run(home, *args, "--db", "diary.txt", typed="1\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert "diary.txt is not a Zerosum database" in done.stderr
    assert sorted(os.listdir(home)) == before
    assert (home / "diary.txt").read_text() == "Dear diary,\n" * 50


def test_the_file_is_chosen_by_flag_over_environment_over_configuration(home: Path) -> None:
    (home / "c.toml").write_text(f"db = '{home}/config.db'\n")
    env = {"ZEROSUM_CONFIG": str(home / "c.toml")}
    flag, both = ["--db", "flag.db"], {**env, "ZEROSUM_DB": "environment.db"}
    played = ["play", "even-steven"]
    cases: list[tuple[list[str], dict[str, str], str]] = [
        (played, {}, ".local/share/zerosum/zerosum.db"),
        (played, env, "config.db"),
        (played, both, "environment.db"),
        ([*played, *flag], both, "flag.db"),
        ([*flag, *played], both, "flag.db"),
        (["--db", "other.db", *played, *flag], both, "flag.db"),
    ]
    for number, (args, given, file) in enumerate(cases):
        place = home / str(number)
        place.mkdir()
        done = run(place, *args, typed="1\n", **given)
        assert done.returncode == 0
        there = home / file if file == "config.db" else place / file
        assert stored(there).ply == 1
        others = [file for file in place.rglob("*.db") if file != there]
        assert others == []


def test_the_way_to_go_on_names_the_file_and_works(home: Path) -> None:
    file = home / "my games" / "it's.db"
    done = run(home, "play", "even-steven", "--db", str(file), typed="1\n")
    command = shlex.split(done.stderr.partition("Resume with: ")[2])
    again = run(home, *command[command.index("resume") :])
    assert again.returncode == 0
    assert "Current Number: 14" in again.stdout


def test_the_platforms_own_places_are_used(home: Path) -> None:
    (home / "conf" / "zerosum").mkdir(parents=True)
    (home / "conf" / "zerosum" / "config.toml").write_text("[even-steven]\nstart = 7\n")
    env = {"XDG_CONFIG_HOME": str(home / "conf"), "XDG_DATA_HOME": str(home / "data")}
    done = run(home, "play", "even-steven", typed="1\n", **env)
    assert "Starting Number: 7" in done.stdout
    assert stored(home / "data" / "zerosum" / "zerosum.db").ply == 1
    assert not (home / ".local").exists()
