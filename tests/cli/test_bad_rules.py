"""Somebody else's rules at every door: a sentence says what they did, and no gate is green."""

import io
import json
import re
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests import helpers
from tests.cli.bad_rules import DEEP, DOORS, FAULTS, HANGS, LOADING, PLAY, SLEEP, UNSTOPPABLE, doing
from tests.cli.support import Done, first_id, run
from tests.game_files import COUNTDOWN, TAKE_AWAY
from tests.helpers import Piped, Terminal
from zerosum.cli.supervision import Output, Watch, rules_print
from zerosum.registry.loading import MOST_PRINTED

# Seconds for one call of the rules.
QUICK = 0.1
TYPED = "1\n2\n1\n2\n1\n"


def watched(home: Path, *args: str) -> Done:
    """Run a command in this process, watched as in one of its own."""
    with Watch(lambda note: None, QUICK):
        return run(home, *args, typed=TYPED)


def blamed(done: Done, *says: str) -> None:
    """Expect an error that is the game's: it names what was asked, and at which position."""
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "bug in Zerosum" not in said
    assert re.search("Take ?Away", said), said
    assert not re.search(r"\b(table|search|solution|match|levels)\.py", said), said
    for text in says:
        assert text in said, said


def put(home: Path, text: str) -> str:
    """Write a game, and return how it is named."""
    (home / "theirs.py").write_text(text)
    return "./theirs.py"


@pytest.mark.parametrize(("name", "door"), [*zip(HANGS, cycle(["check", "play"]), strict=False)])
def test_rules_that_hang_are_named(home: Path, name: str, door: str) -> None:
    text, call = HANGS[name]
    blamed(watched(home, door, put(home, text)), *call.removeprefix("TakeAway.").split(" at "))


def test_stats_go_on_without_rules_that_hang(home: Path) -> None:
    file = put(home, TAKE_AWAY)
    for _ in range(4):  # more often than rules are interrupted
        names = ("--names", "Ada", "Bob")
        assert run(home, "play", file, *names, typed="1\nresign\n").returncode == 0
    put(home, HANGS["sleeps"][0])
    done = watched(home, "stats", "--game", file)
    assert (done.returncode, "Ada: 4 games not judged" in done.stdout) == (0, True)
    assert done.stderr.startswith("take-away is not judged: TakeAway.moves at ")
    assert done.stderr.count("did not answer within 0.1 seconds.") == 1


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_the_games_own(home: Path, name: str) -> None:
    text, *named = FAULTS[name]
    done = watched(home, "play", put(home, text))
    blamed(done, *named)
    if name in ("raises_generator_exit", "moves_are_none"):
        assert "Run 'zerosum check ./theirs.py' for details." in done.stderr


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", ["hangs_deep", "wrong_winner"])
def test_every_door_names_the_fault(home: Path, name: str, door: str) -> None:
    text = HANGS[name][0] if name in HANGS else FAULTS[name][0]
    blamed(watched(home, *DOORS[door], put(home, text)), "State(sticks=")


@pytest.mark.parametrize("name", LOADING)
def test_file_that_does_not_load_is_named(home: Path, name: str) -> None:
    done = watched(home, "check", put(home, LOADING[name] + TAKE_AWAY))
    assert (done.returncode, "theirs.py" in done.stderr) == (1, True), done.stderr


def test_position_that_cannot_be_hashed_is_named(home: Path) -> None:
    fields = "    player: int\n"
    text = TAKE_AWAY.replace(fields, f"{fields}    def __hash__(self): {SLEEP}\n", 1)
    done = watched(home, "solve", put(home, text))
    assert (done.returncode, done.stdout) == (1, "")
    assert "State.__hash__ at State(sticks=7, player=0) (theirs.py, line " in done.stderr


def test_words_that_hang_are_blamed_by_the_check_and_not_asked_by_the_audit(home: Path) -> None:
    words = f"""
from zerosum import Words
class TakeAwayWords(Words[State]):
    def fields(self, state): {SLEEP}
"""
    # An audit is about the rules, which are sound; no command hangs, and a limit names the call.
    done = watched(home, "audit", put(home, TAKE_AWAY + words))
    assert (done.returncode, "No faults were found." in done.stdout) == (0, True)
    done = watched(home, "check", put(home, TAKE_AWAY + words))
    blamed(done, "TakeAwayWords.fields at State(sticks=7, player=0) (theirs.py, line ")


def test_saved_match_says_how_to_resume(home: Path) -> None:
    file = put(home, TAKE_AWAY)
    run(home, "play", file, typed="1\n")
    put(home, doing("1 // 0", here="state.sticks == 3"))
    done = watched(home, "resume", "--game", file)
    blamed(done, "moves", "sticks=3", f"Resume with: python -m zerosum resume {first_id(home)}")


