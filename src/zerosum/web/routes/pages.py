"""The pages, rendered from plain data; every text is escaped.

A game is described as in `/api/games`: `name`, `title`, `summary` and `options`
(each with `name`, `title`, `help`, `kind`, `default`, `least`, `most` and `choices`), and
optionally `motif`, the picture from `zerosum.pictures.motif`.
"""

from __future__ import annotations

import io
import re
import secrets
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any
from urllib.parse import urlsplit

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from zerosum.coach.puzzles import GRADES
from zerosum.match import LONGEST_NAME
from zerosum.players.levels import LEVELS
from zerosum.web.refusals import Refused
from zerosum.web.settings import is_loopback
from zerosum.web.site import host_of

Data = Mapping[str, Any]


def home(games: Sequence[Data]) -> str:
    """Show every game as a card; each way to start is a form to POST /m."""
    return _page("home.html", games=games)


def new(game: Data, values: Data, errors: Data) -> str:
    """Ask for the fields of NewMatch, as a form to POST /m; show what was typed, and is wrong.

    A checkbox sends `off`, followed by `on` if it is checked.
    """
    return _page("new.html", game=game, values=values, errors=errors)


def table(view: Data, values: Data, errors: Data, alone: bool = False) -> str:
    """Show a match: the invitation, the game, its result. The page's scripts do the rest.

    If the server is `alone`, the invitation says how to let others in.
    """
    # A link to localhost does not work on a friend's machine.
    given = {"local": is_loopback(host_of(view["link"])[0]), "alone": alone, "errors": errors}
    data, typed = msgspec.json.encode(view).decode(), values.get("name", "")
    return _page("table.html", view=view, data=data, typed=typed, **given)


def review(view: Data, game: int = 0) -> str:
    """Review a game, which the page fetches; `view["reviewable"]` lists those that can be."""
    games = sorted({game, *view.get("reviewable", ())})
    return _page("review.html", view=view, number=game, games=games)


def explore(game: Data, values: Data, errors: Data) -> str:
    """Show a game's map, and a form for its options."""
    return _page("explore.html", game=game, values=values, errors=errors)


def puzzles(games: Sequence[Data]) -> str:
    """Show the puzzles; the page's script fetches them."""
    return _page("puzzles.html", games=games, grades=GRADES)


def rules(game: Data) -> str:
    """Show a game's rule book."""
    book = Markup(html_of(game["rulebook"]))  # noqa: S704 (html_of has escaped it)
    return _page("rules.html", game=game, book=book)


@lru_cache(maxsize=100)
def html_of(book: str) -> str:
    r"""Turn a rule book into HTML, without its title, which the page has; no HTML in it survives.

    Headings start at level two.

    >>> html_of("# Nim\n\nTake `1` or *more*, <b>not</b> none.")
    '<p>Take <code>1</code> or <em>more</em>, &lt;b&gt;not&lt;/b&gt; none.</p>\n'
    """
    parser = _markdown()
    tokens = parser.parse(book)
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]
    for token in tokens:
        token.tag = "h2" if token.tag == "h1" else token.tag
    return str(parser.renderer.render(tokens, parser.options, {}))


@cache
def _markdown() -> MarkdownIt:
    """Return a parser that takes no HTML and no images, and only harmless links."""
    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    parser.validateLink = _is_harmless  # type: ignore[assignment, method-assign]
    return parser


def _is_harmless(link: str) -> bool:
    """Return whether a link leads to a web page, here or elsewhere."""
    try:
        scheme, host, *_ = urlsplit(link)
    except ValueError:
        return False
    return scheme in ("http", "https") if host else not scheme


@lru_cache(maxsize=4096)
def qr_svg(link: str) -> bytes:
    """Draw a link as a QR code, once."""
    import segno

    file = io.BytesIO()
    made = segno.make(link, micro=False)
    made.save(file, kind="svg", scale=6, border=4, light="#fff", dark="#111", xmldecl=False)
    return file.getvalue()


def error(status: int, code: str, message: str, path: str = "") -> str:
    """Show an error, and where to go from here: back to the match, if the path is of one."""
    found = None if code in ("no_match", "private") else re.match(r"/m/\w+(?=/)", path)
    match = found and found[0]
    return _page("error.html", status=status, code=code, message=message, match=match)


def marked(refused: Refused) -> dict[str, str]:
    """Return the sentence of a refusal by its field in a form; without one, it is about all."""
    return {str(refused.more.get("field", "")).replace("options.", "option."): refused.message}


def _page(name: str, **data: Any) -> str:
    """Render a page."""
    return _templates().get_template(name).render(data, here=name.removesuffix(".html"))


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
    made.globals.update(levels=LEVELS, longest_name=LONGEST_NAME)
    # A form with a key takes effect once, however often it is sent.
    made.globals["key"] = partial(secrets.token_urlsafe, 16)
    return made
