from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import zerosum
from tests.helpers import Terminal, run
from zerosum.match import Match
from zerosum.record import dumps, from_record, loads, to_record
from zerosum.store import SqliteStore

Done = subprocess.CompletedProcess[str]


class Book(NamedTuple):
    """One game at its start: what it asks, what is legal, a rule's words, and a position."""

    prompt: str
    legal: tuple[int, ...]
    rule: str
    position: str
    after: str


BOOKS = {
    "even-steven": Book(
        "Enter your choice: ",
        (1,),
        "The choices are 1 (subtract 1) and 2 (divide by 2).",
        "Current Number: 15",
        "New Number: 14",
    ),
    "divisor-duel": Book(
        "Enter a proper divisor of 16 to subtract: ",
        (1, 2, 4, 8),
        "A divisor is a whole number from 1 up.",
        "Current N: 16",
        "New N is 15.",
    ),
    "dual-digits": Book(
        "Enter the number you wish to subtract: ",
        (1, 2, 3, 4),
        "Only these may be subtracted: 1, 2, 3, 4.",
        "Allowed Numbers to Subtract: 1, 2, 3, 4",
        "New Shared Number: 24",
    ),
    "number-navigator": Book(
        "Choose an operation (enter the number): ",
        (1, 2, 3),
        "The operations are 1 (subtract 1), 2 (subtract 2), 3 (multiply by 0.5), 4 (add 5).",
        "Your current number is: 20",
        "Your new number is: 19",
    ),
    "digit-battle": Book(
        "Select a digit to add (1-9): ",
        tuple(range(1, 10)),
        "A digit from 1 to 9 must be chosen.",
        "Current Number: 0 (Even)",
        "Updated Number: 1",
    ),
}

# No number at all.
UNREADABLE = {
    "word": b"seven",
    "question": b"what is legal?",
    "float": b"1.0",
    "comma": b"1,0",
    "exponent": b"1e3",
    "underscore": b"1_000",
    "hexadecimal": b"0x1",
    "two numbers": b"1 2",
    "two signs": b"--1",
    "mixed signs": b"+-1",
    "sign alone": b"-",
    "blank after the sign": b"- 1",
    "fraction": "½".encode(),
    "superscript": "²".encode(),
    "roman numeral": "Ⅳ".encode(),
    "circled": "①".encode(),
    "word for one": "一".encode(),
    "zero-width": "1\u200b".encode(),
    "right to left": "\u202e1".encode(),
    "byte order mark": b"\xef\xbb\xbf1",
    "NUL": b"\0",
    "NUL after a digit": b"1\0",
    "broken UTF-8": b"\xff\xfe1",
    "half a character": b"\xe2\x82",
    "a surrogate": b"\xed\xa0\x80",
    "colour": b"\x1b[31m1\x1b[0m",
    "clear the screen": b"\x1b[2J\x1b[H",
    "window title": b"\x1b]0;owned\x07",
    "8-bit escape": b"\xc2\x9b31m1",
    "backspace": b"12\b",
    "carriage return inside": b"1\r2",
    "separator": "1\u2028".encode() + b"x",
    "formula": b"1+1",
    "quotes": b"'1'",
    "percent": b"%s %d {0} {match}",
    "markup": b"[red]1[/red]",
    "megabyte": b"1" * 1_000_001,
    "megabyte of letters": b"x" * 1_048_576,
    "too many digits": b"9" * 200_001,
}
# Numbers that no book takes.
ILLEGAL = {
    "zero": b"0",
    "minus zero": b"-0",
    "minus": b"-1",
    "true minus": "−1".encode(),
    "many digits": b"9" * 100_000,
    "minus many digits": b"-" + b"9" * 100_000,
    "large": b"1000000",
    "Arabic digits": "٩٩".encode(),
}
ANSWERS = {**UNREADABLE, **ILLEGAL}


def stored(home: Path) -> Match:
    store = SqliteStore(str(home / ".local/share/zerosum/zerosum.db"))
    try:
        (line,) = store.matches()
        return store.load(line.id).match
    finally:
        store.close()


def answers(out: str, prompt: str) -> list[tuple[str, str]]:
    """Cut a transcript into what was typed at each prompt and what came back."""
    parts = [part.partition("\n") for part in out.split(prompt)[1:]]
    return [(typed, rest) for typed, _, rest in parts]


def legal_now(book: Book) -> str:
    return f"Legal now: {', '.join(map(str, book.legal))}."


