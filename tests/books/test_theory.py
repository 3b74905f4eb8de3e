"""Every theory against an exhaustive solution, made from the rules with plain dictionaries."""

import random
import re
from collections import deque
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from hypothesis import settings

from tests.naive import Naive
from zerosum.books.divisor_duel.rules import DivisorDuel
from zerosum.books.divisor_duel.rules import State as Duel
from zerosum.books.divisor_duel.theory import COUNTED, DivisorDuelTheory
from zerosum.books.dual_digits import theory as digits
from zerosum.books.dual_digits.rules import DualDigits
from zerosum.books.dual_digits.rules import State as Digits
from zerosum.books.dual_digits.theory import DualDigitsTheory
from zerosum.books.even_steven.rules import EvenSteven
from zerosum.books.even_steven.rules import State as Steven
from zerosum.books.even_steven.theory import EvenStevenTheory
from zerosum.books.number_navigator.rules import NumberNavigator
from zerosum.books.number_navigator.rules import State as Course
from zerosum.books.number_navigator.theory import NumberNavigatorTheory, distance
from zerosum.errors import ZerosumError
from zerosum.protocol import Value
from zerosum.solver.theory import Theory

HUGE = 10**1000  # a number of 1,001 digits
TOP = 2 * HUGE + 11  # above every number of these tests
BASIC = EvenStevenTheory(EvenSteven(start=TOP))
ADVANCED = EvenStevenTheory(EvenSteven(start=TOP, subtract_two=True))
DUEL = DivisorDuelTheory(DivisorDuel(start=TOP))
COURSE = NumberNavigatorTheory(NumberNavigator(start=TOP))

chance = random.Random(2024)
# Every number that has a length takes seconds: HYPOTHESIS_PROFILE=thorough.
EVERY = COUNTED if settings.get_current_profile_name() == "thorough" else COUNTED // 20
# One number; numbers with gaps, or all far from 1; a common divisor; scores of unequal steepness.
SETS = [(1,), (2,), (5,), (12,), (1, 12), (11, 12), (2, 4), (4, 6, 10), (3, 7, 8), (1, 2), (9, 10)]
SETS += [(1, 3, 5), (2, 5, 7, 8), tuple(range(1, 7)), tuple(range(1, 13)), (2, 3, 5, 7, 8, 10)]
SETS += [tuple(sorted(chance.sample(range(1, 13), chance.randint(2, 8)))) for _ in range(20)]


def dual(*numbers: int, start: int = TOP) -> DualDigitsTheory:
    return DualDigitsTheory(DualDigits(start=start, numbers=numbers or (1, 2, 3, 4)))


def assert_agrees(theory: Theory[Any], values: dict[Any, Value]) -> None:
    wrong = {s: (v, theory.value(s)) for s, v in values.items() if theory.value(s) != v}
    assert not wrong, list(wrong.items())[:5]


def test_even_steven_at_every_number() -> None:
    for theory in (BASIC, ADVANCED):
        scores = [0]  # a win is +plies, a loss is -plies
        for number in range(1, EVERY + 1):
            lefts = [number - 1] + [number // 2] * (number % 2 == 0)
            lefts += [number - 2] * (theory.game.subtract_two and number >= 2)
            options = [1 - scores[n] if scores[n] <= 0 else -1 - scores[n] for n in lefts]
            scores.append(min((x for x in options if x > 0), default=min(options)))
            result = "win" if scores[-1] > 0 else "loss"
            assert theory.value(Steven(number, number % 2))[:2] == (result, abs(scores[-1]))


def test_divisor_duel_at_every_number() -> None:
    divisors: list[list[int]] = [[] for _ in range(EVERY + 1)]
    for divisor in range(1, EVERY + 1):
        for multiple in range(divisor, EVERY + 1, divisor):
            divisors[multiple].append(divisor)
    wins, losses = [0] * (2 * EVERY + 1), [0] * (2 * EVERY + 1)
    for number in range(1, EVERY + 1):
        result, plies = ("win", wins[number]) if wins[number] else ("loss", losses[number])
        assert DUEL.value(Duel(number, number % 2)) == (result, plies, False)
        # What divides a number divides the sum of both too, from which it may be subtracted.
        for divisor in divisors[number]:
            before = number + divisor
            if result == "loss":
                wins[before] = min(wins[before] or plies + 1, plies + 1)
            else:
                losses[before] = max(losses[before], plies + 1)


def test_divisor_duel_lengths_are_unknown_only_above_a_hundred_thousand() -> None:
    assert DUEL.value(Duel(COUNTED, 0)).plies is not None
    assert DUEL.value(Duel(COUNTED + 1, 0)) == Value("loss", None)
    assert DUEL.value(Duel(COUNTED + 2, 0)) == Value("win", None)


@lru_cache
def digit_values(numbers: tuple[int, ...], most: int) -> dict[Digits, Value]:
    states = [Digits(*s) for s in product(range(most + 1), (0, *numbers), (0, 1))]
    return Naive(DualDigits(start=most, numbers=numbers), states).values


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), *SETS], ids=str)
def test_dual_digits(numbers: tuple[int, ...]) -> None:
    assert_agrees(dual(*numbers), digit_values(numbers, 150))


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), *SETS], ids=str)
def test_dual_digits_pattern_holds_beyond_its_rows(numbers: tuple[int, ...]) -> None:
    pattern = digits._pattern(numbers)
    assert pattern.straight
    rows: list[dict[int, int]] = []  # by previous number, for once in full
    for shared in range(len(pattern.rows) * 3):
        row = {}
        for previous in (0, *numbers):
            lefts = [rows[shared - n][n] for n in numbers if n <= shared and n != previous]
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
            theory = dual(*numbers)
            for state, value in values.items():
                if state.player:  # the same for both, as other tests show
                    continue
                said = theory.value(state)
                assert said is None or said in (value, Value(value.result, None))
                kinds.add("nothing" if said is None else "wins" if said.plies is None else "all")
    digits._pattern.cache_clear()
    assert "all" in kinds
    assert "nothing" in kinds or work > 300
    assert "wins" in kinds or work not in (300, 900)


