"""Real solver processes: replaced when killed, isolated from the rules they run, never orphaned."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.game_files import NOTED, callers, write
from tests.helpers import PATIENCE
from tests.web.pools import LINUX, START, alive, ask_here, pids, run, serving, until
from zerosum.web.analysis.pool import Pool, Process
from zerosum.web.analysis.queue import Busy
from zerosum.web.analysis.solutions import TooHard
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused
from zerosum.web.site import entries

# Words that do not always return.
MUTE = """
from zerosum import Words

class MuteWords(Words[State]):
    def fields(self, state):
        while state.sticks: time.sleep(0.01)
"""


def stuck(name: str, sticks: int = 200) -> dict[str, Any]:
    """A question that a game of a user's own does not answer, for more than 100 sticks."""
    about = {"game": name, "options": {"start": sticks}, "state": [sticks, 0]}
    return {**about, "level": "random", "seed_text": "1"}


@LINUX
def test_killed_processes_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ZEROSUM_DB", "postgresql://somebody:secret@somewhere/games")
    # What is in the current folder is not imported.
    (tmp_path / "re.py").write_text("raise RuntimeError('not the real one')\n")
    monkeypatch.chdir(tmp_path)

    async def test() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.set_inheritable(True)
            async with serving(Pool()) as pool:
                assert await pool.ask("advice", **START) == ask_here("advice", **START)
                assert len(pids(pool)) == 1, "as many as are needed"
                await both(pool)
                before = pids(pool)
                for pid in before:
                    isolated(pid, server)
                    os.kill(pid, signal.SIGINT)  # as when someone presses Ctrl-C
                assert (await pool.ask("advice", **START))["exact"]
                assert pids(pool) == before
                for pid in before:
                    os.kill(pid, signal.SIGKILL)  # as when memory runs out
                asking = asyncio.create_task(both(pool))
                await until(lambda: bool(pool.problems()))
                await asking
                assert pool.problems() == []
                replaced = [record for record in caplog.records if record.name == "zerosum.web"]
                assert len(replaced) == 2
                assert len({*pids(pool), *before}) == 4
                os.kill(pids(pool)[0], signal.SIGKILL)  # and at once a question
                assert (await pool.ask("advice", **START))["exact"]

    run(test(), uvloop=True)  # whose pipes fail in their own way


async def both(pool: Pool) -> None:
    """Ask two questions at once, and wait until both processes are ready again."""
    positions: list[dict[str, Any]] = [{**START, "state": [number, 0]} for number in (14, 15)]
    for answer in await asyncio.gather(*(pool.ask("advice", **asked) for asked in positions)):
        assert answer["exact"]
    await idle(pool)


async def idle(pool: Pool) -> None:
    """Wait until every process that was started is ready for a question."""
    await until(lambda: all(process.task is None for process in pool._processes))


def isolated(pid: int, server: socket.socket) -> None:
    """Check that a process has low priority, and nothing that is the server's own."""
    inode = os.readlink(f"/proc/self/fd/{server.fileno()}")
    assert inode not in [os.readlink(file) for file in Path(f"/proc/{pid}/fd").iterdir()]
    assert os.getpriority(os.PRIO_PROCESS, pid) >= min(os.getpriority(os.PRIO_PROCESS, 0) + 5, 19)
    assert b"secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getpgid(pid) != os.getpgid(0)


