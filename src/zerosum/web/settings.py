"""The server's settings."""

from __future__ import annotations

import os
import shlex
from functools import lru_cache
from ipaddress import ip_address
from typing import NamedTuple

from zerosum.store.address import is_address
from zerosum.web.limits import ServerLimits


class ServerSettings(NamedTuple):
    """The database, where to listen, and the limits."""

    db: str
    host: str = "127.0.0.1"
    port: int = 8000
    trust_proxy: bool = False
    workers: int = 1
    files: tuple[str, ...] = ()
    cache: str | None = None
    limits: ServerLimits = ServerLimits()
    open: bool = False
    engines: tuple[tuple[str, str], ...] = ()  # names and command lines of programs that play
    bots: bool = False  # whether those that are open to challenges are listed
    quiet: bool = False
    typed: tuple[str, ...] = ()  # what else the command line said, --host left out

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    @property
    def lan_command(self) -> str:
        """The command that starts this server for everyone on the local network."""
        arguments = shlex.join(("--host", "0.0.0.0", *self.typed))  # noqa: S104
        if "MAKELEVEL" in os.environ:  # which make sets for the commands that it runs
            return f'make web ARGS="{arguments}"'
        return f"zerosum web {arguments}"

    @property
    def shared(self) -> bool:
        """Whether several processes can share the database."""
        return is_address(self.db)


@lru_cache(maxsize=1024)  # called for every request
def is_loopback(host: str) -> bool:
    """Return whether a name or address always means this machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
