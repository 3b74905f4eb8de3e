"""Measures the agents that gg-bench published for the five games, and writes docs/measure.md.

    git clone https://github.com/vivek3141/gg-bench ../gg-bench
    python -m tools.gg_agents ../gg-bench
    zerosum arena --exec "python -m tools.gg_agents ../gg-bench --play 477" dual-digits

The weights are read with NumPy alone. They lie in a pickle, of which nothing is executed: every
class and function that it names is replaced by one that only remembers what it was given. What is
read and how an agent plays is as in gg_bench/utils there: MetadataEnv, get_prediction and mcts.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import pickle
import re
import sys
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import log, sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import zerosum
from zerosum.bulk import Table
from zerosum.lab.measure import measure_player
from zerosum.lab.measure.measurement_report import percentage
from zerosum.protocol import Game, Move
from zerosum.states import read_state
from zerosum.wording.words import title_of

PAGE = Path(__file__).parent.parent / "docs" / "measure.md"
BLOCK = re.compile(r"(<!-- measured: agents -->\n).*?(<!-- /measured -->)", re.DOTALL)
# What an agent was trained for, as the files are named.
STEPS = 1_000_000
# gg-bench's search, which plays in its evaluation: playouts for each move, and how curious it is.
PLAYOUTS, CURIOSITY = 300, 1.4
COLUMNS = [
    *("game", "environment", "decisions", "random play", "agent", "its likeliest move"),
    *("with search", "agent's score against medium"),
]


class Environment(NamedTuple):
    """An environment of gg-bench: its number, what it shows of a state, and its first move."""

    number: int
    observation: Callable[[Any], tuple[int, ...]]
    first_move: int


# gg-bench adds one number to what an environment shows: 1 for the first player, 0 for the second.
ENVIRONMENTS = {
    "even-steven": Environment(809, lambda s: (s.number, s.player + 1, 1 - s.player), 1),
    "divisor-duel": Environment(832, lambda s: (s.number, 1 - s.player), 0),
    "dual-digits": Environment(477, lambda s: (s.number, s.previous, 1 - s.player), 1),
    "number-navigator": Environment(842, lambda s: (s.first, s.second, 1 - s.player), 1),
    "digit-battle": Environment(
        116, lambda s: (s.number, s.first_lives, s.second_lives, 1 - s.player), 1
    ),
}


class Inert:
    """Stands for anything that a pickle makes or calls: it remembers, and does nothing."""

    arguments: tuple[Any, ...]
    state: Any

    def __new__(cls, *arguments: Any, **_: Any) -> Inert:
        """Remember the arguments."""
        made = object.__new__(cls)
        made.arguments, made.state = arguments, None
        return made

    def __setstate__(self, state: Any) -> None:
        """Remember the attributes."""
        self.state = state

    def __call__(self, *arguments: Any) -> Inert:
        """Stand for the result of a call."""
        return Inert(*arguments)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Forget an item: no dictionary that matters is of a class of its own."""


class InertUnpickler(pickle.Unpickler):
    """Reads a pickle from elsewhere without importing or running anything that it names."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the stand-in for every class and function."""
        return Inert


class Agent:
    """A network of gg-bench as a player: two layers of tanh, and a logit for every action."""

    def __init__(self, file: Path, environment: Environment) -> None:
        """Read the weights from the file of an agent."""
        with zipfile.ZipFile(file) as archive:
            data = json.loads(archive.read("data"))
        pickled = base64.b64decode(data["policy"][":serialized:"])
        policy = InertUnpickler(io.BytesIO(pickled)).load()
        if policy.state["activation_fn"].state["function_name"] != "tanh":
            raise SystemExit("The layers of the agent are not followed by tanh.")
        layers = policy.state["actor_state"].state["params"]["params"]
        self._layers = [
            (array_of(layers[name]["kernel"]), array_of(layers[name]["bias"]))
            for name in sorted(layers)
        ]
        self._environment = environment

    def logits(self, state: Any) -> Any:
        """Return the output of the network for a state."""
        signal: Any = np.array(self._environment.observation(state), np.float32)
        *hidden, (kernel, bias) = self._layers
        for weights, offsets in hidden:
            signal = np.tanh(signal @ weights + offsets)
        return signal @ kernel + bias

    def sampled(self, game: Game[Any], state: Any) -> dict[Move, float]:
        """Return the chance of every legal move, as gg-bench draws them."""
        moves, logits = self._legal(game, state)
        weights = np.exp(logits - logits.max())
        return dict(zip(moves, (weights / weights.sum()).tolist(), strict=True))

    def likeliest(self, game: Game[Any], state: Any) -> dict[Move, float]:
        """Return the legal move with the highest chance, which it always plays."""
        moves, logits = self._legal(game, state)
        return {moves[int(logits.argmax())]: 1.0}

    def knows(self, moves: Iterable[Move]) -> bool:
        """Return whether the network has an output for every one of these moves."""
        actions = [int(move) - self._environment.first_move for move in moves]
        return 0 <= min(actions) <= max(actions) < len(self._layers[-1][1])

    def _legal(self, game: Game[Any], state: Any) -> tuple[tuple[Move, ...], Any]:
        """Return the legal moves and the logit of each, in double precision."""
        moves = game.moves(state)
        actions = [int(move) - self._environment.first_move for move in moves]
        return moves, self.logits(state)[actions].astype(np.float64)


