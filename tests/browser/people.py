"""People in front of a browser: what they do, and what they see."""

import secrets
from contextlib import suppress
from typing import Any

from playwright.sync_api import (
    ConsoleMessage,
    Locator,
    Page,
    TimeoutError,  # noqa: A004
    expect,
)

from tests.helpers import PATIENCE

MOST_MOVES = 100
TOOLS = ("undo", "draw", "resign", "copy-watch")
MOST_STOPS = 80
# Milliseconds between two looks at a page; to look at every frame, as usual, makes it draw frames.
POLL = 25
expect.set_options(timeout=PATIENCE * 1000)
# What breaks the page's policy is an error like others; what is said aloud is remembered.
WATCHING = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
document.addEventListener("DOMContentLoaded", () => {
  window.heard = [];
  const live = document.getElementById("live");
  const listen = () => live.textContent && window.heard.push(live.textContent);
  if (live) new MutationObserver(listen).observe(live, { childList: true, subtree: true });
});
"""
# The moves that can be made now, on a board or as buttons.
MOVES = "main [data-move]:not([aria-disabled])"
# Some moves are listed, and nothing is on its way to the server; the plies of all listed moves.
LISTED = """ply => {
  const listed = [...document.querySelectorAll("#story li")].reverse();
  const plies = listed.map((move) => Number(move.dataset.ply));
  return plies.includes(ply) && !document.body.classList.contains("busy") && plies;
}"""
# The move of whoever sits here is awaited, or the game is over; which of the two.
TURN = f"""() => document.getElementById("result")?.hidden === false ? "over"
  : document.getElementById("choose")?.hidden === false
      && !document.body.classList.contains("busy")
      && document.querySelector("{MOVES}") !== null ? "turn" : null"""
# As if the browser had kept the page while another was shown: it asks for its table again.
COME_BACK = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
# Presses what can be seen as a keyboard or a screen reader does: no tap comes too soon for it.
PRESS = "seen => seen.checkVisibility() && (seen.click(), true)"


class Person:
    """A person with their own browser."""

    def __init__(self, page: Page, url: str, may_fail: tuple[str, ...] = ()) -> None:
        self.page = page
        self.url = url
        self.may_fail = may_fail
        self.problems: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(WATCHING)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def check(self) -> None:
        """Check that nothing unexpected went wrong, and that one cookie is all there is."""
        wrong = [text for text in self.problems if not any(may in text for may in self.may_fail)]
        assert wrong == [], wrong
        cookies = self.page.context.cookies()
        found = [(cookie["name"], cookie["httpOnly"], cookie["path"]) for cookie in cookies]
        assert found in ([], [("zerosum", True, "/")])
        if not self.page.is_closed() and self.page.url.startswith(self.url):
            assert self.page.evaluate("document.cookie") == ""

    def forget(self) -> None:
        """Forget everything, as a new browser would."""
        self.page.unroute_all()
        # A table that is still open might remember its match again. The person waits here, since
        # a page that is of no site, such as about:blank, would cost the browser a new process.
        self.page.goto(f"{self.url}/healthz")
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.page.context.clear_cookies()
        self.problems.clear()

    # Coming to a table

    def open(self, path: str) -> Page:
        """Open a page."""
        self.page.goto(path)
        return self.page

    def start(self, game: str, mode: str) -> None:
        """Start a game from its card."""
        self.page.locator(f'[data-game="{game}"] [data-start="{mode}"]').click()
        self.page.wait_for_url("**/m/*")

    def create(self, game: str, **fields: Any) -> str:
        """Create a match without the forms, and open it."""
        body = {"key": secrets.token_urlsafe(16), "game": game, **fields}
        answer = self.page.context.request.post("/api/v1/matches", data=body)
        assert answer.status == 201, answer.text()
        self.open(f"/m/{answer.json()['id']}")
        return self.link

    def join(self, link: str, name: str) -> None:
        """Open a link, and take the seat."""
        self.open(link)
        self.page.fill("#join-name", name)
        self.page.click('[data-action="join"]')
        self.page.wait_for_selector("#join", state="detached")
        expect(self.connection).to_have_attribute("data-state", "connected")

    @property
    def link(self) -> str:
        """The address of the match."""
        return self.page.url.partition("?")[0]

    @property
    def api(self) -> str:
        """The address of the match for programs."""
        return self.link.replace("/m/", "/api/v1/matches/")

    # Playing

    def turn(self) -> bool:
        """Wait for one's turn; return False if the game is over."""
        return bool(self.page.wait_for_function(TURN, polling=POLL).json_value() == "turn")

    def ready(self) -> bool:
        """Wait for one's turn, and until a tap would count; return False if the game is over."""
        if self.turn():
            self.rests()
            return True
        return False

    @property
    def legal(self) -> list[str]:
        """The moves that can be made now."""
        find = "buttons => buttons.map((button) => button.dataset.move)"
        found: list[str] = self.page.eval_on_selector_all(MOVES, find)
        return found

    def play(self, move: str) -> None:
        """Wait for one's turn, make a move without a pointer, and see it made."""
        assert self.turn()
        ply = self.ply
        assert self.see(f'main [data-move="{move}"]').first.evaluate(PRESS)
        self.sees_ply(ply + 1)

    def click(self, move: str) -> None:
        """Wait for one's turn, click a move, and see it made."""
        assert self.ready()
        ply = self.ply
        self.page.click(f'main [data-move="{move}"]')
        self.sees_ply(ply + 1)

    def act(self, *moves: str, **action: str) -> None:
        """Make moves, or do something else, at the server alone: the page may be anywhere."""
        ply = self.view["ply"]
        for wanted in (*({"action": "move", "move": move} for move in moves), action):
            if wanted:
                asked = {"key": secrets.token_urlsafe(16), "ply": ply, **wanted}
                answer = self.page.context.request.post(f"{self.api}/actions", data=asked)
                assert answer.ok, answer.text()
                ply = answer.json()["ply"]

    def do(self, action: str) -> None:
        """Press a button other than a move, once the page is not busy."""
        more = self.see('[role="tab"][aria-controls="tools"]')
        if action in TOOLS and more.is_visible():  # on a phone
            assert more.evaluate(PRESS)
        wanted = self.see(f'[data-action="{action}"]')
        wanted.wait_for()
        expect(self.see("body:not(.busy)")).to_have_count(1)
        assert wanted.evaluate(PRESS)

    # Seeing

    def see(self, selector: str) -> Locator:
        """Look for something on the page."""
        return self.page.locator(selector)

    @property
    def connection(self) -> Locator:
        """The state of the connection, which is always there to be seen."""
        shown = self.see("#connection")
        expect(shown).to_be_visible()
        return shown

    @property
    def ply(self) -> int:
        """The number of moves in the list."""
        newest = "Number(document.querySelector('#story li:last-child')?.dataset.ply ?? 0)"
        ply: int = self.page.evaluate(newest)
        return ply

    def sees_ply(self, ply: int) -> None:
        """Wait until this many moves are listed, each of them once."""
        plies = self.page.wait_for_function(LISTED, arg=ply, polling=POLL).json_value()
        newest = plies[0]  # which may be the computer's reply already
        assert newest >= ply
        assert plies == [newest - back for back in range(len(plies))]

    def rests(self) -> None:
        """Wait until nothing is on its way to the server, and nothing has just moved."""
        expect(self.see("body:not(.busy, [data-settling])")).to_have_count(1)

    def value(self, field: str = "number", player: int | None = None) -> str:
        """Return the value of a field of the position."""
        side = "#fields" if player is None else f'.player[data-player="{player}"]'
        number = self.see(f'{side} [data-field="{field}"] .number')
        return number.get_attribute("data-value") or ""

    @property
    def heard(self) -> str:
        """Return all announcements for screen readers on this page."""
        heard: str = self.page.evaluate("window.heard.join(' ')")
        return heard

    def hears_once(self, text: str) -> None:
        """Wait until something is said; it is not said again."""
        with suppress(TimeoutError):
            said = "text => window.heard.join(' ').includes(text)"
            self.page.wait_for_function(said, arg=text, polling=POLL)
        assert self.heard.count(text) == 1, self.heard

    def fetch(self, path: str) -> tuple[int, dict[str, Any]]:
        """Ask the server from within the page, as its own scripts do."""
        script = "path => fetch(path).then(async (found) => [found.status, await found.json()])"
        status, document = self.page.evaluate(script, path)
        return status, document

    @property
    def view(self) -> dict[str, Any]:
        """The server's view for this person."""
        status, document = self.fetch(self.api)
        assert status == 200, document
        return document

    # By keyboard

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector: str) -> None:
        """Reach an element with the Tab key alone, and check that the focus is visible."""
        for _ in range(MOST_STOPS):
            self.press("Tab")
            if self.page.evaluate("what => document.activeElement.matches(what)", selector):
                assert self.page.evaluate("document.activeElement.matches(':focus-visible')")
                return
        raise AssertionError(f"the Tab key does not lead to {selector}")

    def has_focus(self) -> bool:
        """Return whether something visible on the page has the focus."""
        script = """() => document.activeElement !== document.body
          && document.activeElement.checkVisibility()"""
        found: bool = self.page.evaluate(script)
        return found
