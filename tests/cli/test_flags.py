"""Wrong command lines."""

from pathlib import Path

from tests.cli.support import first_id, helpful, run

# What is wrong with the options of a rule book is in tests/books; these are one of each kind.
PLAY = {
    "even-steven --start 0": ["--start", "at least 1", "0"],
    "even-steven --start ten": ["--start", "'ten' is not a whole number"],
    "even-steven --start": ["--start", "argument"],
    "even-steven --start=": ["--start", "not a whole number"],
    "even-steven --subtract-two=yes": ["--subtract-two", "value"],
    "even-steven --strat 5": ["--strat", "--start"],
    "dual-digits --numbers 1 3 4": ["Write a list with commas: --numbers 1,3,4."],
    "even-steven --lives 3": ["No such option", "--lives"],
    "dual-digits --numbers 5,6 --start 3": ["--numbers", "no larger than the start"],
    "dual-digits --numbers 1,,2": ["--numbers", "not a whole number", "commas"],
    "digit-battle --target 30 --limit 20": ["--target", "at most 20", "30"],
    "even-steven --clock 0": ["--clock", "above 0"],
    "even-steven --clock inf": ["--clock", "at most 86400"],
    "even-steven --games 0": ["--games", "from 1 "],
    "even-steven --games 9223372036854775808": ["--games", "from 1 to 1,000,000"],
    "even-steven --first random --seed x": ["--seed", "'x' is not a whole number"],
    "even-steven --names Ada": ["--names"],
    "even-steven --vs easy --names Ada --coach": ["--names", "needs two names"],
    "even-steven --names Ada --vs easy": ["--names", "needs two names"],
    "even-steven --names Ada ADA": ["--names", "different"],
    "even-steven digit-battle": ["digit-battle"],
    "even-steven --nope": ["--nope"],
    "evensteven": ["did you mean even-steven?"],
    "chess": ["no game 'chess'", "even-steven", "dual-digits", "./my_game.py"],
    "": ["Choose a game: ", "digit-battle", "file of your own"],
    "./missing.py": ["no file ./missing.py"],
}
OTHERS = {
    "plya": ["no command 'plya'; did you mean play?"],
    "xyzzy": ["no command 'xyzzy'; zerosum --help lists the commands."],
    "even-steven": ["zerosum play even-steven"],
    "my_game.py": ["zerosum play my_game.py"],
    "--versoin": ["--version"],
    "history --unfinishd": ["--unfinished"],
    "completion tcsh": ["tcsh", "bash"],
    "puzzle even-steven --daily": ["--daily", "GAME"],
    "import": ["Name a file."],
    "delete": ["Name matches by their IDs; zerosum history lists them."],
    "rules": ["Choose a game: ", "digit-battle"],
    "rules evensteven": ["did you mean even-steven?"],
}


def test_wrong_command_line_is_explained(home: Path) -> None:
    lines = {f"play {args}": says for args, says in PLAY.items()} | OTHERS
    for args, says in lines.items():
        helpful(run(home, *args.split()), 2, *says)
    assert not (home / ".local").exists()


def test_advice_and_help_name_the_game(home: Path) -> None:
    wrong = run(home, "play", "even-steven", "--start", "0").stderr
    assert "\nTry 'zerosum play even-steven --help' for help.\n" in wrong
    told = run(home, "play", "even-steven", "--help").stdout
    assert told.startswith("Usage: zerosum play even-steven [OPTIONS]\n")
    assert "--start NUMBER" in told


NAMES = ("", "  ", " Ada", "Ada\n", "A\x1b[31m", "A\tB", "\u202eAda", "x" * 41, "\udcff")


def test_unprintable_name_is_refused(home: Path) -> None:
    for name in NAMES:
        helpful(run(home, "play", "even-steven", "--names", name, "Bob"), 2, "--names")


def test_unknown_match_is_an_error(home: Path) -> None:
    run(home, "play", "even-steven", typed="1\n")
    for command in ("show", "export", "resume"):
        for id_ in ("NOPE", "%", "\udcff", "x" * 5000, "\x1b[31m"):
            helpful(run(home, command, id_), 1, "no match", "history")
    helpful(run(home, "show", ""), 1, "There is no match ''; zerosum history lists them.")


def test_nothing_to_resume(home: Path) -> None:
    helpful(run(home, "resume"), 1, "no unfinished match", "zerosum play")
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    helpful(run(home, "resume", first_id(home)), 1, "is over", f"show {first_id(home)}")
