from __future__ import annotations

import json
import os
import pty
import re
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import helpers
from tests.helpers import PATIENCE, ZEROSUM, Terminal, clean_env
from zerosum.cli.app import COMMANDS
from zerosum.match import Match
from zerosum.store import SqliteStore

ESC = "\x1b"
GAMES = ["even-steven", "divisor-duel", "dual-digits", "number-navigator", "digit-battle"]


def run(home: Path, *args: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return helpers.run(home, *args, typed=typed, timeout=PATIENCE, **env)


def database(home: Path) -> Path:
    return home / ".local/share/zerosum/zerosum.db"


def stored(file: Path) -> Match:
    store = SqliteStore(str(file))
    try:
        (line,) = store.matches()
        return store.load(line.id).match
    finally:
        store.close()


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


# Colour.

SAID = "seven\n0\nhelp\nundo\nsave\n1\nhint\nquit\n"
EVERY = [
    ["games"],
    ["rules", "digit-battle"],
    ["history"],
    ["stats"],
    ["show", "{id}"],
    ["export", "{id}"],
    ["resume", "{id}"],
    ["--help"],
    ["play", "--help"],
    ["play", "dual-digits", "--help"],
    ["completion", "bash"],
    ["nonsense"],
    ["play", "evensteven"],
]


def first_id(home: Path) -> str:
    text = run(home, "history", "--json").stdout
    return str(json.loads(text)["matches"][0]["id"])


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_a_pipe_has_no_escape_codes(home: Path, name: str) -> None:
    done = run(home, "play", name, "--games", "2", "--first", "random", typed=SAID)
    assert "is not a whole number" in done.stdout
    assert ESC not in done.stdout + done.stderr
    assert "\r" not in done.stdout


@pytest.mark.parametrize("args", EVERY, ids=" ".join)
def test_a_command_in_a_pipe_has_no_escape_codes(home: Path, args: list[str]) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="resign\n")
    run(home, "play", "even-steven", typed="1\n")
    id_ = first_id(home)
    done = run(home, *(arg.format(id=id_) for arg in args))
    assert ESC not in done.stdout + done.stderr
    assert not re.search("[╭│╰┃━┏]", done.stdout)


def asides(text: str) -> str:
    """What is said in colour, and nothing else."""
    return "".join(re.findall(r"\x1b\[[1-9]\d*m(.*?)\x1b\[0m", text, re.DOTALL))


def test_force_color_colours_our_remarks_and_never_a_line_of_the_book(home: Path) -> None:
    (home / "a").mkdir()
    (home / "b").mkdir()
    for name in GAMES:
        plain = run(home / "a", "play", name, typed=SAID)
        coloured = run(home / "b", "play", name, typed=SAID, FORCE_COLOR="1")
        # Each of the two has an id of its own.
        assert (
            re.sub(r"\x1b\[\d+m", "", coloured.stdout).splitlines()[:6]
            == (plain.stdout.splitlines()[:6])
        )
        said = asides(coloured.stdout)
        assert "'seven' is not a whole number." in said
        assert "undo: take back the last move" in said
        book = re.sub(r"\x1b\[[1-9]\d*m.*?\x1b\[0m", "", coloured.stdout, flags=re.DOTALL)
        assert ESC not in book
        quiet = run(home / "a", "play", name, typed="1\n").stdout
        for line in filter(None, quiet.splitlines()):
            assert line in coloured.stdout
            assert line not in said


def on_a_terminal(home: Path, *flags: str, **env: str) -> str:
    with Terminal(home, *flags, "play", "even-steven", columns=200, **env) as screen:
        screen.expect("choice: ")
        screen.type("seven")
        screen.expect("is not a whole number")
        screen.expect("choice: ")
        screen.type("1")
        screen.expect("choice: ")
        screen.type("quit")
        assert screen.wait() == 0
        return screen.seen


