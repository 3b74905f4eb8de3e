"""Commands on databases and records from elsewhere: no code is run, no escape sequence printed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import first_id, helpful, in_menu, run
from tests.game_files import COUNTDOWN, STICK, TAKE_AWAY
from tests.helpers import database
from tests.store.support import execute

ESCAPE = "\x1b]0;owned\x07\x1b[2J\u202e\u2028\x9b31m"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
COMMANDS = ("show", "export", "review", "resume")


@pytest.fixture
def own(home: Path) -> str:
    """Leave an unfinished match of an own game, and return its id."""
    (home / "stick.py").write_text(Path(STICK).read_text())
    assert "--game ./stick.py" in run(home, "play", "./stick.py", typed="1\nquit\n").stderr
    return first_id(home)


@pytest.mark.parametrize("column", ["file", "game"])
def test_file_in_a_database_is_not_run(home: Path, column: str) -> None:
    run(home, "play", "even-steven", typed="1\nquit\n")
    mark = home / "mark"
    (home / "evil.py").write_text(f"open({str(mark)!r}, 'w').close()\n{COUNTDOWN}")
    execute(database(home), f"update matches set {column} = ?", str(home / "evil.py"))
    for command in COMMANDS:
        helpful(run(home, command, first_id(home)), 1, "--game")
        assert not mark.exists()


def test_latest_match_is_of_a_file_that_must_be_named(home: Path, own: str) -> None:
    words = f"show {own} --game ./stick.py"
    helpful(run(home, "show"), 1, words)
    file = database(home)
    run(home, "play", "even-steven", typed="1\nquit\n")
    other = json.loads(run(home, "history", "--json").stdout)["matches"][0]["id"]
    assert run(home, "show").stdout == run(home, "show", other).stdout
    execute(file, "update matches set updated = '2020-01-01T00:00:00Z' where id = ?", other)
    helpful(run(home, "show"), 1, words)
    assert run(home, "show", "--game", "./stick.py").returncode == 0
    assert run(home, "show", "--game", "even-steven").returncode == 0


def test_own_game_is_resumed_by_its_file_alone(home: Path, own: str) -> None:
    run(home, "play", "even-steven", typed="1\nquit\n")  # the latest match is of another game
    assert f"Match {own}: Last Stick" in run(home, "resume", "--game", "stick.py").stdout
    helpful(run(home, "resume", "--game", "digit-battle"), 1, "no unfinished match of this game")


def test_suggested_command_has_the_database(home: Path, own: str) -> None:
    path = str(database(home))
    done = run(home, "resume", "--db", path)
    helpful(done, 1, f"resume {own} --game ./stick.py --db {path}")
    unfinished = run(home, "show", own, "--game", "stick.py").stdout
    assert unfinished.endswith(f"resume {own} --game ./stick.py\n")


def test_menu_tells_how_to_resume_an_own_game(home: Path, own: str) -> None:
    out = in_menu(home, COLUMNS="200").stdout
    assert f"Match {own} is of the game last-stick, from ./stick.py. Resume with" in out
    assert "Which game?" in out


@pytest.mark.parametrize("column", ["game", "player_1", "started", "options", "file"])
def test_escape_sequences_in_a_database_are_not_printed(home: Path, column: str) -> None:
    run(home, "play", "even-steven", "--start", "1", "--names", "Ada", "Bob", typed="1\n")
    id_ = first_id(home)
    value = json.dumps({ESCAPE: ESCAPE}, ensure_ascii=False) if column == "options" else ESCAPE
    execute(database(home), f"update matches set {column} = ?", value)
    for args in (("history",), ("stats",), ("show", id_), ("export", id_), ("resume", id_)):
        done = run(home, *args)
        assert not CONTROL.search(done.stdout + done.stderr), done
        assert "bug in Zerosum" not in done.stderr
        if done.returncode == 0 and args[0] in ("history", "stats"):
            text = run(home, *args, "--json").stdout
            assert not CONTROL.search(text)
            json.loads(text)


ESCAPES: list[dict[str, Any]] = [
    {"players": [ESCAPE, "Bob"]},
    {"game": ESCAPE},
    {"options": {ESCAPE: 1}},
    {"options": {"start": ESCAPE}},
    {"bots": [ESCAPE, None]},
    {"score": [ESCAPE, 0]},
    {"rounds": [{"first": 0, "moves": [ESCAPE], "end": None}]},
    {"rounds": [{"first": 0, "moves": [], "end": {"by": ESCAPE}}]},
]


def test_escape_sequences_in_a_record_are_not_printed(home: Path) -> None:
    run(home, "play", "even-steven", typed="1\nquit\n")
    record = json.loads(run(home, "export", first_id(home)).stdout)
    for changes in ESCAPES:
        (home / "m.json").write_text(json.dumps({**record, **changes}, ensure_ascii=False))
        for command in ("import", "review"):
            helpful(run(home, command, "m.json"), 1)


def test_escape_sequence_in_a_string_option_is_refused(home: Path) -> None:
    option = "(Game[State]):\n    word: str = 'x'"
    (home / "mine.py").write_text(COUNTDOWN.replace("(Game[State]):", option))
    run(home, "play", "./mine.py", typed="1\nquit\n")
    options = json.dumps({"word": ESCAPE})
    execute(database(home), "update matches set options = ?", options)
    done = run(home, "show", first_id(home), "--game", "./mine.py")
    helpful(done, 1, "word: '", "cannot be printed")


def test_words_of_a_game_are_shown_and_never_obeyed(home: Path) -> None:
    said = f"{ESCAPE}نون 👨\u200d👩\u200d👧\u00a0!"
    source = TAKE_AWAY.replace("the last stick is taken", ascii(said)[1:-1])
    source = source.replace("Take 1 or 2.", ascii(said)[1:-1])
    hooks = ("opening", "status", "position", "turn", "prompt", "label", "moved")
    methods = [f"    def {hook}(self, *_): return {hook + said!a}" for hook in hooks]
    words = "\n".join(["from zerosum import Words", "class TakeAwayWords(Words):", *methods])
    (home / "own.py").write_text(f"{source}\n{words}\n")
    game = ["--game", "./own.py"]
    shown = ""
    for args in (
        ["play", "./own.py", "--start", "3", "--coach"],
        *(["play", "./own.py", "--start", "3", "--json"], ["export", *game]),
        *(["show", *game], ["review", *game], ["solve", "./own.py"], ["puzzle", "./own.py"]),
    ):
        done = run(home, *args, "--color", typed="7\nmoves\n1\nhint\n2\n")
        assert done.returncode == 0, done.stderr
        assert not CONTROL.search(done.stdout + done.stderr), done
        shown += done.stdout
    for hook in ("opening", "status", "turn", "prompt", "label", "moved", "wins: "):
        assert f"{hook}�]0;owned" in shown
    assert "نون 👨\u200d👩\u200d👧\u00a0!" in shown
