"""The rule books' sample interactions, line for line, through a pipe and through a terminal."""

from pathlib import Path

import pytest

import zerosum
from tests.helpers import GOLDEN, Terminal, run
from zerosum.match import Match
from zerosum.registry import BUILT_IN
from zerosum.wording.words import transcript, words_of

SAMPLES: dict[str, tuple[list[int], tuple[str, ...]]] = {
    "even-steven": ([1, 2, 1, 2, 1, 2, 1], ()),
    "divisor-duel": ([8, 4, 2, 1], ("--names", "Alice", "Bob")),
    "dual-digits": ([3, 2, 4, 3, 2, 4, 3, 1, 2, 1], ()),
    "number-navigator": ([3, 2, 3, 3, 4, 2, 2, 2, 3, 4, 2, 2, 2], ()),
    # The book's sample stops in the middle; the golden file has the next question too.
    "digit-battle": ([7, 5, 8, 5, 9], ()),
}

END = "Review, again or quit? [quit]: "


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text()


def test_every_game_has_a_sample() -> None:
    assert set(SAMPLES) == set(BUILT_IN)


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_played_through_a_pipe(name: str, home: Path) -> None:
    moves, flags = SAMPLES[name]
    done = run(home, "play", name, *flags, typed="".join(f"{move}\n" for move in moves))
    assert done.stdout == golden(name)
    assert done.returncode == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_played_in_a_terminal(name: str, home: Path) -> None:
    moves, flags = SAMPLES[name]
    match = Match.new(zerosum.game(name), ("Alice", "Bob") if flags else ("Player 1", "Player 2"))
    words = words_of(match.game)
    with Terminal(home, "play", name, *flags) as terminal:
        for move in moves:
            terminal.expect(words.prompt(match.state, match.seated))
            terminal.type(str(move))
            match = match.play(move)
        terminal.expect(END if match.over else words.prompt(match.state, match.seated))
        # A pipe has no question after the end, and ends the line of the last question otherwise.
        after = ["", END] if match.over else []
        assert terminal.lines() == golden(name).split("\n")[:-1] + after


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_as_a_transcript(name: str) -> None:
    moves, flags = SAMPLES[name]
    match = Match.new(zerosum.game(name), ("Alice", "Bob") if flags else ("Player 1", "Player 2"))
    for move in moves:
        match = match.play(move)
    text = "\n".join(transcript(match, match.round)) + "\n"
    assert golden(name).startswith(text)
