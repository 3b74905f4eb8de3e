"""Programs and functions of one's own at the table: named, played, interrupted, at fault."""

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.support import document, helpful, in_menu, run
from tests.helpers import Terminal, eventually, stored
from tests.helpers import run as run_apart
from tests.players.engines import EXAMPLE, command, engine
from tests.players.test_engines import COPYCAT, named
from tests.players.test_programs import has_ended

STICKS = EXAMPLE.parent / "last_stick.py"
PLAY = ("play", "even-steven", "--start", "6", "--first", "1", "--seed", "1")


def test_play_against_a_program_and_resume(home: Path) -> None:
    name = named(command(COPYCAT))
    begun = run(home, *PLAY, "--vs", name, typed="1\n")
    again = f"--vs {shlex.quote(name)}"
    assert "You subtract 1.\nNew Number: 5\n\nComputer (copycat.py) subtracts 1" in begun.stdout
    assert begun.stderr.endswith(f"{again}\n")
    (id_,) = [line.split()[0] for line in run(home, "history").stdout.splitlines()[1:]]
    assert f"Computer (copycat.py) is {name}\n" in run(home, "show").stdout
    helpful(run(home, "resume"), 1, f"{shlex.quote(name)}, which starts only if you name it", again)
    helpful(run(home, "resume", "--vs", "exec:other"), 1, "not exec:other.")
    wrapped = name.replace(" ", "\n ")  # as it is copied from a narrow terminal
    done = run(home, "resume", id_, "--vs", wrapped, typed="2\n1\n")
    assert done.returncode == 0
    assert list(stored(home).round.moves) == [1, 1, 2, 2, 1]
    assert "You against Computer (copycat.py)" in run(home, "review").stdout
    record = json.loads(run(home, "export").stdout)
    assert record["bots"] == [None, name]
    assert "Computer (copycat.py)" in run(home, "stats").stdout
    document(home, "show", "--json", schema="match")


def test_reading_a_record_or_a_database_starts_no_program(home: Path, tmp_path: Path) -> None:
    run(home, *PLAY, "--vs", named(command(COPYCAT)), typed="1\n")
    record = json.loads(run(home, "export").stdout)
    marker, file = tmp_path / "marker", tmp_path / "record.json"
    record["bots"][1] = f"exec:touch {marker}"
    file.write_text(json.dumps({**record, "id": "elsewhere1"}))
    assert run(home, "import", str(file)).returncode == 0
    for words in (("show",), ("history",), ("review",), ("stats",), ("resume",)):
        run(home, *words, *(("elsewhere1",) if words[0] in ("show", "review", "resume") else ()))
    menu = in_menu(home, "r", "q")
    assert "Resume with: " in menu.stdout
    assert "--vs" in menu.stdout
    assert not marker.exists()
    helpful(run(home, "resume", "elsewhere1", "--vs", f"exec:touch {marker}"), 1, "is not ready")
    assert marker.exists()


def test_watch_programs_functions_and_levels(home: Path, tmp_path: Path) -> None:
    (home / "mine.py").write_text("def choose(game, state): return game.moves(state)[-1]")
    name = named(command(COPYCAT))
    watch = ("play", "even-steven", "--seed", "1", "--watch")
    done = run(home, *watch, name, "hard")
    assert "Computer (copycat.py) subtracts 1" in done.stdout
    assert "Hard " in done.stdout
    done = run(home, *watch, "./mine.py:choose", name, "--quiet", "--games", "2")
    assert "Computer (mine.py:choose) " in done.stdout
    same = run(home, *watch, name, name, "--quiet", "--games", "2")
    assert "Score after game 2 of 2: Computer (copycat.py 1) 1, Computer (copycat.py 2) 1" in (
        same.stdout
    )


def test_own_game_against_a_program(home: Path) -> None:
    name = named(command(EXAMPLE))
    play = ("play", str(STICKS), "--start", "5", "--first", "1", "--vs", name)
    done = run_apart(home, *play, typed="1\n1\n")
    assert done.returncode == 0
    assert "Computer (engine.py) wins" in done.stdout


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("say(id=id, move=9)", "gave no legal move in 2 tries. The last time: The answer is 9."),
        ("print('no coffee', file=sys.stderr); os._exit(3)", "ends with:\n  no coffee\nEvery move"),
    ],
)
def test_fault_of_a_program_ends_no_game(home: Path, tmp_path: Path, does: str, says: str) -> None:
    name = named(engine(tmp_path, does))
    done = run(home, *PLAY, "--vs", name, typed="1\n1\n")
    assert done.returncode == 1
    saved = "Every move announced so far is saved. Resume with: "
    for text in (f"Error: {name} gave no legal move", says, saved, f"--vs '{name}'"):
        assert text in done.stderr
    match = stored(home)
    assert (match.over, list(match.round.moves)) == (False, [1])
    engine(tmp_path, "say(id=id, move=moves[0])")  # mended
    assert run(home, "resume", "--vs", name, typed="1\n1\n").returncode == 0
    assert stored(home).over


