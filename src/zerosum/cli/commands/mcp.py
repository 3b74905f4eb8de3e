"""`zerosum mcp`: the door for assistants."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, cache_dir, tokens_folder
from zerosum.errors import MissingExtra, ZerosumError
from zerosum.match import NAMES, check_players
from zerosum.registry import loading

ASSISTANT = "Assistant"
WAITING = (
    "Waiting for an assistant on standard input. A client such as Claude Desktop starts this "
    "command by itself: see docs/assistants.md. Ctrl-C stops."
)


@flags.command()
@click.option(
    "--name", default="", metavar="NAME", help="What the assistant is called, such as Claude."
)
@click.option(
    "--analysis", is_flag=True, help="Offer hint, solve and explain; leave it off to test a model."
)
@click.option(
    "--games",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="Let it write, check, audit and play games in this folder.",
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="ORIGIN",
    help="Let it sit at tables of this server, such as http://127.0.0.1:8000.",
)
@click.option("--http", is_flag=True, help="Listen on this machine, instead of standard input.")
@flags.number("--port", "Port for --http; 0 picks a free one.", 8765, least=0, most=65_535)
@flags.common
def mcp(
    settings: Settings,
    name: str,
    analysis: bool,
    games: str | None,
    servers: tuple[str, ...],
    http: bool,
    port: int,
) -> None:
    """Let an assistant play, explain and write games, by the Model Context Protocol.

    Its matches are saved like yours. It reaches no other server than those named here, and writes
    no file outside DIR. docs/assistants.md has the configuration of the usual clients.
    """
    try:
        import anyio

        from zerosum.mcp.server import McpSettings, serve
        from zerosum.web.assistants.remote_tables import origin_of
    except ModuleNotFoundError as error:
        raise MissingExtra("Serving an assistant", "mcp") from error
    if games is not None and os.name == "nt":
        raise ZerosumError("--games needs Linux or macOS: Windows cannot limit a process.")
    called = f"{name} (assistant)" if name else ASSISTANT
    check_players((NAMES[0], called))
    if not http and sys.stdin.isatty():
        settings.err.paragraph(WAITING)
    wanted = McpSettings(
        name=called,
        analysis=analysis,
        folder=games,
        origins=tuple(map(origin_of, servers)),
        tokens=tokens_folder("assistants"),
        cache=cache_dir(),
        port=port if http else None,
    )

    def tell(address: str) -> None:
        settings.out.line(f"Assistants connect to {address}; Ctrl-C stops.")
        settings.out.stream.flush()

    store, before = settings.store(), loading.before_loading
    loading.before_loading = _never
    if not http:
        signal.signal(signal.SIGINT, _leave)
    try:
        anyio.run(serve, wanted, store, tell)
    finally:
        loading.before_loading = before


def _leave(*_: object) -> NoReturn:
    """End at once: a thread that reads standard input cannot be interrupted; all is saved."""
    os._exit(130)


def _never(name: str) -> None:
    """Refuse to load anybody's game in this process; others have it."""
    raise ZerosumError(f"{name} is not loaded by the server itself.")
