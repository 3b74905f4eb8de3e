"""Every theory against an exhaustive solution, made here from the rules with plain dictionaries."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from math import gcd
from types import ModuleType
from typing import Any

import pytest

from zerosum.game import Game, Value, ZerosumError
from zerosum.games.divisor_duel import theory as duel
from zerosum.games.divisor_duel.rules import DivisorDuel
from zerosum.games.divisor_duel.rules import State as Duel
from zerosum.games.dual_digits import theory as digits
from zerosum.games.dual_digits.rules import DualDigits
from zerosum.games.dual_digits.rules import State as Digits
from zerosum.games.even_steven import theory as steven
from zerosum.games.even_steven.rules import EvenSteven
from zerosum.games.even_steven.rules import State as Steven
from zerosum.games.number_navigator import theory as course
from zerosum.games.number_navigator.rules import NumberNavigator
from zerosum.games.number_navigator.rules import State as Course

BASIC, ADVANCED = EvenSteven(), EvenSteven(subtract_two=True)
HUGE = 10**1000  # a number of 1,001 digits

chance = random.Random(2024)
# One number; numbers with gaps, or all far from 1; a common divisor; scores of unequal steepness.
SETS = [(1,), (2,), (5,), (12,), (1, 12), (11, 12), (2, 4), (4, 6, 10), (3, 7, 8), (1, 2), (9, 10)]
SETS += [(1, 3, 5), (2, 5, 7, 8), tuple(range(1, 7)), tuple(range(1, 13)), (2, 3, 5, 7, 8, 10)]
SETS += [tuple(sorted(chance.sample(range(1, 13), chance.randint(2, 8)))) for _ in range(20)]


def dual(*numbers: int, start: int = 12) -> DualDigits:
    return DualDigits(start=start, numbers=numbers)


def solved(game: Game[Any], roots: Iterable[Any]) -> dict[Any, Value]:
    """Solve a game backwards from its ends, over all that can be reached from some states."""
    after: dict[Any, list[Any]] = {}
    before: dict[Any, list[Any]] = {}
    ahead = list(roots)
    while ahead:
        state = ahead.pop()
        if state not in after:
            after[state] = [game.play(state, move) for move in game.moves(state)]
            ahead += after[state]
            for child in after[state]:
                before.setdefault(child, []).append(state)
    values: dict[Any, Value] = {}
    for state in after:
        if ended := game.outcome(state):
            values[state] = Value("win" if ended.winner == state.player else "loss", 0)
    # In the order of plies: the first lost child makes the quickest win, and the last won child
    # the slowest loss.
    left = {state: len(children) for state, children in after.items()}
    queue = deque(values)
    while queue:
        state = queue.popleft()
        result, plies = values[state]
        assert plies is not None
        for parent in before.get(state, []):
            left[parent] -= 1
            if parent not in values and (result == "loss" or not left[parent]):
                values[parent] = Value("win" if result == "loss" else "loss", plies + 1)
                queue.append(parent)
    assert len(values) == len(after), "somewhere nobody can force an end"
    return values


def assert_agrees(theory: ModuleType, game: Game[Any], values: dict[Any, Value]) -> None:
    wrong = {s: (v, theory.value(game, s)) for s, v in values.items() if theory.value(game, s) != v}
    assert not wrong, list(wrong.items())[:5]


@pytest.mark.parametrize("game", [BASIC, ADVANCED])
def test_even_steven(game: EvenSteven) -> None:
    assert_agrees(steven, game, solved(game, [Steven(5_000, 0), Steven(5_000, 1)]))


def test_even_steven_knows_every_number_to_a_hundred_thousand() -> None:
    for game in (BASIC, ADVANCED):
        scores = [0]  # a win is +plies, a loss is -plies
        for number in range(1, 100_001):
            lefts = [number - 1] + [number // 2] * (number % 2 == 0)
            lefts += [number - 2] * (game.subtract_two and number >= 2)
            options = [1 - scores[n] if scores[n] <= 0 else -1 - scores[n] for n in lefts]
            scores.append(min((x for x in options if x > 0), default=min(options)))
            result = "win" if scores[-1] > 0 else "loss"
            assert steven.value(game, Steven(number, 0)) == (result, abs(scores[-1]))


def test_divisor_duel() -> None:
    game = DivisorDuel()
    assert_agrees(duel, game, solved(game, [Duel(n, p) for n in range(1, 1_501) for p in (0, 1)]))


def test_divisor_duel_leaves_out_the_plies_of_large_numbers_only() -> None:
    game = DivisorDuel()
    assert duel.value(game, Duel(duel.COUNTED, 0)).plies is not None
    assert duel.value(game, Duel(duel.COUNTED + 1, 0)) == ("loss", None)
    assert duel.value(game, Duel(duel.COUNTED + 2, 0)) == ("win", None)


@lru_cache
def digit_values(numbers: tuple[int, ...], most: int) -> dict[Digits, Value]:
    states = [Digits(*s) for s in product(range(most + 1), (0, *numbers), (0, 1))]
    return solved(dual(*numbers), states)


def test_dual_digits() -> None:
    assert_agrees(digits, DualDigits(), digit_values((1, 2, 3, 4), 300))


@pytest.mark.parametrize("numbers", SETS, ids=str)
def test_dual_digits_with_other_numbers(numbers: tuple[int, ...]) -> None:
    assert_agrees(digits, dual(*numbers), digit_values(numbers, 150))


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), *SETS], ids=str)
def test_the_pattern_of_dual_digits_agrees_with_the_rows_that_it_was_not_made_from(
    numbers: tuple[int, ...],
) -> None:
    unit = gcd(*numbers)
    units = tuple(n // unit for n in numbers)
    pattern = digits._pattern(units)
    assert pattern.straight
    rows: list[dict[int, int]] = []  # by previous number, for once all of them
    for shared in range(len(pattern.rows) * 3):
        row = {}
        for previous in (0, *units):
            lefts = [rows[shared - n][n] for n in units if n <= shared and n != previous]
            options = [1 - x if x <= 0 else -1 - x for x in lefts]
            wins = [x for x in options if x > 0]
            row[previous] = min(wins or options, default=0)
            if shared >= pattern.base:
                assert pattern.row(shared).at(previous) == row[previous]
        rows.append(row)


@pytest.mark.parametrize("work", [60, 300, 900, 2_400])
def test_dual_digits_never_guesses_when_the_search_is_cut_short(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = set()  # of answers
    for numbers in SETS:
        values = digit_values(numbers, 150)
        with monkeypatch.context() as patch:
            patch.setattr(digits, "WORK", work)
            digits._pattern.cache_clear()
            game = dual(*numbers)
            for state, value in values.items():
                said = digits.value(game, state)
                assert said is None or said == value or said == (value.result, None)
                kinds.add("nothing" if said is None else "wins" if said.plies is None else "all")
    digits._pattern.cache_clear()
    assert "all" in kinds
    assert "nothing" in kinds or work > 300
    assert "wins" in kinds or work not in (300, 900)


def test_dual_digits_with_numbers_out_of_all_proportion() -> None:
    game = dual(1, 2, 3, 4, HUGE, start=25)
    for number, previous in product(range(60), range(5)):
        state = Digits(number, previous, 0)
        assert digits.value(game, state) == digits.value(DualDigits(), state)
    assert digits.value(game, Digits(25, HUGE, 0)) == ("loss", 10)
    assert digits.value(game, Digits(HUGE, 0, 0)) is None
    assert "no short rule" in digits.why(game, Digits(HUGE, 0, 0))
    assert "No short rule" in digits.law(game)
    # What is common to all numbers is no obstacle.
    game = dual(HUGE, 2 * HUGE, start=HUGE)
    small = dual(1, 2)
    for number, previous in product(range(20), range(3)):
        big = Digits(number * HUGE + HUGE // 3, previous * HUGE, 0)
        assert digits.value(game, big) == digits.value(small, Digits(number, previous, 0))
    assert digits.value(game, Digits(HUGE // 2, 0, 1)) == ("loss", 0)
    assert digits.value(dual(5_001, 7_002, start=9_000), Digits(3_000, 7_002, 0)) == ("loss", 0)


def test_number_navigator() -> None:
    pairs = product(range(1, 61), range(61))
    roots = [
        Course(*((own, other) if p == 0 else (other, own)), p)
        for own, other in pairs
        for p in (0, 1)
    ]
    assert_agrees(course, NumberNavigator(), solved(NumberNavigator(), roots))


def test_the_distance_to_zero() -> None:
    most = 20_000
    fewest = {0: 0}
    queue = deque(fewest)
    while queue:
        number = queue.popleft()
        before = [number + 1, number + 2, 2 * number] + [number - 5] * (5 < number < 15)
        for one in before:
            if one <= 2 * most and one not in fewest:
                fewest[one] = fewest[number] + 1
                queue.append(one)
    assert all(course.distance(number) == fewest[number] for number in range(most + 1))


def test_known_facts() -> None:
    assert steven.value(BASIC, Steven(15, 0)) == ("loss", 8)
    assert digits.value(DualDigits(), DualDigits().initial()) == ("loss", 10)
    assert course.value(NumberNavigator(), NumberNavigator().initial()) == ("win", 9)
    assert duel.value(DivisorDuel(), DivisorDuel().initial()).result == "win"


def huge_states() -> list[tuple[ModuleType, Game[Any], Any]]:
    luck = random.Random(1)
    numbers = [HUGE + luck.randrange(HUGE) for _ in range(30)] + [HUGE + n for n in range(12)]
    cases: list[tuple[ModuleType, Game[Any], Any]] = []
    for n in numbers:
        cases += [(steven, BASIC, Steven(n, 0)), (steven, ADVANCED, Steven(n, 1))]
        cases += [(duel, DivisorDuel(), Duel(n, 0))]
        cases += [(course, NumberNavigator(), Course(n, n - luck.randrange(4), 1))]
        for numbers_ in ((1, 2, 3, 4), *SETS[::4]):
            cases += [(digits, dual(*numbers_), Digits(n, p, 0)) for p in (0, numbers_[-1])]
    return cases


def test_numbers_of_a_thousand_digits_agree_with_their_own_successors() -> None:
    for theory, game, state in huge_states():
        value = theory.value(game, state)
        if theory is duel:  # not all divisors can be found, and the plies are not known
            assert duel.value(DivisorDuel(), Duel(state.number - 1, 1)).result != value.result
            continue
        after = [theory.value(game, game.play(state, move)) for move in game.moves(state)]
        wins = [v.plies + 1 for v in after if v.result == "loss"]
        losses = [v.plies + 1 for v in after if v.result == "win"]
        expected = ("win", min(wins)) if wins else ("loss", max(losses, default=0))
        assert value == expected


@pytest.mark.parametrize(
    ("theory", "game", "state"),
    [
        (steven, BASIC, Steven(-1, 0)),
        (steven, BASIC, Steven(5, 2)),
        (steven, ADVANCED, Steven(5, -1)),
        (steven, ADVANCED, (2.5, 0)),
        (steven, BASIC, ("5", 0)),
        (steven, BASIC, (True, 0)),
        (duel, DivisorDuel(), Duel(0, 0)),
        (duel, DivisorDuel(), Duel(-HUGE, 0)),
        (duel, DivisorDuel(), Duel(7, 3)),
        (digits, DualDigits(), Digits(-1, 0, 0)),
        (digits, DualDigits(), Digits(7, 5, 0)),
        (digits, DualDigits(), Digits(7, -1, 0)),
        (digits, DualDigits(), Digits(7, 1, 2)),
        (course, NumberNavigator(), Course(-1, 5, 0)),
        (course, NumberNavigator(), Course(5, -1, 0)),
        (course, NumberNavigator(), Course(0, 5, 0)),
        (course, NumberNavigator(), Course(0, 0, 1)),
        (course, NumberNavigator(), Course(5, 5, 2)),
    ],
)
def test_a_state_that_makes_no_sense_is_refused(theory: ModuleType, game: Any, state: Any) -> None:
    state = type(game.initial())(*state)
    for ask in (theory.value, theory.why):
        with pytest.raises(ZerosumError, match=r"\.$"):
            ask(game, state)


def assert_reads_well(text: str, sentences: int) -> None:
    assert re.fullmatch(r"[A-Z0-9][^\n]*\.", text), text
    assert text.count(". ") + 1 <= sentences, text
    assert not re.search(r"\d{41}|[^\w\s.,:;()'-]|  ", text), text


def test_every_reason_reads_well() -> None:
    small: list[tuple[ModuleType, Game[Any], Any]] = []
    for n in range(1, 60):
        small += [(steven, BASIC, Steven(n - 1, 0)), (steven, ADVANCED, Steven(n - 1, 1))]
        small += [(duel, DivisorDuel(), Duel(n, 0)), (digits, dual(*range(1, 20)), Digits(n, 3, 0))]
        small += [(digits, DualDigits(), Digits(n - 1, p, 0)) for p in range(5)]
        small += [(course, NumberNavigator(), Course(n, o, 0)) for o in (0, 1, 2, 20, 21)]
    for theory, game, state in small + huge_states():
        assert_reads_well(theory.why(game, state), 2)


def test_some_reasons() -> None:
    assert steven.why(BASIC, Steven(14, 0)) == (
        "14 is even. Leave your opponent an odd number from 5 up: 13 or 7."
    )
    assert steven.why(BASIC, Steven(15, 0)) == (
        "15 is odd, so you can only subtract 1. That leaves an even number, 14, and your opponent "
        "can leave you an odd one again."
    )
    assert digits.why(DualDigits(), Digits(11, 1, 0)) == (
        "Only 1 wins from 11, and your opponent has just subtracted 1."
    )
    assert course.why(NumberNavigator(), Course(20, 8, 0)) == (
        "You need 5 moves to bring 20 to zero, and your opponent needs only 3 moves for 8."
    )


@pytest.mark.parametrize("game", [BASIC, ADVANCED])
def test_even_steven_names_all_the_numbers_to_leave(game: EvenSteven) -> None:
    for number in range(7, 300):
        state = Steven(number, 0)
        named = {int(n) for n in re.findall(r"\d+", steven.why(game, state).split(": ")[-1])}
        after = [game.play(state, move) for move in game.moves(state)]
        if steven.value(game, state).result == "win":
            assert named == {s.number for s in after if steven.value(game, s).result == "loss"}


def test_dual_digits_names_a_quickest_winning_move() -> None:
    game = DualDigits()
    for state, value in digit_values(game.numbers, 300).items():
        if value.result == "win" and (named := re.search(r"ubtract (\d)", digits.why(game, state))):
            after = digits.value(game, game.play(state, int(named[1])))
            assert after == ("loss", (value.plies or 0) - 1)


def test_the_laws_read_well() -> None:
    games: list[tuple[ModuleType, Any]] = [(steven, BASIC), (steven, ADVANCED)]
    games += [(duel, DivisorDuel()), (course, NumberNavigator())]
    games += [(digits, dual(*numbers)) for numbers in ((1, 2, 3, 4), (12, 36, 97), *SETS)]
    for theory, game in games:
        assert_reads_well(theory.law(game), 4)
    better = [n for n in (16, 2000, 2001, 20_000, 20_001) if duel.table_is_better(DivisorDuel(n))]
    assert better == [2001, 20_000]


def test_the_law_of_dual_digits_by_the_last_digit() -> None:
    after = {1: 1, 3: 3, 4: 4, 7: 2}
    for state, value in digit_values((1, 2, 3, 4), 300).items():
        lost = state.number % 5 == 0 or after.get(state.number % 10) == state.previous
        assert (value.result == "loss") is lost


@pytest.mark.parametrize("numbers", SETS, ids=str)
def test_the_law_of_dual_digits_for_other_numbers(numbers: tuple[int, ...]) -> None:
    said = digits.law(dual(*numbers))
    unit = int(found[1]) if (found := re.search(r"how often (\d+) fits", said)) else 1
    base = int(found[1]) if (found := re.search(r"from (\d+) up,", said)) else 0
    found = re.search(r"these are lost: ([\d, ]+)", said)
    early = [int(n) for n in found[1].split(", ")] if found else []
    if f"Below {base}, all are lost" in said:
        early = list(range(base))
    if found := re.search(r"leaves ([\d, or]+) when divided by (\d+)", said):
        rests, period = {int(n) for n in re.findall(r"\d+", found[1])}, int(found[2])
    elif found := re.search(r"a multiple of (\d+)", said):
        rests, period = {0}, int(found[1])
    elif found := re.search(r"(\d+) of every (\d+) in a row", said):
        pytest.skip("too many to be listed")
    else:
        assert re.search(r"every (number|count) is won", said)
        rests, period = set(), 1
    game = dual(*numbers)
    values = digit_values(numbers, 150)
    for number in range(1, 151):
        count = number // unit
        lost = count % period in rests if count >= base else count in early
        assert (values[Digits(number, 0, 0)].result == "loss") is lost, said
    for state, value in values.items():  # the last sentence
        free = state._replace(previous=0)
        wins = [m for m in game.moves(free) if values[game.play(free, m)].result == "loss"]
        assert (value.result == "loss") is (not wins or wins == [state.previous])