def test_dual_digits_with_numbers_of_very_different_size() -> None:
    theory, usual = dual(1, 2, 3, 4, HUGE), dual()
    for number, previous in product(range(60), range(5)):
        state = Digits(number, previous, 0)
        assert theory.value(state) == usual.value(state)
    assert theory.value(Digits(25, HUGE, 0)) == Value("loss", 10)
    assert theory.value(Digits(HUGE, 0, 0)) is None
    assert "No short law" in theory.why(Digits(HUGE, 0, 0))
    assert "No short law" in theory.statement()
    assert dual(5_001, 7_002).value(Digits(3_000, 7_002, 0)) == Value("loss", 0)


def test_number_navigator() -> None:
    pairs = list(product(range(1, 41), range(41)))
    roots = [Course(own, other, 0) for own, other in pairs]
    roots += [Course(other, own, 1) for own, other in pairs]
    assert_agrees(COURSE, Naive(COURSE.game, roots).values)


def test_distance_to_zero() -> None:
    most = 20_000
    fewest = {0: 0}
    queue = deque(fewest)
    while queue:
        number = queue.popleft()
        before = [number + 1, number + 2, 2 * number] + [number - 5] * (5 < number < 15)
        for larger in before:
            if larger <= 2 * most and larger not in fewest:
                fewest[larger] = fewest[number] + 1
                queue.append(larger)
    assert all(distance(number) == fewest[number] for number in range(most + 1))


def huge_states() -> list[tuple[Theory[Any], Any]]:
    luck = random.Random(1)
    numbers = [HUGE + luck.randrange(HUGE) for _ in range(30)] + [HUGE + n for n in range(12)]
    theories = [(dual(*few), few[-1]) for few in ((1, 2, 3, 4), *SETS[::4])]
    cases: list[tuple[Theory[Any], Any]] = []
    for n in numbers:
        cases += [(BASIC, Steven(n, 0)), (ADVANCED, Steven(n, 1)), (DUEL, Duel(n, 0))]
        cases += [(COURSE, Course(n, n - luck.randrange(4), 1))]
        for theory, last in theories:
            cases += [(theory, Digits(n, previous, 0)) for previous in (0, last)]
    return cases


def test_huge_numbers_agree_with_their_successors() -> None:
    for theory, state in huge_states():
        value = theory.value(state)
        assert value is not None
        if theory is DUEL:  # not all divisors can be found, and the plies are not known
            assert DUEL.value(Duel(state.number - 1, 1)).result != value.result
            continue
        game: Any = theory.game
        after: list[Any] = [theory.value(game.play(state, move)) for move in game.moves(state)]
        wins = [v.plies + 1 for v in after if v.result == "loss"]
        losses = [v.plies + 1 for v in after if v.result == "win"]
        assert value == (Value("win", min(wins)) if wins else Value("loss", max(losses, default=0)))


