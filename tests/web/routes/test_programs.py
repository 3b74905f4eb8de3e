"""Against a bot and on a shared screen: turns, undo, draws, forks, reviews; and over HTTP."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.support import Frozen, Visitor, fits, live_match, new_key, saved_events
from zerosum.match import Event


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Frozen]:
    with Frozen(tmp_path / "a.db") as server:
        yield server


def test_bot_moves_only_on_its_turn(server: Frozen) -> None:
    ada = server.visitor()
    ada.create(mode="bot", level="perfect", options={"start": "20"}, names=["Ada"])
    assert server.let_it_move(ada)["ply"] == 0
    view = ada.do("move", move="1")
    assert view["turn"]["player"] == 1
    assert view["can"] == ["undo", "draw", "resign", "coach"]
    assert ada.act("move", move="1").json()["error"]["code"] == "not_your_turn"
    view = server.let_it_move(ada)
    assert (view["ply"], view["turn"]["yours"]) == (2, True)
    assert view["last"][-1]["player"] == 1
    fits(view, live_match(server.db, ada.id).saved.match)


def test_bot_declines_a_draw_in_a_won_position(server: Frozen) -> None:
    """15 is lost for the player to move, and the perfect bot knows it."""
    ada = server.visitor()
    ada.create(mode="bot", level="perfect", options={"start": "15"}, names=["Ada"])
    view = ada.do("draw")
    assert view["news"][-1]["text"] == "Computer (perfect) declined the draw."
    assert view["ended"] is None
    assert saved_events(server.db, ada.id) == []
    ada.create(mode="bot", level="perfect", options={"start": "16"}, names=["Ada"])
    view = ada.do("draw")
    assert view["ended"]["winner"] is None
    assert saved_events(server.db, ada.id) == [Event("agreement")]


def test_same_screen_holds_both_seats_and_needs_no_agreement(server: Frozen) -> None:
    ada = server.visitor()
    view = ada.create(mode="here", names=["Ada", "Bob"], games=3)
    assert view["you"] == [0, 1]
    ada.do("move", move="1")
    assert ada.do("move", move="1")["ply"] == 2
    assert ada.do("undo")["turn"]["player"] == 1
    assert ada.do("draw")["ended"]["by"] == "agreement"
    assert ada.do("next")["series"]["game"] == 2
    assert ada.do("resign")["ended"]["winner"] == 0
    ada.do("next")
    assert ada.do("resign")["over"]
    ada.do("rematch")
    way = ada.get(f"/m/{ada.id}/next").headers["location"]
    assert ada.see(way.removeprefix("/m/"))["you"] == [0, 1]
    assert server.visitor().get(way).status_code == 403


def played(ada: Visitor, **fields: Any) -> str:
    """Play a game to its end on a shared screen."""
    ada.create(mode="here", names=["Ada", "Bob"], options={"start": "6"}, **fields)
    view = ada.view
    while view["ended"] is None:
        view = ada.do(
            "move", move=next(choice["move"] for choice in view["moves"] if choice["legal"])
        )
    return ada.id


def test_finished_game_can_be_reviewed_and_forked(server: Frozen) -> None:
    ada = server.visitor()
    over = played(ada)
    match = live_match(server.db, over).saved.match
    review = ada.get(f"/api/v1/matches/{over}/review?game=0").json()
    assert review["exact"] is True
    assert len(review["plies"]) == match.ply + 1
    for ply in range(match.ply):
        key = new_key()
        answer = ada.post(
            f"/api/v1/matches/{over}/fork", {"key": key, "ply": ply, "level": "random"}
        )
        assert answer.status_code == 201
        view = answer.json()
        assert (view["mode"], view["you"], view["ply"]) == ("bot", [0], ply)
        assert view["turn"]["yours"]
        fork = live_match(server.db, view["id"]).saved.match
        assert fork.state == match.round.states[ply]
        assert fork.round.moves == match.round.moves[:ply]
        again = ada.post(
            f"/api/v1/matches/{over}/fork", {"key": key, "ply": ply, "level": "random"}
        )
        assert again.json()["id"] == view["id"]
        other = ada.post(f"/api/v1/matches/{over}/fork", {"key": key, "ply": ply, "level": "easy"})
        assert other.json()["error"]["code"] == "key_reused"
    plain = ada.post(f"/api/v1/matches/{over}/fork", {"key": new_key()}).json()
    assert (plain["ply"], plain["players"][1]["name"]) == (0, "Computer (perfect)")


def test_finished_match_is_made_public_but_not_its_rematch(server: Frozen) -> None:
    ada, eve = server.visitor(), server.visitor()
    over = played(ada)
    api = f"/api/v1/matches/{over}"
    paths = (f"/m/{over}", f"/m/{over}/review", api, f"{api}/review", f"{api}/record")
    for path in paths:
        assert eve.get(path).status_code == 403
    assert eve.post(
        f"/api/v1/matches/{over}/actions",
        {"key": new_key(), "ply": ada.view["ply"], "action": "publish"},
    ).json()["error"]["code"] in ("private", "no_seat")
    assert "publish" in ada.see()["can"]
    assert 'data-action="publish"' in ada.get(f"/m/{over}/review").text
    view = ada.do("publish")
    assert view["watch"]
    assert "publish" not in view["can"]
    assert ada.act("publish").json()["error"]["code"] == "not_now"
    for path in paths:
        assert eve.get(path).status_code == 200
    assert "data-action" not in eve.get(f"/m/{over}/review").text
    assert live_match(server.db, over).data.count('"public":true') == 1
    ada.do("rematch")
    new = ada.get(f"/m/{over}/next").headers["location"]
    assert eve.get(new).status_code == 403


def test_address_fills_the_form(server: Frozen) -> None:
    ada = server.visitor()
    page = ada.get("/new/even-steven?names=Ada+L&option.start=+21&level=").text
    assert 'value="Ada L"' in page
    assert 'value="21"' in page
    assert 'value="medium" checked' in page


def test_form_creates_a_match_and_redirects_to_it(server: Frozen) -> None:
    ada = server.visitor()
    key = new_key()
    form = {"key": key, "game": "even-steven", "names": ["Ada", ""], "level": "", "games": "3"}
    form |= {"clock": "60", "watch": ["false", "true"], "option.start": " 21"}
    ways = set()
    for _ in range(2):  # sent twice by an impatient finger
        answer = ada.post("/api/v1/matches", data=form)
        assert answer.status_code == 303
        ways.add(answer.headers["location"])
    (way,) = ways
    view = ada.see(way.removeprefix("/m/"))
    assert (view["you"], view["mode"], view["watch"]) == ([0], "bot", True)
    assert (view["series"]["games"], view["clock"]["seconds"]) == (3, 60)
    assert [player["name"] for player in view["players"]] == ["Ada", "Computer (medium)"]
    assert view["game"]["options"]["start"] == "21"
    bob, id_ = server.visitor(), ada.create()["id"]
    sit_down = {"key": new_key(), "name": "Bob"}
    for person in (bob, bob, server.visitor()):  # again, with the seat or without its cookie
        answer = person.wire.request("POST", f"/api/v1/matches/{id_}/join", data=sit_down)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/m/{id_}")
        assert person.see(id_)["you"] == [1]
    assert ada.see(id_)["players"][1]["name"] == "Bob"


def test_values_are_read_however_they_are_written(server: Frozen) -> None:
    ada = server.visitor()
    ada.create(mode="here")
    for typed in ("1", 1, " 1 "):
        assert ada.do("move", move=typed)["last"][-1]["move"] == "1"
    for game, name, given, read in (
        ("even-steven", "start", " +21 ", "21"),
        ("even-steven", "start", 21, "21"),
        ("dual-digits", "numbers", "1, 2,3", "1,2,3"),
        ("dual-digits", "numbers", [1, "2"], "1,2"),
        ("even-steven", "subtract_two", "ON", "on"),
        ("even-steven", "subtract_two", False, "off"),
        ("digit-battle", "start", "-" + "9" * 40, "-" + "9" * 40),
    ):
        view = ada.create(game, mode="here", options={name: given})
        assert view["game"]["options"][name] == read
    for mode, watch, watched in (
        ("bot", None, False),
        ("friend", None, True),
        ("friend", False, False),
        ("here", True, True),
    ):
        assert ada.create(mode=mode, watch=watch)["watch"] is watched
