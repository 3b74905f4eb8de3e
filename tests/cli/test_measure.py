"""`zerosum measure`."""

import json
import resource
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
from tests.helpers import Piped, eventually
from tests.lab.measure.players import always
from tests.players.engines import EXAMPLE, command, engine
from zerosum.bulk.table import Table
from zerosum.documents import to_json
from zerosum.lab.measure import ProgramLimits, measure_player
from zerosum.lab.measure.measurement_report import error_sentence, summary
from zerosum.lab.measure.measuring import Measured, measured_answers
from zerosum.protocol import Game
from zerosum.registry import entry_of

COMMAND = import_module("zerosum.cli.commands.lab.measure")
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
    return sorted((home / ".cache" / "zerosum" / "measurement").glob("*"))


def test_report_of_one_player_in_one_game(home: Path, mine: str) -> None:
    done = run(home, "measure", mine, "dual-digits")
    assert (done.returncode, done.stderr) == (0, "")
    expected = measure_player(zerosum.game("dual-digits"), largest)
    lines = done.stdout.splitlines()
    assert lines[:4] == [
        "./mine.py:choose plays Dual Digits",
        summary(expected),
        "Slip rate: 87.1%, like random.",
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

    def measured_in(settings: Any, table: Table[Any], *_: Any, **how: Any) -> Measured:
        measured.append(entry_of(table.game).name)
        return measured_answers(Table(zerosum.game("even-steven")), "random")

    monkeypatch.setattr(COMMAND, "_measured", measured_in)
    assert run(home, "measure", "random").returncode == 0
    assert measured == list(GAMES)


def test_one_player_in_several_games(home: Path) -> None:
    lines = run(home, "measure", "random", "dual-digits", "even-steven").stdout.splitlines()
    assert lines[0] == "How well random plays"
    assert [line[:12].strip() for line in lines[2:4]] == ["Dual Digits", "Even-Steven"]


def test_several_players_are_compared(home: Path) -> None:
    args = ("measure", "easy", "random", "hard", "even-steven", "dual-digits")
    lines = run(home, *args).stdout.splitlines()
    assert lines[0] == "Players compared"
    rows = [line.split() for line in lines]
    names = ["easy", "random", "hard"]
    first = [row[0] for row in rows if len(row) > 1 and row[0] in names and row[1] != "−"]
    assert first == ["hard", "easy", "random", *names * 4]  # over all games, and in each of two
    assert [" ".join(row[:3]) for row in rows if "−" in row[1:2]] == [
        "hard − easy",
        "hard − random",
        "easy − random",
    ]
    plain = run(home, "measure", "easy", "hard", "even-steven", "--plain").stdout
    assert "Player: hard. Slip rate: 10.0%. Right: 95.0%. Regret: 0.100.\n" in plain
    assert "Players: hard − easy. Right: +20.0%. Regret: −0.400.\n" in plain
    assert "Player: easy. vs random: 0." in plain


def test_what_is_found_is_written_for_a_paper(home: Path) -> None:
    args = ("measure", "easy", "hard", "even-steven")
    papers = ("--csv", "a.csv", "--markdown", "a.md", "--latex", "a.tex", "--svg", "a.svg")
    done = run(home, *args, *papers)
    assert done.returncode == 0
    assert done.stderr == "".join(f"Wrote a.{kind}.\n" for kind in ("svg", "csv", "md", "tex"))
    assert done.stdout == run(home, *args).stdout
    assert (home / "a.md").read_text().startswith("# Even-Steven: players compared\n\n6 decisions;")
    assert r"\subsection*{Even-Steven: players compared}" in (home / "a.tex").read_text()
    head, *rows = (home / "a.csv").read_text().splitlines()
    assert head.startswith("game,options,title,player,")
    assert len(rows) == 2
    for paper, name in zip(papers[::2], papers[1::2], strict=True):
        before = (home / name).read_bytes().decode()
        assert run(home, *args, paper, "-").stdout == before
        again = run(home, *args, paper, name)
        helpful(again, 1, f"{name} already exists; not overwritten")
        assert (home / name).read_bytes().decode() == before
    single = run(home, "measure", "easy", "even-steven", "--latex", "-").stdout
    assert r"\subsection*{easy plays Even-Steven}" in single


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


def test_players_that_only_fail_are_an_error_and_worse_than_random(home: Path) -> None:
    (home / "mine.py").write_text("def choose(game, state): raise ValueError\n")
    done = run(home, "measure", "./mine.py:choose", "dual-digits", "--samples", "1")
    assert done.returncode == 1
    assert done.stderr == "Error: every answer of ./mine.py:choose to Dual Digits was faulty.\n"
    lines = done.stdout.splitlines()
    assert lines[1].startswith("Every answer was faulty. The first: choose failed: ")
    assert lines[2] == "Slip rate: 100%, worse than random."


def test_faults_are_counted_and_shown(home: Path) -> None:
    (home / "mine.py").write_text(
        "def choose(game, state): return state.number - 3 or 1 / 0\nchoose.deterministic = True\n"
    )
    done = run(home, "measure", "./mine.py:choose", "dual-digits", "--start", "6")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    faults = lines.index("Faulty answers: 3 lost in a crash, 1 illegal.")
    assert lines[faults + 1] == (
        "Each loses the game at that point; in a decision, it counts as wrong."
    )
    failed = "choose failed: mine.py, line 1: ZeroDivisionError: division by zero"
    assert lines[faults + 2 :] == [
        f"After 3: {failed} (the first of 3 such answers)",
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


def test_progress_is_shown_on_a_terminal(home: Path, mine: str) -> None:
    done = on_screen(home, "measure", mine, "even-steven", "--no-pager")
    waiting = "\r\x1b[K./mine.py:choose, Even-Steven: waiting for the first answer (Ctrl-C stops)"
    assert done.stderr.startswith(f"{waiting}\r\x1b[K./mine.py:choose, Even-Steven: 1 of ")
    assert done.stderr.endswith("\r\x1b[K")
    done = on_screen(home, "measure", "easy", "even-steven", "--no-pager")
    assert done.stderr == "\r\x1b[Kmeasuring easy, Even-Steven … (Ctrl-C stops)\r\x1b[K"


def test_answers_are_saved_until_the_report_is_printed(home: Path, mine: str) -> None:
    done = shell(home, "zerosum > /dev/full", "measure", mine, "dual-digits")
    assert done.returncode == 1
    assert len(journals(home)) == 1
    assert "using saved answers" in run(home, "measure", mine, "dual-digits").stderr
    assert journals(home) == []


def test_stopped_measurement_continues(home: Path) -> None:
    slow = engine(home, *SLOW)
    args = ("measure", "--exec", shlex.join(slow), "dual-digits")
    with Piped(home, *args, "--jobs", "3") as process:
        eventually((home / "asked").exists)
        process.process.send_signal(signal.SIGINT)
        code, out, err = process.end()
    assert (code, out) == (130, "")
    assert err == "Saved. To continue, run the same command again.\n"
    (journal,) = journals(home)
    saved = len(journal.read_text().splitlines())
    assert saved > 20
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
    assert run(home, "measure", f"exec:{program}", "even-steven").stdout == by_flag.stdout
    configure(home, f"[measure]\nexec = {json.dumps([program])}\n")
    assert run(home, "measure", "even-steven").stdout == by_flag.stdout


def test_game_that_is_too_large_is_refused(home: Path) -> None:
    done = run(home, "measure", "random", "digit-battle", "--positions", "5")
    helpful(done, 1, "more than 5 positions", "--positions N allows more")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], ["Name a player: a level, a function such as ./mine.py:choose, or a program"]),
        (["meduim"], ["no level 'meduim'; did you mean medium?"]),
        (
            ["medium", "dual-digts"],
            ["no player or game called 'dual-digts'; did you mean dual-digits?"],
        ),
        (["--exec", "", "dual-digits"], ["of a program cannot be empty"]),
        (["medium", "--budget", "0"], ["--budget", "at least 1"]),
        (["medium", "--start", "5"], ["--start"]),
        (["medium", "--timeout", "0"], ["--timeout", "from 0.001 to 86,400"]),
        (["medium", "--samples", str(10**40)], ["--samples", "from 1 to 10,000"]),
        (["medium", "--jobs", str(10**40)], ["--jobs", "from 1 to 1,024"]),
        (["medium", "dual-digits", "--strat", "5"], ["--strat", "--start"]),
        (["medium", "dual-digits", "even-steven", "--start", "5"], ["No such option", "--start"]),
    ],
)
def test_wrong_command_lines(home: Path, args: list[str], says: list[str]) -> None:
    (home / "mine.py").write_text(LARGEST)
    helpful(run(home, "measure", *args), 2, *says)
    assert journals(home) == []


@pytest.mark.parametrize("flag", ["--svg", "--csv", "--rows"])
def test_full_disk_leaves_no_half_of_a_file(home: Path, flag: str) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    out = home / "out"
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        done = run(home, "measure", "easy", "even-steven", flag, str(out))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    helpful(done, 1, "out cannot be written: File too large")
    assert list(home.glob("out*")) == []
    assert run(home, "measure", "easy", "even-steven", flag, str(out)).returncode == 0


def test_help_lists_the_options_of_a_game(home: Path) -> None:
    for words in (["medium", "dual-digits"], ["dual-digits"], ["--exec", "x", "dual-digits"]):
        assert "--numbers N,N,…" in run(home, "measure", *words, "--help").stdout
    assert "Name a game before --help" in run(home, "measure", "--help").stdout
