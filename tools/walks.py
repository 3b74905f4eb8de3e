"""Lists the files that docs/architecture.md walks through, in order.

python -m tools.walks move     a move that is typed at the prompt
python -m tools.walks value    zerosum.solve(game).value(state)
python -m tools.walks post     a move that is posted to the server, until both players see it
python -m tools.walks audit    zerosum audit dual-digits
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from types import FrameType

import httpx

SOURCE = Path(__file__).parent.parent / "src" / "zerosum"
files: dict[str, None] = {}


@cache
def named(path: str) -> str:
    """Return the name of a file in the package; an empty string for any other file."""
    return str(Path(path).relative_to(SOURCE)) if Path(path).is_relative_to(SOURCE) else ""


def ours(frame: FrameType) -> bool:
    """Return whether a frame runs code of the package."""
    return bool(named(frame.f_code.co_filename))


def stack(frame: FrameType | None) -> list[FrameType]:
    """Return a frame and its callers, the outermost first."""
    return [*stack(frame.f_back), frame] if frame else []


def enter(frame: FrameType, event: str = "call", arg: object = None) -> None:
    """Note the file of a function of ours, unless it is called while a module is imported."""
    file = named(frame.f_code.co_filename)
    if file and file not in files:
        importing = (f.f_code.co_name == "<module>" and ours(f) for f in stack(frame))
        if not any(importing):
            files[file] = None


def move() -> None:
    """Follow a move from the moment it is read to the next prompt."""
    read, lines = os.read, iter([b"1\n", b""])

    def typed(fd: int, size: int) -> bytes:
        if fd:
            return read(fd, size)
        line = next(lines)
        for frame in stack(sys._getframe()) if line else ():
            enter(frame)
        sys.settrace(enter if line else None)
        return line

    from zerosum.__main__ import main

    os.read = typed
    sys.argv = ["zerosum", "play", "even-steven", "--start", "4", "--names", "Ada", "Bob"]
    main()


def value() -> None:
    """Follow the solution of a game that has no theory."""
    import zerosum

    game = zerosum.game("digit-battle", lives=2)
    state = game.initial()
    sys.settrace(enter)
    zerosum.solve(game).value(state)
    sys.settrace(None)


def audit() -> None:
    """Follow the audit of a game, from the command line to the report."""
    from zerosum.__main__ import main

    sys.argv = ["zerosum", "audit", "dual-digits"]
    sys.settrace(enter)
    main()


def post() -> None:
    """Follow a move through the server, from the socket to the streams of both players."""
    from zerosum.web.app import build
    from zerosum.web.http.server import run
    from zerosum.web.http.sockets import listen, port_of
    from zerosum.web.settings import ServerSettings
    from zerosum.web.tables import scheduler

    # What the server does by itself must not come in between.
    for pause in ("SWEEP_SECONDS", "BEAT_SECONDS"):
        setattr(scheduler, pause, 3600.0)
    following = threading.Event()

    def enter_later(frame: FrameType, event: str, arg: object) -> None:
        if frame.f_code.co_name == "data_received" and b"/actions" in frame.f_locals["data"]:
            following.set()
        if following.is_set():
            enter(frame)

    # Before its threads start; nothing is noted before the move.
    threading.settrace(enter_later)
    listening = listen("127.0.0.1", 0)
    settings = ServerSettings(os.environ["ZEROSUM_DB"], quiet=True)

    def ready() -> None:
        client = threading.Thread(target=_client, args=(port_of(listening), following))
        client.start()

    sys.settrace(enter_later)
    run(settings, build, listening, ready)
    sys.settrace(None)


def _client(port: int, following: threading.Event) -> None:
    """Let two players join a match, follow it, and see a move; then stop the server."""
    sys.settrace(None)
    url = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=url) as ada, httpx.Client(base_url=url) as bob:
        new = {"game": "even-steven", "mode": "friend", "options": {"start": 4}}
        made = ada.post("/api/v1/matches", json={"key": "a" * 22, **new})
        path = f"/api/v1/matches/{made.json()['id']}"
        bob.post(f"{path}/join", json={"key": "b" * 22})
        with (
            ada.stream("GET", f"{path}/events") as first,
            bob.stream("GET", f"{path}/events") as second,
        ):
            streams = [first.iter_lines(), second.iter_lines()]
            for lines in streams:
                next(line for line in lines if line == "event: table")
            move = {"key": "c" * 22, "ply": 0, "action": "move", "move": "1"}
            ada.post(f"{path}/actions", json=move).raise_for_status()
            for lines in streams:
                next(line for line in lines if line == "event: table")
            following.clear()
    os.kill(os.getpid(), signal.SIGTERM)


WALKS = {"move": move, "value": value, "post": post, "audit": audit}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in WALKS:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"ZEROSUM_DB": f"{home}/games.db", "ZEROSUM_CACHE": home}
        try:
            WALKS[sys.argv[1]]()
        except SystemExit as end:
            if end.code:
                raise
    sys.stderr.flush()
    print("\n".join(["", *files]))
