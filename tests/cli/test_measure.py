"""`zerosum measure`."""

import json
import shlex
import signal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.cli.support import GAMES, configure, document, helpful, on_screen, run
from tests.cli.test_streams import shell
from tests.game_files import STICK, TAKE_AWAY
from tests.helpers import Piped
from tests.lab.measure.engines import EXAMPLE, command, engine
from tests.lab.measure.players import always
from zerosum.bulk.table import Table
from zerosum.documents import to_json
from zerosum.lab.measure import Measurement, ProgramLimits, measure_player
from zerosum.lab.measure.measurement_report import error_sentence, summary
from zerosum.protocol import Game
from zerosum.registry import entry_of

COMMAND = import_module("zerosum.cli.commands.measure")
LARGEST = """
def choose(game, state): return max(game.moves(state))
choose.deterministic = True
"""
# A program that plays the first legal move; once, it hangs at its 20th question.
SLOW = (
    "if number == 20 and not os.path.exists('asked'): open('asked', 'w').close(); time.sleep(60)",
    "say(id=id, move=moves[0])",
)


@always
def largest(game: Game[Any], state: Any) -> Any:
    return max(game.moves(state))


@pytest.fixture
def mine(home: Path) -> str:
    """A file of the user's with a function."""
    (home / "mine.py").write_text(LARGEST)
    return "./mine.py:choose"


def journals(home: Path) -> list[Path]:
    """List the journals that were left behind."""
    return sorted((home / ".cache" / "zerosum" / "measure").glob("*"))


def test_report_of_one_player_in_one_game(home: Path, mine: str) -> None:
    done = run(home, "measure", mine, "dual-digits")
    assert (done.returncode, done.stderr) == (0, "")
    expected = measure_player(zerosum.game("dual-digits"), largest)
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "./mine.py:choose plays Dual Digits",
        summary(expected),
        "It was asked about 127 positions, once each: it declares that it is deterministic.",
    ]
    for heading in ("What it throws away", "By difficulty", "Exact score"):
        assert any(line.startswith(heading) for line in lines)
    assert lines[lines.index("Where it errs first") :] == [
        "Where it errs first",
        *(error_sentence(error) for error in expected.errors[:5]),
        "Look at one: python -m zerosum solve dual-digits --moves 2",
    ]
    assert "After 2 (number 23, previous 2): plays 4; right: 3." in lines
    assert run(home, "solve", "dual-digits", "--moves", "2").returncode == 0
    assert journals(home) == []


def test_document_is_that_of_the_library(home: Path) -> None:
    found = document(home, "measure", "hard", "dual-digits", "--start", "9", schema="measurement")
    expected = measure_player(zerosum.game("dual-digits", start=9), "hard")
    assert found == json.loads(to_json(expected))


def test_program_and_function_and_level_measure_the_same(home: Path, mine: str) -> None:
    program = shlex.join(command(EXAMPLE))
    args = ("measure", mine, "perfect", "--exec", program, "even-steven", "dual-digits")
    found = document(home, *args, schema="measurements")["measurements"]
    assert [part["player"] for part in found] == [mine, "perfect", program] * 2
    for function, level, asked in (found[:3], found[3:]):
        assert {**asked, "player": mine} == function
        assert level["good"]["value"] == 1.0


