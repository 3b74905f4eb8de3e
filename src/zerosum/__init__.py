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
    from zerosum.coach.laws import Law as Law
    from zerosum.coach.laws import find_law as find_law
    from zerosum.coach.puzzles import Puzzle as Puzzle
    from zerosum.coach.puzzles import puzzles as puzzles
    from zerosum.coach.review import Review as Review
    from zerosum.coach.review import ReviewedMove as ReviewedMove
    from zerosum.coach.review import review as review
    from zerosum.coach.verdicts import Verdict as Verdict
    from zerosum.errors import GameError as GameError
    from zerosum.errors import IllegalMove as IllegalMove
    from zerosum.errors import MatchError as MatchError
    from zerosum.errors import MissingExtra as MissingExtra
    from zerosum.errors import MoveError as MoveError
    from zerosum.errors import Nonconforming as Nonconforming
    from zerosum.errors import NotSolved as NotSolved
    from zerosum.errors import OptionError as OptionError
    from zerosum.errors import RecordError as RecordError
    from zerosum.errors import StoreError as StoreError
    from zerosum.errors import TooLarge as TooLarge
    from zerosum.errors import Unknown as Unknown
    from zerosum.errors import UnknownGame as UnknownGame
    from zerosum.errors import UnknownLevel as UnknownLevel
    from zerosum.errors import UnreadableMove as UnreadableMove
    from zerosum.errors import ZerosumError as ZerosumError
    from zerosum.lab.adapters import from_env as from_env
    from zerosum.lab.audit.auditing import audit_game as audit_game
    from zerosum.lab.audit.document import Audit as Audit
    from zerosum.lab.audit.document import Fault as Fault
    from zerosum.limits import Limits as Limits
    from zerosum.match import End as End
    from zerosum.match import Event as Event
    from zerosum.match import Match as Match
    from zerosum.match import Round as Round
    from zerosum.options import option as option
    from zerosum.options import options_of as options_of
    from zerosum.pictures.chart import Chart as Chart
    from zerosum.pictures.chart_svg import chart_svg as chart_svg
    from zerosum.pictures.map_svg import map_svg as map_svg
    from zerosum.pictures.svg import inline_svg as inline_svg
    from zerosum.pictures.svg import svg_stylesheet as svg_stylesheet
    from zerosum.players.autoplay import autoplay as autoplay
    from zerosum.players.estimates import Estimate as Estimate
    from zerosum.players.estimates import Tournament as Tournament
    from zerosum.players.level_policies import level_policy as level_policy
    from zerosum.players.levels import Bot as Bot
    from zerosum.players.levels import LevelBot as LevelBot
    from zerosum.players.strength import Chances as Chances
    from zerosum.players.strength import Strengths as Strengths
    from zerosum.players.strength import strengths as strengths
    from zerosum.protocol import Game as Game
    from zerosum.protocol import Move as Move
    from zerosum.protocol import Outcome as Outcome
    from zerosum.protocol import Result as Result
    from zerosum.protocol import Value as Value
    from zerosum.registry import game as game
    from zerosum.registry import games as games
    from zerosum.solver import solve as solve
    from zerosum.solver.search import Search as Search
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
    # Where each public name is; it is loaded when it is first used.
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            **dict.fromkeys(
                (
                    *("GameError", "IllegalMove", "MatchError", "MissingExtra", "MoveError"),
                    *("Nonconforming", "NotSolved", "OptionError", "RecordError", "StoreError"),
                    *("TooLarge", "Unknown", "UnknownGame", "UnknownLevel", "UnreadableMove"),
                    "ZerosumError",
                ),
                ".errors",
            ),
            **dict.fromkeys(("Game", "Move", "Outcome", "Result", "Value"), ".protocol"),
            **dict.fromkeys(("game", "games"), ".registry"),
            "from_env": ".lab.adapters",
            **dict.fromkeys(("End", "Event", "Match", "Round"), ".match"),
            "audit_game": ".lab.audit.auditing",
            **dict.fromkeys(("Audit", "Fault"), ".lab.audit.document"),
            **dict.fromkeys(("Chances", "Strengths", "strengths"), ".players.strength"),
            **dict.fromkeys(("Estimate", "Tournament"), ".players.estimates"),
            **dict.fromkeys(("Bot", "LevelBot"), ".players.levels"),
            "level_policy": ".players.level_policies",
            **dict.fromkeys(("inline_svg", "svg_stylesheet"), ".pictures.svg"),
            **dict.fromkeys(("Puzzle", "puzzles"), ".coach.puzzles"),
            **dict.fromkeys(("Review", "ReviewedMove", "review"), ".coach.review"),
            "Verdict": ".coach.verdicts",
            "Coach": ".coach.advice",
            **dict.fromkeys(("Law", "find_law"), ".coach.laws"),
            **dict.fromkeys(("Field", "Mark", "Step"), ".wording.hooks"),
            "Search": ".solver.search",
            "Limits": ".limits",
            "Solution": ".solver.solution",
            "Theory": ".solver.theory",
            "Words": ".wording.words",
            "autoplay": ".players.autoplay",
            "check_game": ".testing",
            "Chart": ".pictures.chart",
            "chart_svg": ".pictures.chart_svg",
            "map_svg": ".pictures.map_svg",
            "open_store": ".store",
            **dict.fromkeys(("option", "options_of"), ".options"),
            **dict.fromkeys(("describe", "read_answer", "rules_text"), ".wording.texts"),
            "solve": ".solver",
        },
    )
