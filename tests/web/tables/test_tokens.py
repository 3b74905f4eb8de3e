"""People's tokens: which cookie counts, and who has one."""

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tests.web.support import Inside, new_key
from zerosum.web.tables.tokens import digest_of, holder_of, set_cookie, token_for

MINE, OTHER = token_for(b"secret", "ada"), token_for(b"secret", "bob")


@pytest.mark.parametrize(
    ("cookies", "held"),
    [
        ([f"zerosum={MINE}"], MINE),
        ([f"theme=dark; zerosum={MINE};x=y"], MINE),
        ([f"zerosum={MINE}; zerosum={OTHER}"], MINE),
        ([f"zerosum={MINE}", f"zerosum={OTHER}"], MINE),
        # Another program on this host may use the same name.
        ([f"zerosum=A4; zerosum={MINE}"], MINE),
        ([f"seat=A4; zerosum={MINE}; zerosum="], MINE),
        ([f"zerosum={OTHER}x; zerosum={MINE}; zerosum=12"], MINE),
        ([f"zerosum={'é' * 64}; zerosum={MINE}"], MINE),
        ([f"myzerosum={OTHER}; zerosum={MINE}"], MINE),
        *(([cookie], None) for cookie in ("", "zerosum=", "zerosum=12", f"zerosum={MINE}x")),
        ([f"x={MINE}"], None),
        ([], None),
    ],
)
def test_first_cookie_that_can_be_a_token_counts(cookies: list[str], held: str | None) -> None:
    headers = [(b"cookie", cookie.encode("latin-1")) for cookie in cookies]
    holder = holder_of(Request({"type": "http", "headers": headers}))
    assert holder == (held and digest_of(held))


def test_one_cookie_holds_every_seat_of_250_matches(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db") as server:
        ada, bob = server.visitor(), server.visitor()
        ids = []
        for number in range(77):
            ids.append(ada.create("even-steven", mode="here")["id"])
            ids.append(ada.create("even-steven")["id"])
            ids.append(bob.create("even-steven", watch=False)["id"])
            ada.join(ids[-1])
            if number % 4 == 0:
                ada.do("resign")
                ada.do("rematch")
                bob.do("rematch")
                again = ada.get(f"/m/{ids[-1]}/next").headers["location"]
                ids.append(again.removeprefix("/m/"))
        cookies = list(ada.wire.client.cookies.jar)
        assert [(cookie.name, cookie.path) for cookie in cookies] == [("zerosum", "/")]
        assert len(str(cookies[0].value)) == 64, "a head stays small"
        # A browser that keeps a single cookie keeps every seat.
        headers, browser = {"cookie": f"zerosum={cookies[0].value}"}, server.visitor()
        seats = [
            browser.get(f"/api/v1/matches/{id_}", headers=headers).json()["you"] for id_ in ids
        ]
        assert len(seats) == 251
        assert all(seats)


def test_cookie_is_hidden_from_scripts_and_kept_for_longer_at_the_table(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db") as server:
        ada, eve = server.visitor(), server.visitor()
        new = {"key": new_key(), "game": "even-steven", "mode": "friend"}
        made = ada.post("/api/v1/matches", new)
        cookie, *attributes = made.headers["set-cookie"].split("; ")
        assert {"HttpOnly", "Path=/", "SameSite=lax", "Max-Age=34560000"} <= set(attributes)
        page = f"/m/{made.json()['id']}"
        assert ada.get(page).headers["set-cookie"].startswith(cookie)
        assert "set-cookie" not in eve.get(page).headers


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookie_is_secure_where_the_site_is(scheme: str) -> None:
    scope = {"type": "http", "scheme": scheme, "server": ("x.org", 80), "path": "/", "headers": []}
    response = Response()
    set_cookie(Request(scope), response, MINE)
    assert ("Secure" in response.headers["set-cookie"]) == (scheme == "https")
