"""Drives the real command, through pipes and through a terminal, and reads what it saved."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from zerosum.match import Match
from zerosum.store import open_store

ZEROSUM = [sys.executable, "-m", "zerosum"]
GOLDEN = Path(__file__).parent / "golden"
PATIENCE = 30.0
T = TypeVar("T")


def clean_env(home: Path, **extra: str) -> dict[str, str]:
    """Return an environment that has nothing of the user who runs the tests."""
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm"}
    return {**env, **extra}


def run(
    home: Path, *args: str, typed: str | bytes = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the command with something piped in; text comes back with broken bytes replaced."""
    done = subprocess.run(
        [*ZEROSUM, *args],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        env=clean_env(home, **env),
        cwd=home,
        timeout=PATIENCE,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    return subprocess.CompletedProcess(
        done.args,
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
    )


def database(home: Path) -> Path:
    """Return the path of a user's default database."""
    return home / ".local/share/zerosum/zerosum.db"


def stored(path: Path) -> Match[Any]:
    """Return the only match in a file, or in the default database of a home."""
    store = open_store(str(database(path) if path.is_dir() else path))
    try:
        (summary,) = store.matches()
        return store.load(summary.id).match
    finally:
        store.close()


def eventually(happens: Callable[[], T | None]) -> T:
    """Wait until something happens, and return what did."""
    limit = time.monotonic() + PATIENCE
    while not (happened := happens()):
        assert time.monotonic() < limit, "it has not happened"
        time.sleep(0.01)
    return happened


class Piped:
    """The command between pipes, fed and watched while it runs."""

    def __init__(self, home: Path, *args: str, **env: str) -> None:
        self.seen = b""
        self.process: Any = subprocess.Popen(
            [*ZEROSUM, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_env(home, **env),
            cwd=home,
        )
        self.stdin: Any = self.process.stdin
        self.stdout: Any = self.process.stdout
        self.stderr: Any = self.process.stderr

    def __enter__(self) -> Piped:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()

    def feed(self, text: str) -> None:
        """Write to the standard input."""
        self.stdin.write(text.encode())
        self.stdin.flush()

    def until(self, length: int = 0, text: str = "") -> None:
        """Read until a number of bytes, or a string, has been printed."""
        fd, limit = self.stdout.fileno(), time.monotonic() + PATIENCE
        while len(self.seen) < length or text.encode() not in self.seen:
            left = max(0.0, limit - time.monotonic())
            assert select.select([fd], [], [], left)[0], f"nothing more came after {self.seen!r}"
            # A little at a time, so as to stop where it was asked for.
            chunk = os.read(fd, 16)
            if not chunk:
                return
            self.seen += chunk

    def end(self, typed: str = "") -> tuple[int, str, str]:
        """Write the last input; return the exit code and the rest of both outputs."""
        out, err = self.process.communicate(typed.encode(), PATIENCE)
        # Nothing is read from a stream that a test has closed.
        return self.process.returncode, (out or b"").decode(), (err or b"").decode()

    def kill(self) -> str:
        """Kill the command, and return everything it printed."""
        self.process.kill()
        self.process.wait()
        self.seen += self.stdout.read()
        assert self.stderr.read() == b""
        return self.seen.decode()


class Terminal:
    """The command on a pseudo-terminal, typed to like by a person."""

    def __init__(self, home: Path, *args: str, columns: int = 100, **env: str) -> None:
        self.seen = ""
        self.process: subprocess.Popen[bytes]
        self.fd, theirs = pty.openpty()
        termios.tcsetwinsize(self.fd, (40, columns))
        self.process = subprocess.Popen(
            [*ZEROSUM, *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=clean_env(home, **env),
            cwd=home,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(theirs)
        self._at = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    def expect(self, *texts: str, timeout: float = PATIENCE) -> str:
        """Wait for strings, one after another; return what came before the last one."""
        limit, before = time.monotonic() + timeout, ""
        for text in texts:
            while (found := self.seen.find(text, self._at)) < 0:
                if not self._read(limit):
                    rest = self.seen[self._at :]
                    raise AssertionError(f"{text!r} was not printed after {rest!r}")
            before = self.seen[self._at : found]
            self._at = found + len(text)
        return before

    def type(self, text: str) -> None:
        """Type a line."""
        self.press(text + "\n")

    def answer(self, *dialogue: tuple[str, str]) -> None:
        """Wait for each question, and type the answer to it."""
        for question, answer in dialogue:
            self.expect(question)
            self.type(answer)

    def press(self, keys: str) -> None:
        """Press keys, without Enter."""
        os.write(self.fd, keys.encode())

    def wait(self, timeout: float = PATIENCE) -> int:
        """Wait for the command to end, and return its exit code."""
        limit = time.monotonic() + timeout
        while self._read(limit):
            pass
        return self.process.wait(timeout)

    def lines(self) -> list[str]:
        """Return the lines on the screen, without escape codes."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self.seen).replace("\r\n", "\n").split("\n")

    def kill(self) -> None:
        """End the command, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _read(self, limit: float) -> bool:
        """Read what was printed; return False at the end, or when time is up."""
        if not select.select([self.fd], [], [], max(0.0, limit - time.monotonic()))[0]:
            return False
        try:
            chunk = os.read(self.fd, 65536)
        except OSError:  # the other side is gone
            return False
        self.seen += chunk.decode("utf-8", "replace")
        return bool(chunk)


def _take_terminal() -> None:
    """Make this the controlling terminal of the process, so that Ctrl-C reaches it."""
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it
