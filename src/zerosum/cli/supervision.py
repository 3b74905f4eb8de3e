"""Run a command on somebody else's rules in a watched process, so nothing hangs.

The first process starts the command again, at the same terminal, and waits. In the second, a
thread looks at what the main thread does: a call of the rules that takes too long is interrupted
like any other fault of theirs. If that is of no use, or the process ends without a word, the first
one says what happened, and restores the terminal.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from select import select
from types import FrameType
from typing import Any, TextIO

from zerosum.errors import RulesTooSlow
from zerosum.registry import loading
from zerosum.sandbox import CUT_OFF, Parent, refuse_to_exit
from zerosum.text import visible
from zerosum.worker import CHUNK, python, stuck_in

# Seconds between two looks; the looks after which interrupted rules are ended.
PERIOD, GRACE = 0.25, 8
# After this many interrupted calls, something must have ignored it.
IGNORED = 3
# The looks to wait for the last words of a process that cannot be interrupted.
LAST_WORDS = 4
# For how many looks a process may be silent before it has started.
STARTING = 480
# The signals that ask the process to interrupt its rules, and where it is stuck.
INTERRUPT, TELL = signal.SIGUSR1, signal.SIGUSR2


class Output(TextIOWrapper):
    """Standard output for us alone: what the rules print goes to standard error."""

    printed = 0

    @classmethod
    def of(cls, stream: TextIO) -> Output:
        """Take the place of a stream."""
        at_once = getattr(stream, "write_through", False)
        return cls(stream.buffer, stream.encoding, stream.errors, None, stream.isatty(), at_once)

    def write(self, text: str, /) -> int:
        """Write what is ours; what the rules print goes to standard error, up to a limit."""
        if loading.call_of_rules(sys._getframe(1)) is None:
            return super().write(text)
        left = loading.MOST_PRINTED - self.printed
        self.printed += len(text)
        if left >= 0:
            self.flush()
            sys.stderr.write(visible(text[:left]) + "…\n" * (len(text) > left))
        return len(text)


def rules_print() -> bool:
    """Return whether somebody else's rules have printed something."""
    return isinstance(sys.stdout, Output) and sys.stdout.printed > 0


class Watch:
    """Watches the main thread from another, and interrupts a call that takes too long."""

    def __init__(self, tell: Callable[[dict[str, Any]], None], seconds: float) -> None:
        """Take what to call with every look, and the seconds for a call."""
        self.tell = tell
        self.interrupted = False  # by Ctrl-C
        self._seconds, self._period = seconds, min(PERIOD, seconds / 4)
        self._call: FrameType | None = None
        self._looks = self._breaches = 0
        self._ended = threading.Event()
        self._main = threading.main_thread().ident or 0
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        """Begin to watch; now rules cannot end the process without a word."""
        global _watch
        _watch = self
        self._before = loading.before_loading, os._exit, sys.unraisablehook
        signal.signal(INTERRUPT, self._interrupt)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note_ctrl_c)
        loading.before_loading = lambda name: self.tell({"game": name})
        refuse_to_exit()
        sys.unraisablehook = self._note_ignored
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop watching."""
        global _watch
        _watch = None
        self._ended.set()
        self._thread.join()
        loading.before_loading, os._exit, sys.unraisablehook = self._before
        signal.signal(INTERRUPT, signal.SIG_IGN)
        if signal.getsignal(signal.SIGINT) == self._note_ctrl_c:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _look(self) -> None:
        """Look again and again at the call of the rules in progress, if any."""
        while not self._ended.wait(self._period):
            call = loading.call_of_rules(sys._current_frames().get(self._main))
            # Count looks, not time: a process stopped by Ctrl-Z does not look.
            self._looks = self._looks + 1 if call is self._call is not None else 0
            self._call = call
            told = loading.describe_call(call) if call else ""
            over = self._looks - round(loading.seconds_for(told, self._seconds) / self._period)
            if call is None or over < 0:
                self.tell({})
                continue
            self._breaches += over == 0
            self._breach = loading.late(told, self._seconds)
            # Some rules cannot be interrupted.
            stuck = {"stuck": True} if over >= GRACE or self._breaches >= IGNORED else {}
            self.tell({"breach": self._breach, **stuck})
            signal.pthread_kill(self._main, INTERRUPT)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise an error in the call that takes too long, unless it has ended."""
        while frame is not None and frame is not self._call:
            frame = frame.f_back
        if frame is not None:
            raise RulesTooSlow(self._breach)

    def _note_ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        """End the process if it was interrupted in what Python calls itself, such as __del__."""
        if isinstance(ignored.exc_value, RulesTooSlow):
            self.tell({"breach": str(ignored.exc_value), "stuck": True})
        else:
            self._before[2](ignored)

    def _note_ctrl_c(self, number: int, frame: FrameType | None) -> None:
        """Note that Ctrl-C was pressed: the rules are not to blame."""
        self.interrupted = True
        raise KeyboardInterrupt


# What is watched in this process, if anything.
_watch: Watch | None = None


def tell(**note: str) -> None:
    """Tell the first process what to say if this one ends without a word."""
    if _watch is not None:
        _watch.tell(note)


def was_interrupted() -> bool:
    """Return whether Ctrl-C was pressed; if nobody watches, assume that it was."""
    return _watch is None or _watch.interrupted


