"""Reading gg-bench's agents: nothing in a file is executed, and the network is the one in it."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zipfile
from math import exp, tanh
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.gg_agents import ENVIRONMENTS, PAGE, Agent, InertUnpickler, Search

import zerosum
from zerosum.bulk import Table

GAME = zerosum.game("even-steven", start=4)
# From (number, player, whether it is the first) to two hidden values, and on to two actions.
FIRST, SECOND = np.array([[0.5, -0.25], [1, 0], [0, 2]]), np.array([[1.5, -1], [0.5, 0.25]])


class Pickled:
    """Something that is pickled as a call, with a state."""

    def __init__(self, call: tuple[Any, ...], state: Any = None) -> None:
        self.call, self.state = call, state

    def __reduce__(self) -> tuple[Any, ...]:
        return *self.call, self.state


def reconstructed(*_: Any) -> None:
    """Stand for the function of JAX that rebuilds an array; it must never be called."""
    raise AssertionError


def jax_array(values: Any) -> Pickled:
    reduced: Any = np.array(values, np.float32).__reduce__()
    _, arguments, state = reduced
    return Pickled((reconstructed, (reconstructed, arguments, state, {})))


def agent_file(folder: Path, activation: str = "tanh") -> Path:
    layers = {
        f"Dense_{number}": {"bias": jax_array(bias), "kernel": jax_array(kernel)}
        for number, (kernel, bias) in enumerate([(FIRST, [0.25, 0.5]), (SECOND, [-0.5, 0])])
    }
    actor = Pickled((reconstructed, ()), {"params": {"params": layers}})
    function = Pickled((reconstructed, ()), {"function_name": activation})
    policy = Pickled((reconstructed, ()), {"actor_state": actor, "activation_fn": function})
    data = {"policy": {":serialized:": base64.b64encode(pickle.dumps(policy)).decode()}}
    file = folder / "agent.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", json.dumps(data))
    return file


def test_agent_plays_with_the_chances_of_its_network(tmp_path: Path) -> None:
    agent = Agent(agent_file(tmp_path), ENVIRONMENTS["even-steven"])
    shown = (4, 1, 1)
    hidden = [
        tanh(sum(x * w for x, w in zip(shown, FIRST[:, unit].tolist(), strict=True)) + bias)
        for unit, bias in enumerate([0.25, 0.5])
    ]
    one, two = (
        exp(hidden[0] * SECOND[0, action] + hidden[1] * SECOND[1, action] + bias)
        for action, bias in enumerate([-0.5, 0])
    )
    chances = agent.sampled(GAME, GAME.initial())
    assert chances == pytest.approx({1: one / (one + two), 2: two / (one + two)}, rel=1e-5)
    assert agent.likeliest(GAME, GAME.initial()) == {1: 1.0}
    assert agent.sampled(GAME, GAME.play(GAME.initial(), 1)) == {1: 1}


def test_network_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="tanh"):
        Agent(agent_file(tmp_path, "relu"), ENVIRONMENTS["even-steven"])


def test_reading_a_pickle_runs_nothing_of_it(tmp_path: Path) -> None:
    file = tmp_path / "written"
    evil = pickle.dumps([Pickled((eval, (f"open({str(file)!r}, 'w')",))), "after"])
    assert InertUnpickler(io.BytesIO(evil)).load()[1] == "after"
    assert not file.exists()


def test_search_finds_the_win(tmp_path: Path) -> None:
    table = Table(GAME)
    search = Search(table, Agent(agent_file(tmp_path), ENVIRONMENTS["even-steven"]))
    assert search.choose(GAME, GAME.initial()) == 2
    assert search.choose(GAME, GAME.play(GAME.initial(), 1)) == 1


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