@pytest.mark.parametrize("name", list(BOOKS))
def test_nothing_that_is_no_move_changes_anything(home: Path, name: str) -> None:
    book = BOOKS[name]
    lines = [b"", b"   ", b"\t", *ANSWERS.values()]
    done = run(home, "play", name, typed=b"\n".join(lines) + b"\n1\n")
    assert done.returncode == 0
    assert stored(home).round.moves == (1,)
    assert done.stdout.partition(book.after)[0].count(book.position) == 1
    # Only the last prompt, the other player's, may differ.
    got = answers(done.stdout, book.prompt)[: len(lines) + 1]
    assert len(got) == len(lines) + 1
    said = dict(zip(["empty", "blanks", "tab", *ANSWERS], got[:-1], strict=True))
    for what, (_, answer) in said.items():
        assert legal_now(book) in answer, what
        assert answer.count("\n") == 1, what
        assert len(answer) < 400, what
    for what in ("word", "float", "superscript", "NUL", "colour", "megabyte of letters"):
        assert "is not a whole number." in said[what][1], what
    for what in ("zero", "minus", "true minus", "minus zero"):
        assert said[what][1].startswith(book.rule), what
    assert "200001 digits is too long" in said["too many digits"][1]
    assert book.after in got[-1][1]


@pytest.mark.parametrize("name", list(BOOKS))
def test_nothing_typed_reaches_the_output_as_a_control_code(home: Path, name: str) -> None:
    given_ = b"\n".join(ANSWERS.values()) + b"\n"
    done = run(home, "play", name, typed=given_)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e\ufeff]", done.stdout)


DRESSED = ["+1", " 1 ", "\t1\t", "\u00a01", "01", "0001", "١", "１", "१", "𝟏", "߁"]


def test_a_number_is_a_number_in_any_dress(home: Path) -> None:
    done = run(home, "play", "even-steven", typed="\n".join(DRESSED))
    assert stored(home).round.moves == (1,) * len(DRESSED)
    assert "Legal now" not in done.stdout


@pytest.mark.parametrize("name", list(BOOKS))
@pytest.mark.parametrize("typed", ["+1", "１"])
def test_every_game_takes_a_dressed_number(home: Path, name: str, typed: str) -> None:
    done = run(home, "play", name, typed=typed + "\n")
    assert BOOKS[name].after in done.stdout
    assert stored(home).round.moves == (1,)


@pytest.mark.parametrize("name", list(BOOKS))
def test_lines_of_windows_read_like_any_others(home: Path, name: str) -> None:
    (home / "a").mkdir()
    (home / "b").mkdir()
    one = run(home / "a", "play", name, typed=b"x\n1\n\nhelp\n0\n")
    other = run(home / "b", "play", name, typed=b"x\r\n1\r\n\r\nhelp\r\n0\r\n")
    assert other.stdout == one.stdout
    assert stored(home / "b").round.moves == (1,)


@pytest.mark.parametrize("name", list(BOOKS))
def test_a_last_line_without_an_end_counts(home: Path, name: str) -> None:
    done = run(home, "play", name, typed=b"1")
    assert done.returncode == 0
    assert BOOKS[name].after in done.stdout
    assert stored(home).round.moves == (1,)


@pytest.mark.parametrize("typed", [b"", b"x", b"draw", b"draw\n", b"1\ndraw\n", b"help\nrules"])
def test_input_that_ends_anywhere_ends_well(home: Path, typed: bytes) -> None:
    done = run(home, "play", "digit-battle", typed=typed)
    assert done.returncode == 0
    assert re.fullmatch(r"Kept\. To go on: .*zerosum resume \w{8}\n", done.stderr)
    assert stored(home).round.end is None


@pytest.mark.parametrize("name", list(BOOKS))
def test_a_terminal_answers_bad_input_and_goes_on(home: Path, name: str) -> None:
    book = BOOKS[name]
    with Terminal(home, "play", name, columns=300) as screen:
        screen.expect(book.position)
        bad = ["", "seven", "1.0", "-1", "²", "0", "\x1b[31m1", "9" * 3000, "\x00", "UNDO"]
        for typed in bad:
            screen.expect(book.prompt)
            screen.type(typed)
            before = screen.expect("nothing to undo" if typed == "UNDO" else legal_now(book))
            assert book.position not in before
        screen.expect(book.prompt)
        screen.type("1")
        screen.expect(book.after)
        screen.expect(": ")
        screen.type("quit")
        assert screen.wait() == 0
        # The terminal itself shows what was typed; a raw escape could only come from us.
        assert "\x1b[31m" not in screen.seen
        assert "Traceback" not in screen.seen
    assert stored(home).round.moves == (1,)


def test_broken_bytes_on_a_terminal_are_answered(home: Path) -> None:
    with Terminal(home, "play", "even-steven") as screen:
        screen.expect("choice: ")
        os.write(screen.fd, b"\xff\xfe\n")
        screen.expect("is not a whole number. Legal now: 1.")
        screen.expect("choice: ")
        os.write(screen.fd, "\u0663\n".encode())
        screen.expect("The choices are")
        screen.expect("choice: ")
        screen.type("1")
        screen.expect("New Number: 14")


