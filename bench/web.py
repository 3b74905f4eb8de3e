"""Measures the server: 1,000 live games with two streams each, and the most moves a second.

    .venv/bin/python bench/web.py

One worker, the client on the same machine. The second part is a ratio within one run: moves that
are stored and acknowledged, beside a bare Starlette endpoint that commits one SQLite row. The bare
one waits for the disk each time, ours writes what has come meanwhile together; so where the disk is
slow the ratio flatters us, and the processor time of each request is beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

START = 10**9
PLENTY = "1000000"
# The changes of a match before its first move: it is created and joined.
BEFORE = 2
RAISED = (
    "CONNECTIONS_PER_CLIENT",
    "REQUESTS_PER_MINUTE",
    "GAMES_PER_MINUTE",
    "MOVES_PER_MINUTE",
)
BARE = """
import sqlite3, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("pragma journal_mode = wal")
db.execute("pragma synchronous = full")
db.execute("create table rows (id integer primary key, text text)")

async def row(request):
    body = await request.json()
    db.execute("begin immediate")
    db.execute("insert into rows (text) values (?)", (body["key"],))
    db.execute("commit")
    return JSONResponse({"ok": True})

app = Starlette(routes=[Route("/row", row, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[2]), log_level="error", http="httptools", loop="uvloop")
"""


class Connection:
    """A connection that stays open, with one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def open(self) -> Connection:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def post(
        self, path: str, body: dict[str, Any], cookie: str = ""
    ) -> tuple[int, bytes, bytes]:
        """Send a request, and return the status, head and body of the answer."""
        data = json.dumps(body).encode()
        carried = f"cookie: zerosum={cookie}\r\n" if cookie else ""
        head = (
            f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n{carried}"
            f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        )
        self.writer.write(head.encode() + data)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return int(answer[9:12]), answer, await self.reader.readexactly(length)

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


class Game:
    """A game between two players, both of whom are the client."""

    def __init__(self) -> None:
        self.id = ""
        self.cookies = ["", ""]
        self.ply = 0
        self.sent = 0.0
        self.seen = [0, 0]

    async def begin(self, connection: Connection) -> None:
        """Create the match, and take both seats."""
        new = {"game": "even-steven", "options": {"start": str(START)}, "mode": "friend"}
        status, head, body = await connection.post("/api/v1/matches", {"key": _key(), **new})
        assert status == 201, body
        self.id, self.cookies[0] = json.loads(body)["id"], _seat(head)
        status, head, body = await connection.post(
            f"/api/v1/matches/{self.id}/join", {"key": _key()}
        )
        assert status == 200, body
        self.cookies[1] = _seat(head)

    async def move(self, connection: Connection) -> float:
        """Make the next move, and return the seconds until it was acknowledged."""
        body = {"key": _key(), "ply": self.ply, "action": "move", "move": "1"}
        cookie = self.cookies[self.ply % 2]
        self.sent = time.perf_counter()
        status, _, answer = await connection.post(
            f"/api/v1/matches/{self.id}/actions", body, cookie
        )
        assert status == 200, answer
        self.ply += 1
        return time.perf_counter() - self.sent


async def stream(port: int, game: Game, player: int, waits: list[float], host: str) -> None:
    """Listen to a game from an address, and note how long each of the opponent's moves took."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, limit=1 << 20, local_addr=(host, 0)
    )
    writer.write(
        f"GET /api/v1/matches/{game.id}/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n"
        f"cookie: zerosum={game.cookies[player]}\r\n\r\n".encode()
    )
    try:
        while True:
            line = await reader.readline()
            if not line:
                return
            if line.startswith(b"id: "):
                ply = int(line[4:]) - BEFORE
                if ply > game.seen[player]:
                    game.seen[player] = ply
                    if ply % 2 != player:
                        waits.append(time.perf_counter() - game.sent)
    finally:
        writer.close()


def _key() -> str:
    return secrets.token_hex(16)


def _seat(head: bytes) -> str:
    found = re.search(rb"zerosum=([^;]+)", head)
    assert found, head
    return found[1].decode()


def _share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] * 1000


def _memory(pid: int) -> int:
    """Return the private memory of a process, in bytes."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(n) for n in re.findall(r"^Private_\w+:\s+(\d+)", text, re.M)) * 1024


async def live(port: int, pid: int, games: int, seconds: int) -> dict[str, float]:
    """Play many games at once, a move a second in each."""
    connections = await asyncio.gather(*(Connection(port).open() for _ in range(64)))
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for connection in connections:
        free.put_nowait(connection)
    before = _memory(pid)
    played = [Game() for _ in range(games)]

    async def begin(game: Game) -> None:
        connection = await free.get()
        await game.begin(connection)
        free.put_nowait(connection)

    await asyncio.gather(*(begin(game) for game in played))
    news: list[float] = []
    streams = [
        # One address may have 120 streams.
        asyncio.create_task(stream(port, game, player, news, f"127.0.1.{1 + number // 50}"))
        for number, game in enumerate(played)
        for player in (0, 1)
    ]
    await asyncio.sleep(3)
    news.clear()
    acks: list[float] = []
    late = 0.0
    begun = time.perf_counter()

    async def play(number: int, game: Game) -> None:
        nonlocal late
        for turn in range(seconds):
            at = begun + turn + number / games
            wait = at - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            late = max(late, -wait)
            connection = await free.get()
            acks.append(await game.move(connection))
            free.put_nowait(connection)

    await asyncio.gather(*(play(number, game) for number, game in enumerate(played)))
    spent = time.perf_counter() - begun
    await asyncio.sleep(1)
    after = _memory(pid)
    for task in streams:
        task.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    for connection in connections:
        connection.close()
    return {
        "games": games,
        "moves a second": len(acks) / spent,
        "acknowledged p50 ms": _share(acks, 0.5),
        "acknowledged p99 ms": _share(acks, 0.99),
        "news at the other player p50 ms": _share(news, 0.5),
        "news at the other player p99 ms": _share(news, 0.99),
        "news that arrived": len(news) / len(acks),
        "latest start ms": late * 1000,
        "memory a game KiB": (after - before) / games / 1024,
    }


async def most(port: int, seconds: float, lanes: int, bare: bool) -> float:
    """Return how many requests a second are answered at most."""
    connections = await asyncio.gather(*(Connection(port).open() for _ in range(lanes)))
    games = [Game() for _ in connections]
    if not bare:
        await asyncio.gather(*(g.begin(c) for g, c in zip(games, connections, strict=True)))
    count = 0
    end = time.perf_counter() + seconds

    async def lane(game: Game, connection: Connection) -> None:
        nonlocal count
        while time.perf_counter() < end:
            if bare:
                status, _, _ = await connection.post("/row", {"key": _key(), "ply": 0, "move": "1"})
                assert status == 200
            else:
                await game.move(connection)
            count += 1

    await asyncio.gather(*(lane(g, c) for g, c in zip(games, connections, strict=True)))
    for connection in connections:
        connection.close()
    return count / seconds


def _processor(pid: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def rate(process: subprocess.Popen[Any], port: int, bare: bool) -> tuple[float, float]:
    """Return the most requests a second, and the processor time of each in microseconds."""
    before, seconds = _processor(process.pid), 4.0
    found = await most(port, seconds, 64, bare)
    return found, 1e6 * (_processor(process.pid) - before) / (found * seconds)


def served(folder: str) -> tuple[subprocess.Popen[str], int]:
    """Start the server, with limits that let one client act as a thousand."""
    env = {**os.environ, **{f"ZEROSUM_LIMIT_{name}": PLENTY for name in RAISED}}
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "zerosum", "web", "--port", "0"),
            *("--no-open", "--quiet", "--db", f"{folder}/web.db"),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert process.stdout
    found = re.search(r":(\d+)/", process.stdout.readline())
    assert found
    return process, int(found[1])


def bare(folder: str, port: int) -> subprocess.Popen[bytes]:
    """Start the bare endpoint."""
    return subprocess.Popen([sys.executable, "-c", BARE, f"{folder}/bare.db", str(port)])


async def until_open(port: int) -> None:
    """Wait for a server to listen."""
    for _ in range(200):
        try:
            (await Connection(port).open()).close()
            return
        except OSError:
            await asyncio.sleep(0.05)
    raise SystemExit(f"nothing listens at port {port}")


async def run(games: int, seconds: int) -> None:
    """Measure everything, and print it."""
    with tempfile.TemporaryDirectory() as folder:
        process, port = served(folder)
        with socket.create_server(("127.0.0.1", 0)) as free:
            second = free.getsockname()[1]
        other = bare(folder, second)
        try:
            for name, figure in (await live(port, process.pid, games, seconds)).items():
                print(f"{name:34} {figure:10.2f}")
            await until_open(second)
            ratios = []
            for _ in range(3):
                ours, cost = await rate(process, port, False)
                theirs, least = await rate(other, second, True)
                ratios.append(ours / theirs)
                rates = f"stored moves a second {ours:6.0f} ({cost:.0f} µs of processor time)"
                print(f"{rates}   bare rows {theirs:6.0f} ({least:.0f} µs)   {ours / theirs:.2f}")
            print(f"{'ratio (aim 0.70)':34} {sorted(ratios)[1]:10.2f}")
        finally:
            for server in (process, other):
                server.terminate()
                server.wait()
            if process.stdout:
                process.stdout.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=20)
    given = parser.parse_args()
    try:
        import uvloop

        uvloop.run(run(given.games, given.seconds))
    except ImportError:
        asyncio.run(run(given.games, given.seconds))
