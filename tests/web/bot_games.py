"""Two bots of docs/examples/bot.py play each other while their server and they are killed.

python -m tests.web.bot_games 100 10
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from docs.examples.bot import Bot

from tests.helpers import PATIENCE, clean_env
from tests.web.running import Server
from tests.web.support import live_match, saved_events

ROOT = Path(__file__).parent.parent.parent
GAMES = ("even-steven", "divisor-duel", "dual-digits", "digit-battle")
# At most as many matches are played at the same time: some moves are in flight at every kill.
AT_ONCE = 8
# The bot, which also notes every move that the server has acknowledged.
NOTING = """
import json, sys
from docs.examples.bot import Bot

class Noting(Bot):
    def send(self, path, *about, **fields):
        answer = super().send(path, *about, **fields)
        if fields.get("action") == "move":
            print(json.dumps([path.split("/")[1], fields["ply"], fields["move"]]), flush=True)
        return answer

Noting(*sys.argv[1:]).run()
"""


class Told(NamedTuple):
    """What came of it: games, moves, those acknowledged, and kills of the server and of bots."""

    games: int
    moves: int
    acknowledged: int
    kills: int
    bots_killed: int


class Player:
    """A bot as its own process, in a folder with its key and its notes."""

    def __init__(self, server: Server, name: str, folder: Path) -> None:
        self.command = [sys.executable, "-c", NOTING, server.url, name, *GAMES]
        self.folder, self.notes = folder, folder / f"{name}.notes"
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        """Start the process."""
        env = clean_env(self.folder, PYTHONPATH=str(ROOT))
        with open(self.notes, "ab") as notes, open(f"{self.notes}.err", "ab") as err:
            return subprocess.Popen(
                self.command, stdout=notes, stderr=err, env=env, cwd=self.folder
            )

    def kill(self) -> None:
        """Kill the bot with SIGKILL."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def restart(self) -> None:
        """Kill the bot, and start it again."""
        self.kill()
        self.process = self._started()

    def acknowledged(self) -> Iterator[tuple[str, int, str]]:
        """Yield the acknowledged moves; a kill may cut the last line that was written."""
        for line in self.notes.read_text().splitlines():
            match, ply, move = json.loads(line)
            yield match, ply, move


@contextmanager
def playing(server: Server, folder: Path) -> Iterator[tuple[Player, Player]]:
    """Start both bots, and kill them in the end."""
    players = Player(server, "Ada", folder), Player(server, "Bob", folder)
    try:
        yield players
    finally:
        for player in players:
            player.kill()


def insist(bot: Bot, path: str, *about: object, **fields: object) -> Any:
    """Send a request until it is answered."""
    limit = time.monotonic() + PATIENCE
    while True:
        try:
            return bot.send(path, *about, **fields)
        except (OSError, HTTPException):
            assert time.monotonic() < limit
            time.sleep(0.1)


def played(db: Path, folder: Path, games: int, kills: int) -> Told:
    """Let two bots play, kill the server at random moments, and compare what it says at the end."""
    rng, killed, bots_killed = Random(), 0, 0
    step = games // (kills + 1)
    ids: list[str] = []
    with Server(db, folder, "--quiet") as server, playing(server, folder) as players:
        ada = Bot(server.url, "Ada", folder=str(folder))
        ada.token = insist(ada, "me", name="Ada")["token"]
        over: set[str] = set()
        while len(over) < games:
            while len(ids) < min(games, len(over) + min(AT_ONCE, step)):
                number = len(ids)
                new = {"game": GAMES[number % len(GAMES)], "mode": "friend", "to": "Bob"}
                ids.append(insist(ada, "matches", number, **new, first=str(1 + number % 2))["id"])
            if killed < kills and len(over) >= (killed + 1) * step:
                time.sleep(rng.random() / 5)
                server.kill()
                killed += 1
                if killed % 2:
                    players[killed // 2 % 2].restart()
                    bots_killed += 1
                server.start()
            over |= {id_ for id_ in ids if id_ not in over and is_over(server, id_)}
            time.sleep(0.02)
        moves, records = {}, {}
        for id_ in ids:
            events = saved_events(db, id_)
            assert {event.kind for event in events} == {"move"}
            moves[id_] = [str(event.move) for event in events]
            with ada.ask(f"matches/{id_}/record") as answer:
                records[id_] = json.load(answer)
        mine = [found["id"] for found in all_matches(ada)]
    # Nothing is doubled: there are as many matches as were wanted, each ended once by its rules.
    assert len(set(ids)) == games
    assert sorted(mine) == sorted(ids)
    for id_ in ids:
        (round_,) = records[id_]["rounds"]
        assert [str(move) for move in round_["moves"]] == moves[id_]
        assert round_["end"]["by"] == "rules"
    # Nothing is lost: every acknowledged move is where it was played, and nothing else is there.
    noted = [note for player in players for note in player.acknowledged()]
    for id_, ply, move in noted:
        assert moves[id_][ply] == move, (id_, ply)
    assert len({note[:2] for note in noted}) == len(noted)
    return Told(games, sum(map(len, moves.values())), len(noted), killed, bots_killed)


def is_over(server: Server, id: str) -> bool:  # noqa: A002
    """Return whether a match is over, by the database."""
    return live_match(server.db, id).saved.match.over


def all_matches(bot: Bot) -> Iterator[dict[str, Any]]:
    """Yield all matches of a bot."""
    before: str | None = ""
    while before is not None:
        with bot.ask(f"me/matches?before={before}" if before else "me/matches") as answer:
            found = json.load(answer)
        yield from found["matches"]
        before = found["before"]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        told = played(Path(folder) / "a.db", Path(folder), *map(int, sys.argv[1:]))
        sys.stdout.write(f"{told}\n")
