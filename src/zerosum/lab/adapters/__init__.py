"""Gymnasium environments for two players as games: what is played is what their code does."""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from zerosum.errors import GameError
from zerosum.options import option
from zerosum.protocol import Game, Move, Outcome
from zerosum.text import brief, printable
from zerosum.wording.words import Names, Words

if TYPE_CHECKING:
    from zerosum.lab.adapters.simulator import Simulator

METHODS = ("reset", "step", "valid_moves")
# Names that tell nothing: the game is named after its file then.
NAMELESS = {"", "Custom", "My", "Game", "CustomGame", "MyGame", "TwoPlayer", "Base", "Gym"}
WON, LOST = "the last move won the game", "the last move lost the game"
REFUSED = "the last move was legal, but was answered like an illegal one"
OUTCOMES = {
    "first won": Outcome(0, WON),
    "second won": Outcome(1, WON),
    "first lost": Outcome(1, LOST),
    "second lost": Outcome(0, LOST),
    "first refused": Outcome(1, REFUSED),
    "second refused": Outcome(0, REFUSED),
    "draw": Outcome(None, "the game ended without a winner"),
    "cut off": Outcome(None, "the game was cut off"),
}
STUCK = Outcome(None, "there is no legal move")
# How much of a picture is shown.
MOST_LINES, LONGEST_LINE = 60, 200
# The usual names of attributes that say whether a game is over, and ours.
OVER = {"end", "done", "terminated", "truncated", "game_over"}


class Notice(NamedTuple):
    """What is odd about somebody else's rules, and the first position where it shows.

    `move` is the move made there; None for the position itself or the start.
    """

    message: str
    state: Any = None
    move: int | None = None


class EnvironmentWords(Words[Any]):
    """Words for an environment, which draws its positions itself; its moves are numbers."""

    # The page says itself whether the game is over.
    unshown = Words.unshown | OVER

    def label(self, state: Any, move: Any) -> str:
        """Name a move by its number, which is all that an environment tells."""
        return str(move)

    def _lines(self, state: Any, moves: Sequence[Move], names: Names) -> list[str]:
        """Show the environment's own picture, or else the state's fields."""
        game: Any = self.game
        picture = game.simulator.picture(state).splitlines()[:MOST_LINES]
        lines = [printable(line.expandtabs())[:LONGEST_LINE].rstrip() for line in picture]
        return lines if any(lines) else super()._lines(state, moves, names)


@dataclass(frozen=True)
class EnvironmentGame(Game[Any]):
    """A game whose rules are the code of a Gymnasium environment."""

    is_foreign: ClassVar[bool] = True
    foreign_words: ClassVar[type[Any] | None] = EnvironmentWords

    seed: int = option(0, "random seed of the start", least=0, most=2**32 - 2)

    make: ClassVar[Callable[[], Any]]
    # Equal variants share what is known about their seed's start.
    simulators: ClassVar[dict[int, Simulator]]
    found: ClassVar[defaultdict[int, dict[str, Notice]]]

    def __deepcopy__(self, memo: object) -> EnvironmentGame:
        """Rules never change; the simulator could not be copied."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the game was made from, not the simulator."""
        return _remade, (type(self).make, self.seed)

    @cached_property
    def simulator(self) -> Simulator:
        """The environment that plays this variant."""
        if self.seed not in self.simulators:
            from zerosum.lab.adapters.trial import make_simulator

            made = make_simulator(type(self).make, self.seed, self.found[self.seed])
            self.simulators[self.seed] = made
        return self.simulators[self.seed]

    @property
    def notices(self) -> Mapping[str, Notice]:
        """The first case of what was odd about the environment, by code."""
        return MappingProxyType(self.found[self.seed])

    def confirm(self, after: Callable[[Any, Any], Any]) -> None:
        """Let new environments play, and compare with what was found after each move."""
        from zerosum.lab.adapters.trial import confirm

        confirm(type(self).make, self.seed, self.simulator, after)

    def initial(self) -> Any:
        """Return the position after reset."""
        return self.simulator.first

    def moves(self, state: Any) -> tuple[int, ...]:
        """List the legal moves in ascending order."""
        return self.simulator.moves(state)

    def play(self, state: Any, move: Any) -> Any:
        """Return the position after a legal move."""
        return self.simulator.play(state, move)

    def outcome(self, state: Any) -> Outcome | None:
        """Return who won by the last reward; a draw if nobody can move."""
        if state.end is not None:
            return OUTCOMES[state.end]
        return None if self.simulator.moves(state) else STUCK


