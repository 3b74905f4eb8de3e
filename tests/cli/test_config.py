"""Flags, the environment, the configuration file and the directories."""

import json
import sys
from pathlib import Path

import platformdirs
import pytest

from tests.cli.support import configure, helpful, run
from zerosum.cli.config import config_file, data_file


@pytest.mark.parametrize("named", [True, False])
def test_flag_beats_environment_beats_configuration(home: Path, named: bool) -> None:
    env = configure(home, "[even-steven]\nstart = 7\n", named)
    both = {**env, "ZEROSUM_EVEN_STEVEN_START": "9"}
    play = ["play", "even-steven"]
    assert "Starting Number: 15\n" in run(home, *play, ZEROSUM_CONFIG="/dev/null").stdout
    assert "Starting Number: 7\n" in run(home, *play, **env).stdout
    assert "Starting Number: 9\n" in run(home, *play, **both).stdout
    assert "Starting Number: 11\n" in run(home, *play, "--start", "11", **both).stdout
    assert "Starting Number: 11\n" in run(home, "play", "--start=11", play[1], **both).stdout


def test_switches_and_lists_can_be_set_everywhere(home: Path) -> None:
    configure(home, "[even-steven]\nsubtract_two = true\n[dual-digits]\nnumbers = [1, 5]\n")
    play, two = ["play", "even-steven"], "[3] Subtract 2"
    assert two in run(home, *play).stdout
    assert "[default: on]" in run(home, *play, "--help").stdout
    assert two not in run(home, *play, ZEROSUM_EVEN_STEVEN_SUBTRACT_TWO="0").stdout
    assert two not in run(home, *play, "--no-subtract-two").stdout
    env = {"ZEROSUM_EVEN_STEVEN_SUBTRACT_TWO": "0"}
    assert two in run(home, *play, "--subtract-two", **env).stdout
    dual, allowed = ["play", "dual-digits"], "Allowed Numbers to Subtract: "
    assert f"{allowed}1, 5\n" in run(home, *dual).stdout
    assert f"{allowed}2, 3\n" in run(home, *dual, ZEROSUM_DUAL_DIGITS_NUMBERS="3,2").stdout
    env = {"ZEROSUM_DUAL_DIGITS_NUMBERS": "3,2"}
    assert f"{allowed}4, 6\n" in run(home, *dual, "--numbers", "4,6", **env).stdout


def test_match_settings_are_configured_and_overridden(home: Path) -> None:
    text = '[play]\nnames = ["Ada", "Bob"]\nclock = 600\nfirst = "2"\ngames = 3\n'
    configure(home, text)
    record = json.loads(run(home, "play", "even-steven", "--json", typed="1\n").stdout)
    assert (record["players"], record["clock"]) == (["Ada", "Bob"], 600)
    assert (record["games"], record["rounds"][0]["first"]) == (3, 1)
    args = ["--names", "Cy", "Dee", "--clock", "500", "--first", "1", "--games", "2"]
    record = json.loads(run(home, "play", "even-steven", "--json", *args).stdout)
    assert (record["players"], record["clock"]) == (["Cy", "Dee"], 500)
    assert (record["games"], record["rounds"][0]["first"]) == (2, 0)


def test_other_commands_can_be_configured(home: Path) -> None:
    run(home, "play", "even-steven", typed="1\n")
    run(home, "play", "dual-digits", typed="1\n")
    configure(home, "plain = true\n[history]\nlimit = 1\n")
    listed = run(home, "history").stdout
    assert listed.count("\n") == 1
    assert "Game: dual-digits. " in listed


BROKEN = {
    "x = \n": ["is not valid TOML", "line 1"],
    "x = 1\n": ["there is no setting 'x'; the settings are db, plain, no_color, pager."],
    "plian = true\n": ["there is no setting 'plian'; did you mean plain?"],
    "plain = 'maybe'\n": ["'--plain': must be on or off, not 'maybe'."],
    "plain = [1, 2]\n": ["'--plain': must be on or off, not '1,2'."],
    "[db]\nfile = 'a.db'\n": ["[db] is not a command or a game."],
    "even-steven = 3\n": ["even-steven must be a table: [even-steven]."],
    "[even-stven]\nstart = 3\n": ["or a game; did you mean even-steven?"],
    "[even-steven]\nstrat = 7\n": ["'strat' in [even-steven]; did you mean start?"],
    "[play]\nstart = 7\n": ["there is no setting 'start' in [play]; "],
    "[play]\nas_json = true\n": ["'as_json' in [play]; did you mean json?"],
    "[play.clock]\nseconds = 7\n": ["'--clock': '{'seconds': 7}' is not a number of seconds."],
    "[play]\ncoach = 'maybe'\n": ["'--coach': must be on or off, not 'maybe'."],
    "[play]\nplain = true\n": ["there is no setting 'plain' in [play]; "],
    "[even-steven]\nstart = 0\n": ["'--start': must be a whole number of at least 1, not 0."],
    "[even-steven]\nstart = 7.5\n": ["start", "whole number"],
    "[even-steven]\nsubtract_two = 'maybe'\n": ["must be on or off, not 'maybe'."],
    "[play]\nclock = 'soon'\n": ["'--clock': 'soon' is not a number of seconds."],
    "[play]\ngames = true\n": ["'--games': 'on' is not a whole number."],
    "[play]\nnames = 'Ada'\n": ["'--names'"],
    "[play]\nfirst = 3\n": ["'--first': must be auto, 1, 2 or random, not '3'."],
    "[play]\nvs = 'hardd'\n": ["'--vs': ", "did you mean hard?"],
    "[play]\nvs = 'easy'\nwatch = ['easy', 'hard']\n": ["cannot be combined with --watch."],
}


