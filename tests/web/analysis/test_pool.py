"""A pool with fake processes: who answers what, and how whatever fails is replaced."""

import asyncio
from typing import Any

import msgspec
import pytest

from tests.web.pools import until
from zerosum.web.analysis import pool as module
from zerosum.web.analysis.pool import Gone, Pool, Process, result_of
from zerosum.web.analysis.questions import Kind
from zerosum.web.analysis.queue import GREEDY_SECONDS, Busy
from zerosum.web.analysis.solutions import File, TooHard
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused

GREEDY, HONEST = "192.0.2.1", "192.0.2.2"
SHORT = ServerLimits(solver_seconds=0.05, rules_seconds=0.02)


class FakeProcess(Process):
    """A process that a test plays: it answers, dies or fails when the test says so."""

    def __init__(self, setting: bytes, kinds: tuple[Kind, ...]) -> None:
        super().__init__(setting, kinds)
        self.starts = 0
        self.running = False
        self.dead = False
        self.failure: Exception | None = None
        self.asked: list[Any] = []
        self._answer: asyncio.Future[bytes] | None = None

    async def start(self) -> None:
        if self.dead:
            raise Gone("it ended while it was idle")
        if not self.running:
            self.starts += 1
            if self.failure is not None:
                raise self.failure
            self.running = True

    async def ask(self, question: bytes, seconds: float) -> bytes:
        assert self._answer is None, "one question at a time"
        self.asked.append(msgspec.json.decode(question))
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                return await self._answer
        finally:
            self._answer = None

    async def end(self) -> None:
        self.running = self.dead = False

    @property
    def busy(self) -> bool:
        """Whether it is being asked."""
        return self._answer is not None and not self._answer.done()

    def answer(self, answer: Any = True) -> None:
        """Answer the question."""
        assert self._answer is not None
        self._answer.set_result(msgspec.json.encode({"answer": answer}))

    async def reply(self, answer: Any = True) -> None:
        """Wait for a question, and answer it."""
        await until(lambda: self.busy)
        self.answer(answer)

    def refuse(self, code: str, message: str) -> None:
        """Answer the question with an error."""
        assert self._answer is not None
        self._answer.set_result(msgspec.json.encode(Refused(code, message).document()))

    def die(self, error: Exception | None = None) -> None:
        """Die, in the middle of a question if there is one; or let the question fail otherwise."""
        self.dead = error is None
        if self._answer is not None:
            self._answer.set_exception(error or Gone("it was killed"))


class Fakes:
    """A pool with fake processes; pages are answered by `general` alone."""

    def __init__(self, limits: ServerLimits | None = None) -> None:
        self.processes: list[FakeProcess] = []
        self.pool = Pool(limits, None, self._process)
        self.reserved, self.general, self.rules, self.matches = self.processes

    def _process(self, setting: bytes, kinds: tuple[Kind, ...]) -> FakeProcess:
        self.processes.append(FakeProcess(setting, kinds))
        return self.processes[-1]

    def ask(self, what: str, asker: str = "", number: int = 0) -> asyncio.Task[Any]:
        """Ask without waiting for the answer; questions with other numbers are different."""
        return asyncio.create_task(self.pool.ask(what, asker=asker, number=number))


