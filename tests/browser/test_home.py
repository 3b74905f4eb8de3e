"""The home page and what every page shares: a position to try, your games, levels, theme, name."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.places import fits

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
# A browser whose owner has forbidden pages to remember anything.
FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("forbidden", "SecurityError"); } })"""
HEIGHTS = "cards => cards.map((card) => card.getBoundingClientRect().height)"


def test_position_is_answered_by_touch_and_cards_are_small_on_a_phone(visit: Visit) -> None:
    ada = visit(**PHONE, color_scheme="dark")
    ada.open("/")
    fits(ada)
    assert max(ada.page.eval_on_selector_all(".game", HEIGHTS)) <= 220
    play, said = ada.see("#try-on"), ada.see("#try .said")
    where = "button => Math.round(button.getBoundingClientRect().y)"
    place = play.evaluate(where)
    ada.page.tap('#try .dot[data-to="2"]')
    expect(said).to_have_attribute("data-mark", "wrong")
    expect(said).to_contain_text("That loses in 4:")
    assert play.evaluate(where) == place  # nothing moves under the finger
    ada.page.tap('#try .dot[data-to="1"]')
    expect(said).to_have_attribute("data-mark", "right")
    assert play.evaluate(where) == place
    ada.page.tap("#try-on")
    ada.page.wait_for_url("**/m/*")
    expect(ada.see("#begins")).to_contain_text("so the computer begins")
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Computer (easy)")


def test_home_works_by_keyboard(visit: Visit) -> None:
    ada = visit(**DESK)
    ada.open("/")
    ada.tab_to('#try [data-move="1"]')
    ada.press("Enter")
    ada.hears_once("Right!")
    ada.tab_to('.game[data-game="dual-digits"] summary')
    ada.press("Enter")
    expect(ada.see('.game[data-game="dual-digits"] .sheet')).to_be_visible()
    ada.press("Escape")
    expect(ada.see('.game[data-game="dual-digits"] .sheet')).to_be_hidden()
    assert ada.has_focus()
    ada.tab_to("#level-dual-digits")
    ada.press("ArrowDown")
    expect(ada.see("#level-dual-digits")).to_have_value("hard")
    ada.open("/")
    expect(ada.see("#level-dual-digits")).to_have_value("hard")  # the last choice is kept


def test_own_games_are_one_tap_away_and_disappear_when_they_are_gone(visit: Visit) -> None:
    ada = visit(("403", "404"), **PHONE)
    ada.open("/")
    expect(ada.see("#yours")).to_be_hidden()
    ada.create("number-navigator", mode="bot", names=["Ada"])
    assert ada.turn()
    there = ada.page.url
    ada.create("even-steven", mode="friend", names=["Ada"])
    expect(ada.see("#invite")).to_be_visible()
    ada.open("/")
    listed = ada.see("#my-games li")
    expect(listed).to_have_count(2)
    expect(listed.nth(0)).to_contain_text("Number Navigator · medium")
    expect(listed.nth(0)).to_contain_text("your move · number 20")
    expect(listed.nth(1)).to_contain_text("waiting for your friend")
    fits(ada)
    listed.nth(0).locator("a").tap()
    ada.page.wait_for_url(there)
    ada.page.context.clear_cookies()
    ada.open("/")
    expect(listed).to_have_count(1)  # the invitation is open to anybody, the other game is private


def test_an_open_game_stays_listed_after_300_others(visit: Visit) -> None:
    ada = visit()
    ada.create("number-navigator", mode="bot", names=["Ada"])
    assert ada.turn()
    # As if 300 other games had been played since.
    ada.page.evaluate(
        """() => {
            const [open] = JSON.parse(localStorage.getItem("zerosum.games"));
            const over = (_, at) => ({ ...open, id: `${at}`, over: true });
            const games = [...Array.from({ length: 300 }, over), open];
            localStorage.setItem("zerosum.games", JSON.stringify(games));
        }"""
    )
    there = ada.link
    ada.create("even-steven", mode="here")
    ada.open("/")
    listed = ada.see("#my-games a").nth(1)  # after the latest
    expect(listed).to_contain_text("Number Navigator · medium")
    assert there.endswith(str(listed.get_attribute("href")))


def test_two_wins_suggest_the_next_level_and_the_same_can_be_played_again(visit: Visit) -> None:
    ada = visit()
    options = {"start": "2", "subtract_two": "on"}
    fields = {"mode": "bot", "level": "random", "names": ["Ada"], "first": "1"}
    harder = ada.see('[data-action="level"]')
    for _ in range(2):
        ada.create("even-steven", options=options, **fields)
        expect(harder).to_have_count(0)
        ada.play("3")
        expect(ada.see("#result-title")).to_have_text("You won!")
        expect(ada.see("#figures .ring")).to_have_text("1 / 1")
        expect(ada.see("#figures")).to_contain_text("You got the only decision right.")
        expect(harder).to_have_text("Next level: easy")
    won, computer = ada.link, ada.see('.player[data-player="1"] .name')
    ada.do("level")
    ada.page.wait_for_url(lambda url: url.partition("?")[0] != won)
    expect(computer).to_have_text("Computer (easy)")

    ada.open("/")
    level = ada.see("#level-even-steven")
    expect(level.locator("option").first).to_have_text("random ✓")
    level.select_option("random")
    ada.start("even-steven", "bot")
    expect(computer).to_have_text("Computer (random)")
    ada.open("/")
    expect(ada.see('[data-game="even-steven"] .tip')).to_have_text("Try easy")
    expect(ada.see("#my-games li").filter(has_text="you won")).to_have_count(2)


