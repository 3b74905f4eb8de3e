"""Bots at a server: visitors with a token instead of a cookie."""

from typing import Any

import httpx

from tests.web.visitors import Host, Stream, View, Visitor, new_key

GAME = "even-steven"


class Bot(Visitor):
    """A program with a name, which is open to challenges if it says so."""

    def __init__(self, server: Host, name: str = "Deep", *games: str, bot: bool = True) -> None:
        super().__init__(server.visitor().wire)
        self.name = name
        answer = enroll(self, name, bot=bot)
        assert answer.status_code == 201, answer.text
        self.token = str(answer.json()["token"])
        self.wire.client.headers["authorization"] = f"Bearer {self.token}"
        if games:
            self.open(*games)

    def open(self, *games: str) -> list[str]:
        """Be open to challenges in these games alone."""
        answer = self.post("/api/v1/me/open", {"key": new_key(), "games": games})
        assert answer.status_code == 200, answer.text
        return list(answer.json()["games"])

    def follow(self) -> Stream:
        """Open the stream of what concerns the bot."""
        return self.wire.listen("/api/v1/me/events", {})

    def matches(self, before: str = "") -> tuple[list[View], str | None]:
        """List the bot's matches, and where the next page begins."""
        query = f"?before={before}" if before else ""
        answer = self.get(f"/api/v1/me/matches{query}")
        assert answer.status_code == 200, answer.text
        return answer.json()["matches"], answer.json()["before"]


def enroll(visitor: Visitor, name: Any, key: str = "", **more: Any) -> httpx.Response:
    """Ask for a person with a name."""
    return visitor.post("/api/v1/me", {"key": key or new_key(), "name": name, **more})


def challenge(visitor: Visitor, to: str = "Deep", **fields: Any) -> httpx.Response:
    """Challenge a bot."""
    body = {"key": new_key(), "game": GAME, "mode": "friend", "to": to, **fields}
    return visitor.post("/api/v1/matches", body)


def decline(visitor: Visitor, id: str, key: str = "") -> httpx.Response:  # noqa: A002
    """Decline an invitation."""
    return visitor.post(f"/api/v1/matches/{id}/decline", {"key": key or new_key()})


def code_of(answer: httpx.Response) -> str:
    """Return the code of a refusal."""
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["error"]["code"])
