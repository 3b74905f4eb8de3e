"""Rules that never end hold the server up, but nobody has to wait for them."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from tests.game_files import write
from tests.helpers import PATIENCE
from tests.web.support import Server


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_second_signal_ends_a_hanging_server(tmp_path: Path, number: int) -> None:
    with Server(tmp_path / "a.db", tmp_path, write(tmp_path, "Endless")) as server:
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(f"{server.url}/new/endless", timeout=1)
        assert server.process is not None
        server.process.send_signal(number)
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{server.url}/healthz", timeout=1.5)
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE) == 128 + number
