"""The application under a server that is not ours."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn

from tests.helpers import PATIENCE
from tests.web.support import journal, new_key
from zerosum.errors import StoreError
from zerosum.store.lock import LockFile
from zerosum.web.app import build, create
from zerosum.web.http.middleware import Guard
from zerosum.web.settings import ServerSettings
from zerosum.web.tables.tokens import token_for

JSON = {"content-type": "application/json"}
FIELDS = {"game": "even-steven", "mode": "here"}


@contextmanager
def uvicorn_serving(app: Guard) -> Iterator[str]:
    """Serve an application with uvicorn, in a thread; return its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until = time.monotonic() + PATIENCE
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def test_another_server_starts_and_stops_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZEROSUM_DB", raising=False)
    with pytest.raises(StoreError, match="ZEROSUM_DB"):
        create()
    db = tmp_path / "a.db"
    monkeypatch.setenv("ZEROSUM_DB", str(db))
    with uvicorn_serving(create()) as url:
        with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as ada:
            key = new_key()
            made = ada.post("/api/v1/matches", json={"key": key, **FIELDS})
            assert made.status_code == 201
            match = f"/api/v1/matches/{made.json()['id']}"
            with ada.stream("GET", f"{match}/events") as stream:
                lines = stream.iter_lines()
                assert "event: table" in lines
                asked = {"key": new_key(), "ply": 0, "action": "move", "move": "1"}
                assert ada.post(f"{match}/actions", json=asked).status_code == 200
                assert "event: table" in lines, "it hears of the move"
            parts = iter([b"x" * 10_000] * 3)  # of a length that is not known before
            large = ada.post(f"{match}/actions", content=parts, headers=JSON)
            assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")
            assert ada.get("/healthz").json() == {"status": "ok"}
            with journal(db) as store:
                assert ada.cookies["zerosum"] == token_for(store.server.secret(), key)
        with pytest.raises(StoreError):
            LockFile(str(db))
    with closing(LockFile(str(db))):
        pass


async def test_nobody_is_served_before_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    transport = httpx.ASGITransport(app=build(ServerSettings(str(tmp_path / "a.db"))))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as ada:
        answer = await ada.post("/api/v1/matches", json={"key": new_key(), **FIELDS})
    assert answer.json()["error"]["code"] == "unavailable"
    assert "set-cookie" not in answer.headers
    assert "lifespan" in caplog.text
