"""Many games at once, as a VecEnv of Stable-Baselines3."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import SyncVectorEnv
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from zerosum.bulk.table import Table
from zerosum.lab.envs.gymnasium_env import AnyOpponent, LearnerSeat
from zerosum.lab.envs.gymnasium_vector import TableVectorEnv, vector_env
from zerosum.protocol import Game


def sb3_env(
    game: Game[Any] | Table[Any] | str,
    num_envs: int,
    opponent: AnyOpponent = "medium",
    seat: LearnerSeat = "random",
    **arguments: Any,
) -> VecEnv:
    """Make a VecEnv of Stable-Baselines3, with the masks that sb3-contrib's MaskablePPO asks for.

    It takes what `vector_env` takes, and steps as that does: from the table of the game, or one
    environment after the other.
    """
    envs: Any = vector_env(game, num_envs, opponent, seat, **arguments)
    if isinstance(envs, SyncVectorEnv):
        return DummyVecEnv(list(envs.env_fns))
    return TableVecEnv(envs)


class TableVecEnv(VecEnv):  # type: ignore[misc]
    """Games that step from a table; one that is over starts again in the same step."""

    def __init__(self, envs: TableVectorEnv) -> None:
        """Take the environments."""
        self.envs = envs
        self._actions = np.zeros(envs.num_envs, int)
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Start all games, with the seeds and options that were set for them."""
        seeds = None if None in self._seeds else self._seeds
        observations, infos = self.envs.reset(seed=seeds)
        for number, options in enumerate(self._options):
            if options:
                mask = np.arange(self.num_envs) == number
                observations, infos = self.envs.reset(options={**options, "reset_mask": mask})
        self.reset_infos = self._rows(infos)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: Any) -> None:
        """Take the actions of the next step."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> Any:
        """Make the step, and start games that are over again."""
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        done = terminated | truncated
        rows = self._rows(infos)
        if done.any():
            for number in np.flatnonzero(done).tolist():
                last = _row(observations, number)
                cut = bool(truncated[number])
                rows[number].update({"terminal_observation": last, "TimeLimit.truncated": cut})
            observations, infos = self.envs.reset(options={"reset_mask": done})
            for number in np.flatnonzero(done).tolist():
                self.reset_infos[number] = {"seat": int(infos["seat"][number])}
        return observations, rewards.astype(np.float32), done, rows

    def _rows(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what each game is told; the masks are asked for apart."""
        names = [name for name in infos if not name.startswith("_") and name != "action_mask"]
        told = [(name, infos[name].tolist(), infos[f"_{name}"]) for name in names]
        games = range(self.num_envs)
        return [{name: each[n] for name, each, has in told if has[n]} for n in games]

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the games, which is the same for all."""
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse to change some games alone: they share all they have."""
        raise NotImplementedError("Pass what the games need to sb3_env: they share it.")

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method whose answer has a row for each game, such as action_masks."""
        answer: Sequence[Any] = getattr(self.envs, method_name)(*args, **kwargs)
        return [answer[number] for number in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False for _ in self._get_indices(indices)]


def _row(observations: Any, number: int) -> Any:
    """Return the observation of one game."""
    if isinstance(observations, dict):
        return {name: part[number] for name, part in observations.items()}
    return observations[number]
