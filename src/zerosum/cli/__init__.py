"""The command line: run() runs it; every command has a module in commands/."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

from zerosum.errors import BrokenGame, UnknownGame, ZerosumError
from zerosum.limits import CALL_SECONDS, FAULT_SECONDS


class Unsupervised(BaseException):
    """The command needs somebody else's rules, and a process that is watched.

    In the menu, the game was typed as the first answer.
    """

    def __init__(self, first: str = "") -> None:
        """Take the first answer."""
        super().__init__()
        self.first = first


def run(args: list[str] | None = None, first: str = "") -> int:
    """Run a command line and return its exit code, never with a traceback.

    In the menu, `first` is the answer to its first question.
    """
    _prepare_streams()
    try:
        code = _command(sys.argv[1:] if args is None else args, first)
    except ZerosumError as error:
        advice = _how_to_check(error.game) if isinstance(error, BrokenGame) else ""
        complain(f"Error: {error}{advice}{_notes(error)}")
        code = 2 if isinstance(error, UnknownGame) else 1
    except Unsupervised:
        raise
    except BaseException as error:  # a game may raise anything
        code = _explain(error)
    return _flush(code)


def run_supervised(seconds: float = CALL_SECONDS) -> int:
    """Run the command line; if it needs somebody else's rules, in another process.

    `seconds` are for one call of the rules.
    """
    from zerosum.registry import loading

    if os.name != "nt" and not os.environ.get("ZEROSUM_DEBUG"):
        loading.before_loading = _require
    try:
        return run()
    except Unsupervised as error:
        from zerosum.cli.supervision import supervise

        return supervise(sys.argv[1:], seconds, error.first)


def _require(name: str) -> NoReturn:
    """Refuse to load a game here."""
    raise Unsupervised


def _explain(error: BaseException) -> int:
    """Say whether a game, the system or Zerosum failed, if any did; return the exit code."""
    from zerosum.registry.loading import blame, call_that_raised

    if isinstance(error, KeyboardInterrupt) and is_ctrl_c(error):
        if sys.stdout.isatty():  # which shows ^C
            sys.stdout.write("\n")
        return 130
    call = call_that_raised(error)
    if isinstance(error, BrokenPipeError) and not call:
        return 0  # nobody reads our output any more
    if isinstance(error, OSError) and not call:
        code = _flush(0, _notes(error))  # what could not be written is still there, and fails again
        if not code:
            where = f"{error.filename}: " if error.filename else ""
            complain(f"Error: {where}{error.strerror or error}.{_notes(error)}")
        return 1
    if os.environ.get("ZEROSUM_DEBUG") or (isinstance(error, SystemExit) and not call):
        raise error
    from zerosum.testing import fault_behind, game_behind

    if not call and (fault := fault_behind(error, FAULT_SECONDS)):
        complain(f"Error: {fault}{_notes(error)}")
        return 1
    failed = f"the game failed in {call}" if call else "this is a bug in Zerosum"
    advice = f"{_how_to_check(game_behind(error))} ZEROSUM_DEBUG=1 shows the traceback."
    complain(f"Error: {failed}: {blame(error)}\n{advice.lstrip()}{_notes(error)}")
    return 1


def _how_to_check(game: Any) -> str:
    """Say how to check a game that is in a file, to follow a sentence."""
    from zerosum.registry import entry_of, short_path

    file = None if game is None else entry_of(game).file
    return f" Run 'zerosum check {short_path(file)}' for details." if file else ""


def is_ctrl_c(error: KeyboardInterrupt) -> bool:
    """Return whether Ctrl-C was pressed; rules may raise the same."""
    from zerosum.registry.loading import raised_by_rules

    if not raised_by_rules(error):
        return True
    from zerosum.cli.supervision import was_interrupted

    return was_interrupted()


def _command(args: list[str], first: str = "") -> int:
    """Run a command line, as click would, but return instead of exiting."""
    import click

    from zerosum.cli.commands import app

    if asked := os.environ.get("_ZEROSUM_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "zerosum", "_ZEROSUM_COMPLETE", asked)
    try:
        with app.make_context("zerosum", list(args), obj=first) as ctx:
            app.invoke(ctx)
            return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        from zerosum.cli.config import origin

        with suppress(OSError):
            error.show()
        if source := origin(error):
            complain(f"That value comes from {source}.")
        return error.exit_code


def _notes(error: BaseException) -> str:
    """Return the notes on an error, such as what is saved, to follow what it says."""
    gap = "\n" if "\n" in str(error) else " "
    return "".join(f"{gap}{note}" for note in getattr(error, "__notes__", ()))


def _flush(code: int, notes: str = "") -> int:
    """Flush the streams; if that fails, drop the rest."""
    for stream, fd in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            stream.flush()
        except OSError as error:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, fd)
            os.close(null)
            if fd == 1 and not code and not isinstance(error, BrokenPipeError):
                reason = (error.strerror or "unknown error").lower()
                complain(f"Error: Could not write the output: {reason}.{notes}")
                code = 1
    return code


def _prepare_streams() -> None:
    """Make sure that streams are open and take all characters, and numbers any length."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            # A file opened later must not become standard output.
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    # zerosum.text.read_whole limits the length of what is read.
    sys.set_int_max_str_digits(0)


def complain(text: str) -> None:
    """Write a line on standard error, if it is open."""
    from zerosum.text import printable

    with suppress(OSError):
        sys.stderr.write("\n".join(map(printable, text.split("\n"))) + "\n")
        sys.stderr.flush()
