"""A user's own game through the server: moves like b2, a board, drawn games, options in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import zerosum
from tests.game_files import NOUGHTS, PASS
from tests.games import GAMES_FILE
from tests.web.support import Inside, View, Visitor, fits, live_match, new_key, saved_events
from zerosum.errors import GameError
from zerosum.match import Event
from zerosum.players.levels import LEVELS
from zerosum.registry.fingerprint import fingerprint
from zerosum.web.analysis.rules import board
from zerosum.web.analysis.solutions import File, Solutions, install, solutions
from zerosum.wording.words import Words

NAME = "noughts-and-crosses"
DRAWN = ["b2", "a1", "c3", "c1", "b1", "b3", "a3", "c2", "a2"]
FULL = [["O", "X", "O"], ["X", "X", "O"], ["X", "O", "X"]]
NO_MOVES: list[list[list[str]]] = [[[]] * 3] * 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with a frozen clock, so that bots move only on command."""
    folder = tmp_path_factory.mktemp("boards")
    clock = [1_000_000.0]
    files = {NAME: NOUGHTS, "nim-with-a-pass": PASS, "sides": f"{GAMES_FILE}:Sides"}
    known = {name: File(path, fingerprint(zerosum.game(path))) for name, path in files.items()}

    def now() -> float:
        clock[0] += 1  # a program's turn has always come
        return clock[0]

    before = solutions()
    install(Solutions(known))
    with Inside(folder / "a.db", now=now, files=tuple(files.values())) as server:
        yield server
    install(before)


def texts(document: Any) -> list[list[str]]:
    """The strings in the cells of a board."""
    return [[cell["text"] for cell in row] for row in document["board"]["rows"]]


def moves(document: Any) -> list[list[list[str]]]:
    """The moves that belong to the cells of a board."""
    return [[cell["moves"] for cell in row] for row in document["board"]["rows"]]


def play(players: tuple[Visitor, Visitor], first: int = 0) -> View:
    """Play a game to its drawn end, in letters of either case."""
    for ply, move in enumerate(DRAWN):
        players[(ply + first) % 2].do("move", move=move.upper() if ply % 2 else f" {move} ")
    return players[0].see()


def test_drawn_game(server: Inside) -> None:
    ada, bob = server.pair(NAME)
    view = ada.view
    assert texts(view) == [[""] * 3] * 3
    assert moves(view) == [[[f"{column}{row}"] for column in "abc"] for row in "123"]
    assert view["digits"] is False
    assert [choice["move"] for choice in view["moves"]] == [
        cell for row in moves(view) for [cell] in row
    ]
    view = play((ada, bob))
    fits(view, live_match(server.db, ada.id, NOUGHTS).saved.match)
    assert saved_events(server.db, ada.id) == [Event("move", move) for move in DRAWN]
    assert texts(view) == FULL
    assert moves(view) == NO_MOVES
    assert view["ended"] == {
        "by": "rules",
        "winner": None,
        "text": "Draw: the board is full.",
        "reason": "the board is full",
    }
    assert view["news"][-1]["text"] == "Ada plays a2. Draw: the board is full."
    assert [player["score"] for player in view["players"]] == [0.5, 0.5]
    for player in (ada, bob):
        player.do("rematch")
    way = ada.get(f"/m/{ada.id}/next").headers["location"]
    again = ada.see(way.removeprefix("/m/"))
    assert [(player["tally"], player["score"]) for player in again["players"]] == [(0, 0)] * 2


