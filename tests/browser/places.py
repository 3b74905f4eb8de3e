"""All pages, and how to get to each."""

import json
import re
import secrets
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.helpers import PATIENCE

Place = Callable[[Person], None]
GAME = "digit-battle"  # it has the most of everything: numbers, lives, forbidden moves
NOUGHTS = "noughts-and-crosses"
# The last match and the cookie of somebody who has played enough, by the server.
CAREERS: dict[str, tuple[str, str]] = {}
# Everything that can be pressed, unless it is in a line of text or is seen only with the focus.
TARGETS = """() => [...document.querySelectorAll(
    "button, select, summary, input:not([type=hidden]), a.button")]
  .filter((target) => target.checkVisibility({ visibilityProperty: true }))
  .map((target) => target.closest("label") ?? target)
  .map((target) => [target.outerHTML.slice(0, 80), target.getBoundingClientRect()])
  .map(([what, box]) => [what, box.width, box.height])"""
MOVES = """() => [...document.querySelectorAll("#moves .move")]
  .map((move) => move.getBoundingClientRect().height)"""

# The place of everything that can be pressed, unless it has just arrived above the page.
BOXES = """() => [...document.querySelectorAll("button, a, input, select, summary, .track")]
  .filter((part) => part.checkVisibility({ visibilityProperty: true }))
  // What the coach says is new at each turn.
  .filter((part) => !part.closest("#toasts, #advice"))
  .map((part) => { const { x, y, width, height } = part.getBoundingClientRect();
    const words = part.querySelector(".key") ?? part;
    const name = part.matches("input") ? part.id || part.value
      : part.matches(".track") ? "line" : words.textContent.trim();
    const box = [x, y + scrollY, width, height].map((size) => size.toFixed(1));
    return [name, ...box].join(" "); })"""
# Texts on moves, cells and tabs that are not wholly seen: outside their box, or cut off within it.
CLIPPED = """() => {
  const cut = new Set();
  for (const box of document.querySelectorAll("#moves .move, .spot, [role=tab]")) {
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!text.data.trim() || !text.parentElement.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const seen of range.getClientRects()) {
        for (let part = text.parentElement; box.contains(part); part = part.parentElement) {
          if (part !== box && getComputedStyle(part).overflow === "visible") continue;
          const edge = part.getBoundingClientRect();
          if (Math.max(edge.left - seen.left, seen.right - edge.right,
                       edge.top - seen.top, seen.bottom - edge.bottom) > 1) cut.add(text.data);
        }
      }
    }
  }
  return [...cut];
}"""
CUT_TAGS = """() => [...document.querySelectorAll(".player .marks")]
  .filter((tags) => tags.scrollWidth > tags.clientWidth).map((tags) => tags.textContent)"""


def fits(ada: Person) -> None:
    """Nothing is wider than the window, and what can be pressed is large enough."""
    width, window = ada.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, ada.page.url
    small = [target for target in ada.page.evaluate(TARGETS) if min(target[1:]) < 24]
    assert small == [], ada.page.url
    assert all(height >= 44 for height in ada.page.evaluate(MOVES)), ada.page.url


def look_back(ada: Person) -> None:
    """From the end of a game to its review, where every move is seen again."""
    expect(ada.see("#result-title")).to_have_text(re.compile("You won!|won$"))
    expect(ada.see("#choose")).to_be_hidden()
    assert ada.page.evaluate(CUT_TAGS) == []
    moves = ada.ply
    ada.do("review")
    expect(ada.see("#list button")).to_have_count(moves)
    expect(ada.see("#words li")).not_to_have_count(0)
    expect(ada.see("#chart > svg")).to_be_visible()


def game(ada: Person, name: str = GAME) -> None:
    """A game in which something has been played."""
    ada.create(name, mode="here", names=["Ada", "Bob"])
    assert ada.turn()
    ada.play(ada.legal[0])
    assert ada.ready()


def coach(ada: Person) -> None:
    """A game with the coach always on."""
    ada.create("even-steven", mode="bot", names=["Ada"], coach="on")
    expect(ada.see("#advice .standing")).to_be_visible()
    expect(ada.see("#moves .worth")).not_to_have_count(0)


