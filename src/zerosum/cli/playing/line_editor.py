"""Line editing on a terminal: history, Tab, Ctrl-Z, and a clock that counts down."""

from __future__ import annotations

import os
import readline  # which not every platform has
import signal
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

from zerosum.cli.console import CLEARED, Console
from zerosum.cli.playing.prompt import INTERVAL, Completions, Interrupted, OutOfTime, Urgent, never
from zerosum.text import counted

# Marks of pasting, and of a Meta key, would end up in transcripts.
SETTINGS = (
    "set enable-bracketed-paste off",
    "set enable-meta-key off",
    "set show-all-if-ambiguous on",
    "tab: complete",
)
EDITLINE_SETTINGS = ("bind ^I rl_complete",)


class _Continued(Exception):
    """Ctrl-Z stopped the program, and it was continued."""


class LineEditor:
    """Reads lines from the terminal that is standard input and output."""

    def __init__(self, console: Console) -> None:
        """Take the terminal."""
        self.console = console
        self._words: Completions = tuple
        self._urgent: Urgent = never
        self._typed = ""  # before Ctrl-Z, or before something urgent
        self._deadline: float | None = None
        self._prompt = ""
        self._shown = ""
        self._reading = False
        self._interrupted = False
        self._mode: list[Any] = []
        editline = "libedit" in (readline.__doc__ or "")  # which macOS has instead
        for setting in EDITLINE_SETTINGS if editline else SETTINGS:
            readline.parse_and_bind(setting)
        readline.set_completer_delims("")
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def read(
        self, question: str, deadline: float | None, words: Completions, urgent: Urgent = never
    ) -> str | None:
        """Ask, and return the line that was typed; None for Ctrl-D."""
        head, newline, self._prompt = question.rpartition("\n")
        self.console.write(head + newline)
        self._words, self._deadline, self._urgent = words, deadline, urgent
        readline.set_completer(self._complete)
        while True:
            if deadline is not None and self.console.decorated:
                self._shown = self._clock()
                self.console.line(self._shown, "aside")
            try:
                with self._signals():
                    return self._input()
            except (EOFError, termios.error):  # Ctrl-D, or the terminal is gone
                return None
            except _Continued:
                pass  # the prompt is drawn again, with what had been typed

    def _input(self) -> str:
        """Read a line that starts with what was typed before."""
        typed, self._typed = self._typed, ""
        if typed:
            readline.set_startup_hook(lambda: readline.insert_text(typed))
        self._reading = True
        try:
            line = input(self._prompt)
            self._typed = ""  # an exception while Tab finds words is lost
            return line
        except SystemError as error:
            # If two signals arrive at once, the second handler runs while an exception is raised.
            raise error.__cause__ or error from None
        finally:
            self._reading = False
            readline.set_startup_hook()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Handle Ctrl-C, Ctrl-Z and the clock while a line is read.

        Python runs a handler when a signal interrupts its own wait for a key. Ctrl-C just before
        that wait is noticed with the next signal, so there is always one soon, with or without a
        clock. And Ctrl-C must not drop a key for which the wait has ended: readline would wait for
        another, and be interrupted by no signal at all.
        """
        self._mode = termios.tcgetattr(0)
        self._interrupted = False
        mode = [*self._mode]
        mode[3] |= termios.NOFLSH
        handlers = {signal.SIGALRM: self._tick, signal.SIGINT: self._interrupt}
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            handlers[signal.SIGTSTP] = self._stop
        before = {number: signal.signal(number, call) for number, call in handlers.items()}
        signal.setitimer(signal.ITIMER_REAL, INTERVAL, INTERVAL)
        try:
            termios.tcsetattr(0, termios.TCSANOW, mode)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in before.items():
                signal.signal(number, handler)
            when = termios.TCSAFLUSH if self._interrupted else termios.TCSANOW
            termios.tcsetattr(0, when, self._mode)

    def _interrupt(self, *_: object) -> None:
        """Stop reading on Ctrl-C, and remember it: Tab's search for words loses exceptions."""
        self._interrupted = True
        raise KeyboardInterrupt

    def _tick(self, *_: object) -> None:
        """Draw the clock above the line; stop when time is up, or on Ctrl-C."""
        if self._interrupted:
            raise KeyboardInterrupt
        # Readline has left its own mode once the line is finished.
        if not self._reading or termios.tcgetattr(0)[3] & termios.ICANON:
            return
        if self._urgent():
            self._typed = readline.get_line_buffer()
            self.console.write(CLEARED if self.console.decorated else "\n")
            raise Interrupted
        if self._deadline is None:
            return
        if time.monotonic() >= self._deadline:
            raise OutOfTime
        width = len(self._prompt) + len(readline.get_line_buffer())
        clock = self._clock()
        # On more than one row, the place of the cursor is unknown.
        if self.console.decorated and clock != self._shown and width < self.console.columns:
            self._shown = clock
            self.console.write(f"\x1b7\x1b[A\r{self.console.styled(clock, 'aside')}\x1b[K\x1b8")
            self.console.stream.flush()

    def _clock(self) -> str:
        """Write how much time is left."""
        left = max(0, ceil((self._deadline or 0) - time.monotonic()))
        return f"Time left: {counted(left, 'second')}."

    def _stop(self, *_: object) -> None:
        """Stop on Ctrl-Z with the terminal as the shell expects it; then start anew."""
        reading, self._reading = self._reading, False
        self._typed = readline.get_line_buffer()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        termios.tcsetattr(0, termios.TCSAFLUSH, self._mode)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        if reading:
            raise _Continued

    def _complete(self, start: str, number: int) -> str | None:
        """Return a word that starts with what was typed, by its number; None after the last."""
        typed = start.lower()
        found = [word for word in self._words() if word.lower().startswith(typed)]
        return found[number] if number < len(found) else None
