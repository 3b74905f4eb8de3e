"""kill -9 at a random moment, on both databases: what was acknowledged stays, and all goes on."""

import time
from pathlib import Path
from random import Random

from tests.helpers import PATIENCE
from tests.web.support import Server, Visitor, saved_events
from tests.web.tables.sides import GAME, Side, check, check_all, finish, played_on
from zerosum.match import Event


def test_matches_survive_a_kill_with_every_acknowledged_move_once(
    address: str, tmp_path: Path
) -> None:
    with Server(address, tmp_path, "--quiet") as server:
        pairs = []
        for number in (0, 2):
            ada, bob = server.pair(**GAME)
            pairs.append((Side(ada, number), Side(bob, number + 1)))
        sides = [side for pair in pairs for side in pair]
        played_on(sides, Random().randrange(10, 40))
        pending = Pending(server)
        server.kill()
        for side in sides:
            assert side.deaf.wait(PATIENCE)
        check(address, pairs)
        assert saved_events(address, pending.eve.id) == []
        server.start()
        finish(sides)
        pending.bot_moves(address)
        pending.clock_runs_out(address)
        server.kill()
    assert sum(side.losses for side in sides) > 0
    check_all(address, pairs)


class Pending:
    """A bot that is about to move, and a player whose time is running."""

    def __init__(self, server: Server) -> None:
        self.ada, self.bob = server.pair(clock=2)
        self.began = time.monotonic()
        self.ada.do("move", move="1")
        self.eve: Visitor = server.visitor()
        self.eve.create("even-steven", mode="bot", level="random", first="2", names=["Eve"])

    def bot_moves(self, address: str) -> None:
        """Wait for the bot's move after a restart."""
        stream = self.eve.listen()
        view = stream.until(2)
        assert view["ply"] == 1
        assert view["turn"]["yours"]
        assert len(saved_events(address, self.eve.id)) == 1
        stream.close()

    def clock_runs_out(self, address: str) -> None:
        """Wait for the end of the game after a restart, not before its time."""
        stream = self.bob.listen()
        view = stream.until(4)
        assert time.monotonic() - self.began >= 2
        assert view["ended"]["by"] == "time"
        assert view["ended"]["winner"] == 0
        late = self.bob.act("move", move="1", ply=1)
        assert late.json()["error"]["code"] == "stale"
        assert saved_events(address, self.ada.id) == [Event("move", 1), Event("time")]
        stream.close()