@pytest.mark.parametrize(
    "env", [{}, {"NO_COLOR": ""}, {"FORCE_COLOR": "1"}, {"FORCE_COLOR": "1", "TERM": "xterm"}]
)
def test_a_terminal_has_colour(home: Path, env: dict[str, str]) -> None:
    seen = on_a_terminal(home, **env)
    assert "'seven' is not a whole number." in asides(seen)
    assert "Player 1's Turn" not in asides(seen)
    assert f"{ESC}[" not in seen.partition("choice: ")[0]


@pytest.mark.parametrize(
    ("flags", "env"),
    [
        ([], {"NO_COLOR": "1"}),
        ([], {"NO_COLOR": "0"}),
        ([], {"TERM": "dumb"}),
        (["--no-color"], {}),
        (["--plain"], {}),
        ([], {"ZEROSUM_PLAIN": "1"}),
        (["--no-color"], {"FORCE_COLOR": "1"}),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
        ([], {"FORCE_COLOR": "", "TERM": "dumb"}),
    ],
)
def test_a_terminal_without_colour_has_no_escape_code_at_all(
    home: Path, flags: list[str], env: dict[str, str]
) -> None:
    assert ESC not in on_a_terminal(home, *flags, **env)


def test_the_flag_works_after_the_command_too(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--no-color") as screen:
        screen.expect("choice: ")
        screen.type("x")
        screen.expect("Legal now")
        screen.expect("choice: ")
        assert ESC not in screen.seen


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
@pytest.mark.parametrize("args", [["games"], ["rules", "even-steven"], ["history"], ["stats"]])
def test_drawn_pages_have_no_colour_where_none_is_wanted(
    home: Path, args: list[str], env: dict[str, str]
) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    with Terminal(home, *args, columns=100, **env) as screen:
        assert screen.wait() == 0
        assert "even-steven" in screen.seen.casefold()
        assert ESC not in screen.seen


@pytest.mark.parametrize("args", [["games"], ["rules", "even-steven"], ["history"]])
def test_a_plain_page_is_words_alone(home: Path, args: list[str]) -> None:
    run(home, "play", "even-steven", typed="1\n")
    with Terminal(home, "--plain", *args) as screen:
        assert screen.wait() == 0
        assert "even-steven" in screen.seen.casefold()
        assert not re.search("[\x1b│─╭┃━•#`]", screen.seen)


def test_a_redirected_output_has_no_colour_beside_a_terminal(home: Path) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"seven\n1\nquit\n")
    done = subprocess.run(
        [*ZEROSUM, "play", "even-steven"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=clean_env(home),
        cwd=home,
        timeout=PATIENCE,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0
    assert b"'seven' is not a whole number." in done.stdout
    assert ESC.encode() not in done.stdout


# Standard output and standard error.


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("typed", ["", "x\n1\n", "1\nquit\n", "draw\nyes\n"])
def test_json_is_the_only_thing_on_standard_output(home: Path, name: str, typed: str) -> None:
    done = run(home, "play", name, "--json", typed=typed)
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert (document["format"], document["version"]) == ("zerosum-match", 1)
    assert document["game"] == name
    assert document["games"][0]["moves"] == ([1] if "1" in typed else [])
    assert document["over"] is ("yes" in typed)
    assert document["id"] == first_id(home)
    assert ("is not a whole number" in done.stderr) is ("x" in typed)
    told = run(home, "play", name, typed=typed).stdout
    assert done.stderr.startswith(told)


def test_a_resumed_match_has_its_json_and_its_conversation_apart(home: Path) -> None:
    run(home, "play", "even-steven", typed="1\n")
    done = run(home, "resume", "--json", typed="2\n")
    assert json.loads(done.stdout)["games"][0]["moves"] == [1, 2]
    assert "Current Number: 14" in done.stderr


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        (["games"], "zerosum-games"),
        (["rules", "dual-digits"], "zerosum-rules"),
        (["history"], "zerosum-history"),
        (["stats"], "zerosum-stats"),
        (["show", "{id}"], "zerosum-match"),
        (["export", "{id}"], "zerosum-match"),
    ],
)
@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": "1"}, {"ZEROSUM_PLAIN": "1"}])
def test_json_is_one_document_with_a_version(
    home: Path, args: list[str], kind: str, env: dict[str, str]
) -> None:
    run(home, "play", "even-steven", "--names", "Zoë", "李", typed="1\n")
    id_ = first_id(home)
    done = run(home, *(arg.format(id=id_) for arg in args), "--json", **env)
    assert done.returncode == 0
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert (document["format"], document["version"]) == (kind, 1)


