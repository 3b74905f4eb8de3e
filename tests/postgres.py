"""A PostgreSQL server for tests, and a fresh database for each of them.

Fixtures, which tests/conftest.py makes known to every test:

- `postgres`: the server of this test process, started when it is first asked for. It has
  `fresh()` (the address of a new and empty database), and `stop()`, `kill()` and `start()`
  for tests of what happens when it goes away; databases and addresses outlive that.
- `database`: the address of a fresh database, such as
  postgresql://zerosum:PASSWORD@127.0.0.1:40123/test_7
- `place`: the address of a fresh store, first a SQLite file's path, then a database's; what
  takes it is run on both.

Where the programs `initdb` and `postgres` are not installed, all of them skip with a reason.
Without pytest: `with running() as server: address = server.fresh()`.
"""

from __future__ import annotations

import glob
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60.0
USER, PASSWORD = "zerosum", "tiger/sea@lion"
QUOTED = "tiger%2Fsea%40lion"


def program(name: str) -> str | None:
    """Find a program of PostgreSQL, also where it is not on the path."""
    places = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)
    return shutil.which(name) or next(iter(places), None)


def missing() -> str:
    """Say why there can be no server, if there can be none."""
    if program("initdb") is None or program("postgres") is None:
        return "PostgreSQL is not installed"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return ""


class Server:
    """A server in a folder of its own, which keeps what it acknowledges on the disk."""

    def __init__(self, folder: Path) -> None:
        """Make the server's files, and start it."""
        self.folder = folder
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            known = {one.pw_name for one in pwd.getpwall()}
            user = pwd.getpwnam("postgres" if "postgres" in known else "nobody")
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
        (folder / "password").write_text(PASSWORD)
        (folder / "password").chmod(0o644)
        initdb = program("initdb")
        assert initdb
        subprocess.run(
            [
                *(initdb, "--no-sync", "--encoding=UTF8", "--locale=C", f"--username={USER}"),
                *("--auth=scram-sha-256", f"--pwfile={folder / 'password'}", folder / "data"),
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            **self._as,
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.start()

    def address(self, name: str) -> str:
        """Give the address of a database."""
        return f"postgresql://{USER}:{QUOTED}@127.0.0.1:{self.port}/{name}"

    def fresh(self) -> str:
        """Make an empty database, and give its address."""
        import psycopg

        if self._process is None:  # a test that stopped it has failed
            self.start()
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f"create database {name}".encode())
        return self.address(name)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        import psycopg

        postgres = program("postgres")
        assert postgres
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [
                    *(postgres, "-D", self.folder / "data", "-p", str(self.port)),
                    *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
                    *("-c", "fsync=on", "-c", "max_connections=60", "-c", "shared_buffers=16MB"),
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._as,
            )
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address("postgres")).close()
            except psycopg.OperationalError:
                said = (self.folder / "log").read_text(errors="replace")
                assert self._process.poll() is None, said
                assert time.monotonic() < limit, said
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """Stop the server in good order: connections are ended, and everything is on the disk."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop the server as a power cut would, as far as a program can."""
        self._end(signal.SIGQUIT)

    def _end(self, how: int) -> None:
        """Send the server a signal, and wait for its end."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


@contextmanager
def running() -> Iterator[Server]:
    """Run a server for a while."""
    # Not in pytest's own folder, which only the user who runs the tests may enter.
    folder = Path(tempfile.mkdtemp(prefix="zerosum-postgres-"))
    try:
        server = Server(folder)
        try:
            yield server
        finally:
            server.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """The PostgreSQL server of this test process."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with running() as server:
        yield server


@pytest.fixture
def database(postgres: Server) -> str:
    """The address of a fresh database."""
    return postgres.fresh()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh store: a file's path, and then a database's."""
    if request.param == "sqlite":
        return str(tmp_path / "a.db")
    server: Server = request.getfixturevalue("postgres")
    return server.fresh()
