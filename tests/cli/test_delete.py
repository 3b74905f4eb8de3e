"""`zerosum delete`."""

from pathlib import Path

from tests.cli.support import document, helpful, on_screen, run
from tests.cli.test_history import played
from tests.helpers import Piped, Terminal, database
from tests.store.support import begin, even, open_both, write
from zerosum.store.lock import LockFile


def ids(home: Path) -> list[str]:
    return [match["id"] for match in document(home, "history", schema="history")["matches"]]


def test_deleted_match_is_gone(home: Path) -> None:
    kept, first, second = (played(home, "even-steven", typed="1\n") for _ in range(3))
    deleted = document(home, "delete", first[:6], second, first, "--yes", schema="deletion")
    assert deleted["ids"] == [first, second]
    assert ids(home) == [kept]
    helpful(run(home, "resume", first), 1, "There is no match")
    done = run(home, "delete", kept, "--yes")
    assert done.stdout == f"Deleted 1 match: {kept}.\n"
    assert run(home, "stats").stdout == ""


def test_nothing_is_deleted_without_yes_or_if_one_match_is_unknown(home: Path) -> None:
    id_ = played(home, "even-steven", typed="1\n")
    helpful(run(home, "delete", id_, typed="yes\n"), 2, "Add --yes")
    helpful(run(home, "delete", id_, "nope", "--yes"), 1, "There is no match 'nope'")
    assert ids(home) == [id_]


def test_delete_asks_on_a_terminal(home: Path) -> None:
    id_ = played(home, "even-steven", "--names", "Ada", "Bob", typed="1\n")
    with Terminal(home, "delete", id_) as terminal:
        terminal.expect("Delete this match for good? (yes or no) [no]: ")
        terminal.press("ye\x03")
        assert terminal.wait() == 130
        assert "Nothing was deleted." in terminal.lines()
    for answer in ("", "help", "no"):
        done = on_screen(home, "delete", id_, typed=f"{answer}\n")
        assert done.returncode == 1
        assert "Nothing was deleted." in done.stderr
    assert ids(home) == [id_]
    done = on_screen(home, "delete", id_, typed="yes\n")
    assert f"{id_}: even-steven, Ada - Bob, 1 move\n" in done.stdout
    assert ids(home) == []


def test_match_of_the_browser_is_deleted_only_without_a_server(home: Path) -> None:
    played(home, "even-steven", typed="1\n")
    store = open_both(database(home))
    assert write(store, [begin("aaaaaaaa", even())]) == [None]
    store.close()
    server = LockFile(str(database(home)))
    helpful(
        run(home, "delete", "aaaaaaaa", "--yes"),
        1,
        "Match aaaaaaaa is open in the browser. Nothing was deleted. Stop `zerosum web`",
    )
    server.close()
    assert run(home, "delete", "aaaaaaaa", "--yes").returncode == 0
    assert "aaaaaaaa" not in ids(home)


def test_move_in_a_deleted_match_is_refused(home: Path) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed("1\n")
        game.until(text="Options: [1] Subtract 1, [2]")
        (id_,) = ids(home)
        assert run(home, "delete", id_, "--yes").returncode == 0
        code, _, err = game.end("1\n")
    assert code == 1
    assert err == f"Error: Match {id_} was deleted; this move was not saved.\n"
    assert ids(home) == []