def test_late_program_loses_on_time_with_a_clock(home: Path, tmp_path: Path) -> None:
    name = named(engine(tmp_path, "time.sleep(60)"))
    done = run(home, *PLAY, "--vs", name, "--clock", "0.5", typed="1\n")
    assert "No answer came within 0.5 s." in done.stderr + done.stdout
    end = stored(home).round.end
    assert end is not None
    assert (end.by, end.winner) == ("time", 0)


def test_program_that_is_not_ready_is_named_before_the_first_move(home: Path) -> None:
    done = run(home, *PLAY, "--vs", "exec:./missing")
    helpful(done, 1, "exec:./missing cannot be started: No such file or directory.")
    (home / "engine.py").touch()
    helpful(run(home, *PLAY, "--vs", "exec:./engine.py"), 1, "; try 'exec:python ./engine.py'.")
    helpful(run(home, *PLAY, "--vs", "exec:"), 2, "command line of a program cannot be empty.")
    helpful(run(home, *PLAY, "--vs", "./missing.py:choose"), 2, "There is no file ./missing.py.")
    assert done.stdout == ""


def test_program_cannot_be_offered_a_draw(home: Path) -> None:
    done = run(home, *PLAY, "--vs", named(command(COPYCAT)), typed="draw\n1\n")
    assert "Computer (copycat.py) only chooses moves: it cannot be offered a draw." in (
        done.stdout + done.stderr
    )
    assert list(stored(home).round.moves) == [1, 1]


def test_thinking_program_is_interrupted(home: Path, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    does = f"open({str(pid)!r}, 'w').write(str(os.getpid()) + ' '); time.sleep(60)"
    name = named(engine(tmp_path, does))
    with Terminal(home, *PLAY, "--vs", name, columns=300) as terminal:
        terminal.answer(("choice: ", "1"))
        terminal.expect("engine.py is thinking …")
        eventually(lambda: pid.exists() and pid.read_text().endswith(" "))
        terminal.press("\x03")
        terminal.expect("Saved. Resume with: ", "--vs")
        assert terminal.wait() == 130
    assert has_ended(int(pid.read_text()))
    assert list(stored(home).round.moves) == [1]


@pytest.mark.parametrize(
    ("engines", "says"),
    [
        (("python",), "Name a program and its command line: NAME=COMMAND."),
        (("hard=python",), "hard cannot name a program: "),
        (("a b=python",), "a b cannot name a program: "),
        (("Deep=./missing",), "There is no program ./missing."),
        (("Deep=./engine.py 7",), "engine.py is not executable; try 'Deep=python ./engine.py 7'."),
        (("Deep=./engine",), "./engine is not executable; try chmod +x ./engine."),
        (("Deep=",), "The command line of a program cannot be empty."),
        (("Deep=sh", "deep=sh"), "Two programs are called deep."),
    ],
)
def test_programs_that_a_server_cannot_offer(
    home: Path, engines: tuple[str, ...], says: str
) -> None:
    (home / "engine.py").touch()
    (home / "engine").touch()
    named = [word for engine in engines for word in ("--engine", engine)]
    helpful(run(home, "web", "--no-open", *named), 2, says)


def test_match_with_the_program_of_a_server_is_not_resumed_here(home: Path) -> None:
    run(home, *PLAY, "--vs", "easy", typed="1\n")
    record = json.loads(run(home, "export").stdout)
    record |= {"id": "elsewhere1", "bots": [None, "engine:Deep"]}
    (home / "record.json").write_text(json.dumps(record))
    run(home, "import", "record.json")
    helpful(run(home, "resume", "elsewhere1"), 1, "Deep is a program of a server; play against it")
    refused = run(home, *PLAY, "--vs", "engine:Deep")
    helpful(refused, 2, "Deep is a program of a server; play against it there, with --server URL.")