_kinds: dict[type[Any], type[EnvironmentGame]] = {}


def from_env(env: Any) -> Game[Any]:
    """Make a game from a Gymnasium environment, its class, or a function that makes one.

    >>> from docs.examples.countdown_env import Countdown
    >>> game = from_env(Countdown)
    >>> game.initial()
    State(number=10, player=0, end=None)
    >>> game.moves(game.initial())
    (0, 1, 2)
    """
    if isinstance(env, type):
        return environment_kind(env)()
    if not _lacking(env) or not _lacking(getattr(env, "unwrapped", None)):
        from copy import deepcopy

        plain = getattr(env, "unwrapped", env)
        return _new_kind(type(plain), lambda: deepcopy(plain))()
    if not callable(env):
        raise GameError(
            f"{brief(env)} is not an environment; pass one with {', '.join(METHODS)} and render, "
            "its class, or a function that makes it."
        )
    made = env()
    return _new_kind(type(getattr(made, "unwrapped", made)), env)()


def environments_in(classes: Sequence[type[Any]]) -> dict[str, type[EnvironmentGame]]:
    """Return the class of games of each environment among some classes, by the latter's name."""
    complete = [kind for kind in classes if not _lacking(kind)]
    # If a method is missing, the error says which.
    env = getattr(sys.modules.get("gymnasium"), "Env", ())
    found = complete or [kind for kind in classes if issubclass(kind, env)]
    return {kind.__name__: environment_kind(kind) for kind in found}


def _lacking(env: Any) -> list[str]:
    """List the methods that an environment or its class lacks."""
    return [name for name in METHODS if not callable(getattr(env, name, None))]


def check_methods(env: Any) -> None:
    """Refuse what is not an environment for two players, or its class."""
    if lacking := _lacking(env):
        title = getattr(env, "__name__", type(env).__name__)
        methods = f"method{'s' * (len(lacking) > 1)} {', '.join(lacking)}"
        raise GameError(
            f"{title} has no {methods}; an environment for two players has "
            "reset, step, valid_moves and render."
        )


def environment_kind(kind: type[Any]) -> type[EnvironmentGame]:
    """Return the one class of games that an environment's class makes."""
    if kind not in _kinds:
        _kinds[kind] = _new_kind(kind, kind)
    return _kinds[kind]


def _remade(kind: type[Any], seed: int) -> EnvironmentGame:
    """Make the game of an environment's class again, in another process perhaps."""
    return environment_kind(kind)(seed)


def _new_kind(kind: type[Any], make: Callable[[], Any]) -> type[EnvironmentGame]:
    """Make a class of games in the module of an environment, so that its file is known."""
    check_methods(kind)
    doc = kind.__dict__.get("__doc__") or "Play what a Gymnasium environment does."
    members: dict[str, Any] = {
        "__module__": kind.__module__,
        "__doc__": doc,
        "make": staticmethod(make),
        "simulators": {},
        "found": defaultdict(dict),
    }
    return type(_game_name(kind), (EnvironmentGame,), members)


def _game_name(kind: type[Any]) -> str:
    """Name a game after its class; after its file, where the class has no name of its own.

    >>> _game_name(type("CountdownEnv", (), {}))
    'Countdown'
    """
    name = re.sub(r"(Env|Environment)$", "", kind.__name__)
    if name not in NAMELESS:
        return name
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or "environment.py"
    words = re.findall(r"[A-Za-z]+|[0-9]+", os.path.splitext(os.path.basename(file))[0])
    parts = [f"_{word}" if word.isdigit() else f"{word[:1].upper()}{word[1:]}" for word in words]
    return re.sub(r"^(?=\d)", "Game_", "".join(parts)) or "Environment"
