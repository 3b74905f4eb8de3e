"""Ask a program: one JSON line a position, answered by one. docs/engines.md has the protocol."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from itertools import count
from shutil import which
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from zerosum.documents import loads
from zerosum.errors import DocumentError
from zerosum.options import option_values
from zerosum.players.asked import (
    FAULT_KINDS,
    FaultKind,
    PlayerFailed,
    PlayerFault,
    UnknownPlayer,
    check_player,
    digest,
)
from zerosum.protocol import Game, Move
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import file_fingerprint
from zerosum.text import brief
from zerosum.wording.words import title_of
from zerosum.worker import (
    LineProcess,
    WorkerError,
    WorkerLate,
    WorkerTooLong,
    python,
    start_apart,
)

PROTOCOL = 1
READY = f'{{"type": "ready", "protocol": {PROTOCOL}}}'
FLAGS = '"deterministic" and "games" each true, false or absent'
# The most bytes of one line.
LONGEST = 1 << 20
# Seconds for a process to end by itself.
GRACE = 0.5
# How many lines of a program's standard error are shown, and how much of each.
SHOWN_LINES, SHOWN_WIDTH = 5, 200
FLUSH = " Does it read line by line, and flush what it prints?"
# The order of a set is then the same in every run of a Python program.
VARIABLES = {"PYTHONHASHSEED": "0"}
FUNCTIONS = "zerosum.players.function_main:main"


class Ready(Struct):
    """What a program answers to the greeting."""

    type: Literal["ready"]
    protocol: Literal[1]
    deterministic: bool = False
    games: bool = False  # whether it wants to know which game a question belongs to


class GamePlace(NamedTuple):
    """Where in a game a question is asked: what a program that plays whole games is told.

    `number` and `games` are those of the match, and `seat` is the program's; `played` are all moves
    of this game so far, and `clock` is the seconds for a turn, if they are limited.
    """

    number: int
    games: int
    seat: int
    played: tuple[Move, ...]
    clock: float | None = None

    def continues(self, told: GamePlace | None) -> bool:
        """Return whether a program that was told of an earlier turn can follow."""
        if told is None:
            return False
        return told == self._replace(played=self.played[: len(told.played)])


class ProgramLimits(NamedTuple):
    """Seconds for an answer, for the first one, and to get ready; how often it is started again.

    The first answer has more time: a program may load or learn only then.
    """

    answer: float = 10.0
    first: float = 60.0
    start: float = 60.0
    restarts: int = 5


USUAL_LIMITS = ProgramLimits()


class Together:
    """All processes of a program: how often they failed, and whether one has answered."""

    def __init__(self) -> None:
        """Begin with the first process."""
        self.failures = count(1)
        self.answered = False


class ProgramPlayer:
    """A program that speaks the protocol, asked about one variant; use it with `with`.

    It is started when it is first asked. If it ends, says too much or does not answer in time, it
    is killed and started again for the next question, but only a few times, and not if it has not
    answered its first question in time.
    """

    def __init__(
        self,
        game: Game[Any],
        words: Sequence[str],
        actions: Sequence[Move] = (),
        limits: ProgramLimits = USUAL_LIMITS,
        name: str = "",
        seed: int = 0,
        about: object = None,
        title: str = "",
    ) -> None:
        """Take the variant, the program with its arguments, and all moves of the game.

        `about` is all that its answers depend on; by default, the files in the command line.
        Whoever must not load a game's rules gives its `title`.
        """
        self._title = title
        self.name = name or shlex.join(words)
        self.deterministic = False  # until it says so
        self._game, self._words = game, words
        self._limits = limits
        self._actions = list(actions)
        self._seed = seed
        self.identity = digest(PROTOCOL, about or (words, file_contents(words)), seed)
        self._process: LineProcess | None = None
        self._asked = 0
        self._answered = False
        self._games = False  # unless it says so
        self._told: GamePlace | None = None
        self._together = Together()

    def twin(self) -> ProgramPlayer:
        """Return the same player with a process of its own; what goes wrong is added up."""
        twin = copy(self)
        twin._process, twin._asked, twin._answered = None, 0, False
        twin._told = None
        return twin

    def __enter__(self) -> ProgramPlayer:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None and not any(error):  # whoever stops us does not wait
            self._process.close()
            self._process.end(GRACE)
        self.end()

    def start(self) -> LineProcess:
        """Start the program, unless it runs, and wait until it is ready."""
        self._process = self._process or self._new_process()
        return self._process

    def ask(
        self,
        state: Any,
        sample: int = 1,
        place: GamePlace | None = None,
        refused: PlayerFault | None = None,
    ) -> Any:
        """Ask about a position, and return a move, or moves with their chances.

        In a game, `place` is where, and `refused` is why the last answer to this question was not
        taken. Instead of a state, `asked_about` may be given.
        """
        process = self.start()
        self._asked += 1
        about = state if isinstance(state, dict) else asked_about(self._game, state)
        question = {
            "type": "question",
            "id": self._asked,
            "state": about["state"],
            "player": about["player"],
            "sample": sample,
            "moves": about["moves"],
        }
        if place is not None and self._games:
            question |= self._place_in_game(process, place)
        if refused is not None:
            question |= {"error": str(refused), "fault": refused.kind}
        limit = self._limits.answer if self._answered else self._limits.first
        clock = None if place is None else place.clock
        limit = limit if clock is None else clock
        try:
            process.send(json.dumps(question).encode())
            answer = self._answer(process, time.monotonic() + limit)
        except WorkerError as failure:
            fault = _fault(process, failure, limit)
            often = next(self._together.failures)
            silent = clock is None and isinstance(failure, WorkerLate)
            silent = silent and not self._together.answered
            self.end()
            fault.last_words = _last_words(process)
            if silent or often > self._limits.restarts:
                last = f"{fault}{fault.last_words}"
                times = f" {often} times. The last time" if often > 1 else ""
                raise PlayerFailed(f"{self.name} failed{times}: {last}") from failure
            raise fault from failure
        except KeyboardInterrupt:  # it is still thinking
            self.end()
            raise
        self._answered = self._together.answered = True
        if ("move" in answer) == ("moves" in answer):
            wanted = 'An answer must have either "move" or "moves"'
            raise PlayerFault("unreadable", f"{wanted}: {_quoted(answer)}")
        if not isinstance(answer.get("moves", {}), dict):
            message = f'"moves" must map moves to chances: {_quoted(answer)}'
            raise PlayerFault("unreadable", message)
        return answer.get("moves", answer.get("move"))

    def _place_in_game(self, process: LineProcess, place: GamePlace) -> dict[str, Any]:
        """Return where in a game a question is asked; tell of the game first, if it is another."""
        since = place.played[len(self._told.played) :] if self._told is not None else ()
        if not place.continues(self._told):
            begins = {
                "type": "game",
                "game": place.number,
                "games": place.games,
                "seat": place.seat,
                "clock": place.clock,
                "played": place.played,
            }
            process.send(json.dumps(begins).encode())
            since = ()
        self._told = place
        return {"game": place.number, "ply": len(place.played), "since": since}

    def _new_process(self) -> LineProcess:
        """Start a process, say hello, and wait until it is ready."""
        if sys.platform == "win32":
            raise PlayerFailed("Programs and functions can only be asked on Linux and macOS.")
        try:
            program = start_apart(self._words, variables=VARIABLES)
        except (OSError, ValueError) as error:
            reason = not_executable(self._words, "exec:")
            reason = reason or getattr(error, "strerror", None) or str(error)
            raise PlayerFailed(f"{self.name} cannot be started: {reason}.") from error
        process = self._process = LineProcess(program, longest=LONGEST)
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "game": entry_of(self._game).name,
            "title": self._title or title_of(self._game),
            "options": option_values(self._game),
            "actions": self._actions,
            "seed": self._seed,
        }
        seconds = self._limits.start
        try:
            process.send(json.dumps(hello).encode())
            answer = _read(process, time.monotonic() + seconds)
            ready = msgspec.convert(answer, Ready)
            self.deterministic, self._games = ready.deterministic, ready.games
        except (WorkerError, PlayerFault, msgspec.ValidationError) as error:
            why = str(error)
            if isinstance(error, WorkerError):
                why = str(_fault(process, error, seconds))
            elif isinstance(error, msgspec.ValidationError):
                why = f"The answer to hello must be {READY}, with {FLAGS}, not: {_quoted(answer)}"
            self.end()
            said = _last_words(process)
            hint = FLUSH if isinstance(error, WorkerLate) and not said else ""
            raise PlayerFailed(f"{self.name} is not ready: {why}{hint}{said}") from error
        return process

    def _answer(self, process: LineProcess, deadline: float) -> dict[str, Any]:
        """Wait for the answer to the last question; more answers to earlier ones are dropped."""
        while True:
            answer = _read(process, deadline)
            number = answer.get("id")
            if type(number) is not int or not 0 < number <= self._asked:
                message = f"The answer must have id {self._asked}: {_quoted(answer)}"
                raise PlayerFault("unreadable", message)
            if number == self._asked:
                return answer

    def kill(self) -> None:
        """Kill the process from another thread: whoever waits for its answer gets none."""
        if (process := self._process) is not None:
            process.kill()

    def end(self) -> None:
        """End the process at once, if there is one."""
        process, self._process, self._told = self._process, None, None
        self._answered = False
        if process is not None:
            process.end()


def asked_about(game: Game[Any], state: Any) -> dict[str, Any]:
    """Return what a question says of a position, as JSON can hold it.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> asked_about(game, game.play(game.initial(), 1))
    {'state': {'number': 24, 'previous': 1, 'player': 1}, 'player': 1, 'moves': (2, 3, 4)}
    """
    return {"state": state._asdict(), "player": state.player, "moves": game.moves(state)}


def function_player(
    game: Game[Any],
    name: str,
    actions: Sequence[Move] = (),
    limits: ProgramLimits = USUAL_LIMITS,
    seed: int = 0,
) -> ProgramPlayer:
    """Return a player that calls a function, named as in ./mine.py:choose, with game and state.

    Random numbers of the function begin with `seed`, the position and the number of the question
    about it in every call, so that the order of the questions does not matter.
    """
    file, _, function = check_player(name).rpartition(":")
    path = os.path.abspath(os.path.expanduser(file))
    entry, content = entry_of(game), ""
    with suppress(OSError, SyntaxError, ValueError):  # a bad file fails later
        content = file_fingerprint(path)
    called = (path, function, entry.file or entry.name, option_values(game))
    words = python(FUNCTIONS, *called, flags=("-P", "-B"))  # -B: nothing is written beside the file
    return ProgramPlayer(game, words, actions, limits, name, seed, (path, function, content))


def _fault(process: LineProcess, failure: WorkerError, seconds: float) -> PlayerFault:
    """Return the fault of a process that does not answer."""
    if isinstance(failure, WorkerTooLong):
        return PlayerFault("cut-off", f"The answer is longer than {LONGEST >> 10:,} KiB.")
    if isinstance(failure, WorkerLate):
        return PlayerFault("late", f"No answer came within {seconds:g} s.")
    ending = process.end(GRACE)
    if not ending.by_itself:
        how = "closed its standard output"
    elif ending.code >= 0:
        how = f"ended with exit code {ending.code}"
    else:
        how = f"was killed by signal {-ending.code} ({signal.strsignal(-ending.code)})"
    return PlayerFault("crash", f"It {how}.")


def split_command(command: str) -> list[str]:
    """Split a command line into its words; no shell is involved.

    >>> split_command("my-engine --name 'Deep Thought'")
    ['my-engine', '--name', 'Deep Thought']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownPlayer(f"{brief(command, 200)} is not a command line: {error}.") from error
    if not words:
        raise UnknownPlayer("The command line of a program cannot be empty.")
    return words


