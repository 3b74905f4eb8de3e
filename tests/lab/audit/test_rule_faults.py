"""Games with broken rules, and odd environments: the code of each fault, and a witness."""

import re
from collections.abc import Callable
from random import choice
from typing import Any, get_args

import numpy as np
import pytest

from tests.conformance.test_broken_games import ending, playing
from tests.game_files import EXAMPLES
from tests.games import Pile, Sticks, broken
from tests.lab.adapters.test_adapters import Heap
from tests.lab.audit.test_table_faults import replay
from zerosum import Move, Outcome
from zerosum.errors import GameError, Nonconforming
from zerosum.lab.adapters import from_env
from zerosum.lab.audit.document import FaultCode
from zerosum.lab.audit.rules.faults import rule_faults
from zerosum.limits import NONE
from zerosum.solver import solve_table
from zerosum.testing import check_game

# By the rules


def fickle() -> Sticks:
    """Sticks of which every second call takes one more."""
    calls: list[int] = []

    def play(game: Sticks, state: Any, move: int) -> Any:
        calls.append(move)
        return Pile(state.number - move * (state.number != 4 or len(calls) % 2), 1 - state.player)

    return broken(play=play)


def when(number: int, moves: Any) -> Sticks:
    """Sticks with other moves at one number."""
    sound: Callable[[Any, Any], Any] = Sticks.moves
    return broken(moves=lambda game, state: moves if state.number == number else sound(game, state))


# The ten positions of Sticks: 5/0, 4/1, 3/1, 3/0, 2/0, 1/0, 2/1, 1/1, 0/1 and 0/0.
RULES = [
    # 3 is reached by 2, and by 1 and 1.
    ("stuck", when(3, ()), (2,)),
    # Making 2 fails: from 4 for the second player, and from 3 for both.
    ("crash", playing(lambda n, player: Pile(n + 0 // (n - 2), 1 - player)), (1, 2)),
    ("crash", broken(initial=lambda game: Pile(1 // 0, 0)), ()),
    ("not-deterministic", fickle(), (1, 1)),
    ("moves-after-the-end", when(0, (1,)), None),
    ("bad-moves", when(4, (1.0, 1)), (1,)),
    ("duplicate-moves", when(4, (1, 1)), (1,)),
    ("bad-state", broken(initial=lambda game: Pile([5], 0)), ()),
    ("bad-state", playing(lambda n, player: Pile([n] if n == 3 else n, 1 - player)), (2,)),
    ("bad-player", playing(lambda number, player: Pile(number, player + (number != 3))), (1, 2)),
    ("over-at-start", broken(initial=lambda game: Pile(0, 0)), ()),
    ("bad-winner", ending(Outcome(2, "nothing is left")), None),
    ("bad-outcome", ending((0, "nothing is left")), None),
    ("bad-legality", broken(is_legal=lambda game, state, move: move in (1, 2, 3)), ()),
    ("bad-objection", broken(objection=lambda game, state, move: 5), ()),
    (
        "bad-symmetry",
        broken(canonical=lambda game, state: state._replace(number=min(state.number, 4))),
        (),
    ),
]


@pytest.mark.parametrize(("code", "game", "witness"), RULES)
def test_faults_of_broken_rules(code: str, game: Sticks, witness: tuple[Move, ...] | None) -> None:
    (fault,) = (fault for fault in rule_faults(game).found if fault.code == code)
    assert fault.severity == "error"
    assert fault.message.endswith(".")
    assert not fault.message.startswith("Broken")
    assert fault.witness is not None
    if witness is None:  # one of several shortest lines to the end
        assert len(fault.witness) == 3
        assert replay(game, fault.witness)[-1].number == 0
    else:
        assert fault.witness == witness
        assert not witness or replay(game, witness[:-1])
    # The kit and the audit speak of the same faults with the same words.
    with pytest.raises(Nonconforming) as caught:
        check_game(game)
    assert caught.value.code == code
    assert str(caught.value)[9:].lower() == fault.message[1:].lower()


class Spiteful:
    """An answer that fails when it is looked at."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_answers_that_fail_when_looked_at_are_a_crash() -> None:
    (fault,) = rule_faults(ending(Spiteful())).found
    assert fault.code == "crash"
    assert fault.message.startswith("The rules fail in test_rule_faults.py, line ")


def test_an_array_is_not_a_tuple_of_moves() -> None:
    (fault,) = rule_faults(when(4, np.array([1, 2]))).found
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
    assert rule_faults(game, limit=3).found == ()  # there may be turns further on


def test_very_long_numbers_are_not_a_fault() -> None:
    assert rule_faults(broken(initial=lambda game: Pile(10**5000, 0)), limit=3).found == ()


def test_a_fault_beyond_the_limit_is_found_with_a_larger_one() -> None:
    def moves(game: Sticks, state: Any) -> Any:
        return () if state.number == 7 else Sticks.moves(game, state)

    game = type("Broken", (Sticks,), {"moves": moves})(start=200)
    assert rule_faults(game, limit=100).found == ()
    with pytest.raises(GameError):
        solve_table(game)
    (fault,) = rule_faults(game, limit=NONE.positions).found
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
    assert rule_faults(game, limit=50).found == ()
    (fault,) = rule_faults(game, solution, limit=50).found
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
