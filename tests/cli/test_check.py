"""`zerosum new` and `check`, and files that should hold a game."""

import re
from itertools import count
from pathlib import Path

import pytest

import zerosum
from tests.cli.bad_rules import doing
from tests.cli.support import helpful, run
from tests.game_files import COUNTDOWN, STICK
from zerosum.cli.playing.prompt_commands import PROMPT_COMMANDS
from zerosum.cli.playing.puzzle_session import PUZZLE_COMMANDS
from zerosum.limits import Limits
from zerosum.testing import NO_END, Checked, conformance
from zerosum.wording.words import RESERVED

# Every way in which a file cannot be loaded is in tests/test_registry.py.
FILES: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["has no game", "initial"]),
    "not a dataclass": (
        b"from zerosum import option\n"
        + COUNTDOWN.replace("@dataclass(frozen=True)\n", "")
        .replace("(Game[State]):", "(Game[State]):\n    start: int = option(3)")
        .encode(),
        ["@dataclass(frozen=True)", "class Countdown"],
    ),
    "binary": (bytes(range(256)), ["could not be loaded"]),
    "escape": (b"raise ValueError('\\x1b[31mred')\n", ["could not be loaded", "line 1"]),
}


@pytest.mark.parametrize("what", list(FILES))
def test_file_without_a_game_is_explained(home: Path, what: str) -> None:
    content, says = FILES[what]
    (home / "mine.py").write_bytes(content)
    for command in ("play", "check"):
        helpful(run(home, command, "./mine.py"), 1, "mine.py", *says)


def test_new_writes_a_conforming_playable_game(home: Path) -> None:
    done = run(home, "new", "knights_duel.py")
    assert done.returncode == 0
    assert done.stdout.startswith("Wrote knights_duel.py. ")
    assert "zerosum check ./knights_duel.py\n" in done.stdout
    assert "zerosum play ./knights_duel.py\n" in done.stdout
    text = (home / "knights_duel.py").read_text()
    assert "class KnightsDuel(Game[State]):" in text
    assert "NewGame" not in text
    checked = run(home, "check", "./knights_duel.py", "--start", "5")
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.splitlines() == [
        "Knights Duel conforms (22 positions checked). Solved, with 22 positions. "
        "The start is a win in 6 for the player who moves first.",
        "Knights Duel (start 5) conforms (10 positions checked). Solved, with 10 positions. "
        "The start is a loss in 3 for the player who moves first.",
    ]
    assert "Sticks: 10" in run(home, "play", "knights_duel.py", typed="1\n").stdout


def test_new_refuses_other_than_python_file_names(home: Path) -> None:
    for name in ("mine", "my-game.py", "1.py", "class.py", ".py", "a b.py", ""):
        helpful(run(home, "new", name), 2, f"Python cannot import '{name}'", "ending in .py.")
    helpful(run(home, "new", "nowhere/mine.py"), 1, "nowhere/mine.py cannot be written")
    assert list(home.iterdir()) == []


def test_new_avoids_taken_class_names(home: Path) -> None:
    for name in ("game.py", "state.py", "none.py", "_1.py"):
        assert run(home, "new", name).returncode == 0
        assert run(home, "check", name).returncode == 0


def test_check_names_a_fault_that_only_the_table_meets(home: Path) -> None:
    (home / "mine.py").write_text(doing("1 // 0", here="state.sticks == 1000"))
    done = run(home, "check", "./mine.py", "--start", "3000")
    assert (done.returncode, "zerosum check" in done.stderr) == (1, False)
    assert "TakeAway.moves at State(sticks=1000, player=" in done.stderr


def test_moves_that_nobody_can_type_are_refused_before_a_game_starts(home: Path) -> None:
    (home / "mine.py").write_text(COUNTDOWN.replace("(1,)", "((1, 2),)"))
    says = "a move at State(number=3, player=0) must be an integer or a string, not (1, 2); "
    for command in (["check"], ["play"], ["play", "--vs", "easy"], ["solve"]):
        done = run(home, *command, "mine.py")
        helpful(done, 1, says)
        named = "Run 'zerosum check ./mine.py' for details." in done.stderr
        assert named == (command != ["check"])


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ("moves: int = option(3)", "mine.py: Countdown.moves is a method of every game; rename"),
        ("_x: int = 3", "mine.py: Countdown._x begins with an underscore; rename the option."),
        ("x: bool = option(True, choices=(True,))", "mine.py, line 12: OptionError: choices: are"),
    ],
)
def test_badly_declared_options_are_explained(home: Path, declared: str, says: str) -> None:
    (home / "mine.py").write_text(with_options(declared))
    for command in ("play", "check"):
        helpful(run(home, command, "mine.py"), 1, says)
    assert run(home, "play", "mine.py", "--help").returncode == 0