@pytest.mark.parametrize("typed", ["HELP", " Help ", "?", "Rules", "UNDO", "Save", "hint", "WHY"])
def test_a_word_works_however_it_is_written(home: Path, typed: str) -> None:
    done = run(home, "play", "dual-digits", typed=typed + "\n")
    assert "is not a whole number" not in done.stdout


def test_a_refused_move_costs_no_turn_in_the_middle_of_a_game(home: Path) -> None:
    typed = "1\n1\n25\n2\nx\n2\n3\n"
    done = run(home, "play", "dual-digits", typed=typed)
    got = [answer.splitlines()[0] for _, answer in answers(done.stdout, "wish to subtract: ")[:-1]]
    assert got == [
        "You subtracted 1. New Shared Number: 24",
        "Your opponent has just subtracted that number, so it is forbidden now. "
        "Legal now: 2, 3, 4.",
        "Only these may be subtracted: 1, 2, 3, 4. Legal now: 2, 3, 4.",
        "You subtracted 2. New Shared Number: 22",
        "'x' is not a whole number. Legal now: 1, 3, 4. Type 'help' for the words that work here.",
        "Your opponent has just subtracted that number, so it is forbidden now. "
        "Legal now: 1, 3, 4.",
        "You subtracted 3. New Shared Number: 19",
    ]


noise = st.lists(
    st.binary(max_size=60)
    | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.integers(-3, 12).map(lambda number: str(number).encode())
    | st.sampled_from([b"help", b"undo", b"moves", b"rules", b"draw", b"yes", b"save", b"resign"]),
    max_size=30,
)


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(name=st.sampled_from(list(BOOKS)), lines=noise)
@example(name="number-navigator", lines=[b"\r", b"\r\n", b"\n\n\n", b"\x1a", b"\x04", b"\x03"])
def test_any_bytes_make_a_game_that_replays(
    tmp_path_factory: pytest.TempPathFactory, name: str, lines: list[bytes]
) -> None:
    home = tmp_path_factory.mktemp("noise")
    done = run(home, "play", name, "--games", "3", typed=b"\n".join(lines))
    assert done.returncode == 0
    assert "should not have happened" not in done.stderr
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stdout)
    match = stored(home)
    assert from_record(loads(dumps(to_record(match)))) == match
    if not match.over:
        assert run(home, "resume").returncode == 0


def run_id(home: Path) -> str:
    history = json.loads(run(home, "history", "--json").stdout)
    return str(history["matches"][0]["id"])


# The command line.


def helpful(done: Done, code: int, *says: str) -> None:
    """Expect an error: its exit code, nothing on standard output, and a short sentence."""
    assert done.returncode == code, (done.stdout[-500:], done.stderr)
    assert done.stdout == ""
    assert "should not have happened" not in done.stderr
    error = done.stderr.partition("Error: ")[2].strip()
    assert error, done.stderr
    assert error.count("\n") <= 1, error
    assert len(error) < 500, error
    for text in says:
        assert text.casefold() in error.casefold(), error
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stderr)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("even-steven --start 0", ["--start", "from 1 up", "0"]),
        ("even-steven --start -5", ["--start", "from 1 up", "-5"]),
        ("even-steven --start ten", ["--start", "'ten' is not a whole number"]),
        ("even-steven --start 1.5", ["--start", "'1.5' is not a whole number"]),
        ("even-steven --start", ["--start", "argument"]),
        ("even-steven --start=", ["--start", "not a whole number"]),
        ("even-steven --subtract-two=yes", ["--subtract-two", "value"]),
        ("even-steven --strat 5", ["--strat", "--start"]),
        ("even-steven --subtract-tow", ["--subtract-tow", "--subtract-two"]),
        ("even-steven --lives 3", ["--lives"]),
        ("divisor-duel --start 1", ["--start", "from 2 up"]),
        ("dual-digits --numbers 5,6 --start 3", ["--numbers", "no larger than the start"]),
        ("dual-digits --numbers 1,1", ["--numbers", "different"]),
        ("dual-digits --numbers 0,1", ["--numbers", "from 1 up", "0"]),
        ("dual-digits --numbers 1,,2", ["--numbers", "not a whole number", "commas"]),
        ("dual-digits --numbers 1;2", ["--numbers", "'1;2' is not a whole number", "commas"]),
        ("dual-digits --start 0", ["--start", "from 1 up"]),
        ("number-navigator --start 0", ["--start", "from 1 up"]),
        ("digit-battle --target 30 --limit 20", ["--target", "from 0 to 20", "30"]),
        ("digit-battle --start 21", ["--start", "at most 20"]),
        ("digit-battle --lives 0", ["--lives", "from 1 up"]),
        ("digit-battle --limit-reset 30", ["--limit-reset", "at most 20"]),
        ("digit-battle --target-penalty -1", ["--target-penalty", "from 0 up"]),
        (
            "digit-battle --target-penalty 0 --limit-penalty 0 --negative-penalty 0",
            ["penalt", "above 0"],
        ),
        ("even-steven --clock 0", ["--clock", "above 0"]),
        ("even-steven --clock -1", ["--clock", "above 0"]),
        ("even-steven --clock nan", ["--clock", "above 0"]),
        ("even-steven --clock inf", ["--clock", "at most 86400"]),
        ("even-steven --clock soon", ["--clock", "soon"]),
        ("even-steven --clock 100000", ["--clock", "at most 86400"]),
        ("even-steven --games 0", ["--games", "from 1 "]),
        ("even-steven --games -1", ["--games", "from 1 "]),
        ("even-steven --games two", ["--games", "'two' is not a whole number"]),
        ("even-steven --first 3", ["--first", "'1', '2', 'random'"]),
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
def test_a_wrong_command_line_is_explained(home: Path, args: str, says: list[str]) -> None:
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
def test_a_name_that_cannot_be_printed_is_refused(home: Path, names: tuple[str, str]) -> None:
    helpful(run(home, "play", "even-steven", "--names", *names), 2, "--names")


