"""Games as environments for learning programs: Gymnasium, PettingZoo and OpenSpiel.

Importing this package registers the built-in games with Gymnasium, if that is installed:
`gymnasium.make("zerosum/DualDigits-v0", opponent="medium", seat="random", start=25)`.
"""

from typing import TYPE_CHECKING

from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.lab.envs.encoding import Encoding as Encoding
    from zerosum.lab.envs.gymnasium import gym_env as gym_env
    from zerosum.lab.envs.gymnasium import vector_env as vector_env
    from zerosum.lab.envs.openspiel import openspiel_game as openspiel_game
    from zerosum.lab.envs.pettingzoo import aec_env as aec_env
else:
    # Where each public name is; it is loaded when it is first used.
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "Encoding": "zerosum.lab.envs.encoding",
            **dict.fromkeys(("gym_env", "vector_env"), "zerosum.lab.envs.gymnasium"),
            "aec_env": "zerosum.lab.envs.pettingzoo",
            "openspiel_game": "zerosum.lab.envs.openspiel",
        },
    )


def _register() -> None:
    """Register the built-in games with Gymnasium, if that is installed."""
    from importlib.util import find_spec

    if find_spec("gymnasium"):
        from zerosum.lab.envs.gymnasium import register_games

        register_games()


_register()
