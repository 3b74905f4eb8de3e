"""Several questions at once: the same answers in the same order, each to its own question."""

import json
import re
from pathlib import Path
from threading import Barrier, Event, get_ident
from typing import Any

import pytest

import zerosum
from tests.lab.measure.test_measurement import written
from tests.players.engines import engine
from zerosum.bulk import Table
from zerosum.errors import ZerosumError
from zerosum.lab.journal import open_journal
from zerosum.lab.measure import PlayerFailed, ProgramLimits, ProgramPlayer, measure_player
from zerosum.lab.measure.at_once import AskingThreads
from zerosum.players.asked import FAULT_KINDS

GAME = zerosum.game("dual-digits", start=12)
# A busy machine may need a moment to answer, and longer to start again.
LIMITS = ProgramLimits(answer=2, first=10)
# A program that draws its moves by position and sample, in any order; some positions have a fault
# of each kind, after which it is started again.
UNEVEN = (
    "mixed = sum(n * p for n, p in zip(message['state'].values(), (7, 3, 5)))",
    "time.sleep((mixed + message['sample']) % 5 / 500)",
    "now = mixed if message['sample'] == 2 else 0",
    "if now == 42: say(id=id, move=9); continue",
    "if now == 48: say(id=id, error='no'); continue",
    "if now == 50: say(id=id, error='long', fault='cut-off'); continue",
    "if now == 57: print('what?', flush=True); continue",
    "if now == 64: os._exit(3)",
    "if now == 66: time.sleep(60)",
    "say(id=id, move=moves[(mixed + message['sample']) % len(moves)])",
)


def test_any_number_of_jobs_gives_the_same_answers_and_the_same_journal(tmp_path: Path) -> None:
    words, found, journals = engine(tmp_path, *UNEVEN), [], []
    table = Table(GAME)
    for jobs in (1, 5):
        path = tmp_path / f"journal-{jobs}"
        with ProgramPlayer(GAME, words, limits=LIMITS) as player, open_journal(str(path)) as saved:
            found.append(measure_player(table, player, samples=3, journal=saved, jobs=jobs))
        journals.append(path.read_text())
    assert found[1] == found[0]
    assert journals[1] == journals[0]
    assert found[0].faults == dict.fromkeys(FAULT_KINDS, 1)
    rows = [json.loads(line)["row"] for line in journals[0].splitlines()[1:]]
    for row in rows:
        if row["kind"] in ("illegal", "refused"):
            mixed = sum(n * part for n, part in zip(row["state"], (7, 3, 5), strict=True))
            assert mixed == {"illegal": 42, "refused": 48}[row["kind"]]


def test_as_many_questions_are_open_at_once() -> None:
    class Meets:
        """Answers when two questions are there."""

        name = identity = "meets"
        deterministic = True
        barrier, threads = Barrier(2), set[int]()

        def ask(self, state: Any, sample: int, /) -> Any:
            self.threads.add(get_ident())
            self.barrier.wait(60)
            return GAME.moves(state)[0]

    # It is asked about eight of 30 decisions, about these again, and about the other 22.
    assert measure_player(GAME, Meets(), budget=30, jobs=2).asked == 30
    assert len(Meets.threads) == 2


def test_processes_fail_as_often_as_one_would(tmp_path: Path) -> None:
    words = engine(tmp_path, "print('no coffee', file=sys.stderr); sys.exit(4)")
    for jobs in (1, 4):
        with ProgramPlayer(GAME, words) as player, pytest.raises(PlayerFailed) as failed:
            measure_player(GAME, player, jobs=jobs)
        times = re.search(
            r" failed (\d) times. The last time: It ended with exit code 4.", str(failed.value)
        )
        assert times is not None
        assert 6 <= int(times[1]) <= 5 + jobs


def test_answers_that_came_before_a_failure_are_taken() -> None:
    came, taken = Event(), list[int]()

    def ask(number: int) -> int:
        if number == 1:
            assert came.wait(60)
            raise PlayerFailed("It stopped.")
        if number == 4:
            came.set()
        return number

    with AskingThreads(2) as threads, pytest.raises(PlayerFailed):
        threads.ask_all(ask, range(100), lambda number, _: taken.append(number))
    assert taken[:4] == [0, 2, 3, 4]
    assert taken == sorted(taken)
    assert len(taken) < 9


def test_journal_that_cannot_be_written_stops_all() -> None:
    def full(number: int, _: int) -> None:
        raise ZerosumError("The disk is full.")

    with AskingThreads(3) as threads, pytest.raises(ZerosumError, match="full"):
        threads.ask_all(lambda number: number, range(100), full)


@pytest.mark.parametrize("jobs", [0, -1, 1.5])
def test_number_of_jobs_is_checked(jobs: Any) -> None:
    with pytest.raises(ZerosumError, match="jobs: must be a whole number of at least 1"):
        measure_player(GAME, "easy", jobs=jobs)


def test_drawn_moves_are_the_same_with_threads() -> None:
    class BySample:
        name = identity = "draws"

        def ask(self, state: Any, sample: int, /) -> Any:
            moves = GAME.moves(state)
            return moves[(sum(state) + sample) % len(moves)]

    assert written(measure_player(GAME, BySample(), jobs=4)) == written(
        measure_player(GAME, BySample())
    )
