"""The pages: what they hold, what they escape, and how newcomers get in, also without scripts."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.game_files import NOUGHTS, TAKE_AWAY
from tests.web.support import Inside, Visitor, new_key
from zerosum.web.analysis import cards
from zerosum.web.assets import assets
from zerosum.web.routes import pages

EVIL = "<script>alert(1)</script>\"'&"
HTML = {"accept": "text/html"}
STATIC = files("zerosum.web") / "static"
OPTIONS = f"""
    side: str = option({EVIL!r}, {EVIL!r}, choices=({EVIL!r}, "x"))
    flag: bool = option(False, {EVIL!r})
    several: tuple = option((1, 3), {EVIL!r})
"""
WORDS = f"""
from zerosum import Words

class TakeAwayWords(Words[State]):
    title = {EVIL!r}
    def goal(self): return {EVIL!r}
    def label(self, state, move): return {EVIL!r}
"""
OWN = (
    TAKE_AWAY.replace("Take one or two sticks", f"# {EVIL} `{EVIL}` *{EVIL}*")
    .replace('"how many sticks"', repr(EVIL))
    .replace("\n    def initial", f"{OPTIONS}\n    def initial")
)


class Elements(HTMLParser):
    """The elements of a page, with their attributes; and whether they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "link", "input", "img", "br", "hr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [
            found
            for name, found in self.found
            if name == tag and all(found.get(key) == value for key, value in attributes.items())
        ]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with a game whose strings would be dangerous if they were not escaped."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "own.py").write_text(OWN + WORDS)
    with Inside(folder / "a.db", files=(str(folder / "own.py"), NOUGHTS)) as server:
        yield server


def page(visitor: Visitor, path: str = "", **form: object) -> str:
    """Return a page, by default of the visitor's match, or what a form is answered with."""
    path = path or f"/m/{visitor.id}"
    if form:
        return visitor.post(path, data={"key": new_key(), **form}, headers=HTML).text
    return visitor.get(path, headers=HTML).text


@pytest.fixture(scope="module")
def every_page(server: Inside) -> dict[str, str]:
    """Every page, with dangerous strings wherever there can be one."""
    wrong = {"names": [EVIL, EVIL], "clock": EVIL, "games": EVIL, "mode": EVIL, "level": EVIL}
    ada, bob = server.pair("take-away", names=[EVIL[:30]])
    over = server.visitor()
    over.create("take-away", mode="here", names=[EVIL[:30]])
    over.do("move", move="1")
    over.do("resign")
    waiting = server.visitor()
    eve = server.visitor(waiting.create("take-away", names=[EVIL[:30]])["id"])
    return {
        "home": page(ada, "/?try=1"),
        "learn": page(ada, "/learn/take-away?step=1&try=2"),
        "new": page(ada, "/api/v1/matches", game="take-away", **wrong, **{"option.start": EVIL}),
        "new, empty": page(ada, "/new/dual-digits"),
        "table": page(ada),
        "table, refused": page(
            bob, f"/api/v1/matches/{bob.id}/actions", action="move", ply=0, move=EVIL
        ),
        "invitation": page(eve),
        "invitation, again": page(eve, f"/api/v1/matches/{eve.id}/join", name=EVIL * 9),
        "waiting": page(waiting),
        "review": page(over, f"/m/{over.id}/review"),
        "explore": page(ada, f"/explore/take-away?option.start={EVIL}&option.flag={EVIL}"),
        "puzzles": page(ada, "/puzzles"),
        "puzzles, daily": page(ada, "/puzzles?daily"),
        "rules": page(ada, "/rules/take-away"),
        "you": page(ada, "/you"),
        "error": page(ada, "/new/<script>alert(1)"),
    }


# Pages that show nothing from a user or a game.
NOTHING_TYPED = ("new, empty", "puzzles, daily", "you")


