"""Games for Gymnasium: an environment for one learner against an opponent, and many at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from zerosum.errors import MissingExtra, ZerosumError
from zerosum.lab.envs.encoding import Encoding
from zerosum.lab.envs.positions import MAX_PLIES, check_render_mode, check_start
from zerosum.options import check_whole
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN
from zerosum.registry import game as built_in
from zerosum.text import brief

if TYPE_CHECKING:
    import numpy as np
    from gymnasium.vector import VectorEnv
    from numpy.typing import NDArray

    from zerosum.bulk import Table
    from zerosum.lab.envs.gymnasium.environment import GameEnv
    from zerosum.lab.envs.gymnasium.opponents import AnyOpponent

Seat = Literal[0, 1, "random"]
# The names of the built-in games with Gymnasium.
IDS = {name: f"zerosum/{where.rpartition(':')[2]}-v0" for name, where in BUILT_IN.items()}


def gym_env(
    game: Game[Any],
    opponent: AnyOpponent = "medium",
    seat: Seat = "random",
    *,
    values: bool = False,
    mask_in_observation: bool = False,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
    render_mode: str | None = None,
) -> GameEnv:
    """Make a Gymnasium environment of any game: the learner has a seat, the opponent the other.

    `opponent` is a level, a Bot, or a function `choose(game, state)` that returns a move or a dict
    of moves and their chances. `values` adds the exact value of every position to `info`, and the
    regret of every move.

    >>> import zerosum
    >>> env = gym_env(zerosum.game("dual-digits", start=7), "perfect", seat=0, values=True)
    >>> observation, info = env.reset(seed=1)
    >>> observation, info["action_mask"], info["value"]
    (array([7., 0., 1.], dtype=float32), array([1, 1, 1, 1], dtype=int8), 1)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> observation, reward, terminated, info["value"], info["regret"]
    (array([3., 3., 1.], dtype=float32), 0.0, False, -1, 2)
    """
    load_gymnasium()
    from gymnasium.envs.registration import EnvSpec

    from zerosum.lab.envs.gymnasium.environment import GameEnv
    from zerosum.lab.envs.gymnasium.opponents import Opponent

    check_learner_seat(seat)
    check_whole("max_plies", max_plies, least=1)
    check_render_mode(render_mode)
    settings: Any = {
        "values": values,
        "mask_in_observation": mask_in_observation,
        "max_plies": max_plies,
        "encoding": encoding,
        "render_mode": render_mode,
    }
    env = GameEnv(game, Opponent(game, opponent), seat, **settings)
    # What gymnasium.make needs to make another one like it.
    env.spec = EnvSpec(
        f"zerosum/{type(game).__name__}-v0",
        entry_point="zerosum.envs:gym_env",
        kwargs={"game": game, "opponent": opponent, "seat": seat, **settings},
    )
    return env


def vector_env(
    game: Game[Any] | Table[Any],
    num_envs: int,
    opponent: AnyOpponent | NDArray[np.floating[Any]] = "medium",
    seat: Seat = "random",
    *,
    values: bool = False,
    mask_in_observation: bool = False,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
) -> VectorEnv[Any, Any, Any]:
    """Make many environments at once, which step from the table of the game.

    Of a game with more than 100,000 positions, pass the `zerosum.bulk.Table`. The opponent may be
    a policy of the table too. A game without a table, and an opponent who is a Bot or a function,
    play in Gymnasium's SyncVectorEnv, one environment after the other.

    >>> import numpy, zerosum
    >>> envs = vector_env(zerosum.game("dual-digits"), 1000, "perfect", seat=0)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 3), (1000, 4))
    >>> observations, rewards, terminated, truncated, infos = envs.step(numpy.zeros(1000, int))
    >>> observations[0], infos["action_mask"][0], rewards[0]
    (array([20.,  4.,  1.], dtype=float32), array([1, 1, 1, 0], dtype=int8), np.float64(0.0))
    """
    load_gymnasium()
    from gymnasium.vector import SyncVectorEnv

    from zerosum.bulk import Table
    from zerosum.lab.envs.gymnasium.vector import TableVectorEnv, fits, policy_of, quick_table

    check_learner_seat(seat)
    for name, number in (("num_envs", num_envs), ("max_plies", max_plies)):
        check_whole(name, number, least=1)
    table = game if isinstance(game, Table) else quick_table(game)
    rules: Game[Any] = game.game if isinstance(game, Table) else game
    policy = policy_of(table, opponent)
    encoding = encoding or Encoding.of(game if table is None else table)
    check_start(rules)
    settings: Any = {
        "values": values,
        "mask_in_observation": mask_in_observation,
        "max_plies": max_plies,
        "encoding": encoding,
    }
    if table is not None and policy is not None and fits(table, encoding):
        return TableVectorEnv(table, num_envs, policy, seat, **settings)
    asked: Any = opponent
    return SyncVectorEnv([partial(gym_env, rules, asked, seat, **settings)] * num_envs)


def make_env(name: str, **settings: Any) -> GameEnv:
    """Make the environment of a built-in game, for gymnasium.make."""
    game, rest = _variant(name, gym_env, settings)
    return gym_env(game, **rest)


def make_vector_env(name: str, **settings: Any) -> VectorEnv[Any, Any, Any]:
    """Make many environments of a built-in game, for gymnasium.make_vec."""
    game, rest = _variant(name, vector_env, settings)
    return vector_env(game, **rest)


def _variant(
    name: str, maker: Callable[..., Any], settings: dict[str, Any]
) -> tuple[Game[Any], dict[str, Any]]:
    """Make a variant from the settings that are options of the game; return the others."""
    known = signature(maker).parameters
    options = {name: value for name, value in settings.items() if name not in known}
    rest = {name: value for name, value in settings.items() if name in known}
    return built_in(name, **options), rest


def register_games() -> None:
    """Register the built-in games with Gymnasium."""
    from gymnasium.envs.registration import register, registry

    here = "zerosum.lab.envs.gymnasium"
    for name, env_id in IDS.items():
        if env_id not in registry:
            register(
                env_id,
                entry_point=f"{here}:make_env",
                vector_entry_point=f"{here}:make_vector_env",
                kwargs={"name": name},
            )


def load_gymnasium() -> None:
    """Import Gymnasium, or raise before any work is done."""
    try:
        import gymnasium  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra("A Gymnasium environment", "rl") from None


def check_learner_seat(seat: object) -> None:
    """Refuse a seat other than 0, 1 or 'random'."""
    if isinstance(seat, (bool, float)) or seat not in (0, 1, "random"):
        raise ZerosumError(f"seat: must be 0, 1 or 'random', not {brief(seat)}.")
