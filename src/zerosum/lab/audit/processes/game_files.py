"""The games to audit: by name, file or folder, each with its files."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import zerosum
from zerosum.errors import UnknownGame
from zerosum.limits import BATCH, Limits
from zerosum.registry import find_named, is_path
from zerosum.text import brief

# The most bytes of the files of a game.
LARGEST = 4 << 20


class AuditJob(NamedTuple):
    """A game to audit: its name, how it was named, its files by relative path, and its limits.

    A game without files is one that has a name in the registry. A `problem` says why the files
    cannot be read. The seconds of the limits are processor time. A task other than an audit may
    need arguments.
    """

    name: str
    file: str
    contents: tuple[tuple[str, bytes], ...] = ()
    limits: Limits = BATCH
    problem: str = ""
    version: str = zerosum.__version__
    arguments: tuple[Any, ...] = ()


def natural(text: str) -> tuple[list[tuple[int, str]], str]:
    """Return a key that sorts numbers in a string by value.

    >>> sorted(["env_10.py", "env_2.py"], key=natural)
    ['env_2.py', 'env_10.py']
    """
    parts = re.findall(r"\d+|\D+", text)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], text


def jobs_for(names: Iterable[str], limits: Limits) -> list[AuditJob]:
    """Find the games named by name, file or folder, each once, in natural order."""
    files = dict.fromkeys(file for name in names for file in _files(name))
    return [_job(file, limits) for file in sorted(files, key=natural)]


def is_folder_of_games(name: str) -> bool:
    """Return whether a name is a folder's, and not that of a game in one."""
    return os.path.isdir(name) and not os.path.isfile(os.path.join(name, "rules.py"))


def _files(name: str) -> list[str]:
    """List the games that a name stands for: the files and folders of games in a folder."""
    if not is_folder_of_games(name):
        if not is_path(name):
            return [find_named(name).name]
        if not os.path.lexists(os.path.expanduser(_without_class(name))):
            raise UnknownGame(f"There is no file {brief(name, 200)}.")
        return [_path(name)]
    try:
        entries = [entry for entry in os.listdir(name) if not entry.startswith((".", "_"))]
    except OSError as error:
        reason = f"cannot be read: {error.strerror}"
        raise UnknownGame(f"The folder {brief(name, 200)} {reason}.") from error
    paths = [os.path.join(name, entry) for entry in entries]
    # A link that leads nowhere, or a pipe, gets a row, too.
    found = [
        _path(path)
        for path in paths
        if os.path.isfile(os.path.join(path, "rules.py"))
        or (path.endswith(".py") and not os.path.isdir(path))
    ]
    if not found:
        raise UnknownGame(f"The folder {brief(name, 200)} has no files with games.")
    return found


def _path(name: str) -> str:
    """Write a path always alike, and never like the name of a game."""
    path = os.path.normpath(os.path.expanduser(name))
    return path if os.sep in path else os.path.join(".", path)


def _without_class(name: str) -> str:
    """Return a file's path, without the class picked from it."""
    return name.rpartition(":")[0] if ":" in os.path.basename(name) else name


def _job(file: str, limits: Limits) -> AuditJob:
    """Make the job of a game, with its files."""
    if not is_path(file):
        return AuditJob(file, file, (), limits)
    name = _shown(os.path.basename(file)).replace(".py", "")
    try:
        contents = tuple(_contents(Path(_without_class(file))))
    except OSError as error:
        reason = f"It cannot be read: {error.strerror or error}."
        return AuditJob(name, _shown(file), (), limits, reason)
    return AuditJob(name, _shown(file), contents, limits)


def _shown(path: str) -> str:
    """Write a path so that it is always valid UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    """Read the files of a game, by their paths beside it."""
    if not (path.is_dir() or stat.S_ISREG(path.stat().st_mode)):
        raise OSError("it is not a regular file")
    inside = sorted(path.rglob("*")) if path.is_dir() else [path]
    files = [file for file in inside if file.is_file() and file.parent.name != "__pycache__"]
    if sum(file.stat().st_size for file in files) > LARGEST:
        raise OSError(f"it has more than {LARGEST >> 20} MiB")
    for file in files:
        yield _shown(str(file.relative_to(path.parent))), file.read_bytes()
