"""Every bad request gets a typed, helpful answer, and changes nothing."""

import json
import secrets
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.web.routes.bad_requests import ALL, JSON, MATCHES, READING, SEATS, Bad, act, new
from tests.web.support import Frozen, Visitor, all_rows
from zerosum.web.refusals import STATUS, Refused
from zerosum.web.routes.request_schemas import ACTS, NewMatch, parse
from zerosum.web.tables.tokens import COOKIE


class Scene(NamedTuple):
    """A server with matches in all stages, and people of all kinds."""

    server: Frozen
    ids: dict[str, str]
    people: dict[str, Visitor]
    stored: list[Any]

    def ask(self, bad: Bad) -> httpx.Response:
        """Send a bad request."""
        method = "GET" if bad.body is None and bad.content is None else "POST"
        path = bad.path
        for name, id_ in self.ids.items():
            path = path.replace(f"{{{name}}}", id_)
        headers, content = dict(bad.headers), bad.content
        if bad.body is not None:
            # Halves of letters are fine in JSON, if they are escaped.
            headers, content = {**JSON, **headers}, json.dumps(bad.body)
        return self.people[bad.by].wire.request(method, path, headers=headers, content=content)

    def is_untouched(self) -> bool:
        """Return whether nothing that is stored has changed since the last call."""
        before, self.stored[:] = list(self.stored), [all_rows(self.server.db)]
        return before == self.stored

    def seen(self) -> list[Any]:
        """All that everybody can see, in all matches."""
        return [
            visitor.get(f"/api/v1/matches/{id_}").json()
            for visitor in (self.people["ada"], self.people["bob"], self.people["nobody"])
            for id_ in self.ids.values()
        ]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("refusals")
    # Nothing happens by itself here.
    thinking: dict[str, Any] = {"processes": True, "solver_positions": 5000}
    with Frozen(folder / "a.db", **thinking) as server:
        ada, bob, eve = server.visitor(), server.visitor(), server.visitor()

        def made(join: bool = True, **fields: Any) -> str:
            id_: str = ada.create(**fields)["id"]
            if join:
                bob.join(id_)
            return id_

        ids = {}
        ids["live"] = ada.create(key="ada-makes-a-live-match")["id"]
        bob.join(ids["live"], key="bobs-way-to-the-seat-1")
        ada.do("move", move="1", key="used-for-a-move-of-adas")
        bob.do("move", move="1")
        ids["private"] = made(watch=False)
        ids["waiting"] = made(join=False)
        ids["over"] = made()
        for who, action, more in ((ada, "move", "1"), (bob, "move", "1"), (bob, "resign", "")):
            who.do(action, **({"move": more} if more else {}))
        ids["alone"] = made(join=False, mode="bot", level="random")
        ids["bots_turn"] = made(join=False, mode="bot", level="random", first="2")
        ids["series"] = made(games=3)
        ada.do("resign")
        eve.create()
        seat = eve.wire.client.cookies
        forger, clown = server.visitor(), server.visitor()
        people = {"ada": ada, "bob": bob, "eve": server.visitor(), "nobody": server.visitor()}
        people |= {"forger": forger, "clown": clown}
        for visitor, token in (
            (people["eve"], next(iter(seat.jar)).value),
            (forger, secrets.token_urlsafe(48)),
            (clown, "let me in"),
        ):
            client = visitor.wire.client
            client.headers["cookie"] = f"{COOKIE}={token}"
        scene = Scene(server, ids, people, [all_rows(server.db)])
        before = scene.seen()
        yield scene
        assert scene.seen() == before


@pytest.mark.parametrize("bad", ALL, ids=[f"{bad.code}: {bad.what}" for bad in ALL])
def test_bad_request_is_refused_and_changes_nothing(scene: Scene, bad: Bad) -> None:
    answer = scene.ask(bad)
    assert answer.headers["content-type"] == "application/json", answer.text
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (STATUS[bad.code], bad.code), error
    assert len(error["message"].split()) > 2
    assert error["message"][-1] == "."
    assert "set-cookie" not in answer.headers
    if bad.code in ("invalid", "unreadable_move") and bad.body is not None:
        assert error.get("field") or bad.path in ("/api/v1/puzzle",)
    assert scene.is_untouched()


def test_refusals_carry_helpful_details(scene: Scene) -> None:
    stale = scene.ask(act("", "stale", ply=0)).json()["error"]
    assert stale["ply"] == 2
    assert stale["state"]["you"] == [0]
    assert stale["state"]["turn"]["yours"]
    illegal = scene.ask(act("", "illegal_move", move="7")).json()["error"]
    assert illegal["legal"]
    field = scene.ask(new("", options={"start": "many"})).json()["error"]["field"]
    assert field == "options.start"


def test_refusal_reveals_nothing_to_strangers(scene: Scene) -> None:
    """Not the position, not the names, not whose turn it is."""
    for bad in (*SEATS, *READING):
        if bad.by in ("eve", "forger") and "private" in bad.path:
            assert "Bob" not in scene.ask(bad).text
            assert "ply" not in scene.ask(bad).json()["error"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["move", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
names = st.sampled_from(["key", "ply", "action", "move", "offer", "game", "options", "x"])


@given(
    (st.dictionaries(names, values).map(json.dumps) | st.text()).map(
        lambda text: text.encode("utf-8", "surrogatepass")
    )
    | st.binary()
)
@example(b'{"action": "\\ud800"}')
@example(b'{"key": "%s", "action": "undo", "ply": 1e999}' % (b"k" * 22))
@example(b'{"action": "undo", "action": 1, "ply": 1}')
@example(b"[" * 20_000)
def test_any_body_is_read_or_refused(body: bytes) -> None:
    for kinds in (ACTS, (NewMatch,)):
        with suppress(Refused):
            parse(body, *kinds)


def test_opening_a_link_takes_no_seat_on_the_server(scene: Scene) -> None:
    """Link previews open links, and so do people who only look."""
    id_, nobody = scene.ids["waiting"], scene.people["nobody"].wire
    for path in (f"/m/{id_}", f"{MATCHES}/{id_}", f"{MATCHES}/{id_}/qr.svg"):
        for method in ("GET", "HEAD"):
            answer = nobody.request(method, path)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
    assert scene.is_untouched()
