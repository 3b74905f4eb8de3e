"""The pages, rendered from plain data; every string is escaped.

A game is described as by `Site.card`, and a match as by `tables.view`. A form has the `values` that
were typed, and the `errors` by field; a checkbox sends `false`, then `true` if it is checked.
"""

from __future__ import annotations

import gzip
import io
import re
import secrets
from functools import cache, lru_cache, partial
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from zerosum.coach.puzzles import GRADES
from zerosum.match import LONGEST_NAME
from zerosum.players.engines import SERVED
from zerosum.players.levels import LEVELS
from zerosum.text import tight
from zerosum.web.assets import accepts_gzip, assets
from zerosum.web.settings import is_loopback
from zerosum.web.site import host_of

# What a rule book may link to: pages of the web, or of this server.
LINK = re.compile(r"https?://|(?!//|[a-z][a-z0-9+.-]*:)", re.IGNORECASE)

# Addresses below that of a match.
OF_A_MATCH = re.compile(r"/(?:m|api/v1/matches)/(\w+)/")
# Level 5 takes a third of the time of level 9, for two hundredths more bytes.
QUICKLY = 5


def warm_up() -> None:
    """Load all templates, scripts and style sheets, so that a broken one fails at the start."""
    for name in _templates().list_templates():
        _templates().get_template(name)


def render(name: str, /, **data: Any) -> str:
    """Render a page from what its template needs."""
    return _templates().get_template(f"{name}.html").render(data, here=name)


def response(
    request: Request, name: str, /, status: int = 200, fresh: bool = False, **data: Any
) -> Response:
    """Answer with a page; a fresh one is not kept."""
    headers = {"cache-control": "no-store"} if fresh else {}
    return packed(request, render(name, **data).encode(), "text/html", headers, status)


def packed(
    request: Request, body: bytes, media: str, headers: dict[str, str], status: int = 200
) -> Response:
    """Answer with a body, compressed if the browser can read that."""
    headers = {**headers, "vary": "accept-encoding"}
    if accepts_gzip(request.headers.get("accept-encoding", "")):
        body, headers["content-encoding"] = gzip.compress(body, QUICKLY), "gzip"
    return Response(body, status, headers, media)


def error(status: int, code: str, message: str, path: str = "") -> str:
    """Show an error, and where to go from here: back to the match, if the path is of one."""
    found = None if code in ("no_match", "private") else OF_A_MATCH.match(path)
    match = found and f"/m/{found[1]}"
    return render("error", status=status, code=code, message=message, match=match)


@lru_cache(maxsize=100)
def html_of(book: str) -> Markup:
    r"""Turn a rule book into HTML, without its title, which the page has; no HTML in it survives.

    Headings start at level two.

    >>> print(html_of("# Nim\n\nTake `1` or *more*, <b>not</b> none."))
    <p>Take <code>1</code> or <em>more</em>, &lt;b&gt;not&lt;/b&gt; none.</p>
    <BLANKLINE>
    """
    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    parser.validateLink = lambda url: LINK.match(url) is not None  # type: ignore[method-assign]
    tokens = parser.parse(book)
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]
    for token in tokens:
        token.tag = "h2" if token.tag == "h1" else token.tag
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 (escaped)


@lru_cache(maxsize=4096)
def qr_svg(link: str) -> bytes:
    """Draw a link as a QR code, once."""
    import segno

    file = io.BytesIO()
    made = segno.make(link, micro=False)
    made.save(file, kind="svg", scale=6, border=4, light="#fff", dark="#111", xmldecl=False)
    return file.getvalue()


@cache
def _templates() -> Environment:
    """Load the templates."""
    made = Environment(
        loader=PackageLoader("zerosum.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(levels=LEVELS, grades=GRADES, longest_name=LONGEST_NAME)
    # A form with a key takes effect once, however often it is sent.
    made.globals["key"] = partial(secrets.token_urlsafe, 16)
    made.globals["asset"] = assets().url
    made.filters.update(tight=tight, opponent=lambda name: name.removeprefix(SERVED))
    made.filters.update(html=html_of, json=lambda data: msgspec.json.encode(data).decode())
    # A link to localhost does not work on a friend's machine.
    made.tests["local"] = lambda link: is_loopback(host_of(link)[0])
    return made
