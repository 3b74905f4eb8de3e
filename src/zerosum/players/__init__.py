"""Programs that choose a move: levels, their exact strengths, and their games."""

from typing import TYPE_CHECKING

from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.players.autoplay import Estimate as Estimate
    from zerosum.players.autoplay import Tournament as Tournament
    from zerosum.players.level_policies import PolicyPlayer as PolicyPlayer
    from zerosum.players.level_policies import level_policy as level_policy
    from zerosum.players.level_policies import policy_of as policy_of
    from zerosum.players.levels import Bot as Bot
    from zerosum.players.levels import LevelBot as LevelBot
    from zerosum.players.strength import Chances as Chances
    from zerosum.players.strength import Strengths as Strengths
    from zerosum.players.strength import strengths as strengths

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
