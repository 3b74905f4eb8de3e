"""Games for OpenSpiel: registered with pyspiel, and loaded from there by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.errors import MissingExtra
from zerosum.lab.envs.encoding import Encoding
from zerosum.lab.envs.positions import MAX_PLIES
from zerosum.protocol import Game, check_is_game
from zerosum.registry import BUILT_IN
from zerosum.registry import game as built_in

if TYPE_CHECKING:
    from zerosum.lab.envs.openspiel.classes import OpenSpielGame


def openspiel_game(
    game: Game[Any], *, encoding: Encoding | None = None, max_plies: int = MAX_PLIES
) -> OpenSpielGame:
    """Register a game with OpenSpiel, and the built-in ones too; return this variant of it.

    Its options are OpenSpiel's parameters. A game that is not over after `max_plies` is a draw.
    `encoding` numbers the moves of a game that is too large to find them all.

    >>> import pyspiel, zerosum
    >>> game = openspiel_game(zerosum.game("even-steven", start=6))
    >>> print(game, game.max_game_length())
    zerosum_even_steven(start=6) 6
    >>> state = game.new_initial_state()
    >>> [state.action_to_string(action) for action in state.legal_actions()]
    ['1', '2']
    >>> print(pyspiel.load_game("zerosum_dual_digits(start=9,numbers=1;3)").new_initial_state())
    State(number=9, previous=0, player=0)
    """
    try:
        import pyspiel  # noqa: F401 (the classes below need it)
    except ModuleNotFoundError:
        raise MissingExtra("A game for OpenSpiel", "rl") from None
    from zerosum.lab.envs.openspiel.registration import register

    check_is_game(game)
    for name in BUILT_IN:
        register(built_in(name))
    return register(game).variant(game, encoding, max_plies)