def main(argv: list[str], seconds: float, first: str, said: int, key: int) -> None:
    """Run the command: the main function of the watched process."""
    import faulthandler

    from zerosum.cli import run

    sys.argv = argv
    if sys.stdout is not None:
        sys.stdout = Output.of(sys.stdout)
    leave, parent = os._exit, Parent(key, said)
    faulthandler.enable(said, all_threads=False)  # reports crashes too
    faulthandler.register(TELL, said, all_threads=False)

    def say(note: dict[str, Any]) -> None:
        parent.say(json.dumps(note).encode())
        if "stuck" in note:
            leave(1)

    say({})
    with Watch(say, seconds):
        code = run(first=first)
    say({"code": code})
    leave(code)  # whatever threads the rules have left


def supervise(args: list[str], seconds: float, first: str) -> int:
    """Run a command in a watched process, and return its exit code.

    `seconds` are for one call of the rules.
    """
    import termios

    from zerosum.cli import complain

    mode = None
    with suppress(termios.error):
        mode = termios.tcgetattr(0)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    (pipe, said), (key, ours) = os.pipe(), os.pipe()
    # Every note begins with it, so that none is forged.
    secret = os.urandom(16).hex().encode()
    os.write(ours, secret + b"\n")
    argv = [sys.argv[0], *args]
    process = subprocess.Popen(  # noqa: S603 (our own interpreter)
        python("zerosum.cli.supervision:main", argv, seconds, first, said, key),
        pass_fds=(said, key),
    )
    os.close(said)
    os.close(key)
    try:
        with _signals(process.pid) as ctrl_z, suppress(subprocess.TimeoutExpired):
            known = _listen(process, pipe, secret, seconds, ctrl_z)
            process.wait(PERIOD)  # it may need a moment to end by itself
    finally:
        process.kill()
        process.wait()
        os.close(pipe)
        os.close(ours)  # until now it told the process that we are there
    if "code" in known:
        return int(known["code"])
    if mode is not None:
        with suppress(termios.error):
            termios.tcsetattr(0, termios.TCSADRAIN, mode)
    reason = known.get("breach") or _ending(process.returncode, stuck_in(known["trace"]))
    game = f"{known['game']}: " if "game" in known else ""
    complain(" ".join(filter(None, (f"Error: {game}{reason}", known.get("saved")))))
    return 1


def _listen(
    process: subprocess.Popen[bytes],
    pipe: int,
    secret: bytes,
    seconds: float,
    ctrl_z: threading.Event,
) -> dict[str, Any]:
    """Listen to a process until it ends, or must be ended; return what is known."""
    known: dict[str, Any] = {"trace": b""}
    rest, period, silent = b"", min(PERIOD, seconds / 2), -STARTING
    most = round(seconds / period) + 2 * GRACE
    while "code" not in known:
        if select([pipe], [], [], period)[0]:
            chunk = os.read(pipe, CHUNK)
            if not chunk:
                break
            *lines, rest = (rest[-CHUNK:] + chunk).split(b"\n")
            silent = 0 if _take_notes(lines, secret, known) else silent
            continue
        ended, status = os.waitpid(process.pid, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            if not ctrl_z.is_set():
                return {**known, "breach": "The rules stopped the program."}
            # The other process, which restores the terminal, stops first: the shell takes the
            # terminal as soon as this one does.
            ctrl_z.clear()
            silent = 0
            os.kill(os.getpid(), signal.SIGSTOP)
        elif ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            break  # what it has started may hold the pipe
        else:
            silent += 1
            if silent == most:
                os.kill(process.pid, TELL)
            # Only somebody else's code is ended: ours may have a large table.
            call = stuck_in(known["trace"]) if silent >= most + LAST_WORDS else ""
            if call and silent >= loading.seconds_for(call, most):
                return {**known, "breach": loading.late(call, seconds)}
    return known


def _take_notes(lines: list[bytes], secret: bytes, known: dict[str, Any]) -> bool:
    """Add notes to what is known, and other lines to the trace; return whether there are notes."""
    notes = [line.removeprefix(secret) for line in lines if line.startswith(secret)]
    for note in notes:
        known.pop("breach", None)
        known |= json.loads(note)
    others = b"\n".join(line for line in lines if not line.startswith(secret))
    known["trace"] = (known["trace"] + others + b"\n")[-CHUNK:]
    return bool(notes)


@contextmanager
def _signals(pid: int) -> Iterator[threading.Event]:
    """Pass Ctrl-C on, unless the terminal sends it to both processes; note Ctrl-Z."""
    ctrl_z = threading.Event()

    def forward(*_: object) -> None:
        for stream in (0, 1, 2):
            with suppress(OSError):
                if os.tcgetpgrp(stream) == os.getpgrp():
                    return
        os.kill(pid, signal.SIGINT)

    handlers: dict[int, Any] = {signal.SIGINT: forward}
    if signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL:
        handlers[signal.SIGTSTP] = lambda *_: ctrl_z.set()
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield ctrl_z
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ending(code: int, call: str) -> str:
    """Say how a process ended that did not say so itself."""
    where = f", in {call}" if call else ""
    if code == CUT_OFF:
        return "The rules closed the files of the program."
    if code >= 0:  # we would have said so
        return f"The rules ended the program, with exit code {code}{where}."
    name = next((number.name for number in signal.Signals if number == -code), f"signal {-code}")
    return f"The program was ended by {name}{where}."
