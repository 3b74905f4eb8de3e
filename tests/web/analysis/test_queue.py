"""Whose turn it is: whoever has used little comes first, and nobody fills the queue alone."""

import asyncio
from collections.abc import Iterator

import pytest

from zerosum.web.analysis.questions import Kind
from zerosum.web.analysis.queue import GREEDY_SECONDS, Busy, Job, Queue, asker_of
from zerosum.web.analysis.solutions import TooHard
from zerosum.web.limits import ServerLimits

GREEDY, HONEST = "192.0.2.1", "192.0.2.2"
ALL: tuple[Kind, ...] = ("match", "player", "page", "rules", "replay", "load")


class Clocked:
    """A queue with a clock that the test sets."""

    def __init__(self, limits: ServerLimits) -> None:
        self.now = 1000.0
        self.loop = asyncio.new_event_loop()
        self.queue = Queue(limits, lambda: self.now)

    def add(self, asker: str, kind: Kind = "match", question: str = "") -> Job:
        """Queue a job."""
        job = Job(kind, asker, question.encode(), self.loop.create_future(), [asker])
        self.queue.add(job)
        return job

    def answer(self, seconds: float) -> Job:
        """Answer the next job, which takes a while."""
        job = self.queue.take(ALL)
        assert job is not None
        self.now += seconds
        self.queue.end(job)
        return job


@pytest.fixture
def clocked() -> Iterator[Clocked]:
    made = Clocked(ServerLimits(solver_waiting=8, solver_each=6, late_variants=2))
    yield made
    made.loop.close()


def test_urgent_kinds_come_first(clocked: Clocked) -> None:
    for kind in reversed(ALL):
        clocked.add(HONEST, kind)
    assert [clocked.answer(1).kind for _ in ALL] == list(ALL)


def test_honest_asker_waits_only_for_the_running_job(clocked: Clocked) -> None:
    for _ in range(6):
        clocked.add(GREEDY)
    running = clocked.queue.take(ALL)
    clocked.now += 10
    honest = clocked.add(HONEST)
    assert running is not None
    clocked.queue.end(running)
    assert clocked.queue.take(ALL) is honest


def test_everyones_first_job_precedes_any_second(clocked: Clocked) -> None:
    askers = "aaabbc"
    jobs = [clocked.add(asker) for asker in askers]
    assert len(jobs) == len(askers)
    assert "".join(clocked.answer(1).asker for _ in jobs) == "abcaba"


def test_greedy_asker_gets_one_process_at_a_time(clocked: Clocked) -> None:
    for _ in range(3):
        clocked.add(GREEDY)
    clocked.answer(GREEDY_SECONDS + 1)
    running = clocked.queue.take(ALL)
    assert running is not None
    assert clocked.queue.take(ALL) is None
    honest = clocked.add(HONEST)
    assert clocked.queue.take(ALL) is honest
    kinds: tuple[Kind, ...] = ("page", "rules")
    for kind in kinds:  # which never take the last process from others
        clocked.add(GREEDY, kind)
        assert clocked.queue.take([kind]) is not None
    clocked.queue.end(running)
    assert clocked.queue.take(ALL) is not None


def test_many_names_at_one_address_are_worth_little(clocked: Clocked) -> None:
    names = iter(range(100))

    def invented(kind: Kind = "match") -> Job:
        return clocked.add(asker_of("crowd", str(next(names))), kind)

    for _ in range(3):
        invented()
        clocked.answer(10)
    honest = asker_of("elsewhere", "person")
    clocked.add(honest)
    clocked.answer(5)
    for _ in range(8):  # the queue is full
        invented("page")
    wanted = clocked.add(honest, "page")
    assert clocked.queue.take(["page"]) is wanted
    newcomer = clocked.add(asker_of("elsewhere", ""), "page")
    assert clocked.queue.take(["page"]) is newcomer
    # They leave a process for the others.
    crowd = [invented() for _ in range(3)]
    assert [clocked.queue.take(["match"]) for _ in crowd] == [*crowd[:2], None]
    wanted = clocked.add(honest)
    assert clocked.queue.take(["match"]) is wanted


def test_what_only_the_greedy_wait_for_comes_after_a_page_of_others(clocked: Clocked) -> None:
    clocked.add(asker_of("crowd", "a"))
    clocked.answer(3 * GREEDY_SECONDS)
    urgent = clocked.add(asker_of("crowd", "b"))
    page = clocked.add(asker_of("elsewhere", "person"), "page")
    assert [clocked.queue.take(ALL) for _ in "12"] == [page, urgent]


