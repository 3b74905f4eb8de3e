"""The connection: one for all tables of a browser, and a game goes on whatever happens to it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser.conftest import Visit
from tests.browser.people import COME_BACK, Person
from tests.browser.places import NOUGHTS
from tests.web.support import Server

LOST = ("net::ERR_", "403")
# Chrome on Android has no shared workers: a page has a stream of its own, which a test can cut.
OWN_STREAM = "delete window.SharedWorker"
# No stream can be opened; when it was tried is remembered.
NOTE_STATES = """() => {
  window.states = [];
  const note = ([change]) => window.states.push(change.target.dataset.state);
  const shown = document.getElementById("connection");
  new MutationObserver(note).observe(shown, { attributeFilter: ["data-state"] });
}"""
TABLES = 7  # over HTTP/1.1 a browser allows six connections to a server


def connected(person: Person) -> None:
    """See that the page hears from the server."""
    expect(person.connection).to_have_attribute("data-state", "connected")


def friends(visit: Callable[..., Person], *at: str, start: str = "31") -> tuple[Person, Person]:
    """Ada and Bob at a new match; Ada's page has a stream of its own, and a clock to be set."""
    ada, bob = visit(*at, LOST, alone=True), visit(*at, LOST, alone=bool(at))
    ada.page.add_init_script(OWN_STREAM)
    ada.page.clock.install()
    ada.create("even-steven", mode="friend", names=["Ada"], options={"start": start})
    bob.join(ada.link, "Bob")
    assert ada.ready()
    return ada, bob


def test_many_tables_share_one_stream(visit: Visit, server: Server) -> None:
    first = visit(alone=True)
    pages = [first.page.context.new_page() for _ in range(TABLES - 1)]
    people = [first, *(Person(page, server.url) for page in pages)]
    seats = []
    for ada in people:
        ada.create("even-steven", mode="friend", first="2")
        seats.append(server.visitor())
        seats[-1].join(ada.link.rpartition("/")[2])
    for ada, bob in zip(people, seats, strict=True):
        connected(ada)
        bob.do("move", move="1")
    for ada in people:
        ada.sees_ply(1)
        ada.check()
    for ada in people[2:]:
        ada.page.close()
    people[0].page.reload()
    people[1].play("1")
    seats[1].do("move", move="1")
    people[1].sees_ply(3)
    connected(people[0])


def test_network_loss(visit: Visit) -> None:
    ada, bob = friends(visit, start="99")
    connected(ada)
    ada.page.context.set_offline(True)
    expect(ada.connection).to_have_attribute("data-state", "offline")
    expect(ada.connection).to_have_text("offline")
    ada.page.set_viewport_size({"width": 390, "height": 640})
    expect(ada.see("#connection-words")).to_have_css("clip-path", "none")  # on a phone too
    ada.page.click('[data-move="1"]')
    expect(ada.see("#sending")).to_contain_text("not sent yet")
    expect(ada.see(".token")).to_have_text("98")  # which is marked as not sent
    expect(ada.see("body.late .lines.sending")).to_have_count(1)
    assert ada.ply == bob.ply == 0  # nothing is listed that the server does not know
    ada.page.clock.run_for(3000)
    ada.hears_once("Connection lost. Reconnecting… Your game is safe.")
    expect(ada.see("#sending")).to_contain_text("Connection lost; not sent yet.")
    ada.page.context.set_offline(False)
    ada.sees_ply(1)
    bob.sees_ply(1)
    expect(ada.see("#sending")).to_be_hidden()
    connected(ada)
    ada.hears_once("Connection restored.")
    assert ada.value() == bob.value() == "98"


def test_move_is_seen_at_once_and_returns_if_it_is_refused(visit: Visit) -> None:
    ada = visit(("422",), viewport={"width": 390, "height": 844})
    held: list[Route] = []
    ada.page.route("**/actions", lambda route: held.append(route))
    ada.create("even-steven", mode="bot", first="1")
    assert ada.ready()
    where = "token => token.getBoundingClientRect().x"
    home = ada.see(".token").evaluate(where)
    ada.page.dblclick('[data-move="1"]')
    expect(ada.see(".token")).to_have_text("14")
    assert ada.see(".token").evaluate(where) < home
    expect(ada.see('#moves .sent[data-move="1"]')).to_have_count(1)
    expect(ada.see("#sending")).to_have_text("sending…")  # in words, on a phone too
    assert (ada.value(), ada.ply) == ("14", 0)
    refusal = {"error": {"code": "invalid", "message": "Not now."}}
    ada.press("1")
    (route,) = held  # two taps and a key are one move
    route.fulfill(status=422, json=refusal)
    expect(ada.see("#problem")).to_have_text("Not now.")
    expect(ada.see(".token")).to_have_text("15")
    assert ada.see(".token").evaluate(where) == home
    assert ada.value() == "15"
    # A cell shows the piece of whoever moves.
    held.clear()
    ada.create(NOUGHTS, mode="here")
    assert ada.ready()
    ada.page.click('[data-move="b2"]')
    expect(ada.see("#grid .sent .text")).to_have_text("X")
    expect(ada.see("#grid .sent")).to_have_attribute("data-seat", "0")
    held[0].continue_()
    ada.sees_ply(1)


