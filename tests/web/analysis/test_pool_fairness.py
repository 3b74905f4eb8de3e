"""Who asks most waits longest: no asker delays the others, or a bot."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.game_files import callers, write
from tests.web.thinking import PATIENCE, START, begun, run, stuck, thinking, until
from zerosum.errors import UnknownGame
from zerosum.web.analysis.pool import Budget, Busy, Pool
from zerosum.web.http.limits import Limits

MUCH, LITTLE = "192.0.2.1", "192.0.2.2"
CLASSROOM = 30


def slow(sticks: int = 200) -> dict[str, Any]:
    """A question about a game whose rules sleep."""
    return {"game": "sleeping", "options": {"start": sticks}, "state": [sticks, 0]}


def theory(start: int = 15) -> dict[str, Any]:
    """A question that is answered quickly, by theory."""
    return {"game": "even-steven", "options": {"start": start}}


def asking(thinkers: Pool, what: str, asker: str = "", **arguments: Any) -> asyncio.Task[Any]:
    """Ask without waiting for the answer."""
    return asyncio.create_task(thinkers.ask(what, asker=asker, **arguments))


async def lose(path: str) -> None:
    """Kill the sleeping process twice, which ends its question."""
    noted = len(callers(path))
    os.kill(callers(path)[0], signal.SIGKILL)
    await until(lambda: len(callers(path)) > noted)
    os.kill(callers(path)[-1], signal.SIGKILL)


async def end(tasks: list[asyncio.Task[Any]]) -> None:
    """Cancel the questions that still wait."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_greedy_asker_does_not_delay_other_bots(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(2, Budget(PATIENCE, each=3), path) as thinkers:
            flood = [asking(thinkers, "position", MUCH, **slow(200 + n)) for n in range(66)]
            await until(lambda: callers(path))
            refused = [task for task in flood if task.done()]
            assert len(refused) == len(flood) - 3
            for task in refused:
                with pytest.raises(Busy, match="3 of yours are waiting"):
                    await task
            for sticks in range(5, 10):
                assert await thinkers.ask("bot_move", **stuck("sleeping", sticks)) in ("1", "2")
            # The coach, a new match and an answer are there for all; for who asks much as well.
            for asker in (LITTLE, MUCH):
                assert (await thinkers.ask("advice", asker=asker, **START))["exact"]
                assert await thinkers.ask("prepare", asker=asker, **theory(), level="hard")
            assert sum(not task.done() for task in flood) == 3
            await end(flood)

    run(test())


def test_bot_waits_only_for_running_questions(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(2, Budget(PATIENCE, each=4), path) as thinkers:
            # These have to be solved, and both processes may do it.
            flood = [asking(thinkers, "advice", MUCH, **slow(200 + n)) for n in range(4)]
            await until(lambda: len(set(callers(path))) == 2)
            with pytest.raises(Busy, match="4 of yours are waiting"):
                await thinkers.ask("prepare", asker=MUCH, **theory(), level="hard")
            order: list[str] = []

            async def ask(what: str, asker: str = "", **arguments: Any) -> None:
                await thinkers.ask(what, asker=asker, **START, **arguments)
                order.append(what)

            others = [
                asyncio.create_task(ask("advice", LITTLE)),
                asyncio.create_task(ask("bot_move", level="perfect", seed_text="1")),
            ]
            await asyncio.sleep(0)
            await lose(path)
            await asyncio.gather(*others)
            assert order == ["bot_move", "advice"]
            assert sum(task.done() for task in flood) == 1
            await end(flood)

    run(test())


def test_everyones_first_question_precedes_any_second(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(PATIENCE), path) as thinkers:
            order: list[int] = []

            async def ask(asker: str, start: int) -> None:
                await thinkers.ask("theory", asker=asker, **theory(start))
                order.append(start)

            held = asking(thinkers, "position", MUCH, **slow())
            await until(lambda: callers(path))
            asked = [ask(MUCH, 3), ask(MUCH, 4), ask(LITTLE, 5), ask(LITTLE, 6), ask("", 7)]
            await asyncio.gather(lose(path), *asked)
            await asyncio.gather(held, return_exceptions=True)
            assert order == [5, 7, 3, 6, 4]

    run(test())


def test_full_queue_makes_room_for_a_new_asker(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, waiting=3), path) as thinkers:
            held = asking(thinkers, "position", MUCH, **slow())
            await until(lambda: callers(path))
            flood = [asking(thinkers, "theory", MUCH, **theory(3 + n)) for n in range(4)]
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="Too many others"):
                await flood[3]
            late = asking(thinkers, "theory", LITTLE, **theory(9))
            with pytest.raises(Busy, match="Too many others"):
                await flood[2]
            # What others only look at leaves the lines of players and programs alone.
            urgent = [asking(thinkers, "advice", LITTLE, **START)]
            urgent.append(asking(thinkers, "agrees", **START, level="perfect"))
            await asyncio.sleep(0)
            assert not any(task.done() for task in (*flood[:2], late, *urgent))
            await end([held, *flood, late, *urgent])

    run(test())


