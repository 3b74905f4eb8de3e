"""Rules that never end hold the server up, but nobody has to wait for them."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from tests.helpers import PATIENCE
from tests.web.support import Server

RULES = """
from dataclasses import dataclass
from typing import NamedTuple
from zerosum import Game

class State(NamedTuple):
    number: int
    player: int

@dataclass(frozen=True)
class Endless(Game[State]):
    def initial(self): return State(3, 0)
    def moves(self, state):
        while True: pass
    def play(self, state, move): return State(state.number - 1, 1 - state.player)
    def outcome(self, state): return None
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_a_server_that_hangs(tmp_path: Path, number: int) -> None:
    (tmp_path / "endless.py").write_text(RULES)
    with Server(tmp_path / "a.db", tmp_path, str(tmp_path / "endless.py")) as server:
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(f"{server.url}/new/endless", timeout=1)
        assert server.process is not None
        server.process.send_signal(number)
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{server.url}/healthz", timeout=1.5)
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE) == 128 + number