def array_of(pickled: Inert) -> Any:
    """Make an array from what a pickle says about an array of JAX: its shape, type and bytes."""
    _, shape, kind, fortran, content = pickled.arguments[2]
    if fortran or kind.arguments[0] != "f4":
        raise SystemExit("The weights are not stored as rows of 32-bit floats.")
    return np.frombuffer(content, "<f4").reshape(shape)


@dataclass
class Node:
    """A position in the tree of a search; `wins` are those of the player who moved there."""

    state: int
    edge: int
    untried: list[int]
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    wins: int = 0

    def promising(self) -> Node:
        """Return the child to look at next: a good score so far, or few visits."""
        seen = log(self.visits)
        return max(
            self.children, key=lambda c: c.wins / c.visits + CURIOSITY * sqrt(seen / c.visits)
        )


class Search:
    """Monte Carlo tree search with the agent in the playouts, as gg-bench evaluates with."""

    def __init__(self, table: Table[Any], agent: Agent) -> None:
        """Ask the agent about every position."""
        self._table = table
        self._first, self._targets = table.offsets.tolist(), table.targets.tolist()
        self._player, self._winner = table.player.tolist(), table.winner.tolist()
        self._chances = [
            list(agent.sampled(table.game, table.state(index)).values()) if winner < 0 else []
            for index, winner in enumerate(self._winner)
        ]

    def choose(self, game: Game[Any], state: Any) -> Move:
        """Return the move that was looked at most often; the seed is the position."""
        rng, root = Random(repr(state)), self._node(self._table.index_of(state), -1)
        for _ in range(PLAYOUTS):
            path = [root]
            while not path[-1].untried and path[-1].children:
                path.append(path[-1].promising())
            if path[-1].untried:
                edge = path[-1].untried.pop()
                path[-1].children.append(self._node(self._targets[edge], edge))
                path.append(path[-1].children[-1])
            winner = self._playout(path[-1].state, rng)
            for node in path:
                node.visits += 1
                node.wins += winner != self._player[node.state]
        visited = max(root.children, key=lambda child: child.visits)
        move: Move = self._table.actions[self._table.moves[visited.edge]]
        return move

    def _node(self, state: int, edge: int) -> Node:
        """Make a node of which no move was tried."""
        return Node(state, edge, list(range(self._first[state], self._first[state + 1])))

    def _playout(self, state: int, rng: Random) -> int:
        """Let the agent play to the end on both sides, and return the winner."""
        while self._winner[state] < 0:
            chances = self._chances[state]
            (step,) = rng.choices(range(len(chances)), chances)
            state = self._targets[self._first[state] + step]
        return int(self._winner[state])


def agent_file(clone: Path, number: int) -> Path:
    """Return where gg-bench keeps the agent of an environment."""
    return clone / "gg_bench" / "data" / "models" / f"env_{number}" / f"agent_{STEPS}.zip"


def row(name: str, clone: Path) -> list[str]:
    """Measure the agent of a game, and write the figures."""
    environment = ENVIRONMENTS[name]
    table = Table(zerosum.game(name))
    agent = Agent(agent_file(clone, environment.number), environment)
    search = Search(table, agent)
    drawn, likeliest = (measure_player(table, how) for how in (agent.sampled, agent.likeliest))
    # A search answers by chance too, so that only its decisions are asked about, each once.
    searched = measure_player(table, search.choose, samples=1, budget=drawn.decisions)
    good = (measured.good for measured in (drawn, likeliest, searched))
    shares = (drawn.random, *(figure.value for figure in good if figure is not None))
    scores = {score.level: score.overall for score in drawn.scores or ()}
    return [
        title_of(table.game),
        str(environment.number),
        f"{drawn.decisions:,}",
        *(percentage(share) for share in shares if share is not None),
        percentage(scores["medium"]),
    ]


def play(clone: Path, number: int) -> None:
    """Answer as a program: one agent, in any variant of its game whose moves it knows."""
    name = next(name for name, environment in ENVIRONMENTS.items() if environment.number == number)
    agent, game = Agent(agent_file(clone, number), ENVIRONMENTS[name]), zerosum.game(name)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            said: dict[str, Any] = {"type": "ready", "protocol": 1}
            if message["game"] != name:
                said = {"error": f"I only play {title_of(game)}."}
            elif not agent.knows(message["actions"]):
                said = {"error": "I do not know all moves of this variant."}
            else:
                game = zerosum.game(name, **message["options"])
        else:
            state = read_state(game, message["state"].values())
            chances = agent.sampled(game, state)
            moves = {str(move): chance for move, chance in chances.items()}
            said = {"id": message["id"], "moves": moves}
        print(json.dumps(said), flush=True)


def main() -> None:
    """Measure the agents, and write their table into the page; or play as one of them."""
    parser = argparse.ArgumentParser(prog="tools.gg_agents", description=main.__doc__)
    parser.add_argument("clone", type=Path, help="the folder of a clone of gg-bench")
    numbers = [environment.number for environment in ENVIRONMENTS.values()]
    parser.add_argument("--play", type=int, choices=numbers, help="answer as this agent")
    given = parser.parse_args()
    clone = given.clone
    if given.play is not None:
        play(clone, given.play)
        return
    rows = [COLUMNS, ["---"] * len(COLUMNS), *(row(name, clone) for name in ENVIRONMENTS)]
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    PAGE.write_text(BLOCK.sub(lambda found: f"{found[1]}{text}\n{found[2]}", PAGE.read_text()))
    print(text)


if __name__ == "__main__":
    main()