def test_asker_quota_is_released(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, each=1), path) as thinkers:
            for start in range(3, 6):  # after answers
                await thinkers.ask("theory", asker=MUCH, **theory(start))
            for name in ("x", "y"):  # after errors
                with pytest.raises(UnknownGame):
                    await thinkers.ask("theory", asker=MUCH, game=name, options={})
            held = asking(thinkers, "bot_move", **stuck("sleeping"))
            await until(lambda: callers(path))
            for start in range(3, 6):  # after it was given up in the line
                waiting = asking(thinkers, "theory", MUCH, **theory(start))
                await asyncio.sleep(0)
                with pytest.raises(Busy, match="1 of yours are waiting"):
                    await thinkers.ask("theory", asker=MUCH, **theory(9))
                await end([waiting])
            # After it was stopped, too.
            last = asking(thinkers, "theory", MUCH, **theory(3))
            await asyncio.sleep(0)
            await thinkers.stop()
            await asyncio.gather(held, last, return_exceptions=True)
            await thinkers.start()
            await thinkers.ask("theory", asker=MUCH, **theory(3))

    run(test())


def test_abandoned_question_counts_until_it_ends(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, each=1), path) as thinkers:
            held = asking(thinkers, "position", MUCH, **slow())
            await until(lambda: callers(path))
            await end([held])
            with pytest.raises(Busy, match="of yours are waiting"):
                await thinkers.ask("theory", asker=MUCH, **theory())
            await lose(path)
            await thinkers.ask("theory", asker=LITTLE, **theory())
            await thinkers.ask("theory", asker=MUCH, **theory())

    run(test())


def test_identical_questions_of_a_class_count_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, each=1)) as thinkers:
            asked = (thinkers.ask("theory", asker=MUCH, **theory()) for _ in range(CLASSROOM))
            first, *others = await asyncio.gather(*asked)
            assert all(other == first for other in others)

    run(test())


def test_class_behind_one_address_may_ask_at_once() -> None:
    limits = Limits()
    assert limits.solver_waiting > limits.solver_each >= CLASSROOM
    assert Budget() == Budget(
        limits.solver_seconds, limits.solver_positions, limits.solver_waiting, each=32
    )
    assert limits.solver_each == Budget().each


def test_server_itself_has_no_quota() -> None:
    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, each=1)) as thinkers:
            levels = ("random", "easy", "medium", "hard", "perfect")
            moves = (
                thinkers.ask("bot_move", **START, level=level, seed_text="1") for level in levels
            )
            assert set(await asyncio.gather(*moves)) <= {"1", "2"}

    run(test())


def test_reserved_process_takes_urgent_questions(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(2, Budget(seconds=PATIENCE), path) as thinkers:
            await begun(thinkers, 2)
            await until(lambda: thinkers.free)
            for start in range(3, 7):
                asked = asking(thinkers, "prepare", LITTLE, **theory(start), level="hard")
                taken = False
                while not asked.done():
                    await asyncio.sleep(0)
                    taken = taken or not thinkers.free
                assert taken  # by the one that is kept, whichever has waited longer
                await until(lambda: thinkers.free)
            held = [asking(thinkers, "bot_move", **stuck("sleeping"))]
            await until(lambda: callers(path))
            assert not thinkers.free
            # Now the other one does everything.
            await thinkers.ask("theory", asker=LITTLE, **theory())
            assert (await thinkers.ask("advice", asker=LITTLE, **START))["exact"]
            await end(held)

    run(test())
