"""kill -9 at random moments, on both databases: what was acknowledged stays, and all goes on."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.helpers import PATIENCE
from tests.web.support import Inside, Server, Visitor, events_kept, fits, kept, new_key
from zerosum.match import Event

KILLS = 5
MATCHES = 4
# Some seventy halvings long; while it is not to end, most moves subtract.
GAME: dict[str, Any] = {"game": "even-steven", "options": {"start": str(10**20)}}


class Side:
    """One player's page: it listens and moves, and after a loss it tries again by itself."""

    def __init__(self, visitor: Visitor, seed: int) -> None:
        self.visitor = visitor
        self.rng = Random(seed)
        self.hurry = False
        self.over = False
        self.failure: BaseException | None = None
        self.deaf = threading.Event()
        self.acknowledged: dict[int, str] = {}
        self.seen: dict[int, str] = {}
        self.losses = 0
        self._news = threading.Condition()
        self._view = visitor.view
        self.threads = [
            threading.Thread(target=self._careful, args=(work,), daemon=True)
            for work in (self._listen, self._play)
        ]
        for thread in self.threads:
            thread.start()

    def _careful(self, work: Any) -> None:
        """Keep what went wrong, for the test to raise."""
        try:
            work()
        except BaseException as error:
            self.failure = error
            self.over = True

    def _listen(self) -> None:
        """Listen, with the id of the last event after every loss, as browsers do."""
        last: int | None = None
        while not self.over:
            stream = self.visitor.listen(last)
            while not self.over and (one := stream.poll()) is not None:
                if one.kind == "state":
                    self.deaf.clear()
                    last = int(one.id)
                    self._hear(one.view)
            self.deaf.set()
            stream.close()
            time.sleep(0.01)

    def _hear(self, view: dict[str, Any]) -> None:
        """Take note of all moves in a view; what was seen once must never change."""
        assert view["ply"] == (view["last"][-1]["ply"] if view["last"] else 0)
        for one in view["last"]:
            assert self.seen.setdefault(one["ply"] - 1, one["move"]) == one["move"]
        with self._news:
            if view["change"] >= self._view["change"]:
                self._view = view
                self.over = view["over"]
                self._news.notify()

    def _play(self) -> None:
        """Move whenever it is one's turn; what was not answered is sent again as it was."""
        while not self.over:
            with self._news:
                view = self._view
                if not (view["turn"] or {}).get("yours") or view["ply"] in self.acknowledged:
                    self._news.wait(0.05)
                    continue
            legal = [one["move"] for one in view["moves"] if one["legal"]]
            move = legal[-1] if self.hurry or self.rng.random() < 0.05 else legal[0]
            self._send({"key": new_key(), "ply": view["ply"], "action": "move", "move": move})

    def _send(self, body: dict[str, Any]) -> None:
        """Send until there is an answer."""
        limit = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < limit, "the server does not come back"
            try:
                answer = self.visitor.post(f"/m/{self.visitor.id}/actions", body)
            except httpx.TransportError:
                self.losses += 1
                time.sleep(0.01)
                continue
            # The store may be a moment later than the server.
            if answer.status_code != 503:
                break
            time.sleep(0.05)
        assert answer.status_code == 200, answer.text
        self._hear(answer.json())
        assert body["ply"] not in self.acknowledged
        self.acknowledged[body["ply"]] = body["move"]

    def wait(self) -> None:
        """Wait for the end of the game, as seen from this side."""
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the game does not end"


def moves_kept(db: str, id_: str) -> list[str]:
    """Give the moves of a match in the store, of which nothing else has happened."""
    events = events_kept(db, id_)
    assert {event.kind for event in events} <= {"move"}
    return [str(event.move) for event in events]


def check(db: str, pairs: list[tuple[Side, Side]]) -> None:
    """Hold what was acknowledged and seen against the store, while no server runs."""
    for sides in pairs:
        stored = moves_kept(db, sides[0].visitor.id)
        for side in sides:
            assert side.failure is None, side.failure
            for told in (side.acknowledged, side.seen):
                assert all(ply < len(stored) for ply in told), "what was told is not in the store"
                assert {ply: stored[ply] for ply in told} == told