@pytest.mark.parametrize("games", ["9223372036854775808", "1" + "0" * 30])
def test_a_series_of_any_length_is_played_or_refused(home: Path, games: str) -> None:
    done = run(home, "play", "even-steven", "--games", games, typed="1\n")
    assert "should not have happened" not in done.stderr
    assert done.returncode in (0, 2)
    if done.returncode == 0:
        assert stored(home).round.moves == (1,)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("plya", ["no command 'plya'", "zerosum play"]),
        ("hist", ["no command 'hist'", "zerosum history"]),
        ("dance", ["no command 'dance'"]),
        ("even-steven", ["zerosum play even-steven"]),
        ("my_game.py", ["zerosum play my_game.py"]),
        ("--nope", ["--nope"]),
        ("--versoin", ["--version"]),
        ("play even-steven --nope", ["--nope"]),
        ("history --unfinishd", ["--unfinished"]),
        ("history --most some", ["--most", "'some' is not a whole number"]),
        ("completion tcsh", ["tcsh", "bash"]),
        ("show", ["ID"]),
        ("export", ["ID"]),
        ("import", ["FILE"]),
    ],
)
def test_a_wrong_word_offers_the_right_one(home: Path, args: str, says: list[str]) -> None:
    helpful(run(home, *args.split()), 2, *says)


@pytest.mark.parametrize("command", ["show", "export", "resume"])
@pytest.mark.parametrize("id_", ["nope", "%", "'", "\udcff", "x" * 5000, "\x1b[31m"])
def test_a_match_that_is_not_there_is_an_error(home: Path, command: str, id_: str) -> None:
    run(home, "play", "even-steven", typed="1\n")
    helpful(run(home, command, id_), 1, "no match", "history")


@pytest.mark.parametrize("command", ["show", "export"])
def test_an_empty_id_names_no_match(home: Path, command: str) -> None:
    run(home, "play", "even-steven", typed="1\n")
    done = run(home, command, "")
    assert done.returncode in (1, 2)
    assert "More than one" not in done.stderr


def test_there_is_nothing_to_resume_at_first(home: Path) -> None:
    helpful(run(home, "resume"), 1, "no unfinished match", "zerosum play")


def test_a_match_that_is_over_is_not_resumed(home: Path) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    helpful(run(home, "resume", run_id(home)), 1, "is over", f"show {run_id(home)}")


def test_the_rules_of_an_unknown_game_are_an_error(home: Path) -> None:
    helpful(run(home, "rules", "evensteven"), 1, "did you mean even-steven?")


# Files that should hold a game.

METHODS = """
    def initial(self): return State(3, 0)
    def moves(self, state): return (1,) if state.number else ()
    def play(self, state, move): return State(state.number - 1, 1 - state.player)
    def outcome(self, state): return None if state.number else Outcome(1 - state.player, "zero")
    def objection(self, state, move): return None if move in self.moves(state) else "Only 1."
"""
HEAD = """
from dataclasses import dataclass
from typing import NamedTuple
from zerosum.game import Outcome
class State(NamedTuple):
    number: int
    player: int
"""
ONE = f"{HEAD}@dataclass(frozen=True)\nclass One:{METHODS}"
TWO = f"{ONE}@dataclass(frozen=True)\nclass Two:{METHODS}"
FILES: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["holds no game", "initial"]),
    "comment": (b"# nothing yet\n", ["holds no game"]),
    "syntax error": (b"x = 1\nclass Mine(\n", ["does not load", "line 2"]),
    "raising": (b"x = 1\n\nx / 0\n", ["does not load", "line 3", "ZeroDivisionError"]),
    "missing import": (b"import no_such_module\n", ["does not load", "line 1", "no_such_module"]),
    "exit": (b"import sys\nsys.exit(3)\n", ["does not load", "line 2"]),
    "recursion": (b"def f(): f()\nf()\n", ["does not load", "RecursionError"]),
    "no class": (b"def initial(): pass\n", ["holds no game"]),
    "other class": (b"class Cat:\n    pass\n", ["holds no game"]),
    "lacking": (
        b"class Mine:\n    def initial(self): pass\n    def moves(self, s): pass\n",
        ["Mine is no game", "lacks play, outcome, objection"],
    ),
    "lacking one": (
        (ONE.rpartition("    def objection")[0]).encode(),
        ["One is no game", "lacks objection."],
    ),
    "two": (TWO.encode(), ["several games (One, Two)", "./mine.py:One"]),
    "binary": (bytes(range(256)), ["does not load"]),
    "latin-1": ("name = 'Müller'\n".encode("latin-1"), ["does not load"]),
    "escape": (b"raise ValueError('\\x1b[31mred')\n", ["does not load", "line 1"]),
}


