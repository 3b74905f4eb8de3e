"""One voice: to oneself one is 'You', people have names, and a move is named by what it does."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random

import pytest

import zerosum
from tests.game_files import CONNECT_FOUR, NOUGHTS
from tests.web.inside import Inside
from tests.web.visitors import View, Visitor

BOARDS = {"connect-four": CONNECT_FOUR, "noughts-and-crosses": NOUGHTS}
HIDDEN = re.compile(r"<(script|style|title|head)\b.*?</\1>|data-view=\"[^\"]*\"|<[^>]*>", re.DOTALL)
NOBODY = re.compile(r"Player [12]\b")
# Most games end by then; the others are resigned.
MOST_MOVES = 15


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with two board games of its own."""
    folder: Path = tmp_path_factory.mktemp("voice")
    with Inside(folder / "matches.db", files=tuple(BOARDS.values())) as running:
        yield running


def told(view: View) -> str:
    """Everything that a document says to whoever reads it, but for the names that were given."""
    said = [view[part] for part in ("captions", "picture", "last", "news", "offers")]
    turn = view["turn"] and [view["turn"]["text"], view["turn"]["prompt"]]
    return str([*said, turn])


def hears_a_friend(person: Visitor, view: View) -> None:
    """A player is addressed, and moves are named by what they do, on the page as in its data."""
    page = unescape(HIDDEN.sub(" ", person.get(f"/m/{person.id}").text))
    for text in (told(view), page):
        assert not NOBODY.search(text), text
    assert "You" in view["captions"]["names"]
    for played in view["last"]:
        assert not played["button"].isdigit(), played
    for played in view["last"][-1:]:
        assert f"played {played['button']}" in " ".join(page.split())


@pytest.mark.parametrize("name", [*zerosum.games()[:5], *BOARDS])
def test_people_without_names_are_you_and_your_opponent(server: Inside, name: str) -> None:
    rng = Random(name)
    ada = server.visitor()
    ada.create(name, names=[])
    bob = server.visitor(ada.id)
    title = bob.see()["game"]["title"]
    assert bob.see()["captions"]["page"] == f"You have been invited to a game of {title}"
    bob.join(ada.id, name=None)
    view = ada.see()
    for ply in range(MOST_MOVES):
        mover, other = (ada, bob) if view["turn"]["yours"] else (bob, ada)
        for person in (ada, bob):
            hears_a_friend(person, person.see())
        if ply == 2:
            other.see()
            other.do("draw")
            hears_a_friend(mover, mover.see())
            mover.do("decline", offer="draw")
            assert mover.see()["news"][-1]["text"] == "You declined the draw."
            assert other.see()["news"][-1]["text"] == "Your opponent declined the draw."
        mover.see()
        mover.do("move", move=rng.choice(mover.see()["legal"]))
        view = ada.see()
        if view["ended"]:
            break
    else:
        ada.do("resign")
        assert ada.see()["captions"]["reason"] == "You resigned."
        assert bob.see()["captions"]["reason"] == "Your opponent resigned."
    for person in (ada, bob):
        hears_a_friend(person, person.see())
        review = person.get(f"/api/v1/matches/{ada.id}/review").json()
        said = str([review["text"], review["accuracy"], review["moments"], review["svg"]])
        said += str([(ply["reason"], ply["position"], ply["buttons"]) for ply in review["plies"]])
        assert not NOBODY.search(said), said
        assert not re.search(r"\bYou('s|r's| (plays|wins|has|is|loses)\b)", said), said