def test_broken_configuration_names_its_file(home: Path) -> None:
    for text, says in BROKEN.items():
        configure(home, text)
        done = run(home, "play", "even-steven", typed="1\n")
        assert (done.returncode, done.stdout) == (2, ""), text
        assert "bug in Zerosum" not in done.stderr
        for words in [*says, str(home / ".config" / "zerosum" / "config.toml")]:
            assert words in done.stderr
    assert not (home / ".local").exists()


def test_what_was_typed_comes_from_no_file(home: Path) -> None:
    configure(home, "plain = false\n[play]\nclock = 30\n")
    done = run(home, "play")
    assert done.returncode == 2
    assert done.stderr.endswith("digit-battle or a file of your own.\n")
    done = run(home, "play", "even-steven", "--clock", "soon")
    assert done.stderr.endswith("'--clock': 'soon' is not a number of seconds.\n")


def test_help_works_with_a_broken_configuration(home: Path) -> None:
    for text in ("x = \n", "x = 1\n", "[play]\nx = 1\n"):
        configure(home, text)
        for args in (["--help"], ["--version"], ["play", "--help"]):
            done = run(home, *args)
            assert (done.returncode, done.stderr) == (0, "")


def test_unreadable_configuration_is_explained(home: Path) -> None:
    file = home / "c.toml"
    file.write_bytes(b"\xff\xfe\x00")
    missing = str(home / "missing.toml")
    for path, says in (
        (str(file), f"{file} is not valid TOML: "),
        (str(home), f"{home} cannot be read: "),
        (missing, f"{missing} cannot be read: No such file"),
    ):
        helpful(run(home, "games", ZEROSUM_CONFIG=path), 2, says)


@pytest.mark.parametrize("in_a_file", [True, False])
def test_settings_are_named_after_flags_and_arguments(home: Path, in_a_file: bool) -> None:
    text = '[starts]\nfrom = 3\nto = 4\ncsv = true\n[play]\ngame = "even-steven"\n'
    env = {"STARTS_FROM": "3", "STARTS_TO": "4", "STARTS_CSV": "1", "PLAY_GAME": "even-steven"}
    env = configure(home, text) if in_a_file else {f"ZEROSUM_{n}": v for n, v in env.items()}
    rows = run(home, "starts", "even-steven", **env).stdout.splitlines()
    assert rows[1:] == ["3,win,3,false", "4,win,3,false"]
    assert "Starting Number: 15" in run(home, "play", typed="1\n", **env).stdout
    assert "Shared Number" in run(home, "play", "dual-digits", typed="1\n", **env).stdout


def test_settings_are_read_as_if_they_were_typed(home: Path) -> None:
    configure(home, "db = 3\n[dual-digits]\nnumbers = [1, 3]\n")
    assert "No saved matches." in run(home, "history").stderr
    assert "(numbers 1 3)" in run(home, "solve", "dual-digits").stdout


def test_flags_beat_configured_switches(home: Path) -> None:
    configure(home, "plain = true\n")
    labelled = "Game: even-steven. "
    assert labelled in run(home, "games").stdout
    assert labelled not in run(home, "games", "--no-plain").stdout
    assert labelled not in run(home, "--no-plain", "games").stdout
    assert labelled not in run(home, "games", ZEROSUM_PLAIN="0").stdout
    assert labelled in run(home, "games", "--plain", ZEROSUM_PLAIN="0").stdout
    assert labelled in run(home, "--plain", "games", ZEROSUM_PLAIN="off").stdout


def test_plain_variable(home: Path) -> None:
    for value in ("0", "False", "no", "off", "", "1", "true", "yes", "on"):
        plain = "Game: even-steven. " in run(home, "games", ZEROSUM_PLAIN=value).stdout
        assert plain is (value in ("1", "true", "yes", "on"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ZEROSUM_EVEN_STEVEN_START", "ten"),
        ("ZEROSUM_EVEN_STEVEN_START", "0"),
        ("ZEROSUM_EVEN_STEVEN_START", " "),
        ("ZEROSUM_PLAIN", "maybe"),
        ("ZEROSUM_PLAY_COACH", "maybe"),
        ("ZEROSUM_PLAY_CLOCK", "soon"),
        ("ZEROSUM_PLAY_VS", "hardd"),
    ],
)
def test_wrong_variable_is_named(home: Path, name: str, value: str) -> None:
    done = run(home, "play", "even-steven", **{name: value})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"That value comes from {name}.\n")


@pytest.mark.parametrize("xdg", [None, "", "/somewhere/else", "relative"])
@pytest.mark.parametrize("home", ["/home/ada", "/"])
def test_directories_agree_with_platformdirs(
    monkeypatch: pytest.MonkeyPatch, xdg: str | None, home: str
) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("ZEROSUM_CONFIG", raising=False)
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        if xdg is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, xdg)
    data = Path(platformdirs.user_data_dir("zerosum", appauthor=False))
    config = Path(platformdirs.user_config_dir("zerosum", appauthor=False))
    assert Path(data_file()) == data / "zerosum.db"
    assert Path(config_file()) == config / "config.toml"


def test_common_case_does_not_load_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("the short way is for Linux")
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert data_file() == "/home/ada/.local/share/zerosum/zerosum.db"
