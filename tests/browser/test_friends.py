"""Two friends by link, each with a browser of their own."""

from playwright.sync_api import expect

from tests.browser.conftest import Pair, Visit


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

    cyd = visit()
    fetched: list[str] = []
    cyd.page.on("request", lambda request: fetched.append(request.url))
    cyd.open(link)
    expect(cyd.connection).to_have_attribute("data-state", "connected")
    expect(cyd.see('[data-action="join"]')).to_be_visible()
    expect(ada.see("#invite")).to_be_visible()

    bob = visit(("422",))
    bob.open(link)
    bob.page.fill("#join-name", "Player 1")
    bob.do("join")
    field = bob.see("#join-name")
    expect(field).to_have_accessible_description("The two players need different names.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("Player 1")
    expect(field).to_be_focused()
    expect(bob.connection).to_have_attribute("data-state", "connected")
    assert bob.page.url == ada.link
    field.fill("Bob")
    bob.do("join")
    assert ada.ready()  # without touching anything
    expect(ada.see("#invite")).to_be_hidden()
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Bob")

    expect(cyd.see('[data-action="join"]')).to_have_count(0)
    assert cyd.legal == []
    expect(cyd.see("#typed")).to_be_hidden()
    expect(cyd.see("#coach")).to_be_hidden()
    cyd.page.set_viewport_size({"width": 390, "height": 844})
    tabs = cyd.see("[role=tab]").filter(visible=True)
    expect(tabs).to_have_text(["Moves", "More"])  # no coach for spectators
    for tab, panel in zip(tabs.all(), ("#moves-so-far", "#tools"), strict=True):
        tab.click()
        expect(cyd.see(panel)).to_be_visible()
    ada.play("1")
    for person in (bob, cyd):
        person.sees_ply(1)
        assert person.value() == "14"
    assert cyd.view["watching"]
    cyd.rests()
    cyd.page.click('main [data-move="1"]', force=True)
    expect(cyd.see("#notices")).to_have_text("You are watching.")
    expect(cyd.see("#problem")).to_be_hidden()
    assert any(url.endswith(".js") for url in fetched)
    assert not any(url.endswith("qr.svg") for url in fetched)  # only whoever invites sees it
    assert bob.ready()


def test_offers_and_a_rematch_with_the_first_move_exchanged(pair: Pair) -> None:
    ada, bob = pair(options={"start": "2"})
    bob.tab_to('[data-action="resign"]')
    ada.play("1")
    bob.sees_ply(1)
    ada.rests()
    ada.page.click('[data-action="undo"]')
    expect(ada.see('[data-offer="undo"]')).to_contain_text("You asked to take a move back.")
    expect(bob.see('[data-offer="undo"]')).to_contain_text("Ada asks to take a move back.")
    expect(bob.see('[data-action="resign"]')).to_be_focused()  # whatever the other does
    bob.tab_to('[data-action="decline"]')
    bob.press("Enter")
    expect(ada.see('[data-offer="undo"]')).to_have_count(0)
    expect(bob.see('[data-offer="undo"]')).to_have_count(0)
    assert bob.has_focus()  # though its button is gone
    assert ada.ply == 1

    ada.do("undo")
    bob.do("accept")
    for person in (ada, bob):
        expect(person.see("#story li")).to_have_count(0)
        assert person.value() == "2"
    ada.play("1")

    bob.do("draw")
    expect(ada.see('[data-offer="draw"]')).to_contain_text("Bob offers a draw.")
    ada.hears_once("Bob offers a draw.")
    ada.do("decline")
    expect(ada.see('[data-offer="draw"]')).to_have_count(0)
    bob.hears_once("Ada declined the draw.")
    ada.do("draw")
    expect(bob.see('[data-offer="draw"]')).to_be_visible()
    ada.do("decline")  # takes it back
    expect(bob.see('[data-offer="draw"]')).to_have_count(0)
    bob.play("1")
    expect(bob.see("#result-title")).to_have_text("You won!")
    expect(ada.see("#result-title")).to_have_text("You lost")

    first = ada.link
    ada.do("rematch")
    expect(ada.see('[data-offer="rematch"]')).to_contain_text("You asked for a rematch.")
    bob.do("rematch")  # accepts the offer
    for person in (ada, bob):
        person.page.wait_for_url(lambda url: url != first and "/next" not in url)
    assert ada.link == bob.link
    assert bob.ready()
    assert ada.legal == []
    expect(ada.see('.player[data-player="1"] .score')).to_have_text("Matches won: 1")

    ada.do("resign")  # though it is not her turn; she is asked first
    ada.see("#confirm").get_by_role("button", name="Keep playing").click()
    expect(ada.see("#result")).to_be_hidden()
    bob.do("draw")
    ada.do("accept")
    for person in (ada, bob):
        expect(person.see("#result-title")).to_have_text("Draw")
