"""What an author is told of a game by an unknown hand: checked, audited and tried in a process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from random import Random
from types import FrameType
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from zerosum.documents import described
from zerosum.errors import Nonconforming, RulesTooSlow
from zerosum.lab.audit.document import Audit, AuditRow
from zerosum.lab.audit.processes.game_files import jobs_for
from zerosum.lab.audit.processes.one_game import (
    TASK,
    Stop,
    prepare,
    refusal_of,
    row_from,
    run_in_process,
)
from zerosum.limits import AUTHOR, AUTHOR_SECONDS, CALL_SECONDS, SHORT_PATIENCE
from zerosum.match import Match
from zerosum.players.autoplay import autoplay
from zerosum.players.levels import Level, LevelBot, soon_known
from zerosum.registry import find
from zerosum.registry.loading import call_of_rules, describe_call, late, seconds_for
from zerosum.sandbox import Answerer, refuse_outside, refuse_to_exit
from zerosum.testing import conformance
from zerosum.wording.words import ending, words_of

# A game is endless after this many plies.
LONGEST_TRIAL = 400
HERE = "zerosum.lab.audit.processes.authoring"


class GameCheck(Struct, frozen=True, tag_field="format", tag="check"):
    """Whether a game follows the protocol."""

    conforms: bool
    message: Annotated[str, described("what was found and who wins, or what is wrong and where")]
    fault: Annotated[str, described("the code of the fault; empty if there is none")] = ""
    positions: Annotated[int, described("how many positions were checked")] = 0


class GameTrial(Struct, frozen=True, tag_field="format", tag="trial"):
    """Games of a level against itself, so far."""

    level: Level
    games: int = 0
    first: Annotated[int, described("won by whoever moved first")] = 0
    second: int = 0
    draws: int = 0
    moves: Annotated[list[int], described("the moves of each game")] = []
    transcript: Annotated[list[str], described("the first game, move by move")] = []
    missing: Annotated[str, described("why there are not more games")] = ""


def check(path: str) -> GameCheck:
    """Check the game in a file."""
    *_, found = _asked(path, f"{HERE}:checked", GameCheck)
    return GameCheck(False, found.message, found.status) if isinstance(found, Stop) else found


def audit(path: str) -> AuditRow:
    """Audit the game in a file."""
    (job,) = jobs_for([path], AUTHOR)
    return row_from(job, _asked(path, TASK, Audit))


def try_out(path: str, level: Level, games: int) -> GameTrial:
    """Let a level play the game in a file against itself."""
    trial = GameTrial(level)
    for found in _asked(path, f"{HERE}:tried", GameTrial, level, games):
        trial = replace(trial, missing=found.message) if isinstance(found, Stop) else found
    return trial


def _asked(path: str, task: str, kind: Any, *arguments: Any) -> list[Any]:
    """Return what a task says about the game in a file."""
    (job,) = jobs_for([path], AUTHOR)
    job = job._replace(arguments=arguments)
    return run_in_process(job, task, kind | Stop, f"{HERE}:prepare_sealed", AUTHOR_SECONDS)


# What follows runs in the process.


def prepare_sealed(setting: bytes) -> Answerer:
    """Prepare a process as for an audit, whose rules see nothing but their own folder."""
    answer = prepare(setting)
    refuse_outside()
    refuse_to_exit()
    _interrupt_slow_calls()
    return answer


def _interrupt_slow_calls() -> None:
    """From now on, look once a second at the call of the rules; it must not take too long."""
    seen: FrameType | None = None
    looks = 0

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal seen, looks
        call = call_of_rules(frame)
        looks = looks + 1 if call is seen is not None else 0
        seen = call
        told = describe_call(call) if call else ""
        if looks >= seconds_for(told, CALL_SECONDS):
            raise RulesTooSlow(late(told, CALL_SECONDS))

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 1.0, 1.0)


def checked(target: str, positions: int) -> Iterator[GameCheck | Stop]:
    """Check a game."""
    try:
        found = conformance(find(target).variant(), SHORT_PATIENCE)
        yield GameCheck(found.complete, found.text, "", found.positions)
    except Nonconforming as fault:
        yield GameCheck(False, str(fault), fault.code)
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield refusal_of(error, False)


def tried(target: str, positions: int, level: Level, games: int) -> Iterator[GameTrial | Stop]:
    """Play games, each from the seed of its number, and tell after each how all of them ended."""
    trial = GameTrial(level)
    try:
        game = find(target).variant()
        known, words = soon_known(game), words_of(game)
        for number in range(games):
            seeds = (Random(f"{number} {seat}") for seat in (0, 1))  # noqa: S311
            one, other = (LevelBot(level, game, seed, known) for seed in seeds)
            match = autoplay(Match.new(game), (one, other), plies=LONGEST_TRIAL)
            played, end = match.round, match.round.end
            winner = None if end is None else end.winner
            if not number:
                told = words.steps(played.states[0], played.moves)
                trial = replace(trial, transcript=[*told, ending(match, played)])
            trial = replace(
                trial,
                games=number + 1,
                first=trial.first + (winner == 0),
                second=trial.second + (winner == 1),
                draws=trial.draws + (winner is None),
                moves=[*trial.moves, len(played.moves)],
            )
            yield trial
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield refusal_of(error, False)
