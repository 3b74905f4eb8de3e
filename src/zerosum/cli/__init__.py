"""The command line: run() runs it; every command has a module in a folder of commands/."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from zerosum.errors import UnknownGame, ZerosumError


def run(args: list[str] | None = None) -> int:
    """Run a command line and return its exit code; no error becomes a traceback."""
    _prepare_streams()
    try:
        code = _command(sys.argv[1:] if args is None else args)
    except KeyboardInterrupt:
        code = 130
    except ZerosumError as error:
        _complain(f"Error: {error}")
        code = 2 if isinstance(error, UnknownGame) else 1
    except BrokenPipeError:
        code = 0  # nobody reads our output any more
    except OSError as error:
        code = _flush(0, _notes(error))  # what could not be written is still there, and fails again
        if not code:
            where = f"{error.filename}: " if error.filename else ""
            _complain(f"Error: {where}{error.strerror or error}.{_notes(error)}")
            code = 1
    except (Exception, SystemExit) as error:  # a game may even exit
        if os.environ.get("ZEROSUM_DEBUG"):
            raise
        from zerosum.registry.loading import blame, raised_by_rules

        game = raised_by_rules(error)
        if isinstance(error, SystemExit) and not game:
            raise
        _complain(
            f"Error: {'the game failed' if game else 'this is a bug in Zerosum'}: {blame(error)}\n"
            f"{'Run zerosum check FILE for details. ' * game}"
            f"ZEROSUM_DEBUG=1 shows the traceback.{_notes(error)}"
        )
        code = 1
    return _flush(code)


def _command(args: list[str]) -> int:
    """Run a command line, as click would, but return instead of exiting."""
    import click

    from zerosum.cli.app import app

    if asked := os.environ.get("_ZEROSUM_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "zerosum", "_ZEROSUM_COMPLETE", asked)
    try:
        with app.make_context("zerosum", list(args)) as ctx:
            app.invoke(ctx)
            return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        from zerosum.cli.config import origin

        with suppress(OSError):
            error.show()
        if source := origin(error):
            _complain(f"That value comes from {source}.")
        return error.exit_code


def _notes(error: BaseException) -> str:
    """Return what was noted of an error on its way, such as what is saved, to follow a sentence."""
    return "".join(f" {note}" for note in getattr(error, "__notes__", ()))


def _flush(code: int, notes: str = "") -> int:
    """Flush the streams; where that fails, drop the rest."""
    for stream, fd in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            stream.flush()
        except OSError as error:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, fd)
            os.close(null)
            if fd == 1 and not code and not isinstance(error, BrokenPipeError):
                reason = (error.strerror or "unknown error").lower()
                _complain(f"Error: Could not write the output: {reason}.{notes}")
                code = 1
    return code


def _prepare_streams() -> None:
    """Make sure that the streams are open and take every character, and numbers any length."""
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


def _complain(text: str) -> None:
    """Write a line on standard error, if it is open."""
    from zerosum.text import printable

    with suppress(OSError):
        sys.stderr.write("\n".join(map(printable, text.split("\n"))) + "\n")
        sys.stderr.flush()
