"""Run a command on somebody else's rules in a process that is watched, so that nothing hangs.

The first process starts the command again, at the same terminal, and waits. In the second, a
thread looks at what the main thread does: a call of the rules that takes too long is interrupted
like any other fault of theirs. If that is of no use, or the process ends without a word, the first
one says what happened, and restores the terminal.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from itertools import takewhile
from queue import Empty
from time import sleep
from types import FrameType
from typing import Any, NoReturn, TextIO

from zerosum.errors import RulesTooSlow
from zerosum.registry import loading
from zerosum.worker import (
    CUT_OFF,
    Channel,
    Parent,
    WorkerError,
    die_with_parent,
    has_ended,
    python,
)

# The most seconds for one call of somebody else's rules, and for loading their file, which may
# load large libraries.
CALL_SECONDS, LOADING_SECONDS = 5.0, 30.0
LOADING, LOADS = "loading ", LOADING_SECONDS / CALL_SECONDS
# Seconds between two looks, and looks after which rules that were interrupted are ended.
PERIOD, GRACE = 0.25, 8
# After this many interrupted calls, the rules, or code between us, must have ignored it.
IGNORED = 3
# A process that stays silent this many looks longer than a call may take is stuck in something that
# cannot be interrupted, such as a huge power. The last looks wait for its last words. Until it has
# started, it may be silent for longer.
MOST_SILENT, LAST_WORDS, STARTING = 16, 4, 480
# How often to look, after Ctrl-Z, whether the process has stopped.
STOPPING = 40
# The signals that ask the process to interrupt its rules, and to say where it is stuck.
INTERRUPT, TELL = signal.SIGUSR1, signal.SIGUSR2
STUCK = re.compile(r'File "([^"\n]+)", line (\d+) in (\w+|<module>)')


class Output(TextIOWrapper):
    """Standard output for us alone: what somebody else's rules print goes to standard error."""

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
            sys.stderr.write(text[:left] + "…\n" * (len(text) > left))
        return len(text)


def rules_print() -> bool:
    """Return whether somebody else's rules have printed something, as far as anybody knows."""
    return isinstance(sys.stdout, Output) and sys.stdout.printed > 0


