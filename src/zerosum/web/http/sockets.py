"""What the server takes from the machine: a port, and open files."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress
from dataclasses import replace

from zerosum.errors import ZerosumError
from zerosum.text import brief
from zerosum.web.limits import ServerLimits
from zerosum.web.settings import is_loopback

BACKLOG = 2048
# Kernel buffer per client that does not read; Linux doubles it.
SEND_BUFFER = 65_536
# Open files besides connections.
OTHER_FILES = 200
# For hosts that mean every address: how to reach one from here, and addresses elsewhere: on the
# internet, and in networks of homes and offices, of which the machine may be in several.
HERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
OTHERS = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
AWAY = {"": OTHERS, "0.0.0.0": OTHERS, "::": (*OTHERS, "2001:db8::1")}  # noqa: S104


class ServeError(ZerosumError):
    """The server cannot start, for a reason that the user can fix."""


def listen(host: str, port: int, send_seconds: float = ServerLimits.send_seconds) -> socket.socket:
    """Open a listening socket; port 0 picks a free one."""
    name = host.strip("[]") or None
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        made = socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except (OSError, UnicodeError) as error:
        raise ServeError(_why(error, host, port)) from error
    # Every connection inherits these.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # the kernel detects clients that vanished
        most = max(1, int(1000 * send_seconds))
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, most)
    return made


def _why(error: OSError | UnicodeError, host: str, port: int) -> str:
    """Say why a port cannot be used, and what to try."""
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return (
            f"Port {port} is already in use, perhaps by another Zerosum server. Try --port "
            f"{port + 1 if port < 65_535 else 8000}, or --port 0 for any free port."
        )
    if code == errno.EACCES:
        return f"Port {port} needs administrator rights; try --port 8000."
    if code == errno.EADDRNOTAVAIL or isinstance(error, (socket.gaierror, UnicodeError)):
        return (
            f"--host: '{brief(host)}' is not an address of this machine. Use 127.0.0.1 for this "
            "machine only, 0.0.0.0 to let others on the network in."
        )
    return f"Cannot listen on {brief(host)}, port {port}: {error}."


def port_of(listening: socket.socket) -> int:
    """Return the port, which the system may have chosen."""
    port: int = listening.getsockname()[1]
    return port


def url(host: str, port: int) -> str:
    """Return the address for a browser.

    >>> url("0.0.0.0", 8000), url("::1", 80)
    ('http://127.0.0.1:8000/', 'http://[::1]/')
    """
    name = host.strip("[]")
    name = HERE.get(name, name)
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}{'' if port == 80 else f':{port}'}/"


def network_urls(host: str, port: int) -> list[str]:
    """List the addresses for others on the network, the likeliest first, if it listens for them."""
    found = []
    for target in AWAY.get(host.strip("[]"), ()):
        family = socket.AF_INET6 if ":" in target else socket.AF_INET
        # Nothing is sent: the system only picks the address it would send from.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(probe.getsockname()[0])
    return list(dict.fromkeys(url(name, port) for name in found if not is_loopback(name)))


def with_room(limits: ServerLimits) -> ServerLimits:
    """Raise the limit of open files, and lower that of connections to fit."""
    try:
        import resource
    except ImportError:
        return limits
    wanted = limits.connections_total + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        room = max(1, soft - min(OTHER_FILES, soft // 2))
        limits = replace(limits, connections_total=min(limits.connections_total, room))
    return limits
