"""A bot for any Zerosum server, with nothing but the standard library.

python bot.py http://127.0.0.1:8000 Deep even-steven digit-battle

Deep is open to challenges in these games. After a restart, Deep.key makes it the same bot again.
"""

import json
import secrets
import sys
import time
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def choose(game: dict[str, Any], state: dict[str, Any]) -> str:
    """Choose a move, in a game such as {"name": "even-steven", "options": {"start": "15"}}.

    A state is {"state": [14, 1], "legal": ["1", "2"], "played": ["1"]}: the position as the rules
    have it, the legal moves, and those played so far. A better bot searches, or asks a model.
    """
    return str(secrets.choice(state["legal"]))


class Bot:
    """A player with a name; all its keys are derived from one in a file."""

    def __init__(self, server: str, name: str, *games: str, folder: str = ".") -> None:
        self.server, self.name, self.games, self.token = server.rstrip("/"), name, games, ""
        file = Path(folder, f"{name}.key")
        file.touch(0o600)
        if not file.read_text():  # it may have been killed before it wrote its secret
            file.write_text(secrets.token_hex(32))
        self.secret = file.read_text()

    def ask(self, path: str, body: Any = None) -> Any:
        """Send a request; a stream has a heartbeat, and is given up a minute after the last."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode() if body else None
        return urlopen(Request(f"{self.server}/api/v1/{path}", data, headers), timeout=60)

    def send(self, path: str, *about: object, **fields: object) -> Any:
        """Send what happens once: after a restart, the same action has the same key."""
        key = sha256(f"{self.secret} {path} {about}".encode()).hexdigest()
        with self.ask(path, {"key": key, **fields}) as answer:
            return json.load(answer)

    def act(self, table: dict[str, Any], action: str, **fields: str) -> None:
        """Act at a table."""
        path, ply = f"matches/{table['id']}/actions", table["ply"]
        self.send(path, ply, action, action=action, ply=ply, **fields)

    def answer(self, table: dict[str, Any]) -> None:
        """Accept a challenge, move, or go on to the next game or to a rematch."""
        if "join" in table["can"]:
            self.send(f"matches/{table['id']}/join")
        elif table["turn"] and table["turn"]["yours"]:
            state = {name: table[name] for name in ("legal", "played")}
            state["state"] = json.loads(table["state"])
            self.act(table, "move", move=choose(table["game"], state))
        elif "next" in table["can"]:
            self.act(table, "next")
        elif any(offer["kind"] == "rematch" for offer in table["offers"]):
            self.act(table, "rematch")

    def follow(self) -> None:
        """Accept challenges and play. After a refusal, the stream says what has changed."""
        self.token = self.send("me", name=self.name)["token"]
        self.send("me/open", time.time(), games=self.games)
        with self.ask("me/events") as stream:
            for line in stream:
                name, _, value = line.decode().strip().partition(": ")
                if name == "event":
                    kind = value
                elif name == "data" and kind in ("challenge", "table"):
                    try:
                        self.answer(json.loads(value))
                    except HTTPError as refused:
                        if refused.code not in (404, 409, 422):
                            raise
                        print(refused.read().decode(), file=sys.stderr)

    def run(self) -> None:
        """Play for ever, whatever happens to the connection."""
        while True:
            try:
                self.follow()
            except (OSError, HTTPException) as error:
                print(error, getattr(error, "read", str)(), file=sys.stderr)
            time.sleep(1)


if __name__ == "__main__":
    Bot(*sys.argv[1:]).run()