def end(ada: Person) -> None:
    """A game that is over."""
    ada.create("even-steven", mode="here", options={"start": "2"}, names=["Ada", "Bob"])
    ada.act("1", "1")
    expect(ada.see("#result")).to_be_visible()


def review(ada: Person) -> None:
    """The review of the game that is over."""
    look_back(ada)
    ada.page.get_by_text("The game as text").click()


def explore(ada: Person, name: str = "even-steven") -> None:
    """The map of a game."""
    ada.open(f"/explore/{name}")
    expect(ada.see("#map [data-state], #map-problem:visible")).not_to_have_count(0)
    expect(ada.see("#value")).not_to_be_empty()


def set_puzzle(ada: Person, name: str) -> dict[str, Any]:
    """Set a puzzle of a game, and return its document."""
    ada.open("/puzzles")
    # A user's game is listed once the server knows that it is solved.
    while not ada.see(f'#game [value="{name}"]').count():
        ada.page.wait_for_timeout(100)
        ada.page.reload()
    with ada.page.expect_response(f"**/api/v1/puzzle?game={name}*") as got:
        ada.page.select_option("#game", name)
    puzzle: dict[str, Any] = got.value.json()
    expect(ada.see("#about")).to_contain_text(puzzle["title"])
    return puzzle


def daily(ada: Person) -> None:
    """The puzzle of the day, after giving up."""
    ada.open("/puzzles?daily")
    ada.page.click("#give-up")
    expect(ada.see("#result")).to_be_visible()


def puzzles(ada: Person) -> None:
    """A puzzle on a board, after a wrong answer."""
    right = answer_of(ada, set_puzzle(ada, NOUGHTS))
    ada.see(f'#position [data-move]:not([data-move="{right}"])').first.click()
    expect(ada.see("#position [data-mark]")).to_have_count(1)


def board(ada: Person) -> None:
    """A game on a board, with the coach's signs on its cells."""
    ada.create(NOUGHTS, mode="here", coach="on")
    ada.act("b2", "b1")
    expect(ada.see("#grid .worth")).to_have_count(7)


def board_review(ada: Person) -> None:
    """The review of the game on the board, at its turning point."""
    ada.act("a1", "c3", "a2", "c2", "a3")
    ada.do("review")
    expect(ada.see('[data-mark="better"]')).to_have_count(4)


def board_explored(ada: Person) -> None:
    """A game on a board, explored."""
    ada.open(f"/explore/{NOUGHTS}")
    ada.see('[data-move="b2"]').click()
    expect(ada.see("#position .worth")).to_have_count(8)


def answer_of(ada: Person, puzzle: dict[str, Any]) -> str:
    """Look up the answer to a puzzle in Explore: only one move is best."""
    query = urlencode({"options": json.dumps(puzzle["options"]), "state": puzzle["state"]})
    _, found = ada.fetch(f"/api/v1/games/{puzzle['game']}/position?{query}")
    (best,) = [judged["move"] for judged in found["moves"] if judged["verdict"] == "best"]
    return str(best)


def mistake(ada: Person) -> None:
    """The form of a new match with a mistake in it."""
    ada.open(f"/new/{GAME}")
    ada.page.fill("#option-lives", "none")
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.see("#option-lives-problem")).to_be_visible()


def home(ada: Person) -> None:
    """All games."""
    ada.open("/")


def learn(ada: Person) -> None:
    """A step of a lesson, after an answer."""
    ada.open(f"/learn/{GAME}")
    ada.see(".lesson button").first.click()
    expect(ada.see(".said").first).not_to_be_empty()


def career(ada: Person) -> None:
    """The end of the last of enough games against the computer to say how the person plays."""
    if ada.url not in CAREERS:
        with httpx.Client(base_url=ada.url, timeout=PATIENCE, trust_env=False) as http:
            last = _play_enough(http)
            CAREERS[ada.url] = last, http.cookies["zerosum"]
    last, cookie = CAREERS[ada.url]
    kept: Any = {"name": "zerosum", "value": cookie, "url": ada.url, "httpOnly": True}
    ada.page.context.add_cookies([kept])
    ada.open(f"/m/{last}")
    expect(ada.see("#result")).to_be_visible()


