"""Rules that somebody else wrote: they run in other processes, and cost only their own game."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.support import helpful, run
from tests.game_files import TAKE_AWAY, write
from tests.web.support import Server, new_key, saved_events
from zerosum.match import Event

# Every function of the file, and the file itself, leave the number of their process behind.
WATCHED = f"""{TAKE_AWAY.replace("TakeAway", "Watched")}
import functools
from zerosum import Words

class WatchedWords(Words[State]):
    title = "Watched"

def noting(function):
    @functools.wraps(function)
    def noted(*given, **more):
        with open(__file__ + ".pids", "a") as log: print(os.getpid(), file=log)
        return function(*given, **more)
    return noted

GAME = "__init__ __hash__ __eq__ initial moves play outcome objection canonical lists_all is_legal"
WORDS = "goal label fields prompt"
for kind, names in ((State, "__new__"), (Watched, GAME), (WatchedWords, WORDS)):
    for name in names.split(): setattr(kind, name, noting(getattr(kind, name)))
noting(int)()
"""
EXITING = "import os\nos._exit(0)\n"
LOOPING = "import time\nwhile True: time.sleep(0.01)\n"
LOUD = "import os\nfor _ in range(64): os.write(2, b'x' * 65536 + b'\\n'); print('x' * 65536)\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with games of all kinds: two cannot be loaded, and two do not always return."""
    folder = tmp_path_factory.mktemp("strangers")
    shout = "os.write(2, b'x' * 65536 + b'\\n')\n"
    texts = {
        "watched.py": WATCHED,
        "exiting.py": EXITING,
        "looping.py": LOOPING,
        "loud.py": LOUD + TAKE_AWAY.replace("TakeAway", "Loud").replace("pass\n", shout),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    paths = [*(f"./{name}" for name in texts), write(folder, "Endless"), write(folder, "Trapping")]
    with Server(folder / "a.db", folder, *paths, rules_seconds=0.4) as server:
        yield server


def test_game_that_cannot_be_loaded_costs_only_itself(server: Server) -> None:
    names = [game["name"] for game in server.visitor().get("/api/v1/games").json()["games"]]
    assert names[-4:] == ["watched", "loud", "endless", "trapping"]
    assert "could not be loaded: exiting.py, line 2: SystemExit: os._exit(0)" in server.log
    assert "./looping.py could not be loaded. The rules of this game take" in server.log
    assert "in loading looping.py (line 2)" in server.log
    ada, _ = server.pair("loud")
    assert ada.do("move", move="1")["ply"] == 1
    assert len(server.log) < 10_000, "nobody fills the disk through the log"


def test_endless_rules_are_refused_before_a_match_is_made(server: Server) -> None:
    ada = server.visitor()
    answer = ada.post("/api/v1/matches", {"key": new_key(), "game": "endless", "mode": "bot"})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "too_hard"
    for page in ("/", "/new/endless", "/rules/endless", "/explore/endless", "/puzzles"):
        assert ada.get(page).status_code == 200
    assert ada.get("/healthz").json()["status"] == "ok"


def test_move_into_endless_rules_is_not_played(server: Server) -> None:
    ada, bob = server.pair("trapping")
    other, _ = server.pair()
    stream = bob.listen()
    trap = server.home / "trapping.py.trap"
    trap.touch()
    answer = ada.act("move", move="1")
    trap.unlink()
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "too_hard"
    assert saved_events(server.db, ada.id) == []
    assert other.do("move", move="1")["ply"] == 1
    assert ada.do("move", move="1")["ply"] == 1
    assert bob.do("move", move="2")["ply"] == 2
    assert stream.until(4)["fields"][0]["value"] == "4"
    assert saved_events(server.db, ada.id) == [Event("move", 1), Event("move", 2)]
    stream.close()


def test_no_stranger_runs_in_the_server_and_its_log_holds_no_token(server: Server) -> None:
    ada = server.visitor()
    for page in ("/", "/new/watched", "/learn/watched", "/rules/watched", "/explore/watched"):
        assert ada.get(page).status_code == 200
    ada.create("watched", mode="here", coach="on", options={"start": 4})
    for move in ("2", "9", "1", "undo", "1", "1"):
        assert ada.get(f"/api/v1/matches/{ada.id}/coach").json()["exact"]
        answer = ada.act(move) if move == "undo" else ada.act("move", move=move)
        assert answer.status_code == (422 if move == "9" else 200)
    assert ada.see()["over"]
    assert ada.see()["game"]["title"] == "Watched"
    assert ada.get(f"/api/v1/matches/{ada.id}/review").json()["exact"]
    assert ada.get(f"/m/{ada.id}/review").status_code == 200
    fork = {"key": new_key(), "ply": 1, "level": "random"}
    assert ada.post(f"/api/v1/matches/{ada.id}/fork", fork).status_code == 201
    for what in ("position", "theory", "map.svg"):
        asked = {"options": json.dumps({"start": 6})}
        assert ada.get(f"/api/v1/games/watched/{what}", params=asked).status_code == 200
    wrong = {"key": new_key(), "game": "watched", "options": {"start": 0}}
    assert ada.post("/api/v1/matches", wrong).json()["error"]["field"] == "options.start"
    puzzle = ada.get("/api/v1/puzzle", params={"game": "watched"}).json()
    assert ada.post("/api/v1/puzzle", {"id": puzzle["id"], "give_up": True}).status_code == 200
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


@pytest.mark.parametrize(
    ("text", "says"),
    [(EXITING, "own.py, line 2: SystemExit"), (LOOPING, "./own.py could not be loaded")],
)
def test_only_game_named_must_load(home: Path, text: str, says: str) -> None:
    (home / "own.py").write_text(text)
    done = run(home, "web", "./own.py", "--port", "0", ZEROSUM_LIMIT_RULES_SECONDS="0.1")
    helpful(done, 1, "could not be loaded", says)
