"""Programs and functions in the seats of a match; docs/engines.md has what they are told."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from random import Random
from typing import Generic

from zerosum.errors import UnknownLevel
from zerosum.match import Match, is_engine
from zerosum.players.asked import (
    PlayerFault,
    UnknownPlayer,
    check_player,
    moves_of,
)
from zerosum.players.levels import LEVELS, check_level, sample, seed_at
from zerosum.players.programs import (
    USUAL_LIMITS,
    GamePlace,
    ProgramLimits,
    ProgramPlayer,
    function_player,
    split_command,
)
from zerosum.protocol import Game, Move, S
from zerosum.text import brief

# What the name of a program begins with, before its command line.
EXEC = "exec:"
# And that of one that the operator of a server has named.
SERVED = "engine:"
OPPONENTS = "a level, a function such as ./mine.py:choose, or a program such as exec:./my-engine"
# How often a program is asked for a move: it is told why its first answer was not taken.
TRIES = 2
# An interpreter says little about a program that it runs.
INTERPRETERS = re.compile(r"(python|pypy|node|ruby|perl|bash|sh|java|env|uv)[\d.]*")
# What is shown of a program's name.
SHOWN_NAME = 20
SERVED_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{0,{SHOWN_NAME - 1}}}")


class Engine(Generic[S]):
    """A program or a function that plays whole games of one variant; use it with `with`.

    It is named as on the command line, `exec:./my-engine` or `./mine.py:choose`, and started when
    it is first asked. The same one plays either seat, and any number of games in turn, also in
    parts: what it was not told yet, it is told with the next question.

        with Engine(game, "exec:./my-engine", seed=7) as engine:
            while match.round.end is None:
                match = match.play(engine.move(match) if match.mover == 0 else other.move(match))

    `move` raises PlayerFault (with its `kind`) if the program gave no legal move; the match is as
    before, and the program may be asked again, then or later. It raises PlayerFailed if it cannot
    be asked any more. Which of the two is a lost game is for the caller to say.
    """

    def __init__(
        self, game: Game[S], name: str, seed: int = 0, limits: ProgramLimits = USUAL_LIMITS
    ) -> None:
        """Take the variant, the program's name, the seed for its choices, and its time."""
        self.name, self.short_name = check_engine(name), short_name(name)
        self._player = player_of(game, name, limits=limits, seed=seed, called=name)

    def __enter__(self) -> Engine[S]:
        return self

    def __exit__(self, *error: object) -> None:
        self._player.__exit__(*error)

    def close(self) -> None:
        """End the program, at first by closing its standard input."""
        self._player.__exit__()

    def start(self) -> None:
        """Start the program, unless it runs; what is wrong with it is found before a game."""
        self._player.start()

    def move(self, match: Match[S]) -> Move:
        """Return a legal move for the player to move; draw one if the answer has chances.

        An answer without a legal move is refused once, with the reason. With a clock, an answer
        has that many seconds; a late one is not waited for again.
        """
        played = match.round
        place = GamePlace(
            match.number, match.games, match.state.player, (*played.moves,), match.clock
        )
        faults: list[PlayerFault] = []
        while len(faults) < TRIES:
            try:
                refused = faults[-1] if faults else None
                said = self._player.ask(match.state, match.number, place, refused)
                chances = moves_of(match.game, match.state, said)
                return sample(chances, Random(seed_at(match)))  # noqa: S311
            except PlayerFault as fault:
                faults.append(fault)
                if fault.kind == "late":
                    break
        last = faults[-1]
        again = f" in {len(faults)} tries. The last time" if len(faults) > 1 else ""
        told = f"{self.name} gave no legal move{again}: {last}{last.last_words}"
        raise PlayerFault(last.kind, told) from last


def player_of(
    game: Game[S],
    name: str,
    actions: Sequence[Move] = (),
    limits: ProgramLimits = USUAL_LIMITS,
    seed: int = 0,
    called: str = "",
) -> ProgramPlayer:
    """Return a program or a function, by its name, as a player of a variant; use it with `with`.

    A program may be called otherwise than by its command line.
    """
    if not is_program(name):
        return function_player(game, name, actions, limits, seed)
    command = name.removeprefix(EXEC)
    return ProgramPlayer(game, split_command(command), actions, limits, called or command, seed)


def is_program(name: str) -> bool:
    """Return whether a player is named by a command line.

    >>> is_program("exec:./my-engine --deep"), is_program("./mine.py:choose"), is_program("hard")
    (True, False, False)
    """
    return name.startswith(EXEC)


def check_engine(name: str) -> str:
    """Return the name of a program or a function; refuse what is neither."""
    if name.startswith(SERVED):
        text = "is a program of a server; play against it there, with --server URL."
        raise UnknownPlayer(f"{brief(name.removeprefix(SERVED), 200)} {text}")
    if is_program(name):
        split_command(name.removeprefix(EXEC))
        return name
    if name in LEVELS:
        raise UnknownPlayer(f"{name} is a level, not a program or a function.")
    return check_player(name)


def check_opponent(name: str) -> str:
    """Return the name of a level, a program or a function; refuse others.

    >>> check_opponent("exec:./my-engine --deep")
    'exec:./my-engine --deep'
    >>> check_opponent("exec:")
    Traceback (most recent call last):
    ...
    zerosum.players.asked.UnknownPlayer: The command line of a program cannot be empty.
    """
    if is_engine(name):
        return check_engine(name)
    try:
        return check_level(name)
    except UnknownLevel as error:
        raise UnknownPlayer(f"{error} An opponent is {OPPONENTS}.") from error


def check_served(name: str) -> str:
    """Return the name under which a server offers a program; refuse what cannot be one.

    >>> check_served("Deep-2")
    'Deep-2'
    """
    if not SERVED_NAME.fullmatch(name) or name.casefold() in LEVELS:
        shown = brief(name, 200)
        raise UnknownPlayer(
            f"{shown} cannot name a program: use up to {SHOWN_NAME} letters, digits, _ and -, "
            "beginning with a letter, and no level."
        )
    return name


def short_name(name: str) -> str:
    """Return what a player is called in a match, after its program, file or level.

    >>> short_name("exec:python ./engines/deep.py --fast"), short_name("./mine.py:choose")
    ('deep.py', 'mine.py:choose')
    """
    if not is_engine(name) or name.startswith(SERVED):
        return name.removeprefix(SERVED)
    if is_program(name):
        words = [os.path.basename(word) for word in split_command(name.removeprefix(EXEC))]
        plain = [word for word in words if word and not word.startswith("-")]
        named = [word for word in plain if not INTERPRETERS.fullmatch(word)]
        shown = (named or plain or words)[0]
    else:
        shown = os.path.basename(name)
    shown = "".join(filter(str.isprintable, shown)).strip() or "program"
    return shown if len(shown) <= SHOWN_NAME else f"{shown[: SHOWN_NAME - 1]}…"