def _play_enough(http: httpx.Client) -> str:
    """Play until it is known how the person plays, and return the last match."""
    view: dict[str, Any] = {}
    while not http.get("/api/v1/me/strength").json().get("course"):
        terms = {"mode": "bot", "level": "random", "names": ["Ada"], "first": "1"}
        asked = {"key": secrets.token_urlsafe(16), "game": GAME, **terms}
        view = http.post("/api/v1/matches", json=asked).json()
        at = f"/api/v1/matches/{view['id']}"
        while not view["ended"]:
            if not view["turn"]["yours"]:
                time.sleep(0.02)  # about as long as the computer takes
                view = http.get(at).json()
                continue
            move = view["legal"][view["ply"] % len(view["legal"])]
            asked = {"key": secrets.token_urlsafe(16), "ply": view["ply"]}
            made = http.post(f"{at}/actions", json={**asked, "action": "move", "move": move})
            view = made.json()
    return str(view["id"])


def you(ada: Person) -> None:
    """How a person plays, who is placed in a game."""
    career(ada)
    ada.open("/you")
    expect(ada.see("table")).to_be_visible()


def rules(ada: Person) -> None:
    """A rule book."""
    ada.open(f"/rules/{GAME}")


def nowhere(ada: Person) -> None:
    """A match that does not exist."""
    ada.open("/m/22222222222222222222222222")


def invitation(ada: Person) -> None:
    """A match that waits for a friend."""
    ada.create("even-steven", mode="friend")
    expect(ada.see("#invite")).to_be_visible()


def invited(ada: Person) -> None:
    """The friend's side of the invitation."""
    ada.page.context.clear_cookies()
    ada.page.reload()
    expect(ada.see("#join")).to_be_visible()


# Some of them go on from the one before.
PLACES: dict[str, tuple[Place, ...]] = {
    "before": (home, learn, rules, mistake, nowhere, you),
    "table": (invitation, invited, game, coach),
    "study": (end, review, explore, puzzles, daily),
    "board": (board, board_review, board_explored),
}
# What screen readers find in some of them.
OUTLINES: dict[Place, str] = {
    home: """
      - link "Skip to main content"
      - banner:
        - link "Zerosum"
        - navigation "Site":
          - link "Games"
          - link "Puzzles"
          - link "Explore"
      - main:
        - heading [level=1]
        - 'region "Try it: one move wins"':
          - button /−1 → 5/
          - button /÷2 → 3/
          - button "Play a whole game"
        - region "Today's puzzle":
          - paragraph:
            - link "Easy"
            - link "Medium"
            - link "Hard"
        - list:
          - listitem:
            - article:
              - heading "Even-Steven" [level=3]
              - group: /More about Even-Steven/
              - paragraph: Reach exactly 0 to win. Subtract 1, or halve an even number.
              - button "Play Even-Steven against the computer"
              - combobox "Level of Even-Steven"
              - button "Invite – Even-Steven"
              - button "Same screen – Even-Steven"
    """,
    coach: """
      - main:
        - heading "Even-Steven" [level=1]
        - paragraph: Reach exactly 0 to win. Subtract 1, or halve an even number.
        - paragraph: connected
        - button "Keyboard help"
        - region "Position":
          - heading "Position" [level=2]
          - heading "You" [level=3]
          - heading "Computer (medium)" [level=3]
          - text: Number 15
        - region "Your turn":
          - heading "Your turn" [level=2]
          - group "Your turn":
            - button /1 −1 → 14, (win|loss) in \\d+, only move. Subtract 1, leaving 14/
            - button /2 .*even/ [disabled]
          - textbox
        - region "Coach":
          - heading "Coach" [level=2]
          - group "When should the coach help?":
            - radio "Always" [checked]
        - region "Moves so far":
          - heading "Moves so far" [level=2]
        - status
    """,
}
# Errors that come with a place: what the server refuses is noted by the browser. On a busy machine,
# the coach is asked about a position that is over.
EXPECTED = ("404", "409", "422")