def test_whatever_is_killed_every_acknowledged_move_is_kept_once(
    place: str, tmp_path: Path
) -> None:
    rng = Random(4)
    with Server(place, tmp_path, "--quiet") as server:
        visitors = [server.pair(**GAME) for _ in range(MATCHES)]
        pairs = [
            (Side(ada, 2 * number), Side(bob, 2 * number + 1))
            for number, (ada, bob) in enumerate(visitors)
        ]
        sides = [side for pair in pairs for side in pair]
        for _ in range(KILLS):
            enough = sum(len(one.acknowledged) for one in sides) + rng.randrange(20, 150)
            limit = time.monotonic() + PATIENCE
            while sum(len(one.acknowledged) for one in sides) < enough:
                assert time.monotonic() < limit, "nobody moves"
                assert all(one.failure is None for one in sides)
                time.sleep(0.001)
            server.kill()
            for side in sides:
                assert side.deaf.wait(PATIENCE)
            check(place, pairs)
            server.start()
        for side in sides:
            side.hurry = True
        for side in sides:
            side.wait()
        server.kill()
        check(place, pairs)
    assert sum(one.losses for one in sides) > 0
    for pair in pairs:
        stored = moves_kept(place, pair[0].visitor.id)
        told = sorted([*pair[0].acknowledged.items(), *pair[1].acknowledged.items()])
        # Each was acknowledged to its player, once, and stands where it was acknowledged.
        assert told == list(enumerate(stored))
        match = kept(place, pair[0].visitor.id).saved.match
        assert match.over
        for side in pair:
            fits(side._view, match)


def test_a_program_moves_after_a_restart_what_it_owed_before(place: str, tmp_path: Path) -> None:
    with Server(place, tmp_path, "--quiet") as server:
        ada = server.visitor()
        ada.create("even-steven", mode="bot", level="random", first="2", names=["Ada"])
        server.kill()
        assert events_kept(place, ada.id) == []
        server.start()
        stream = ada.listen()
        view = stream.until(2)
        assert view["ply"] == 1
        assert view["turn"]["yours"]
        assert len(events_kept(place, ada.id)) == 1
        stream.close()


def test_a_clock_goes_on_after_a_restart(place: str, tmp_path: Path) -> None:
    with Server(place, tmp_path, "--quiet") as server:
        ada, bob = server.pair(clock=2)
        began = time.monotonic()
        ada.do("move", move="1")
        before = bob.see()["clock"]["left"]
        server.kill()
        server.start()
        assert bob.see()["clock"]["left"] < before
        stream = bob.listen()
        view = stream.until(4)
        assert time.monotonic() - began >= 2
        assert view["ended"]["by"] == "time"
        assert view["ended"]["winner"] == 0
        late = bob.act("move", move="1", ply=1)
        assert late.json()["error"]["code"] == "stale"
        assert events_kept(place, ada.id) == [Event("move", 1), Event("time")]
        stream.close()


def test_clocks_stand_still_while_there_is_no_server(tmp_path: Path) -> None:
    """Not for a restart, but for a night."""
    clock = [1_000_000.0]
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada, _ = server.pair(clock=30)
        id_, jar = ada.id, ada.wire.client.cookies  # type: ignore[attr-defined]
        clock[0] += 10
        assert ada.see()["clock"]["left"] == 20
    clock[0] += 30_000
    with Inside(tmp_path / "a.db", now=lambda: clock[0]) as server:
        ada = server.visitor(id_)
        ada.wire.client.cookies = jar  # type: ignore[attr-defined]
        # The last sign of life was up to some seconds before the end, and so much is given back.
        assert ada.see()["clock"]["left"] == pytest.approx(30, abs=10)
        ada.do("move", move="1")
