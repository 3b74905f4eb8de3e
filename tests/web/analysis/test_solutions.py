"""What a solver process remembers: fair to all askers, and within its memory."""

from collections.abc import Iterator
from typing import Any

import pytest

import zerosum
from tests.web.pools import solving
from zerosum.web.analysis import solutions as module
from zerosum.web.analysis.solutions import Solutions

GREEDY, HONEST = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def solutions(monkeypatch: pytest.MonkeyPatch) -> Iterator[Solutions]:
    """Room for four solutions."""
    monkeypatch.setattr(module, "MOST_POSITIONS", 4 * module.LEAST_POSITIONS)
    with solving({}) as made:
        yield made


def ask(solutions: Solutions, asker: str, start: int) -> Any:
    """Ask about a variant."""
    solutions.asker = asker
    return solutions.coach(zerosum.game("even-steven", start=start))


def test_greedy_asker_evicts_only_their_own(solutions: Solutions) -> None:
    honest = ask(solutions, HONEST, 9)
    greedy = [ask(solutions, GREEDY, start) for start in range(10, 20)]
    assert ask(solutions, HONEST, 9) is honest
    assert ask(solutions, GREEDY, 19) is greedy[-1]
    assert ask(solutions, GREEDY, 17) is greedy[-3]
    assert ask(solutions, GREEDY, 16) is not greedy[-4]


def test_least_recently_used_is_evicted_first(solutions: Solutions) -> None:
    first, second = (ask(solutions, GREEDY, start) for start in (1, 2))
    for start in (3, 4, 1, 5):
        ask(solutions, GREEDY, start)
    assert ask(solutions, GREEDY, 1) is first
    assert ask(solutions, GREEDY, 2) is not second


def test_shared_solution_stays_for_the_others(solutions: Solutions) -> None:
    shared = ask(solutions, HONEST, 9)
    assert ask(solutions, GREEDY, 9) is shared
    for start in range(10, 20):
        ask(solutions, GREEDY, start)
    assert ask(solutions, HONEST, 9) is shared
