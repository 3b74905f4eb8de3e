"""A user's own game through the server: moves like b2, a board, drawn games, options in words."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.game_files import NOUGHTS, PASS
from tests.games import GAMES_FILE
from tests.web.support import Inside, View, Visitor, fits, live_match, new_key, saved_events
from zerosum.match import Event

NAME = "noughts-and-crosses"
DRAWN = ["b2", "a1", "c3", "c1", "b1", "b3", "a3", "c2", "a2"]
FULL = [["O", "X", "O"], ["X", "X", "O"], ["X", "O", "X"]]
NO_MOVES: list[list[list[str]]] = [[[]] * 3] * 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    folder = tmp_path_factory.mktemp("boards")
    files = (NOUGHTS, PASS, f"{GAMES_FILE}:Sides")
    with Inside(folder / "a.db", files=files) as server:
        yield server


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
        "reason": "the board is full",
    }
    assert view["news"][-1]["text"] == "You play a2."
    assert [player["score"] for player in view["players"]] == [0.5, 0.5]
    for player in (ada, bob):
        player.do("rematch")
    way = ada.get(f"/m/{ada.id}/next").headers["location"]
    again = ada.see(way.removeprefix("/m/"))
    assert [(player["tally"], player["score"]) for player in again["players"]] == [(0, 0)] * 2


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


def test_text_options_and_bounds(server: Inside) -> None:
    visitor = server.visitor()
    games = {game["name"]: game for game in visitor.get("/api/v1/games").json()["games"]}
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
        error = visitor.post("/api/v1/matches", body).json()["error"]
        assert (error["field"], error["message"]) == (f"options.{option}", says)
    assert visitor.get("/explore/sides?option.side=middle").status_code == 422
