"""Players that can be asked about positions, and what can go wrong with them."""

import hashlib
import math
import os
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeVar, get_args, runtime_checkable

from zerosum.errors import IllegalMove, UnknownLevel, UnreadableMove, ZerosumError
from zerosum.players.levels import LEVELS, check_level
from zerosum.protocol import Game, Move, S, check_move, read_move
from zerosum.registry import games, is_path
from zerosum.registry.loading import blame
from zerosum.text import brief

T = TypeVar("T")
Answer = dict[Move, float]
# How far from 1 the sum of the chances may be.
ROUNDING = 1e-6
# What a player's function may return: a move, or moves with their chances.
Choice = Callable[[Any, Any], Any]
# Why an answer has no legal moves: the rules forbid it; it is not a move; its length limit came
# first; the player declined; it came too late; or the program ended, or the function raised.
FaultKind = Literal["illegal", "unreadable", "cut-off", "refused", "late", "crash"]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
# Faults that may be due to a busy machine: they say little about what the player answers.
PASSING: frozenset[FaultKind] = frozenset({"late", "crash"})
# How often a position is asked about if the answers are drawn, unless the caller says.
SAMPLES = 10
PLAYERS = "A player is a level, or a function in a file of yours, such as ./mine.py:choose."


class PlayerFault(ZerosumError):
    """A question that was not answered with legal moves; it counts against the player.

    `last_words` is what a program that failed has written on standard error, to follow a sentence.
    """

    last_words = ""

    def __init__(self, kind: FaultKind, message: str) -> None:
        """Take the kind of fault, and a sentence."""
        super().__init__(message)
        self.kind = kind


class UnknownPlayer(ZerosumError):
    """A string that does not name a player."""


class PlayerFailed(ZerosumError):
    """A player that can no longer be asked: it did not start, or it failed too often."""


@runtime_checkable
class Player(Protocol):
    """A player of one variant, which can be asked about any position.

    One with an attribute `deterministic` that is True declares that it always gives the same
    answer. `identity` stands for everything that the answers depend on: an answer in a journal is
    used again for a player of the same identity. Without one, a player cannot have a journal.
    """

    name: str
    identity: str

    def ask(self, state: Any, sample: int, /) -> Any:
        """Return a move, or a dict of moves and their chances; raise a PlayerFault.

        `sample` counts the questions about this position from 1; each has its own random numbers.
        """


class CallablePlayer:
    """A Python function `choose(game, state)`, called in this process and without a time limit."""

    identity = ""  # what its answers depend on is unknown

    def __init__(self, game: Game[Any], choose: Choice) -> None:
        """Take the variant and the function."""
        self.name = str(getattr(choose, "__name__", type(choose).__name__))
        self.deterministic = is_deterministic(choose)
        self._game, self._choose = game, choose

    def ask(self, state: Any, sample: int) -> Any:
        """Call the function; its random numbers are its own."""
        try:
            return self._choose(self._game, state)
        except (Exception, SystemExit) as error:
            raise PlayerFault("crash", failure(self.name, error)) from error


def moves_of(game: Game[Any], state: Any, answer: object) -> dict[Move, float]:
    """Return the moves of an answer with their chances; a wrong one is a fault."""
    try:
        return check_answer(game, state, answer)
    except UnreadableMove as error:
        raise PlayerFault("unreadable", str(error)) from error
    except IllegalMove as error:
        message = f"The answer is {brief(answer, 60)}. {error.reason}"
        raise PlayerFault("illegal", message) from error


