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
from shutil import which
from typing import Any, NamedTuple

from zerosum.lab.measure.players import (
    MissingAnswer,
    PlayerFailed,
    PlayerFault,
    UnknownPlayer,
    UnreadableAnswer,
    answer_or_fault,
    check_player,
    digest,
)
from zerosum.options import option_values
from zerosum.players.answers import Answer
from zerosum.protocol import Game, Move
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import file_fingerprint
from zerosum.text import brief, counted
from zerosum.wording.words import title_of
from zerosum.worker import (
    Ending,
    LineProcess,
    Worker,
    WorkerError,
    WorkerGone,
    WorkerLate,
    WorkerTooLong,
    start_apart,
)

PROTOCOL = 1
READY = f'{{"type": "ready", "protocol": {PROTOCOL}}}, with "deterministic" true, false or absent'
# The most bytes of one line.
LONGEST = 1 << 20
# Seconds for a process to end by itself.
GRACE = 0.5
# How many lines of a program's standard error are shown, and how much of each.
SHOWN_LINES, SHOWN_WIDTH = 5, 200
FLUSH = " Does it read line by line, and flush what it prints?"
# The order of a set is then the same in every run of a Python program.
VARIABLES = {"PYTHONHASHSEED": "0"}
FUNCTIONS = "zerosum.lab.measure.function_main:prepare"


class ProgramLimits(NamedTuple):
    """Seconds for an answer, for the first one, and to get ready; how often it is started again.

    The first answer has more time: a program may load or learn only then.
    """

    answer: float = 10.0
    first: float = 60.0
    start: float = 60.0
    restarts: int = 5


USUAL_LIMITS = ProgramLimits()


class ProgramPlayer:
    """A program that speaks the protocol, asked about one variant; use it with `with`.

    It is started when it is first asked. If it ends, says too much or does not answer in time, it
    is killed and started again for the next question, but only a few times; one that has not
    answered its first question in time is started again once. Without `words`, it is our own
    program, which calls the `function` of a file of the user's.
    """

    def __init__(
        self,
        game: Game[Any],
        words: Sequence[str],
        actions: Sequence[Move] = (),
        limits: ProgramLimits = USUAL_LIMITS,
        name: str = "",
        seed: int = 0,
        function: tuple[str, str] | None = None,
    ) -> None:
        """Take the variant, the program with its arguments, and all moves of the game."""
        self.name = name or shlex.join(words)
        self.deterministic = False  # until it says so
        # Why processes had to be ended.
        self.failures: list[str] = []
        self._game, self._words, self._function = game, words, function
        self._limits, self._actions, self._seed = limits, list(actions), seed
        what = function_identity(*function, seed) if function else program_identity(words)
        self.identity = digest(PROTOCOL, what, seed)
        self._process: LineProcess | None = None
        self._asked = self._silent = 0
        self._answered = False
        self._last_words = ""

    def __enter__(self) -> ProgramPlayer:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None and not any(error):  # whoever stops us does not wait
            self._process.close()
            self._process.end(GRACE)
        self._end()

    def ask(self, state: Any, sample: int = 1) -> Answer | Move:
        """Ask about a position, and check the answer."""
        process = self._process = self._process or self._new_process()
        self._asked += 1
        question = {
            "type": "question",
            "id": self._asked,
            "state": state._asdict(),
            "player": state.player,
            "sample": sample,
            "moves": self._game.moves(state),
        }
        limit = self._limits.answer if self._answered else self._limits.first
        try:
            process.send(_line(question))
            answer = self._answer(process, time.monotonic() + limit)
        except WorkerError as failure:
            fault = self._fault(process, failure, limit)
            self.failures.append(str(fault))
            self._silent += isinstance(failure, WorkerLate) and not self._answered
            self._end()
            self._last_words = _last_words(process)
            if self._silent > 1:
                raise self._failed() from failure
            raise fault from failure
        self._answered = True
        return self._chances(state, answer)

    def _failed(self) -> PlayerFailed:
        """Return the error of a player that is not asked any more."""
        times = counted(len(self.failures), "time")
        last = f"The last time: {self.failures[-1]}{self._last_words}"
        return PlayerFailed(f"{self.name} failed {times}. {last}")

    def _new_process(self) -> LineProcess:
        """Start a process, say hello, and wait until it is ready."""
        if len(self.failures) > self._limits.restarts:
            raise self._failed()
        if sys.platform == "win32":
            raise PlayerFailed("Programs and functions can only be asked on Linux and macOS.")
        try:
            process = self._process = self._start()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PlayerFailed(f"{self.name} cannot be started: {reason}.") from error
        seconds = self._limits.start
        try:
            if isinstance(process, Worker):
                process.wait_until_ready(seconds)
            process.send(_line(self._hello()))
            self.deterministic = _check_ready(_read(process, time.monotonic() + seconds))
        except (WorkerError, PlayerFault) as error:
            fault: Exception = error
            if isinstance(error, WorkerError):
                fault = self._fault(process, error, seconds)
            self._end()
            said = _last_words(process)
            hint = FLUSH if isinstance(error, WorkerLate) and not said else ""
            raise PlayerFailed(f"{self.name} is not ready: {fault}{hint}{said}") from error
        return process

    def _start(self) -> LineProcess:
        """Start the program, or one of our own that calls the function."""
        if self._function is None:
            return LineProcess(start_apart(self._words, variables=VARIABLES), longest=LONGEST)
        entry = entry_of(self._game)
        variant = (entry.file or entry.name, option_values(self._game))
        setting = json.dumps([*self._function, *variant, self._seed]).encode()
        return Worker(FUNCTIONS, setting, variables=VARIABLES, longest=LONGEST, heard=True)

    def _hello(self) -> dict[str, Any]:
        """Return what a program is told first."""
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "game": entry_of(self._game).name,
            "title": title_of(self._game),
            "options": option_values(self._game),
            "actions": self._actions,
            "seed": self._seed,
        }

    def _answer(self, process: LineProcess, deadline: float) -> dict[str, Any]:
        """Wait for the answer to the last question; more answers to earlier ones are dropped."""
        while True:
            answer = _read(process, deadline)
            number = answer.get("id")
            if type(number) is not int or not 0 < number <= self._asked:
                raise UnreadableAnswer(f"The answer must have id {self._asked}: {_quoted(answer)}")
            if number == self._asked:
                return answer

    def _chances(self, state: Any, answer: dict[str, Any]) -> Answer | Move:
        """Return the moves of an answer with their chances, or one move; a fault quotes it."""
        if "error" in answer:
            raise MissingAnswer(brief(answer["error"], SHOWN_WIDTH))
        if ("move" in answer) == ("moves" in answer):
            wanted = 'An answer must have either "move" or "moves"'
            raise UnreadableAnswer(f"{wanted}: {_quoted(answer)}")
        if not isinstance(answer.get("moves", {}), dict):
            raise UnreadableAnswer(f'"moves" must map moves to chances: {_quoted(answer)}')
        return answer_or_fault(self._game, state, answer.get("moves", answer.get("move")))

    def _fault(self, process: LineProcess, failure: WorkerError, seconds: float) -> PlayerFault:
        """Return the fault of a process that does not answer."""
        if isinstance(failure, WorkerTooLong):
            return UnreadableAnswer(f"The answer is longer than {LONGEST >> 10:,} KiB.")
        if isinstance(failure, WorkerGone):
            return MissingAnswer(f"It {_ending(process.end(GRACE))}.")
        return MissingAnswer(f"No answer came within {seconds:g} s.")

    def _end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        self._answered = False
        if process is not None:
            process.end()


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
    path, _, function = check_player(name).rpartition(":")
    named = os.path.abspath(os.path.expanduser(path)), function
    return ProgramPlayer(game, (), actions, limits, name, seed, named)


