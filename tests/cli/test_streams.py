"""Standard output and standard error."""

import json
import os
import resource
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.support import first_id, run
from tests.helpers import PATIENCE, ZEROSUM, Piped, clean_env, stored


def shell(
    home: Path, line: str, *args: str, typed: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `zerosum` is the command with some arguments."""
    command = shlex.join([*ZEROSUM, *args])
    done = subprocess.run(
        ["bash", "-c", line.replace("zerosum", command)],
        input=typed,
        capture_output=True,
        text=True,
        env=clean_env(home, **env),
        cwd=home,
        timeout=PATIENCE,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


@pytest.mark.parametrize("typed", ["", "x\n1\n", "1\nquit\n", "draw\nyes\n"])
def test_json_is_alone_on_standard_output(home: Path, typed: str) -> None:
    name = "even-steven"
    done = run(home, "play", name, "--json", typed=typed)
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert (document["format"], document["version"]) == ("zerosum-match", 3)
    assert document["game"] == name
    assert document["rounds"][0]["moves"] == ([1] if "1" in typed else [])
    assert document["over"] is ("yes" in typed)
    assert document.get("id") == (first_id(home) if "1" in typed else None)
    assert ("is not a whole number" in done.stderr) is ("x" in typed)
    out = run(home, "play", name, typed=typed).stdout
    assert done.stderr.startswith(out)


def test_json_is_one_document_whatever_the_style(home: Path) -> None:
    run(home, "play", "even-steven", "--start", "1", "--names", "Zoë", "李", typed="1\n")
    for args in (["games"], ["history"], ["stats"], ["show", first_id(home)]):
        for env in ({"FORCE_COLOR": "1"}, {"ZEROSUM_PLAIN": "1"}):
            done = run(home, *args, "--json", **env)
            assert (done.returncode, done.stderr) == (0, "")
            assert json.loads(done.stdout)["format"].startswith("zerosum-")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_game_with_closed_streams(home: Path, closed: str) -> None:
    done = shell(home, f"zerosum {closed}", "play", "even-steven", typed="1\nx\n1\n")
    assert done.returncode == 0
    if "<" in closed:
        assert "nothing to save" in done.stderr or "2>&-" in closed
    else:
        assert stored(home).round.moves == (1, 1)
    if ">&-" not in closed.replace("2>&-", ""):
        assert "Starting Number: 15" in done.stdout
    if "2>&-" not in closed and "<" not in closed:
        assert "Resume with: " in done.stderr


def test_error_without_standard_error_keeps_its_exit_code(home: Path) -> None:
    for line in ("zerosum 2>&-", "zerosum 2>/dev/full"):
        assert shell(home, line, "show", "nonsense").returncode == 1


# A page, what click prints itself, and a game.
@pytest.mark.parametrize("args", [["rules", "even-steven"], ["--version"], ["resume"]])
def test_closed_pipe_is_not_an_error(home: Path, args: list[str]) -> None:
    run(home, "play", "digit-battle", typed="1\n")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*ZEROSUM, *args],
        input=b"1\n",
        stdout=writing,
        stderr=subprocess.PIPE,
        env=clean_env(home),
        cwd=home,
        timeout=PATIENCE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_broken_pipe_keeps_the_moves_read_so_far(home: Path) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed("1\n")
        game.until(text="New Number: 14")
        game.stdout.close()
        assert game.end("1\n" * 5) == (0, "", "")
    match = stored(home)
    assert 1 <= match.ply <= 6
    assert f"Current Number: {15 - match.ply}\n" in run(home, "resume").stdout


def test_broken_standard_error_is_not_an_error(home: Path) -> None:
    with Piped(home, "play", "even-steven", "--json") as game:
        assert b"Even-Steven" in game.stderr.readline()
        game.stderr.close()
        assert game.end("1\n" * 5)[0] == 0


FULL = "Error: Could not write the output: no space left on device."


@pytest.mark.parametrize(
    "args", [["--version"], ["show"], ["history", "--json"], ["games"], ["rules", "dual-digits"]]
)
def test_full_device_is_reported_without_a_word_about_moves(home: Path, args: list[str]) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    done = shell(home, "zerosum > /dev/full", *args)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, FULL)


def test_game_on_a_full_device_stops_with_an_error(home: Path) -> None:
    done = shell(home, "zerosum > /dev/full", "play", "even-steven", typed="1\n1\n")
    assert done.returncode == 1
    assert done.stderr == f"{FULL}\n"  # no move was made


def test_full_disk_loses_no_move(home: Path) -> None:
    # The file for the output has room for a little more than two moves, under a limit on size.
    out, limit = home / "out", 1 << 22
    out.touch()
    os.truncate(out, limit - 500)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with out.open("ab") as stream:
        done = subprocess.run(
            [*ZEROSUM, "play", "even-steven", "--start", "1000"],
            input=b"1\n" * 20,
            stdout=stream,
            stderr=subprocess.PIPE,
            env=clean_env(home),
            cwd=home,
            preexec_fn=limited,
            timeout=PATIENCE,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: Could not write the output: file too large. Every move")
    printed = out.read_bytes()[limit - 500 :]
    announced = printed.count(b"New Number: ")
    match = stored(home)
    assert 1 <= announced <= match.ply <= announced + 1
    assert run(home, "resume").stdout.count(f"Current Number: {1000 - match.ply}\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_missing_characters_are_replaced(home: Path, encoding: str) -> None:
    done = subprocess.run(
        [*ZEROSUM, "play", "even-steven", "--names", "Zoë", "李"],
        input="½\n1\n".encode(),
        capture_output=True,
        env=clean_env(home, PYTHONIOENCODING=encoding),
        cwd=home,
    )
    assert done.returncode == 0
    assert "New Number: 14" in done.stdout.decode(encoding)
    assert stored(home).players == ("Zoë", "李")
