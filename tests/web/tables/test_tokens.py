"""Seat tokens: which cookie counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request

from tests.web.support import Inside, new_key
from zerosum.web.tables.tokens import digest_of, holder_of

MINE, OTHER = "a-_Z" * 10 + "abc", "b" * 43


def holder(*cookies: str) -> str | None:
    """Return the digest that a request with these Cookie headers holds."""
    headers = [(b"cookie", cookie.encode("latin-1")) for cookie in cookies]
    return holder_of(Request({"type": "http", "headers": headers}))


@pytest.mark.parametrize(
    "cookies",
    [
        [f"seat={MINE}"],
        [f"theme=dark; seat={MINE};x=y"],
        # Browsers put the cookie of the longest path first.
        [f"seat={MINE}; seat={OTHER}"],
        [f"seat={MINE}", f"seat={OTHER}"],
        # Another program on this host may use the same name.
        [f"seat=A4; seat={MINE}"],
        [f"seat={MINE}; seat="],
        [f"seat={OTHER}x; seat={MINE}; seat=12"],
        [f"seat={'é' * 43}; seat={MINE}"],
        [f"myseat={OTHER}; seat={MINE}"],
    ],
)
def test_first_cookie_that_can_be_a_token_counts(cookies: list[str]) -> None:
    assert holder(*cookies) == digest_of(MINE)


@pytest.mark.parametrize("cookies", [[], ["seat="], ["seat=12"], [f"seat={MINE}x"], [f"x={MINE}"]])
def test_without_a_token_nothing_is_held(cookies: list[str]) -> None:
    assert holder(*cookies) is None


def test_rematch_has_the_token_of_the_seat_whatever_follows_it(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db") as server:
        ada = server.visitor()
        made = ada.post("/m", {"key": new_key(), "game": "even-steven", "mode": "here"})
        ada.id = made.json()["id"]
        ada.do("resign", ply=0)
        ada.do("rematch", ply=1)
        seat = made.headers["set-cookie"].partition(";")[0]
        stranger = server.visitor()
        headers = {"cookie": f"{seat}; seat={OTHER}"}
        answer = stranger.get(f"/m/{ada.id}/next", headers=headers)
        assert answer.headers["set-cookie"].partition(";")[0] == seat
