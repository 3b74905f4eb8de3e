"""The coach: between people only by agreement, which the server enforces; else freely."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Pair, Visit
from tests.browser.people import COME_BACK, PRESS, Person


def want(person: Person, when: str) -> None:
    """Choose when the coach speaks."""
    assert person.see(f'[name="want"][value="{when}"]').evaluate(PRESS)
    expect(person.see("#sending")).to_be_hidden()
    expect(person.see("body:not(.busy)")).to_have_count(1)


def asks(person: Person) -> tuple[int, str]:
    """Ask the server directly, and return the status and the code of an error."""
    status, document = person.fetch(f"{person.api}/coach?ply={person.view['ply']}")
    return status, document.get("error", {}).get("code", "")


def sees_no_analysis(person: Person) -> None:
    """Neither a value nor advice is on the page, hidden or not."""
    expect(person.see(".worth")).to_have_count(0)
    expect(person.see(".tag[data-verdict]")).to_have_count(0)
    expect(person.see("#advice")).to_be_hidden()


def sees_every_move_judged(person: Person) -> None:
    """Every legal move has a sign, a value with its length, and a word; there is a reason below."""
    for move in person.legal:
        button = person.see(f'#moves [data-move="{move}"]')
        expect(button.locator(".glyph")).to_have_text(re.compile(r"[+=−]"))
        expect(button.locator(".worth")).to_have_text(re.compile(r"(win|loss) in \d+|draw"))
        expect(button.locator(".tag")).to_have_attribute("data-verdict", re.compile(r"\w+"))
        expect(button.locator(".tag")).to_have_text(re.compile(r"\w+"))
    expect(person.see("#advice .standing")).not_to_be_empty()
    expect(person.see("#advice .chips li").first).not_to_be_empty()


def test_what_is_true_of_all_moves_is_said_once(visit: Visit) -> None:
    ada = visit()
    ada.create("digit-battle", mode="here", coach="on")
    expect(ada.see("#advice .standing")).to_contain_text("Every move draws.")
    expect(ada.see("#moves .worth .words")).to_have_text(["draw"] * 9)
    expect(ada.see("#moves")).not_to_contain_text("all moves")


def test_coach_between_people_needs_both(pair: Pair, visit: Visit) -> None:
    ada, bob = pair(options={"start": "16"})
    cyd = visit(("403",))  # who watches
    cyd.open(ada.link)
    closed = (403, "coach_not_agreed")
    for person in (ada, bob, cyd):
        assert asks(person) == closed
        sees_no_analysis(person)
        expect(person.see("#explore-link")).to_be_hidden()

    want(ada, "on")
    expect(bob.see("#coach-agreed")).to_contain_text("Ada: always")
    expect(bob.see("#notices")).to_contain_text("Ada wants the coach.")
    for person in (ada, bob):
        assert asks(person) == closed
        sees_no_analysis(person)
    status, _ = bob.fetch(f"{bob.api}/review?game=0")
    assert status >= 400

    expect(ada.see("#coach-accept")).to_be_hidden()
    bob.see("#coach-accept").focus()
    bob.press("Enter")
    sees_every_move_judged(ada)  # without touching anything
    expect(bob.see("#coach-accept")).to_be_hidden()
    # It is answered; to wait would be to see it time out.
    assert "wants the coach" not in bob.see("#notices").inner_text()
    assert bob.has_focus()  # though its button is gone
    assert asks(ada) == (200, "")
    sees_no_analysis(bob)  # it is not bob's turn
    sees_no_analysis(cyd)
    for person in (ada, bob):
        expect(person.see("#explore-link")).to_be_visible()

    want(bob, "off")
    sees_no_analysis(ada)  # at once
    for person in (ada, bob):
        assert asks(person) == closed
        expect(person.see("#explore-link")).to_be_hidden()

    want(bob, "ask")
    sees_every_move_judged(ada)
    ada.play("1")
    sees_no_analysis(ada)
    bob.turn()
    sees_no_analysis(bob)  # until it is asked
    bob.do("hint")
    sees_every_move_judged(bob)

    # Advice that arrives after the agreement has ended is not shown.
    held = []
    ada.page.route("**/coach", lambda route: held.append((route, route.fetch())))
    bob.play(bob.legal[0])
    while not held:  # the server answers while they still agree
        ada.page.wait_for_timeout(10)
    want(bob, "off")
    expect(ada.see("#coach-agreed")).to_contain_text("Bob: off")
    ((route, answer),) = held
    assert answer.json()["exact"]
    with ada.page.expect_request_finished():
        route.fulfill(response=answer)
    assert not ada.view["coach"]["open"]  # one more answer, so that the page has read the first
    sees_no_analysis(ada)


def test_moves_of_equal_value_are_told_apart_by_their_chances(visit: Visit) -> None:
    ada = visit(viewport={"width": 390, "height": 844})
    ada.create("dual-digits", mode="here", coach="on")
    expect(ada.see("#advice .standing")).to_contain_text("Every move loses. Try −1 → 24.")
    expect(ada.see("#advice details")).to_contain_text("Against a medium opponent, the perfect")
    for move, chance in (("1", "60%"), ("2", "56%"), ("3", "56%"), ("4", "60%")):
        button = ada.see(f'#moves [data-move="{move}"]')
        expect(button.locator(".chance")).to_have_text(chance)
        expect(button).to_have_accessible_name(
            re.compile(f"loss in 10.*{chance} chance against medium")
        )
    expect(ada.see("#versus")).to_have_text("% = how often perfect play then beats medium")
    expect(ada.see("#versus")).to_be_visible()


def test_the_coach_is_short_and_its_line_steps_through_on_the_board(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", coach="on", options={"start": "6"})
    expect(ada.see("#advice .standing strong")).to_have_text("Play −1 → 5.")
    reason = "6 is even. Leave your opponent an odd number of 5 or more: 5."
    counted = "A win in 5 counts the moves of both players."
    expect(ada.see("#advice > p:not(.standing)")).to_have_text([reason, counted])
    expect(ada.see("#advice details")).not_to_have_attribute("open", "")
    chips = ada.see("#advice .chips button")
    expect(chips).to_have_text(["−1 → 5", "−1 → 4", "÷2 → 2", "−1 → 1", "−1 → 0"])
    chips.nth(2).focus()
    ada.press("Enter")
    expect(ada.see(".token")).to_have_text("2")
    expect(chips.nth(2)).to_have_attribute("aria-pressed", "true")
    ada.hears_once("÷2 → 2. Number: 2")
    # The same table once more, which is no news, changes nothing.
    with ada.page.expect_response(ada.api):
        ada.page.evaluate(COME_BACK)
    expect(ada.see("#connection")).to_have_attribute("data-state", "connected")
    assert ada.view["change"]  # one more answer, so that the page has read the first
    expect(ada.see(".token")).to_have_text("2")
    expect(chips.nth(2)).to_have_attribute("aria-pressed", "true")
    chips.nth(3).focus()
    ada.press("Enter")
    expect(ada.see(".token")).to_have_text("1")
    expect(ada.see('#advice [aria-pressed="true"]')).to_have_text("−1 → 1")
    ada.press("Enter")
    expect(ada.see(".token")).to_have_text("6")
    expect(ada.see('#advice [aria-pressed="true"]')).to_have_count(0)
    expect(chips.nth(3)).to_be_focused()
    ada.press("Enter")
    expect(ada.see(".sides.ahead")).to_have_count(1)
    ada.press("1")
    ada.sees_ply(1)
    expect(ada.see(".sides.ahead")).to_have_count(0)  # what is shown is the game again
    expect(ada.see(".token")).to_have_text("5")
    assert ada.has_focus()  # though the chip is gone
    # It is said once how moves are counted.
    ada.create("even-steven", mode="here", coach="on", options={"start": "6"})
    expect(ada.see("#advice > p:not(.standing)")).to_have_text([reason])


def test_a_move_is_typed_where_there_is_a_keyboard(visit: Visit) -> None:
    ada = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ada.create("even-steven", mode="here")
    expect(ada.see("#typed")).to_be_hidden()
    ada.page.keyboard.press("Tab")
    expect(ada.see("#typed")).to_be_visible()
    # And where the buttons are not all the moves.
    ada.create("divisor-duel", mode="here", options={"start": "720720"})
    expect(ada.see("#typed")).to_be_visible()
