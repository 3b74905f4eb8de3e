"""Games as environments for learning programs: Gymnasium, PettingZoo, OpenSpiel and SB3.

Importing this package registers the built-in games with Gymnasium, if that is installed:
`gymnasium.make("zerosum/DualDigits-v0", opponent="medium", seat="random", start=25)`.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from zerosum.errors import MissingExtra, ZerosumError, pip_install
from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.lab.envs.encoding import Encoding as Encoding
    from zerosum.lab.envs.gymnasium_env import gym_env as gym_env
    from zerosum.lab.envs.gymnasium_vector import vector_env as vector_env
    from zerosum.lab.envs.openspiel_game import openspiel_game as openspiel_game
    from zerosum.lab.envs.pettingzoo_env import aec_env as aec_env
    from zerosum.lab.envs.sb3_env import sb3_env as sb3_env
else:
    _load, __dir__, __all__ = lazy_names(__name__)

    def __getattr__(name: str) -> object:
        """Load a public name, or say how to install its library."""
        try:
            return _load(name)
        except ModuleNotFoundError as error:
            library = str(error.name).partition(".")[0]
            if library == "stable_baselines3":
                command = pip_install("sb3-contrib")
                said = f"zerosum.envs.{name} needs Stable-Baselines3. Run: {command}"
                raise ZerosumError(said) from None
            if library not in ("gymnasium", "pettingzoo", "pyspiel"):
                raise
            raise MissingExtra(f"zerosum.envs.{name}", "rl") from None


if find_spec("gymnasium"):
    from zerosum.lab.envs.gymnasium_env import register_games

    register_games()
