"""The server that an assistant talks to: on standard input and output, or over HTTP here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.resources import files
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import uvicorn
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import INVALID_PARAMS, CallToolResult, Tool

import zerosum
from zerosum.documents import documents, dumps, schema
from zerosum.mcp.toolbox import Toolbox
from zerosum.mcp.tools import GROUPS
from zerosum.registry import BUILT_IN
from zerosum.store import Store
from zerosum.text import brief
from zerosum.web.assistants.remote_tables import RemoteTables
from zerosum.web.assistants.saved_tables import SavedTables
from zerosum.web.assistants.sealed import GameFolder
from zerosum.web.http.sockets import listen, port_of
from zerosum.wording.texts import rulebook_of

HOST, LARGEST_REQUEST = "127.0.0.1", 1 << 20
INSTRUCTIONS = (
    "Play, explain and write two-player games. Only the tools know what is legal and what is true "
    "of a position: never answer from memory, and show people what the tools answer."
)


class McpSettings(NamedTuple):
    """What an assistant may do, as it was said at the start."""

    name: str
    analysis: bool
    folder: str | None  # for games
    origins: tuple[str, ...]
    tokens: str  # the folder of its tokens at servers
    cache: str
    port: int | None  # None for standard input and output


class Door(MCPServer[Any]):
    """The SDK's server, with our own tools."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Offer tools, prompts and resources."""
        version, names = zerosum.__version__, ("zerosum", "Zerosum", None, INSTRUCTIONS)
        super().__init__(*names, version=version, log_level="ERROR")
        self._toolbox = toolbox
        for prompt in (play_with_me, teach_me_this_game, turn_this_rule_book_into_a_game):
            self.prompt(title=prompt.__name__.replace("_", " ").capitalize())(prompt)
        pages: dict[str, Callable[[], str]] = {"add-a-game": add_a_game}
        pages["schemas"] = lambda: "\n".join(f"zerosum://schemas/{name}" for name in documents())
        pages |= {f"rules/{name}": partial(rulebook_of, zerosum.game(name)) for name in BUILT_IN}
        resource = partial(FunctionResource.from_function, mime_type="text/plain")
        for name, page in pages.items():
            self.add_resource(resource(page, f"zerosum://{name}", name))
        self.resource("zerosum://schemas/{name}", mime_type="application/json")(schema_of)

    async def list_tools(self) -> list[Tool]:
        """List our tools."""
        return self._toolbox.listed

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Any = None
    ) -> Any:
        """Write a prompt; if it is called in the wrong way, say so."""
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            told = f"There is no prompt '{brief(name)}' with these arguments; see prompts/list."
            raise MCPError(INVALID_PARAMS, told) from error

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: object = None
    ) -> CallToolResult:
        """Call one of our tools."""
        return await self._toolbox.call(name, arguments)


def play_with_me(game: str = "a game") -> str:
    """Play a game with the person."""
    return _prompt("play_with_me.md").replace("{game}", game)


def teach_me_this_game(game: str = "a game") -> str:
    """Teach the person a game."""
    return _prompt("teach_me_this_game.md").replace("{game}", game)


def turn_this_rule_book_into_a_game(rules: str = "(ask for the rule book)") -> str:
    """Turn a rule book into a game that conforms, is audited, and can be played."""
    return _prompt("turn_this_rule_book_into_a_game.md").replace("{rules}", rules)


def _prompt(name: str) -> str:
    """Read a prompt."""
    return (files("zerosum.mcp") / "prompts" / name).read_text("utf-8")


def add_a_game() -> str:
    """Return the page on adding a game: of a clone, or the copy in a package."""
    home, page = Path(zerosum.__file__).parent, "add-a-game.md"
    found = home / "mcp" / page
    return (found if found.exists() else home.parents[1] / "docs" / page).read_text("utf-8")


def schema_of(name: str) -> str:
    """Return the JSON schema of a document."""
    if name not in documents():
        raise ResourceNotFoundError(f"There is no document '{brief(name)}'.")
    return dumps(schema(name))


async def serve(settings: McpSettings, store: Store, tell: Callable[[str], None]) -> None:
    """Serve an assistant until it leaves; over HTTP, tell the address."""
    games = GameFolder(settings.folder, settings.cache)
    tables = RemoteTables(settings.origins, settings.tokens, settings.name)
    about = (games, SavedTables(store, games, settings.name), tables)
    opened = (True, bool(settings.origins), settings.analysis, settings.folder is not None)
    door = Door(Toolbox(*(group(*about) for group in compress(GROUPS, opened))))
    try:
        if settings.port is None:
            await door.run_stdio_async()
        else:
            await _serve_http(door, settings.port, tell)
    finally:
        with anyio.CancelScope(shield=True):
            await games.stop()


async def _serve_http(door: Door, port: int, tell: Callable[[str], None]) -> None:
    """Serve over HTTP: only this machine, and no page of another site in its browser."""
    with listen(HOST, port) as listening:
        hosts = [f"{host}:{port_of(listening)}" for host in (HOST, "localhost")]
        app = door.streamable_http_app(
            stateless_http=True,
            max_request_body_size=LARGEST_REQUEST,
            transport_security=TransportSecuritySettings(
                allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
            ),
        )
        tell(f"http://{hosts[0]}/mcp")
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
        await uvicorn.Server(config).serve([listening])
