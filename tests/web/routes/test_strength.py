"""How well a person plays, over HTTP: by whose decisions, and which of them count."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

import zerosum
from tests.figures import strange_numbers
from tests.game_files import EXAMPLES
from tests.web.support import Frozen, Visitor, journal, new_key, saved_events
from zerosum.players.levels import LEVELS
from zerosum.players.slips import decisions_of
from zerosum.web.tables import strength as judging

LARGE = str(EXAMPLES / "connect_four.py")
HTML = {"accept": "text/html"}
STRENGTH = "/api/v1/me/strength"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Frozen]:
    monkeypatch.setattr(judging, "JUDGING_SECONDS", 60.0)
    with Frozen(tmp_path / "a.db", files=(LARGE,), solver_positions=20_000) as server:
        yield server


def strength(visitor: Visitor) -> dict[str, Any]:
    """Return how a person plays, once all games are judged."""
    found: dict[str, Any] = {}
    for _ in range(9):  # each time, more is known about what is slow
        answer = visitor.get(STRENGTH)
        assert answer.status_code == 200
        found = answer.json()
        if not found["pending"]:
            break
    return found


def counts(visitor: Visitor) -> tuple[int, int, int]:
    """Return the games and the decisions by which a person is placed, and those that were right."""
    together = strength(visitor)["together"]["strength"]
    return together["games"], together["decisions"], together["right"]


def play(*visitors: Visitor, moves: int = 99) -> None:
    """Play some legal move, whoever's turn it is, to the end or for some moves."""
    for _ in range(moves):
        view = visitors[0].see()
        if view["ended"]:
            break
        mover = visitors[view["turn"]["player"]]
        mover.see()
        mover.do("move", move=view["legal"][view["ply"] % len(view["legal"])])


def decided(server: Frozen, visitor: Visitor, player: int, hints: Any = ()) -> list[Any]:
    """Return what a player has decided in the only game of a match, by its journal."""
    game = zerosum.game("digit-battle")
    events = saved_events(server.db, visitor.id)
    return decisions_of(zerosum.solve(game), 0, 1, events, hints)[0][player]


def test_each_person_is_placed_by_their_own_decisions(server: Frozen) -> None:
    ada, bob = server.pair("digit-battle")
    assert counts(ada) == (0, 0, 0)
    play(ada, bob, moves=3)
    assert counts(ada) == (0, 0, 0)
    play(ada, bob, moves=20)
    ada.do("resign")
    for player, visitor in enumerate((ada, bob)):
        made = decided(server, visitor, player)
        assert made
        assert counts(visitor) == (1, len(made), sum(one.right for one in made))
    assert server.visitor().get(STRENGTH).json()["error"]["code"] == "no_token"
    (game,) = strength(ada)["games"]
    assert (game["game"], game["place"], game["next"]["text"]) == (
        "digit-battle",
        "too few yet",
        "Play again",
    )


def test_what_the_coach_has_told_is_nobodys_decision(server: Frozen) -> None:
    ada, bob = server.pair("digit-battle")
    for visitor in (ada, bob):
        visitor.do("coach", want="ask")
    for _ in range(3):
        assert bob.get(f"/api/v1/matches/{ada.id}/coach").status_code == 200  # it is Ada's turn
        play(ada, bob, moves=2)
    hints = [(0, ply) for ply in (6, 8, 10)]
    for _ in hints:
        assert ada.get(f"/api/v1/matches/{ada.id}/coach").status_code == 200
        play(ada, bob, moves=2)
    with journal(server.db) as store:
        assert store.server.hints(ada.id) == hints
    play(ada, bob, moves=20)
    ada.do("resign")
    left = decided(server, ada, 0, hints)
    assert len(left) < len(decided(server, ada, 0))
    assert counts(ada)[1] == len(left)
    assert counts(bob)[1] == len(decided(server, bob, 1))


def test_with_a_coach_of_which_nothing_was_saved_no_decision_is_anybodys_own(
    server: Frozen,
) -> None:
    ada, bob = server.pair("digit-battle")  # as earlier versions did
    ada.do("coach", want="on")
    play(ada, bob, moves=9)
    ada.do("resign")
    assert counts(ada) == (0, 0, 0)
    assert counts(bob)[0] == 1


def test_of_moves_taken_back_the_first_counts(server: Frozen) -> None:
    ada = server.visitor()
    ada.create(mode="bot", level="random", options={"start": "12"}, names=["Ada"], first="1")
    ada.do("move", move="2")
    wrong = counts_after_resigning(server, ada, undo=False)
    ada.create(mode="bot", level="random", options={"start": "12"}, names=["Ada"], first="1")
    ada.do("move", move="2")
    assert counts_after_resigning(server, ada, undo=True) == (2, 2 * wrong[1], 2 * wrong[2])


