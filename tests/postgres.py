"""A PostgreSQL server for tests, and an empty database for each of them.

Fixtures, which tests/conftest.py imports for every test:

- `postgres`: the server of this test process, started on first use. `fresh()` returns the
  address of an empty database; `stop()`, `kill()` and `start()` are for tests of what
  happens without the server. Databases and addresses survive that.
- `database`: the address of an empty database, such as
  postgresql://zerosum:PASSWORD@127.0.0.1:40123/test_7
- `address`: the address of an empty store; a test that takes it runs twice, with the path of a
  SQLite file and with a database.

Where `initdb` and `postgres` are not installed, tests that use them are skipped.
Without pytest: `with running() as server: address = server.fresh()`.
"""

import fcntl
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
    """Find a program of PostgreSQL, on the path or where Debian puts it."""
    paths = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), reverse=True)
    return shutil.which(name) or next(iter(paths), None)


def missing() -> str:
    """Return the reason why there can be no server, if there is one."""
    if program("initdb") is None or program("postgres") is None:
        return "PostgreSQL is not installed"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return ""


class Server:
    """A server in a folder of its own."""

    def __init__(self, folder: Path, template: Path | None = None) -> None:
        """Create the server's files, or copy those of a template, and start it."""
        self.folder = folder
        self._numbers = itertools.count(1)
        self._free: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            known = {user.pw_name for user in pwd.getpwall()}
            user = pwd.getpwnam("postgres" if "postgres" in known else "nobody")
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
        if template is None:
            self._create()
        else:
            with open(f"{template}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not template.exists():
                    self._create()
                    subprocess.run(["cp", "-a", folder / "data", template], check=True)
            if not (folder / "data").exists():
                subprocess.run(["cp", "-a", template, folder / "data"], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.start()

    def _create(self) -> None:
        """Create the server's files."""
        folder = self.folder
        (folder / "password").write_text(PASSWORD)
        (folder / "password").chmod(0o644)
        initdb = program("initdb")
        assert initdb
        subprocess.run(
            [
                *(initdb, "--no-sync", "--encoding=UTF8", "--locale=C", f"--username={USER}"),
                "--wal-segsize=1",
                # Not scram-sha-256, which makes every connection slow on purpose.
                *("--auth=md5", f"--pwfile={folder / 'password'}", folder / "data"),
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            **self._as,
        )

    def address(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{USER}:{QUOTED}@127.0.0.1:{self.port}/{name}"

    def fresh(self) -> str:
        """Create an empty database, and return its address."""
        import psycopg

        if self._process is None:  # after a test that stopped it has failed
            self.start()
        if self._free:
            return self._free.pop()
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f"create database {name}".encode())
        return self.address(name)

    def recycle(self, address: str) -> None:
        """Empty a database for the next test, which is much faster than creating one."""
        import psycopg

        if self._process is None:
            return
        name = address.rpartition("/")[2]
        with psycopg.connect(address, autocommit=True) as db:
            for statement in (
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()",
                "drop schema public cascade",
                "create schema public",
                "grant usage on schema public to public",
                f"alter database {name} reset all",
            ):
                db.execute(statement.encode())
        self._free.append(address)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        import psycopg

        postgres = program("postgres")
        assert postgres
        # Without fsync: what a process has written survives its end; no test cuts the power.
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [
                    *(postgres, "-D", self.folder / "data", "-p", str(self.port)),
                    *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
                    *("-c", "fsync=off", "-c", "max_connections=60", "-c", "shared_buffers=16MB"),
                    *("-c", "autovacuum=off", "-c", "full_page_writes=off"),
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
                log_text = (self.folder / "log").read_text(errors="replace")
                assert self._process.poll() is None, log_text
                assert time.monotonic() < limit, log_text
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """Stop the server cleanly: it closes all connections and writes everything to the disk."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop the server as a power cut would, as far as a program can."""
        self._end(signal.SIGQUIT)

    def _end(self, how: int) -> None:
        """Send the server a signal, and wait until it ends."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


@contextmanager
def running(template: Path | None = None) -> Iterator[Server]:
    """Run a server."""
    # Not in pytest's own folder, which only the user who runs the tests may enter.
    folder = Path(tempfile.mkdtemp(prefix="zerosum-postgres-"))
    try:
        server = Server(folder, template)
        try:
            yield server
        finally:
            server.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The PostgreSQL server of this test process."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    # The first of several test processes creates the files, and the others copy them.
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with running(shared / "postgres") as server:
        yield server


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The address of an empty database."""
    fresh = postgres.fresh()
    yield fresh
    postgres.recycle(fresh)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store: a file's path, then a database's."""
    if request.param == "sqlite":
        return str(tmp_path / "a.db")
    found: str = request.getfixturevalue("database")
    return found
