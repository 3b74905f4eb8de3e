"""How to play a game well, in a few sentences, by its theory or its law."""

from __future__ import annotations

from zerosum.coach.advice import Coach
from zerosum.errors import TooLarge
from zerosum.protocol import Result, S
from zerosum.solver.solution import Solution
from zerosum.text import lower_first
from zerosum.wording.words import spoken

MOST_NAMED = 10
KEEP: dict[Result, str] = {"win": "win", "loss": "lose", "draw": "hold the draw"}
KEEPS: dict[Result, str] = {"win": "wins", "loss": "loses", "draw": "holds the draw"}


def strategy(solution: Solution[S]) -> list[str]:
    """Explain how to play a game well.

    >>> import zerosum
    >>> game = zerosum.game("docs/examples/last_stick.py")
    >>> strategy(zerosum.solve(game))[0]
    'The player to move loses exactly if the number of sticks has remainder 1 when divided by 4. \
This holds in all 20 positions, and it is proved for any number of sticks.'
    """
    coach, first = Coach(solution), solution.game.initial()
    value = solution.value(first)
    start = f"The start is a {spoken(value)} for the player who moves first."
    if value.result == "draw":
        start = "The start is a draw: neither side can force a win."
    reasons = coach.reasons(first) if coach.statement or value.result != "draw" else []
    missing = "" if coach.statement or solution.solved is None else "No short law was found."
    if isinstance(coach.searched_law, TooLarge):
        missing = str(coach.searched_law)
    lines = (coach.statement, start, _first_moves(coach, first), missing, *reasons)
    return [line for line in lines if line]


def _first_moves(coach: Coach[S], first: S) -> str:
    """Describe the first moves: which keep the result, and which win most often."""
    values = coach.solution.moves(first)
    if len(values) < 2 or not coach.game.lists_all(first):
        return ""
    result = coach.solution.value(first).result
    keep = [move for move, value in values.items() if value.result == result]
    text = f"Every first move {KEEPS[result]}."
    if len(keep) < len(values):
        listed = coach.phrases.listed(first, keep)
        text = f"At the start, only {listed} {KEEPS[result]}."
        if len(keep) > 1:
            text = f"At the start, only these {KEEP[result]}: {listed}."
        if len(keep) > MOST_NAMED:
            text = f"At the start, {len(keep)} of {len(values)} moves {KEEP[result]}."
    compared = coach.comparison(first, keep)
    if compared and result == "loss":
        compared = compared.replace(" wins", " still wins", 1)
        return f"{text[:-1]}, but {lower_first(compared)}"
    return f"{text} {compared}".rstrip()
