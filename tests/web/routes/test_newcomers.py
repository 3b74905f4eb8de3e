"""How newcomers get in: lessons, a first game, forms, invitations, browsers without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest

from tests.game_files import NOUGHTS
from tests.web.routes.elements import Elements
from tests.web.support import Inside, new_key

HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("newcomers") / "a.db", files=(NOUGHTS,)) as server:
        yield server


def test_introduction_answers_every_move_of_every_lesson(server: Inside) -> None:
    ada = server.visitor()
    for name in ("even-steven", "digit-battle", "noughts-and-crosses"):
        page = Elements(ada.get(f"/learn/{name}", headers=HTML).text)
        assert len(page.all("section")) == 3
        assert all(move["data-said"] for move in page.all("button", name="try"))
        assert {"yes", "no"} == {move["data-right"] for move in page.all("button", name="try")}
    found = ada.get("/learn/nothing", headers=HTML)
    assert found.status_code == 404


def test_first_game_can_be_won(server: Inside) -> None:
    ada = server.visitor()
    for name, level, begins in (
        ("even-steven", "random", 1),
        ("even-steven", "medium", 1),
        ("divisor-duel", "random", 0),
    ):
        seen = ada.create(name, mode="bot", level=level, first="auto")
        assert seen["players"][0]["seat"] == begins
        page = Elements(ada.get(f"/m/{ada.id}", headers=HTML).text)
        assert len(page.all("p", id="begins")) == begins
    assert ada.create("even-steven", mode="bot", first="1")["turn"]["yours"]
    assert ada.create("even-steven", mode="here", first="auto")["turn"]["player"] == 0


def test_every_wrong_field_is_marked_at_once(server: Inside) -> None:
    wrong = {"option.start": "-4", "option.subtract_two": "maybe", "clock": "soon", "games": "0"}
    form = {"key": new_key(), "game": "even-steven", "names": ["Ada", "ada"], **wrong}
    found = server.visitor().post("/m", data=form, headers=HTML)
    assert found.status_code == 422
    page = Elements(found.text)
    marked = {field["name"] for field in page.all("input") if "aria-invalid" in field}
    assert marked == {*wrong, "names"}
    typed = {field["name"]: field["value"] for field in page.all("input") if "value" in field}
    assert typed["clock"] == "soon"
    assert "whole number of at least 1" in unescape(found.text)
    assert "different names" in found.text


@pytest.mark.parametrize(("mode", "turns"), [("here", 2), ("bot", 1)])
def test_game_can_be_played_without_scripts(server: Inside, mode: str, turns: int) -> None:
    ada = server.visitor()
    ada.create("even-steven", mode=mode, options={"start": "2"}, names=["Ada"])
    address = f"/m/{ada.id}"
    for _ in range(turns):
        page = ada.get(address, headers=HTML).text
        move, *_ = Elements(page).all("button", form="send-move")
        sends = page.partition('<form id="send-move"')[2].partition("</form>")[0]
        sent = [*Elements(sends).all("input", type="hidden"), move]
        form = {field["name"]: field["value"] for field in sent}
        assert (form["action"], form["move"]) == ("move", "1")
        answered = ada.post(f"{address}/actions", data=form, headers=HTML)
        assert (answered.status_code, answered.headers["location"]) == (303, address)
        again = ada.post(f"{address}/actions", data={**form, "key": new_key()}, headers=HTML)
        assert again.status_code == 409
        assert "The game has moved on" in again.text or "not your turn" in again.text
        assert f'<a href="{address}">Back to the game</a>' in again.text
    assert mode == "bot" or "wins" in ada.get(address, headers=HTML).text


@pytest.mark.parametrize(
    ("host", "proxy", "typed", "link", "advice"),
    [
        ("127.0.0.1", False, "localhost", "http://localhost:8000", True),
        ("0.0.0.0", False, "127.0.0.1", "http://192.0.2.2:8000", False),
        ("0.0.0.0", False, "0.0.0.0", "http://192.0.2.2:8000", False),
        ("0.0.0.0", False, "10.0.0.2", "http://10.0.0.2:8000", False),
        ("0.0.0.0", True, "localhost", "http://localhost:8000", False),
    ],
)
def test_invitation_has_an_address_that_works_for_the_friend(
    server: Inside,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    proxy: bool,
    typed: str,
    link: str,
    advice: bool,
) -> None:
    urls = ["http://192.0.2.2:8000/", "http://10.0.0.2:8000/"] if host == "0.0.0.0" else []
    monkeypatch.setattr("zerosum.web.site.network_urls", lambda host, port: urls)
    monkeypatch.setenv("MAKELEVEL", "1")
    settings = server.site.settings._replace(host=host, trust_proxy=proxy)
    for part in (server.site, server.app):
        monkeypatch.setattr(part, "settings", settings)
    ada = server.visitor()
    page = ada.get(f"/m/{ada.create()['id']}", headers={"host": f"{typed}:8000"}).text
    assert f'value="{link}/m/{ada.id}"' in page
    assert ("works only on this computer" in page) is ("localhost" in link)
    assert ("make web ARGS=&#34;--host 0.0.0.0&#34;" in page) is advice
    other = f"<code>http://10.0.0.2:8000/m/{ada.id}</code>"
    assert (other in page) is (link == "http://192.0.2.2:8000")
