"""Players against each other, and their ratings."""

from typing import TYPE_CHECKING

from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.lab.arena.arena import Arena as Arena
    from zerosum.lab.arena.leaderboard import Leaderboard as Leaderboard
    from zerosum.lab.arena.venues import ArenaSettings as ArenaSettings
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
