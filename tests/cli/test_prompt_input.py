"""Input at a prompt that is not a plain move."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import zerosum
from tests.cli.support import GAMES, run
from tests.helpers import Terminal, stored
from zerosum.documents import dumps, loads
from zerosum.protocol import Game
from zerosum.record import from_record, to_record
from zerosum.wording.words import words_of

# No number at all: words and other scripts' fractions, what nobody sees, and what a terminal obeys.
UNREADABLE = (
    *(b"seven", b"1.0", b"1,0", b"1_000", b"1 2", "½".encode(), "²".encode(), b"x" * 1_048_576),
    *("1\u200b".encode(), "\u202e1".encode(), b"\xef\xbb\xbf1", b"\0", b"\xff\xfe1"),
    *(b"\x1b[31m1\x1b[0m", b"\xc2\x9b31m1", b"1\r2", "1\u2028x".encode(), b"%s %d {0} {match}"),
)
# Numbers that no book takes; the last is too long for what its rules say.
ILLEGAL = (b"0", b"-0", b"-1", "−1".encode(), b"1000000", "٩٩".encode(), b"9" * 100_000)
TOO_LONG = b"9" * 200_001


def answers(out: str, prompt: str) -> list[tuple[str, str]]:
    """Cut a transcript into what was typed at each prompt and what came back."""
    parts = [part.partition("\n") for part in out.split(prompt)[1:]]
    return [(typed, rest) for typed, _, rest in parts]


@pytest.mark.parametrize("name", GAMES)
def test_bad_input_is_answered_and_never_changes_the_position(home: Path, name: str) -> None:
    game: Game[Any] = zerosum.game(name)
    start = game.initial()
    prompt = words_of(game).prompt(start, ("Player 1", "Player 2"))
    legal = f"Legal now: {', '.join(map(str, game.moves(start)))}."
    lines = [b"", b"   ", b"\t", *UNREADABLE, *ILLEGAL, TOO_LONG]
    done = run(home, "play", name, typed=b"\n".join(lines) + b"\n1\n")
    assert done.returncode == 0
    assert stored(home).round.moves == (1,)
    # Only the last prompt, the other player's, may differ.
    got = answers(done.stdout, prompt)[: len(lines) + 1]
    assert len(got) == len(lines) + 1
    said = {typed: answer for typed, (_, answer) in zip(lines, got, strict=False)}
    for typed, answer in said.items():
        assert legal in answer, typed
        assert answer.count("\n") == 1, typed
        assert len(answer) < 400, typed
    assert all("is not a whole number." in said[typed] for typed in UNREADABLE)
    for typed, move in zip(ILLEGAL[:3], (0, 0, -1), strict=True):
        assert said[typed].startswith(str(game.objection(start, move)))
    assert "200001 digits is too long" in said[TOO_LONG]
    # Control codes are never echoed.
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e\ufeff]", done.stdout)


DRESSED = ["+1", " 1 ", "\t1\t", "\u00a01", "01", "0001", "١", "１", "१", "𝟏", "߁"]


def test_numbers_in_any_script_are_read(home: Path) -> None:
    done = run(home, "play", "even-steven", typed="\n".join(DRESSED))
    assert stored(home).round.moves == (1,) * len(DRESSED)
    assert "Legal now" not in done.stdout


@pytest.mark.parametrize("typed", [b"", b"x", b"draw\n", b"1\ndraw\n"])
def test_input_may_end_anywhere(home: Path, typed: bytes) -> None:
    done = run(home, "play", "digit-battle", typed=typed)
    assert done.returncode == 0
    if b"1" not in typed:
        assert done.stderr == "There is nothing to save: this match has no move yet.\n"
        assert run(home, "history").stderr == "No saved matches.\n"
        return
    assert re.fullmatch(r"Saved\. Resume with: .*zerosum resume \w{8}\n", done.stderr)
    assert stored(home).round.end is None


def test_invalid_utf8_on_a_terminal_is_answered(home: Path) -> None:
    with Terminal(home, "play", "even-steven") as screen:
        screen.expect("choice: ")
        os.write(screen.fd, b"\xff\xfe\n")
        screen.expect("is not a whole number. Legal now: 1.", "choice: ")
        os.write(screen.fd, "\u0663\n".encode())
        screen.expect("The choices are")
        screen.answer(("choice: ", "1"))
        screen.expect("New Number: 14")


noise = st.lists(
    st.binary(max_size=60)
    | st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.integers(-3, 12).map(lambda number: str(number).encode())
    | st.sampled_from([b"help", b"undo", b"moves", b"rules", b"draw", b"yes", b"save", b"resign"]),
    max_size=30,
)


@settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(name=st.sampled_from(GAMES), lines=noise)
@example(name="number-navigator", lines=[b"\r", b"\r\n", b"\n\n\n", b"\x1a", b"\x04", b"\x03"])
def test_any_bytes_make_a_match_that_replays(
    tmp_path_factory: pytest.TempPathFactory, name: str, lines: list[bytes]
) -> None:
    home = tmp_path_factory.mktemp("noise")
    done = run(home, "play", name, "--games", "3", "--json", typed=b"\n".join(lines))
    assert done.returncode == 0
    assert "bug in Zerosum" not in done.stderr
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stderr)
    record = loads(done.stdout)
    if "id" not in record:
        assert not any(played["moves"] for played in record["rounds"])
        return
    match = stored(home)
    assert from_record(loads(dumps(to_record(match)))) == match
    if not match.over:
        assert run(home, "resume").returncode == 0
