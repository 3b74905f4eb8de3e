"""What a check of a variant comes to, in sentences for its author."""

from typing import Any, NamedTuple

from zerosum.errors import BrokenGame, TooLarge, ZerosumError
from zerosum.limits import PATIENCE, PERSON, SHORT_PATIENCE, Limits
from zerosum.protocol import Game
from zerosum.solver import solve, solve_table
from zerosum.solver.table import is_symmetric
from zerosum.solver.theory import theory_of
from zerosum.testing import NO_END, check_within
from zerosum.text import counted
from zerosum.wording.words import spoken, variant_title


class Conformance(NamedTuple):
    """A variant in which no fault was found: the positions checked, whether all, and a report."""

    positions: int
    complete: bool
    text: str


def conformance(game: Game[Any], seconds: float = PATIENCE) -> Conformance:
    """Check one variant within some seconds and say what was found, or raise Nonconforming.

    >>> import zerosum
    >>> conformance(zerosum.game("dual-digits")).text.split(" (")[0]
    'Dual Digits conforms'
    """
    title, (positions, complete, ended) = variant_title(game), check_within(game, seconds)
    if complete:
        no_end = "" if ended else f"{NO_END} Otherwise, "
        text = f"{no_end}{title} conforms ({positions:,} positions checked). {_solved(game)}"
        return Conformance(positions, complete, text)
    done = "not even the first position"
    if positions:
        done = f"only {counted(positions, 'position')}"
    text = (
        f"{title}: no fault was found, but {done} could be checked within {seconds:g} seconds. "
        "In Python, zerosum.check_game has no time limit."
    )
    return Conformance(positions, complete, text)


def _solved(game: Game[Any]) -> str:
    """Describe how many positions there are and who wins, if found quickly."""
    count = ""
    try:
        solution = solve_table(game, PERSON.in_seconds(SHORT_PATIENCE))
    except BrokenGame as error:  # others are told to run this command
        raise ZerosumError(str(error)) from error
    except TooLarge as error:
        if theory_of(game) is None:
            return f"It was not solved: {error}"
        solution = solve(game, Limits(seconds=SHORT_PATIENCE))
        count = "Its theory agrees with itself from move to move; it was not compared to a table. "
    if solution.solved is not None:
        symmetric = ", symmetric ones counted once" if is_symmetric(game) else ""
        count = f"Solved, with {len(solution.solved.graph):,} positions{symmetric}. "
    value = solution.value(game.initial())
    player = "" if value.result == "draw" else " for the player who moves first"
    return f"{count}The start is a {spoken(value)}{player}."
