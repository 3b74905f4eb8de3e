"""Lessons: every sentence and every answer agrees with a slow solver; the seat of a first game."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import NOUGHTS, PASS, STICK
from tests.graphs import Graph, graphs
from tests.naive import Naive
from tests.solutions import solved
from zerosum.coach.advice import Coach
from zerosum.coach.lesson import MOST_STEPS, LessonStep, lesson, why_second
from zerosum.protocol import Move
from zerosum.solver import solve_table
from zerosum.text import counted, percent
from zerosum.wording.words import words_of

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {}),
    ("even-steven", {"subtract_two": True}),
    ("even-steven", {"start": 60}),
    ("divisor-duel", {}),
    ("divisor-duel", {"start": 60}),
    ("dual-digits", {}),
    ("dual-digits", {"numbers": (1, 3, 4, 6)}),
    ("dual-digits", {"numbers": (1, 2, 4)}),
    ("dual-digits", {"start": 40, "numbers": (1, 2, 3)}),
    ("number-navigator", {}),
    ("number-navigator", {"start": 9}),
    ("digit-battle", {"lives": 3}),
    ("digit-battle", {"lives": 2, "limit": 12, "target": 9}),
    (STICK, {}),
    (STICK, {"start": 8}),
    (PASS, {}),
    (PASS, {"heaps": (2, 3, 4)}),
    (NOUGHTS, {}),
]
LOSES = re.compile(
    r"That (loses at once|loses in (\d+)|only draws|wins in (\d+)): (.+) Try again\."
)
LAW = re.compile(
    r"The player to move (wins|loses) (exactly )?if the number(?: of sticks)? (.+?)\.(?: |$)"
)
PART = re.compile(
    r"(?:is |has )?(?:(odd)|a multiple of (\d+)|remainder (\d+) when divided by (\d+)|(\d+))"
    r"(?: and (?:is )?at least (\d+))?"
)
ADVICE = "So leave your opponent a position like this."
LEAVES = re.compile(r"can (only )?leave ([\d, or]+), and (.+)\.")


@cache
def coach_of(game: Any) -> Coach[Any]:
    return Coach(solved(game))


def numbers_in(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", text)}


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_sentence_of_a_lesson_is_true(name: str, options: dict[str, Any]) -> None:
    game = zerosum.game(name, **options)
    steps = lesson(coach_of(game), coach_of)
    assert 4 <= len(steps) <= MOST_STEPS
    kinds = [step.kind for step in steps]
    assert kinds == sorted(kinds, key=("goal", "lost", "law", "draw", "puzzle").index)
    assert {"goal", "lost", "puzzle"} <= set(kinds)
    found = {step.coach.game: Naive(step.coach.game) for step in steps}
    for step in steps:
        check_step(step, found[step.coach.game], CHECKS)
    tried = [(step.coach.game, step.state) for step in steps[1:]]
    assert len(set(tried)) == len(tried)
    assert lesson(coach_of(game), coach_of) == steps


@given(graphs())
def test_lessons_of_any_game_are_true(game: Graph) -> None:
    coach = Coach(solve_table(game))
    for step in lesson(coach, lambda _: coach):
        check_step(step, Naive(game), {**CHECKS, "law": check_any_law})


def check_step(step: LessonStep[Any], naive: Naive, checks: dict[str, Callable[..., None]]) -> None:
    moves = naive.moves(step.state)
    assert moves
    if step.kind in checks:
        checks[step.kind](step, naive)
    if step.task == "Make a move to see what it does.":
        assert step.right == tuple(moves)
        return
    value = naive.values[step.state]
    assert [m for m, v in moves.items() if v.result == value.result] == [*step.right]
    assert value.result != "loss"
    assert len(moves) > 1
    at = {1: " at once"}.get(value.plies or 0, f" in {value.plies} moves, counting both sides")
    holds = "Only one move holds the draw."
    wins = f"You can win{at}. Only one move wins."
    told = holds if value.result == "draw" else wins
    assert step.task == f"It is your move. {told} Find it."
    for move in moves:
        said = step.said(move)
        if move in step.right:
            assert said.startswith("Right! ")
            assert said.endswith((".", "!"))
            for line in re.findall(r"(?:Right! Y|For example, y)(ou play .+)", said):
                assert told_by(step, naive, f"y{line}")
            continue
        found = LOSES.fullmatch(said)
        assert found, said
        loss, plies = found[1], moves[move].plies
        expected = {"draw": "only draws", "loss": f"loses in {plies}"}[moves[move].result]
        assert loss == ("loses at once" if expected == "loses in 1" else expected)
        assert move in told_by(step, naive, found[4])


def told_by(step: LessonStep[Any], naive: Naive, line: str, state: Any = None) -> set[Move]:
    """The first moves of which a line is a true account: best play follows, to what it says."""
    state = step.state if state is None else state
    first = naive.after[state]
    return {move for move in first if _is_told(step, naive, line, state, (move,), state.player)}


def _is_told(
    step: LessonStep[Any],
    naive: Naive,
    line: str,
    state: Any,
    moves: tuple[Move, ...],
    you: int,
    last: str = "",
) -> bool:
    # Whoever has just moved is not named again.
    if line == f", and {_end(naive, state, you).removeprefix(f'{last} ')}.":
        return True
    who = "you" if state.player == you else "they"
    told = line.removeprefix("; ").removeprefix(f"{who} play ")
    for move in moves:
        rest = told.removeprefix(step.coach.words.button(state, move))
        then = naive.after[state][move]
        # Moves may look alike.
        best = naive.best(then)
        if len(rest) < len(told) and _is_told(step, naive, rest, then, best, you, who):
            return True
    return False


def _end(naive: Naive, state: Any, you: int) -> str:
    """How a line that stops here ends."""
    value = naive.values[state]
    won = (value.result == "win") == (state.player == you)
    if value.result == "draw":
        ends = "forever" if value.endless else "to a draw"
        return "the game is drawn" if state in naive.ends else f"so on, {ends}"
    wins = f"{'you' if won else 'they'} win"
    return wins if state in naive.ends else f"so on, until {wins}"


def check_lost(step: LessonStep[Any], naive: Naive) -> None:
    if step.about is not None:
        assert step.title == "This position is lost for whoever has to move."
        assert naive.values[step.about].result == "loss"
        line = step.text.removeprefix("Every move loses. For example, ")
        assert told_by(step, naive, line, step.about) & {*naive.best(step.about)}
        return
    name = words_of(naive.game).numbers.names[0]
    found = re.fullmatch(r"(\d+) is lost for whoever has to move\.", step.title)
    assert found
    number = int(found[1])
    states = [s for s in naive.after if getattr(s, name) == number and s not in naive.ends]
    assert {naive.values[state].result for state in states} == {"loss"}
    assert step.text.startswith(f"From {number} you can ")
    check_leaving(step.text, naive, name, states, "your opponent", "you have")
    (move,) = step.right
    left = naive.after[step.state][move]
    assert getattr(left, name) == number
    assert step.reason.startswith(f"You leave {number}. From there they can ")
    check_leaving(step.reason, naive, name, [left], "you", "they have")


def check_leaving(
    text: str, naive: Naive, name: str, states: list[Any], winner: str, loser: str
) -> None:
    """What can be left from some lost positions, and what happens then."""
    found = LEAVES.search(text)
    assert found, text
    only, listed, then = found.groups()
    after = [then for state in states for then in naive.after[state].values()]
    numbers = {getattr(state, name) for state in after}
    assert numbers_in(listed) == numbers
    assert bool(only) == (len(numbers) == 1)
    if all(state in naive.ends for state in after):
        assert then == f"then {loser} lost"
        return
    again = any(x.player == then.player for x in states for then in naive.after[x].values())
    if again or any(state in naive.ends for state in after):
        assert then == f"{winner} win{'s' * (winner != 'you')}"
        return
    wins = [naive.values[state].plies == 1 for state in after]
    assert then == f"{winner} then win{'s' * (winner != 'you')}{' at once' * all(wins)}"
    assert {naive.values[state].result for state in after} == {"win"}


def check_law(step: LessonStep[Any], naive: Naive) -> None:
    going_on = [state for state in naive.after if state not in naive.ends]
    found = LAW.fullmatch(step.title)
    if found:
        result = "win" if found[1] == "wins" else "loss"
        told = {state for state in going_on if naive.values[state].result == result}
        covered = {state for state in going_on if holds(found[3], state)}
        assert covered == told if found[2] else covered <= told
        whole = LAW.match(step.text.replace("In short, t", "T"))
        if whole:
            assert {state for state in going_on if holds(whole[3], state)} == told
        if whole or found[2]:
            same = {naive.game.canonical(state) for state in going_on}
            assert f"This holds in all {len(same):,} positions" in step.text
        advice = step.text.endswith(ADVICE)
        assert advice == (result == "loss")
        return
    if "race" in step.title:
        check_race(step, naive, going_on)
        return
    rests = re.fullmatch(
        r"At the start, a number with remainder (.+) when divided by (\d+) is lost, and all others "
        r"are won\.",
        step.title,
    )
    assert rests, step.title
    game: Any = naive.game
    for start in range(1, 80):
        other = solved(replace(game, start=start))
        is_lost = other.value(other.game.initial()).result == "loss"
        assert is_lost == (start % int(rests[2]) in numbers_in(rests[1]))
    assert step.text.startswith("What is lost at the start is lost later on too, and so is every")


def holds(law: str, state: Any) -> bool:
    """Whether a law in words holds, told without the code that wrote it."""
    return any(_part(part, state) for part in re.split(r", or it ", law))


def _part(part: str, state: Any) -> bool:
    number = state[0]
    if after := re.findall(r"(\d) after (?:their opponent has just played )?(\d)", part):
        by = int(re.findall(r"when divided by (\d+)|$", part)[0] or "10")
        return any(number % by == int(end) and state.previous == int(m) for end, m in after)
    if both := re.fullmatch(r"(.+) and their opponent has (not )?just played (\d+)", part):
        return _part(both[1], state) and (state.previous == int(both[3])) != bool(both[2])
    found = PART.fullmatch(part)
    assert found, part
    odd, multiple, rest, divisor, exactly, least = found.groups()
    fits = {
        odd: number % 2 == 1,
        multiple: multiple and number % int(multiple) == 0,
        divisor: divisor and number % int(divisor) == int(rest),
        exactly: exactly and number == int(exactly),
    }
    return bool(next(fits[key] for key in fits if key)) and number >= int(least or 0)


def check_any_law(step: LessonStep[Any], naive: Naive) -> None:
    """A law of a game that nobody wrote; its words are tested with the laws."""
    law = zerosum.find_law(step.coach.solution)
    assert law
    assert law.reach in step.text or step.text in (
        "",
        "So leave your opponent a position like this.",
    )
    for state in naive.after.keys() - naive.ends.keys():
        assert law.result(state) == naive.values[state].result


def check_race(step: LessonStep[Any], naive: Naive, going_on: list[Any]) -> None:
    def need(number: int) -> int:
        """The moves to zero as the lesson tells them."""
        if number == 0:
            return 0
        return 1 + need(0 if number == 2 else number // 2 if number % 2 == 0 else number - 1)

    told = (
        "halve an even number, subtract 1 from an odd one, and subtract 2 at the very end, from 2"
    )
    assert told in step.text
    assert "fewer moves wins" in step.text
    for state in going_on:
        own, other = (state.second, state.first) if state.player else (state.first, state.second)
        assert (naive.values[state].result == "win") == (need(own) <= need(other))


def check_draw(step: LessonStep[Any], naive: Naive) -> None:
    value = naive.values[naive.game.initial()]
    assert value.result == "draw"
    how = "goes on forever" if value.endless else "is a draw"
    assert step.title == f"With best play, this game {how}."
    assert step.text == "Neither side can force a win."
    assert naive.values[step.state].result == "draw"


def check_puzzle(step: LessonStep[Any], naive: Naive) -> None:
    (move,) = step.right
    missed = 1 - naive.policy("medium", step.state)[move]
    plies = naive.values[step.state].plies
    told = f"A medium player misses it {percent(float(missed))} of the time"
    told += f", and the win takes {counted(plies, 'move')}" if plies else ""
    assert step.text.endswith(f"{told}.")


CHECKS = {"lost": check_lost, "law": check_law, "draw": check_draw, "puzzle": check_puzzle}


def test_lesson_applies_the_law_to_larger_numbers() -> None:
    steps = lesson(coach_of(zerosum.game("even-steven")), coach_of)
    assert [step.kind for step in steps] == ["goal", "lost", "lost", "law", *["puzzle"] * 3]
    assert {step.coach.game for step in steps[4:]} == {zerosum.game("even-steven", start=60)}
    assert [numbers_in(step.title) for step in steps[1:4]] == [{2}, {5}, {5}]


@pytest.mark.parametrize(
    ("name", "options"), [("even-steven", {"start": 2}), ("divisor-duel", {"start": 10**40})]
)
def test_games_without_choices_or_with_huge_numbers_have_no_lesson(
    name: str, options: dict[str, Any]
) -> None:
    assert lesson(Coach(zerosum.solve(zerosum.game(name, **options))), coach_of) == ()


@pytest.mark.parametrize(
    ("name", "seat"), [("even-steven", 1), ("dual-digits", 1), ("divisor-duel", 0), (NOUGHTS, 0)]
)
def test_newcomer_gets_the_seat_that_can_win(name: str, seat: int) -> None:
    solution = zerosum.solve(zerosum.game(name))
    assert why_second(solution) == (
        "From this start, whoever moves second can win, so the computer begins." if seat else ""
    )
