"""A player's answer as chances of legal moves; or why it is refused."""

import math
from collections.abc import Mapping
from typing import Any, TypeVar

from zerosum.errors import UnreadableMove
from zerosum.protocol import Game, Move, S, check_move, read_move
from zerosum.text import brief

T = TypeVar("T")
Answer = dict[Move, float]
# How far from 1 the sum of the chances may be.
ROUNDING = 1e-6


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
