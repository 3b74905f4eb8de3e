"""One solver process, as the server sees it: started, asked, and ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress

from zerosum.web.analysis.frames import HEAD, LONGEST, framed

# Seconds for a process to start; nothing is asked before.
STARTING = 60.0
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from zerosum.web.analysis.worker import main; main()"
)
# One question, one core.
ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# What a game's rules must not see.
PRIVATE = ("ZEROSUM_DB",)


class Gone(Exception):
    """The process ended before it answered."""


class Process:
    """A slot for one process, which is replaced when it dies."""

    def __init__(self, setting: bytes) -> None:
        """Take the first message for every process."""
        self._setting = setting
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        """The process id, if there is a process."""
        return None if self._process is None else self._process.pid

    async def begin(self) -> None:
        """Start a process if there is none, and wait until it is ready."""
        if self._process is not None:
            return
        around = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", BEGIN, json.dumps(sys.path)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**around, **dict.fromkeys(ONE_CORE, "1")},
                start_new_session=True,  # so that Ctrl-C in a terminal reaches the server only
            )
            async with asyncio.timeout(STARTING):
                await self.ask(self._setting)
        except OSError as error:  # TimeoutError is one, too
            await self.end()
            raise Gone from error
        except BaseException:
            await self.end()
            raise

    async def ask(self, message: bytes) -> bytes:
        """Send a message and wait for the answer; one at a time."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise Gone
        try:
            process.stdin.write(framed(message))
            await process.stdin.drain()
            (size,) = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
            if size > LONGEST:
                raise Gone
            return await process.stdout.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Gone from error

    async def end(self) -> None:
        """Kill the process, whatever it does; it holds nothing that could be lost."""
        process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        if process.stdout is not None:
            with suppress(ConnectionError):
                while await process.stdout.read(1 << 16):
                    pass
        await process.wait()
        self._process = None
