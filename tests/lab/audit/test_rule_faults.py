"""Games with broken rules, and odd environments: the code of each fault, and a witness."""

import re
from random import choice
from typing import Any, get_args

import numpy as np
import pytest

from tests.conformance.test_broken_games import (
    LEGALITY,
    MOVES,
    OUTCOMES,
    STATES,
    SYMMETRY,
    TURNS,
    ending,
    moving,
    playing,
)
from tests.game_files import EXAMPLES
from tests.games import Pile, Sticks, broken
from tests.lab.adapters.test_adapters import Heap
from tests.lab.audit.test_table_faults import replay
from zerosum.errors import GameError, Nonconforming
from zerosum.lab.adapters import from_env
from zerosum.lab.audit.document import FaultCode
from zerosum.lab.audit.rules.faults import rule_faults
from zerosum.limits import NONE, Limits
from zerosum.solver import solve_table
from zerosum.testing import check_game

# By the rules

BROKEN = (*STATES, *TURNS, *OUTCOMES, *MOVES, *LEGALITY, *SYMMETRY)


@pytest.mark.parametrize("game", [game for game, _ in BROKEN], ids=[said for _, said in BROKEN])
def test_the_audit_and_the_kit_speak_of_the_same_faults_with_the_same_words(game: Any) -> None:
    with pytest.raises(Nonconforming) as caught:
        check_game(game)
    found = {fault.code: fault for fault in rule_faults(game).found}
    if (code := caught.value.code) == "nonconforming":  # what only the kit looks for
        assert not found
        return
    fault = found[code]  # type: ignore[index]
    assert fault.severity == "error"
    assert fault.message.lower() == str(caught.value).removeprefix("Broken: ").lower()
    assert fault.witness is None or len(fault.witness) <= 5
    assert not fault.witness or replay(game, fault.witness[:-1])


class Spiteful:
    """An answer that fails when it is looked at."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_answers_of_other_types_are_faults() -> None:
    (fault,) = rule_faults(ending(Spiteful())).found
    assert fault.code == "crash"
    assert fault.message.startswith("The rules fail in test_rule_faults.py, line ")
    (fault,) = rule_faults(moving(lambda state, moves: np.array([1, 2]))).found
    assert fault.code == "bad-moves"
    assert fault.message.startswith("moves() at Pile(")
    assert fault.message.endswith("must return a tuple, not ndarray; put tuple() around it.")


def test_every_fault_is_found_with_a_line_to_it() -> None:
    def moves(game: Sticks, state: Any) -> Any:
        return {4: [1], 1: ()}.get(state.number, Sticks.moves(game, state))

    found = rule_faults(broken(moves=moves)).found
    assert [(fault.code, fault.witness) for fault in found] == [
        ("bad-moves", (1,)),
        ("stuck", (2, 2)),
    ]


def test_turn_that_never_changes_is_the_fault_that_the_check_finds() -> None:
    game = playing(lambda number, player: Pile(number, player))
    (fault,) = rule_faults(game, solve_table(game)).found
    assert (fault.code, fault.witness, fault.severity) == ("bad-player", None, "error")
    with pytest.raises(Nonconforming) as checked:
        check_game(game)
    assert str(checked.value) == f"Broken: {fault.message[0].lower()}{fault.message[1:]}"
    assert rule_faults(game, limits=Limits(3)).found == ()  # there may be turns further on


def test_very_long_numbers_are_not_a_fault() -> None:
    assert rule_faults(broken(initial=lambda game: Pile(10**5000, 0)), limits=Limits(3)).found == ()


def test_a_fault_beyond_the_limit_is_found_with_a_larger_one() -> None:
    def moves(game: Sticks, state: Any) -> Any:
        return () if state.number == 7 else Sticks.moves(game, state)

    game = type("Broken", (Sticks,), {"moves": moves})(start=200)
    assert rule_faults(game, limits=Limits(100)).found == ()
    with pytest.raises(GameError):
        solve_table(game)
    (fault,) = rule_faults(game, limits=NONE).found
    assert fault.code == "stuck"
    assert fault.witness is not None
    assert len(fault.witness) == 97  # 193 in twos, and a 1
    assert replay(game, fault.witness)[-1].number == 7


def test_chance_far_from_the_start_is_found() -> None:
    class Chancy(Sticks):
        def play(self, state: Any, move: int) -> Any:
            step = choice((1, 2)) if 1 < state.number < 40 else move
            return Pile(state.number - step, 1 - state.player)

    game = Chancy(start=100)
    solution = solve_table(game)
    assert rule_faults(game, limits=Limits(50)).found == ()
    (fault,) = rule_faults(game, solution, limits=Limits(50)).found
    assert (fault.code, fault.severity) == ("not-deterministic", "error")
    assert fault.witness


def test_a_table_of_other_rules_is_not_trusted() -> None:
    class Longer(Sticks):
        def moves(self, state: Any) -> Any:
            return (1, 2, 3)[: state.number]

    solution = solve_table(Longer())
    (fault,) = rule_faults(Sticks(), solution).found
    assert (fault.code, fault.witness) == ("not-deterministic", None)


# By what environments do


class Paying(Heap):
    """It pays for making 3 though the game goes on, and lists moves in the wrong order."""

    def valid_moves(self) -> Any:
        return super().valid_moves()[::-1]

    def step(self, action: Any) -> Any:
        heap, reward, *rest = super().step(action)
        return heap, reward + (self.heap == 3) / 2, *rest


def test_what_is_odd_about_an_environment_is_no_error() -> None:
    game = from_env(Paying)
    found = {fault.code: fault for fault in rule_faults(game, solve_table(game)).found}
    assert {code: (fault.severity, fault.witness) for code, fault in found.items()} == {
        "reward-without-end": ("warning", (2,)),
        "unsorted-moves": ("notice", ()),
    }


def test_every_code_is_in_the_documentation() -> None:
    codes = {code for kind in get_args(FaultCode) for code in get_args(kind)}
    text = (EXAMPLES.parent / "audit.md").read_text()
    section = text[text.index("## Faults") : text.index("## Dead rules")]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == codes
