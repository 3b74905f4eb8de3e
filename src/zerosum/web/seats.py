"""Tokens for seats: made from the server's secret, kept in a cookie, stored as a digest."""

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
    """Make the token of a seat; who asks again with the same key gets the same seat.

    So an answer that is lost on its way costs nobody their seat. Without the secret nobody can
    make it, and the key is as random as the token.

    >>> len(token_for(b"secret", "abc", "k" * 32))
    43
    """
    made = hmac.new(secret, f"{table} {key}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def digest_of(token: str) -> str:
    """Give what the store keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def held(request: Request) -> str | None:
    """Give the digest of the token that a request carries, if it has one."""
    token = request.cookies.get(COOKIE, "")
    return digest_of(token) if len(token) == LENGTH else None


def give(response: Response, table: str, token: str, secure: bool) -> None:
    """Hand a seat over in a cookie that no script reads, and that only its match gets."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=AGE,
        path=f"/m/{table}",
        secure=secure,
        httponly=True,
        samesite="lax",
    )
