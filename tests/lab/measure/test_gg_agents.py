"""Reading gg-bench's agents: nothing in a file is executed, and the network is the one in it."""

import io
import json
import pickle
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from tools import gg_agents
from tools.gg_agents import ENVIRONMENTS, PAGE, Agent, InertUnpickler

import zerosum
from zerosum.bulk import Table


class Pickled:
    """Something that is pickled as a call, with a state."""

    def __init__(self, call: tuple[Any, ...], state: Any = None) -> None:
        self.call, self.state = call, state

    def __reduce__(self) -> tuple[Any, ...]:
        return *self.call, self.state


def test_reading_a_pickle_runs_nothing_of_it(tmp_path: Path) -> None:
    file = tmp_path / "written"
    evil = pickle.dumps([Pickled((eval, (f"open({str(file)!r}, 'w')",))), "after"])
    assert InertUnpickler(io.BytesIO(evil)).load()[1] == "after"
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "move", "action", "shown"),
    [
        ("even-steven", 1, 0, (14, 2, 0)),
        ("divisor-duel", 4, 4, (12, 0)),
        ("dual-digits", 3, 2, (22, 3, 0)),
        ("number-navigator", 3, 2, (10, 20, 0)),
        ("digit-battle", 7, 6, (7, 10, 10, 0)),
    ],
)
def test_states_and_moves_are_those_of_the_environment(
    name: str, move: int, action: int, shown: tuple[int, ...]
) -> None:
    game, environment = zerosum.game(name), ENVIRONMENTS[name]
    assert environment.observation(game.initial())[-1] == 1
    assert environment.observation(game.play(game.initial(), move)) == shown
    assert move - environment.first_move == action


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_decisions_and_random_play_are_as_the_page_says(name: str) -> None:
    table = Table(zerosum.game(name))
    counts = np.diff(table.offsets)[table.critical]
    right = np.bincount(table.sources, table.regret == 0, len(table))[table.critical]
    row = f"| {ENVIRONMENTS[name].number} | {len(counts):,} | {(right / counts).mean():.1%} |"
    assert row in PAGE.read_text()


class Network(Agent):
    """An agent with an output for three actions, all alike."""

    def __init__(self, *about: Any) -> None:
        self._environment = ENVIRONMENTS["dual-digits"]
        self._layers = [(np.zeros((3, 3)), np.zeros(3))]


def test_agent_plays_the_variants_whose_moves_it_knows(capsys: pytest.CaptureFixture[str]) -> None:
    said: list[Any] = []
    for name, options, actions in (
        ("even-steven", {}, [1, 2]),
        ("dual-digits", {"numbers": [1, 2, 4]}, [1, 2, 4]),
        ("dual-digits", {"numbers": [1, 2, 3]}, [1, 2, 3]),
    ):
        hello = {"type": "hello", "game": name, "options": options, "actions": actions}
        state = {"number": 20, "previous": 3, "player": 0}
        lines = [hello, {"type": "question", "id": 1, "state": state}]
        typed = io.StringIO("\n".join(json.dumps(line) for line in lines[: 1 + (3 in actions)]))
        with patch.object(gg_agents, "Agent", Network), patch.object(sys, "stdin", typed):
            gg_agents.play(Path(), 477)
        said += map(json.loads, capsys.readouterr().out.splitlines())
    assert said == [
        {"error": "I only play Dual Digits."},
        {"error": "I do not know all moves of this variant."},
        {"type": "ready", "protocol": 1},
        {"id": 1, "moves": {"1": 0.5, "2": 0.5}},
    ]