class Watch:
    """Looks at the main thread from another one, and interrupts a call that takes too long."""

    def __init__(self, say: Callable[[dict[str, Any]], None], seconds: float) -> None:
        """Take who is told about every look, and the seconds for a call."""
        self.tell = say
        self.interrupted = False  # by Ctrl-C
        self._seconds, self._period = seconds, min(PERIOD, seconds / 4)
        self._call: FrameType | None = None
        self._looks = self._breaches = 0
        self._ended = threading.Event()
        self._main, self._process = threading.main_thread().ident or 0, os.getpid()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        """Begin to watch; from now on, rules cannot end the process without a word."""
        global _watch
        _watch = self
        self._before = loading.before_loading, os._exit, sys.unraisablehook
        signal.signal(INTERRUPT, self._interrupt)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note_ctrl_c)
        loading.before_loading = lambda name: self.tell({"game": name})
        os._exit = self._exit  # type: ignore[assignment]
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

    def _run(self) -> None:
        """Look again and again, until the end."""
        while not self._ended.wait(self._period):
            self._look()

    def _look(self) -> None:
        """Look once at the call of the rules in progress, if there is one."""
        call = loading.call_of_rules(sys._current_frames().get(self._main))
        # Count looks, not time: a process that Ctrl-Z stopped does not look either.
        self._looks = self._looks + 1 if call is self._call is not None else 0
        self._call = call
        late = 0 if call is None else self._looks - round(self._allowed(call) / self._period)
        if late < 0 or call is None:
            self.tell({})
        else:
            self._breaches += late == 0
            # Some rules cannot be interrupted.
            stuck = {"stuck": True} if late >= GRACE or self._breaches >= IGNORED else {}
            self.tell({"breach": self._breach(call), **stuck})
            signal.pthread_kill(self._main, INTERRUPT)

    def _allowed(self, call: FrameType) -> float:
        """Return the seconds for a call."""
        return self._seconds * (LOADS if call.f_code.co_name == "<module>" else 1.0)

    def _breach(self, call: FrameType) -> str:
        """Say which call takes too long."""
        return late(loading.describe_call(call), self._allowed(call))

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise an error in the call that takes too long, if it has not ended by now."""
        call = self._call
        while frame is not None and frame is not call:
            frame = frame.f_back
        if frame is not None:
            raise RulesTooSlow(self._breach(frame))

    def _note_ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        """Take note of an error in what Python calls itself, such as __del__, and only prints."""
        if isinstance(ignored.exc_value, RulesTooSlow):
            self.tell({"breach": str(ignored.exc_value), "stuck": True})

    def _note_ctrl_c(self, number: int, frame: FrameType | None) -> None:
        """Note that Ctrl-C was pressed, so that the rules are not blamed."""
        self.interrupted = True
        raise KeyboardInterrupt

    def _exit(self, code: int) -> NoReturn:
        """Take the place of os._exit: rules that call it are at fault; a forked process may."""
        if os.getpid() != self._process:
            self._before[1](code)
        raise SystemExit(f"os._exit({code})")


def late(call: str, seconds: float) -> str:
    """Say that a call of the rules takes too long.

    >>> late("Nim.moves at State(number=3, player=0) (nim.py, line 7)", 5.0)
    'Nim.moves at State(number=3, player=0) (nim.py, line 7) did not answer within 5 seconds.'
    """
    if call.startswith(LOADING):
        return f"L{call[1:]} was not finished within {seconds:g} seconds."
    return f"{call} did not answer within {seconds:g} seconds."


# What is watched in this process, if anything.
_watch: Watch | None = None


def tell(**note: str) -> None:
    """Tell the first process something that it should say if this one ends without a word."""
    if _watch is not None:
        _watch.tell(note)


def was_interrupted() -> bool:
    """Return whether Ctrl-C was pressed, as far as anybody knows: rules may raise the same."""
    return _watch is None or _watch.interrupted


def main(argv: list[str], seconds: float, first: str, key: int, said: int) -> None:
    """Run the command: the main function of the process that is watched."""
    import faulthandler

    from zerosum.cli import run

    die_with_parent()
    os.register_at_fork(after_in_child=die_with_parent)
    sys.argv = argv
    if sys.stdout is not None:
        sys.stdout = Output.of(sys.stdout)
    parent, leave = Parent(key, said), os._exit
    faulthandler.enable(said, all_threads=False)  # a crash is told too
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


def supervise(args: list[str], seconds: float = CALL_SECONDS, first: str = "") -> int:
    """Run a command in a process that is watched, and return its exit code.

    `seconds` are for one call of the rules.
    """
    theirs, ours = os.pipe()
    incoming, said = os.pipe()
    argv = [sys.argv[0], *args]
    mode = _terminal_mode()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    process = subprocess.Popen(  # noqa: S603 (our own interpreter)
        python("zerosum.cli.supervision:main", argv, seconds, first, theirs, said),
        pass_fds=(theirs, said),
    )
    os.close(theirs)
    os.close(said)
    before = signal.signal(signal.SIGINT, lambda *_: _forward(process))
    stops = signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    if stops:
        signal.signal(signal.SIGTSTP, lambda *_: _stop_after(process))
    try:
        channel = Channel(os.fdopen(incoming, "rb", 0), os.fdopen(ours, "wb", 0))
        known, code = _listen(channel, process, seconds)
    finally:
        process.kill()
        process.wait()
        signal.signal(signal.SIGINT, before)
        if stops:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    if code is not None:
        return code
    if mode is not None:
        import termios

        with suppress(termios.error):
            termios.tcsetattr(0, termios.TCSADRAIN, mode)
    from zerosum.cli import complain

    reason = known.get("breach") or _ending(process.returncode, _stuck_in(channel))
    game = f"{known['game']}: " if "game" in known else ""
    complain(" ".join(filter(None, (f"Error: {game}{reason}", known.get("saved")))))
    return 1


def _listen(
    channel: Channel, process: subprocess.Popen[bytes], seconds: float
) -> tuple[dict[str, str], int | None]:
    """Listen to a process until it ends; return what it last said, and its exit code if it did."""
    known: dict[str, Any] = {}
    period, silent, most, times = min(PERIOD, seconds / 2), 0, STARTING, 0
    while True:
        try:
            said = channel.answers.get(timeout=period)
        except Empty:
            if has_ended(process):
                break  # what it has started may hold the pipe open
            silent += 1
            if silent == most - LAST_WORDS:
                process.send_signal(TELL)
            if silent >= most:
                # Only somebody else's code is ended: ours may be busy with a large table.
                call, silent, times = _stuck_in(channel), 0, times + 1
                most_times = LOADS if call.startswith(LOADING) else 1.0
                if _is_stopped(process):  # Ctrl-Z stops this process too
                    return {**known, "breach": "The rules stopped the program."}, None
                if call and times >= most_times:
                    return {**known, "breach": late(call, seconds * most_times)}, None
            continue
        if isinstance(said, WorkerError):
            break
        silent, times, most = 0, 0, MOST_SILENT + round(seconds / period)
        known.pop("breach", None)
        known |= json.loads(said)
        if "code" in known:
            return known, int(known["code"])
    with suppress(subprocess.TimeoutExpired):
        process.wait(PERIOD)
    return known, None


def _stop_after(process: subprocess.Popen[bytes]) -> None:
    """Stop as Ctrl-Z asks, but after the other process, which restores the terminal first.

    The shell takes the terminal as soon as this process stops.
    """
    with suppress(ChildProcessError):  # it has ended
        for _ in range(STOPPING):
            if _is_stopped(process):
                break
            sleep(PERIOD / 10)
    here = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, here)


def _is_stopped(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a process was stopped, and not continued."""
    flags = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None


