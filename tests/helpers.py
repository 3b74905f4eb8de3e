"""Drives the real command: through pipes, and through a terminal."""

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
from pathlib import Path

ZEROSUM = [sys.executable, "-m", "zerosum"]
GOLDEN = Path(__file__).parent / "golden"
PATIENCE = 30.0


def clean_env(home: Path, **extra: str) -> dict[str, str]:
    """An environment in which nothing of the machine's own user is seen or touched."""
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm"}
    return {**env, **extra}


def run(
    home: Path, *args: str, typed: str | bytes = "", timeout: float = PATIENCE, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the command with something piped in; text comes back with broken bytes replaced."""
    given = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run(
        [*ZEROSUM, *args],
        input=given,
        capture_output=True,
        env=clean_env(home, **env),
        cwd=home,
        timeout=timeout,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    return subprocess.CompletedProcess(
        done.args,
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
    )


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

    def expect(self, text: str, timeout: float = PATIENCE) -> str:
        """Wait until a text appears after what was expected before; give what led up to it."""
        limit = time.monotonic() + timeout
        while (found := self.seen.find(text, self._at)) < 0:
            if not self._read(limit):
                raise AssertionError(f"{text!r} did not come; there was {self.seen[self._at :]!r}")
        before = self.seen[self._at : found]
        self._at = found + len(text)
        return before

    def type(self, text: str) -> None:
        """Type a line."""
        self.press(text + "\n")

    def press(self, keys: str) -> None:
        """Press keys, without Enter."""
        os.write(self.fd, keys.encode())

    def wait(self, timeout: float = PATIENCE) -> int:
        """Wait for the command to end, and give its exit code."""
        limit = time.monotonic() + timeout
        while self._read(limit):
            pass
        return self.process.wait(timeout)

    def lines(self) -> list[str]:
        """What stands on the screen, line by line, without escape codes."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self.seen).replace("\r\n", "\n").split("\n")

    def signal(self, number: int) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """End the command, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _read(self, limit: float) -> bool:
        """Read what has come; False at the end or when the time is over."""
        if not select.select([self.fd], [], [], max(0.0, limit - time.monotonic()))[0]:
            return False
        try:
            chunk = os.read(self.fd, 65536)
        except OSError:  # the other side is gone
            return False
        self.seen += chunk.decode("utf-8", "replace")
        return bool(chunk)


def _take_terminal() -> None:
    """Make the terminal the one that controls the process, so that Ctrl-C reaches it."""
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
