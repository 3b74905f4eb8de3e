"""The pages, rendered from plain data; every text is escaped.

A game is described as in `/api/games`: `name`, `title`, `summary` and `options`
(each with `name`, `title`, `help`, `kind`, `default`, `least`, `most` and `choices`), and
optionally `motif`, the picture from `zerosum.web.routes.motif.motif_of`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from zerosum.coach.puzzles import GRADES
from zerosum.match import LONGEST_NAME
from zerosum.players.levels import LEVELS
from zerosum.web.routes.markdown import html_of, title_in
from zerosum.web.settings import is_loopback

Data = Mapping[str, Any]
LEVEL_WORDS = {
    "random": "any legal move",
    "easy": "often slips",
    "medium": "slips now and then",
    "hard": "rarely slips",
    "perfect": "never slips",
}
STATUS_WORDS = {
    403: "Not allowed",
    404: "Not found",
    405: "Not allowed",
    429: "Too many requests",
}


def home(games: Sequence[Data]) -> str:
    """Show every game as a card; each way to start is a form to POST /m."""
    return _page("home.html", games=games)


def new(game: Data, values: Data | None = None, errors: Data | None = None) -> str:
    """Ask for the options of a new match, as a form to POST /m.

    Its fields: `key`, `game`, `mode`, `level`, `names` (twice: the creator, the opponent), `first`,
    `games`, `clock`, `coach`, `watch`, and `option.<name>` for every option of the game. An empty
    field means the default. A checkbox sends `off`, followed by `on` if it is checked: the last
    value counts. `values` holds what was typed, by field (`names` as a list), and `errors` a
    sentence by field; the sentence under "" is about the whole form.
    """
    given = dict(values or {})
    if isinstance(given.get("names"), str):
        given["names"] = [given["names"]]  # from an address
    return _page("new.html", game=game, values=given, errors=errors or {})


def table(view: Data, *, error: str = "", name: str = "") -> str:
    """Show a match: the invitation, the game, its result. The page's scripts do the rest.

    If joining failed, `error` is the sentence beside the name, and `name` what was typed.
    """
    # A link to localhost does not work on a friend's machine.
    local = is_loopback(urlsplit(view["link"]).hostname or "")
    errors = {"name": error} if error else {}
    return _page("table.html", view=view, data=_data(view), local=local, errors=errors, typed=name)


def review(view: Data, game: int = 0, document: Data | None = None) -> str:
    """Review a game; without a document the page fetches `/m/{id}/review.json?game=…`.

    `view["reviewable"]` lists the games of the match that can be reviewed.
    """
    given = "" if document is None else _data(document)
    games = sorted({game, *view.get("reviewable", ())})
    return _page("review.html", view=view, number=game, games=games, document=given)


def explore(game: Data, values: Data | None = None, errors: Data | None = None) -> str:
    """Show a game's map; `values` are the options in the address, as typed.

    `errors` has a sentence by option. The address of a position is
    `/explore/<game>?option.start=21&state=[7,0]`.
    """
    wrong = {f"option.{name}": text for name, text in (errors or {}).items()}
    return _page("explore.html", game=game, values=values or {}, errors=wrong)


def puzzles(games: Sequence[Data]) -> str:
    """Show the puzzles; the page's script fetches them."""
    return _page("puzzles.html", games=games, grades=GRADES)


def rules(game: Data, text: str) -> str:
    """Show a game's rule book, given as Markdown."""
    book = Markup(html_of(title_in(text)[1]))  # noqa: S704 (html_of has escaped it)
    return _page("rules.html", game=game, book=book)


def error(status: int, code: str, message: str) -> str:
    """Show an error, and where to go from here."""
    usual = STATUS_WORDS.get(status, "That did not work")
    heading = "This game is private" if code == "private" else usual
    return _page("error.html", status=status, code=code, heading=heading, message=message)


def _page(name: str, **data: Any) -> str:
    """Render a page."""
    return _templates().get_template(name).render(data, here=name.removesuffix(".html"))


def _data(document: Data) -> str:
    """Serialise a document for an attribute; the template escapes it."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _key() -> str:
    """Return a key for a form, so that it takes effect once however often it is sent."""
    return secrets.token_urlsafe(16)


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
    made.globals.update(key=_key, levels=LEVELS, level_words=LEVEL_WORDS, longest_name=LONGEST_NAME)
    return made
