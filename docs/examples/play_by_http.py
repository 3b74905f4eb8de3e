"""Plays a match against the computer over HTTP, with nothing but the standard library.

python play_by_http.py http://127.0.0.1:8000 number-navigator easy
"""

import json
import secrets
import sys
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

MATCHES = "/api/v1/matches"


class Table:
    """A seat at a table of a Zerosum server."""

    def __init__(self, server: str, **wanted: str) -> None:
        self.server, self.seat, self.told = server.rstrip("/"), "", 0
        self.view = self.send(MATCHES, {"key": secrets.token_hex(16), "mode": "bot", **wanted})

    def send(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        request = Request(self.server + path, json.dumps(body).encode() if body else None)
        request.add_header("Content-Type", "application/json")
        request.add_header("Cookie", self.seat)
        try:
            with urlopen(request) as answer:
                self.seat = answer.headers.get("Set-Cookie", self.seat).partition(";")[0]
                view: dict[str, Any] = json.load(answer)
                return view
        except HTTPError as refused:
            sys.exit(json.load(refused)["error"]["message"])

    def move(self, number: str) -> None:
        # The key makes it safe to send this again when an answer does not arrive.
        asked = {"key": secrets.token_hex(16), "ply": self.view["ply"], "action": "move"}
        self.take(self.send(f"{MATCHES}/{self.view['id']}/actions", {**asked, "move": number}))

    def take(self, view: dict[str, Any]) -> None:
        self.view = view
        for news in self.view["news"]:
            if news["change"] > self.told and news["kind"] == "move":
                print(news["text"])
        self.told = self.view["change"]

    def wait(self) -> None:
        while not self.view["over"] and not self.view["turn"]["yours"]:
            time.sleep(0.2)  # /events would report it at once
            self.take(self.send(f"{MATCHES}/{self.view['id']}"))


def play(
    server: str = "http://127.0.0.1:8000", game: str = "number-navigator", level: str = "easy"
) -> None:
    table = Table(server, game=game, level=level)
    table.wait()
    while not table.view["over"]:
        legal = [choice["move"] for choice in table.view["moves"] if choice["legal"]]
        table.move(legal[0])
        table.wait()
    print(table.view["ended"]["text"])


if __name__ == "__main__":
    try:
        play(*sys.argv[1:])
    except (URLError, ValueError) as error:
        sys.exit(f"No Zerosum server answers there: {getattr(error, 'reason', error)}.")
