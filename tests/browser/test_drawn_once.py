"""A position's markup is in the templates once; scripts put into it what the server does."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit

# What is seen of the parts that the server draws and scripts draw again. Left out are the forms by
# which moves are sent without scripts, what only scripts can say, and what they fill in later.
SEEN = """html => {
  const parts = [".player", "#lines", "#fields", "#grid", "#moves", "#result", "#tool-buttons",
    "#turn", "#prompt", "#variant", "#series", "#more", "#versus", "#join", "#invite"];
  const told = ["class", "hidden", "href", "role", "aria-current", "aria-disabled", "data-kind",
    "data-length", "data-seat", "data-player", "data-to"];
  const others = ["playable", "scripted"];  // with scripts, and without
  const value = (element, name) => element.getAttribute(name).split(/\\s+/)
    .filter((word) => word && !others.includes(word)).sort().join(" ");
  const named = (element) => [element.localName, ...told
    .filter((name) => element.hasAttribute(name))
    .map((name) => `${name}=${value(element, name)}`)].join(" ");
  const seen = (element) => [named(element), ...[...element.childNodes].flatMap((child) =>
    child.nodeType === Node.TEXT_NODE ? child.data.trim() || []
    : child.matches("noscript, #figures, #then, #own-strength") ? [] : [seen(child)])];
  const page = html ? new DOMParser().parseFromString(html, "text/html") : document;
  return parts.map((part) => [part, ...[...page.querySelectorAll(part)].map(seen)]);
}"""
LONG = {"options": {"start": "123456789012345678901"}}


def test_scripts_draw_what_the_server_has_drawn(visit: Visit) -> None:
    ada = visit()
    for name, fields, moves in (
        ("even-steven", {"games": 2, "names": ["Ada", "Bob"]}, ["1"]),
        ("even-steven", {"options": {"start": "2"}}, ["1", "1"]),
        ("even-steven", {"mode": "friend", **LONG}, []),
        ("even-steven", {"mode": "bot", "first": "1", "coach": "ask", **LONG}, []),
        ("digit-battle", {}, ["1", "3"]),
        ("noughts-and-crosses", {}, ["b2"]),
        ("territory", {}, []),
        ("dots-and-boxes", {}, []),
    ):
        ada.create(name, **{"mode": "here", **fields})
        if moves:
            ada.act(*moves)
            ada.page.reload()
        expect(ada.connection).to_have_attribute("data-state", re.compile("connected|over"))
        html = ada.page.context.request.get(ada.link).text()
        drawn, again = ada.page.evaluate(SEEN, html), ada.page.evaluate(SEEN, "")
        assert len(str(drawn)) > 1000
        for before, after in zip(drawn, again, strict=True):
            assert before == after, (name, fields)
