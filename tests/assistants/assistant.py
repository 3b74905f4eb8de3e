"""An assistant: the SDK's own client, on standard input and output or over HTTP."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tests.helpers import PATIENCE, ZEROSUM, clean_env

# The SDK takes a third of a second to load: not in each process that collects tests.
if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

T = TypeVar("T")


class Refusal(Exception):
    """A call that was refused: its code, its sentence, and what is legal."""

    def __init__(self, result: CallToolResult) -> None:
        super().__init__(text_of(result))
        error = result.structured_content["error"]
        self.code, self.legal = error["code"], error.get("legal", [])


class Assistant:
    """A client, whose loop runs in a thread of its own: browsers are in the way of another."""

    def __init__(self, home: Path, *args: str, url: str = "", **env: str) -> None:
        """Take the home of the user and the flags, or the address of a server that runs."""
        from mcp import StdioServerParameters

        self.home, self.url, self.heard = home, url, ""
        self.server = StdioServerParameters(
            command=ZEROSUM[0],
            args=[*ZEROSUM[1:], "mcp", *args],
            env=clean_env(home, **env),
            cwd=home,
        )

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="assistant")
        self._thread.start()
        self._ready: asyncio.Future[Client] = self._loop.create_future()
        self._done = asyncio.Event()
        self._life = asyncio.run_coroutine_threadsafe(self._live(), self._loop)
        self.client = self.run(self._wait())
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._done.set)
        self._life.result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _wait(self) -> Client:
        return await self._ready

    async def _live(self) -> None:
        """Enter and leave the client in one task."""
        from mcp import Client

        try:
            async with Client(self.url or self.server) as client:
                self._ready.set_result(client)
                await self._done.wait()
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(error)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the client's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def ask(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool; the SDK checks what it answers by the schema that was listed."""
        result = self.run(self.client.call_tool(tool, arguments))
        assert "Traceback" not in text_of(result)
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, and return its document."""
        result = self.ask(tool, **arguments)
        if result.is_error:
            raise Refusal(result)
        document: dict[str, Any] = result.structured_content
        return document

    def tools(self) -> dict[str, dict[str, Any]]:
        """List the tools, with the schemas of their arguments."""
        listed = self.run(self.client.list_tools()).tools
        assert all(tool.description and tool.output_schema for tool in listed)
        return {tool.name: tool.input_schema for tool in listed}

    def refused(self, tool: str, code: str, *says: str, **arguments: Any) -> Refusal:
        """Expect a refusal: one or two sentences, with a code."""
        result = self.ask(tool, **arguments)
        assert result.is_error, result.structured_content
        refusal = Refusal(result)
        told = str(refusal)
        assert refusal.code == code, (refusal.code, told)
        assert len(told) < 700, told
        assert told[-1] in ".?", told
        for text in says:
            assert text in told, told
        return refusal


def text_of(result: CallToolResult) -> str:
    """Return the short text of an answer."""
    (content,) = result.content
    return str(getattr(content, "text", ""))


class HttpDoor:
    """`zerosum mcp --http` as a process, on the same port after every restart."""

    def __init__(self, home: Path, *args: str) -> None:
        self.home, self.args, self.port = home, args, 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, and wait for its address."""
        self.process = subprocess.Popen(
            [*ZEROSUM, "mcp", "--http", "--port", str(self.port), *self.args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=sys.stderr,
            env=clean_env(self.home),
            cwd=self.home,
        )
        assert self.process.stdout
        found = re.search(rb"http://127.0.0.1:(\d+)/mcp", self.process.stdout.readline())
        assert found
        self.port = int(found[1])

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.communicate()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/mcp"