def check_answer(game: Game[S], state: S, answer: object) -> Answer:
    """Return an answer's moves, with chances that add up to 1; refuse a wrong one.

    >>> from zerosum.books.even_steven.rules import EvenSteven, State
    >>> check_answer(EvenSteven(), State(8, 0), 2)
    {2: 1.0}
    >>> check_answer(EvenSteven(), State(8, 0), {1: 0.25, 2: 0.75, 3: 0})
    {1: 0.25, 2: 0.75}
    >>> check_answer(EvenSteven(), State(8, 0), {1: 0.25, 2: 0.5})
    Traceback (most recent call last):
    ...
    zerosum.errors.UnreadableMove: The chances add up to 0.75, not to 1.
    """
    if not isinstance(answer, Mapping):
        return {_legal(game, state, answer): 1.0}
    answered: Answer = {}
    for move, chance in check_chances(answer).items():
        legal = _legal(game, state, move)
        answered[legal] = answered.get(legal, 0.0) + chance
    return answered


def check_chances(chances: Mapping[T, object]) -> dict[T, float]:
    """Return chances that add up to 1, without those of 0; refuse wrong ones."""
    found = {move: _chance(chance) for move, chance in chances.items()}
    total = math.fsum(found.values())
    if abs(total - 1) > ROUNDING:
        raise UnreadableMove(f"The chances add up to {total:.6g}, not to 1.")
    return {move: chance / total for move, chance in found.items() if chance}


def answer_of(game: Game[S], player: Any, state: S) -> Answer:
    """Ask a Bot or a function `choose(game, state)` about a position; refuse a wrong answer."""
    answer = player.move(state) if hasattr(player, "move") else player(game, state)
    return check_answer(game, state, answer)


def _legal(game: Game[S], state: S, move: object) -> Move:
    """Return a legal move; refuse every other."""
    # JSON keys are strings; no string is both a move and a number.
    if isinstance(move, str):
        move = read_move(game, state, move)
    return check_move(game, state, move)


def _chance(chance: Any) -> float:
    """Return a chance as a number; refuse what cannot be one."""
    try:
        number = math.nan if isinstance(chance, (bool, str)) else float(chance)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1 + ROUNDING:
        raise UnreadableMove(f"A chance is a number from 0 to 1, not {brief(chance)}.")
    return number


def is_deterministic(player: object) -> bool:
    """Return whether a function or a player declares that its answers are always the same."""
    return getattr(player, "deterministic", False) is True


def failure(name: str, error: BaseException) -> str:
    """Describe what a function raised, with its file and line, unless the call itself failed."""
    traceback = error.__traceback__
    inside = traceback is not None and traceback.tb_next is not None
    what = blame(error) if inside else f"{type(error).__name__}: {brief(str(error), 200)}"
    return f"{brief(name, 200)} failed: {what}"


def check_player(name: str) -> str:
    """Return the name of a level, or the path of a file with a function; refuse other strings.

    >>> check_player("meduim")
    Traceback (most recent call last):
    ...
    zerosum.players.asked.UnknownPlayer: There is no level 'meduim'; did you mean \
medium? The levels are random, easy, medium, hard, perfect. A player is a level, or a function \
in a file of yours, such as ./mine.py:choose.
    """
    if name in LEVELS:
        return name
    shown = brief(name, 200)
    path, colon, function = name.rpartition(":")
    if name in games() or names_class(name):
        raise UnknownPlayer(f"{shown} is a game; name a player too, as in: medium {shown}.")
    if not is_path(name) and not colon:
        try:
            return check_level(name)
        except UnknownLevel as error:
            raise UnknownPlayer(f"{error} {PLAYERS}") from error
    file = path if colon else name
    if not os.path.isfile(os.path.expanduser(file)):
        raise UnknownPlayer(f"There is no file {brief(file, 200)}.")
    if not function.isidentifier():
        file = brief(file, 200)
        raise UnknownPlayer(f"Name a function in {file}, such as {file}:choose.")
    return name


def names_class(word: str) -> bool:
    """Return whether a word names a class in a file, so a game: its name has a capital.

    >>> names_class("./mine.py:LastStick"), names_class("./mine.py:choose")
    (True, False)
    """
    _, colon, name = word.rpartition(":")
    return bool(colon) and name[:1].isupper()


def digest(*parts: object) -> str:
    """Return a short digest of what a player's answers depend on."""
    return hashlib.sha256(repr(parts).encode(errors="replace")).hexdigest()[:32]