@pytest.mark.parametrize("what", list(FILES))
def test_a_file_without_a_game_says_what_is_wrong_with_it(home: Path, what: str) -> None:
    content, says = FILES[what]
    (home / "mine.py").write_bytes(content)
    helpful(run(home, "play", "./mine.py"), 2, "mine.py", *says)
    helpful(run(home, "rules", "mine.py"), 1, "mine.py")


def test_one_of_two_games_in_a_file_is_picked_by_its_class(home: Path) -> None:
    (home / "mine.py").write_text(TWO)
    done = run(home, "play", "./mine.py:Two", typed="1\n")
    assert done.returncode == 0
    assert "Number: 2" in done.stdout
    helpful(run(home, "play", "./mine.py:Three"), 2, "no class Three")


def test_a_folder_without_rules_is_refused(home: Path) -> None:
    (home / "mine").mkdir()
    helpful(run(home, "play", "./mine"), 2, "folder without a rules.py")


def test_a_game_of_ones_own_answers_bad_input_like_any_other(home: Path) -> None:
    (home / "mine.py").write_text(ONE)
    done = run(home, "play", "mine.py", typed=b"x\n\n2\n\xff\n1\n")
    assert done.returncode == 0
    assert "'x' is not a whole number. Legal now: 1." in done.stdout
    assert "Only 1. Legal now: 1." in done.stdout
    assert stored_own(home) == [1]


def stored_own(home: Path) -> Any:
    return json.loads(run(home, "export", run_id(home)).stdout)["games"][0]["moves"]


# Records.


def record(**changes: Any) -> dict[str, Any]:
    """A series of two games, the second of them begun; with changes."""
    match = Match.new(zerosum.game("dual-digits", start=5), ("Ada", "Bob"), length=3)
    match = match.play(4).play(1).next_game().play(2)
    return {**to_record(match), **changes}


def games(*rounds: dict[str, Any]) -> list[dict[str, Any]]:
    """The games of the record, with some of the fields of each changed."""
    return [{**old, **new} for old, new in zip(record()["games"], rounds, strict=False)]


