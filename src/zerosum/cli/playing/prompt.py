"""Questions and answers: lines from a person or a pipe, with a time limit."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING

from zerosum.cli.console import Console
from zerosum.text import brief, closest, either, visible

if TYPE_CHECKING:
    from zerosum.cli.playing.line_editor import LineEditor

# What Tab completes.
Completions = Callable[[], Iterable[str]]
# Whether something has happened that comes before the answer.
Urgent = Callable[[], bool]

# What does not begin like the word that it stands for, or like others too.
SHORTHANDS = {"h": "help", "?": "help", "exit": "quit"}
# How alike a mistyped word must be: 'qiut' is, 'seven' is not like 'save'.
MISTYPED, LONGEST_COMMAND = 0.7, 20
# The rest of a longer line is read and dropped.
LONGEST_LINE = 1_000_000
LONGEST_ECHO = 10_000
YES_OR_NO = "Type yes or no."
CHUNK = 65_536
# Seconds between looks at the clock, and until Ctrl-C is noticed.
INTERVAL = 0.25


class OutOfTime(Exception):
    """The time ran out before a line was finished."""


class Interrupted(Exception):
    """Something happened before a line was finished; it is kept for the next prompt."""


class Quit(Exception):
    """The player quits, or the input has ended."""


def never(*_: str) -> bool:
    """Say no: nothing comes before the answer, and nothing typed is a move."""
    return False


def begun(typed: str, words: Iterable[str]) -> list[str]:
    """Return the words that begin like what was typed, or the one that all of them begin with.

    >>> begun("H", ["help", "hint"]), begun("m", ["moves", "menu"]), begun("", ["help"])
    (['help'], ['moves', 'menu'], [])
    >>> begun("co", ["coach", "coach on"])
    ['coach']
    """
    word = SHORTHANDS.get(typed.lower(), " ".join(typed.lower().split()))
    found = [known for known in words if word and known.startswith(word)]
    shortest = min(found, key=len, default="")
    if found and all(map(str.startswith, found, repeat(shortest))):
        return [shortest]
    return found


def meant(
    typed: str,
    commands: Collection[str],
    answers: Collection[str] = (),
    is_move: Callable[[str], bool] = never,
) -> str:
    """Return the command that was typed, or the only one that begins like it; or nothing.

    An answer's beginning wins over a command's, and a move over both.
    """
    if typed.lower() in commands:
        return typed.lower()
    found = begun(typed, answers) or begun(typed, commands)
    return found[0] if len(found) == 1 and not is_move(typed) else ""


def suggestion(typed: str, words: Collection[str]) -> str:
    """Say what to type instead of a mistyped word, if anything is like it.

    >>> suggestion("hnit", ["help", "hint"]), suggestion("m", ["moves", "menu"])
    ('Did you mean hint?', "'m' is unclear: type moves or menu.")
    """
    if len(typed) > LONGEST_COMMAND:
        return ""
    found = begun(typed, words) or list(filter(None, [closest(typed, words, MISTYPED)]))
    if len(found) == 1:
        return f"Did you mean {found[0]}?"
    return f"'{brief(typed)}' is unclear: type {either(found)}." if found else ""


class Prompt:
    """Asks on a console, and reads the answer."""

    def __init__(self, console: Console) -> None:
        """Read answers from standard input."""
        self.console = console
        self.reader = Reader(sys.stdin.fileno())

    @cached_property
    def editor(self) -> LineEditor | None:
        """The line editor, if there is a terminal and the platform has one."""
        screen = self.console.terminal and self.console.stream is sys.stdout
        if not (screen and self.reader.terminal and sys.stdin is sys.__stdin__):
            return None
        try:
            from zerosum.cli.playing.line_editor import LineEditor
        except ImportError:
            return None
        return LineEditor(self.console)

    def ask(
        self,
        question: str,
        deadline: float | None = None,
        words: Completions = tuple,
        urgent: Urgent = never,
    ) -> str:
        """Ask, wait for a line, and echo it if the terminal has not."""
        question = visible(question)
        if self.editor is not None:
            line = self.editor.read(question, deadline, words, urgent)
        else:
            self.console.write(question)
            self.console.stream.flush()
            line = self.reader.readline(deadline, urgent)
        if line is None:
            self.console.line()
            raise Quit
        if deadline is not None and time.monotonic() > deadline:
            raise OutOfTime
        if not self.reader.terminal:
            self.console.line(brief(line, LONGEST_ECHO))
        return line.strip()

    def confirm(self, question: str, *more: str, default: str = "") -> bool:
        """Ask until the answer is yes or no; `more` means yes too, and 'quit' quits."""
        while True:
            typed = self.ask(question) or default
            word = meant(typed, ("quit",), ("yes", "no", *more))
            if word == "quit":
                raise Quit
            if word:
                return word != "no"
            self.console.problem(suggestion(typed, ("yes", "no", "quit")) or YES_OR_NO)


class Reader:
    """Reads lines from a file descriptor without ever waiting longer than asked."""

    def __init__(self, fd: int) -> None:
        """Read from a descriptor."""
        self.fd = fd
        self.terminal = os.isatty(fd)
        self._buffer = b""
        self._ended = False

    def readline(self, deadline: float | None = None, urgent: Urgent = never) -> str | None:
        """Return the next line without its end, or None at the end."""
        while b"\n" not in self._buffer and not self._ended:
            chunk = self._wait(deadline, urgent)
            self._ended = not chunk
            self._buffer = self._buffer[: LONGEST_LINE + 1] + chunk
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        text = line[:LONGEST_LINE].decode("utf-8", "replace").removesuffix("\r")
        return text + "…" * (len(line) > LONGEST_LINE)

    def discard(self) -> None:
        """Drop an unfinished line that was typed on a terminal."""
        self._buffer = b""
        if self.terminal and sys.platform != "win32":
            import termios

            termios.tcflush(self.fd, termios.TCIFLUSH)

    def _wait(self, deadline: float | None, urgent: Urgent) -> bytes:
        """Wait for bytes until the deadline, or something urgent; on Windows, until they come."""
        if sys.platform != "win32":
            from select import select  # loaded while the player reads the prompt

            # Ctrl-C just before a wait is noticed after it.
            while not select([self.fd], [], [], INTERVAL)[0]:
                if deadline is not None and time.monotonic() >= deadline:
                    raise OutOfTime
                if urgent():
                    raise Interrupted
        try:
            return os.read(self.fd, CHUNK)
        except OSError:
            return b""  # the terminal was closed
