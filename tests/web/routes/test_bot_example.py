"""The bot of the documents: it plays through kills, and against people."""

import json
import runpy
import subprocess
import sys
from email.message import Message
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError

from tests.game_files import NOUGHTS
from tests.helpers import clean_env, eventually
from tests.web.bot_games import ROOT, played
from tests.web.support import Server, new_key

BOT = ROOT / "docs" / "examples" / "bot.py"


def test_it_is_short_and_needs_only_the_standard_library(tmp_path: Path) -> None:
    assert len(BOT.read_text().splitlines()) < 100
    isolated = [sys.executable, "-I", "-S", str(BOT)]
    done = subprocess.run(isolated, capture_output=True, text=True, env=clean_env(tmp_path))
    assert "missing 2 required positional arguments" in done.stderr


def test_a_challenge_that_was_withdrawn_costs_only_itself(tmp_path: Path) -> None:
    bot = runpy.run_path(str(BOT))["Bot"]("http://localhost", "Deep", folder=str(tmp_path))
    tables = [json.dumps({"id": id_, "can": ["join"]}) for id_ in ("gone", "there")]
    stream = "".join(f"event: challenge\ndata: {table}\n\n" for table in tables)
    asked = []

    def ask(path: str, body: object = None) -> BytesIO:
        asked.append(path)
        if path == "matches/gone/join":
            raise HTTPError(path, 409, "Conflict", Message(), BytesIO(b"seat_taken"))
        return BytesIO(stream.encode() if path == "me/events" else b'{"token": "x"}')

    bot.ask = ask
    bot.follow()
    assert asked[-2:] == ["matches/gone/join", "matches/there/join"]


def test_two_bots_play_through_kills_of_the_server_and_of_themselves(tmp_path: Path) -> None:
    told = played(tmp_path / "a.db", tmp_path, games=4, kills=1)
    assert (told.games, told.kills, told.bots_killed) == (4, 1, 1)
    # Each kill can cost two bots the answers to the moves that they were sending.
    assert told.moves - 2 * (told.kills + told.bots_killed) <= told.acknowledged <= told.moves


def test_person_plays_a_series_and_a_rematch_with_it(tmp_path: Path) -> None:
    """In a game of one's own, to whose rules the bot has no access."""
    command = [sys.executable, str(BOT)]
    (tmp_path / "Deep.key").touch(0o600)  # it was killed before it wrote its secret
    with Server(tmp_path / "a.db", tmp_path, str(NOUGHTS), "--quiet") as server:
        bot = subprocess.Popen(
            [*command, f"{server.url}/", "Deep", "noughts-and-crosses"],
            env=clean_env(tmp_path),
            cwd=tmp_path,
        )
        try:
            ada = server.visitor()
            new = {"game": "noughts-and-crosses", "mode": "friend", "to": "Deep", "games": 2}
            eventually(lambda: ada.post("/api/v1/matches", {"key": new_key(), **new}).is_success)
            answer = ada.post("/api/v1/matches", {"key": new_key(), **new})
            ada.id = answer.json()["id"]
            eventually(lambda: bool(ada.see()["turn"] and ada.see()["turn"]["yours"]))
            ada.do("move", move="b2")
            eventually(lambda: ada.see()["ply"] == 2)
            ada.do("resign")
            eventually(lambda: "next" in ada.see()["can"] and bool(ada.see()["offers"]))
            ada.do("next")
            eventually(lambda: ada.see()["ply"] == 4)  # the bot moves first now
            ada.do("resign")
            ada.do("rematch")
            eventually(lambda: ada.see()["next"] is not None)
        finally:
            bot.kill()
            bot.wait()
    assert (tmp_path / "Deep.key").stat().st_mode & 0o777 == 0o600
    assert len((tmp_path / "Deep.key").read_text()) == 64