@pytest.mark.parametrize("forbidden", [False, True], ids=["remembered", "forbidden"])
def test_theme_and_name_are_chosen_once(visit: Visit, forbidden: bool) -> None:
    ada = visit(**DESK, alone=True)
    if forbidden:
        ada.page.add_init_script(FORBIDDEN)
    ada.open("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = ada.page.evaluate(ground)
    ada.page.click("#me summary")
    ada.page.fill("#me-field", "Ada")
    ada.page.get_by_label("Dark").check()
    assert ada.page.evaluate(ground) != light
    expect(ada.see("#me-name")).to_have_text("Ada")
    ada.open("/new/even-steven")
    expect(ada.see("#name-1")).to_have_value("" if forbidden else "Ada")
    assert (ada.page.evaluate(ground) == light) is forbidden
    if forbidden:
        ada.open("/")
        ada.start("divisor-duel", "here")
        ada.ready()
        ada.press("1")  # shortcuts do not need storage
        ada.sees_ply(1)


def test_chosen_things_are_seen_in_forced_colours(visit: Visit) -> None:
    ada = visit(forced_colors="active")
    ada.open("/new/digit-battle")
    outline = "all => all.map((choice) => getComputedStyle(choice).outlineStyle)"
    assert set(ada.page.eval_on_selector_all(".choice:has(:checked)", outline)) == {"solid"}
    others = ada.page.eval_on_selector_all(".choice:not(:has(:checked))", outline)
    assert set(others) == {"none"}


def test_pages_work_without_scripts(visit: Visit) -> None:
    ada = visit(java_script_enabled=False, **PHONE)
    ada.open("/")
    for move, mark, said in (("2", "wrong", "That loses in 4:"), ("1", "right", "Right!")):
        ada.page.tap(f'#try button[data-move="{move}"]')
        expect(ada.see("#try .said")).to_have_attribute("data-mark", mark)
        expect(ada.see("#try .said")).to_contain_text(said)
    ada.create("even-steven", mode="here", options={"start": "2"}, names=["Ada", "Bob"])
    moves = ada.see("#moves .move:not([aria-disabled])")
    for player in ("Ada", "Bob"):
        expect(ada.see("#turn")).to_have_text(f"{player}'s turn")
        moves.first.tap()
    expect(ada.see("#result")).to_contain_text("Rematch")
    for useless in ("#help-button", "#beside"):
        expect(ada.see(useless)).to_be_hidden()
    expect(ada.see("#result .scripted")).not_to_have_count(0)
    expect(ada.see("#result .scripted:visible")).to_have_count(0)
    expect(ada.see("#result button:has-text('Share')")).to_be_hidden()
    for path, waiting in (("/puzzles", "#puzzle"), ("/explore/even-steven", "#map")):
        ada.open(path)
        expect(ada.see("main > :first-child .note")).to_be_visible()
        expect(ada.see(waiting)).to_be_hidden()

    # On a board, the moves are where they lead.
    ada.create("noughts-and-crosses", mode="here", names=["Ada", "Bob"])
    cells = ada.see("#grid .cell")
    expect(moves).to_have_count(0)
    cells.nth(4).locator("button").tap()
    expect(cells.nth(4)).to_have_text("X")


def test_cards_can_be_read_and_nothing_wraps_alone(visit: Visit) -> None:
    ada = visit()
    sizes = """texts => texts.filter((text) => text.checkVisibility())
      .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    tops = "forms => forms.map((form) => form.getBoundingClientRect().top)"
    rows = """link => { const range = document.createRange(); range.selectNodeContents(link);
      return range.getClientRects().length; }"""
    for width in (320, 390, 1280):
        ada.page.set_viewport_size({"width": width, "height": 800})
        ada.open("/learn/digit-battle?step=3")
        assert ada.see(".onward a").first.evaluate(rows) == 1  # '← Back'
        ada.open("/")
        assert min([12, *ada.see(".drawn .track text").evaluate_all(sizes)]) >= 12
        invite, here = ada.see('[data-game="even-steven"] .ways form').evaluate_all(tops)[1:]
        assert invite == here, width
    ada.page.set_viewport_size({"width": 320, "height": 640})
    ada.create("dual-digits", mode="here")
    title = ada.see("#fields .field-title").last
    expect(title).to_have_text("Just subtracted")
    assert title.evaluate(rows) == 1


def test_between_the_games_of_a_series_it_is_nobodys_move(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="bot", first="1", games=3, options={"start": "1"})
    assert ada.turn()
    ada.press("1")  # anywhere on the page
    expect(ada.see("#result-title")).to_be_focused()
    ada.open("/")
    expect(ada.see("#my-games .standing")).to_have_text("between games")
