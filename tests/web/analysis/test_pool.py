"""Processes that think: they answer in turn, keep to their budget, and are replaced."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.game_files import callers, write
from tests.web.thinking import PATIENCE, START, alive, begun, run, stuck, thinking, until
from zerosum.errors import GameError, OptionError, UnknownGame
from zerosum.web.analysis import questions as minds
from zerosum.web.analysis.pool import Budget, Busy, Pool, TooHard
from zerosum.web.refusals import Refused


def test_answer_equals_the_function_result() -> None:
    async def test() -> None:
        async with thinking(2) as thinkers:
            for name in zerosum.games():
                state = list(zerosum.game(name).initial())
                for what in ("advice", "position"):
                    answer = await thinkers.ask(what, game=name, options={}, state=state)
                    assert answer == minds.QUESTIONS[what](name, {}, state)

    run(test())


def test_start_returns_at_once() -> None:
    async def test() -> None:
        thinkers = Pool(2)
        await thinkers.start()
        assert thinkers.pids == []
        await thinkers.stop()
        assert thinkers.pids == []
        with pytest.raises(Busy, match="is stopping"):
            await thinkers.ask("advice", **START)

    run(test())


def test_identical_concurrent_questions_are_answered_once(tmp_path: Path) -> None:
    path = write(tmp_path, "Noting")

    async def test() -> None:
        async with thinking(3, None, path) as thinkers:
            answers = await asyncio.gather(
                *(thinkers.ask("position", game="noting", options={"start": 3}) for _ in range(5))
            )
            once = len(callers(path))
            assert all(answer == answers[0] for answer in answers)
            answers[0]["moves"].clear()  # each has a document of its own
            assert answers[1]["moves"]
            await thinkers.ask("position", game="noting", options={"start": 3})
            assert 0 < len(callers(path)) - once <= once

    run(test())


def test_overrunning_question_is_killed_and_the_next_is_answered(tmp_path: Path) -> None:
    path = write(tmp_path, "Looping")

    async def test() -> None:
        async with thinking(1, Budget(seconds=1.0), path) as thinkers:
            with pytest.raises(TooHard, match="1 seconds"):
                await thinkers.ask("bot_move", **stuck("looping"))
            (looped,) = callers(path)
            assert await thinkers.ask("bot_move", **stuck("looping", 50)) in ("1", "2")
            assert looped not in thinkers.pids
            assert not alive(looped)

    run(test())


def test_solving_timeout_gives_an_unknown_value(tmp_path: Path) -> None:
    path = write(tmp_path, "Looping")

    async def test() -> None:
        asked = {"game": "looping", "options": {"start": 101}, "state": [101, 0]}
        async with thinking(1, Budget(seconds=3.0), path) as thinkers:
            before = await begun(thinkers)
            for _ in range(2):
                advice = await thinkers.ask("advice", **asked)
                assert advice["exact"] is False
                assert "seconds" in advice["reason"]
            with pytest.raises(TooHard, match="Only the random level"):
                await thinkers.ask("prepare", game="looping", options={"start": 101}, level="hard")
            assert thinkers.pids == before  # nobody had to be ended for that

    run(test())


def test_other_processes_continue_while_one_is_stuck(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(2, Budget(seconds=PATIENCE), path) as thinkers:
            hard = asyncio.create_task(thinkers.ask("bot_move", **stuck("sleeping")))
            await until(lambda: callers(path))
            for sticks in range(20):
                asked = {**stuck("sleeping", 5 + sticks), "level": "perfect"}
                assert await thinkers.ask("bot_move", **asked) in ("1", "2")
            assert not hard.done()
            hard.cancel()

    run(test())


def test_process_killed_while_idle_is_replaced() -> None:
    async def test() -> None:
        async with thinking(1) as thinkers:
            (before,) = await begun(thinkers)
            os.kill(before, signal.SIGKILL)
            assert (await thinkers.ask("advice", **START))["exact"]
            assert thinkers.pids != [before]

    run(test())


def test_question_is_retried_once_when_its_process_dies(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(seconds=PATIENCE), path) as thinkers:
            asked = asyncio.create_task(thinkers.ask("bot_move", **stuck("sleeping")))
            for tries in (1, 2):
                await until(lambda tries=tries: len(callers(path)) == tries)
                os.kill(callers(path)[-1], signal.SIGKILL)
            with pytest.raises(TooHard, match="stopped unexpectedly"):
                await asked
            assert (await thinkers.ask("advice", **START))["exact"]

    run(test())


def test_questions_beyond_the_limit_are_refused_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(PATIENCE, waiting=2), path) as thinkers:
            ask = thinkers.ask
            first = asyncio.create_task(ask("bot_move", **stuck("sleeping")))
            await until(lambda: callers(path))
            waiting = [
                asyncio.create_task(ask("bot_move", **stuck("sleeping", n))) for n in (10, 11)
            ]
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="Too many others") as busy:
                await ask("agrees", **START, level="perfect")
            assert busy.value.code == "busy"
            assert busy.value.more["retry"] > 0
            # Whoever asks what is being answered already waits for that.
            again = asyncio.create_task(ask("bot_move", **stuck("sleeping", 11)))
            # Whoever gives up makes room for somebody else.
            waiting[0].cancel()
            await asyncio.gather(waiting[0], return_exceptions=True)
            late = asyncio.create_task(ask("agrees", **START, level="perfect"))
            await asyncio.sleep(0)
            os.kill(callers(path)[0], signal.SIGKILL)
            await until(lambda: len(callers(path)) == 2)
            os.kill(callers(path)[1], signal.SIGKILL)
            with pytest.raises(TooHard):
                await first
            assert await late is minds.agrees(**START, level="perfect")
            assert await waiting[1] == await again
            assert len(callers(path)) == 3

    run(test())


def test_questions_of_matches_come_first(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(seconds=1.0), path) as thinkers:
            order: list[str] = []

            async def ask(what: str, **arguments: Any) -> None:
                with contextlib.suppress(TooHard):
                    await thinkers.ask(what, **arguments)
                order.append(what)

            waiting = [asyncio.create_task(ask("bot_move", **stuck("sleeping")))]
            await until(lambda: callers(path))
            waiting += [
                asyncio.create_task(ask("theory", game="even-steven", options={})),
                asyncio.create_task(ask("advice", **START)),
                asyncio.create_task(ask("agrees", **START, level="perfect")),
            ]
            await asyncio.gather(*waiting)
            assert order[-3:] == ["agrees", "advice", "theory"]

    run(test())


def test_waiting_questions_fail_on_stop(tmp_path: Path) -> None:
    path = write(tmp_path, "Sleeping")

    async def test() -> None:
        async with thinking(1, Budget(seconds=PATIENCE), path) as thinkers:
            asked = [
                asyncio.create_task(thinkers.ask("bot_move", **stuck("sleeping", n)))
                for n in (200, 201)
            ]
            await until(lambda: callers(path))
            await thinkers.stop()
            for question in asked:
                with pytest.raises(Busy, match="is stopping"):
                    await question
            await until(lambda: not alive(callers(path)[0]))

    run(test())


def test_errors_keep_their_type_across_processes(tmp_path: Path) -> None:
    path = write(tmp_path, "Failing")

    async def test() -> None:
        async with thinking(1, None, path) as thinkers:
            with pytest.raises(UnknownGame, match="There is no game 'x'"):
                await thinkers.ask("theory", game="x", options={})
            with pytest.raises(UnknownGame, match="There is no game"):
                await thinkers.ask("theory", game=path, options={})  # a path is for the owner only
            with pytest.raises(OptionError) as wrong:
                await thinkers.ask("theory", game="even-steven", options={"start": 0})
            assert wrong.value.option == "start"
            with pytest.raises(GameError, match=r"failing.py, line \d+: ZeroDivisionError"):
                await thinkers.ask("bot_move", **stuck("failing"))
            with pytest.raises(GameError, match="breaks the rules for games"):
                await thinkers.ask("theory", game="failing", options={"start": 200})
            games = ["even-steven"]
            puzzle = await thinkers.ask("puzzle", games=games, grade=None, seen=[], seed_text="")
            with pytest.raises(Refused, match="The choices are") as refused:
                await thinkers.ask("answer", id=puzzle["id"], move="9")
            assert refused.value.code == "illegal_move"
            assert refused.value.more["legal"] == [choice["move"] for choice in puzzle["moves"]]

    run(test())


def test_works_in_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def test() -> None:
        async with thinking(1) as thinkers:
            (before,) = await begun(thinkers)
            os.kill(before, signal.SIGKILL)
            assert (await thinkers.ask("advice", **START))["exact"]

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(test())


def test_thinkers_restart_in_another_loop() -> None:
    thinkers = Pool(1)

    async def test() -> None:
        await thinkers.start()
        try:
            assert (await thinkers.ask("advice", **START))["exact"]
        finally:
            await thinkers.stop()

    run(test())
    run(test())
