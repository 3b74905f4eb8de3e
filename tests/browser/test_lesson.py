"""A lesson, from its first step to the match at its end."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.places import fits

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLACE = "link => Math.round(link.getBoundingClientRect().y + scrollY)"
WINS = "wins => localStorage.setItem('zerosum.levels', JSON.stringify(wins))"


def test_lesson_leads_to_a_match_at_the_level_above(visit: Visit) -> None:
    ada = visit(**PHONE)
    game = "even-steven"
    ada.open("/")
    ada.page.evaluate(WINS, {game: {"easy": 1, "medium": 2}})
    ada.open(f"/learn/{game}")
    steps = ada.see(".steps li")
    last = steps.count()
    assert 5 <= last <= 8
    for number in range(1, last):
        expect(ada.see(".tag").first).to_have_text(f"Lesson · step {number} of {last}")
        expect(ada.see(".steps [aria-current]")).to_have_count(1)
        answer(ada)
        expect(steps.nth(number - 1)).to_have_attribute("data-done", "yes")
        ada.see("#next").tap()
        ada.page.wait_for_url(f"**?step={number + 1}")
    expect(ada.see("#why-level")).to_contain_text("You have beaten medium on this device")
    expect(ada.see("#level")).to_have_value("hard")
    fits(ada)
    ada.see("main form button").tap()
    ada.page.wait_for_url("**/m/*")
    expect(ada.page.get_by_text("Computer (hard)").first).to_be_visible()
    ada.open(f"/learn/{game}")
    expect(ada.see(".steps [data-done]")).to_have_count(last)
    ada.open("/")
    ada.see(f'.game[data-game="{game}"] summary').tap()
    expect(ada.see(f'[data-learn="{game}"]')).to_have_text("Lesson ✓")


@pytest.mark.parametrize("step", [1, 3])
def test_lesson_on_a_board_is_answered_on_its_cells(visit: Visit, step: int) -> None:
    ada = visit(**PHONE)
    ada.open(f"/learn/noughts-and-crosses?step={step}")
    expect(ada.page.locator(".lesson form .cell")).to_have_count(9)
    right = ada.page.locator('[data-right="yes"]')
    expect(right).to_have_class("spot")
    expect(right.locator(".key")).to_have_text(str(right.get_attribute("data-move")))
    answer(ada)


def answer(ada: Person) -> None:
    """Answer a step, first with a wrong move if there is one; nothing moves under the finger."""
    fits(ada)
    said, onward = ada.see(".said"), ada.see("#next")
    expect(onward).not_to_have_class("button primary")
    place = onward.evaluate(PLACE)
    wrong, right = (ada.page.locator(f'[data-right="{told}"]') for told in ("no", "yes"))
    if wrong.count():
        wrong.first.tap()
        expect(said).to_have_attribute("data-mark", "wrong")
        expect(said).to_contain_text("Try again.")
        assert onward.evaluate(PLACE) == place
    right.first.tap()
    expect(said).to_have_attribute("data-mark", "right")
    expect(onward).to_have_class("button primary")
    assert onward.evaluate(PLACE) == place
