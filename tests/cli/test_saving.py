"""Where matches are saved, and play where they cannot be."""

import json
import os
import shlex
from pathlib import Path

import pytest

from tests.cli.support import run
from tests.helpers import Piped
from zerosum.books.even_steven.rules import EvenSteven, State


def test_rules_play_each_move_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played, play = [], EvenSteven.play

    def recorded(game: EvenSteven, state: State, move: int) -> State:
        played.append(move)
        return play(game, state, move)

    monkeypatch.setattr(EvenSteven, "play", recorded)
    run(home, "play", "even-steven", typed="1\n2\n2\n1\n")
    assert played == [1, 2, 1]  # the second 2 is not legal


def test_play_continues_where_nothing_can_be_saved(home: Path) -> None:
    db = "/dev/null/a.db"
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


def test_other_file_as_database_is_refused_untouched(home: Path) -> None:
    (home / "diary.txt").write_text("Dear diary,\n" * 50)
    before = sorted(os.listdir(home))
    for args in (["play", "even-steven"], ["resume"], ["history"], ["stats"], ["show", "abc"]):
        done = run(home, *args, "--db", "diary.txt", typed="1\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert "diary.txt is not a Zerosum database" in done.stderr
    assert sorted(os.listdir(home)) == before
    assert (home / "diary.txt").read_text() == "Dear diary,\n" * 50


def test_resume_command_names_the_database_and_works(home: Path) -> None:
    file = home / "my games" / "it's.db"
    done = run(home, "play", "even-steven", "--db", str(file), typed="1\n")
    command = shlex.split(done.stderr.partition("Resume with: ")[2])
    again = run(home, *command[command.index("resume") :])
    assert again.returncode == 0
    assert "Current Number: 14" in again.stdout


def test_first_move_of_the_computer_is_saved(home: Path) -> None:
    done = run(home, "play", "even-steven", "--vs", "easy", "--seed", "1", "--first", "2", typed="")
    assert "Saved. Resume with: " in done.stderr
    (match,) = json.loads(run(home, "history", "--json").stdout)["matches"]
    assert match["plies"] == 1


def test_resigned_first_game_is_saved_with_a_move_of_the_second(home: Path) -> None:
    run(home, "play", "even-steven", "--games", "2", typed="resign\n1\n")
    (match,) = json.loads(run(home, "history", "--json").stdout)["matches"]
    assert (match["score"], match["plies"]) == ([0, 1], 1)


@pytest.mark.parametrize(
    ("here", "elsewhere", "plies"), [("1\nundo\n", "1\n", 1), ("1\n", "undo\n", 0)]
)
def test_match_is_saved_though_every_move_was_taken_back(
    home: Path, here: str, elsewhere: str, plies: int
) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed(here)
        game.until(text="Took back" if "undo" in here else "Options: [1] Subtract 1, [2]")
        run(home, "resume", typed=elsewhere)
        code, _, err = game.end("quit\n")
    assert code == 0
    assert err.startswith("Saved. Resume with: python -m zerosum resume ")
    (match,) = json.loads(run(home, "history", "--json").stdout)["matches"]
    assert match["plies"] == plies


def test_match_that_was_deleted_elsewhere_is_not_called_saved(home: Path) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed("1\n")
        game.until(text="Options: [1] Subtract 1, [2]")
        (match,) = json.loads(run(home, "history", "--json").stdout)["matches"]
        run(home, "delete", match["id"], "--yes")
        _, _, err = game.end("quit\n")
    assert err.startswith("This match was deleted in another terminal, so there is nothing")
