"""Run an environment quietly, with chance under control; read what it answers."""

import atexit
import math
import operator
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np

from zerosum.errors import GameError
from zerosum.lab.adapters import check_methods
from zerosum.registry.loading import blame
from zerosum.text import brief

Make = Callable[[], Any]
# The reward with which environments usually answer an illegal move.
PENALTY = -10


class Answer(NamedTuple):
    """What `step` answered: whether the game ended, the reward, and what was odd."""

    ended: bool
    truncated: bool
    reward: float
    oddity: tuple[str, str] | None = None


NOTHING = Answer(False, False, 0.0)


class Unusable(Exception):
    """An answer from which nothing can be concluded; `code` and message become a notice."""

    def __init__(self, code: str, message: str) -> None:
        """Take the code of the notice and its sentence."""
        super().__init__(message)
        self.code = code


# Where what an environment prints goes.
NOWHERE: Any = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
atexit.register(NOWHERE.close)


@contextmanager
def quiet(stream: Any = NOWHERE) -> Iterator[None]:
    """Discard what the environment prints, or send it elsewhere."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = stream, NOWHERE
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams


@contextmanager
def seeded(seed: int, env: Any = None) -> Iterator[None]:
    """Seed the global generators and an environment's, then put the global ones back."""
    before = random.getstate()
    before_numpy = np.random.get_state()
    random.seed(seed)
    np.random.seed(seed % 2**32)
    own = vars(env).get("_np_random") if env is not None else None
    if isinstance(own, np.random.Generator):
        env._np_random = np.random.default_rng(seed)
    elif isinstance(own, np.random.RandomState):
        env._np_random = np.random.RandomState(seed)
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(before_numpy)


def start(make: Make, seed: int) -> Any:
    """Make an environment and reset it; the seed alone decides what is random."""
    # Some cannot be seeded in the usual way, but can be reset.
    with suppress(Exception, SystemExit):
        return _start(make, seed, {"seed": seed})
    try:
        return _start(make, seed, {})
    except GameError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"The environment cannot be started: {blame(error)}.") from error


def _start(make: Make, seed: int, options: dict[str, int]) -> Any:
    """Make an environment and reset it with these options."""
    with quiet(), seeded(seed):
        made = make()
        env: Any = made if hasattr(type(made), "valid_moves") else made.unwrapped
        check_methods(env)
        if hasattr(type(env), "np_random") and "_np_random" not in vars(env):
            env._np_random = np.random.default_rng(seed)
            env._np_random_seed = seed
        env.reset(**options)
        return env


def actions_of(env: Any) -> range | None:
    """Return the actions of an environment's space; None if that is not a range."""
    space: Any = getattr(env, "action_space", None)
    with suppress(AttributeError, TypeError):  # not one number, as in MultiDiscrete
        first = getattr(space, "start", 0)
        return range(first, first + space.n)
    return None


def legal_moves(
    answer: Any, actions: range | None = None
) -> tuple[tuple[int, ...], tuple[str, str] | None]:
    """Turn the answer of valid_moves into ascending integers, with what is odd about it."""
    oddity = None
    try:
        given = answer.tolist() if isinstance(answer, np.ndarray) else list(answer)
        moves = [move if type(move) is int else _integer(move) for move in given]
    except TypeError as error:
        message = f"valid_moves must return integers, not {brief(answer, 80)}."
        raise Unusable("bad-moves", message) from error
    ascending = sorted(set(moves))
    if len(ascending) < len(moves):
        oddity = "duplicate-moves", f"valid_moves lists a move twice: {brief(moves, 80)}."
    elif ascending != moves:
        oddity = "unsorted-moves", f"valid_moves is not in ascending order: {brief(moves, 80)}."
    if actions and ascending and not (ascending[0] in actions and ascending[-1] in actions):
        wrong = max(move for move in ascending if move not in actions)
        space = f"the action space has {actions[0]} to {actions[-1]}"
        oddity = "out-of-range-move", f"valid_moves lists {brief(wrong)}, but {space}."
    return tuple(ascending), oddity


def _integer(move: Any) -> int:
    """Return a move of another type as an integer; True is not one."""
    if isinstance(move, (bool, np.bool_)):
        raise TypeError
    return operator.index(move)


def read_answer(answer: Any) -> Answer:
    """Read what step returned: five values, or four as in old environments."""
    oddity = None
    if type(answer) is tuple and len(answer) == 5:
        # Most often there is no reward and no end.
        if answer[2] is answer[3] is False and type(answer[1]) in (int, float) and not answer[1]:
            return NOTHING
        _, reward, terminated, truncated, _ = answer
    elif type(answer) is tuple and len(answer) == 4:
        _, reward, terminated, _ = answer
        truncated = False
        oddity = "old-step", "step returns four values; Gymnasium has five."
    else:
        what = type(answer).__name__
        if type(answer) is tuple:
            what = f"{len(answer)} values"
        raise Unusable("bad-step", f"step must return five values, not {what}.")
    for flag in (terminated, truncated):
        if type(flag) is not bool and not isinstance(flag, (np.bool_, int, np.integer)):
            raise Unusable(
                "bad-step", f"terminated and truncated must be True or False, not {brief(flag)}."
            )
    ended = bool(terminated or truncated)
    try:
        number = float(reward)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        message = f"The reward must be a number, not {brief(reward)}."
        if ended:
            raise Unusable("bad-reward", message)
        number, oddity = 0.0, ("bad-reward", message)
    elif number and not ended:
        oddity = "reward-without-end", f"The reward is {number:g}, but the game goes on."
    return Answer(ended, bool(truncated and not terminated), number, oddity)