@LINUX
async def test_misbehaving_rules_harm_nobody_else(tmp_path: Path) -> None:
    names = "Looping Forking Doubling Counting Dying Crashing Holding Talking Eating Failing"
    files = {name.lower(): write(tmp_path, name) for name in [*names.split(), "Sleeping"]}
    with Path(files["talking"]).open("a") as file:
        file.write(f"{NOTED}\n")
    limits = ServerLimits(solver_seconds=PATIENCE, rules_seconds=1.0, solver_megabytes=64)
    async with serving(Pool(limits)) as pool:
        await entries(pool, list(files.values()))
        assert set(callers(files["talking"])) == set(pids(pool)), "games are loaded elsewhere"
        assert (await pool.ask("advice", **START))["exact"]
        more: dict[str, Any] = {"options": {"start": 200}}
        assert await pool.ask("first_position", game="counting", **more) == [0, [200, 0]]
        for start in (200, 5, 6, 7):
            about: dict[str, Any] = {"game": "doubling", "options": {"start": start}}
            assert await pool.ask("first_position", **about) == [0, [start, 0]]
        for name, processes in (("looping", 1), ("forking", 2)):
            with pytest.raises(TooHard) as late:
                await pool.ask("first_position", game=name, **more)
            told = f"rules of {name.title()} take more than 1 second"
            says(late.value, told, f"{name.title()}.moves at State(sticks=200, player=0)", name)
            called = callers(files[name])
            assert len(called) == processes
            await until(lambda called=called: not any(map(alive, called)))
        with pytest.raises(Refused) as ended:
            await pool.ask("bot_move", **stuck("dying"))
        says(
            ended.value, "Dying.moves at State(sticks=200, player=0) fails", "os._exit(3)", "dying"
        )
        with pytest.raises(TooHard) as crashed:
            await pool.ask("bot_move", **stuck("crashing"))
        says(crashed.value, "The rules of Crashing ended", "in moves (crash", "crashing")
        assert "), asked about [200,0]." in crashed.value.message
        with pytest.raises(TooHard) as held:
            await pool.ask("first_position", game="holding", **more)
        says(held.value, "The rules of Holding take more than 1 second", "in moves", "holding")
        assert await pool.ask("bot_move", **stuck("dying", 9)) in ("1", "2")
        asking = asyncio.create_task(pool.ask("bot_move", **stuck("sleeping")))
        for deaths in (1, 2):
            await until(lambda deaths=deaths: len(callers(files["sleeping"])) == deaths)
            os.kill(callers(files["sleeping"])[-1], signal.SIGKILL)  # not by the rules
        with pytest.raises(Busy, match="was stopped"):
            await asking
        talking: dict[str, Any] = {"game": "talking", "options": {}, "state": [7, 0]}
        assert (await pool.ask("advice", **talking))["exact"]
        await idle(pool)
        before = pids(pool)
        with pytest.raises(Refused, match="memory"):
            await pool.ask("bot_move", **stuck("eating"))
        eating: dict[str, Any] = {"game": "eating", "options": {"start": 200}, "state": [200, 0]}
        assert "memory" in (await pool.ask("advice", **eating))["reason"]
        with pytest.raises(Refused, match=r"failing.py, line \d+: ZeroDivisionError"):
            await pool.ask("bot_move", **stuck("failing"))
        with pytest.raises(Refused, match="There is no game"):
            await pool.ask("theory", game=files["failing"], options={})  # a path
        assert (await pool.ask("advice", **START))["exact"]
        assert pids(pool) == before


@LINUX
async def test_words_that_hang_are_named_with_the_position(tmp_path: Path) -> None:
    path = write(tmp_path, "Mute")
    with Path(path).open("a") as file:
        file.write(MUTE)
    async with serving(Pool(ServerLimits(solver_seconds=3.0, rules_seconds=3.0))) as pool:
        await entries(pool, [path])
        for what in ("game_lesson", "first_position"):
            with pytest.raises(TooHard) as mute:
                await pool.ask(what, game="mute", options={"start": 5})
            says(mute.value, "Mute", "MuteWords.fields at State(sticks=", "(mute.py, line ", "mute")


def says(refused: Refused, *parts: str) -> None:
    """Check that a refusal names the game, the method and the position, and whom to tell."""
    *said, name = parts
    for part in (*said, f"zerosum check {name}.py"):
        assert part in refused.message, refused.message


PARENT = """
import asyncio, json, sys
from zerosum.web.analysis.pool import Pool
from zerosum.web.limits import ServerLimits
from zerosum.web.site import entries

async def main():
    pool = Pool(ServerLimits(solver_seconds=600))
    await entries(pool, sys.argv[1:2])
    about = json.loads(sys.argv[2])
    asked = [pool.ask("bot_move", **{**about, "seed_text": seed}) for seed in "12"]
    looping = asyncio.gather(*asked)
    started = []
    while len(started) < 3:
        await asyncio.sleep(0.01)
        started = [place._worker.pid for place in pool._processes if place._worker]
    print(*started, flush=True)
    await looping

asyncio.run(main())
"""


@LINUX
def test_processes_end_when_the_parent_is_killed(tmp_path: Path) -> None:
    path = write(tmp_path, "Looping")
    command = [sys.executable, "-c", PARENT, path, json.dumps(stuck("looping"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        started = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(started) == 3
        limit = time.monotonic() + PATIENCE
        while not callers(path):
            assert time.monotonic() < limit
            time.sleep(0.01)
        assert all(map(alive, started))
        parent.kill()
    while any(map(alive, started)):
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_start_that_is_cancelled_leaves_no_process() -> None:
    async def test() -> None:
        process = Process(b"{}", ())
        starting = asyncio.create_task(process.start())
        await asyncio.sleep(0)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert process._worker is not None
        pid = process._worker.pid
        await process.end()
        assert not alive(pid)

    run(test(), uvloop=True)