def with_options(*declared: str) -> str:
    rules = COUNTDOWN.replace("import Game,", "import option, Game,")
    return rules.replace("Game[State]):", "\n    ".join(["Game[State]):", *declared]))


THEORY = """
from zerosum import Theory, Value, Words
class CountdownTheory(Theory):
    def value(self, state): return Value("win" if state.number % 2 else "loss", state.number)
"""


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ("    def value(self, state): return 5", "CountdownTheory.value(State(number=3, "),
        ("    def value(self, state): return Value([], 3)", "must return Value('win', 'loss'"),
        ("    def statement(self): return 5", "CountdownTheory.statement() must return a string"),
        ("class Own(Words): puzzles = 5", "Own.puzzles must be a tuple of options, such as ({},)"),
        ("class Own(Words): signs = ('X',)", "Own.signs must be two strings of at most 100"),
    ],
)
def test_wrong_answers_of_theory_and_words_are_explained(home: Path, own: str, says: str) -> None:
    (home / "mine.py").write_text(f"{COUNTDOWN}{THEORY}{own}\n")
    for command in ("check", "solve", "explain"):
        done = run(home, command, "mine.py")
        assert done.returncode == 1
        assert "Error: " in done.stderr
        assert "mine.py" in done.stderr
        assert says in done.stderr


def test_check_says_what_it_could_not_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    report = conformance(zerosum.game("digit-battle", lives=2)).text
    assert report.endswith("positions, symmetric ones counted once. The start is a draw (endless).")
    monkeypatch.setattr("zerosum.testing.PERSON", Limits(20))
    report = conformance(zerosum.game("digit-battle", lives=2)).text
    assert "It was not solved: Digit Battle has more than 20 positions" in report
    report = conformance(zerosum.game("divisor-duel", start=101)).text
    assert report.endswith(
        "not compared to a table. The start is a loss in 18 for the player who moves first."
    )


def test_check_says_that_no_end_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.testing.check_within", lambda *_: Checked(9, True, ended=False))
    text = conformance(zerosum.game(STICK)).text
    assert text.startswith(NO_END)
    assert "Otherwise, Last Stick conforms (9 positions checked)." in text


def test_check_and_audit_begin_with_the_warning_that_no_game_ended(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerosum.lab.audit.auditing.AUDIT_NODES", 1_000)
    assert run(home, "new", "endless.py").returncode == 0
    rules = (home / "endless.py").read_text()
    (home / "endless.py").write_text(rules.replace("sticks - move,", "sticks + move,"))
    assert run(home, "check", "./endless.py").stdout.startswith(NO_END)
    done = run(home, "audit", "./endless.py", "--all", "--positions", "200")
    assert done.returncode == 1
    assert f"\nVerdict\n{NO_END}\n" in done.stdout
    assert f"Warning no-end-met: {NO_END}" in done.stdout
    assert "zerosum starts" not in done.stdout
    assert "The exit code is 1: the game was not solved." in done.stderr


def test_check_says_how_far_it_got_with_slow_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.testing.checker.monotonic", count(0.0, 0.01).__next__)
    report = conformance(zerosum.game("even-steven", start=9), seconds=2.5).text
    came = "no fault was found, but only [1-9] positions? could be checked within 2.5 seconds"
    assert re.match(rf"Even-Steven \(start 9\): {came}", report)
    report = conformance(zerosum.game("even-steven", start=9), seconds=0.2).text
    assert "not even the first position could be checked" in report


def test_check_refuses_missing_files_and_bad_options(home: Path) -> None:
    helpful(run(home, "check", "nothing.py"), 2, "There is no file nothing.py.")
    helpful(run(home, "check", "even-steven", "--start", "0"), 2, "--start", "at least 1")
    helpful(run(home, "check"), 2, "FILE")
    helpful(run(home, "check", "."), 2, "There is no game '.'; the games are even-steven")


def test_prompt_commands_are_reserved() -> None:
    assert {*PROMPT_COMMANDS, *PUZZLE_COMMANDS} <= RESERVED
