"""Two-player games, each written once as plain rules; everything else is derived from them.

>>> import zerosum
>>> game = zerosum.game("even-steven", start=21, subtract_two=True)
>>> state = game.initial()
>>> game.moves(state)
(1, 3)
>>> state = game.play(state, 1)
>>> game.outcome(state) is None
True
"""

from typing import TYPE_CHECKING

from zerosum import errors as errors
from zerosum.lazy import lazy_names

__version__ = "0.1.0"

if TYPE_CHECKING:
    from zerosum.coach.advice import Coach as Coach
    from zerosum.coach.laws.discovery import find_law as find_law
    from zerosum.coach.laws.law import Law as Law
    from zerosum.coach.puzzles import Puzzle as Puzzle
    from zerosum.coach.puzzles import puzzles as puzzles
    from zerosum.coach.review import Review as Review
    from zerosum.coach.review import review as review
    from zerosum.errors import IllegalMove as IllegalMove
    from zerosum.errors import OptionError as OptionError
    from zerosum.errors import TooLarge as TooLarge
    from zerosum.errors import Unknown as Unknown
    from zerosum.errors import UnreadableMove as UnreadableMove
    from zerosum.errors import ZerosumError as ZerosumError
    from zerosum.lab.adapters import from_env as from_env
    from zerosum.lab.audit.auditing import audit_game as audit_game
    from zerosum.lab.audit.document import Audit as Audit
    from zerosum.limits import Limits as Limits
    from zerosum.match import End as End
    from zerosum.match import Event as Event
    from zerosum.match import Match as Match
    from zerosum.match import Round as Round
    from zerosum.options import option as option
    from zerosum.options import options_of as options_of
    from zerosum.pictures.map_svg import map_svg as map_svg
    from zerosum.players.autoplay import autoplay as autoplay
    from zerosum.players.levels import Bot as Bot
    from zerosum.players.levels import LevelBot as LevelBot
    from zerosum.protocol import Game as Game
    from zerosum.protocol import Move as Move
    from zerosum.protocol import Outcome as Outcome
    from zerosum.protocol import Value as Value
    from zerosum.registry import game as game
    from zerosum.registry import games as games
    from zerosum.solver import solve as solve
    from zerosum.solver.solution import Solution as Solution
    from zerosum.solver.theory import Theory as Theory
    from zerosum.store import open_store as open_store
    from zerosum.testing import check_game as check_game
    from zerosum.wording.hooks import Field as Field
    from zerosum.wording.hooks import Mark as Mark
    from zerosum.wording.hooks import Step as Step
    from zerosum.wording.texts import describe as describe
    from zerosum.wording.texts import read_answer as read_answer
    from zerosum.wording.texts import rules_text as rules_text
    from zerosum.wording.words import Words as Words

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
