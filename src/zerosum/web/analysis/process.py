"""One solver process, as the server sees it: started, asked, and ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress

from zerosum.web.analysis.solver_main import LONGEST

# Seconds for a process to start, and to end once it is killed.
STARTING, ENDING = 60.0, 2.0
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from zerosum.web.analysis.solver_main import main; main()"
)
# One question, one core.
ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# What a game's rules must not see.
PRIVATE = ("ZEROSUM_DB", "PGPASSWORD")


class Gone(Exception):
    """The process ended before it answered, or could not be started."""


class Process:
    """A place for one process, which is replaced when it dies."""

    # Done when the process has ended.
    exited: asyncio.Future[int]

    def __init__(self, setting: bytes) -> None:
        """Take the first message for every process."""
        self.pid: int | None = None
        self._setting = setting
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start a process if there is none, and wait until it is ready; if it fails, end it."""
        if self._process is not None:
            return
        around = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        starting = asyncio.create_task(
            asyncio.create_subprocess_exec(
                *(sys.executable, "-c", BEGIN, json.dumps(sys.path)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST,
                env={**around, **dict.fromkeys(ONE_CORE, "1")},
                start_new_session=True,  # so that Ctrl-C in a terminal reaches the server only
            )
        )
        try:
            try:
                await asyncio.shield(starting)
            finally:
                # If this is cancelled half-way, there is a process all the same, for `end` to end.
                self._process = await starting
                self.pid = self._process.pid
                self.exited = asyncio.create_task(self._process.wait())
            async with asyncio.timeout(STARTING):
                await self.ask(self._setting)
        except OSError as error:  # TimeoutError is one, too
            raise Gone(str(error) or f"it was not ready after {STARTING:g} seconds") from error

    async def ask(self, question: bytes) -> bytes:
        """Send a question and wait for the answer, a line each; one at a time."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise Gone("there is no process")
        try:
            process.stdin.write(question + b"\n")
            await process.stdin.drain()
            answer = await process.stdout.readline()
        # A closed pipe is a RuntimeError in uvloop, and too long a line is a ValueError.
        except (OSError, RuntimeError, ValueError) as error:
            raise Gone(str(error)) from error
        if not answer.endswith(b"\n"):
            raise Gone("it ended without an answer")
        return answer

    async def end(self) -> None:
        """Kill the process and those that it started; they hold nothing that could be lost."""
        process = self._process
        if process is None:
            return
        with suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        # Somebody else may hold the other ends of the pipes.
        process._transport.close()  # type: ignore[attr-defined]
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING):
                await process.wait()
        self.exited.cancel()
        self._process = self.pid = None
