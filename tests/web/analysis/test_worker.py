"""One solver process: low priority, isolated from the rules it runs, never orphaned."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.game_files import callers, write
from tests.web.thinking import LINUX, PATIENCE, START, alive, begun, run, stuck, thinking
from zerosum.errors import GameError
from zerosum.web.analysis.pool import Budget, TooHard


def test_rules_that_kill_the_process_give_a_typed_error(tmp_path: Path) -> None:
    path = write(tmp_path, "Dying")

    async def test() -> None:
        async with thinking(1, None, path) as thinkers:
            with pytest.raises(TooHard, match="stopped unexpectedly"):
                await thinkers.ask("bot_move", **stuck("dying"))
            assert await thinkers.ask("bot_move", **stuck("dying", 9)) in ("1", "2")

    run(test())


def test_rules_that_print_and_read_disturb_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "Talking")

    async def test() -> None:
        async with thinking(1, None, path) as thinkers:
            asked = {"game": "talking", "options": {}, "state": [7, 0]}
            assert (await thinkers.ask("advice", **asked))["exact"]
            assert (await thinkers.ask("advice", **START))["exact"]

    run(test())


@LINUX
def test_rules_that_exhaust_memory_are_stopped(tmp_path: Path) -> None:
    path = write(tmp_path, "Eating")

    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, memory=64 << 20), path) as thinkers:
            with pytest.raises(TooHard, match="memory"):
                await thinkers.ask("bot_move", **stuck("eating"))
            asked = {"game": "eating", "options": {"start": 200}, "state": [200, 0]}
            assert "memory" in (await thinkers.ask("advice", **asked))["reason"]
            assert (await thinkers.ask("advice", **START))["exact"]

    run(test())


def test_tables_fit_into_the_memory_limit() -> None:
    async def test() -> None:
        async with thinking(1) as thinkers:
            options = {"lives": 20}  # which makes more than 100,000 positions
            asked = {"game": "digit-battle", "options": options, "state": [0, 20, 20, 0]}
            assert (await thinkers.ask("advice", **asked))["exact"]

    run(test())


def test_changed_rules_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "Noting")

    async def test() -> None:
        async with thinking(1, None, path) as thinkers:
            Path(path).write_text(Path(path).read_text().replace("(1, 2)", "(1, 3)"))
            with pytest.raises(GameError, match="has changed; restart the server"):
                await thinkers.ask("theory", game="noting", options={})

    run(test())


@LINUX
def test_process_is_isolated_and_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_DB", "postgresql://somebody:secret@somewhere/games")

    async def test() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.set_inheritable(True)
            async with thinking(1) as thinkers:
                (pid,) = await begun(thinkers)
                here, there = Path("/proc/self/fd"), Path(f"/proc/{pid}/fd")
                socket_ = os.readlink(here / str(server.fileno()))
                assert socket_ not in [os.readlink(file) for file in there.iterdir()]
                least = min(os.getpriority(os.PRIO_PROCESS, 0) + 5, 19)
                assert os.getpriority(os.PRIO_PROCESS, pid) >= least
                assert b"secret" not in Path(f"/proc/{pid}/environ").read_bytes()
                os.kill(pid, signal.SIGINT)  # as when somebody presses Ctrl-C
                assert (await thinkers.ask("advice", **START))["exact"]
                assert thinkers.pids == [pid]
                assert os.getpgid(pid) != os.getpgid(0)

    run(test())


PARENT = """
import asyncio, json, sys
from zerosum.web.analysis.pool import Budget, Pool

async def main():
    thinkers = Pool(2, Budget(seconds=600), None, {"looping": sys.argv[1]})
    await thinkers.start()
    asked = json.loads(sys.argv[2])
    work = asyncio.create_task(thinkers.ask("bot_move", **asked))
    await thinkers.ask("prepare", game="even-steven", options={}, level="perfect")
    while len(thinkers.pids) < 2:
        await asyncio.sleep(0.01)
    print(*thinkers.pids, flush=True)
    await work

asyncio.run(main())
"""


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_when_the_parent_is_killed(number: int, tmp_path: Path) -> None:
    path = write(tmp_path, "Looping")
    command = [sys.executable, "-c", PARENT, path, json.dumps(stuck("looping"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        limit = time.monotonic() + PATIENCE
        while not callers(path):
            assert time.monotonic() < limit
            time.sleep(0.01)
        assert all(map(alive, pids))
        parent.send_signal(number)
    while any(map(alive, pids)):
        assert time.monotonic() < limit
        time.sleep(0.01)
