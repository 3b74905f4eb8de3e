"""What commands read and write: records of matches, and users' files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from zerosum.errors import RecordError, ZerosumError
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.store import Saved

# The characters of a page in which it says what made it.
LONGEST_HEAD = 1_000
LARGEST_RECORD = 64 * 1024 * 1024


def record_of(saved: Saved) -> str:
    """Write a saved match as a record."""
    from zerosum.documents import dumps
    from zerosum.record import to_record

    times = {"started": saved.started, "updated": saved.updated}
    return dumps(to_record(saved.match, id=saved.id, **times))


def local_time(timestamp: str) -> str:
    """Write a timestamp as a date and a time of day in the user's time zone.

    >>> local_time("some day")
    'some day'
    """
    from datetime import datetime

    try:
        return f"{datetime.fromisoformat(timestamp).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):  # a database from elsewhere may have anything
        return brief(timestamp, 16)


def read_record(file: str) -> Any:
    """Read a JSON document as large as a match can be; - is standard input."""
    from zerosum.documents import loads

    try:
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST_RECORD + 1)
            _put_back(data)
        else:
            with open(file, "rb") as source:
                data = source.read(LARGEST_RECORD + 1)
    except FileNotFoundError as error:
        raise RecordError(f"There is no file {file[:200]}.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"{file[:200]} cannot be read: {reason}.") from error
    if len(data) > LARGEST_RECORD:
        raise RecordError(f"{file[:200]} is too large for a record: more than 64 MiB.")
    return loads(data)


def _put_back(data: bytes) -> None:
    """Let standard input be read again, if the command starts again in another process."""
    from tempfile import TemporaryFile

    with suppress(OSError), TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        os.dup2(file.fileno(), 0)


def write_file(path: str, text: str) -> None:
    """Write a file of the user's; only a page replaces an older page. - is standard output."""
    if path == "-":
        click.echo(text.rstrip("\n"))
        return
    try:
        mode = "w" if _is_older_page(path, text) else "x"
        file = open(path, mode, encoding="utf-8", errors="replace")  # noqa: SIM115
        with _removed_unless_written(path), file:
            file.write(text if text.endswith("\n") else text + "\n")
    except FileExistsError as error:
        raise ZerosumError(f"{path} already exists; not overwritten.") from error
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error


@contextmanager
def _removed_unless_written(path: str) -> Iterator[None]:
    """Leave no half of a file, which would stand in the way when the command is run again."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise


def check_new(path: str) -> None:
    """Refuse a file that exists, before long work; - is standard output."""
    if path != "-" and os.path.lexists(path):
        raise ZerosumError(f"{path} already exists; not overwritten.")


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write a file of lines, whole or not at all; - is standard output."""
    if path == "-":
        for line in lines:
            click.echo(line)
        return
    part = f"{path}.part"
    try:
        file = open(part, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
        with _removed_unless_written(part):
            with file:
                file.writelines(f"{line}\n" for line in lines)
            os.replace(part, path)
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error


def _is_older_page(path: str, text: str) -> bool:
    """Return whether a page would replace one that Zerosum wrote."""
    if not os.path.isfile(path):
        return False
    from zerosum.pictures.reports import GENERATOR

    with suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
        return GENERATOR in text[:LONGEST_HEAD] and GENERATOR in file.read(LONGEST_HEAD)
    return False
