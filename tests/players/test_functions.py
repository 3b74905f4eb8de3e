"""Functions in files: called in a process of their own, whatever they do."""

from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.game_files import STICK
from zerosum.errors import ZerosumError
from zerosum.players.asked import PlayerFault
from zerosum.players.function_main import load_function
from zerosum.players.programs import USUAL_LIMITS, ProgramLimits, ProgramPlayer, function_player
from zerosum.protocol import Game

GAME = zerosum.game("dual-digits")
START = GAME.initial()
FUNCTIONS = """
import os, random, sys
from fractions import Fraction
from helper import largest

def numpy():  # when it is called: it must be seeded all the same
    import numpy
    return numpy
def chances(game, state): return {1: numpy().float64(0.5), numpy().int64(2): Fraction(1, 2), 9: 0}
def nobody(game, state): return {1: numpy().nan, 2: float("-inf")}
def number(game, state): return numpy().int64(3)
def prints(game, state): print("{"); print("!", file=sys.stderr); return 1
def reads(game, state): return input()
def leaves(game, state): sys.exit("bye")
def dies(game, state): os._exit(7)
def raises(game, state): return 1 / 0
def wrong(game, state): return 9
def chance(game, state): return (random, numpy().random)[state.player].choice(game.moves(state))
def by_number(game, state): return globals()[NAMES[state.number - 10]](game, state)
"""
# What a function does, and how that is understood.
DOES: dict[str, Any] = {
    "chances": {"1": 0.5, "2": 0.5, "9": 0},
    "nobody": {"1": "nan", "2": "-inf"},
    "number": 3,
    "largest": 4,
    "prints": 1,
    "leaves": PlayerFault("crash", "by_number failed: mine.py, line 14: SystemExit: bye"),
    "raises": PlayerFault("crash", "by_number failed: mine.py, line 16: ZeroDivisionError: "),
    "reads": PlayerFault("crash", "EOFError"),
    "wrong": 9,
    "dies": PlayerFault("crash", "It ended with exit code 7."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(FUNCTIONS)
    (tmp_path / "helper.py").write_text("def largest(game, state): return max(game.moves(state))\n")
    return tmp_path


def player(
    folder: Path,
    name: str,
    game: Game[Any] = GAME,
    limits: ProgramLimits = USUAL_LIMITS,
    seed: int = 0,
) -> ProgramPlayer:
    return function_player(game, f"{folder / 'mine.py'}:{name}", limits=limits, seed=seed)


def test_answers_and_faults(folder: Path) -> None:
    with (folder / "mine.py").open("a") as file:
        file.write(f"NAMES = {list(DOES)}\n")
    with player(folder, "by_number") as asked:
        for number, answer in enumerate(DOES.values(), 10):
            state = START._replace(number=number)
            if not isinstance(answer, PlayerFault):
                assert asked.ask(state) == answer
            else:
                with pytest.raises(PlayerFault) as fault:
                    asked.ask(state)
                assert fault.value.kind == answer.kind
                assert str(answer) in str(fault.value)


def test_random_numbers_depend_on_seed_and_position_and_sample_only(folder: Path) -> None:
    states = [START, *(GAME.play(START, move) for move in (1, 2, 3, 4))]
    questions = [(state, sample) for state in states for sample in range(1, 7)]

    with player(folder, "chance", seed=1) as asked:
        first = [asked.ask(*question) for question in questions]
    with player(folder, "chance", seed=1) as asked:
        assert [asked.ask(*question) for question in questions[::-1]] == first[::-1]
    assert all(len({*first[begin : begin + 6]}) > 1 for begin in range(0, len(first), 6))
    with player(folder, "chance", seed=2) as asked:
        assert [asked.ask(*question) for question in questions] != first


def test_function_gets_the_users_game_with_its_options(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def choose(game, state): return {1: 1} if (game.start, state.sticks) == (5, 4) else 9\n"
    )
    game = zerosum.game(STICK, start=5)
    with player(tmp_path, "choose", game) as asked:
        assert asked.ask(game.play(game.initial(), 1)) == {"1": 1}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def chose(game, state): return 1", "mine.py has no function choose; did you mean chose?"),
        ("choose = 3", "mine.py has no function choose."),
        ("def", "mine.py could not be loaded: mine.py, line 1: SyntaxError"),
        ("raise SystemExit", "mine.py could not be loaded: mine.py, line 1: SystemExit"),
    ],
)
def test_files_without_the_function(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ZerosumError) as error:
        load_function(str(tmp_path / "mine.py"), "choose")
    assert says in str(error.value)


def test_identity_is_that_of_the_file_and_what_it_imports(folder: Path) -> None:
    identities = {player(folder, name, seed=seed).identity for name in "ab" for seed in (0, 1)}
    assert len(identities) == 4
    before = player(folder, "largest").identity
    assert player(folder, "largest").identity == before
    (folder / "helper.py").write_text("def largest(game, state): return 1\n")
    assert player(folder, "largest").identity != before
