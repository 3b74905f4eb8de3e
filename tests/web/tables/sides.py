"""Pages of players that play by themselves, compared with the store."""

import threading
import time
from random import Random
from typing import Any

import httpx

from tests.helpers import PATIENCE
from tests.web.support import Visitor, fits, live_match, new_key, saved_events

# Some seventeen halvings long; while it is not to end, most moves subtract.
GAME: dict[str, Any] = {"game": "even-steven", "options": {"start": str(10**5)}}


class Side:
    """One player's page: it listens and moves, and after a loss it tries again by itself.

    `other` is the same person's way to another server, as a proxy in front of both would give.
    """

    def __init__(self, visitor: Visitor, seed: int, other: Visitor | None = None) -> None:
        self.visitor = visitor
        self.other = other or visitor
        self.rng = Random(seed)
        self.hurry = False
        self.over = False
        self.failure: BaseException | None = None
        self.deaf = threading.Event()
        self.acknowledged: dict[int, str] = {}
        self.seen: dict[int, str] = {}
        self.losses = 0
        self._news = threading.Condition()
        self.view = visitor.view
        self.threads = [
            threading.Thread(target=self._careful, args=(work,), daemon=True)
            for work in (self._listen, self._play)
        ]
        for thread in self.threads:
            thread.start()

    def _careful(self, work: Any) -> None:
        """Note an error, for the test to raise."""
        try:
            work()
        except BaseException as error:
            self.failure = error
            self.over = True

    def _listen(self) -> None:
        """Listen, and after every loss again, as browsers do."""
        while not self.over:
            stream = self.visitor.listen()
            while not self.over and (event := stream.poll()) is not None:
                if event.kind == "table":
                    self.deaf.clear()
                    self._hear(event.view)
            self.deaf.set()
            stream.close()
            self._turn()

    def _hear(self, view: dict[str, Any]) -> None:
        """Take note of all moves in a view; what was seen once must never change."""
        assert view["ply"] == (view["last"][-1]["ply"] if view["last"] else 0)
        for played in view["last"]:
            assert self.seen.setdefault(played["ply"] - 1, played["move"]) == played["move"]
        with self._news:
            if view["change"] >= self.view["change"]:
                self.view = view
                self.over = view["over"]
                self._news.notify()

    def _play(self) -> None:
        """Move on every turn; repeat a request that was not answered."""
        while not self.over:
            with self._news:
                view = self.view
                if not (view["turn"] or {}).get("yours") or view["ply"] in self.acknowledged:
                    self._news.wait(0.05)
                    continue
            if not self.hurry:
                time.sleep(0.01)  # or they play hundreds of moves while a server starts
            legal = [choice["move"] for choice in view["moves"] if choice["legal"]]
            move = legal[-1] if self.hurry or self.rng.random() < 0.05 else legal[0]
            self._send({"key": new_key(), "ply": view["ply"], "action": "move", "move": move})

    def _send(self, body: dict[str, Any]) -> None:
        """Send until there is an answer."""
        limit = time.monotonic() + PATIENCE
        failures: list[str] = []
        while True:
            assert time.monotonic() < limit, "the server does not come back"
            try:
                answer = self.visitor.post(f"/api/v1/matches/{self.visitor.id}/actions", body)
            except httpx.TransportError as error:
                failures.append(repr(error))
                self.losses += 1
                self._turn()
                continue
            # The store may be a moment later than the server.
            if answer.status_code != 503:
                break
            failures.append(answer.text)
            time.sleep(0.05)
        assert answer.status_code == 200, (body, failures, answer.text[:200])
        assert answer.json()["ply"] > body["ply"]
        assert body["ply"] not in self.acknowledged
        self.acknowledged[body["ply"]] = body["move"]

    def _turn(self) -> None:
        """Try the other server next, after a moment."""
        self.visitor, self.other = self.other, self.visitor
        time.sleep(0.05)

    def wait(self) -> None:
        """Wait for the end of the game, as seen from this side."""
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the game does not end"


def saved_moves(db: str, id_: str) -> list[str]:
    """Return the moves of a stored match that has only moves in its journal."""
    events = saved_events(db, id_)
    assert {event.kind for event in events} <= {"move"}
    return [str(event.move) for event in events]


def check(db: str, pairs: list[tuple[Side, Side]]) -> None:
    """Compare what was acknowledged and seen with the store, while no server runs."""
    for sides in pairs:
        stored = saved_moves(db, sides[0].visitor.id)
        for side in sides:
            assert side.failure is None, side.failure
            for moves in (side.acknowledged, side.seen):
                assert all(ply < len(stored) for ply in moves), "a move is not in the store"
                assert {ply: stored[ply] for ply in moves} == moves


def check_all(db: str, pairs: list[tuple[Side, Side]]) -> None:
    """Check at the end that every move was acknowledged once and is stored in order."""
    check(db, pairs)
    for pair in pairs:
        stored = saved_moves(db, pair[0].visitor.id)
        acknowledged = sorted([*pair[0].acknowledged.items(), *pair[1].acknowledged.items()])
        assert acknowledged == list(enumerate(stored))
        match = live_match(db, pair[0].visitor.id).saved.match
        assert match.over
        for side in pair:
            fits(side.view, match)


def played_on(sides: list[Side], moves: int) -> None:
    """Wait until this many more moves have been acknowledged."""
    enough = sum(len(side.acknowledged) for side in sides) + moves
    limit = time.monotonic() + PATIENCE
    while sum(len(side.acknowledged) for side in sides) < enough:
        assert time.monotonic() < limit, "nobody moves"
        for side in sides:
            assert side.failure is None, side.failure
        time.sleep(0.01)


def finish(sides: list[Side]) -> None:
    """Play all games to their end."""
    for side in sides:
        side.hurry = True
    for side in sides:
        side.wait()