def test_what_a_file_prints_while_it_is_loaded_is_not_obeyed(home: Path) -> None:
    file = put(home, f"print('\\x1b[2Jhello')\n{TAKE_AWAY}")
    shown = run(home, "rules", file)
    assert (shown.returncode, shown.stderr) == (0, "�[2Jhello\n")


def test_what_rules_print_is_not_our_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is it obeyed by a terminal."""
    printed, elsewhere = io.BytesIO(), io.StringIO()
    out = Output(printed, "utf-8")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", elsewhere)
    theirs: dict[str, Any] = {"__name__": "zerosum_file_0_theirs"}
    exec("def play(): print('hell\\x1b')", theirs)
    sys.stdout.write("ours\n")
    assert not rules_print()
    for _ in range(MOST_PRINTED):
        theirs["play"]()
    sys.stdout.write("ours too\n")
    out.flush()
    monkeypatch.undo()
    assert printed.getvalue() == b"ours\nours too\n"
    assert elsewhere.getvalue() == ("hell�\n" * MOST_PRINTED)[:MOST_PRINTED] + "…\n"


def test_output_is_data_though_the_rules_print(home: Path) -> None:
    file = put(home, 'print("loaded")\n' + doing('print("hello")', PLAY))
    done = helpers.run(home, "solve", file, "--json")
    assert json.loads(done.stdout)["game"] == "take-away"
    assert done.stderr.startswith("loaded\nhello\nhello\n")
    done = helpers.run(home, "check", file)
    assert (done.stdout.count("\n"), "Your rules print. " in done.stdout) == (2, True)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the real command give rules less time."""
    code = "import sys; from zerosum.cli import run_supervised; sys.exit(run_supervised(0.2))"
    monkeypatch.setattr(helpers, "ZEROSUM", [sys.executable, "-c", code])


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", sorted({*UNSTOPPABLE} - {"keeps_the_interpreter"}))
def test_process_that_cannot_be_interrupted_is_ended(home: Path, name: str) -> None:
    text, *named = UNSTOPPABLE[name]
    done = helpers.run(home, "play", put(home, text), typed=TYPED)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ./theirs.py: ")
    assert done.stderr.count("\n") == 1
    for says in (*named, "Every move announced so far is saved. Resume with: "):
        assert says in done.stderr, done.stderr


@pytest.mark.usefixtures("quick")
def test_what_the_rules_start_ends_with_the_command(home: Path) -> None:
    # If nobody ends them, they end by themselves, and do not go on with the command.
    copy = "os.fork() or (time.sleep(40), os.kill(os.getpid(), 9))"
    file = put(home, doing(copy, here=DEEP))
    done = helpers.run(home, "solve", file)  # which reads until nobody can print any more
    assert (done.returncode, "win in 5" in done.stdout) == (0, True), done.stderr


@pytest.mark.usefixtures("quick")
def test_terminal_is_restored_after_rules_that_hang(home: Path) -> None:
    text, *_ = UNSTOPPABLE["keeps_the_interpreter"]
    with Terminal(home, "play", put(home, text)) as terminal:
        terminal.answer(("Your move: ", "1"))
        terminal.expect(
            "Error: ./theirs.py: moves (theirs.py, line ",
            "did not answer within 0.2 seconds. Every move announced",
        )
        assert terminal.wait() == 1


def test_supervised_command_is_like_any_other(home: Path) -> None:
    file = put(home, COUNTDOWN)
    done = helpers.run(home, "play", file, "--json", typed="1\n1\n1\n")
    assert (done.returncode, done.stdout[:1], "wins" in done.stderr) == (0, "{", True)
    reviewed = helpers.run(home, "review", "-", "--game", file, typed=done.stdout)
    assert (reviewed.returncode, "Player 1" in reviewed.stdout) == (0, True), reviewed.stderr
    assert helpers.run(home, "play", file, "--vs", "nobody").returncode == 2
    with Terminal(home, "play", file) as terminal:
        terminal.expect("Your move: ")
        terminal.press("\x03")
        assert terminal.wait() == 130


def test_file_typed_in_the_menu_is_supervised_from_there_on(home: Path) -> None:
    file = put(home, TAKE_AWAY)
    with Terminal(home) as terminal:
        terminal.answer(("Which game?", file))
        assert "Zerosum: games for two" not in terminal.expect("Who plays?")
        terminal.type("quit")
        assert terminal.wait() == 0


def test_killed_supervisor_takes_the_game_with_it(home: Path) -> None:
    with Piped(home, "play", put(home, TAKE_AWAY)) as game:
        game.until(text="Your move: ")
        game.kill()  # which reads until nobody can print any more
