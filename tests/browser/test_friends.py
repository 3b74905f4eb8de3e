"""Two friends by link, each with a browser of their own, whatever happens in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.web.support import Server

Pair = Callable[..., tuple[Person, Person]]
LOST = ("net::ERR_", "403")


def test_opening_a_link_takes_no_seat_and_the_third_visitor_watches(visit: Visit) -> None:
    ada = visit(permissions=["clipboard-read", "clipboard-write"])
    ada.open("/")
    ada.start("even-steven", "friend")
    expect(ada.see("#invite")).to_be_visible()
    expect(ada.see("#play")).to_be_hidden()
    assert ada.page.eval_on_selector(".qr img", "image => image.decode().then(() => image.width)")
    ada.do("copy")
    expect(ada.see('[data-action="copy"]')).to_have_text("Copied")
    link = ada.page.evaluate("navigator.clipboard.readText()")

    preview = visit()
    preview.open(link)
    expect(preview.connection).to_have_attribute("data-state", "connected")
    preview.page.close()
    expect(ada.see("#invite")).to_be_visible()

    bob = visit()
    bob.join(link, "Bob")
    assert ada.ready()  # without touching anything
    expect(ada.see("#invite")).to_be_hidden()
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Bob")

    cyd = visit()
    cyd.open(link)
    expect(cyd.connection).to_have_attribute("data-state", "connected")
    expect(cyd.see('[data-action="join"]')).to_have_count(0)
    assert cyd.legal == []
    expect(cyd.see("#typed")).to_be_hidden()
    expect(cyd.see("#coach")).to_be_hidden()
    ada.play("1")
    for person in (bob, cyd):
        person.sees_ply(1)
        assert person.value() == "14"
    assert cyd.view["watching"]
    assert bob.ready()


def test_bad_name_is_asked_for_again(visit: Visit) -> None:
    ada, bob = visit(), visit(("422",))
    ada.create("even-steven", mode="friend", names=["Ada"])
    bob.open(ada.link)
    bob.page.fill("#join-name", "Ada")
    bob.do("join")
    field = bob.see("#join-name")
    expect(field).to_have_accessible_description("The two players need different names.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("Ada")
    expect(field).to_be_focused()
    expect(bob.connection).to_have_attribute("data-state", "connected")
    assert bob.page.url == ada.link
    bob.page.fill("#join-name", "Bob")
    bob.do("join")
    assert ada.ready()
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Bob")


def test_network_loss(visit: Visit) -> None:
    ada, bob = visit(LOST), visit(LOST)
    ada.create("even-steven", mode="friend", options={"start": "99"}, names=["Ada"])
    bob.join(ada.link, "Bob")
    assert ada.ready()

    ada.page.context.set_offline(True)
    expect(ada.connection).to_have_attribute("data-state", "offline")
    expect(ada.connection).to_have_text("offline")
    ada.page.click('[data-move="1"]')
    expect(ada.see("#sending")).to_contain_text("not sent yet")
    assert ada.ply == bob.ply == 0  # nothing is shown that the server does not know
    ada.page.context.set_offline(False)
    ada.sees_ply(1)
    bob.sees_ply(1)
    expect(ada.see("#sending")).to_be_hidden()
    expect(ada.connection).to_have_attribute("data-state", "connected")
    assert ada.value() == bob.value() == "98"


def test_quiet_stream_is_reopened(tmp_path: Path, visit_at: Callable[..., Person]) -> None:
    with Server(tmp_path / "matches.db", tmp_path, beat_seconds=3600) as server:
        ada = visit_at(server.url)
        asked: list[str] = []
        ada.page.on("request", lambda request: asked.append(request.url))
        ada.page.clock.install()
        ada.create("even-steven", mode="here")
        expect(ada.connection).to_have_attribute("data-state", "connected")
        ada.page.evaluate("""() => {
          window.states = [];
          const note = ([change]) => window.states.push(change.target.dataset.state);
          const shown = document.getElementById("connection");
          new MutationObserver(note).observe(shown, { attributeFilter: ["data-state"] });
        }""")
        ada.page.clock.run_for(30_000)  # two beats
        assert [url.endswith("/events") for url in asked].count(True) == 1
        with ada.page.expect_request("**/events"):
            ada.page.clock.run_for(10_000)
        ada.page.wait_for_function("() => window.states.length > 1")
        assert ada.page.evaluate("window.states") == ["reconnecting", "connected"]
        ada.play("1")  # of which the new stream tells


def test_reload_and_lost_answer_change_nothing(visit: Visit) -> None:
    ada, bob = visit(LOST), visit(LOST)
    ada.create("even-steven", mode="friend", names=["Ada"])
    bob.join(ada.link, "Bob")
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
    for person in (ada, bob):
        person.page.reload()
        expect(person.connection).to_have_attribute("data-state", "connected")
        person.sees_ply(2)
        assert person.value() == "7"
    ada.play("1")
    bob.play("2")
    ada.sees_ply(4)


def test_server_killed_during_a_game(tmp_path: Path, visit_at: Callable[..., Person]) -> None:
    with Server(tmp_path / "matches.db", tmp_path) as server:
        ada, bob = visit_at(server.url, LOST), visit_at(server.url, LOST)
        ada.create("even-steven", mode="friend", names=["Ada"], options={"start": "31"})
        bob.join(ada.link, "Bob")
        ada.play("1")
        bob.sees_ply(1)
        server.kill()
        for person in (ada, bob):
            expect(person.connection).to_have_attribute("data-state", "reconnecting")
        bob.page.click('[data-move="2"]')  # which nobody hears yet
        expect(bob.see("#sending")).to_contain_text("not sent yet")
        assert ada.ply == bob.ply == 1
        server.start()
        for person in (ada, bob):
            expect(person.connection).to_have_attribute("data-state", "connected")
            person.sees_ply(2)
            assert person.value() == "15"
        ada.play("1")
        bob.sees_ply(3)

        ada.page.context.set_offline(True)
        server.kill()
        expect(ada.connection).to_have_attribute("data-state", "offline")
        server.start()
        bob.play("2")
        assert ada.ply == 3
        ada.page.context.set_offline(False)
        ada.sees_ply(4)  # what was missed
        assert ada.ready()
        ada.hears_once("Bob plays 2: Divide by 2, leaving 7.")


def test_offers(pair: Pair) -> None:
    ada, bob = pair()
    ada.play("1")
    bob.sees_ply(1)

    ada.do("undo")
    expect(ada.see('[data-offer="undo"]')).to_contain_text("You asked to take a move back.")
    expect(bob.see('[data-offer="undo"]')).to_contain_text("Ada asks to take a move back.")
    bob.do("decline")
    expect(ada.see('[data-offer="undo"]')).to_have_count(0)
    assert ada.ply == 1

    ada.do("undo")
    bob.do("accept")
    for person in (ada, bob):
        expect(person.see("#story li")).to_have_count(0)
        assert person.value() == "15"
    ada.play("1")

    bob.do("draw")
    expect(ada.see('[data-offer="draw"]')).to_contain_text("Bob offers a draw.")
    bob.do("decline")  # takes it back
    expect(ada.see('[data-offer="draw"]')).to_have_count(0)
    ada.do("draw")
    bob.do("accept")
    for person in (ada, bob):
        expect(person.see("#result-title")).to_have_text("Draw")


def test_rematch_swaps_the_first_move_and_can_be_resigned(pair: Pair) -> None:
    ada, bob = pair(options={"start": "1"})
    first = ada.link
    ada.play("1")
    expect(ada.see("#result-title")).to_have_text("You won!")
    expect(bob.see("#result-title")).to_have_text("Ada wins")
    bob.do("rematch")
    expect(bob.see('[data-offer="rematch"]')).to_contain_text("You would like a rematch.")
    ada.do("accept")
    for person in (ada, bob):
        person.page.wait_for_url(lambda url: url != first and "/next" not in url)
    assert ada.link == bob.link
    assert bob.ready()
    assert ada.legal == []
    expect(ada.see('.player[data-player="0"] .score')).to_have_text("Matches won: 1")

    ada.do("resign")  # though it is not her turn; she is asked first
    ada.see("#confirm").get_by_role("button", name="Keep playing").click()
    expect(ada.see("#result")).to_be_hidden()
    ada.do("resign")
    ada.page.click("#confirm-yes")
    expect(ada.see("#result-title")).to_have_text("Bob wins")
    expect(bob.see("#result-title")).to_have_text("You won!")
