"""Games as environments for learning programs: Gymnasium, PettingZoo and OpenSpiel.

Importing this package registers the built-in games with Gymnasium, if that is installed:
`gymnasium.make("zerosum/DualDigits-v0", opponent="medium", seat="random", start=25)`.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from zerosum.errors import MissingExtra
from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.lab.envs.encoding import Encoding as Encoding
    from zerosum.lab.envs.gymnasium_env import gym_env as gym_env
    from zerosum.lab.envs.gymnasium_vector import vector_env as vector_env
    from zerosum.lab.envs.openspiel_game import openspiel_game as openspiel_game
    from zerosum.lab.envs.pettingzoo_env import aec_env as aec_env
else:
    _load, __dir__, __all__ = lazy_names(__name__)

    def __getattr__(name: str) -> object:
        """Load a public name, or say how to install the library that it is for."""
        try:
            return _load(name)
        except ModuleNotFoundError as error:
            if error.name not in ("gymnasium", "pettingzoo", "pyspiel"):
                raise
            raise MissingExtra(f"zerosum.envs.{name}", "rl") from None


if find_spec("gymnasium"):
    from zerosum.lab.envs.gymnasium_env import register_games

    register_games()