@pytest.fixture
def fakes(request: pytest.FixtureRequest) -> Fakes:
    """A pool with fake processes; its limits are a parameter."""
    return Fakes(getattr(request, "param", None))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start what failed again at once."""
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)


async def test_stopped_pool_refuses_questions(fakes: Fakes) -> None:
    asked = [fakes.ask("bot_move", number=number) for number in range(3)]
    await until(lambda: fakes.reserved.busy and fakes.general.busy)
    await fakes.pool.stop()
    for question in asked:
        with pytest.raises(Busy, match="is stopping"):
            await question
    with pytest.raises(Busy, match="is stopping"):
        await fakes.ask("advice")


async def test_no_coach_holds_up_a_match(fakes: Fakes) -> None:
    coached = [fakes.ask("advice", number=number) for number in range(3)]
    await until(lambda: fakes.reserved.busy and fakes.general.busy)
    for what in ("prepare", "first_seat", "bot_move"):
        asked = fakes.ask(what)
        await fakes.matches.reply(what)
        assert await asked == what
    for process in (fakes.reserved, fakes.general, fakes.reserved):
        await process.reply(1)
    assert await asyncio.gather(*coached) == [1, 1, 1]


async def test_question_held_back_from_the_greedy_is_asked_for_somebody_else(fakes: Fakes) -> None:
    fakes.pool._queue._used[GREEDY] = 10 * GREEDY_SECONDS
    asked = [fakes.ask("advice", GREEDY, number) for number in range(2)]
    await until(lambda: fakes.reserved.busy and fakes.general.task is None)
    assert len(fakes.pool._queue.waiting) == 1
    asked.append(fakes.ask("advice", HONEST, 1))
    await until(lambda: fakes.general.busy)
    for process in (fakes.reserved, fakes.general):
        process.answer(1)
    assert await asyncio.gather(*asked) == [1, 1, 1]


@pytest.mark.parametrize("fakes", [ServerLimits(solver_each=1)], indirect=True)
async def test_identical_questions_are_asked_once(fakes: Fakes) -> None:
    asked = [fakes.ask("position", GREEDY) for _ in range(30)]
    await fakes.general.reply({"moves": [1]})
    answers = await asyncio.gather(*asked)
    answers[0]["moves"].clear()  # each has its own document
    assert answers[1] == {"moves": [1]}
    assert fakes.general.asked == [[GREEDY, ["position", {"number": 0}]]]


async def test_reserved_process_takes_urgent_questions_only(fakes: Fakes) -> None:
    pages = [fakes.ask("theory", GREEDY, number) for number in range(3)]
    await until(lambda: fakes.general.busy)
    assert not fakes.reserved.busy
    for what in ("bot_move", "agrees", "advice", "answer", "prepare"):
        asked = fakes.ask(what, HONEST)
        await fakes.reserved.reply(what)
        assert await asked == what
    # While those for matches are busy, the other takes urgent questions first.
    asked = fakes.ask("bot_move", number=1)
    other = fakes.ask("bot_move", number=3)
    await until(lambda: fakes.reserved.busy and fakes.matches.busy)
    second = fakes.ask("bot_move", number=2)
    fakes.general.answer()
    await until(lambda: pages[0].done() and fakes.general.busy)
    assert fakes.general.asked[-1][1] == ["bot_move", {"number": 2}]
    fakes.general.answer()
    fakes.reserved.answer()
    fakes.matches.answer()
    assert await asked is await other is await second is True


@pytest.mark.parametrize("fakes", [ServerLimits(solver_each=2)], indirect=True)
async def test_abandoned_question_is_dropped_unless_it_runs(fakes: Fakes) -> None:
    running, waiting = (fakes.ask("theory", GREEDY, number) for number in (1, 2))
    await until(lambda: fakes.general.busy)
    for task in (running, waiting):
        task.cancel()
    await asyncio.gather(running, waiting, return_exceptions=True)
    third = fakes.ask("theory", GREEDY, 3)
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="2 of yours are waiting"):
        await fakes.ask("theory", GREEDY, 4)
    fakes.general.answer()
    await fakes.general.reply()
    assert await third is True
    assert len(fakes.general.asked) == 2


@pytest.mark.parametrize("fakes", [SHORT], indirect=True)
async def test_late_answer_is_refused_and_the_process_replaced(fakes: Fakes) -> None:
    for process, what, why in (
        (fakes.general, "theory", r"No answer about this game was found in 0\.05 seconds\."),
        (fakes.rules, "play_and_look", r"The rules of this game take more than 0\.02 seconds"),
    ):
        with pytest.raises(TooHard, match=why):
            await fakes.ask(what)
        await until(lambda process=process: process.starts == 2)
    assert fakes.pool.problems() == []


@pytest.mark.parametrize("fakes", [SHORT], indirect=True)
async def test_hanging_variant_holds_up_nobody_for_long(fakes: Fakes) -> None:
    def hang(number: int) -> asyncio.Task[Any]:
        asked = {"game": "even-steven", "options": {"start": 10**20}, "typed": number}
        return asyncio.create_task(fakes.pool.ask("play_and_look", asker=str(number), **asked))

    refused = await asyncio.gather(*map(hang, range(20)), return_exceptions=True)
    assert {type(error) for error in refused} == {TooHard}
    # One each for the two processes that may ask rules, and perhaps what they began next.
    assert sum(len(process.asked) for process in (fakes.rules, fakes.matches)) <= 4
    with pytest.raises(TooHard, match=r"more than 0\.02 seconds"):
        await hang(20)
    assert sum(len(process.asked) for process in (fakes.rules, fakes.matches)) <= 4
    await until(lambda: fakes.rules.task is None)
    asked = fakes.ask("play_and_look", HONEST)  # of another variant
    await fakes.rules.reply()
    assert await asked is True


@pytest.mark.parametrize(
    ("fakes", "fault", "says"),
    [
        (None, "exits", "ended the process"),
        (SHORT, "hangs", "take more than"),
        (None, "breaks", "It fails."),
    ],
    indirect=["fakes"],
)
async def test_failing_rules_are_named_in_the_log_and_do_not_fail_the_server(
    fakes: Fakes, fault: str, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    fakes.pool.files["own"] = File("/home/ada/own.py", "")
    process = fakes.rules

    def act() -> bool:
        assert fakes.pool.problems() == []
        if process.busy and process.asked[-1][1][0] == "load":
            process.answer()
        elif process.busy and fault == "exits":
            process.die()
        elif process.busy and fault == "breaks":
            process.refuse("broken_game", "It fails.")
        return asked.done()

    for _ in range(3):
        await until(lambda: process.task is None)
        asked = asyncio.create_task(fakes.pool.ask("first_position", game="own", options={}))
        await until(act)
        error = asked.exception()
        assert isinstance(error, Refused)
        assert says in error.message
        assert "zerosum check own.py" in error.message
        assert caplog.messages[-1] == f"own failed: {error.message}"
    # What ends a process is asked once more.
    assert (process.starts > 3) is (fault == "exits")


async def test_pause_before_a_replacement_stays_short(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(0)

    monkeypatch.setattr(module, "sleep", sleep)
    fakes.general.failure = Gone("it was killed")
    asked = fakes.ask("theory")
    await until(lambda: fakes.general.starts > 20)
    fakes.general.failure = None
    await fakes.general.reply()
    assert await asked is True
    assert max(pauses) <= 2


@pytest.mark.parametrize("error", [RuntimeError("the handler is closed"), KeyError("ours")])
async def test_whatever_fails_is_logged_and_started_again(
    fakes: Fakes, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    asked = fakes.ask("theory")
    await until(lambda: fakes.general.busy)
    fakes.general.die(error)
    with pytest.raises(type(error)):
        await asked
    await until(lambda: fakes.general.starts == 2)
    asked = fakes.ask("theory")
    await fakes.general.reply()
    assert await asked is True
    assert fakes.pool.problems() == []
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_number_too_long_to_read_is_blamed_on_the_game() -> None:
    with pytest.raises(Refused, match="numbers that are too long") as refused:
        result_of(b'{"answer":[1' + b"0" * 5000 + b"]}")
    assert refused.value.code == "broken_game"
