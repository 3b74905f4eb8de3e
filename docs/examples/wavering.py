"""A player to measure: it draws one of the two largest moves."""

import random
from typing import Any


def choose(game: Any, state: Any) -> Any:
    """Draw a move; in Zerosum's process, random numbers are seeded for every question."""
    return random.choice(sorted(game.moves(state))[-2:])
