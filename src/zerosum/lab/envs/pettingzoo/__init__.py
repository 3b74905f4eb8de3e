"""Games for PettingZoo: two agents that take turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.errors import MissingExtra
from zerosum.lab.envs.encoding import Encoding
from zerosum.lab.envs.positions import MAX_PLIES, check_render_mode
from zerosum.options import check_whole
from zerosum.protocol import Game

if TYPE_CHECKING:
    from pettingzoo import AECEnv


def aec_env(
    game: Game[Any],
    *,
    values: bool = False,
    mask_in_observation: bool = True,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """Return a game as a PettingZoo environment.

    An observation has the vector of the position and the mask of the legal moves; without
    `mask_in_observation` it is the vector alone. `values` adds the exact value of the position
    and the regret of an agent's last move to its info. An illegal move loses. After `max_plies` a
    game is truncated.
    `encoding` numbers the moves of a game that is too large to find them all.

    >>> import zerosum
    >>> env = aec_env(zerosum.game("even-steven", start=6), values=True)
    >>> env.reset()
    >>> observation, reward, termination, truncation, info = env.last()
    >>> observation["observation"], observation["action_mask"], info["value"]
    (array([6., 1.], dtype=float32), array([1, 1], dtype=int8), 1)
    >>> env.step(1)
    >>> env.agent_selection, env.infos["player_0"]["regret"]
    ('player_1', 2)
    """
    try:
        from pettingzoo.utils import wrappers
    except ModuleNotFoundError:
        raise MissingExtra("A PettingZoo environment", "rl") from None
    from zerosum.lab.envs.pettingzoo.env import TurnsEnv

    check_whole("max_plies", max_plies, least=1)
    check_render_mode(render_mode)
    env = TurnsEnv(game, values, mask_in_observation, max_plies, encoding, render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
