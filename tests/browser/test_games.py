"""Games of every kind, by clicking: against the computer, on a shared screen, in a series."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.places import explore, fits, look_back
from tests.game_files import CONNECT_FOUR, DOTS, TERRITORY
from tests.web.support import Server
from zerosum.registry import BUILT_IN

LONG = "digit-battle"
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


def test_games_start_with_two_taps_on_a_phone(visit: Visit) -> None:
    ada = visit(**PHONE)
    for game in BUILT_IN:
        if game != LONG:
            ada.open("/")
            ada.start(game, "bot")  # one tap; the other is the first move
            assert ada.turn()
            ada.click(ada.legal[-1])
            ada.sees_ply(2)
            fits(ada)


@pytest.mark.parametrize(
    ("game", "start", "which"), [("divisor-duel", "4", -1), ("number-navigator", "2", 0)]
)
def test_short_game_is_explored_played_and_reviewed_on_a_phone(
    visit: Visit, game: str, start: str, which: int
) -> None:
    ada = visit(**PHONE)
    explore(ada, game)
    fits(ada)
    ada.create(game, mode="here", options={"start": start})
    ada.plays_to_the_end(which)
    look_back(ada)
    fits(ada)


def test_whole_game_against_the_computer_with_other_options(visit: Visit) -> None:
    ada = visit(**PHONE)
    ada.open("/")
    card = ada.see(f'.game[data-game="{LONG}"]')
    card.locator("summary").click()
    card.get_by_role("link", name="All options").click()
    ada.page.get_by_label("The computer").check()
    ada.page.get_by_label("Easy").check()
    ada.page.fill('[name="option.lives"]', "1")
    ada.page.get_by_role("button", name="Start the game").click()
    ada.ready()
    assert [
        ada.value(f"{seat}_lives", player) for player, seat in enumerate(("first", "second"))
    ] == ["1", "1"]
    expect(ada.see('.player[data-player="1"] .name')).to_have_text("Computer (easy)")
    fits(ada)
    ada.plays_to_the_end()
    view = ada.view
    ada.hears_once(view["ended"]["text"])
    moves = [played["said"] for played in view["last"]]
    assert [ada.heard.count(said) for said in moves] == [moves.count(said) for said in moves]
    look_back(ada)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with three games that are too large to be solved."""
    home = tmp_path_factory.mktemp("large")
    games = (CONNECT_FOUR, TERRITORY, DOTS)
    with Server(home / "a.db", home, *games, prompt=True, solver_positions=2_000) as running:
        yield running.url


def test_large_games_start_with_one_click(visit_at: Callable[..., Person], large: str) -> None:
    ada = visit_at(large, **PHONE)
    for game in ("connect-four", "territory", "dots-and-boxes"):
        ada.open("/")
        ada.page.select_option(f"#level-{game}", "easy")
        ada.start(game, "bot")
        assert ada.turn()
        ada.click(ada.legal[-1])
        assert ada.turn()
        ada.play(ada.legal[-1])
        fits(ada)


def test_game_too_large_for_a_table_is_coached_and_reviewed(
    visit_at: Callable[..., Person], large: str
) -> None:
    ada = visit_at(large, **PHONE)
    ada.open("/new/connect-four?mode=bot&level=easy&coach=on&option.width=5&option.height=5")
    expect(ada.see('[name="level"][value="perfect"]')).to_have_count(0)
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#advice")).to_contain_text(
        "is not known yet: too many positions can follow it."
    )
    ada.hears_once("too many positions can follow it.")
    expect(ada.see("#grid .worth")).to_have_count(0)
    ada.act(action="coach", want="off")
    ada.plays_to_the_end()
    moves = ada.ply
    ada.do("review")
    expect(ada.see("#list button")).to_have_count(moves)
    expect(ada.see("#about-values")).to_have_text(re.compile("^(From move|No move can be)"))
    expect(ada.see("#words")).to_contain_text("unknown")
    expect(ada.see("#chart svg")).to_be_visible()
    ada.see("#list button").first.click()
    expect(ada.see("#judged")).to_contain_text("Before the move: value unknown.")
    expect(ada.see('#level [value="perfect"]')).to_be_disabled()
    expect(ada.see("#level")).to_have_value("hard")
    fits(ada)


def test_form_mistake_is_marked_and_nothing_is_lost(visit: Visit) -> None:
    ada = visit(("422",))
    ada.open("/new/even-steven")
    ada.page.fill("#name-1", "Ada")
    ada.page.fill("#option-start", "-4")
    ada.page.get_by_role("button", name="Start the game").click()
    wrong = ada.see("#option-start")
    expect(wrong).to_be_focused()
    expect(wrong).to_have_value("-4")
    expect(wrong).to_have_accessible_description(re.compile("whole number of at least 1, not -4"))
    expect(ada.see("#name-1")).to_have_value("Ada")
    wrong.fill("5")
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#invite")).to_be_visible()


def test_series_of_three_on_one_screen(visit: Visit) -> None:
    ada = visit()
    ada.open("/new/even-steven")
    ada.page.get_by_label("Same screen").check()
    ada.page.fill("#option-start", "2")
    ada.page.fill("#name-1", "Ada")
    ada.page.fill("#name-2", "Bob")
    ada.page.fill("#games", "3")
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#turn")).to_have_text("Ada's turn")
    ada.click("1")
    expect(ada.see("#turn")).to_have_text("Bob's turn")
    ada.do("undo")
    expect(ada.see("#turn")).to_have_text("Ada's turn")
    assert ada.value() == "2"
    for game, (first, second) in enumerate((("Ada", "Bob"), ("Bob", "Ada"), ("Ada", "Bob")), 1):
        expect(ada.see("#series")).to_have_text(f"Game {game} of 3")
        expect(ada.see("#turn")).to_have_text(f"{first}'s turn")  # the first move alternates
        ada.play("1")
        ada.play("1")
        expect(ada.see("#result-title")).to_contain_text(f"{second} won")
        if game < 3:
            ada.do("next")
            expect(ada.see("#result")).to_be_hidden()
    for player, won in enumerate((1, 2)):
        score = ada.see(f'.player[data-player="{player}"] .score')
        expect(score).to_contain_text(f"Score: {won}")
    expect(ada.see('[data-action="next"]')).to_have_count(0)
    expect(ada.see('[data-action="rematch"]')).to_be_visible()

    look_back(ada)
    games = ada.see("main nav a")
    expect(games).to_have_text(["Game 1", "Game 2", "Game 3"])
    expect(ada.see("main nav [aria-current=page]")).to_have_text("Game 3")
    games.first.click()
    expect(ada.see("#here-title")).to_be_visible()
    assert ada.page.url.endswith("/review?game=0")
    expect(ada.see("main nav [aria-current=page]")).to_have_text("Game 1")
    ada.page.click('[data-action="rematch"]')
    ada.page.wait_for_url(lambda url: "review" not in url and "next" not in url)
    expect(ada.see("#turn")).to_have_text("Bob's turn")


def test_clock_runs_out(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", clock=500)
    expect(ada.see("#clock")).to_have_text(re.compile(r"8:\d\d"))
    ada.create("even-steven", mode="here", clock=1, names=["Ada", "Bob"])
    expect(ada.see("#result-title")).to_contain_text("Bob won")  # Ada has not moved
    expect(ada.see("#clock")).to_be_hidden()
    assert ada.view["ended"]["by"] == "time"
