"""A game too large for a table: played at once, advised as far as it is known, and reviewed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.game_files import CONNECT_FOUR, COUNTDOWN, STICK
from tests.web.support import Frozen, new_key, saved_events
from zerosum.match import Event
from zerosum.players.autoplay import REPEATS
from zerosum.players.searching import EFFORTS, Effort
from zerosum.text import percent
from zerosum.web.analysis.solutions import solutions
from zerosum.web.limits import ServerLimits

NAME = "connect-four"
SMALL = {"width": "4", "height": "4"}
# Both players walk to and fro between two numbers, for ever.
PENDULUM = (
    COUNTDOWN.replace("Countdown", "Pendulum")
    .replace("State(3, 0)", "State(1, 0)")
    .replace('return "Only 1."', 'return "Only 1 or 2."')
    .replace("return (1,) if state.number else ()", "return (1, 2) if state.number else ()")
    .replace("State(state.number - 1, ", "State(3 - state.number if move == 1 else 0, ")
)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Frozen]:
    """A server that may solve 2,000 positions."""
    monkeypatch.setitem(EFFORTS, "medium", Effort(50, 1))
    pendulum = tmp_path / "pendulum.py"
    pendulum.write_text(PENDULUM)
    files = (CONNECT_FOUR, STICK, str(pendulum))
    with Frozen(tmp_path / "a.db", files=files) as server:
        solutions().limits = ServerLimits(solver_positions=2_000)
        yield server


def test_pages_offer_only_what_there_is(server: Frozen) -> None:
    ada = server.visitor()
    form = ada.get(f"/new/{NAME}").text
    assert 'value="hard"' in form
    assert 'value="perfect"' not in form
    assert "random games of" in form
    assert "with the default options. In a smaller game, they may play by exact values." in form
    other = ada.get("/new/digit-battle").text
    assert "with the default options. In a larger game, they may look ahead instead." in other
    assert f'href="/learn/{NAME}"' not in form + ada.get("/").text
    assert 'value="perfect"' in ada.get("/new/last-stick").text
    assert f'value="{NAME}"' not in ada.get("/puzzles").text
    assert ada.get("/api/v1/puzzle").status_code == 200
    for path in (f"/api/v1/games/{NAME}/map.svg", f"/api/v1/puzzle?game={NAME}"):
        answer = ada.get(path)
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith("Connect Four has more than 2,000")
    assert "Connect Four has more than 2,000" in ada.get(f"/learn/{NAME}").text
    assert ada.get(f"/api/v1/games/{NAME}/theory").json()["exact"] is False


def test_a_level_is_offered_once_it_is_known_to_play(server: Frozen) -> None:
    ada = server.visitor()
    ada.create("last-stick", mode="bot", level="hard", options={"start": "2"}, first="1")
    won = ada.do("move", move="1")
    while not won["ended"]:
        won = server.let_it_move(ada)
    assert won["captions"]["onward"][1]["text"] == "Another game"
    assert ada.get("/new/last-stick").status_code == 200  # which finds it out
    assert ada.see()["captions"]["onward"][1]["text"] == "Next level: perfect"


def test_game_is_played_with_the_coach_and_reviewed(server: Frozen) -> None:
    ada = server.visitor()
    view = ada.create(game=NAME, mode="bot", level="medium", options=SMALL, coach="on")
    known, estimated = [], []
    while view["ended"] is None:
        if view["turn"]["yours"]:
            advice = ada.get(f"/api/v1/matches/{ada.id}/coach").json()
            known.append(advice["exact"])
            estimated.append(advice["expected"] is not None)
            if estimated[-1]:
                assert percent(advice["expected"]) in advice["because"]
            assert bool(advice["reason"]) is not advice["exact"]
            assert advice["standing"]
            move = next(choice["move"] for choice in view["moves"] if choice["legal"])
            view = ada.do("move", move=move)
        else:
            view = server.let_it_move(ada)
    assert known[0] is False
    assert known[-1] is True
    assert known == sorted(known)  # once exact, it stays exact
    assert estimated[0]
    assert not any(exact and told for exact, told in zip(known, estimated, strict=True))
    review = ada.get(f"/api/v1/matches/{ada.id}/review").json()
    begin = review["exact_from"]
    assert 1 < begin <= len(view["last"])
    assert f"From move {begin} on, every value is exact" in review["reason"]
    exact = [ply["value"] is not None for ply in review["plies"]]
    assert all(exact[begin - 1 :])
    assert "unknown" in " ".join(review["text"])
    for ply, status in ((0, 422), (begin - 1, 201)):
        fork = {"key": new_key(), "ply": ply, "level": "perfect"}
        assert ada.post(f"/api/v1/matches/{ada.id}/fork", fork).status_code == status


def test_repeated_position_ends_a_game_against_a_bot(
    server: Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both players are warned, and the end is stored like any other."""
    monkeypatch.setattr("zerosum.web.analysis.questions.choose_move", lambda *_: 1)
    ada = server.visitor()
    view = ada.create(game="pendulum", mode="bot", level="medium", names=["Ada"])
    warned = []
    while view["ended"] is None:
        yours = view["turn"]["yours"]
        view = ada.do("move", move="1") if yours else server.let_it_move(ada)
        warned += [news["text"] for news in view["news"] if news["change"] == view["change"]][1:]
    tenth = "This position has come up 10 times, so the game is a draw"
    assert view["ended"]["reason"] == tenth
    assert (view["ended"]["by"], view["ended"]["winner"]) == ("endless", None)
    assert len(warned) == len(set(warned)) * 2  # of both positions, the fifth and the ninth time
    assert "5 times; the tenth time ends the game as a draw." in warned[0]
    events = saved_events(server.db, ada.id)
    assert [event.kind for event in events] == ["move"] * (2 * REPEATS - 2) + ["endless"]
    assert events[-1] == Event("endless")
    server.site.tables.memory.forget(ada.id)
    assert ada.see()["ended"] == view["ended"]