def test_a_key_that_is_held_down_is_one_move(visit: Visit) -> None:
    ada = visit()
    sent: list[str] = []
    ada.page.on("request", lambda request: sent.extend(re.findall("actions$", request.url)))
    ada.create("even-steven", mode="bot", first="1", options={"start": "99"})
    for number, key in enumerate(("1", "Enter"), 1):
        assert ada.ready()
        ada.page.focus('#moves [data-move="1"]')
        ada.page.keyboard.down(key)
        ada.sees_ply(2 * number)
        assert ada.turn()
        ada.page.keyboard.down(key)  # again, by itself
        ada.page.keyboard.up(key)
        assert len(sent) == number


def test_quiet_stream_is_reopened(visit: Visit) -> None:
    ada = visit(alone=True)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.page.add_init_script(OWN_STREAM)
    ada.page.clock.install()
    ada.create("even-steven", mode="here")
    connected(ada)
    ada.page.evaluate(NOTE_STATES)
    ada.page.clock.fast_forward(30_000)  # two heartbeats
    assert [url.endswith("/api/v1/events") for url in asked].count(True) == 1
    with ada.page.expect_request("**/events"):
        ada.page.clock.fast_forward(10_000)
    ada.page.wait_for_function("() => window.states.length > 1")
    assert ada.page.evaluate("window.states") == ["reconnecting", "connected"]
    ada.play("1")  # of which the new stream tells


def test_ended_table_is_asked_for_again_and_one_that_is_gone_says_so(visit: Visit) -> None:
    ada = visit(("403",), alone=True)
    ada.page.add_init_script(OWN_STREAM)

    def spoil(route: Route) -> None:
        (id_,) = (route.request.post_data_json or {})["matches"]
        end = json.dumps({"id": id_, "code": "broken_game"})
        route.fulfill(content_type="text/event-stream", body=f"event: end\ndata: {end}\n\n")

    ada.page.route("**/events", spoil, times=1)
    ada.create("even-steven", mode="bot", watch=False)
    connected(ada)
    ada.page.context.clear_cookies()
    ada.page.evaluate(COME_BACK)
    expect(ada.see("#gone")).to_contain_text("This game is private.")
    expect(ada.connection).to_have_attribute("data-state", "offline")


def test_slow_stream_and_lost_answer_change_nothing(visit: Visit) -> None:
    ada, bob = friends(visit, start="15")
    keys = []

    def lose_the_first(route: Route) -> None:
        keys.append(json.loads(route.request.post_data or "")["key"])
        if len(keys) == 1:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    ada.page.route("**/actions", lose_the_first)
    ada.play("1")
    bob.sees_ply(1)
    expect(ada.see("#sending")).to_be_hidden()
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert ada.view["ply"] == 1
    bob.play("2")
    ada.sees_ply(2)
    # A move that the stream does not bring is fetched.
    ada.page.route("**/events", lambda route: route.abort("connectionreset"))
    ada.page.reload()
    expect(ada.connection).to_have_attribute("data-state", "reconnecting")
    assert ada.value() == "7"
    ada.play("1")
    ada.page.unroute("**/events")
    bob.play("2")
    ada.sees_ply(4)


def test_server_killed_during_a_game(tmp_path: Path, visit_at: Callable[..., Person]) -> None:
    with Server(tmp_path / "matches.db", tmp_path) as server:
        ada, bob = friends(visit_at, server.url)
        ada.play("1")
        bob.sees_ply(1)
        ada.page.context.set_offline(True)
        server.kill()
        expect(ada.connection).to_have_attribute("data-state", "offline")
        expect(bob.connection).to_have_attribute("data-state", "reconnecting")
        bob.page.click('[data-move="2"]')  # which nobody hears yet
        expect(bob.see("#sending")).to_contain_text("not sent yet")
        assert bob.ply == 1
        server.start()
        connected(bob)
        bob.sees_ply(2)
        assert ada.ply == 1
        ada.page.context.set_offline(False)
        connected(ada)
        ada.sees_ply(2)  # what was missed
        assert ada.value() == bob.value() == "15"
        ada.hears_once("Bob: divide by 2, leaving 15.")
        ada.play("1")
        bob.sees_ply(3)
