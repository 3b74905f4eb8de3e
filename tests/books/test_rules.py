"""The rules against a second, naive implementation of the rule books."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.naive import Naive
from zerosum.books.digit_battle.rules import DigitBattle
from zerosum.books.digit_battle.rules import State as Battle
from zerosum.books.divisor_duel.rules import DivisorDuel
from zerosum.books.divisor_duel.rules import State as Duel
from zerosum.books.dual_digits.rules import DualDigits
from zerosum.books.dual_digits.rules import State as Digits
from zerosum.books.even_steven.rules import EvenSteven
from zerosum.books.even_steven.rules import State as Steven
from zerosum.books.number_navigator.rules import NumberNavigator
from zerosum.books.number_navigator.rules import State as Course
from zerosum.errors import OptionError
from zerosum.protocol import Game, refusal

seats = st.integers(0, 1)
wholes = st.one_of(st.integers(1, 60), st.integers(1, 10**60))


@given(wholes, seats, st.booleans())
def test_even_steven(number: int, player: int, subtract_two: bool) -> None:
    game = EvenSteven(subtract_two=subtract_two)
    expected = {1: number - 1}
    if number % 2 == 0:
        expected[2] = number // 2
    if subtract_two and number >= 2:
        expected[3] = number - 2
    state = Steven(number, player)
    assert {m: game.play(state, m) for m in game.moves(state)} == {
        key: Steven(made, 1 - player) for key, made in expected.items()
    }
    assert game.outcome(state) is None
    assert game.outcome(Steven(0, player)) == (1 - player, "the number is exactly zero")


@given(st.integers(2, 3000), seats)
def test_divisor_duel(number: int, player: int) -> None:
    game, state = DivisorDuel(), Duel(number, player)
    assert game.moves(state) == tuple(d for d in range(1, number) if number % d == 0)
    assert game.lists_all(state)
    assert game.play(state, 1) == Duel(number - 1, 1 - player)
    outcome = game.outcome(Duel(1, player))
    assert outcome is not None
    assert outcome.winner == 1 - player


@given(wholes, st.integers(-5, 10**60), seats)
def test_divisor_duel_allows_any_divisor(number: int, move: int, player: int) -> None:
    legal = 0 < move < number and number % move == 0
    game, state = DivisorDuel(), Duel(number, player)
    assert game.is_legal(state, move) == legal
    assert (refusal(game, state, move) is None) == legal


@given(st.integers(0, 60), st.sets(st.integers(1, 12), min_size=1), st.integers(0, 12), seats)
def test_dual_digits(number: int, numbers: set[int], previous: int, player: int) -> None:
    game = DualDigits(start=100, numbers=tuple(numbers))
    state = Digits(number, previous, player)
    legal = tuple(n for n in sorted(numbers) if n <= number and n != previous)
    assert game.moves(state) == legal
    outcome = game.outcome(state)
    if legal:
        assert outcome is None
        assert game.play(state, legal[0]) == Digits(number - legal[0], legal[0], 1 - player)
    else:
        assert outcome is not None
        assert outcome.winner == 1 - player
    assert game.allowed(state) == tuple(n for n in sorted(numbers) if n != previous)


@given(wholes, wholes, seats)
def test_number_navigator(first: int, second: int, player: int) -> None:
    game, state = NumberNavigator(), Course(first, second, player)
    own = (first, second)[player]
    assert state.own == own
    expected = {1: own - 1, 2: own - 2, 4: own + 5}
    if own % 2 == 0:
        expected[3] = own // 2
    if own >= 10:
        del expected[4]
    if own == 1:
        del expected[2]
    assert set(game.moves(state)) == set(expected)
    for key, made in expected.items():
        after = game.play(state, key)
        assert (after.first, after.second)[player] == made
        assert (after.first, after.second)[1 - player] == (first, second)[1 - player]
        assert after.player == 1 - player
        outcome = game.outcome(after)
        assert (outcome is not None) == (made == 0)
        assert outcome is None or outcome.winner == player


@given(st.integers(-40, 20), st.integers(1, 10), st.integers(1, 10), seats, st.integers(1, 9))
def test_digit_battle(number: int, first: int, second: int, player: int, digit: int) -> None:
    game = DigitBattle()
    made = number + digit if number % 2 == 0 else number - digit
    lives = [first, second]
    if made < 0:
        lives[player] -= 1
    elif made == 15:
        lives[1 - player] -= 3
        made = 0
    elif made > 20:
        lives[player] -= 2
        made = 10
    after = game.play(Battle(number, first, second, player), digit)
    assert after == Battle(made, lives[0], lives[1], 1 - player)
    outcome = game.outcome(after)
    if min(lives) > 0:
        assert outcome is None
    else:
        assert outcome is not None
        assert outcome.winner == (0 if lives[0] > 0 else 1)


@pytest.mark.parametrize(
    ("game", "state", "winner", "reason"),
    [
        (DivisorDuel(), Duel(1, 0), 1, "1 has no proper divisor, so no move is left"),
        (DualDigits(), Digits(1, 1, 1), 0, "every number is forbidden or would go below zero"),
        (NumberNavigator(), Course(5, -1, 0), 0, "the loser's number is below zero"),
        (DigitBattle(), Battle(4, 3, -1, 1), 0, "the loser has no life points left"),
    ],
)
def test_an_outcome_has_its_winner_and_reason(
    game: Game[Any], state: Any, winner: int, reason: str
) -> None:
    assert game.outcome(state) == (winner, reason)


ADVANCED = EvenSteven(subtract_two=True)
CHOICES = "The choices are 1 (subtract 1), 2 (divide by 2) and 3 (subtract 2)."
REPEATED = "Your opponent has just subtracted that number, so it is forbidden now."
BELOW = "You cannot go below zero while you have another move."
OPERATIONS = "The operations are 1 (subtract 1), 2 (subtract 2), 3 (multiply by 0.5), 4 (add 5)."


@pytest.mark.parametrize(
    ("game", "state", "move", "sentence"),
    [
        (EvenSteven(), Steven(7, 0), 2, "Only an even number can be divided by 2."),
        (EvenSteven(), Steven(7, 0), 3, "The choices are 1 (subtract 1) and 2 (divide by 2)."),
        (ADVANCED, Steven(1, 0), 3, "2 can be subtracted only from 2 or more."),
        (ADVANCED, Steven(7, 0), 4, CHOICES),
        (DivisorDuel(), Duel(16, 0), 0, "A divisor is a whole number of at least 1."),
        (DivisorDuel(), Duel(16, 0), 16, "16 is not smaller than 16."),
        (DivisorDuel(), Duel(16, 0), 3, "3 does not divide 16."),
        (DualDigits(), Digits(25, 3, 0), 5, "Only these may be subtracted: 1, 2, 3, 4."),
        (DualDigits(), Digits(25, 3, 0), 3, REPEATED),
        (DualDigits(), Digits(2, 1, 0), 3, "That would go below zero."),
        (NumberNavigator(), Course(15, 20, 0), 3, "Only an even number can be halved."),
        (NumberNavigator(), Course(15, 20, 0), 4, "5 can be added only to a number below 10."),
        (NumberNavigator(), Course(15, 20, 0), 5, OPERATIONS),
        (NumberNavigator(), Course(1, 20, 0), 2, BELOW),
        (DigitBattle(), Battle(0, 10, 10, 0), 10, "Choose a digit from 1 to 9."),
    ],
)
def test_an_illegal_move_is_refused_with_its_rule(
    game: Game[Any], state: Any, move: int, sentence: str
) -> None:
    assert refusal(game, state, move) == sentence


@pytest.mark.parametrize(
    ("game", "state", "swapped"),
    [
        (EvenSteven(), Steven(7, 1), Steven(7, 0)),
        (DivisorDuel(), Duel(16, 1), Duel(16, 0)),
        (DualDigits(), Digits(22, 3, 1), Digits(22, 3, 0)),
        (NumberNavigator(), Course(10, 20, 1), Course(20, 10, 0)),
        (DigitBattle(), Battle(7, 10, 8, 1), Battle(7, 8, 10, 0)),
    ],
)
def test_a_position_is_the_same_for_either_seat(game: Game[Any], state: Any, swapped: Any) -> None:
    assert game.canonical(state) == game.canonical(swapped) == swapped


@pytest.mark.parametrize(
    ("name", "options", "states", "perft"),
    [
        ("even-steven", {}, 23, [1, 1, 2, 2, 4, 5]),
        ("divisor-duel", {}, 30, [1, 4, 14, 36, 79, 154]),
        ("dual-digits", {}, 174, [1, 4, 12, 36, 108, 324]),
        ("number-navigator", {}, 629, [1, 3, 9, 24, 64, 184]),
        ("digit-battle", {"lives": 2}, 288, [1, 9, 81, 711, 6111, 41886]),
    ],
)
def test_counts_of_positions_and_lines(
    name: str, options: dict[str, Any], states: int, perft: list[int]
) -> None:
    game = zerosum.game(name, **options)
    assert len(Naive(game).after) == states
    assert [count_lines(game, game.initial(), depth) for depth in range(len(perft))] == perft


def count_lines(game: Game[Any], state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count_lines(game, game.play(state, m), depth - 1) for m in game.moves(state))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("even-steven", {"start": 0}, "start: must be a whole number of at least 1, not 0"),
        ("divisor-duel", {"start": 1}, "start: must be a whole number of at least 2, not 1"),
        ("dual-digits", {"numbers": (1, 1)}, "numbers: must all be different"),
        ("dual-digits", {"start": 3, "numbers": (4, 5)}, "at least one must be no larger"),
        ("digit-battle", {"target": 21}, "target: must be a whole number of at most 20, not 21"),
        ("digit-battle", {"limit": 14}, "target: must be a whole number of at most 14, not 15"),
        ("digit-battle", {"limit_reset": 99}, "limit_reset: must be a whole number of at most 20"),
        (
            "digit-battle",
            {"negative_penalty": 0, "target_penalty": 0, "limit_penalty": 0},
            "at least one penalty must be above 0",
        ),
    ],
)
def test_bad_options_are_refused_with_the_range(
    name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        zerosum.game(name, **options)
    assert message in str(caught.value)