@pytest.mark.parametrize(
    ("theory", "state"),
    [
        (BASIC, Steven(-1, 0)),
        (BASIC, Steven(5, 2)),
        (ADVANCED, (2.5, 0)),
        (BASIC, Steven(TOP + 1, 0)),
        (DUEL, Duel(0, 0)),
        (DUEL, Duel(TOP + 1, 0)),
        (dual(), Digits(-1, 0, 0)),
        (dual(), Digits(7, 5, 0)),
        (dual(), Digits(TOP + 1, 1, 0)),
        (COURSE, Course(-1, 5, 0)),
        (COURSE, Course(0, 5, 0)),
        (COURSE, Course(TOP + 1, 5, 0)),
    ],
)
def test_impossible_states_are_refused(theory: Theory[Any], state: Any) -> None:
    state = type(theory.game.initial())(*state)
    for ask in (theory.value, theory.why):
        with pytest.raises(ZerosumError, match=r"\.$"):
            ask(state)


def assert_reads_well(text: str, sentences: int) -> None:
    assert re.fullmatch(r"[A-Z0-9][^\n]*\.", text), text
    assert text.count(". ") + 1 <= sentences, text
    assert not re.search(r"\d{41}|[^\w\s.,:;()'-]|  ", text), text


def test_reasons_read_well() -> None:
    usual, many = dual(), dual(*range(1, 20))
    small: list[tuple[Theory[Any], Any]] = []
    for n in range(1, 60):
        small += [(BASIC, Steven(n - 1, 0)), (ADVANCED, Steven(n - 1, 1))]
        small += [(DUEL, Duel(n, 0)), (many, Digits(n, 3, 0))]
        small += [(usual, Digits(n - 1, previous, 0)) for previous in range(5)]
        small += [(COURSE, Course(n, other, 0)) for other in (0, 1, 2, 20, 21)]
    for theory, state in small + huge_states():
        assert_reads_well(theory.why(state), 2)


@pytest.mark.parametrize("theory", [BASIC, ADVANCED])
def test_even_steven_names_all_the_numbers_to_leave(theory: EvenStevenTheory) -> None:
    game = theory.game
    for number in range(7, 300):
        state = Steven(number, 0)
        named = {int(n) for n in re.findall(r"\d+", theory.why(state).split(": ")[-1])}
        after = [game.play(state, move) for move in game.moves(state)]
        if theory.value(state).result == "win":
            assert named == {s.number for s in after if theory.value(s).result == "loss"}


def test_dual_digits_names_a_fastest_winning_move() -> None:
    theory = dual()
    for state, value in digit_values((1, 2, 3, 4), 300).items():
        if value.result == "win" and (named := re.search(r"ubtract (\d)", theory.why(state))):
            after = theory.value(theory.game.play(state, int(named[1])))
            assert after == Value("loss", (value.plies or 0) - 1)


def test_statements_read_well() -> None:
    theories: list[Theory[Any]] = [BASIC, ADVANCED, DUEL, COURSE]
    for theory in [*theories, dual(), dual(12, 36, 97), *(dual(*numbers) for numbers in SETS)]:
        assert_reads_well(theory.statement(), 4)


def test_dual_digits_statement_by_last_digit() -> None:
    after = {1: 1, 3: 3, 4: 4, 7: 2}
    for state, value in digit_values((1, 2, 3, 4), 300).items():
        lost = state.number % 5 == 0 or after.get(state.number % 10) == state.previous
        assert (value.result == "loss") is lost


@pytest.mark.parametrize("numbers", SETS, ids=str)
def test_dual_digits_statement_for_other_numbers(numbers: tuple[int, ...]) -> None:
    said = dual(*numbers).statement()
    base = int(found[1]) if (found := re.search(r"from (\d+) up,", said)) else 0
    found = re.search(r"these are lost: ([\d, ]+)", said)
    early = [int(n) for n in found[1].split(", ")] if found else []
    if found := re.search(r"remainder ([\d, or]+) when divided by (\d+)", said):
        rests, period = {int(n) for n in re.findall(r"\d+", found[1])}, int(found[2])
    elif found := re.search(r"a multiple of (\d+)", said):
        rests, period = {0}, int(found[1])
    elif found := re.search(r"(\d+) of every (\d+) in a row", said):
        pytest.skip("too many to be listed")
    else:
        assert re.search(r"every number is won", said)
        rests, period = set(), 1
    game = dual(*numbers).game
    values = digit_values(numbers, 150)
    for number in range(1, 151):
        lost = number % period in rests if number >= base else number in early
        assert (values[Digits(number, 0, 0)].result == "loss") is lost, said
    for state, value in values.items():  # the last sentence
        free = state._replace(previous=0)
        wins = [m for m in game.moves(free) if values[game.play(free, m)].result == "loss"]
        assert (value.result == "loss") is (not wins or wins == [state.previous])
