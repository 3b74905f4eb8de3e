"""Games with a board: the cells are the buttons, wherever a position is shown."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Pair, Visit
from tests.browser.people import Person
from tests.browser.places import NOUGHTS

DRAW = ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")
BOXES = """() => [...document.querySelectorAll("#grid .cell")]
  .map((cell) => cell.getBoundingClientRect())
  .map((box) => [box.x, box.y + scrollY, box.width, box.height])"""


def board(person: Person) -> list[str]:
    """Read the marks on the board, row by row."""
    texts = "cells => cells.map((cell) => cell.querySelector('.text').textContent || '.')"
    marks: list[str] = person.page.eval_on_selector_all("[role=gridcell]", texts)
    return ["".join(marks[row : row + 3]) for row in (0, 3, 6)]


def focused(person: Person) -> str:
    """Return the name of the focused element."""
    name: str = person.page.evaluate("document.activeElement.ariaLabel ?? ''")
    return name


def test_friends_click_cells_to_a_draw_and_hear_everything_once(pair: Pair) -> None:
    ada, bob = pair(NOUGHTS)
    ada.hears_once("Bob joined.")
    for person in (ada, bob):
        person.page.evaluate("() => void (window.heard.length = 0)")
    expect(ada.see("#moves")).to_be_empty()  # no move is shown twice
    for ply, move in enumerate(DRAW):
        mover, other = (ada, bob) if ply % 2 == 0 else (bob, ada)
        (mover.click if ply < 2 else mover.play)(move)
        other.sees_ply(ply + 1)
        assert mover.legal == []
    assert board(ada) == ["OXX", "XXO", "OOX"]
    assert bob.view["last"][0]["said"] == "Ada plays b2."
    for person in (ada, bob):
        expect(person.see("#result-title")).to_have_text("Draw")
        expect(person.see("#result-reason")).to_have_text("The board is full.")
        person.hears_once("Draw. The board is full.")
        moves = [played["said"] for played in person.view["last"]]
        assert all(person.heard.count(said) == 1 for said in moves)
        assert person.heard.count("Your turn.") == 4
    expect(ada.see("#grid button")).to_have_count(0)


def test_keyboard_walks_the_cells_and_keeps_the_focus(visit: Visit) -> None:
    ada = visit(("422",))
    ada.create(NOUGHTS, mode="here", games=2)
    assert ada.ready()
    expect(ada.see("#grid [tabindex='0']")).to_have_count(1)
    ada.tab_to("#grid button")
    assert focused(ada) == "a1, free, plays a1"
    ada.press("ArrowUp", "ArrowDown", "ArrowRight")
    assert focused(ada) == "b2, free, plays b2"
    ada.press("Enter")
    ada.sees_ply(1)
    assert focused(ada) == "b2: X"
    ada.press("Home", "ArrowUp", "Space")
    ada.sees_ply(2)
    assert focused(ada) == "a1: O"
    ada.press("End")
    assert focused(ada) == "c1, free, plays c1"
    ada.press("Tab", "Shift+Tab")
    assert focused(ada) == "c1, free, plays c1"  # one stop of the Tab key, where it was left
    ada.press("2")  # digits are not shortcuts here
    expect(ada.see("#typed-help")).to_have_text("Type a move, such as b1, and press Enter.")
    ada.tab_to("#typed-move")
    ada.page.keyboard.type("a1")
    ada.press("Enter")
    expect(ada.see("#problem")).to_have_text("That cell is taken.")
    ada.page.keyboard.type("C1")
    ada.press("Enter")
    ada.sees_ply(3)
    assert board(ada) == ["O.X", ".X.", "..."]
    ada.press("Escape", "Tab", "?")
    expect(ada.see("#help-board")).to_be_visible()
    expect(ada.see("#help-digits")).to_be_hidden()
    ada.press("Escape")
    for move in DRAW[3:-1]:
        ada.play(move)
    ada.see('[data-move="c3"]').focus()
    ada.press("Enter")
    expect(ada.see("#result-title")).to_be_focused()
    for player in (0, 1):
        expect(ada.see(f'.player[data-player="{player}"] .score')).to_have_text("Score: ½")


def test_coach_speaks_on_the_cells_which_keep_their_size(visit: Visit) -> None:
    ada = visit(viewport={"width": 320, "height": 640})
    ada.create(NOUGHTS, mode="here", coach="ask")
    before: list[Any] = ada.page.evaluate(BOXES)
    for move in ("b2", "b1"):
        ada.play(move)
        assert ada.page.evaluate(BOXES) == before
    ada.do("hint")
    expect(ada.see("#grid .worth")).to_have_count(7)
    for move, value, word in (("a1", "win in 5", "best"), ("b3", "draw", "mistake")):
        cell = ada.see(f'#grid [data-move="{move}"]')
        expect(cell).to_have_accessible_name(f"{move}, {value}, {word}, free, plays {move}")
        expect(cell.locator(".glyph")).to_be_visible()
        expect(cell.locator(".words")).to_have_text(value)
        expect(cell.locator(".tag")).to_have_text(word)
    expect(ada.see("#grid")).to_match_aria_snapshot("""
      - grid "Board":
        - row:
          - gridcell "a1, win in 5, best, free, plays a1":
            - button "a1, win in 5, best, free, plays a1"
          - 'gridcell "b1: O"'
          - gridcell
    """)
    assert ada.page.evaluate(BOXES) == before


def test_cell_with_several_moves_lists_them(visit: Visit) -> None:
    ada = visit()
    ada.open("/new/wild-row")
    ada.page.get_by_label("Same screen").check()
    goal = ada.page.get_by_label("Goal")
    expect(goal).to_have_accessible_description(re.compile("Default: win."))
    goal.select_option("lose")
    ada.page.get_by_label("Always").check()
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#variant")).to_have_text("goal lose")
    expect(ada.see("#grid .glyph")).to_have_count(3)
    assert ada.legal == ["pass"]  # which belongs to no cell
    cells = ada.see("#grid button")
    name = re.compile("row 1, column 2, .*free, 2 moves")
    expect(cells.nth(1)).to_have_accessible_name(name)
    cells.nth(1).click()
    expect(cells.nth(1)).to_have_attribute("aria-expanded", "true")
    assert ada.legal == ["pass", "x2", "o2"]
    cells.nth(1).click()
    assert ada.legal == ["pass"]
    cells.nth(1).click()
    ada.tab_to('[data-move="o2"]')
    ada.press("Enter")
    ada.sees_ply(1)
    assert focused(ada) == "row 1, column 2: O"
    assert ada.legal == ["pass"]
    ada.play("pass")
    assert ada.has_focus()
    expect(ada.see("#moves")).to_be_empty()
    cells.first.click()
    assert ada.legal == ["x1", "o1"]


def test_a_tap_anywhere_in_a_column_plays_there_and_the_winning_row_stands_out(
    visit: Visit,
) -> None:
    ada = visit()
    ada.create("connect-four", mode="bot", level="random", first="1")
    top = ada.see('[role=gridcell][data-row="0"]')
    assert ada.ready()
    top.nth(3).hover()
    landing = ada.see('#grid [data-move="4"]')
    expect(landing).to_have_class(re.compile("pointed"))
    # Two taps are one move, whatever is under the second.
    top.nth(3).dblclick()
    ada.sees_ply(1)
    assert ada.view["played"][0] == "4"
    bottom = ada.see('[role=gridcell][data-row="5"]')
    expect(bottom.nth(3)).to_have_accessible_name("row 6, column 4: ●")


def test_signs_say_who_plays_what_and_highlights_who_has_won(visit: Visit) -> None:
    ada = visit()
    ada.create(NOUGHTS, mode="here", names=["Ada", "Bob"])
    expect(ada.see(".player .own")).to_have_text([re.compile("X$"), re.compile("O$")])
    ada.act("a1", "a2", "b1", "b2", "c1")
    expect(ada.see("#grid .lit")).to_have_text(["X"] * 3)
    expect(ada.see("#grid .lit").first).to_have_accessible_name("a1: X, highlighted")
    expect(ada.see('#grid [data-seat="1"]')).to_have_text(["O"] * 2)


def test_a_lattice_is_drawn_as_dots_lines_and_boxes(visit: Visit) -> None:
    ada = visit(viewport={"width": 390, "height": 844})
    ada.create("dots-and-boxes", mode="here")
    ada.act("b1", "a2", "c2", "b3")
    expect(ada.see("#grid .filled")).to_have_count(16 + 4 + 1)
    thin, wide = (ada.see(f'#grid [data-row="{row}"]').nth(1) for row in (0, 1))
    height = "cell => cell.getBoundingClientRect().height"
    assert 24 <= thin.evaluate(height) < 0.7 * wide.evaluate(height)
    ada.click("d1")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
