"""Wrong command lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import first_id, helpful, run


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("even-steven --start 0", ["--start", "at least 1", "0"]),
        ("even-steven --start -5", ["--start", "at least 1", "-5"]),
        ("even-steven --start ten", ["--start", "'ten' is not a whole number"]),
        ("even-steven --start 1.5", ["--start", "'1.5' is not a whole number"]),
        ("even-steven --start", ["--start", "argument"]),
        ("even-steven --start=", ["--start", "not a whole number"]),
        ("even-steven --subtract-two=yes", ["--subtract-two", "value"]),
        ("even-steven --strat 5", ["--strat", "--start"]),
        ("even-steven --subtract-tow", ["--subtract-tow", "--subtract-two"]),
        ("even-steven --lives 3", ["--lives: ", "its options are --start, --subtract-two."]),
        ("divisor-duel --start 1", ["--start", "at least 2"]),
        ("dual-digits --numbers 5,6 --start 3", ["--numbers", "no larger than the start"]),
        ("dual-digits --numbers 1,1", ["--numbers", "different"]),
        ("dual-digits --numbers 0,1", ["--numbers", "at least 1", "0"]),
        ("dual-digits --numbers 1,,2", ["--numbers", "not a whole number", "commas"]),
        ("dual-digits --numbers 1;2", ["--numbers", "'1;2' is not a whole number", "commas"]),
        ("dual-digits --start 0", ["--start", "at least 1"]),
        ("number-navigator --start 0", ["--start", "at least 1"]),
        ("digit-battle --target 30 --limit 20", ["--target", "at most 20", "30"]),
        ("digit-battle --start 21", ["--start", "at most 20"]),
        ("digit-battle --lives 0", ["--lives", "at least 1"]),
        ("digit-battle --limit-reset 30", ["--limit-reset", "at most 20"]),
        ("digit-battle --target-penalty -1", ["--target-penalty", "at least 0"]),
        (
            "digit-battle --target-penalty 0 --limit-penalty 0 --negative-penalty 0",
            ["penalt", "above 0"],
        ),
        ("even-steven --clock 0", ["--clock", "above 0"]),
        ("even-steven --clock -1", ["--clock", "above 0"]),
        ("even-steven --clock nan", ["--clock", "above 0"]),
        ("even-steven --clock inf", ["--clock", "at most 86400"]),
        ("even-steven --clock soon", ["--clock", "'soon' is not a number of seconds."]),
        ("even-steven --clock 100000", ["--clock", "at most 86400"]),
        ("even-steven --games 0", ["--games", "from 1 "]),
        ("even-steven --games -1", ["--games", "from 1 "]),
        ("even-steven --games two", ["--games", "'two' is not a whole number"]),
        ("even-steven --first 3", ["--first", "must be auto, 1, 2 or random, not '3'"]),
        ("even-steven --first random --seed x", ["--seed", "'x' is not a whole number"]),
        ("even-steven --names Ada", ["--names"]),
        ("even-steven --names Ada Ada", ["--names", "different"]),
        ("even-steven --names Ada ADA", ["--names", "different"]),
        ("even-steven digit-battle", ["digit-battle"]),
        ("even-steven 7", ["7"]),
        ("evensteven", ["did you mean even-steven?"]),
        ("digit_batle", ["did you mean digit-battle?"]),
        ("numbernavigator", ["did you mean number-navigator?"]),
        ("chess", ["no game 'chess'", "even-steven", "dual-digits", "./my_game.py"]),
        ("", ["game"]),
        ("./missing.py", ["no file ./missing.py"]),
        ("missing.py", ["no file missing.py"]),
        ("./missing", ["no file ./missing"]),
    ],
)
def test_wrong_command_line_is_explained(home: Path, args: str, says: list[str]) -> None:
    helpful(run(home, "play", *args.split()), 2, *says)
    assert not (home / ".local").exists()


@pytest.mark.parametrize(
    "names",
    [
        ("", "Bob"),
        ("  ", "Bob"),
        (" Ada", "Bob"),
        ("Ada\n", "Bob"),
        ("A\x1b[31m", "Bob"),
        ("A\tB", "Bob"),
        ("\u202eAda", "Bob"),
        ("x" * 41, "Bob"),
        ("\udcff", "Bob"),
    ],
)
def test_unprintable_name_is_refused(home: Path, names: tuple[str, str]) -> None:
    helpful(run(home, "play", "even-steven", "--names", *names), 2, "--names")


@pytest.mark.parametrize("games", ["9223372036854775808", "1" + "0" * 30])
def test_absurd_number_of_games_is_refused(home: Path, games: str) -> None:
    done = run(home, "play", "even-steven", "--games", games, typed="1\n")
    helpful(done, 2, "--games", "from 1 to 1000000")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("plya", ["no command 'plya'; did you mean play?"]),
        ("hist", ["no command 'hist'; did you mean history?"]),
        ("xyzzy", ["no command 'xyzzy'; zerosum --help lists the commands."]),
        ("even-steven", ["zerosum play even-steven"]),
        ("my_game.py", ["zerosum play my_game.py"]),
        ("--nope", ["--nope"]),
        ("--versoin", ["--version"]),
        ("play even-steven --nope", ["--nope"]),
        ("history --unfinishd", ["--unfinished"]),
        ("history --limit some", ["--limit", "'some' is not a whole number"]),
        ("completion tcsh", ["tcsh", "bash"]),
        ("delete", ["no saved match"]),
        ("levels", ["Choose a game: ", "digit-battle", "file of your own"]),
        ("puzzle even-steven --daily", ["--daily", "GAME"]),
        ("import", ["FILE"]),
    ],
)
def test_misspelt_commands_and_flags_get_a_suggestion(
    home: Path, args: str, says: list[str]
) -> None:
    helpful(run(home, *args.split()), 2, *says)


@pytest.mark.parametrize("command", ["show", "export", "resume"])
@pytest.mark.parametrize("id_", ["NOPE", "%", "'", "\udcff", "x" * 5000, "\x1b[31m"])
def test_unknown_match_is_an_error(home: Path, command: str, id_: str) -> None:
    run(home, "play", "even-steven", typed="1\n")
    helpful(run(home, command, id_), 1, "no match", "history")


@pytest.mark.parametrize("command", ["show", "export"])
def test_empty_id_matches_nothing(home: Path, command: str) -> None:
    run(home, "play", "even-steven", typed="1\n")
    helpful(run(home, command, ""), 1, "There is no match ''; zerosum history lists them.")


def test_nothing_to_resume_at_first(home: Path) -> None:
    helpful(run(home, "resume"), 1, "no unfinished match", "zerosum play")


def test_finished_match_is_not_resumed(home: Path) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    helpful(run(home, "resume", first_id(home)), 1, "is over", f"show {first_id(home)}")


def test_rules_of_an_unknown_game_are_an_error(home: Path) -> None:
    helpful(run(home, "rules", "evensteven"), 2, "did you mean even-steven?")
