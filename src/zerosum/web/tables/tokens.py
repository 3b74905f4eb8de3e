"""What is derived from the server's secret: seat tokens, tickets to watch, and owners."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

from starlette.requests import Request
from starlette.responses import Response

COOKIE = "seat"
# 32 bytes in base64 without padding.
TOKEN = re.compile(rf"(?:^|;)\s*{COOKIE}=([\w-]{{43}})\s*(?:;|$)", re.ASCII)
AGE = 90 * 24 * 3600


def token_for(secret: bytes, table: str, key: str) -> str:
    """Derive the token of a seat; the same key always gives the same seat.

    So a lost answer costs nobody their seat. Without the secret nobody can derive a token, and
    the key is as random as the token.

    >>> len(token_for(b"secret", "abc", "k" * 32))
    43
    """
    made = hmac.new(secret, f"{table} {key}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def digest_of(secret: str) -> str:
    """Digest a token or a key: reading the store must not give anyone a seat."""
    return hashlib.sha256(secret.encode()).hexdigest()


def owner_of(secret: bytes, client: str) -> str:
    """Return what stands for a client in the database, which does not hold its address."""
    return hmac.new(secret, b"owner " + client.encode(), hashlib.sha256).hexdigest()[:32]


def ticket_for(secret: bytes, table: str, holder: str) -> str:
    """Return what lets a browser follow a table with a seat's view, and do nothing else."""
    body = f"{table}.{holder}"
    mac = hmac.new(secret, f"ticket {body}".encode(), hashlib.sha256).hexdigest()
    return f"{body}.{mac}"


def read_ticket(secret: bytes, ticket: str) -> tuple[str, str] | None:
    """Return the table and the holder of a ticket, or None if it is not one of ours.

    >>> read_ticket(b"secret", ticket_for(b"secret", "abc", "digest"))
    ('abc', 'digest')
    >>> read_ticket(b"other", ticket_for(b"secret", "abc", "digest"))
    """
    table, _, rest = ticket.partition(".")
    holder = rest.partition(".")[0]
    if ticket.isascii() and hmac.compare_digest(ticket, ticket_for(secret, table, holder)):
        return table, holder
    return None


def token_of(request: Request) -> str | None:
    """Return the token of a request, if it has one.

    Browsers send the cookie of a match's own path before one of the same name from elsewhere on
    this host, so the first that can be a token counts.
    """
    found = TOKEN.search(";".join(request.headers.getlist("cookie")))
    return found[1] if found else None


def holder_of(request: Request) -> str | None:
    """Return the digest of a request's token, which stands for its holder."""
    token = token_of(request)
    return None if token is None else digest_of(token)


def set_seat_cookie(request: Request, response: Response, table: str, token: str) -> None:
    """Set the seat's cookie, hidden from scripts and sent to its match only."""
    secure, path = request.url.scheme == "https", f"/m/{table}"
    response.set_cookie(COOKIE, token, AGE, path=path, secure=secure, httponly=True, samesite="lax")