def test_without_a_game_all_five_are_measured(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def measured_in(settings: Any, table: Table[Any], *_: Any, **how: Any) -> Measurement:
        measured.append(entry_of(table.game).name)
        return measure_player(zerosum.game("even-steven"), "random")

    monkeypatch.setattr(COMMAND, "_measured", measured_in)
    assert run(home, "measure", "random").returncode == 0
    assert measured == list(GAMES)


def test_one_player_in_several_games(home: Path) -> None:
    lines = run(home, "measure", "random", "dual-digits", "even-steven").stdout.splitlines()
    assert lines[0] == "How well random plays"
    assert [line[:12].strip() for line in lines[2:4]] == ["Dual Digits", "Even-Steven"]


def test_several_players_side_by_side(home: Path) -> None:
    args = ("measure", "easy", "random", "hard", "even-steven", "dual-digits")
    lines = run(home, *args).stdout.splitlines()
    titles = ("Even-Steven", "Dual Digits")
    assert [line for line in lines if line in titles] == [*titles]
    rows = [line.split() for line in lines]
    names = ("easy", "random", "hard")
    assert [row[0] for row in rows if row and row[0] in names] == [*names] * 4
    plain = run(home, "measure", "easy", "hard", "even-steven", "--plain").stdout
    assert "Player: hard. Decisions: 6. Right: " in plain
    assert "Player: easy. vs random: 0." in plain


def test_user_games_with_options_and_classes(home: Path) -> None:
    done = run(home, "measure", "medium", STICK, "--start", "9")
    assert done.stdout.startswith("medium plays Last Stick (start 9)\n")
    (home / "take_away.py").write_text(TAKE_AWAY)
    done = run(home, "measure", "easy", "./take_away.py:TakeAway")
    assert done.stdout.startswith("easy plays Take Away\n")
    (home / "imports.py").write_text("from zerosum import Match\n")
    helpful(run(home, "measure", "medium", "./imports.py:Match"), 1, "no class Match")


def test_sample_says_that_it_is_one(home: Path, mine: str) -> None:
    args = ("measure", mine, "dual-digits", "--budget", "40")
    done = run(home, *args, "--seed", "3")
    assert "Estimated from a sample of 40; 95% confidence interval: " in done.stdout
    assert "\nErrors closest to the start\n" in done.stdout
    unknown = "The player's own games reach more positions than the budget allows."
    assert f"Scores: unknown. {unknown}\n" in done.stdout
    assert run(home, *args, "--seed", "4").stdout != done.stdout


def test_faults_are_counted_and_shown(home: Path) -> None:
    (home / "mine.py").write_text(
        "def choose(game, state): return state.number - 3 or 1 / 0\nchoose.deterministic = True\n"
    )
    done = run(home, "measure", "./mine.py:choose", "dual-digits", "--start", "6")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    faults = lines.index("Faulty answers: 3 missing, 1 illegal.")
    assert lines[faults + 1] == (
        "Each loses the game at that point; in a decision, it counts as wrong."
    )
    failed = "choose failed: mine.py, line 1: ZeroDivisionError: division by zero (3 times)"
    assert lines[faults + 2 :] == [
        f"After 3: {failed}",
        "After 4: The answer is -1. Only these may be subtracted: 1, 2, 3, 4.",
    ]


def test_player_that_fails_does_not_stop_the_others(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(COMMAND, "USUAL_LIMITS", ProgramLimits(restarts=1))
    (home / "mine.py").write_text("import os\ndef choose(game, state): os._exit(3)\n")
    program = shlex.join(engine(home, "print('no coffee', file=sys.stderr); sys.exit(4)"))
    args = ("measure", "./mine.py:choose", "medium", "even-steven", "--exec", program)
    done = run(home, *args, "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert [part["player"] for part in found["measurements"]] == ["medium"]
    assert "Error: ./mine.py:choose failed 2 times. " in done.stderr
    assert "The last time: It ended with exit code 3.\n" in done.stderr
    assert "It ended with exit code 4. Its standard error ends with:" in done.stderr
    assert "  no coffee\n" in done.stderr
    assert "are saved" not in done.stderr  # nothing was answered


def test_picture(home: Path) -> None:
    done = run(home, "measure", "easy", "dual-digits", "--svg", "easy.svg")
    assert done.returncode == 0
    assert (home / "easy.svg").read_text().startswith("<svg")
    again = run(home, "measure", "easy", "dual-digits", "--svg", "easy.svg")
    helpful(again, 1, "easy.svg already exists; not overwritten")
    piped = run(home, "measure", "easy", "dual-digits", "--svg", "-")
    assert piped.stdout == (home / "easy.svg").read_text()


def test_progress_is_shown_on_a_terminal(home: Path, mine: str) -> None:
    done = on_screen(home, "measure", mine, "even-steven", "--no-pager")
    waiting = "\r\x1b[K./mine.py:choose, Even-Steven: waiting for the first answer (Ctrl-C stops)"
    assert done.stderr.startswith(f"{waiting}\r\x1b[K./mine.py:choose, Even-Steven: 1 of ")
    assert done.stderr.endswith("\r\x1b[K")


def test_answers_are_saved_until_the_report_is_printed(home: Path, mine: str) -> None:
    done = shell(home, "zerosum > /dev/full", "measure", mine, "dual-digits")
    assert done.returncode == 1
    assert len(journals(home)) == 1
    assert "using saved answers" in run(home, "measure", mine, "dual-digits").stderr
    assert journals(home) == []


def test_stopped_measurement_continues(home: Path) -> None:
    slow = engine(home, *SLOW)
    args = ("measure", "--exec", shlex.join(slow), "dual-digits")
    with Piped(home, *args) as process:
        while not (home / "asked").exists():
            assert process.process.poll() is None
        process.process.send_signal(signal.SIGINT)
        code, out, err = process.end()
    assert (code, out) == (130, "")
    assert err == "Saved. To continue, run the same command again.\n"
    (journal,) = journals(home)
    assert len(journal.read_text().splitlines()) == 20
    resumed = run(home, *args, "--json", "--timeout", "10")
    assert "using saved answers; --fresh asks again.\n" in resumed.stderr
    assert journals(home) == []
    expected = measure_player(zerosum.game("dual-digits"), lambda game, s: game.moves(s)[0])
    assert {**json.loads(resumed.stdout), "player": expected.player} == json.loads(
        to_json(expected)
    )


def test_named_journal_is_kept(home: Path, mine: str) -> None:
    args = ("measure", mine, "medium", "even-steven", "--journal", "all.journal")
    first = run(home, *args)
    assert first.stderr == ""
    saved = (home / "all.journal").read_text()
    again = run(home, *args)
    assert again.stdout == first.stdout
    assert again.stderr.count("--fresh asks again") == 1
    assert run(home, *args, "--fresh").stderr == ""
    assert (home / "all.journal").read_text() == saved
    (home / "mine.py").write_text(LARGEST.replace("max", "min"))  # it is asked again
    assert run(home, *args).stdout != first.stdout
    (home / "notes.txt").write_text("mine")
    foreign = run(home, "measure", mine, "even-steven", "--journal", "notes.txt")
    helpful(foreign, 1, "notes.txt is not a journal of a measurement; not overwritten")
    assert (home / "notes.txt").read_text() == "mine"


def test_program_in_a_setting(home: Path) -> None:
    program = shlex.join(command(EXAMPLE))
    by_flag = run(home, "measure", "--exec", program, "even-steven")
    assert by_flag.returncode == 0
    configure(home, f"[measure]\nexec = {json.dumps([program])}\n")
    assert run(home, "measure", "even-steven").stdout == by_flag.stdout


def test_game_that_is_too_large_is_refused(home: Path) -> None:
    done = run(home, "measure", "random", "even-steven", "--positions", "5")
    helpful(done, 1, "more than 5 positions", "--positions N allows more")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], ["Name a player: a level, a function such as ./mine.py:choose, or a program"]),
        (["meduim"], ["no level 'meduim'; did you mean medium?"]),
        (["./mine.py"], ["Name a function in ./mine.py, such as ./mine.py:choose."]),
        (["medium", "dual-digts"], ["no game 'dual-digts'; did you mean dual-digits?"]),
        (["--exec", "", "dual-digits"], ["of a program cannot be empty"]),
        (["medium", "--budget", "0"], ["--budget", "at least 1"]),
        (["medium", "--start", "5"], ["--start"]),
        (["medium", "--timeout", "0"], ["--timeout", "from 0.001 to 86,400"]),
        (["medium", "dual-digits", "--strat", "5"], ["--strat", "--start"]),
        (["medium", "dual-digits", "even-steven", "--start", "5"], ["No such option", "--start"]),
    ],
)
def test_wrong_command_lines(home: Path, args: list[str], says: list[str]) -> None:
    (home / "mine.py").write_text(LARGEST)
    helpful(run(home, "measure", *args), 2, *says)
    assert journals(home) == []


def test_help_lists_the_options_of_a_game(home: Path) -> None:
    for words in (["medium", "dual-digits"], ["dual-digits"], ["--exec", "x", "dual-digits"]):
        assert "--numbers NUMBERS" in run(home, "measure", *words, "--help").stdout
    assert "Name a game before --help" in run(home, "measure", "--help").stdout
