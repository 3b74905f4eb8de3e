"""Many games at once, as a vector environment of Gymnasium that steps from a game's table."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, get_args

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from zerosum.bulk.policies import check_policy
from zerosum.bulk.table import Floats, Table
from zerosum.errors import TooLarge, UnreadableMove, ZerosumError
from zerosum.lab.envs.encoding import MAX_PLIES, Encoding, encoding_of
from zerosum.lab.envs.episode import EndCode, checked_start
from zerosum.lab.envs.gymnasium_env import (
    AnyOpponent,
    LearnerSeat,
    check_learner_seat,
    gym_env,
    observation_space,
    table_for,
    variant_of,
)
from zerosum.limits import PERSON
from zerosum.options import check_whole
from zerosum.players.level_policies import level_policy
from zerosum.protocol import Game
from zerosum.text import brief

Ints = NDArray[np.integer[Any]]
Codes = NDArray[np.int8]
# The most pairs of a position and a move that are held in memory.
MOST_PAIRS = 1 << 26
# The status of a game: it is the opponent's turn, or the learner's, or how the episode ended.
WAITING = -1
GOING, WON, LOST, DRAWN, ILLEGAL, ENDLESS = range(6)
REWARD_OF = np.array([0.0, 1.0, -1.0, 0.0, -1.0, 0.0])
NAME_OF = np.array(["", *get_args(EndCode)])


def vector_env(
    game: Game[Any] | Table[Any] | str,
    num_envs: int,
    opponent: AnyOpponent = "medium",
    seat: LearnerSeat = "random",
    *,
    values: bool = False,
    mask_in_observation: bool = False,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
    one_hot: bool = True,
    planes: bool | None = None,
    **options: Any,
) -> VectorEnv[Any, Any, Any]:
    """Make many environments at once, which step from the table of the game.

    A game can be given by its name, with its options. For one with more than 100,000 positions,
    pass a `zerosum.bulk.Table`. A game without a table, and an opponent who is a Bot or a function,
    play in Gymnasium's SyncVectorEnv, one environment after the other.

    >>> import numpy, zerosum
    >>> envs = vector_env(zerosum.game("dual-digits"), 1000, "perfect", seat=0)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 33), (1000, 4))
    >>> observations, rewards, terminated, truncated, infos = envs.step(numpy.zeros(1000, int))
    >>> envs.table.state(envs.states[0]), infos["action_mask"][0], rewards[0]
    (State(number=20, previous=4, player=0), array([1, 1, 1, 0], dtype=int8), np.float64(0.0))
    """
    check_learner_seat(seat)
    for name, number in (("num_envs", num_envs), ("max_plies", max_plies)):
        check_whole(name, number, least=1)
    rules = variant_of(game, options)
    table = game if isinstance(game, Table) else quick_table(rules)
    policy = None
    if hasattr(opponent, "__array__"):
        policy = check_policy(table_for(table), opponent)
    elif table is not None and isinstance(opponent, str):
        policy = level_policy(table, opponent)
    encoding = encoding_of(rules if table is None else table, encoding, one_hot, planes)
    checked_start(encoding)
    settings: Any = {
        "values": values,
        "mask_in_observation": mask_in_observation,
        "max_plies": max_plies,
        "encoding": encoding,
    }
    fits = table is not None and len(table) * len(encoding.actions) <= MOST_PAIRS
    if table is not None and policy is not None and fits:
        return TableVectorEnv(table, num_envs, policy, seat, **settings)
    make = partial(gym_env, rules if table is None else table, opponent, seat, **settings)
    return SyncVectorEnv([make] * num_envs)


class TableVectorEnv(VectorEnv[Any, Any, Any]):
    """Many learners, each in one seat of its own game; see `vector_env`."""

    def __init__(
        self,
        table: Table[Any],
        num_envs: int,
        policy: Floats,
        seat: LearnerSeat,
        *,
        values: bool,
        mask_in_observation: bool,
        max_plies: int,
        encoding: Encoding,
    ) -> None:
        """Take the settings, which vector_env has checked, and make the arrays to step with."""
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.num_envs, self.seat = num_envs, seat
        self.table, self.encoding = table, encoding
        self.single_action_space = Discrete(len(encoding.actions))
        self.single_observation_space = observation_space(encoding, mask_in_observation)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._values = values
        self._with_mask = mask_in_observation
        self._max_plies = max_plies
        filled = zip(*map(encoding.filled, table.states), strict=True)
        self._places, self._numbers = (np.stack(part) for part in filled)
        # The edge of every action in every state, or -1.
        numbers = np.array([encoding.number_of(move) for move in table.actions], np.int64)
        where = table.sources, numbers[table.moves]
        self._edges = np.full((len(table), len(encoding.actions)), -1, np.int32)
        self._edges[where] = np.arange(len(table.moves))
        self._masks = (self._edges >= 0).astype(np.int8)
        # The chances of the opponent's actions, added up; rounding must not lead past the last.
        self._bounds = np.zeros(self._edges.shape, np.float32)
        self._bounds[where] = policy
        np.cumsum(self._bounds, axis=1, out=self._bounds)
        self._bounds[self._bounds >= self._bounds[:, -1:]] = np.inf
        # How it stands for each seat.
        seats = np.array([[0, 1]])
        winner = table.winner[:, None]
        turn = np.where(table.player[:, None] == seats, GOING, WAITING)
        ended = np.where(winner == 2, DRAWN, np.where(winner == seats, WON, LOST))
        self._status = np.where(winner < 0, turn, ended).astype(np.int8)
        self.states = np.full(num_envs, table.start, np.int64)
        self._seats, self._plies = (np.zeros(num_envs, np.int64) for _ in range(2))
        self._ends = np.zeros(num_envs, np.int8)
        self._done = np.ones(num_envs, bool)
        self._started = False

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game in every environment, or in those that options["reset_mask"] marks.

        They start in options["state"] if it is there.
        """
        if seed is None or isinstance(seed, (int, np.integer)):
            super().reset(seed=None if seed is None else int(seed))
        elif len(seed) == self.num_envs and all(isinstance(n, (int, np.integer)) for n in seed):
            self._np_random = np.random.default_rng([*map(int, seed)])  # which draws for all
        else:
            raise ZerosumError(f"seed: pass a number, or {self.num_envs} of them.")
        options = options or {}
        marked = np.asarray(options.get("reset_mask", np.ones(self.num_envs, bool)))
        if marked.dtype != bool or marked.shape != (self.num_envs,):
            raise ZerosumError(f"reset_mask: pass an array of {self.num_envs} truth values.")
        start = checked_start(self.encoding, options.get("state"))
        self._start(np.flatnonzero(marked), self.table.index_of(start))
        self._done[marked], self._started = False, True
        return self._observed()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of the legal actions, by the name that sb3-contrib looks for."""
        return self._legal().astype(bool)

    def _legal(self) -> Codes:
        """Return the masks of the legal actions, none of them after an illegal one."""
        masks = self._masks.take(self.states, axis=0)
        masks[self._ends >= ILLEGAL] = 0
        return masks

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make a move in every game; where the episode was over, start a new one instead."""
        if not self._started:
            raise ResetNeeded("There are no games yet: call reset() before step().")
        edges = self._edge(self.states, self._checked(actions))
        # If the opponent won before the learner could move, any action ends the episode.
        active = ~self._done & (self._ends == GOING)
        restart = self._done
        wrong = active & (edges < 0)
        games = np.flatnonzero(active & (edges >= 0))
        regret = np.where(wrong, self.table.value[self.states] + 1, 0)  # everything
        regret[games] = self.table.regret[edges[games]]
        self._ends[wrong] = ILLEGAL
        self._start(np.flatnonzero(restart), self.table.start)
        self._reply(*self._advance(games, edges[games]))
        ends = np.where(restart, GOING, self._ends)
        terminated = (ends != GOING) & (ends != ENDLESS)
        truncated = ends == ENDLESS
        self._done = terminated | truncated
        observations, infos = self._observed()
        if self._values:
            infos.update(regret=regret, _regret=~restart)
        return observations, REWARD_OF[ends], terminated, truncated, infos

    def _checked(self, actions: Any) -> Ints:
        """Return the actions as an array; refuse what is not in the action space."""
        try:
            array = np.asarray(actions)
        except ValueError:  # rows of different lengths
            array = np.array(None)
        whole = np.issubdtype(array.dtype, np.integer) and array.shape == (self.num_envs,)
        most = len(self.encoding.actions) - 1
        if not whole or array.min() < 0 or array.max() > most:
            raise UnreadableMove(
                f"Actions are {self.num_envs} numbers from 0 to {most}, not {brief(actions, 80)}."
            )
        numbers: Ints = array.astype(np.int64)
        return numbers

    def _edge(self, states: Ints, actions: Ints) -> Ints:
        """Return the edge of each action in its state; -1 if it is not legal."""
        return self._edges.take(states * len(self.encoding.actions) + actions)

    def _start(self, games: Ints, state: int) -> None:
        """Start new games in a state, and make the moves of opponents who begin."""
        if len(games):
            seat, count = self.seat, len(games)
            self._seats[games] = (
                self.np_random.integers(2, size=count) if seat == "random" else seat
            )
            self.states[games], self._plies[games], self._ends[games] = state, 0, GOING
            self._reply(games, self._status.take(2 * state + self._seats[games]))

    def _advance(self, games: Ints, edges: Ints) -> tuple[Ints, Codes]:
        """Make a move in some games, notice their ends, and return their status."""
        self.states[games] = states = self.table.targets[edges]
        self._plies[games] = plies = self._plies[games] + 1
        status = self._status.take(2 * states + self._seats[games])
        status[(plies >= self._max_plies) & (status <= GOING)] = ENDLESS
        self._ends[games] = np.maximum(status, GOING)
        return games, status

    def _reply(self, games: Ints, status: Codes) -> None:
        """Make the opponents' moves in some games, until it is the learner's turn in all."""
        while len(games := games[status == WAITING]):
            states = self.states[games]
            points = self.np_random.random((len(games), 1), np.float32)
            actions = (self._bounds.take(states, axis=0) > points).argmax(axis=1)
            games, status = self._advance(games, self._edge(states, actions))

    def _observed(self) -> tuple[Any, dict[str, Any]]:
        """Return the observations and infos of the current states."""
        going = self._ends == GOING
        masks = self._legal()
        infos: dict[str, Any] = {"action_mask": masks, "seat": self._seats.copy()}
        if self._values:
            own = self.table.player[self.states] == self._seats
            value = np.where(own, 1, -1) * self.table.value[self.states]
            illegal = self._ends == ILLEGAL
            infos["value"] = np.where(illegal, -1, value)
            infos["plies"] = np.where(illegal, 0, self.table.plies[self.states])
        infos.update({f"_{name}": np.ones(self.num_envs, bool) for name in infos})
        if not going.all():
            infos.update(end=NAME_OF[self._ends], _end=~going)
        filled = (part.take(self.states, axis=0) for part in (self._places, self._numbers))
        vectors = self.encoding.layout.spread(*filled)
        if self._with_mask:
            return {"observation": vectors, "action_mask": masks.copy()}, infos
        return vectors, infos


@lru_cache(maxsize=4)
def quick_table(game: Game[Any]) -> Table[Any] | None:
    """Return the table of a game; None for one that is too large."""
    try:
        return Table(game, PERSON.in_seconds(None))
    except TooLarge:
        return None