def _ending(ending: Ending) -> str:
    """Say how a program ended."""
    if not ending.by_itself:
        return "closed its standard output"
    if ending.code >= 0:
        return f"ended with exit code {ending.code}"
    return f"was killed by signal {-ending.code} ({signal.strsignal(-ending.code)})"


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


def function_identity(path: str, function: str, seed: int) -> str:
    """Return a digest of a function, its file and what that imports; a bad file fails later."""
    try:
        content = file_fingerprint(path)
    except (OSError, SyntaxError, ValueError):
        content = ""
    return digest("function", path, function, seed, content)


def program_identity(words: Sequence[str]) -> str:
    """Return a digest of a command line, with the paths and contents of all files in it."""
    files = (which(words[0]) or words[0], *words[1:])
    return digest(words, [(os.path.abspath(file), _content(file)) for file in files])


def _content(path: str) -> str:
    """Return a digest of a file, or nothing."""
    if os.path.isfile(path):
        with suppress(OSError), open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    return ""


def _line(document: dict[str, Any]) -> bytes:
    """Write a document as a line."""
    return json.dumps(document, separators=(",", ":")).encode()


def _read(process: LineProcess, deadline: float) -> dict[str, Any]:
    """Read the next line that is not empty: a JSON object."""
    line = b""
    while not line:
        line = process.receive(deadline - time.monotonic()).strip()
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        shown = brief(line.decode("utf-8", "replace"), SHOWN_WIDTH)
        raise UnreadableAnswer(f"An answer must be a JSON object, not: {shown}")
    return document


def _check_ready(document: dict[str, Any]) -> bool:
    """Return whether a program declares that it is deterministic; refuse one that is not ready."""
    if "error" in document:
        raise MissingAnswer(brief(document["error"], SHOWN_WIDTH))
    protocol, declared = document.get("protocol"), document.get("deterministic", False)
    known = type(protocol) is int and protocol == PROTOCOL
    if document.get("type") != "ready" or not known or not isinstance(declared, bool):
        raise UnreadableAnswer(f"The answer to hello must be {READY}, not: {_quoted(document)}")
    return declared


def _last_words(process: LineProcess) -> str:
    """Return the end of what a process has written on standard error, to follow a sentence."""
    lines = [brief(line, SHOWN_WIDTH) for line in process.last_words.splitlines() if line.strip()]
    shown = "".join(f"\n  {line}" for line in lines[-SHOWN_LINES:])
    return f" Its standard error ends with:{shown}" if shown else ""


def _quoted(document: dict[str, Any]) -> str:
    """Quote what a program said."""
    return brief(json.dumps(document), SHOWN_WIDTH)
