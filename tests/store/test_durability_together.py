"""Two at once: two commands that keep their moves in one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import PATIENCE, Terminal, run
from tests.store.support import Piped, id_of, stored
from zerosum.store import SqliteStore


def test_two_matches_are_played_at_once_in_one_file(home: Path) -> None:
    db = str(home / "a.db")
    with (
        Terminal(home, "play", "even-steven", "--names", "Ada", "Bob", ZEROSUM_DB=db) as first,
        Terminal(home, "play", "digit-battle", "--names", "Cy", "Dee", ZEROSUM_DB=db) as second,
    ):
        for number in range(1, 6):
            first.expect("choice: ")
            first.type("1")
            first.expect(f"New Number: {15 - number}\r\n")
            second.expect("(1-9): ")
            second.type("1")
            second.expect("Updated Number: ")
        for screen in (first, second):
            screen.type("quit")
            screen.expect("Saved. Resume with: ")
            assert screen.wait() == 0
    store = SqliteStore(db)
    found = {line.game: store.load(line.id).match for line in store.matches()}
    assert found["even-steven"].round.moves == (1,) * 5
    assert found["digit-battle"].round.moves == (1,) * 5
    assert found["even-steven"].players == ("Ada", "Bob")


def test_a_second_game_from_the_menu_is_as_safe_as_the_first(home: Path) -> None:
    db = str(home / "a.db")
    with Terminal(home, ZEROSUM_DB=db) as screen:
        screen.expect("Which game?")
        screen.type("even-steven")
        for moves in (1, 0):
            screen.expect("Who plays?")
            screen.type("")
            screen.expect("Enter to play")
            screen.type("")
            screen.expect("choice: ")
            if moves:
                screen.type("1")
                screen.expect("choice: ")
                screen.type("resign")
                screen.expect("Another game?")
                screen.type("")
                screen.expect("Which game?")
                screen.type("even-steven")
        screen.type("1")
        screen.expect("New Number: 14")
        # Another terminal comes and goes meanwhile.
        assert run(home, "play", "dual-digits", typed="1\n", ZEROSUM_DB=db).returncode == 0
        screen.expect("choice: ")
        screen.type("2")
        screen.expect("New Number: 7")
        screen.kill()
    store = SqliteStore(db)
    found = {line.game: store.load(line.id).match for line in store.matches(unfinished=True)}
    assert found["even-steven"].round.moves == (1, 2)
    assert found["dual-digits"].round.moves == (1,)
    assert len(store.matches()) == 3


def test_of_two_who_resume_one_match_the_second_to_move_is_told(home: Path) -> None:
    db = str(home / "a.db")
    run(home, "play", "even-steven", "--start", "8", typed="2\n", ZEROSUM_DB=db)
    id_ = id_of(home)
    with (
        Terminal(home, "resume", ZEROSUM_DB=db) as first,
        Terminal(home, "resume", ZEROSUM_DB=db) as second,
    ):
        for screen in (first, second):
            screen.expect("Current Number: 4")
            screen.expect("choice: ")
        first.type("1")
        first.expect("New Number: 3")
        second.type("2")
        second.expect("continued in another terminal")
        second.expect(f"resume {id_}")
        assert second.wait() == 1
        assert "Traceback" not in second.seen
        assert "New Number: 2" not in second.seen
        first.expect("choice: ")
        first.type("1")
        first.expect("New Number: 2")
    assert stored(home).round.moves == (2, 1, 1)
    assert "Current Number: 2\n" in run(home, "resume", ZEROSUM_DB=db).stdout


@pytest.mark.parametrize("word", ["undo", "resign"])
def test_what_the_second_says_instead_of_a_move_is_refused_as_well(home: Path, word: str) -> None:
    db = str(home / "a.db")
    run(home, "play", "even-steven", typed="1\n", ZEROSUM_DB=db)
    with Piped(home, "resume") as late:
        late.until(text="Enter your choice: ")
        assert run(home, "resume", typed="1\n", ZEROSUM_DB=db).returncode == 0
        out, err = late.process.communicate(f"{word}\n".encode(), PATIENCE)
        assert late.process.returncode == 1
    assert b"Took back" not in out
    assert b"wins" not in out
    assert err.startswith(b"Error: Match ")
    assert b"continued in another terminal" in err
    assert stored(home).round.moves == (1, 1)
