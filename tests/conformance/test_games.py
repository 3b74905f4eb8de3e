"""Every built-in game, in several variants, passes the one kit; broken games do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import zerosum
from zerosum.game import Outcome
from zerosum.registry import BUILT_IN
from zerosum.testing import Nonconforming, check_game

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {}),
    ("even-steven", {"start": 1}),
    ("even-steven", {"start": 64, "subtract_two": True}),
    ("even-steven", {"start": 10**1000 + 1}),
    ("divisor-duel", {}),
    ("divisor-duel", {"start": 2}),
    ("divisor-duel", {"start": 720}),
    ("divisor-duel", {"start": (2**61 - 1) * (2**89 - 1) * 12}),
    ("dual-digits", {}),
    ("dual-digits", {"start": 1, "numbers": (1,)}),
    ("dual-digits", {"start": 40, "numbers": (3, 1, 7)}),
    ("dual-digits", {"start": 10**30, "numbers": (10**29, 5)}),
    ("number-navigator", {}),
    ("number-navigator", {"start": 1}),
    ("number-navigator", {"start": 10**40}),
    ("digit-battle", {}),
    ("digit-battle", {"lives": 1}),
    ("digit-battle", {"start": -3, "lives": 3, "target": 7, "limit": 9, "limit_reset": -4}),
    ("digit-battle", {"negative_penalty": 0, "limit_penalty": 0, "target_reset": 15}),
]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_built_in_game_conforms(name: str, options: dict[str, Any]) -> None:
    huge = any(isinstance(value, int) and value > 10**12 for value in options.values())
    assert check_game(zerosum.game(name, **options), states=60 if huge else 800, plays=4) > 1


def test_every_built_in_game_is_checked_in_several_variants() -> None:
    for name in BUILT_IN:
        assert len([one for one, _ in VARIANTS if one == name]) >= 3


class State(NamedTuple):
    number: int
    player: int


@dataclass(frozen=True)
class Fine:
    """Take 1 or 2; whoever takes the last wins."""

    start: int = 5

    def initial(self) -> Any:
        return State(self.start, 0)

    def moves(self, state: Any) -> Any:
        return tuple(n for n in (1, 2) if n <= state.number)

    def play(self, state: Any, move: int) -> Any:
        return State(state.number - move, 1 - state.player)

    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(1 - state.player, "nothing is left")

    def objection(self, state: Any, move: int) -> Any:
        return None if move in self.moves(state) else "Take 1 or 2, and no more than there are."


def test_the_model_of_the_broken_games_conforms() -> None:
    assert check_game(Fine()) == 10


class NoObjection(Fine):
    def objection(self, state: Any, move: int) -> Any:
        return None


class WrongObjection(Fine):
    def objection(self, state: Any, move: int) -> Any:
        return None if move == 1 else "Take 1."


class MovesAtTheEnd(Fine):
    def moves(self, state: Any) -> Any:
        return super().moves(state) or (1,)


class NoMovesInTheMiddle(Fine):
    def moves(self, state: Any) -> Any:
        return () if state.number == 3 else super().moves(state)


class ListOfMoves(Fine):
    def moves(self, state: Any) -> Any:
        return list(super().moves(state))


class MoveTwice(Fine):
    def moves(self, state: Any) -> Any:
        return (*super().moves(state), *super().moves(state))


class TextMoves(Fine):
    def moves(self, state: Any) -> Any:
        return tuple(str(move) for move in super().moves(state))


class Fickle(Fine):
    calls: list[int] = []  # noqa: RUF012

    def play(self, state: Any, move: int) -> Any:
        self.calls.append(move)
        return State(state.number - move - len(self.calls) % 2, 1 - state.player)


class Mutating(Fine):
    def play(self, state: Any, move: int) -> Any:
        if isinstance(state, Loose):
            state.pile.append(move)
        return state

    def initial(self) -> Any:
        return Loose([], 0)

    def moves(self, state: Any) -> Any:
        return (1,)

    def outcome(self, state: Any) -> Any:
        return None


class Loose(NamedTuple):
    pile: list[int]
    player: int


class NoPlayer(Fine):
    def initial(self) -> Any:
        return Alone(3)


class Alone(NamedTuple):
    number: int


class ThirdPlayer(Fine):
    def play(self, state: Any, move: int) -> Any:
        return State(state.number - move, state.player + 1)


class BareTuple(Fine):
    def initial(self) -> Any:
        return (5, 0)


class FloatState(Fine):
    def initial(self) -> Any:
        return State(5.0, 0)  # type: ignore[arg-type]


class OverAtOnce(Fine):
    def initial(self) -> Any:
        return State(0, 0)


class WinnerTwo(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(2, "nothing is left")


class NoReason(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(0, "")


class BareOutcome(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else (0, "nothing is left")


class SecondSeatFirst(Fine):
    def initial(self) -> Any:
        return State(self.start, 1)


class Crashing(Fine):
    def play(self, state: Any, move: int) -> Any:
        return State(state.number - move + 0 // (state.number - 3), 1 - state.player)


class Partial:
    def initial(self) -> Any:
        return State(1, 0)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (NoObjection, "0 is not in moves.*does not say why|not in moves"),
        (WrongObjection, "2 is in moves.*objected to: Take 1"),
        (MovesAtTheEnd, "the game is over at State.number=0.*moves.. gives .1,"),
        (NoMovesInTheMiddle, "there are no moves at State.number=3.*outcome.. is None"),
        (ListOfMoves, "must give a tuple"),
        (MoveTwice, "names a move twice"),
        (TextMoves, "no integer"),
        (Fickle, "changes its mind"),
        (Mutating, "integers and tuples"),
        (NoPlayer, "needs a field 'player'"),
        (ThirdPlayer, "must be 0 or 1"),
        (BareTuple, "must be a NamedTuple"),
        (FloatState, "integers and tuples"),
        (OverAtOnce, "over before its first move"),
        (WinnerTwo, "winner must be 0 or 1"),
        (NoReason, "needs a reason"),
        (BareOutcome, "must give an Outcome"),
        (SecondSeatFirst, "seat 0 moves first"),
        (Crashing, "raises ZeroDivisionError"),
        (Partial, "lacks moves, play, outcome, objection"),
    ],
)
def test_a_broken_game_is_told_what_is_wrong(broken: Any, message: str) -> None:
    with pytest.raises(Nonconforming, match=message) as caught:
        check_game(broken())
    assert str(caught.value).startswith(broken.__name__)


def test_a_variant_that_can_change_is_refused() -> None:
    thawed: Any = type("Thawed", (), {"__annotations__": {"start": int}, **_methods(Fine)})
    with pytest.raises(Nonconforming, match="must be frozen"):
        check_game(dataclass(thawed)())


def _methods(kind: type) -> dict[str, Any]:
    return {name: value for name, value in vars(kind).items() if not name.startswith("__")}