def test_series_with_half_points(server: Inside) -> None:
    ada, bob = server.pair(NAME, games=3)
    assert play((ada, bob))["series"]["score"] == [0.5, 0.5]
    assert not ada.view["over"]
    for player in (ada, bob):
        player.do("next")
    assert bob.see()["turn"]["yours"]
    assert bob.do("resign")["series"] == {"games": 3, "game": 2, "score": [1.5, 0.5]}
    for player in (ada, bob):
        player.do("next")
    ada.do("draw")
    assert bob.see()["news"][-1]["text"] == "Ada offers a draw."
    assert bob.do("decline", offer="draw")["news"][-1]["text"] == "Bob declined the draw."
    bob.do("draw")
    view = ada.do("draw")
    assert view["news"][-1]["text"] == view["ended"]["text"] == "Draw by agreement."
    assert (view["over"], view["series"]["score"]) == (True, [2, 1])
    assert view["reviewable"] == [0]


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("b2", "illegal_move", "That cell is taken."),
        ("z9", "illegal_move", "Name a free cell, such as b2."),
        (5, "illegal_move", "5 is not a legal move."),
        ("", "unreadable_move", "'' is not a move."),
        ("a move that is much too long", "unreadable_move", "is not a move."),
        ("b2\n", "illegal_move", "That cell is taken."),
        ("b\n2", "unreadable_move", "is not a move."),
    ],
)
def test_illegal_and_unreadable_moves_are_refused(
    server: Inside, move: str | int, code: str, says: str
) -> None:
    ada = server.visitor()
    ada.create(NAME, mode="here")
    ada.do("move", move="b2")
    error = ada.act("move", move=move).json()["error"]
    assert (error["code"], error["field"]) == (code, "move")
    assert error["message"].endswith(says)
    if code == "illegal_move":
        assert error["legal"] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert ada.see()["ply"] == 1


@pytest.mark.parametrize(
    ("game", "options", "digits"),
    [
        ("even-steven", {}, True),
        ("digit-battle", {}, True),
        ("dual-digits", {"numbers": "1,10"}, False),
        ("divisor-duel", {"start": "60"}, False),
        ("nim-with-a-pass", {}, False),
    ],
)
def test_digits_are_shortcuts_if_every_move_is_a_digit(
    server: Inside, game: str, options: dict[str, str], digits: bool
) -> None:
    view = server.visitor().create(game, mode="here", options=options)
    assert view["digits"] is digits
    assert view["board"] is None


def test_numbers_come_before_strings(server: Inside) -> None:
    view = server.visitor().create("sides", mode="here")
    assert [choice["move"] for choice in view["moves"]] == ["2", "10", "pass"]


@pytest.mark.parametrize("level", LEVELS)
def test_bots_play_a_board_game(server: Inside, level: str) -> None:
    ada = server.visitor()
    view = ada.create(NAME, mode="bot", level=level)
    while view["ended"] is None:
        if view["turn"]["yours"]:
            view = ada.do(
                "move", move=next(choice["move"] for choice in view["moves"] if choice["legal"])
            )
        else:
            server.call(server.site.tables.attend(ada.id))
            view = ada.see()
    fits(view, live_match(server.db, ada.id, NOUGHTS).saved.match)
    assert level != "perfect" or view["ended"]["winner"] != 0


def test_bot_accepts_a_draw_it_cannot_win(server: Inside) -> None:
    ada = server.visitor()
    ada.create(NAME, mode="bot", level="perfect")
    assert ada.do("draw")["news"][-1]["text"] == "Draw by agreement."


def test_coach_and_review_of_a_board_game(server: Inside) -> None:
    ada = server.visitor()
    ada.create(NAME, mode="here", names=["Ada", "Bob"])
    advice = ada.get(f"/m/{ada.id}/coach").json()
    value = advice["value"]
    assert (value["result"], value["plies"], value["endless"]) == ("draw", None, False)
    assert (value["glyph"], value["text"]) == ("=", "draw")
    assert {(move["verdict"], move["word"]) for move in advice["moves"]} == {
        ("forced", "all moves draw")
    }
    assert not any(move["verdict"] == "best" for move in advice["moves"])
    ada.do("move", move="b2")
    advice = ada.get(f"/m/{ada.id}/coach").json()
    assert {move["move"]: move["verdict"] for move in advice["moves"]} == {
        **dict.fromkeys(("a1", "c1", "a3", "c3"), "best"),
        **dict.fromkeys(("b1", "a2", "c2", "b3"), "mistake"),
    }
    for move in DRAWN[1:]:
        ada.do("move", move=move)
    review = ada.get(f"/m/{ada.id}/review.json").json()
    assert review["exact"] is True
    assert len(review["plies"]) == 10
    assert texts(review["plies"][-1]) == FULL
    assert moves(review["plies"][-1]) == NO_MOVES
    assert {ply["value"]["text"] for ply in review["plies"]} == {"draw"}


