"""A user's own rules that fail, are gone, or are only mentioned: all else goes on."""

from pathlib import Path
from typing import Any

import pytest

from tests.game_files import COUNTDOWN, write
from tests.store.support import execute
from tests.web.support import Inside, all_rows, new_key, saved_events
from zerosum.errors import GameError
from zerosum.match import Event


def wanted(start: int) -> dict[str, Any]:
    options = {"start": str(start)}
    return {"key": new_key(), "game": "failing", "mode": "friend", "options": options}


def test_failing_rules_are_refused_at_creation(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", files=(write(tmp_path, "Failing"),)) as server:
        ada = server.visitor()
        before = all_rows(server.db)
        answer = ada.post("/api/v1/matches", wanted(200))
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "broken_game"
        assert "failing.py, line" in answer.json()["error"]["message"]
        assert str(tmp_path) not in answer.text
        assert all_rows(server.db) == before
        assert ada.post("/api/v1/matches", wanted(7)).status_code == 201
        for page in ("/", "/new/failing", "/rules/failing", "/explore/failing?option.start=200"):
            assert ada.get(page).status_code == 200


def test_rules_failing_in_a_match_affect_only_it(tmp_path: Path) -> None:
    path = Path(write(tmp_path, "Failing"))
    well = "not os.path.exists(__file__ + '.bad')"
    path.write_text(path.read_text().replace("state.sticks < 100", well))
    with Inside(tmp_path / "a.db", files=(str(path),)) as server:
        ada, bob = server.pair("failing")
        stream = bob.listen()
        assert ada.do("move", move="1")["ply"] == stream.until(3)["ply"] == 1
        path.with_name("failing.py.bad").touch()
        answers = [ada.get(f"/{way}/{ada.id}") for way in ("m", "api/v1/matches")]
        answers += [bob.act("move", move="2", ply=1), ada.act("draw", ply=1)]
        # What the rules have said stays true; only what they are needed for is refused.
        assert [answer.status_code for answer in answers] == [200, 200, 422, 200]
        assert answers[2].json()["error"]["code"] == "broken_game"
        (offer,) = stream.until(4)["offers"]
        assert (offer["kind"], offer["text"]) == ("draw", "Ada offers a draw.")
        assert saved_events(server.db, ada.id) == [Event("move", 1)]
        path.with_name("failing.py.bad").unlink()
        assert bob.do("move", move="2")["ply"] == 2
        assert ada.listen().next().view["ply"] == 2
        ada, bob = server.pair()
        assert ada.do("move", move="1")["ply"] == 1


def test_match_with_missing_rules_affects_only_itself_until_they_are_found_again(
    tmp_path: Path,
) -> None:
    path, elsewhere = Path(write(tmp_path, "Failing")), tmp_path / "elsewhere.py"
    with Inside(tmp_path / "a.db", files=(str(path),)) as server:
        lost, kept = server.pair("failing")[0].id, server.pair()[0].id
    path.rename(elsewhere)
    with Inside(tmp_path / "a.db") as server:
        before = all_rows(server.db)
        visitor = server.visitor()
        api = f"/api/v1/matches/{lost}"
        for way in (f"/m/{lost}", api, *(f"{api}/{of}" for of in ("events", "coach", "review"))):
            answer = visitor.get(way)
            assert answer.status_code == 422
            assert answer.json()["error"]["code"] == "broken_game"
            assert str(tmp_path) not in answer.text
        assert visitor.see(kept)["ply"] == 0
        assert all_rows(server.db) == before
    with Inside(tmp_path / "a.db", files=(str(elsewhere),)) as server:
        assert server.visitor(lost).see()["ply"] == 0  # by the name of its game


def test_match_whose_rules_hang_is_left_out_of_the_list_of_all(tmp_path: Path) -> None:
    path = Path(write(tmp_path, "Failing"))
    with Inside(tmp_path / "a.db", files=(str(path),)) as server:
        ada = server.visitor()
        ada.create("even-steven")
        kept = ada.id
        ada.create("failing", mode="here")
        ada.do("move", move="1")
        lost, cookies = ada.id, ada.wire.client.cookies
    endless = "while True: time.sleep(0.01)"
    path.write_text(path.read_text().replace("1 // (state.sticks < 100)", endless))
    files = (str(path),)
    with Inside(tmp_path / "a.db", processes=True, files=files, solver_seconds=1.0) as server:
        ada = server.visitor()
        ada.wire.client.cookies = cookies
        assert ada.get(f"/api/v1/matches/{lost}").json()["error"]["code"] == "too_hard"
        found = ada.get("/api/v1/me/matches").json()["matches"]
        assert [match["id"] for match in found] == [kept]


@pytest.mark.parametrize("bug", [KeyError, GameError, RecursionError])
def test_our_own_bug_is_logged_once_and_blames_no_rules(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    bug: type[Exception],
) -> None:
    def fail(*_: object, **more: object) -> None:
        raise bug("ours")

    with Inside(tmp_path / "a.db") as server:
        ada, _ = server.pair()
        tables = server.site.tables
        with monkeypatch.context() as patch:
            patch.setattr(tables.referee, "play", fail)
            answers = [ada.act("move", move="1")]
            patch.setattr(tables, "get", fail)
            answers.append(ada.get(f"/m/{ada.id}"))
        for answer, record in zip(answers, caplog.records, strict=True):
            assert (answer.status_code, answer.json()["error"]["code"]) == (500, "error")
            assert record.exc_info is not None
            assert record.exc_info[0] is bug
        assert saved_events(server.db, ada.id) == []
        caplog.clear()
        with monkeypatch.context() as patch:
            patch.setattr(tables.memory, "put", fail)
            answer = ada.act("move", move="1")
        # A stored move is acknowledged, whatever fails afterwards.
        assert (answer.status_code, answer.json()["ply"]) == (200, 1)
        assert bug.__name__ in caplog.text
        assert saved_events(server.db, ada.id) == [Event("move", 1)]


def test_file_that_only_the_database_mentions_is_not_run(tmp_path: Path) -> None:
    db, mark, evil = tmp_path / "a.db", tmp_path / "mark", tmp_path / "evil.py"
    evil.write_text(f"open({str(mark)!r}, 'w').close()\n{COUNTDOWN}")
    with Inside(db) as server:
        ids = [server.pair("even-steven")[0].id for _ in range(2)]
    execute(db, "update matches set file = ?, game = 'countdown' where id = ?", str(evil), ids[0])
    execute(db, "update matches set game = ? where id = ?", str(evil), ids[1])
    with Inside(db) as server:
        for id_ in ids:
            answer = server.visitor().get(f"/api/v1/matches/{id_}")
            assert answer.json()["error"]["code"] in ("broken_game", "no_game")
    assert not mark.exists()
