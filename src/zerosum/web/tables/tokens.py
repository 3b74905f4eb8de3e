"""What is derived from the server's secret: people's tokens, and owners."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

from starlette.requests import Request
from starlette.responses import Response

from zerosum.web.http.origins import bearer, header

COOKIE = "zerosum"
TOKEN = re.compile(rf"(?:^|;)\s*{COOKIE}=([\w-]{{64}})\s*(?:;|$)", re.ASCII)
AGE = 400 * 24 * 3600  # browsers keep no cookie longer


def token_for(secret: bytes, key: str) -> str:
    """Derive the token of a person who has none yet; the same key always gives the same token.

    So a lost answer costs nobody their seat. Without the secret nobody can derive a token, and
    nobody can guess somebody else's random key.

    >>> len(token_for(b"secret", "k" * 32))
    64
    """
    made = hmac.digest(secret, b"person " + key.encode(), hashlib.sha384)
    return base64.urlsafe_b64encode(made).decode()


def digest_of(secret: str) -> str:
    """Digest a token or a key: reading the store must not give anyone a seat."""
    return hashlib.sha256(secret.encode()).hexdigest()


def owner_of(secret: bytes, client: str) -> str:
    """Return what stands for a client in the database, which does not hold its address."""
    return hmac.new(secret, b"owner " + client.encode(), hashlib.sha256).hexdigest()[:32]


def token_of(request: Request) -> str | None:
    """Return the token of the person who sends a request, if they have one.

    One in a header counts before a cookie, which may come from another server on this host, which
    shares its cookies, or from an earlier database.
    """
    found = TOKEN.search(";".join(request.headers.getlist("cookie")))
    return bearer_of(request) or (found[1] if found else None)


def bearer_of(request: Request) -> str | None:
    """Return the token in a request's header, if there is one: programs keep no cookies."""
    return bearer(header(request.scope, b"authorization"))


def holder_of(request: Request) -> str | None:
    """Return the digest of a request's token, which stands for the holder of a seat."""
    token = token_of(request)
    return None if token is None else digest_of(token)


def set_cookie(request: Request, response: Response, token: str) -> None:
    """Set a person's only cookie, hidden from scripts, or keep it for longer."""
    if bearer_of(request) is not None:
        return
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, AGE, secure=secure, httponly=True, samesite="lax")
