"""The conformance kit: everything that every game must satisfy, a user's own included."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, NamedTuple

from zerosum.match import Match
from zerosum.protocol import Game
from zerosum.solver.table import is_symmetric
from zerosum.states import LARGE, largest, walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.rules import check_position, check_start, check_symmetry, check_variant
from zerosum.testing.theory import check_theory
from zerosum.testing.words import check_hooks, check_words
from zerosum.text import brief

CHECKED_STATES, RANDOM_GAMES, LONGEST_GAME = 1_000, 10, 200
# A canonical() is followed further than the states that are checked in every way.
MOST_SYMMETRIC = 5_000


class Checked(NamedTuple):
    """How many states were checked, and whether that was done to the end."""

    positions: int
    complete: bool


def check_game(game: Game[Any]) -> int:
    """Check a variant, and return how many states were checked; raise Nonconforming on a fault.

    The first 1,000 states reachable from the start are checked, breadth first, and those of ten
    random games, always the same, of up to 200 moves.

    >>> import zerosum
    >>> check_game(zerosum.game("even-steven", start=9))
    15
    """
    return check_within(game, None).positions


def check_within(game: Game[Any], seconds: float | None) -> Checked:
    """Check a variant like `check_game`, but stop after some seconds if its rules are slow.

    >>> import zerosum
    >>> check_within(zerosum.game("even-steven", start=9), 60.0)
    Checked(positions=15, complete=True)
    """
    check = Checker(game, seconds)
    seen: set[Any] = set()
    try:
        with numbers_of_any_length():
            _check_all(check, seen)
    except Late:
        return Checked(len(seen), complete=False)
    return Checked(len(seen), complete=True)


def _check_all(check: Checker, seen: set[Any]) -> None:
    """Check everything, and add the states that are done."""

    def after(state: Any) -> list[Any]:
        following = check_position(check, state)
        seen.add(state)
        return following

    game = check.game
    check_variant(check)
    check_start(check)
    check_hooks(check)
    set(walk(game, limit=CHECKED_STATES, after=after))
    # One lie of canonical() makes many values false. Moves of large numbers may be slow.
    if is_symmetric(game) and largest(game.initial()) < LARGE:
        set(walk(game, limit=MOST_SYMMETRIC, after=partial(check_symmetry, check)))
    check_theory(check, seen)
    rng = Random(0)
    for _ in range(RANDOM_GAMES):
        _check_random_game(check, rng, seen)


def _check_random_game(check: Checker, rng: Random, seen: set[Any]) -> None:
    """Play a random game, and check its words, records and undo after every move."""
    match = Match.new(check.game)
    while match.round.end is None and match.ply < LONGEST_GAME:
        check_position(check, match.state)
        move = rng.choice(check.game.moves(match.state))
        after = check.call(match.play, move)
        check_words(check, match, move, after)
        at = brief(after.state, 100)
        again = check.call(Match.from_json, after.to_json(), type(check.game))
        check.must(again == after, f"a match written to JSON and read back differs, at {at}")
        if after.round.end is None:
            check.must(after.undo() == match, f"undoing {move!r} leads to another match, at {at}")
        match = after
        seen.add(match.state)
