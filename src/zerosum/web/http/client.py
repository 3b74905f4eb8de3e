"""Who is calling, and by which host name they reach this server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, NamedTuple

from zerosum.web.http.answers import usual
from zerosum.web.refusals import Refused
from zerosum.web.settings import Settings, is_loopback

if TYPE_CHECKING:
    from starlette.types import Scope

Headers = Mapping[bytes, bytes]

# If these appeared twice, a proxy and this server might each believe a different one.
SINGLE = frozenset(
    {
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"host",
        b"origin",
        b"sec-fetch-site",
        b"transfer-encoding",
    }
)
HOST = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PORTS = {"http": ":80", "https": ":443"}
OWN_SITE = (b"same-origin", b"none")


class Caller(NamedTuple):
    """The address that limits count by, the server's host name, and the scheme if known."""

    client: str
    host: str
    scheme: str | None


def admitted(scope: Scope, client: str, settings: Settings) -> Caller:
    """Check everything but the body; refuse what none of our pages would send."""
    headers = headers_of(scope["headers"], settings.limits.header_lines)
    caller = caller_of(client, headers, settings)
    path, most = scope["path"], settings.limits.path_letters
    if max(len(path), len(scope.get("raw_path") or b"")) > most:
        raise Refused("no_page", f"There is no such page; a path has at most {most} characters.")
    if "\x00" in path or b"%00" in scope["query_string"]:
        raise Refused("malformed", "The address contains a null character.")
    method = scope["method"]
    if method not in METHODS:
        raise usual(405, method)
    check_origin(method, headers, caller)
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise Refused("media_type", "The body must not be compressed; nothing was changed.")
    return caller


def headers_of(given: Iterable[tuple[bytes, bytes]], most: int) -> dict[bytes, bytes]:
    """Index headers by name (the last one counts); refuse what no browser sends."""
    found: dict[bytes, bytes] = {}
    for count, (name, value) in enumerate(given, 1):
        if name in found and name in SINGLE:
            raise Refused("malformed", f"The header {name.decode('latin-1')[:40]} appears twice.")
        if count > most:
            raise Refused("malformed", f"The request has more than {most} headers.")
        found[name] = value
    return found


def client_of(peer: str, headers: Headers, settings: Settings) -> str:
    """Return the client's address: the peer's, or the one a trusted proxy reports.

    The proxy appends the address it was called from to X-Forwarded-For; everything before that
    was written by the client, who can write anything.

    >>> behind = Settings("", trust_proxy=True)
    >>> client_of("127.0.0.1", {b"x-forwarded-for": b"1.1.1.1, 192.0.2.7"}, behind)
    '192.0.2.7'
    """
    seen = headers.get(b"x-forwarded-for") if settings.trust_proxy else None
    if seen is not None:
        last = seen.decode("latin-1").rpartition(",")[2].strip()
        return cut(last) or cut(peer) or peer
    return cut(peer) or peer


@lru_cache(maxsize=4096)  # called for every request
def cut(address: str) -> str:
    """Return an address as limits count it: of IPv6, the prefix of one household.

    >>> [cut(a) for a in ("192.0.2.7", "192.0.2.7:80", "2001:db8::1", "[2001:db8::2]:80", "x")]
    ['192.0.2.7', '192.0.2.7', '2001:db8::/64', '2001:db8::/64', '']
    """
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


def caller_of(client: str, headers: Headers, settings: Settings) -> Caller:
    """Return the caller with the host name they used; refuse one that is not valid."""
    host = headers.get(b"host", b"")
    scheme: str | None = "http"
    if settings.trust_proxy:
        if b"x-forwarded-host" in headers:
            host = headers[b"x-forwarded-host"].rpartition(b",")[2].strip()
        proto = headers.get(b"x-forwarded-proto", b"").rpartition(b",")[2].strip().lower()
        scheme = {b"http": "http", b"https": "https"}.get(proto)
    name = host.decode("latin-1").lower()
    if not HOST.fullmatch(name):
        raise Refused("malformed", "The Host header is missing or not valid.")
    if settings.loopback and not settings.trust_proxy and not is_loopback(_without_port(name)):
        # DNS rebinding: another site could point its name at our address and read everything.
        raise Refused(
            "origin",
            "This server answers only to localhost. To let others in, start it with "
            "--host 0.0.0.0, or behind a proxy with --trust-proxy.",
        )
    return Caller(client, name, scheme)


def _without_port(host: str) -> str:
    """Return the host name in a Host header."""
    return host if host.endswith("]") else host.rpartition(":")[0] or host


def check_origin(method: str, headers: Headers, caller: Caller) -> None:
    """Refuse cross-site requests from browsers; programs send no origin."""
    if method in SAFE:
        return
    site = headers.get(b"sec-fetch-site")
    origin = headers.get(b"origin")
    if (site is None or site in OWN_SITE) and (origin is None or _is_own(origin, caller)):
        return
    raise Refused(
        "origin",
        "This request comes from another site; nothing was changed. If it does not, the proxy in "
        "front of the server does not pass on the host name and scheme.",
    )


def _is_own(origin: bytes, caller: Caller) -> bool:
    """Return whether an origin is this server's own; `null` never is."""
    scheme, _, host = origin.decode("latin-1").lower().partition("://")
    if scheme not in PORTS or (caller.scheme or scheme) != scheme:
        return False
    usual = PORTS[scheme]
    return host.removesuffix(usual) == caller.host.removesuffix(usual)