def test_pages_are_valid_and_run_only_our_scripts(every_page: dict[str, str]) -> None:
    for name, text in every_page.items():
        page = Elements(text)
        assert page.open == []
        assert "alert(1)" in unescape(text) or name in NOTHING_TYPED, name
        for tag, attributes in page.found:
            assert tag != "style"
            assert not [key for key in attributes if key.startswith("on") or key == "style"]
            for place in ("src", "href", "action"):
                assert re.match(r"(/(?!/)|#)", attributes.get(place, "/")), attributes
        first, *others = page.all("script")
        assert "settings.js" in first["src"]  # before the page is drawn, so not a module
        assert all(script["type"] == "module" for script in others)
        assert "<script>" not in text


def test_pages_have_landmarks_one_heading_and_unique_ids(every_page: dict[str, str]) -> None:
    for text in every_page.values():
        page = Elements(text)
        assert page.all("html")[0]["lang"] == "en"
        assert len(page.all("main")) == len(page.all("h1")) == 1
        assert page.all("a", href="#main")
        ids = [element["id"] for _, element in page.found if "id" in element]
        assert len(ids) == len(set(ids))
        for attributes in (element for _, element in page.found):
            for other in ("for", "aria-labelledby", "aria-describedby"):
                assert set(attributes.get(other, "").split()) <= set(ids)
        named = {element["for"] for element in page.all("label") if "for" in element}
        for field in (*page.all("input"), *page.all("select")):
            inside = field.get("type") in ("hidden", "radio", "checkbox")
            assert inside or field["id"] in named
        choices = [*page.all("input", type="radio"), *page.all("input", type="checkbox")]
        sent = [field for field in choices if "name" in field]
        assert all("value" in choice for choice in (*page.all("option"), *sent))


def test_files_used_by_pages_exist(every_page: dict[str, str]) -> None:
    asked = {
        file for page in every_page.values() for file in re.findall(r'[" ]/static/([^" ]+)', page)
    }
    names = {file.removeprefix(f"{assets().version}/") for file in asked}
    assert {"table.css", "table.js", "icon.svg", "app.webmanifest"} <= names <= set(assets().found)


def test_modules_import_existing_files_and_define_no_globals() -> None:
    for module in (STATIC / "js").iterdir():
        text = module.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 300, module.name
        for other in re.findall(r'from "\./([^"]+)"', text):
            assert (STATIC / "js" / other).is_file(), f"{module.name} imports {other}"
        assert "innerHTML" not in text
        assert "eval(" not in text
        assert not re.search(r"window\.\w+ =[^=]", text)


def test_page_reloads_only_to_wait_for_the_other_player(server: Inside) -> None:
    ada, bob = server.pair()
    host = server.visitor()
    guest = server.visitor(host.create()["id"])
    refused = page(bob, f"/api/v1/matches/{bob.id}/actions", action="move", ply=0, move="1")
    assert "It is Ada's turn." in unescape(refused)
    for visitor, text, reloads in (
        (bob, page(bob), True),
        (host, page(host), True),
        (ada, page(ada), False),
        (guest, page(guest), False),
        (bob, refused, False),
    ):
        found = Elements(text).all("meta", **{"http-equiv": "refresh"})
        assert [tag["content"] for tag in found] == [f"2;url=/m/{visitor.id}"] * reloads


def test_offer_can_be_answered_without_scripts(server: Inside) -> None:
    ada, bob = server.pair()
    bob.do("draw")
    text = page(ada)
    assert "<p>Bob offers a draw.</p>" in text
    actions = [field["value"] for field in Elements(text).all("input", name="action")]
    assert actions == [*["move"] * 2, "accept", "decline", "resign"]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>\n"),
        ("# Title\n\n# A\n### B", "<h2>A</h2>\n<h3>B</h3>\n"),
        ("text\n- a\n- b\n  c", "<p>text</p>\n<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>\n"),
        ("`*a*` 2 * 3 * 4", "<p><code>*a*</code> 2 * 3 * 4</p>\n"),
        ("```\n<a> # b\n```", "<pre><code>&lt;a&gt; # b\n</code></pre>\n"),
        ("<b>&lt;</b>", "<p>&lt;b&gt;&lt;&lt;/b&gt;</p>\n"),
        ("[a](/rules/nim)", '<p><a href="/rules/nim">a</a></p>\n'),
        ("[a](https://b.c)", '<p><a href="https://b.c">a</a></p>\n'),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("[a](data:text/html,b)", "<p>[a](data:text/html,b)</p>\n"),
        ("[a](//b.c) [d](e.f)", '<p>[a](//b.c) <a href="e.f">d</a></p>\n'),
        ("[a](mailto:b@c.d) [e](#f)", '<p>[a](mailto:b@c.d) <a href="#f">e</a></p>\n'),
        ("![a](https://b.c/d.png)", '<p>!<a href="https://b.c/d.png">a</a></p>\n'),
        ("", ""),
    ],
)
def test_markdown_of_rule_books(text: str, html: str) -> None:
    assert pages.html_of(text) == html