WON = {"by": "rules", "winner": 1, "reason": "so"}
NESTED = "[" * 900 + "]" * 900
BAD_RECORDS: dict[str, tuple[Any, list[str]]] = {
    "empty": ("", ["no JSON"]),
    "not JSON": ("moves: 1 2 3", ["no JSON"]),
    "half": (json.dumps(record())[:-20], ["no JSON"]),
    "two documents": (json.dumps(record()) * 2, ["no JSON"]),
    "binary": (bytes(range(256)) * 40, ["no JSON"]),
    "NUL": (b"\0" * 64, ["no JSON"]),
    "NaN": (json.dumps(record(clock=float("nan"))), ["no JSON", "NaN"]),
    "null": (None, ["no record of a match"]),
    "list": ([], ["no record of a match"]),
    "number": (7, ["no record of a match"]),
    "text": ("moves", ["no record of a match"]),
    "object": ({}, ["no record of a match", "zerosum-match"]),
    "another kind": ({"format": "zerosum-history", "version": 1}, ["no record of a match"]),
    "newer": (record(version=2), ["version 2", "newer Zerosum"]),
    "much newer": (record(version=10**50), ["newer Zerosum"]),
    "version 0": (record(version=0), ["version", "from 1 up"]),
    "version text": (record(version="1"), ["version"]),
    "version true": (record(version=True), ["version"]),
    "deep": ("[" * 200_000, ["nested too deeply"]),
    "deep and whole": ("[" * 100_000 + "]" * 100_000, ["nested too deeply"]),
    "deep option": (json.dumps(record()).replace('"start": 5', f'"start": {NESTED}'), ["start"]),
    "no games": (record(games=[]), ["no games"]),
    "games missing": (record(games=None), ["'games'", "a list"]),
    "game missing": (record(game=None), ["'game'", "a text"]),
    "game unknown": (record(game="dualdigits"), ["no game 'dualdigits'", "did you mean"]),
    "options missing": (record(options=None), ["'options'", "an object"]),
    "option unknown": (record(options={"strat": 5}), ["strat", "start"]),
    "option wrong": (record(options={"start": 0}), ["start", "from 1 up"]),
    "option of another type": (record(options={"start": "5"}), ["start", "whole number"]),
    "option a float": (record(options={"start": 5.0}), ["start", "whole number"]),
    "option true": (record(options={"start": True}), ["start", "whole number"]),
    "option null": (record(options={"numbers": None}), ["numbers", "whole numbers"]),
    "option of lists": (record(options={"numbers": [[1], [2]]}), ["numbers", "whole number"]),
    "option an object": (record(options={"start": {"a": 1}}), ["start", "whole number"]),
    "one player": (record(players=["Ada"]), ["names", "two"]),
    "three players": (record(players=["Ada", "Bob", "Cy"]), ["names", "two"]),
    "equal players": (record(players=["Ada", "ada"]), ["names", "different"]),
    "players are numbers": (record(players=[1, 2]), ["names", "two"]),
    "escape in a name": (record(players=["A\x1b[31m", "Bob"]), ["no name"]),
    "surrogate in a name": (record(players=["\ud800", "Bob"]), ["no name"]),
    "length 0": (record(length=0), ["from 1 to "]),
    "length huge": (record(length=10**30), ["from 1 to "]),
    "length 1": (record(length=1), ["game 2"]),
    "length a float": (record(length=3.0), ["'length'", "whole number"]),
    "clock 0": (record(clock=0), ["clock", "above 0"]),
    "clock text": (record(clock="slow"), ["clock"]),
    "clock endless": (json.dumps(record()).replace('"clock": null', '"clock": 1e999'), ["clock"]),
    "forbidden": (record(games=games({"moves": [4, 4]}, {})), ["game 1, ply 2: 4", "forbidden"]),
    "below zero": (record(games=games({"moves": [3, 4]}, {})), ["game 1, ply 2: 4", "below zero"]),
    "repeated": (record(games=games({}, {"moves": [2, 2]})), ["game 2, ply 2: 2", "opponent"]),
    "no move": (record(games=games({}, {"moves": [9]})), ["game 2, ply 1: 9", "1, 2, 3, 4"]),
    "after the end": (record(games=games({"moves": [4, 1, 1]}, {})), ["game 1, ply 3", "over"]),
    "huge": (record(games=games({}, {"moves": [10**3000]})), ["game 2, ply 1", "1, 2, 3, 4"]),
    "float": (record(games=games({}, {"moves": [2.0]})), ["game 2, ply 1: 2.0", "whole number"]),
    "exponent": (
        json.dumps(record(games=games({}, {"moves": [22]}))).replace("[22]", "[2e0]"),
        ["game 2, ply 1", "whole number"],
    ),
    "true": (record(games=games({}, {"moves": [True]})), ["game 2, ply 1: True", "whole number"]),
    "text move": (
        record(games=games({}, {"moves": ["2"]})),
        ["game 2, ply 1", "'2'", "whole number"],
    ),
    "null move": (record(games=games({}, {"moves": [None]})), ["game 2, ply 1", "whole number"]),
    "list move": (record(games=games({}, {"moves": [[2]]})), ["game 2, ply 1", "whole number"]),
    "moves missing": (record(games=games({}, {"moves": None})), ["game 2", "'moves'"]),
    "game is a number": (record(games=[1]), ["game 1", "'first'"]),
    "second game is a number": (record(games=[record()["games"][0], 1]), ["game 2", "'first'"]),
    "same first": (record(games=games({}, {"first": 0})), ["game 2", "alternates"]),
    "first 2": (record(games=games({"first": 2}, {})), ["first", "0 to 1"]),
    "first true": (record(games=games({"first": True}, {})), ["game 1", "'first'"]),
    "wrong winner": (record(games=games({"end": {**WON, "winner": 0}}, {})), ["game 1", "end"]),
    "no winner": (record(games=games({"end": {**WON, "winner": None}}, {})), ["game 1", "end"]),
    "wrong end": (record(games=games({"end": {**WON, "by": "time"}}, {})), ["game 1", "end"]),
    "end denied": (record(games=games({"end": None}, {})), ["game 1", "end"]),
    "end a number": (record(games=games({"end": 5}, {})), ["game 1"]),
    "end a list": (record(games=games({"end": []}, {})), ["game 1"]),
    "end a text": (record(games=games({"end": "rules"}, {})), ["game 1"]),
    "end false": (record(games=games({"end": False}, {})), ["game 1"]),
    "end too early": (record(games=games({"moves": [4]}, {})), ["game 1", "do not end it"]),
    "ended by undo": (record(games=games({}, {"end": {"by": "undo"}})), ["game 2", "undo"]),
    "ended by nothing": (record(games=games({}, {"end": {}})), ["game 2", "'by'"]),
    "resigned for the other": (
        record(games=games({}, {"end": {"by": "resignation", "winner": 0}})),
        ["game 2", "end"],
    ),
    "wrong score": (record(score=[1, 0]), ["score", "[1, 0]", "[0, 1]"]),
    "score a number": (record(score=1), ["score"]),
    "wrong over": (record(over=True), ["over"]),
}