@pytest.mark.parametrize("command", ["history", "stats"])
def test_nothing_to_list_is_an_empty_document_and_no_file(home: Path, command: str) -> None:
    done = run(home, command, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["version"] == 1
    plain = run(home, command)
    assert (plain.returncode, plain.stdout) == (0, "")
    assert plain.stderr != ""
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_closed_stream_ends_nothing_and_harms_nothing(home: Path, closed: str) -> None:
    done = shell(home, f"zerosum {closed}", "play", "even-steven", typed="1\nx\n1\n")
    assert done.returncode == 0
    match = stored(database(home))
    assert match.round.moves == (() if "<" in closed else (1, 1))
    if ">&-" not in closed.replace("2>&-", ""):
        assert "Starting Number: 15" in done.stdout
    if "2>&-" not in closed:
        assert "To go on: " in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
@pytest.mark.parametrize("args", [["games"], ["history"], ["--help"], ["--version"]])
def test_a_command_with_a_closed_stream_ends_well(home: Path, args: list[str], closed: str) -> None:
    assert shell(home, f"zerosum {closed}", *args).returncode == 0


@pytest.mark.parametrize("args", [["nonsense"], ["play", "nonsense"], ["show", "nonsense"]])
def test_an_error_that_nobody_can_hear_keeps_its_exit_code(home: Path, args: list[str]) -> None:
    loud = run(home, *args).returncode
    assert loud in (1, 2)
    assert shell(home, "zerosum 2>&-", *args).returncode == loud
    assert shell(home, "zerosum 2>/dev/full", *args).returncode == loud


PRINTING = [
    ["rules", "even-steven"],
    ["games"],
    ["games", "--json"],
    ["history"],
    ["history", "--plain"],
    ["show", "{id}"],
    ["export", "{id}"],
    ["--help"],
    ["--version"],
    ["play", "--help"],
    ["completion", "bash"],
    ["play", "even-steven"],
    ["play", "even-steven", "--json"],
    ["resume"],
]


@pytest.mark.parametrize("args", PRINTING, ids=" ".join)
def test_a_pipe_that_nobody_reads_is_no_error(home: Path, args: list[str]) -> None:
    run(home, "play", "digit-battle", typed="1\n")
    id_ = first_id(home)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*ZEROSUM, *(arg.format(id=id_) for arg in args)],
        input=b"1\n",
        stdout=writing,
        stderr=subprocess.PIPE,
        env=clean_env(home),
        cwd=home,
        timeout=PATIENCE,
    )
    os.close(writing)
    assert done.returncode == 0
    if "--json" not in args:  # then the conversation is on standard error
        assert done.stderr == b""
    assert b"Error" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize("args", PRINTING, ids=" ".join)
def test_a_reader_of_one_line_makes_no_error(home: Path, args: list[str]) -> None:
    run(home, "play", "digit-battle", typed="1\n")
    id_ = first_id(home)
    line = "set -o pipefail; zerosum | head -1"
    done = shell(home, line, *(arg.format(id=id_) for arg in args), typed="1\n" * 9)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert "Error" not in done.stderr


