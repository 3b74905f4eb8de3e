"""Rules that never apply are found, and rules that apply somewhere are not."""

import sys
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.game_files import NOUGHTS, PASS, STICK
from tests.games import Nim, Sticks
from zerosum.errors import GameError, TooLarge
from zerosum.lab.adapters import from_env
from zerosum.lab.audit.rules.dead_rules import dead_rules
from zerosum.limits import Limits

# Whoever takes the last stick wins. What is dead is marked.
RULES = """
from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class DeadWood(Game[State]):
    start: int = option(7, "how many sticks", least=1)
    colour: str = option("red", "their colour", choices=("red", "green"))
    greedy: bool = option(False, "also take 3")
    loud: bool = option(False, "does nothing")

    def initial(self):
        return State(self.start, 0)

    def moves(self, state):
        if self.outcome(state):
            return ()
        if state.sticks > 1000:
            return (9,)  # dead
        if self.greedy:
            return (1, 2, 3)[: state.sticks]
        return (1, 2)[: state.sticks]

    def play(self, state, move):
        if move > 3:
            raise ValueError("never legal")
        left = state.sticks - move
        return State(left, 1 - state.player)

    def outcome(self, state):
        if state.sticks < 0:
            return Outcome(state.player, f"{-state.sticks} too many")  # dead
        if state.sticks == 0:
            return Outcome(1 - state.player, "the last stick")
        return None

    def objection(self, state, move):
        if move < 1:
            return "Take at least 1."
        if state.sticks > 100:
            return "That is a big heap."
        if move > state.sticks:
            return "There are not that many left."
        return "Take less."

    def never_called(self):
        return 5
"""


@pytest.fixture
def dead_wood(tmp_path: Path) -> str:
    path = tmp_path / "dead_wood.py"
    path.write_text(RULES)
    return str(path)


def test_dead_rules_of_every_kind(dead_wood: str) -> None:
    found = dead_rules(zerosum.game(dead_wood))
    marked = [n for n, line in enumerate(RULES.splitlines(), 1) if "# dead" in line]
    lines = [rule for rule in found if rule.line]
    assert [rule.line for rule in lines] == marked
    assert {rule.file for rule in lines} == {"dead_wood.py"}
    assert [(rule.kind, rule.message) for rule in found] == [
        ("line", "This line never runs: return (9,)"),
        ("end", "This end never happens: Outcome(state.player, f'{-state.sticks} too many')"),
        ("option", "colour changes nothing: the game is the same with green."),
        ("option", "loud changes nothing: the game is the same with on."),
    ]


def test_tracing_leaves_no_trace(dead_wood: str) -> None:
    calls: list[str] = []

    def trace(frame: Any, event: str, arg: Any) -> None:
        calls.append(event)

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        dead_rules(zerosum.game(dead_wood))
        kept = sys.gettrace()
    finally:
        sys.settrace(before)
    assert kept is trace


def test_what_a_cache_remembers_is_not_dead(tmp_path: Path) -> None:
    path = tmp_path / "cached.py"
    path.write_text(
        Path(STICK)
        .read_text()
        .replace("from dataclasses", "from functools import cache\nfrom dataclasses", 1)
        .replace("tuple(n for n in (1, 2, 3) if n <= state.sticks)", "listed(state.sticks)")
        + """

@cache
def listed(sticks):
    if sticks == 5:
        return (1, 2, 3)
    return tuple(n for n in (1, 2, 3) if n <= sticks)
"""
    )
    game = zerosum.game(str(path))
    assert game.moves(game.initial()._replace(sticks=5)) == (1, 2, 3)
    assert dead_rules(game) == ()


def test_a_number_among_an_option_that_is_never_used() -> None:
    found = dead_rules(zerosum.game("dual-digits", start=6, numbers=(1, 2, 7, 8)))
    assert [rule.message for rule in found] == [
        "7 in numbers changes nothing: the game is the same without it.",
        "8 in numbers changes nothing: the game is the same without it.",
    ]


def test_an_option_is_compared_by_positions_moves_and_ends() -> None:
    # A heap of 2 and one of 1: it matters whether empty heaps are put away, as moves are renamed.
    names = {rule.message.split()[0] for rule in dead_rules(Nim(heaps=(2, 1)))}
    assert "shrink" not in names
    # With one heap it does not.
    assert "shrink" in {r.message.split()[0] for r in dead_rules(Nim(heaps=(2,)))}


@pytest.mark.parametrize("path", [STICK, NOUGHTS, PASS])
def test_examples_have_no_dead_rules(path: str) -> None:
    assert dead_rules(zerosum.game(path)) == ()


def test_too_large_and_broken_games_are_refused() -> None:
    with pytest.raises(TooLarge, match=r"has more than 9 positions, the limit for finding rules"):
        dead_rules(Sticks(), Limits(9))
    assert dead_rules(Sticks(), Limits(10)) == ()

    class Failing(Sticks):
        def outcome(self, state: Any) -> Any:
            return state.number // 0

    with pytest.raises(GameError, match=r"test_dead_rules.py, line \d+: ZeroDivisionError"):
        dead_rules(Failing())


class Halving:
    """Halve or decrease 6; the refusal of illegal moves is not dead, but one end is."""

    action_space = type("Discrete", (), {"n": 4})()

    def reset(self, seed: int | None = None) -> Any:
        self.number, self.player, self.done = 6, 0, False
        return self.number, {}

    def valid_moves(self) -> list[int]:
        if self.done:
            return []
        return [1] if self.number % 2 else [1, 2]

    def step(self, action: int) -> Any:
        if self.done:
            return self.number, 0, True, False, {}
        if action not in self.valid_moves():
            return self.number, -10, True, False, {}
        self.number = self.number - 1 if action == 1 else self.number // 2
        self.player = 1 - self.player
        if self.number > 6:
            self.done = True
            return self.number, -1, True, False, {}
        self.done = self.number == 0
        return self.number, int(self.done), self.done, False, {}


def test_dead_rules_of_an_environment() -> None:
    found = dead_rules(from_env(Halving))
    assert [(rule.kind, rule.message) for rule in found] == [
        ("end", "This end never happens: return (self.number, -1, True, False, {})"),
        ("move", "No position allows 0 or 3."),
    ]
    assert found[0].file == "test_dead_rules.py"


class Drawn(Halving):
    """It begins at random; only from 8 up can a player lose by going too high."""

    def reset(self, seed: int | None = None) -> Any:
        super().reset()
        self.number = 4 + 4 * ((seed or 0) % 2)
        return self.number, {}


def test_what_happens_from_another_random_start_is_not_dead() -> None:
    found = dead_rules(from_env(Drawn))
    assert [rule.kind for rule in found] == ["move"]
