"""Settings: flags, the environment, the configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import configure, run


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
    assert (record["games"], record["rounds"][0]["first"]) == (3, 1)
    args = ["--names", "Cy", "Dee", "--clock", "500", "--first", "1", "--games", "2"]
    record = json.loads(run(home, "play", "even-steven", "--json", *args).stdout)
    assert (record["players"], record["clock"]) == (["Cy", "Dee"], 500)
    assert (record["games"], record["rounds"][0]["first"]) == (2, 0)


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
