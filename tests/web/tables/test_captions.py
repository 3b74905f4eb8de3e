"""What the page says about a table, to each visitor."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.support import Inside, Visitor


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server whose matches end soon."""
    folder: Path = tmp_path_factory.mktemp("captions")
    with Inside(folder / "matches.db") as running:
        yield running


def captions(visitor: Visitor) -> dict[str, Any]:
    """What is said to somebody now."""
    found: dict[str, Any] = visitor.see()["captions"]
    return found


def controls(visitor: Visitor, where: str) -> dict[str, bool]:
    """The controls of one kind by their texts, and whether they are open."""
    return {control["text"]: control["open"] for control in captions(visitor)[where]}


def test_result_is_told_to_each_visitor(server: Inside) -> None:
    ada, bob = server.pair(options={"start": "1"})
    ada.do("move", move="1")
    for visitor, title, reason in ((ada, "You won!", "You"), (bob, "You lost", "Ada")):
        said = captions(visitor)
        assert (said["title"], said["reason"]) == (title, f"{reason} reached 0.")
        assert said["share"] == "Ada won in 1 move. Ada reached 0."
        assert said["tags"][0] == ["★ winner"]
    ada, bob = server.pair("digit-battle", options={"lives": "1"})
    ada.do("move", move="1")
    bob.see()
    bob.do("move", move="9")
    assert captions(ada)["reason"] == "Bob has no lives left."
    assert captions(bob)["reason"] == "You have no lives left."


def test_turn_is_told_to_each_visitor(server: Inside) -> None:
    ada, bob = server.pair()
    assert (captions(ada)["turn"], captions(bob)["turn"]) == ("Your turn", "Ada's turn")
    assert captions(ada)["tags"] == [["your move"], []]
    assert captions(bob)["tags"] == [["to move"], []]
    assert (captions(ada)["names"], captions(bob)["names"]) == (["You", "Bob"], ["Ada", "You"])


def test_page_is_named_by_what_matters_most(server: Inside) -> None:
    ada = server.visitor()
    ada.create(names=["Ada"], options={"start": "1"})
    bob = server.visitor(ada.id)
    assert captions(ada)["page"] == "Waiting for your friend – Even-Steven"
    assert captions(bob)["page"] == "Ada invites you to a game of Even-Steven"
    bob.join(ada.id, name="Bob")
    assert captions(ada)["page"] == "Your turn – Even-Steven"
    assert captions(bob)["page"] == "Ada's turn – Even-Steven"
    ada.do("move", move="1")
    assert captions(bob)["page"] == "You lost – Even-Steven"
    assert "<title>You lost – Even-Steven</title>" in bob.get(f"/m/{ada.id}").text


def test_offer_has_answers_for_the_other_player_alone(server: Inside) -> None:
    ada, bob = server.pair()
    bob.do("draw")
    (mine,), (theirs,) = bob.see()["offers"], ada.see()["offers"]
    assert mine["text"] == "You offered a draw."
    assert [answer["text"] for answer in mine["answers"]] == ["Withdraw"]
    assert theirs["text"] == "Bob offers a draw."
    assert [answer["text"] for answer in theirs["answers"]] == ["Accept", "Decline"]


def test_tools_stay_where_they_are_open_or_not(server: Inside) -> None:
    ada, bob = server.pair(watch=False)
    names = ["Ask to take back", "Offer a draw", "Resign"]
    assert controls(ada, "tools") == dict(zip(names, (False, True, True), strict=True))
    ada.do("move", move="1")
    assert controls(ada, "tools") == dict.fromkeys(names, True)
    bob.see()
    bob.do("draw")
    assert controls(ada, "tools") == dict(zip(names, (True, False, True), strict=True))


def test_shared_screen_has_its_own_words(server: Inside) -> None:
    ada = server.visitor()
    ada.create(mode="here", names=["Ada", "Bob"], options={"start": "1"})
    assert list(controls(ada, "tools")) == ["Undo", "Call it a draw", "Resign"]
    assert captions(ada)["turn"] == "Ada's turn"
    ada.do("move", move="1")
    assert captions(ada)["title"] == "Ada won"
    assert list(controls(ada, "onward")) == ["Rematch", "Another game", "Review", "Share"]


def test_who_is_said_to_begin_the_next_game_and_the_rematch_does(server: Inside) -> None:
    ada = server.visitor()
    names, options = ["Ada", "Bob"], {"start": "1"}
    ada.create(mode="here", first="1", games=2, names=names, options=options)
    for action, which in (("next", "next game"), ("rematch", "rematch")):
        ada.do("move", move="1")
        assert captions(ada)["begins"] == f"In the {which}, Bob begins."
        after = ada.do(action)["next"] or f"/m/{ada.id}"
        ada.id = after.removeprefix("/m/")
        assert captions(ada)["turn"] == "Bob's turn"
