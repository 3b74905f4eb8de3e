"""The terminal."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from zerosum.errors import UnknownGame, ZerosumError

SAVED = "Everything shown before this is saved."


def run(args: list[str] | None = None) -> int:
    """Run a command line and give its exit code; no error leaves this as a traceback."""
    _streams()
    try:
        code = _command(sys.argv[1:] if args is None else args)
    except KeyboardInterrupt:
        code = 130
    except ZerosumError as error:
        _complain(f"Error: {error}")
        code = 2 if isinstance(error, UnknownGame) else 1
    except BrokenPipeError:
        code = 0  # whoever read our output has had enough of it
    except OSError as error:
        _complain(f"Error: {error.strerror or error}. {SAVED}")
        code = 1
    except Exception as error:
        if os.environ.get("ZEROSUM_DEBUG"):
            raise
        from zerosum.registry.loading import blame, is_authors

        whose = "the game failed" if is_authors(error) else "this should not have happened"
        _complain(
            f"Error: {whose}: {blame(error)}\n"
            f"{SAVED} {'zerosum check FILE says more, and ' * is_authors(error)}"
            "ZEROSUM_DEBUG=1 shows where it comes from."
        )
        code = 1
    return _settled(code)


def _command(args: list[str]) -> int:
    """Run a command line, as click would, but with our own way to end."""
    import click

    from zerosum.cli.app import app

    if asked := os.environ.get("_ZEROSUM_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "zerosum", "_ZEROSUM_COMPLETE", asked)
    try:
        with app.make_context("zerosum", list(args), auto_envvar_prefix="ZEROSUM") as ctx:
            code = app.invoke(ctx)
            return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        from zerosum.cli.settings import origin

        with suppress(OSError):
            error.show()
        if origin(error):
            _complain(f"That value comes from {origin(error)}.")
        return error.exit_code


def _settled(code: int) -> int:
    """Print what is still to be printed; where that cannot be, let it go nowhere."""
    for stream, fd in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            stream.flush()
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, fd)
            os.close(nowhere)
            if fd == 1 and not code and not isinstance(error, BrokenPipeError):
                _complain(f"Error: {error.strerror}. {SAVED}")
                code = 1
    return code


def _streams() -> None:
    """Make the streams safe: there, tolerant of every character, and numbers without a limit."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            # A file opened later must not become what is printed to.
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    # Lengths are limited where numbers are read; see zerosum.text.read_whole.
    sys.set_int_max_str_digits(0)


def _complain(text: str) -> None:
    """Say something on standard error, if there is anybody to hear it."""
    with suppress(OSError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
