"""The pages: what they hold, what they escape, and that nothing in them needs a weaker policy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.game_files import TAKE_AWAY
from tests.web.routes.elements import Elements
from tests.web.support import Inside, Visitor, new_key
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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with a game whose strings would be dangerous if they were not escaped."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "own.py").write_text(OWN + WORDS)
    with Inside(folder / "a.db", files=(str(folder / "own.py"),)) as server:
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
        "learn": page(ada, "/learn/take-away?lesson=1&try=2"),
        "new": page(ada, "/m", game="take-away", **wrong, **{"option.start": EVIL}),
        "new, empty": page(ada, "/new/dual-digits"),
        "table": page(ada),
        "table, refused": page(bob, f"/m/{bob.id}/actions", action="move", ply=0, move=EVIL),
        "invitation": page(eve),
        "invitation, again": page(eve, f"/m/{eve.id}/join", name=EVIL * 9),
        "waiting": page(waiting),
        "review": page(over, f"/m/{over.id}/review"),
        "explore": page(ada, f"/explore/take-away?option.start={EVIL}&option.flag={EVIL}"),
        "puzzles": page(ada, "/puzzles"),
        "puzzles, daily": page(ada, "/puzzles?daily"),
        "rules": page(ada, "/rules/take-away"),
        "error": page(ada, "/new/<script>alert(1)"),
    }


# Pages that show nothing from a user or a game.
NOTHING_TYPED = ("new, empty", "puzzles, daily")


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
        file for page in every_page.values() for file in re.findall(r'"/static/([^"]+)"', page)
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
    refused = page(bob, f"/m/{bob.id}/actions", action="move", ply=0, move="1")
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
    assert actions == [*["move"] * 2, "accept", "decline", "draw", "resign"]


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
    assert back in pages.error(403, "coach_not_agreed", "Not yet.", "/m/abc/review")
    for code, path in (("private", "/m/abc/review"), ("no_match", "/m/abc/x"), ("no_page", "/m/")):
        assert "Back to the game" not in pages.error(404, code, "No.", path)