def test_a_reader_who_goes_away_leaves_the_moves_that_were_read(home: Path) -> None:
    with subprocess.Popen(
        [*ZEROSUM, "play", "even-steven"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env(home),
        cwd=home,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"1\n")
        process.stdin.flush()
        while b"New Number: 14" not in process.stdout.readline():
            pass
        process.stdout.close()
        process.stdin.write(b"1\n" * 5)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(PATIENCE) == 0
    match = stored(database(home))
    assert 1 <= match.ply <= 6
    assert f"Current Number: {15 - match.ply}\n" in run(home, "resume").stdout


def test_a_reader_of_the_conversation_who_goes_away_is_no_error(home: Path) -> None:
    with subprocess.Popen(
        [*ZEROSUM, "play", "even-steven", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env(home),
        cwd=home,
    ) as process:
        assert process.stdin
        assert process.stderr
        assert b"Even-Steven" in process.stderr.readline()
        process.stderr.close()
        process.stdin.write(b"1\n" * 5)
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("args", [["games"], ["rules", "dual-digits"], ["--help"], ["--version"]])
def test_a_full_device_is_an_error_that_is_told(home: Path, args: list[str]) -> None:
    done = shell(home, "zerosum > /dev/full", *args)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: No space left on device")
    assert done.stderr.count("\n") == 1


def test_a_game_on_a_full_device_stops_with_an_error(home: Path) -> None:
    done = shell(home, "zerosum > /dev/full", "play", "even-steven", typed="1\n1\n")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: No space left on device")


def test_an_output_that_fills_up_in_a_game_loses_no_move(home: Path) -> None:
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
    assert done.stderr.startswith(b"Error: File too large")
    printed = out.read_bytes()[limit - 500 :]
    announced = printed.count(b"New Number: ")
    match = stored(database(home))
    assert 1 <= announced <= match.ply <= announced + 1
    assert run(home, "resume").stdout.count(f"Current Number: {1000 - match.ply}\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_an_output_that_lacks_characters_shows_others_instead(home: Path, encoding: str) -> None:
    done = subprocess.run(
        [*ZEROSUM, "play", "even-steven", "--names", "Zoë", "李"],
        input="½\n1\n".encode(),
        capture_output=True,
        env=clean_env(home, PYTHONIOENCODING=encoding),
        cwd=home,
    )
    assert done.returncode == 0
    assert "New Number: 14" in done.stdout.decode(encoding)
    assert stored(database(home)).players == ("Zoë", "李")


# Places for files.


@pytest.mark.parametrize("db", ["/proc/zerosum/a.db", "/dev/null/a.db"])
def test_play_goes_on_where_nothing_can_be_kept_and_says_so(home: Path, db: str) -> None:
    done = run(home, "play", "even-steven", "--start", "2", typed="1\n1\n", ZEROSUM_DB=db)
    assert done.returncode == 0
    assert "Player 2 wins the game!" in done.stdout
    assert "nothing will be kept" in done.stderr
    assert "nothing will be kept" not in done.stdout
    left = run(home, "play", "even-steven", typed="1\nsave\n", ZEROSUM_DB=db)
    assert left.returncode == 0
    assert "could not be kept" in left.stderr
    assert "resume" not in left.stderr
    assert "could not be kept" in left.stdout


def test_a_home_that_is_no_folder_does_not_stop_a_game(home: Path) -> None:
    (home / ".local").write_text("a file")
    done = run(home, "play", "even-steven", "--json", typed="1\n")
    assert done.returncode == 0
    assert "nothing will be kept" in done.stderr
    document = json.loads(done.stdout)
    assert document["games"][0]["moves"] == [1]
    assert "id" not in document
    assert (home / ".local").read_text() == "a file"


def test_a_file_that_is_not_ours_stops_a_game_before_it_begins(home: Path) -> None:
    (home / "diary.txt").write_text("Dear diary,\n" * 50)
    before = sorted(os.listdir(home))
    for args in (["play", "even-steven"], ["resume"], ["history"], ["stats"], ["show", "abc"]):
        done = run(home, *args, "--db", "diary.txt", typed="1\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert "diary.txt is no Zerosum file" in done.stderr
    assert sorted(os.listdir(home)) == before
    assert (home / "diary.txt").read_text() == "Dear diary,\n" * 50


def test_the_file_is_chosen_by_flag_over_environment_over_configuration(home: Path) -> None:
    (home / "c.toml").write_text(f"db = '{home}/config.db'\n")
    env = {"ZEROSUM_CONFIG": str(home / "c.toml")}
    flag, both = ["--db", "flag.db"], {**env, "ZEROSUM_DB": "environment.db"}
    played = ["play", "even-steven"]
    cases: list[tuple[list[str], dict[str, str], str]] = [
        (played, {}, ".local/share/zerosum/zerosum.db"),
        (played, env, "config.db"),
        (played, both, "environment.db"),
        ([*played, *flag], both, "flag.db"),
        ([*flag, *played], both, "flag.db"),
        (["--db", "other.db", *played, *flag], both, "flag.db"),
    ]
    for number, (args, given, file) in enumerate(cases):
        place = home / str(number)
        place.mkdir()
        done = run(place, *args, typed="1\n", **given)
        assert done.returncode == 0
        there = home / file if file == "config.db" else place / file
        assert stored(there).ply == 1
        others = [one for one in place.rglob("*.db") if one != there]
        assert others == []


def test_the_way_to_go_on_names_the_file_and_works(home: Path) -> None:
    file = home / "my games" / "it's.db"
    done = run(home, "play", "even-steven", "--db", str(file), typed="1\n")
    command = shlex.split(done.stderr.partition("To go on: ")[2])
    again = run(home, *command[command.index("resume") :])
    assert again.returncode == 0
    assert "Current Number: 14" in again.stdout


def test_the_platforms_own_places_are_used(home: Path) -> None:
    (home / "conf" / "zerosum").mkdir(parents=True)
    (home / "conf" / "zerosum" / "config.toml").write_text("[even-steven]\nstart = 7\n")
    env = {"XDG_CONFIG_HOME": str(home / "conf"), "XDG_DATA_HOME": str(home / "data")}
    done = run(home, "play", "even-steven", typed="1\n", **env)
    assert "Starting Number: 7" in done.stdout
    assert stored(home / "data" / "zerosum" / "zerosum.db").ply == 1
    assert not (home / ".local").exists()


# Settings.


def configure(home: Path, text: str, named: bool = False) -> dict[str, str]:
    file = home / "c.toml" if named else home / ".config" / "zerosum" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return {"ZEROSUM_CONFIG": str(file)} if named else {}


@pytest.mark.parametrize("named", [True, False])
def test_a_flag_counts_over_the_environment_over_the_configuration(home: Path, named: bool) -> None:
    env = configure(home, "[even-steven]\nstart = 7\n", named)
    both = {**env, "ZEROSUM_EVEN_STEVEN_START": "9"}
    play = ["play", "even-steven"]
    assert "Starting Number: 15\n" in run(home, *play, ZEROSUM_CONFIG="/dev/null").stdout
    assert "Starting Number: 7\n" in run(home, *play, **env).stdout
    assert "Starting Number: 9\n" in run(home, *play, **both).stdout
    assert "Starting Number: 11\n" in run(home, *play, "--start", "11", **both).stdout
    assert "Starting Number: 11\n" in run(home, "play", "--start=11", play[1], **both).stdout


def test_a_named_configuration_takes_the_place_of_the_usual_one(home: Path) -> None:
    configure(home, "[even-steven]\nstart = 5\n")
    env = configure(home, "[even-steven]\nstart = 7\n", named=True)
    assert "Starting Number: 7\n" in run(home, "play", "even-steven", **env).stdout


def test_switches_and_lists_can_be_set_everywhere(home: Path) -> None:
    configure(home, "[even-steven]\nsubtract_two = true\n[dual-digits]\nnumbers = [1, 5]\n")
    play, two = ["play", "even-steven"], "[3] Subtract 2"
    assert two in run(home, *play).stdout
    assert two not in run(home, *play, ZEROSUM_EVEN_STEVEN_SUBTRACT_TWO="0").stdout
    assert two not in run(home, *play, "--no-subtract-two").stdout
    env = {"ZEROSUM_EVEN_STEVEN_SUBTRACT_TWO": "0"}
    assert two in run(home, *play, "--subtract-two", **env).stdout
    dual, allowed = ["play", "dual-digits"], "Allowed Numbers to Subtract: "
    assert f"{allowed}1, 5\n" in run(home, *dual).stdout
    assert f"{allowed}2, 3\n" in run(home, *dual, ZEROSUM_DUAL_DIGITS_NUMBERS="3,2").stdout
    env = {"ZEROSUM_DUAL_DIGITS_NUMBERS": "3,2"}
    assert f"{allowed}4, 6\n" in run(home, *dual, "--numbers", "4,6", **env).stdout


def test_the_settings_of_a_match_can_be_configured_and_overruled(home: Path) -> None:
    text = '[play]\nnames = ["Ada", "Bob"]\nclock = 600\nfirst = "2"\ngames = 3\n'
    configure(home, text)
    record = json.loads(run(home, "play", "even-steven", "--json", typed="1\n").stdout)
    assert (record["players"], record["clock"]) == (["Ada", "Bob"], 600)
    assert (record["length"], record["games"][0]["first"]) == (3, 1)
    args = ["--names", "Cy", "Dee", "--clock", "500", "--first", "1", "--games", "2"]
    record = json.loads(run(home, "play", "even-steven", "--json", *args).stdout)
    assert (record["players"], record["clock"]) == (["Cy", "Dee"], 500)
    assert (record["length"], record["games"][0]["first"]) == (2, 0)


def test_other_commands_and_the_look_can_be_configured(home: Path) -> None:
    run(home, "play", "even-steven", typed="1\n")
    run(home, "play", "dual-digits", typed="1\n")
    configure(home, "plain = true\n[history]\nmost = 1\n")
    listed = run(home, "history").stdout
    assert listed.count("\n") == 1
    assert "Game: dual-digits. " in listed


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = \n", ["config.toml", "line 1"]),
        ("[even-steven\nstart = 7\n", ["config.toml", "line 1"]),
        ("x = 1\nx = 2\n", ["config.toml"]),
        ("plain = 'yes'\n", ["config.toml", "plain", "true or false"]),
        ("no_color = 1\n", ["config.toml", "no_color", "true or false"]),
        ("db = 3\n", ["config.toml", "db"]),
        ("even-steven = 3\n", ["config.toml", "even-steven"]),
        ("[even-steven]\nstart = 0\n", ["start", "from 1 up"]),
        ("[even-steven]\nstart = 'ten'\n", ["start", "whole number"]),
        ("[even-steven]\nstart = 7.5\n", ["start", "whole number"]),
        ("[even-steven]\nstart = true\n", ["start", "whole number"]),
        ("[even-steven]\nstart = [7]\n", ["start", "whole number"]),
        ("[even-steven]\nstart = 1979-05-27\n", ["start", "whole number"]),
        ("[even-steven]\nsubtract_two = 'maybe'\n", ["subtract-two"]),
        ("[play]\nclock = 'soon'\n", ["clock"]),
        ("[play]\nclock = nan\n", ["clock"]),
        ("[play]\ngames = 0\n", ["games"]),
        ("[play]\nnames = 'Ada'\n", ["names"]),
        ("[play]\nnames = ['Ada', 'Ada']\n", ["names"]),
        ("[play]\nnames = [1, 2, 3]\n", ["names"]),
        ("[play]\nfirst = 3\n", ["first"]),
    ],
)
def test_a_broken_configuration_is_a_clear_error(home: Path, text: str, says: list[str]) -> None:
    configure(home, text)
    done = run(home, "play", "even-steven", typed="1\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "should not have happened" not in done.stderr
    for word in says:
        assert word in done.stderr
    assert not (home / ".local").exists()


def test_a_configuration_that_is_no_text_is_a_clear_error(home: Path) -> None:
    file = home / "c.toml"
    file.write_bytes(b"\xff\xfe\x00")
    for place in (str(file), str(home)):
        done = run(home, "games", ZEROSUM_CONFIG=place)
        assert (done.returncode, done.stdout) == (2, "")
        assert place in done.stderr
        assert "should not have happened" not in done.stderr


def test_a_game_in_the_configuration_does_not_break_the_command(home: Path) -> None:
    configure(home, '[play]\ngame = "even-steven"\n')
    done = run(home, "play", typed="1\n")
    assert "should not have happened" not in done.stderr
    assert done.returncode in (0, 2)
    assert run(home, "play", "dual-digits", typed="1\n").returncode == 0


@pytest.mark.parametrize("value", ["ten", "0", "1.5", " "])
def test_a_broken_variable_is_a_clear_error(home: Path, value: str) -> None:
    done = run(home, "play", "even-steven", ZEROSUM_EVEN_STEVEN_START=value)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--start" in done.stderr


# Exit codes.


@pytest.mark.parametrize(
    ("args", "typed", "code"),
    [
        (["play", "even-steven", "--start", "1"], "1\n", 0),
        (["play", "even-steven"], "quit\n", 0),
        (["play", "even-steven"], "exit\n", 0),
        (["play", "even-steven"], "", 0),
        (["play", "even-steven"], "resign\n", 0),
        (["--version"], "", 0),
        (["--help"], "", 0),
        ([], "", 0),
        (["show", "nothing"], "", 1),
        (["resume"], "", 1),
        (["import", "nothing"], "", 1),
        (["rules", "nothing"], "", 1),
        (["play", "nothing"], "", 2),
        (["play"], "", 2),
        (["nothing"], "", 2),
        (["play", "even-steven", "--start", "x"], "", 2),
    ],
)
def test_exit_codes_are_the_documented_ones(
    home: Path, args: list[str], typed: str, code: int
) -> None:
    done = run(home, *args, typed=typed)
    assert done.returncode == code
    assert (done.stderr.count("Error: ") > 0) is (code > 0)


def test_the_end_of_the_input_says_how_to_go_on(home: Path) -> None:
    done = run(home, "play", "even-steven", typed="1\n")
    assert done.returncode == 0
    assert "resume" not in done.stdout
    assert done.stderr.endswith(f"zerosum resume {first_id(home)}\n")
    assert "Current Number: 14" in run(home, "resume", first_id(home)).stdout


def test_a_game_that_is_played_out_says_nothing_on_standard_error(home: Path) -> None:
    done = run(home, "play", "even-steven", "--start", "1", typed="1\n")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("moves", [0, 2])
def test_ctrl_c_says_how_to_go_on_and_ends_with_130(home: Path, moves: int) -> None:
    with Terminal(home, "play", "even-steven") as screen:
        for _ in range(moves):
            screen.expect("choice: ")
            screen.type("1")
        screen.expect(f"Current Number: {15 - moves}\r\n")
        screen.expect("choice: ")
        screen.press("\x03")
        screen.expect("To go on: ")
        assert screen.wait() == 130
    assert stored(database(home)).ply == moves


def test_an_interrupt_of_a_pipe_ends_with_130_too(home: Path) -> None:
    with subprocess.Popen(
        [*ZEROSUM, "play", "even-steven"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_env(home),
        cwd=home,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"1\n")
        process.stdin.flush()
        while b"Options: [1] Subtract 1, [2]" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert b"To go on: " in process.stderr.read()


@pytest.mark.parametrize("typed", ["\x04", "quit\n"])
def test_ctrl_d_means_quit_and_keep(home: Path, typed: str) -> None:
    with Terminal(home, "play", "even-steven") as screen:
        screen.expect("choice: ")
        screen.type("1")
        screen.expect("choice: ")
        screen.press(typed)
        screen.expect("To go on: ")
        assert screen.wait() == 0
    assert stored(database(home)).ply == 1


# Completion.


def complete(home: Path, *words: str, **env: str) -> list[str]:
    """Ask as bash does: the last word is the one being typed."""
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = run(home, **asked, _ZEROSUM_COMPLETE="bash_complete", **env)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_commands_are_completed(home: Path) -> None:
    offered = complete(home, "zerosum", "")
    assert offered == list(COMMANDS)
    assert {"play", "resume", "games", "rules", "history", "show", "import"} <= set(offered)
    assert complete(home, "zerosum", "res") == ["resume"]


@pytest.mark.parametrize("command", ["play", "rules"])
def test_games_are_completed(home: Path, command: str) -> None:
    assert complete(home, "zerosum", command, "") == GAMES
    assert complete(home, "zerosum", command, "d") == [one for one in GAMES if one[0] == "d"]
    assert complete(home, "zerosum", command, "x") == []


def test_files_are_left_to_the_shell(home: Path) -> None:
    env = {"COMP_WORDS": "zerosum\nplay\n./my", "COMP_CWORD": "2"}
    assert run(home, **env, _ZEROSUM_COMPLETE="bash_complete").stdout == "file,./my\n"


def test_the_options_of_a_game_are_completed_once_it_is_known(home: Path) -> None:
    assert complete(home, "zerosum", "play", "even-steven", "--s") == [
        *("--seed", "--start", "--subtract-two"),
    ]
    assert "--numbers" in complete(home, "zerosum", "play", "dual-digits", "--")
    assert "--numbers" not in complete(home, "zerosum", "play", "even-steven", "--")
    assert "--start" not in complete(home, "zerosum", "play", "--")
    assert complete(home, "zerosum", "play", "even-steven", "--first", "") == ["1", "2", "random"]


def test_an_unknown_game_completes_without_a_word(home: Path) -> None:
    assert "--names" in complete(home, "zerosum", "play", "nonsense", "--")
    (home / "broken.py").write_text("raise SystemExit('no')")
    assert "--names" in complete(home, "zerosum", "play", "./broken.py", "--")


@pytest.mark.parametrize("command", ["resume", "show", "export"])
def test_ids_are_completed(home: Path, command: str) -> None:
    run(home, "play", "even-steven", typed="1\n")
    id_ = first_id(home)
    assert complete(home, "zerosum", command, "") == [id_]
    assert complete(home, "zerosum", command, id_[:3]) == [id_]
    assert complete(home, "zerosum", command, "0") == []


def test_only_what_can_be_resumed_is_offered_for_resuming(home: Path) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    run(home, "play", "even-steven", typed="1\n")
    assert complete(home, "zerosum", "resume", "") == [first_id(home)]
    assert len(complete(home, "zerosum", "show", "")) == 2


def test_ids_come_from_the_file_that_the_command_would_use(home: Path) -> None:
    run(home, "play", "even-steven", "--db", "other.db", typed="1\n")
    history = json.loads(run(home, "history", "--json", "--db", "other.db").stdout)
    ids: list[Any] = [history["matches"][0]["id"]]
    assert complete(home, "zerosum", "resume", "") == []
    assert complete(home, "zerosum", "resume", "", ZEROSUM_DB="other.db") == ids
    assert complete(home, "zerosum", "resume", "--db", "other.db", "") == ids
    assert complete(home, "zerosum", "--db", "other.db", "resume", "") == ids
    configure(home, f"db = '{home}/other.db'\n")
    assert complete(home, "zerosum", "resume", "") == ids


def test_completion_says_nothing_about_a_broken_file(home: Path) -> None:
    (home / "diary.txt").write_text("Dear diary,\n" * 50)
    assert complete(home, "zerosum", "resume", "", ZEROSUM_DB="diary.txt") == []
    configure(home, "x = \n")
    assert complete(home, "zerosum", "play", "even") == ["even-steven"]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_a_script_for_a_shell_is_printed(home: Path, name: str) -> None:
    done = run(home, "completion", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"_ZEROSUM_COMPLETE={name}_complete" in done.stdout
    assert "complete" in done.stdout


def test_the_script_for_bash_works_in_bash(home: Path) -> None:
    script = """
set -e
eval "$(zerosum completion bash)"
function=$(complete -p zerosum | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
ask() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    "$function" zerosum "${@: -1}" "${@: -2:1}"
    echo "${COMPREPLY[*]}"
}
ask zerosum pl
ask zerosum play d
ask zerosum play even-steven --sub
ask zerosum play ""
"""
    env = clean_env(home)
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, env=env, timeout=PATIENCE
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "play",
        "divisor-duel dual-digits digit-battle",
        "--subtract-two",
        " ".join(GAMES),
    ]
