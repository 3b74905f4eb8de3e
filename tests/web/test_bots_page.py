"""The commands of docs/bots.md do what the page says."""

import json
import re
from pathlib import Path
from typing import Any

import httpx

from tests.web.bots import GAME, Bot, code_of
from tests.web.support import Inside, Visitor, new_key

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
POST = re.compile(r"^post (\S+) '(.*)'$|^curl -s --json '(.*)' \$SERVER/api/v1/(\S+)$", re.M)


def test_every_command_is_accepted(tmp_path: Path) -> None:
    text = PAGE.read_text()
    posted = [(path or other, body or mine) for path, body, mine, other in POST.findall(text)]
    assert [path for path, _ in posted] == [
        *("me", "me/open", "matches/$ID/join", "matches", "matches/$ID/actions")
    ]
    name, open_, accept, challenge, move = posted
    with Inside(tmp_path / "a.db") as server:
        other, deep = Bot(server, "Other", GAME), server.visitor()
        answer = send(deep, *name)
        assert answer.status_code == 201
        deep.wire.client.headers["authorization"] = f"Bearer {answer.json()['token']}"
        assert send(deep, *open_).json() == {"name": "Deep", "games": [GAME]}
        news = deep.wire.listen("/api/v1/me/events", {})
        heard = [news.next("open").kind]
        asked = other.post("/api/v1/matches", {**body_of(challenge[1]), "to": "Deep"})
        assert asked.status_code == 201
        deep.id = news.next("challenge").view["id"]
        assert send(deep, *accept).status_code == 200
        assert news.next().view["id"] == deep.id
        assert code_of(send(deep, *move)) == "not_your_turn"
        other.id = deep.id
        assert send(other, *move).status_code == 200
        assert news.next().view["turn"]["yours"]
        assert send(deep, *challenge).status_code == 201
        for path in re.findall(r"^get (\S+)$", text, re.M):
            if path != "me/events":
                assert deep.get(f"/api/v1/{path.replace('$ID', deep.id)}").status_code == 200
    documented = set(re.findall(r"^\| `(\w+)` \|", text, re.M))
    assert {*heard, "challenge", "table", "declined", "here", "end", "beat"} == documented


def send(visitor: Visitor, path: str, body: str) -> httpx.Response:
    """Send what a command sends."""
    return visitor.post(f"/api/v1/{path.replace('$ID', visitor.id)}", body_of(body))


def body_of(body: str) -> Any:
    """Read a body, with a key."""
    return json.loads(body.replace("'$(key)'", new_key()))