def test_class_alone_uses_every_process(clocked: Clocked) -> None:
    for pupil in "abcdef":
        clocked.add(asker_of("school", pupil))
    clocked.answer(GREEDY_SECONDS + 1)
    started = [clocked.queue.take(ALL) for _ in range(5)]
    assert [job and job.asker for job in started] == [asker_of("school", name) for name in "bcdef"]


def rounds_until_a_reply(addresses: int) -> float:
    """Return the mean number of rounds that a class waits for the moves of a searched game.

    In a round, three processes answer a question each; somebody elsewhere asks now and then.
    """
    clocked = Clocked(ServerLimits())
    askers = [asker_of(f"address {number % addresses}", str(number)) for number in range(30)]
    asked: dict[Job, int] = {}
    waited = []
    for turn in range(240):
        for asker in askers[turn % 12 :: 12]:
            asked[clocked.add(asker)] = turn
        if turn % 10 == 0:
            clocked.add(asker_of("elsewhere", "person"))
        running = [clocked.queue.take(["match"]) for _ in range(3)]
        clocked.now += 2
        for job in filter(None, running):
            clocked.queue.end(job)
            waited += [1 + turn - asked[job]] if job in asked else []
    clocked.loop.close()
    return sum(waited) / len(waited)


def test_class_behind_one_address_waits_little_longer_than_at_home() -> None:
    assert rounds_until_a_reply(1) <= 1.5 * rounds_until_a_reply(30)


def test_everyone_who_waits_pays_and_the_job_has_the_best_rank_of_theirs(clocked: Clocked) -> None:
    clocked.add(GREEDY)
    clocked.answer(5)
    shared = clocked.add(GREEDY)
    clocked.add("192.0.2.3")
    clocked.answer(1)
    clocked.add("192.0.2.3")
    shared.askers.append(HONEST)
    assert clocked.answer(5) is shared
    clocked.add(HONEST)
    assert clocked.answer(1).asker == "192.0.2.3"


def test_subject_late_twice_in_a_row_is_refused_for_a_while(clocked: Clocked) -> None:
    queue = clocked.queue
    queue.note_late(b"a", "It is slow.")
    assert not queue.refusal([b"a"]), "once may be the machine's fault"
    queue.note_in_time(b"a")
    queue.note_late(b"a", "It is slow.")
    assert not queue.refusal([b"a"])
    waiting = [clocked.add(HONEST), clocked.add(HONEST)]
    waiting[0].subjects = (b"b", b"a")
    queue.note_late(b"a", "It is slow.")
    assert isinstance(waiting[0].answer.exception(), TooHard)
    assert queue.waiting == waiting[1:]
    assert (queue.refusal([b"b", b"a"]), queue.refusal([b"b"])) == ("It is slow.", "")
    clocked.now += 60
    assert not queue.refusal([b"a"]), "it is tried again"
    queue.note_late(b"a", "It is slow.")
    assert queue.refusal([b"a"]), "and once more is enough"
    for other in (b"b", b"c"):
        queue.note_late(other, "")
    assert not queue.refusal([b"a"]), "the oldest is forgotten"


def test_quota_counts_waiting_and_running_jobs_of_a_kind(clocked: Clocked) -> None:
    for _ in range(6):
        clocked.add(GREEDY)
    running = clocked.queue.take(ALL)
    with pytest.raises(Busy, match="6 of yours are waiting") as busy:
        clocked.add(GREEDY)
    assert busy.value.code == "busy"
    assert busy.value.more["retry"] > 0
    clocked.add(GREEDY, "player")
    for _ in range(7):
        clocked.add("", "page")  # the server itself is not limited
    assert running is not None
    clocked.queue.end(running)
    clocked.add(GREEDY)


def test_full_queue_refuses_the_last_in_rank(clocked: Clocked) -> None:
    clocked.add(GREEDY)
    clocked.answer(5)
    greedy = [clocked.add(GREEDY) for _ in range(6)]
    others = [clocked.add(f"192.0.2.{number}") for number in (3, 4, 5)]
    assert isinstance(greedy.pop().answer.exception(), Busy)
    with pytest.raises(Busy, match="busy with other players"):
        clocked.add(GREEDY)
    assert not any(job.answer.done() for job in (*others, *greedy))
    assert len(clocked.queue.waiting) == 8