@pytest.mark.parametrize("what", list(BAD_RECORDS))
def test_a_record_that_is_wrong_is_refused_with_its_place(home: Path, what: str) -> None:
    document, says = BAD_RECORDS[what]
    raw = isinstance(document, (str, bytes)) and what != "text"
    text = document if raw else json.dumps(document)
    (home / "r.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    helpful(run(home, "import", "r.json"), 1, *says)
    history = json.loads(run(home, "history", "--json").stdout)
    assert history["matches"] == []


def test_the_record_that_the_wrong_ones_are_made_of_is_right(home: Path) -> None:
    done = run(home, "import", "-", typed=json.dumps(record()))
    assert done.returncode == 0
    assert stored(home).score == (0, 1)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_record_in_another_encoding_of_json_is_read(home: Path, encoding: str) -> None:
    text = json.dumps(record(players=["Zoë", "李"]), ensure_ascii=False)
    (home / "r.json").write_bytes(text.encode(encoding))
    assert run(home, "import", "r.json").returncode == 0
    assert stored(home).players == ("Zoë", "李")


@pytest.mark.parametrize("file", ["nothing.json", ".", "/dev/null/x", "x" * 5000])
def test_a_file_that_cannot_be_read_is_an_error(home: Path, file: str) -> None:
    helpful(run(home, "import", file), 1, "cannot be read")


def test_an_endless_file_is_not_read_to_its_end(home: Path) -> None:
    helpful(run(home, "import", "/dev/zero"), 1, "larger than any record")


def test_a_record_runs_no_file_that_it_names(home: Path) -> None:
    (home / "evil.py").write_text(f"open({str(home / 'ran')!r}, 'w').close()\n{ONE}")
    for name in ("./evil.py", str(home / "evil.py"), "evil.py", "./evil.py:One"):
        document = record(game=name, options={}, length=1, games=[], score=[0, 0])
        document["games"] = [{"first": 0, "moves": [1], "end": None}]
        done = run(home, "import", "-", typed=json.dumps(document))
        assert not (home / "ran").exists(), name
        helpful(done, 1)


def test_a_file_is_named_by_the_user_and_then_it_is_run(home: Path) -> None:
    (home / "mine.py").write_text(ONE)
    document = record(game="one", options={}, length=1, score=[0, 0])
    document["games"] = [{"first": 0, "moves": [1], "end": None}]
    text = json.dumps(document)
    helpful(run(home, "import", "-", typed=text), 1, "no game 'one'")
    assert run(home, "import", "-", "--game", "./mine.py", typed=text).returncode == 0
    assert "Number: 2" in run(home, "resume").stdout


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("started", "\x1b[31mred"),
        ("started", "\ud800"),
        ("started", "x" * 1000),
        ("started", 5),
        ("updated", "\x1b[31mred"),
        ("id", "\x1b[31mred"),
        ("id", "../../x"),
        ("id", 5),
        ("id", "ABCDEFGH"),
        ("id", "a"),
        ("id", "x" * 5000),
        ("remark", "\x1b[31mred"),
        ("remark", "\ud800"),
    ],
)
def test_what_a_record_says_about_itself_reaches_no_terminal_raw(
    home: Path, key: str, value: Any
) -> None:
    done = run(home, "import", "-", typed=json.dumps(record(**{key: value})))
    assert "should not have happened" not in done.stderr
    assert done.returncode in (0, 1)
    if done.returncode == 0:
        id_ = run_id(home)
        shown = [run(home, "show", id_), run(home, "history"), run(home, "resume")]
        assert [one.returncode for one in shown] == [0, 0, 0]
        assert not any("\x1b" in one.stdout + one.stderr + done.stdout for one in shown)
        again = run(home, "export", id_)
        assert again.returncode == 0
        assert run(home, "import", "-", typed=again.stdout).stdout.startswith("Already there")


def test_two_records_with_one_id_are_both_kept(home: Path) -> None:
    one, other = record(id="abcdefgh"), record(id="abcdefgh", players=["Cy", "Dee"])
    first = run(home, "import", "-", "--json", typed=json.dumps(one))
    second = run(home, "import", "-", "--json", typed=json.dumps(other))
    third = run(home, "import", "-", "--json", typed=json.dumps(one))
    ids = [json.loads(done.stdout)["id"] for done in (first, second, third)]
    assert ids[0] == ids[2] == "abcdefgh" != ids[1]
    assert "Cy" in run(home, "show", ids[1]).stdout