def not_executable(words: Sequence[str], prefix: str) -> str:
    """Say that a command line begins with a file that cannot be run, and what to try; or nothing.

    The prefix is what stands before a command line where it was typed.
    """
    file = words[0]
    if which(file) or not os.path.isfile(file):
        return ""
    chmod = f"chmod +x {shlex.quote(file)}"
    python = shlex.quote(f"{prefix}{shlex.join(['python', *words])}")
    return f"{file} is not executable; try {python if file.endswith('.py') else chmod}"


def check_command(command: str, prefix: str) -> None:
    """Refuse a command line whose program is not there, or is a file that cannot be run."""
    words = split_command(command)
    if which(words[0]) is None:
        missing = f"There is no program {brief(words[0], 200)}"
        raise UnknownPlayer(f"{not_executable(words, prefix) or missing}.")


def file_contents(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the paths of all files in a command line, with digests of their contents."""
    found = []
    for path in (which(words[0]) or words[0], *words[1:]):
        if os.path.isfile(path):
            with suppress(OSError), open(path, "rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
                found.append((os.path.abspath(path), content))
    return found


def _read(process: LineProcess, deadline: float) -> dict[str, Any]:
    """Read the next line that is not empty: a JSON object, and not an error."""
    line = b""
    while not line:
        line = process.receive(deadline - time.monotonic()).strip()
    try:
        document = loads(line)
    except DocumentError:  # or a number that would take long to read
        document = None
    if not isinstance(document, dict):
        shown = brief(line.decode("utf-8", "replace"), SHOWN_WIDTH)
        raise PlayerFault("unreadable", f"An answer must be a JSON object, not: {shown}")
    if document.get("error") is not None:
        kind: FaultKind = "refused"
        if document.get("fault") in FAULT_KINDS:
            kind = document["fault"]
        raise PlayerFault(kind, brief(document["error"], SHOWN_WIDTH))
    return document


def _last_words(process: LineProcess) -> str:
    """Return the end of what a process has written on standard error, to follow a sentence."""
    lines = [brief(line, SHOWN_WIDTH) for line in process.last_words.splitlines() if line.strip()]
    shown = "".join(f"\n  {line}" for line in lines[-SHOWN_LINES:])
    return f" Its standard error ends with:{shown}" if shown else ""


def _quoted(document: dict[str, Any]) -> str:
    """Quote what a program said."""
    return brief(json.dumps(document), SHOWN_WIDTH)
