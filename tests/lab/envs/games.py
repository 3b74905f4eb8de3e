"""Users' games that every ecosystem's own checks are run on: what the built-in games lack."""

from typing import Any

import zerosum
from tests.game_files import NOUGHTS, PASS
from tests.games import Claims
from zerosum.protocol import Game

# With draws and a board; with moves that are strings; far too large for a table.
USER_GAMES: tuple[Game[Any], ...] = (zerosum.game(NOUGHTS), zerosum.game(PASS), Claims())
# Without those that take long.
BUILT_IN: list[Game[Any]] = [
    zerosum.game(name, **({"lives": 2} if name == "digit-battle" else {}))
    for name in zerosum.games()
]
# All positions of the first two are visited, and few of the last.
LIMIT = 6_000
