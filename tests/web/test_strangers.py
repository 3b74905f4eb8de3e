"""Rules that somebody else wrote: they run in other processes, and cost only their own game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.support import helpful, run
from tests.game_files import TAKE_AWAY
from tests.web.support import Server, new_key

# Every function of the file, and the file itself, leave the number of their process behind.
NOTING = '''
"""Take one or two sticks; whoever takes the last one wins."""
import os
from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, Words, option

def note():
    with open(__file__ + ".pids", "a") as log: log.write(f"{os.getpid()}\\n")

class Parts(NamedTuple):
    sticks: int
    player: int

class State(Parts):
    def __new__(cls, *parts):
        note()
        return super().__new__(cls, *parts)

@dataclass(frozen=True)
class Watched(Game[State]):
    start: int = option(5, "how many sticks", least=1)
    def __post_init__(self): note()
    def initial(self): note(); return State(self.start, 0)
    def moves(self, state): note(); return tuple(n for n in (1, 2) if n <= state.sticks)
    def play(self, state, move): note(); return State(state.sticks - move, 1 - state.player)
    def outcome(self, state):
        note()
        return None if state.sticks else Outcome(1 - state.player, "the last stick is taken")
    def objection(self, state, move): note(); return "Take 1 or 2."
    def canonical(self, state): note(); return state
    def lists_all(self, state): note(); return True
    def is_legal(self, state, move): note(); return move in self.moves(state)
    def __hash__(self): note(); return 7
    def __eq__(self, other): note(); return type(self) is type(other) and self.start == other.start

class WatchedWords(Words[State]):
    title = "Watched"
    def goal(self): note(); return "Take the last stick."
    def label(self, state, move): note(); return f"Take {move}"
    def fields(self, state): note(); return super().fields(state)
    def prompt(self, state, names): note(); return "Your move: "

note()
'''
EXITING = "import os\nos._exit(0)\n"
LOOPING = "import time\nwhile True: time.sleep(0.01)\n"
LOUD = "import os\nfor _ in range(64): os.write(2, b'x' * 65536 + b'\\n'); print('x' * 65536)\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with one game that is watched, one that talks, and two that cannot be loaded."""
    folder = tmp_path_factory.mktemp("strangers")
    shout = "os.write(2, b'x' * 65536 + b'\\n')\n"
    texts = {
        "watched.py": NOTING,
        "exiting.py": EXITING,
        "looping.py": LOOPING,
        "loud.py": LOUD + TAKE_AWAY.replace("TakeAway", "Loud").replace("pass\n", shout),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    paths = [f"./{name}" for name in texts]
    with Server(folder / "a.db", folder, *paths, rules_seconds=0.4) as server:
        yield server


def test_game_that_cannot_be_loaded_costs_only_itself(server: Server) -> None:
    names = [game["name"] for game in server.visitor().get("/api/games").json()["games"]]
    assert names[-2:] == ["watched", "loud"]
    assert "./exiting.py could not be loaded. The game ended the process that loaded" in server.log
    assert "./looping.py could not be loaded. It takes more than 2 seconds" in server.log
    ada, _ = server.pair("loud")
    assert ada.do("move", move="1")["ply"] == 1
    assert len(server.log) < 10_000, "nobody fills the disk through the log"


def test_no_stranger_runs_in_the_server_and_its_log_holds_no_token(server: Server) -> None:
    ada = server.visitor()
    for page in ("/", "/new/watched", "/learn/watched", "/rules/watched", "/explore/watched"):
        assert ada.get(page).status_code == 200
    ada.create("watched", mode="here", coach="on", options={"start": 4})
    for move in ("2", "9", "1", "undo", "1", "1"):
        assert ada.get(f"/m/{ada.id}/coach").json()["exact"]
        answer = ada.act(move) if move == "undo" else ada.act("move", move=move)
        assert answer.status_code == (422 if move == "9" else 200)
    assert ada.see()["over"]
    assert ada.see()["game"]["title"] == "Watched"
    assert ada.get(f"/m/{ada.id}/review.json").json()["exact"]
    assert ada.get(f"/m/{ada.id}/review").status_code == 200
    fork = {"key": new_key(), "ply": 1, "level": "random"}
    assert ada.post(f"/m/{ada.id}/fork", fork).status_code == 201
    for what in ("position", "theory", "map.svg"):
        asked = {"options": json.dumps({"start": 6})}
        assert ada.get(f"/api/games/watched/{what}", params=asked).status_code == 200
    wrong = {"key": new_key(), "game": "watched", "options": {"start": 0}}
    assert ada.post("/m", wrong).json()["error"]["field"] == "options.start"
    puzzle = ada.get("/api/puzzle", params={"game": "watched"}).json()
    assert ada.post("/api/puzzle", {"id": puzzle["id"], "give_up": True}).status_code == 200
    (cookie,) = ada.wire.client.cookies.jar
    assert not any(secret in server.log for secret in (str(cookie.value), ada.id))
    server.kill()
    assert server.process is not None
    pids = [server.process.pid]
    server.args = ("./watched.py",)
    server.start()  # and reads the match again
    pids.append(server.process.pid)
    assert ada.at(server).see()["over"]
    noted = {int(pid) for pid in (server.home / "watched.py.pids").read_text().split()}
    assert noted
    assert noted.isdisjoint(pids)


@pytest.mark.parametrize(("text", "says"), [(EXITING, "ended the process"), (LOOPING, "0.5 sec")])
def test_only_game_named_must_load(home: Path, text: str, says: str) -> None:
    (home / "own.py").write_text(text)
    done = run(home, "web", "./own.py", "--port", "0", ZEROSUM_LIMIT_RULES_SECONDS="0.1")
    helpful(done, 1, "./own.py could not be loaded", says)
