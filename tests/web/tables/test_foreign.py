"""A server on a database that mentions files: only those that it was started with are run."""

from __future__ import annotations

from pathlib import Path

from tests.game_files import COUNTDOWN, TAKE_AWAY
from tests.store.support import execute
from tests.web.support import Inside


def test_file_that_only_the_database_mentions_is_not_run(tmp_path: Path) -> None:
    db, mark, evil = tmp_path / "a.db", tmp_path / "mark", tmp_path / "evil.py"
    evil.write_text(f"open({str(mark)!r}, 'w').close()\n{COUNTDOWN}")
    with Inside(db) as server:
        ids = [server.pair("even-steven")[0].id for _ in range(2)]
    execute(db, "update matches set file = ?, game = 'countdown' where id = ?", str(evil), ids[0])
    execute(db, "update matches set game = ? where id = ?", str(evil), ids[1])
    with Inside(db) as server:
        for id_ in ids:
            answer = server.visitor().get(f"/m/{id_}/state")
            assert answer.json()["error"]["code"] in ("broken_game", "no_game")
    assert not mark.exists()


def test_own_game_is_found_by_its_name_wherever_its_file_was(tmp_path: Path) -> None:
    db, paths = tmp_path / "a.db", (tmp_path / "a.py", tmp_path / "b.py")
    paths[0].write_text(TAKE_AWAY)
    with Inside(db, files=(str(paths[0]),)) as server:
        id_ = server.pair("take-away")[0].id
    paths[0].rename(paths[1])
    with Inside(db) as server:
        answer = server.visitor().get(f"/m/{id_}/state")
        assert answer.json()["error"]["code"] in ("broken_game", "no_game")
    with Inside(db, files=(str(paths[1]),)) as server:
        assert server.visitor().get(f"/m/{id_}/state").json()["id"] == id_


def test_replaced_file_is_told_by_the_health_check(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with Inside(db) as server:
        visitor = server.visitor()
        assert visitor.get("/healthz").status_code == 200
        db.rename(tmp_path / "b.db")
        assert visitor.get("/healthz").status_code == 503
        (tmp_path / "b.db").rename(db)
        assert visitor.get("/healthz").status_code == 200
