"""The terminal."""

from __future__ import annotations

import os
import sys

from zerosum.game import ZerosumError


def run(args: list[str] | None = None) -> int:
    """Run a command line and give its exit code; no error leaves this as a traceback."""
    _streams()
    try:
        import click

        try:
            from zerosum.cli.app import app

            code = app.main(args, prog_name="zerosum", standalone_mode=False)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except click.exceptions.Abort:
            return 130
        except click.ClickException as error:
            error.show()
            return error.exit_code
    except KeyboardInterrupt:
        return 130
    except ZerosumError as error:
        _complain(f"Error: {error}")
        return 1
    except BrokenPipeError:
        # Whoever read our output has had enough of it.
        _silence()
        return 0
    except OSError as error:
        _silence()
        _complain(f"Error: {error.strerror or error}. What was announced before is kept.")
        return 1
    except (Exception, RecursionError) as error:
        if os.environ.get("ZEROSUM_DEBUG"):
            raise
        from zerosum.registry import blame

        _complain(
            f"Error: this should not have happened: {blame(error)}\n"
            "What was announced before is kept. ZEROSUM_DEBUG=1 shows where it comes from."
        )
        return 1


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
    # Lengths are limited where numbers are read; see zerosum.game.read_whole.
    sys.set_int_max_str_digits(0)


def _complain(text: str) -> None:
    """Say something on standard error, if there is anybody to hear it."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        pass


def _silence() -> None:
    """Let what is still to be printed go nowhere: the way out is closed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for fd in (1,):
        os.dup2(nowhere, fd)
