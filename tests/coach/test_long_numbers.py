"""Very long numbers and lengths are shortened wherever a person reads them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.cli.support import run
from zerosum.coach.advice import Coach
from zerosum.coach.strategy import strategy
from zerosum.limits import Limits
from zerosum.match import Match
from zerosum.record import to_record
from zerosum.solver.solution import Solution
from zerosum.text import LONG_NUMBER
from zerosum.web.analysis import cards, positions, questions

LONG = 2**140  # with few divisors
THEORIES = ("even-steven", "divisor-duel", "dual-digits", "number-navigator")
# What is not said: moves and states to be sent back, pictures, and the position itself.
DATA = ("move", "best", "state", "to", "svg", "fields", "player_fields")
RUN = re.compile(rf"\d(?:,?\d){{{LONG_NUMBER - 1},}}")


def read(document: Any) -> Iterator[str]:
    """List what a person reads of a document."""
    if isinstance(document, dict):
        for key, part in document.items():
            yield from () if key in DATA else read(part)
    elif isinstance(document, list | tuple):
        for part in document:
            yield from read(part)
    elif isinstance(document, str):
        yield document


def said_of(game: zerosum.Game[Any]) -> Iterator[str]:
    """List what the coach and the page say about some positions of a game, and its review."""
    coach, match = Coach(Solution(game, Limits(1000))), Match.new(game, ("Ada", "Bob"))
    for _ in range(2):
        state = match.state
        yield from (coach.standing(state), coach.comparison(state), *coach.why(state))
        yield from (*coach.moves(state), *coach.moves(state, plain=True))
        yield from read(questions.advice(game, state))
        yield from read(positions.position(game, state))
        match = match.play(coach.game.moves(state)[-1])
    yield from read(questions.review(json.loads(json.dumps(to_record(match))), 0))
    if coach.solution.is_whole:
        yield from strategy(coach.solution)
        yield from read(cards.game_lesson(game))


@pytest.mark.parametrize("start", [LONG, LONG + 4], ids=["even", "won"])
@pytest.mark.parametrize("name", THEORIES)
def test_nobody_reads_a_very_long_number(name: str, start: int) -> None:
    long = [text for text in said_of(zerosum.game(name, start=start)) if RUN.search(text)]
    assert long == []


@pytest.mark.parametrize("name", ["divisor-duel", "number-navigator"])
def test_no_command_prints_a_very_long_number(home: Path, name: str) -> None:
    match, start = Match.new(zerosum.game(name, start=LONG), ("Ada", "Bob")), str(LONG)
    for _ in range(3):
        match = match.play(match.game.moves(match.state)[-1])
    (home / "match.json").write_text(match.to_json())
    for args in (
        ("solve", name, "--start", start),
        ("explain", name, "--start", start),
        ("starts", name, "--from", start, "--to", start),
        ("review", "match.json"),
    ):
        done = run(home, *args)
        assert (args[0], done.returncode) == (args[0], 0), done.stderr
        assert (args[0], RUN.findall(done.stdout + done.stderr)) == (args[0], [])
