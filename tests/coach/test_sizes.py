"""Who owns a pair of numbers, how two numbers differ, and laws that hold at one size only."""

from dataclasses import dataclass
from typing import Any

import pytest
from docs.examples.countdown_env import Countdown

import zerosum
from tests.coach.sized_games import Chomp, Kayles, OwnHeaps
from tests.coach.support import check_everywhere, law_of
from tests.game_files import PASS
from tests.games import Nim
from tests.naive import Naive
from zerosum import Game
from zerosum.coach.advice import Coach
from zerosum.coach.laws.law import LawRefutation
from zerosum.solver import solve_table


@pytest.mark.parametrize(
    ("game", "lost"),
    [
        (Nim((4, 6)), "the two heaps are equal"),
        (Nim((7, 3)), "the two heaps are equal"),
        (Chomp(), "the top and the low differ by 1"),
    ],
)
def test_shared_numbers_are_compared_and_belong_to_nobody(game: Game[Any], lost: str) -> None:
    law = law_of(game)
    assert law.statement == f"The player to move loses exactly if {lost}."
    assert law.reach == f"This holds in all {law.positions} positions."
    check_everywhere(law, game)


def test_a_move_is_explained_by_the_equal_heaps_that_it_leaves() -> None:
    coach = Coach(solve_table(Nim((4, 6))))
    text = "After 102, the two heaps are equal: lost for whoever moves."
    assert coach.law_reason(coach.game.initial()) == text


def test_a_part_that_one_player_changes_belongs_to_that_player() -> None:
    lost = "the number of their heaps is at most their opponent's"
    assert law_of(OwnHeaps()).statement == f"The player to move loses exactly if {lost}."


def test_a_law_that_a_larger_size_refutes_says_so() -> None:
    law, naive = law_of(Kayles()), Naive(Kayles(pins=10))
    check_everywhere(law, Kayles())
    open_states = [state for state in naive.values if state not in naive.ends]
    wrong = sum(law.result(state) != naive.values[state].result for state in open_states)
    assert law.document.refuted == LawRefutation("pins", 10, wrong, len(open_states))
    assert wrong > 0
    assert law.reach == (
        f"This holds in all {law.positions} positions, but at this size only: "
        f"with pins 10, it is wrong in {wrong} of {len(open_states)}."
    )


def test_a_field_that_never_varies_does_not_refute_a_law() -> None:
    # With a pass, other positions are lost: but the law speaks of games without one.
    assert law_of(zerosum.game(PASS, heaps=(3, 4, 5), passes=0)).refuted is None


@dataclass(frozen=True)
class NinePins(Kayles):
    def __post_init__(self) -> None:
        if self.pins > 9:
            raise ValueError("There are nine pins.")


def test_a_size_that_a_game_refuses_is_not_tried() -> None:
    assert law_of(NinePins()).refuted is None


class Seeded(Countdown):
    """How much may be taken depends on the seed."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        self.most = 2 if seed else 3
        return super().reset(seed=seed, options=options)

    def valid_moves(self) -> list[int]:
        return super().valid_moves()[: self.most]


def test_the_seed_of_an_environment_is_not_a_size() -> None:
    assert law_of(zerosum.from_env(Seeded)).refuted is None
