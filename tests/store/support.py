"""What several tests of the store share."""

from __future__ import annotations

import gc
import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

import zerosum
from tests.helpers import PATIENCE, ZEROSUM, clean_env
from zerosum.match import Event, Match
from zerosum.store import SqliteStore, Store, StoreError

PAGE = 4096


def even(start: int = 15, **options: Any) -> Match[Any]:
    return Match.new(zerosum.game("even-steven", start=start), ("Ada", "Bob"), **options)


def filled(path: Path, matches: int = 1, moves: int = 3) -> list[str]:
    store = SqliteStore(str(path))
    ids = []
    for number in range(matches):
        match = even(1000 + number)
        id_ = store.create(match, f"match{number:03}")
        for seq in range(moves):
            match = match.play(1)
            store.append(id_, seq, Event("move", 1), match)
        ids.append(id_)
    store.close()
    return ids


def moved(store: Store, moves: int) -> str:
    """Keep a match in which 1 was played so often."""
    match = even(1000)
    id_ = store.create(match)
    for seq in range(moves):
        match = match.play(1)
        store.append(id_, seq, Event("move", 1), match)
    return id_


def plain_copy(path: Path) -> None:
    """Let a file stand alone, with nothing in a journal beside it."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
        db.execute("pragma journal_mode = delete")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def pragma(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(f"pragma {name}").fetchone()[0])


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def refused(path: Path, write: bool) -> StoreError:
    with pytest.raises(StoreError) as caught:
        SqliteStore(str(path), write)
    error = caught.value
    del caught
    error.__traceback__ = None
    if error.__cause__:
        error.__cause__.__traceback__ = None
    gc.collect()
    return error


def race(script: str, path: Path | str, count: int) -> list[str]:
    """Run a script in several processes that wait for each other before they begin."""
    begin = "import sys; import zerosum.store.sqlite as q; print(end='', flush=True); input()\n"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", begin + script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("go\n")
        racer.stdin.flush()
    ended = [racer.communicate(timeout=60) for racer in racers]
    assert [error for _, error in ended] == [""] * count
    return [out for out, _ in ended]


def only_match(file: Path) -> Match[Any]:
    store = SqliteStore(str(file))
    try:
        (line,) = store.matches()
        return store.load(line.id).match
    finally:
        store.close()


def stored(home: Path) -> Match[Any]:
    return only_match(home / "a.db")


def id_of(home: Path) -> str:
    store = SqliteStore(str(home / "a.db"), write=False)
    try:
        return store.matches()[0].id
    finally:
        store.close()


class Piped:
    """The command between pipes, fed and watched while it runs."""

    def __init__(self, home: Path, *args: str) -> None:
        self.seen = b""
        self.process = subprocess.Popen(
            [*ZEROSUM, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_env(home, ZEROSUM_DB=str(home / "a.db")),
            cwd=home,
        )

    def __enter__(self) -> Piped:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def feed(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def until(self, length: int = 0, text: str = "") -> None:
        """Read until so many bytes, or a text, have been seen."""
        assert self.process.stdout
        fd, limit = self.process.stdout.fileno(), time.monotonic() + PATIENCE
        while len(self.seen) < length or text.encode() not in self.seen:
            left = max(0.0, limit - time.monotonic())
            assert select.select([fd], [], [], left)[0], f"nothing more came after {self.seen!r}"
            # A little at a time, so that the moment is where it was asked for.
            chunk = os.read(fd, 16)
            if not chunk:
                return
            self.seen += chunk

    def kill(self) -> str:
        """End the command from outside, and give all that it had printed."""
        assert self.process.stdout
        assert self.process.stderr
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.seen += self.process.stdout.read()
        assert self.process.stderr.read() == b""
        return self.seen.decode()