@given(st.text(alphabet="ab<>&\"'`*_#-1. \n[]()!:/", max_size=60))
def test_any_rule_book_gives_valid_html_without_surprises(text: str) -> None:
    page = Elements(pages.html_of(text))
    assert page.open == []
    for tag, attributes in page.found:
        assert re.fullmatch("h[2-6]|p|ul|ol|li|code|em|strong|pre|a|blockquote|hr|br", tag)
        assert set(attributes) <= {"a": {"href", "title"}, "ol": {"start"}, "code": {"class"}}.get(
            tag, set()
        )


def test_error_page_offers_a_way_on() -> None:
    page = Elements(pages.error(404, "no_match", "There is no such match."))
    assert page.all("a", href="/")
    assert page.all("section")[0]["data-code"] == "no_match"
    back = '<a class="button primary" href="/m/abc">Back to the game</a>'
    for path in ("/m/abc/review", "/api/v1/matches/abc/fork"):
        assert back in pages.error(403, "coach_not_agreed", "Not yet.", path)
    for code, path in (("private", "/m/abc/review"), ("no_match", "/m/abc/x"), ("no_page", "/m/")):
        assert "Back to the game" not in pages.error(404, code, "No.", path)


# How newcomers get in


def test_lesson_answers_every_move_of_every_step(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = server.visitor()
    for name in ("even-steven", "digit-battle", "noughts-and-crosses"):
        found = ada.get(f"/api/v1/games/{name}/lesson").json()
        assert found["game"] == name
        steps = found["steps"]
        for number, step in enumerate(steps, 1):
            address = f"/learn/{name}?step={number}"
            text = ada.get(address, headers=HTML).text
            assert f'<h2 id="title">{step["title"]}</h2>' in unescape(text)
            moves = Elements(text).all("button", name="try")
            assert [unescape(move["data-said"]) for move in moves] == [
                move["said"] for move in step["moves"]
            ]
            right = next(move for move in step["moves"] if move["right"])
            text = ada.get(f"{address}&try={right['move']}", headers=HTML).text
            (said,) = Elements(text).all("p", id="said")
            assert said["data-mark"] == "right"
            assert right["said"] in unescape(text)
        last = Elements(ada.get(f"/learn/{name}?step={len(steps) + 1}", headers=HTML).text)
        assert [field["value"] for field in last.all("input", name="mode")] == ["bot"]
        assert last.all("select", name="level")
    assert ada.get("/learn/nothing", headers=HTML).status_code == 404
    assert ada.get("/api/v1/games/nothing/lesson").status_code == 404
    monkeypatch.setattr(cards, "lesson", None)  # it is made once
    for step in ("0", "99", "-1", "x", "9" * 5000):
        assert ada.get(f"/learn/even-steven?step={step}", headers=HTML).status_code == 200


def test_first_game_can_be_won(server: Inside) -> None:
    ada = server.visitor()
    for name, level, begins in (
        ("even-steven", "random", 1),
        ("even-steven", "medium", 1),
        ("divisor-duel", "random", 0),
    ):
        seen = ada.create(name, mode="bot", level=level, first="auto")
        assert seen["players"][0]["seat"] == begins
        page = Elements(ada.get(f"/m/{ada.id}", headers=HTML).text)
        assert len(page.all("p", id="begins")) == begins
    assert ada.create("even-steven", mode="bot", first="1")["turn"]["yours"]
    assert ada.create("even-steven", mode="here", first="auto")["turn"]["player"] == 0


def test_every_wrong_field_is_marked_at_once(server: Inside) -> None:
    wrong = {"option.start": "-4", "option.subtract_two": "maybe", "clock": "soon", "games": "0"}
    form = {"key": new_key(), "game": "even-steven", "names": ["Ada", "ada"], **wrong}
    found = server.visitor().post("/api/v1/matches", data=form, headers=HTML)
    assert found.status_code == 422
    page = Elements(found.text)
    marked = {field["name"] for field in page.all("input") if "aria-invalid" in field}
    assert marked == {*wrong, "names"}
    typed = {field["name"]: field["value"] for field in page.all("input") if "value" in field}
    assert typed["clock"] == "soon"
    assert "whole number of at least 1" in unescape(found.text)
    assert "different names" in found.text


@pytest.mark.parametrize(("mode", "turns"), [("here", 2), ("bot", 1)])
def test_game_can_be_played_without_scripts(server: Inside, mode: str, turns: int) -> None:
    ada = server.visitor()
    ada.create("even-steven", mode=mode, options={"start": "2"}, names=["Ada"])
    address, actions = f"/m/{ada.id}", f"/api/v1/matches/{ada.id}/actions"
    for _ in range(turns):
        page = ada.get(address, headers=HTML).text
        move, *_ = Elements(page).all("button", form="send-move")
        sends = page.partition('<form id="send-move"')[2].partition("</form>")[0]
        sent = [*Elements(sends).all("input", type="hidden"), move]
        form = {field["name"]: field["value"] for field in sent}
        assert (form["action"], form["move"]) == ("move", "1")
        answered = ada.post(actions, data=form, headers=HTML)
        assert (answered.status_code, answered.headers["location"]) == (303, address)
        again = ada.post(actions, data={**form, "key": new_key()}, headers=HTML)
        assert again.status_code == 409
        assert "The game has moved on" in again.text or "not your turn" in again.text
        assert f'<a href="{address}">Back to the game</a>' in again.text
    ended = "<title>Right player won" in ada.get(address, headers=HTML).text
    assert ended == (mode == "here")


@pytest.mark.parametrize(
    ("host", "proxy", "typed", "link", "advice"),
    [
        ("127.0.0.1", False, "localhost", "http://localhost:8000", True),
        ("0.0.0.0", False, "127.0.0.1", "http://192.0.2.2:8000", False),
        ("0.0.0.0", False, "0.0.0.0", "http://192.0.2.2:8000", False),
        ("0.0.0.0", False, "10.0.0.2", "http://10.0.0.2:8000", False),
        ("0.0.0.0", True, "localhost", "http://localhost:8000", False),
    ],
)
def test_invitation_has_an_address_that_works_for_the_friend(
    server: Inside,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    proxy: bool,
    typed: str,
    link: str,
    advice: bool,
) -> None:
    urls = ["http://192.0.2.2:8000/", "http://10.0.0.2:8000/"] if host == "0.0.0.0" else []
    monkeypatch.setattr("zerosum.web.site.network_urls", lambda host, port: urls)
    monkeypatch.setenv("MAKELEVEL", "1")
    settings = server.site.settings._replace(host=host, trust_proxy=proxy)
    for part in (server.site, server.app):
        monkeypatch.setattr(part, "settings", settings)
    ada = server.visitor()
    page = ada.get(f"/m/{ada.create()['id']}", headers={"host": f"{typed}:8000"}).text
    assert f'value="{link}/m/{ada.id}"' in page
    assert ("works only on this computer" in page) is ("localhost" in link)
    assert ("make web ARGS=&#34;--host 0.0.0.0&#34;" in page) is advice
    other = f"<code>http://10.0.0.2:8000/m/{ada.id}</code>"
    assert (other in page) is (link == "http://192.0.2.2:8000")