def test_a_series_between_two_games_is_known_again(home: Path) -> None:
    done = run(home, "play", "even-steven", "--start", "1", "--games", "3", "--json", typed="1\n")
    (home / "friend").mkdir()
    told = [run(home / "friend", "import", "-", "--json", typed=done.stdout) for _ in range(2)]
    assert [json.loads(one.stdout)["new"] for one in told] == [True, False]
    assert "Already there" in run(home, "import", "-", typed=done.stdout).stdout


def test_an_id_that_another_begins_with_can_be_imported_and_shown(home: Path) -> None:
    one, other = record(id="abcdef"), record(id="abcdefgh", players=["Cy", "Dee"])
    for document in (other, one, one):
        assert run(home, "import", "-", typed=json.dumps(document)).returncode == 0
    assert "Ada" in run(home, "show", "abcdef").stdout
    assert len(json.loads(run(home, "history", "--json").stdout)["matches"]) == 2


# Numbers of a thousand digits and more.

THOUSAND = "1" + "0" * 998 + "4"


@pytest.mark.parametrize(
    ("name", "options", "moves", "says"),
    [
        ("even-steven", ["--start", THOUSAND], [1, 1], "New Number: 1" + "0" * 998 + "2\n"),
        ("dual-digits", ["--start", THOUSAND], [1, 2], "Shared Number: 1" + "0" * 998 + "1\n"),
        ("number-navigator", ["--start", THOUSAND], [1, 3], "is: 5" + "0" * 997 + "2\n"),
        ("divisor-duel", ["--start", THOUSAND], [2, 1], "New N is 1" + "0" * 998 + "1.\n"),
        (
            "digit-battle",
            ["--lives", THOUSAND, "--limit", THOUSAND, "--target", THOUSAND, "--start", THOUSAND],
            [1, 9],
            "Player 1 Life Points: 1" + "0" * 998 + "2\n",
        ),
    ],
)
def test_a_thousand_digits_play_like_few(
    home: Path, name: str, options: list[str], moves: list[int], says: str
) -> None:
    typed = "".join(f"{move}\n" for move in (0, *moves))
    done = run(home, "play", name, *options, typed=typed)
    assert done.returncode == 0
    assert says in done.stdout
    assert list(stored(home).round.moves) == moves
    id_ = run_id(home)
    exported = run(home, "export", id_)
    assert json.loads(exported.stdout)["games"][0]["moves"] == moves
    for command in (["show", id_], ["resume"], ["history"], ["import", "-"]):
        assert run(home, *command, typed=exported.stdout).returncode == 0
    assert says.strip("\n.") in run(home, "show", id_).stdout


def test_five_thousand_digits_are_more_than_python_prints_and_still_play(home: Path) -> None:
    start = "1" + "0" * 4998 + "4"
    done = run(home, "play", "even-steven", "--start", start, typed="1\nx\n7\nmoves\nhelp\n")
    assert f"New Number: {start[:-1]}3\n" in done.stdout
    id_ = run_id(home)
    exported = run(home, "export", id_)
    assert f'"start": {start}' in exported.stdout
    assert run(home, "import", "-", typed=exported.stdout).stdout.startswith("Already there")
    assert f"Current Number: {start[:-1]}3\n" in run(home, "resume").stdout


@pytest.mark.parametrize("start", ["-" + "9" * 1000, "0" * 1000, "9" * 300_000 + "x"])
def test_a_long_start_that_is_wrong_is_refused_in_a_short_sentence(home: Path, start: str) -> None:
    if len(start) > 100_000:  # longer than one argument may be
        done = run(home, "play", "even-steven", ZEROSUM_EVEN_STEVEN_START=start[-100_000:])
    else:
        done = run(home, "play", "even-steven", "--start", start)
    helpful(done, 2, "start")


def test_a_huge_product_says_that_not_all_are_listed_and_takes_a_large_divisor(home: Path) -> None:
    one, other = 10**499 + 153, 10**500 + 961
    number = one * other
    typed = f"moves\n{one + 1}\n{one}\n"
    done = run(home, "play", "divisor-duel", "--start", str(number), typed=typed)
    assert done.returncode == 0
    turn, _, rest = done.stdout.partition("to subtract: ")
    assert "not all can be found" in turn
    assert "Not every legal move could be listed" in rest
    assert "Only a proper divisor may be subtracted" in rest
    assert "and more." in rest
    assert f"New N is {number - one}.\n" in rest
    assert stored(home).round.moves == (one,)
    assert f"Current N: {number - one}\n" in run(home, "resume").stdout