def counts_after_resigning(server: Frozen, ada: Visitor, undo: bool) -> tuple[int, int, int]:
    """Resign, perhaps after another move instead of the last one."""
    if undo:
        ada.do("undo")
        ada.do("move", move="1")
    ada.do("resign")
    return counts(ada)


def test_between_people_nothing_is_told_before_the_review(server: Frozen) -> None:
    ada, bob = server.pair("even-steven", options={"start": "12"}, games=2)
    play(ada, bob)
    assert ada.see()["reviewable"] == []
    assert strength(ada)["games"] == []
    ada.do("next")
    bob.do("next")
    play(ada, bob)
    assert ada.see()["over"]
    (game,) = strength(ada)["games"]
    assert game["strength"]["games"] == 2


def test_shared_screens_and_continued_games_do_not_count(server: Frozen) -> None:
    ada = server.visitor()
    ada.create(mode="here", names=["Ada", "Bob"], options={"start": "12"})
    play(ada, ada)
    over = ada.id
    fork = {"key": new_key(), "ply": 1, "level": "random"}
    ada.id = ada.post(f"/api/v1/matches/{over}/fork", fork).json()["id"]
    ada.see()
    ada.do("resign")
    assert saved_events(server.db, ada.id)[0].kind == "move"
    assert strength(ada)["games"] == []


def test_a_game_too_large_for_a_table_says_so(server: Frozen) -> None:
    ada, bob = server.pair("connect-four")
    play(ada, bob)
    assert ada.see()["over"]
    found = strength(ada)
    (game,) = found["games"]
    assert (game["unjudged"], game["strength"]["games"], game["next"]) == (1, 0, None)
    assert found["together"]["strength"]["games"] == 0
    told = (
        "Your moves in Connect Four cannot be judged: it is too large, or its rules no longer work."
    )
    assert game["text"] == told
    assert "not judged" in ada.get("/you").text


def test_games_are_judged_once_and_told_everywhere(
    server: Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = server.visitor(), server.visitor()
    games = 24
    for _ in range(games):
        bob.join(ada.create("even-steven", options={"start": "12"})["id"])
        play(ada, bob)
    found = strength(ada)
    assert found["together"]["strength"]["games"] == games
    (game,) = found["games"]
    assert game["strength"] == found["together"]["strength"]
    assert game["place"] != "too few yet"
    assert "<svg" in found["course_svg"]
    asked: list[str] = []
    pool, ask = server.site.pool, server.site.pool.ask

    def listen(what: str, /, **arguments: Any) -> Any:
        asked.append(what)
        return ask(what, **arguments)

    monkeypatch.setattr(pool, "ask", listen)
    assert strength(ada) == found
    page = ada.get("/you").text
    assert asked == ["own_strength"] * 2
    for text in (game["place"], found["together"]["text"], found["course_text"]):
        assert text in page
    for part in (found["together"], game):
        assert strange_numbers(f"{part['text']} {part['about']}", part["strength"]) == []
    assert strange_numbers(found["course_text"], found["course"]) == []
    assert "Finish a game" in server.visitor().get("/you").text


def test_many_matches_hold_up_nobody(server: Frozen, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the time is over no more are read, and when there are enough decisions, none count."""
    ada, bob = server.visitor(), server.visitor()
    for _ in range(3):
        bob.join(ada.create("even-steven", options={"start": "12"})["id"])
        play(ada, bob)
    store = server.site.tables.store
    read = AsyncMock(wraps=store.read)
    monkeypatch.setattr(store, "read", read)
    monkeypatch.setattr(judging, "JUDGING_SECONDS", -1.0)
    assert ada.get(STRENGTH).json()["pending"] == 3
    assert read.await_count == 1
    monkeypatch.setattr(judging, "JUDGING_SECONDS", 60.0)
    monkeypatch.setattr(judging, "MOST_DECIDED", 1)
    assert counts(ada)[0] == 1


def test_lesson_ends_with_a_match_at_the_level_above(server: Frozen) -> None:
    ada, bob = server.visitor(), server.visitor()
    steps = ada.get("/api/v1/games/digit-battle/lesson").json()["steps"]
    address = f"/learn/digit-battle?step={len(steps) + 1}"
    selected = r'<option value="(\w+)"[^>]* selected>'
    assert re.findall(selected, ada.get(address, headers=HTML).text) == ["easy"]
    like: list[str] = []
    while not like:
        bob.join(ada.create("digit-battle")["id"])
        play(ada, bob)
        (game,) = strength(ada)["games"]
        like = game["strength"]["like"]
    level = like[1] if len(like) > 1 else LEVELS[min(LEVELS.index(like[0]) + 1, 4)]
    page = ada.get(address, headers=HTML).text
    assert f"{game['text']} So try {level}.</p>" in page
    assert re.findall(selected, page) == [level]