def _forward(process: subprocess.Popen[bytes]) -> None:
    """Pass Ctrl-C on, unless the terminal has sent it to both processes."""
    for stream in (0, 1, 2):
        with suppress(OSError):
            if os.tcgetpgrp(stream) == os.getpgrp():
                return
    process.send_signal(signal.SIGINT)


def _terminal_mode() -> Any:
    """Return the mode of the terminal, if there is one."""
    with suppress(ImportError, OSError):
        import termios

        with suppress(termios.error):
            return termios.tcgetattr(0)
    return None


def _stuck_in(channel: Channel) -> str:
    """Name the call of somebody else's code that a process told of as its last words, if any."""
    last = channel.unsigned.decode("utf-8", "replace").rpartition("most recent call first")[2]
    # The most recent call is first; below ours are those of whoever called us.
    ours, libraries = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.__file__
    calls = takewhile(lambda call: not call[0].startswith(ours), STUCK.findall(last))
    home = (os.path.dirname(libraries), sys.prefix, "<frozen")
    theirs = [call for call in calls if not call[0].startswith(home)]
    if not theirs:
        return ""
    file, line, name = theirs[-1]
    file, where = os.path.basename(file), f"line {line}"
    return f"{LOADING}{file} ({where})" if name == "<module>" else f"{name} ({file}, {where})"


def _ending(code: int, call: str) -> str:
    """Say how a process ended that did not say so itself."""
    where = f", in {call}" if call else ""
    if code == CUT_OFF:
        return "The rules closed the files of the program."
    if code >= 0:  # we would have said so
        return f"The rules ended the program, with exit code {code}{where}."
    name = next((number.name for number in signal.Signals if number == -code), f"signal {-code}")
    return f"The program was ended by {name}{where}."
