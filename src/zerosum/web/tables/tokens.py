"""Seat tokens: derived from the server's secret, sent as a cookie, stored as a digest."""

from __future__ import annotations

import base64
import hashlib
import hmac

from starlette.requests import Request
from starlette.responses import Response

COOKIE = "seat"
LENGTH = 43  # of 32 bytes in base64 without padding
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


def digest_of(token: str) -> str:
    """Return the digest of a token, which the store holds."""
    return hashlib.sha256(token.encode()).hexdigest()


def held(request: Request) -> str | None:
    """Return the digest of a request's token, if it has one."""
    token = request.cookies.get(COOKIE, "")
    return digest_of(token) if len(token) == LENGTH else None


def give(response: Response, table: str, token: str, secure: bool) -> None:
    """Set the seat's cookie, hidden from scripts and sent to its match only."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=AGE,
        path=f"/m/{table}",
        secure=secure,
        httponly=True,
        samesite="lax",
    )