def test_explore_a_board_game(server: Inside) -> None:
    visitor = server.visitor()
    way = f"/api/games/{NAME}/position"
    document = visitor.get(way).json()
    for move in DRAWN:
        assert [move] in [cell for row in moves(document) for cell in row]
        (then,) = [choice for choice in document["moves"] if choice["move"] == move]
        document = visitor.get(way, params={"state": then["to"]}).json()
    assert texts(document) == FULL
    assert document["over"] == "Draw: the board is full."
    assert document["moves"] == []
    for state in ('[["X"],0]', '["",0]', "[null,0]", '[["X","X","X","O","O","","","",""],0]'):
        assert visitor.get(way, params={"state": state}).status_code == 422
    # If a game has heaps of its own, any number of them may be asked about.
    way = "/api/games/nim-with-a-pass/position"
    asked = {"options": '{"heaps": "2,1,1,1"}', "state": "[[1,1,1,1],1,1]"}
    assert visitor.get(way, params=asked).json()["exact"] is True


@pytest.mark.parametrize("name", [NAME, "nim-with-a-pass", "sides"])
def test_every_page_of_a_game_exists(server: Inside, name: str) -> None:
    visitor = server.visitor()
    api = f"/api/games/{name}"
    ways = (
        "/",
        f"/new/{name}",
        f"/rules/{name}",
        f"/explore/{name}",
        f"{api}/theory",
        f"{api}/map.svg",
    )
    assert {way: visitor.get(way).status_code for way in ways} == dict.fromkeys(ways, 200)
    visitor.create(name, mode="here")
    assert visitor.get(f"/m/{visitor.id}").status_code == 200


def test_text_options_and_bounds(server: Inside) -> None:
    visitor = server.visitor()
    games = {game["name"]: game for game in visitor.get("/api/games").json()["games"]}
    side, name, size = games["sides"]["options"]
    assert side == {
        "name": "side",
        "title": "Side",
        "help": "the side that begins: left or right",
        "kind": "text",
        "default": "left",
        "least": None,
        "most": None,
        "choices": ["left", "right"],
    }
    assert (name["kind"], name["choices"]) == ("text", [])
    assert (size["kind"], size["least"], size["most"]) == ("number", 1, 5)
    assert size["help"] == "how long it lasts, from 1 to 5"
    view = visitor.create("sides", mode="here", options={"side": " right", "name": ""})
    assert view["game"]["variant"] == "side right"
    for option, value, says in (
        ("side", "middle", "Must be left or right, not 'middle'."),
        ("side", 7, "This must be a string of at most 100 characters."),
        ("name", "x" * 101, "This must be a string of at most 100 characters."),
        ("name", "\x07", "This must be a string of at most 100 characters."),
        ("size", "6", "Must be a whole number from 1 to 5, not 6."),
    ):
        body = {"key": new_key(), "game": "sides", "options": {option: value}}
        error = visitor.post("/m", body).json()["error"]
        assert (error["field"], error["message"]) == (f"options.{option}", says)
    assert visitor.get("/explore/sides?option.side=middle").status_code == 422


PLACES = {"a": (0, 1), "b": (-1, 0), "c": (0, 2), "d": None, "e": (1, 0)}


class Odd(Words[Any]):
    """Words with cells that are not on the board."""

    def board(self, state: Any) -> list[str]:
        return ["X."]

    def cell(self, state: Any, move: Any) -> Any:
        return PLACES[move]


def test_cell_off_the_board_is_a_game_error() -> None:
    odd = Odd(None)  # type: ignore[arg-type]
    rows = [[{"text": "X", "moves": []}, {"text": ".", "moves": ["a"]}]]
    assert board(odd, None, "ad") == {"rows": rows}
    for move in "bce":
        with pytest.raises(GameError, match="the board is 1 by 2"):
            board(odd, None, move)
