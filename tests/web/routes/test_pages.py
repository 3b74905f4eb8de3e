"""The pages: what they hold, what they escape, and that nothing in them needs a weaker policy."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.routes.elements import Elements
from zerosum.match import Match
from zerosum.options import OptionKind
from zerosum.registry import find
from zerosum.web.analysis.cards import card
from zerosum.web.assets import assets
from zerosum.web.routes import pages
from zerosum.web.site import EXACT_LEVELS, described
from zerosum.web.tables.actions import begun
from zerosum.web.tables.table import LiveTable
from zerosum.web.tables.view import Viewer, document
from zerosum.wording.texts import rulebook_of

EVIL = "<script>alert(1)</script>\"'&"
STATIC = files("zerosum.web") / "static"


def game(name: str = "even-steven") -> dict[str, Any]:
    entry = find(name)
    variant = entry.variant()
    about = {**described(entry), **card(variant), **EXACT_LEVELS}
    return {**about, "rulebook": rulebook_of(variant)}


def shown(players: tuple[str, str] = ("Ada", "Bob"), both: bool = True, who: int = 0) -> Any:
    match = Match.new(find("even-steven").variant(), players)
    holders = (("a", (0,)), ("b", (1,))) if both else (("a", (0,)),)
    table = begun(LiveTable("x" * 26, match, "friend", holders, True), 0.0)
    viewer = Viewer(b"secret", table.id, "ab"[who] if who >= 0 else "", "http://here")
    return msgspec.json.decode(document(table, viewer, 0.0))


def new(game: Any, values: Any, errors: Any) -> str:
    return pages.render("new", game=game, values=values, errors=errors)


def explore(game: Any, values: Any, errors: Any) -> str:
    return pages.render("explore", game=game, values=values, errors=errors)


def table(view: Any, values: Any, errors: Any) -> str:
    links = {"links": [view["link"]], "command": "", **EXACT_LEVELS}
    return pages.render("table", view=view, values=values, errors=errors, **links)


def review(view: Any, number: int) -> str:
    return pages.render("review", view=view, number=number)


def rules(game: Any) -> str:
    return pages.render("rules", game=game)


def home(*games: Any, text: str = "", tried: str = "") -> str:
    trial = {"game": "even-steven", "title": text, "goal": text, **lesson(text)}
    return pages.render("home", games=games, trial=trial, tried=tried)


def lesson(text: str = "−1 → 5") -> dict[str, Any]:
    moves = [
        {"move": move, "button": text, "label": text, "right": move == "1", "said": text}
        for move in ("1", "2")
    ]
    return {"task": text, "picture": "<svg/>", "fields": [text], "moves": moves}


def learn(game: Any, *lessons: Any, number: str = "", tried: str = "", problem: str = "") -> str:
    data = {"number": number, "tried": tried, "problem": problem}
    return pages.render("learn", game=game, lessons=lessons, **data)


@cache
def every_page() -> dict[str, str]:
    """Render every page, with strings that would be dangerous if they were not escaped."""
    own = {**game(), "name": "own", "title": EVIL, "summary": EVIL, "goal": EVIL}
    own["rulebook"] = f"# {EVIL}\n\n## {EVIL}\n\n- {EVIL} `{EVIL}` *{EVIL}*\n"
    own["options"] = [
        {
            "name": f"a_{kind}",
            "title": EVIL,
            "help": EVIL,
            "kind": kind,
            "default": EVIL,
            "least": None,
            "most": None,
            "choices": [EVIL] if kind == "text" else [],
        }
        for kind in get_args(OptionKind)
    ]
    typed = {"names": [EVIL, EVIL], "clock": EVIL, "games": EVIL, "option.a_number": EVIL}
    wrong = dict.fromkeys(("", "names", "clock", "mode", "level", f"option.{EVIL}"), EVIL)
    match = shown((EVIL[:30], "Bob"))
    return {
        "home": home(game(), own, text=EVIL, tried="1"),
        "learn": learn(own, lesson(EVIL), lesson(EVIL), number="1", tried="2"),
        "learn, nothing": learn(own, problem=EVIL),
        "new": new(own, typed, wrong),
        "new, empty": new(game("dual-digits"), {}, {}),
        "table": table(match, {}, {}),
        "invitation": table(shown((EVIL[:30], "Bob"), both=False, who=-1), {}, {}),
        "invitation, again": table(
            shown((EVIL[:30], "Bob"), both=False, who=-1), {"name": EVIL}, {"name": EVIL}
        ),
        "waiting": table(shown(both=False), {}, {}),
        "review": review(match, 0),
        "explore": explore(own, {"option.a_number": EVIL}, {"option.a_flag": EVIL}),
        "puzzles": pages.render("puzzles", games=[game(), own], daily=False),
        "puzzles, daily": pages.render("puzzles", games=[game(), own], daily=True),
        "rules": rules(own),
        "error": pages.error(404, EVIL, EVIL),
    }


PAGES = (
    *("home", "learn", "learn, nothing", "new", "new, empty", "table", "invitation"),
    *("invitation, again", "waiting", "review", "explore", "puzzles", "puzzles, daily"),
    *("rules", "error"),
)
# Pages that show nothing from a user or a game.
NOTHING_TYPED = ("new, empty", "waiting", "puzzles, daily")


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_valid_and_run_only_our_scripts(name: str) -> None:
    page = Elements(every_page()[name])
    assert page.open == []
    assert "alert(1)" in unescape(every_page()[name]) or name in NOTHING_TYPED
    for tag, attributes in page.found:
        assert tag != "style"
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for place in ("src", "href", "action"):
            assert re.match(r"(/(?!/)|#)", attributes.get(place, "/")), attributes
    first, *others = page.all("script")
    assert "settings.js" in first["src"]  # before the page is drawn, so not a module
    assert all(script["type"] == "module" for script in others)
    assert "<script>" not in every_page()[name]


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_landmarks_one_heading_and_unique_ids(name: str) -> None:
    page = Elements(every_page()[name])
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
    radios = [field for field in page.all("input") if field.get("type") in ("radio", "checkbox")]
    sent = [field for field in radios if "name" in field]
    assert all("value" in choice for choice in (*page.all("option"), *sent))


def test_files_used_by_pages_exist() -> None:
    assert set(every_page()) == set(PAGES)
    asked = {
        file for page in every_page().values() for file in re.findall(r'"/static/([^"]+)"', page)
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


def test_page_reloads_only_to_wait_for_the_other_player() -> None:
    for view, errors, reloads in (
        (shown(who=1), {}, True),
        (shown(both=False), {}, True),
        (shown(), {}, False),
        (shown(both=False, who=-1), {}, False),
        (shown(who=1), {"move": "It is not your turn."}, False),
    ):
        found = Elements(table(view, {}, errors)).all("meta", **{"http-equiv": "refresh"})
        assert [tag["content"] for tag in found] == [f"2;url=/m/{view['id']}"] * reloads


def test_offer_can_be_answered_without_scripts() -> None:
    offer = {"kind": "draw", "player": 1, "text": "Bob offers a draw."}
    text = table({**shown(), "offers": [offer], "can": ["accept", "decline"]}, {}, {})
    assert "<p>Bob offers a draw.</p>" in text
    actions = [field["value"] for field in Elements(text).all("input", name="action")]
    assert actions == [*["move"] * 2, "accept", "decline"]


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
