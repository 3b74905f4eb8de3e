"""The conformance kit: what every game must satisfy, a user's own included."""

from functools import partial
from random import Random
from traceback import walk_tb
from typing import Any, NamedTuple

from zerosum.errors import BrokenGame, Nonconforming, TooLarge, ZerosumError
from zerosum.limits import (
    CHECKED_STATES,
    PATIENCE,
    PERSON,
    SHORT_PATIENCE,
    SYMMETRIC_STATES,
    Limits,
)
from zerosum.match import Match
from zerosum.protocol import Game
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.solver import solve, solve_table
from zerosum.solver.table import is_symmetric
from zerosum.solver.theory import theory_of
from zerosum.states import LARGE, largest, walk
from zerosum.testing.checker import Checker, Late, numbers_of_any_length
from zerosum.testing.move_order import check_order
from zerosum.testing.rules import (
    check_position,
    check_start,
    check_symmetry,
    check_turns,
    check_variant,
)
from zerosum.testing.words_and_theory import check_hooks, check_theory, check_words
from zerosum.text import counted
from zerosum.wording.words import spoken, variant_title

RANDOM_GAMES, LONGEST_GAME = 10, 200
NO_END = (
    f"No game reached an end, not even in {RANDOM_GAMES} random games of up to {LONGEST_GAME} "
    "moves."
)


class Checked(NamedTuple):
    """How many states were checked, whether that was all, and whether a game ended."""

    positions: int
    complete: bool
    ended: bool = True


def check_game(game: Game[Any]) -> int:
    """Check a variant; return how many states were checked, or raise Nonconforming.

    The first 1,000 states reachable from the start are checked, breadth first, and those of ten
    random games, always the same, of up to 200 moves.

    >>> import zerosum
    >>> check_game(zerosum.game("even-steven", start=9))
    15
    """
    return check_within(game, None).positions


def check_within(game: Game[Any], seconds: float | None) -> Checked:
    """Check a variant like `check_game`, but only some seconds if rules are slow.

    >>> import zerosum
    >>> check_within(zerosum.game("even-steven", start=9), 60.0)
    Checked(positions=15, complete=True, ended=True)
    """
    check = Checker(game, seconds)
    try:
        with numbers_of_any_length():
            _check_all(check)
    except Late:
        return Checked(len(check.states), complete=False)
    return Checked(len(check.states), complete=True, ended=bool(check.ends))


def meets_end(game: Game[Any], positions: int | None = CHECKED_STATES) -> bool:
    """Return whether an end is met in random games, or else in the first positions.

    >>> import zerosum
    >>> meets_end(zerosum.game("even-steven"))
    True
    """
    rng = Random(0)
    for _ in range(RANDOM_GAMES):
        state = game.initial()
        for _ in range(LONGEST_GAME):
            if not (moves := game.moves(state)):
                return True
            state = game.play(state, rng.choice(moves))
    return any(not game.moves(state) for state in walk(game, limit=positions))


def fault_behind(error: BaseException, seconds: float) -> str:
    """Look for a fault of somebody else's rules that made us fail."""
    game = game_behind(error)
    try:
        if game is not None and not type(game).__module__.startswith("zerosum."):
            check_within(game, seconds)
    except Nonconforming as fault:
        return str(fault)
    except BaseException as failed:  # rules may raise anything
        if raised_by_rules(failed):
            return f"The rules of this game failed: {blame(failed)}"
    return ""


def game_behind(error: BaseException) -> Game[Any] | None:
    """Return the last variant that we were looking at when something was raised."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    values = [value for frame in frames for value in frame.f_locals.values()]
    return next((value for value in reversed(values) if isinstance(value, Game)), None)


def _check_all(check: Checker) -> None:
    """Check everything, and add the states that are done."""
    game, after = check.game, partial(_check_state, check)
    check_variant(check)
    check_start(check)
    check_hooks(check)
    set(walk(game, limit=CHECKED_STATES, after=after))
    if not check.ends and len(check.states) < CHECKED_STATES:
        everywhere = f"everywhere, in {counted(len(check.states), 'position')}"
        raise check.fault(f"it can never end: outcome() is None {everywhere}")
    # One lie of canonical() makes many values false. Large numbers may be slow.
    if is_symmetric(game) and largest(game.initial()) < LARGE:
        set(walk(game, limit=SYMMETRIC_STATES, after=partial(check_symmetry, check)))
    check_theory(check, check.states)
    rng = Random(0)
    for _ in range(RANDOM_GAMES):
        _check_random_game(check, rng)
    check_turns(check, check.states, check.ends)
    check_order(check)


def _check_state(check: Checker, state: Any) -> list[Any]:
    """Check a state, note that it is done, and return the states after it."""
    following = check_position(check, state)
    check.states.add(state)
    if not following:
        check.ends.add(state)
    return following


def _check_random_game(check: Checker, rng: Random) -> None:
    """Play a random game, and check its positions and words, and now and then undo and records."""
    match = Match.new(check.game)
    while match.round.end is None and match.ply < LONGEST_GAME:
        move = rng.choice(check.game.moves(match.state))
        _check_state(check, check.call(check.game.play, match.state, move))
        check.position = match.state
        after = check.call(match.play, move)
        check_words(check, match, move, after)
        check.position = after.state
        # A record replays the whole game: after every move it would take too long.
        last = after.round.end is not None or after.ply == LONGEST_GAME
        if last or after.ply & match.ply == 0:
            again = check.call(Match.from_json, after.to_json(), type(check.game))
            if again != after:
                raise check.fault("a match written to JSON and read back differs")
            if after.round.end is None and after.undo() != match:
                raise check.fault(f"undoing {move!r} leads to another match")
        match = after
        check.position = None


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
