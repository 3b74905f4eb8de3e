"""Where the server listens, and its address for people."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from dataclasses import replace

from zerosum.errors import ZerosumError
from zerosum.text import brief
from zerosum.web.http.limits import Limits

BACKLOG = 2048
# Kernel buffer per client that does not read; Linux doubles it.
SEND_BUFFER = 65_536
# Open files besides connections.
OTHER_FILES = 200
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (what is printed for it)


class ServeError(ZerosumError):
    """The server cannot start, for a reason that the user can fix."""


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; port 0 picks a free one."""
    name = host.strip("[]")
    try:
        found = socket.getaddrinfo(
            name or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        raise ServeError(
            f"--host: '{brief(host)}' is not an address of this machine. Use 127.0.0.1 for this "
            "machine only, 0.0.0.0 to let others on the network in."
        ) from error
    family, kind, protocol, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    made = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise ServeError(_why(error, host, port)) from error
    return made


def _why(error: OSError, host: str, port: int) -> str:
    """Say why a port cannot be used, and what to try."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is already in use, perhaps by another Zerosum server. Try --port "
            f"{port + 1 if port < 65_535 else 8000}, or --port 0 for any free port."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} needs administrator rights; try --port 8000."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host: {brief(host)} is not an address of this machine; 0.0.0.0 means all."
    return f"Cannot listen on {brief(host)}, port {port}: {error.strerror or error}."


def port_of(listening: socket.socket) -> int:
    """Return the port, which the system may have chosen."""
    port: int = listening.getsockname()[1]
    return port


def url(host: str, port: int) -> str:
    """Return the address for a browser.

    >>> url("0.0.0.0", 8000), url("::1", 80)
    ('http://127.0.0.1:8000/', 'http://[::1]/')
    """
    name = host.strip("[]") or "0.0.0.0"  # noqa: S104
    name = EVERYWHERE.get(name, name)
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}{'' if port == 80 else f':{port}'}/"


def network_url(host: str, port: int) -> str | None:
    """Return the address for others on the network, if the server listens for them."""
    name = host.strip("[]") or "0.0.0.0"  # noqa: S104
    if name not in EVERYWHERE:
        return None
    # Nothing is sent: the system only picks the address it would send from.
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        if family == socket.AF_INET6 and name != "::":
            continue
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))
            return url(probe.getsockname()[0], port)
    return None


def with_room(limits: Limits) -> Limits:
    """Raise the limit of open files, and lower that of connections to fit."""
    try:
        import resource
    except ImportError:
        return limits
    wanted = limits.connections_total + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    if soft == endless or soft >= wanted:
        return limits
    most = wanted if hard == endless else min(wanted, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    room = max(1, soft - min(OTHER_FILES, soft // 2))
    return replace(limits, connections_total=min(limits.connections_total, room))
