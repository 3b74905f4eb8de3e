"""The one worker: nothing but its own answers count, and it can always be ended."""

import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import PATIENCE
from zerosum.sandbox import CUT_OFF, alarm
from zerosum.worker import (
    TAIL,
    Worker,
    WorkerError,
    WorkerGone,
    WorkerLate,
    WorkerTooLong,
    python,
)

TARGET = "tests.worker_targets:prepare"


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker(TARGET, longest=1 << 20)
    yield worker
    worker.end()


def test_only_answers_with_the_secret_count(worker: Worker) -> None:
    worker.wait_until_ready(PATIENCE)
    for question in (b"forge", b"fork", b"print", b"forge", b""):
        assert worker.ask(question, PATIENCE) == question
    with pytest.raises(WorkerGone):
        worker.ask(b"exit", PATIENCE)
    assert worker.end(PATIENCE) == (0, True)


def test_a_copy_does_not_fork_again(worker: Worker) -> None:
    worker.wait_until_ready(PATIENCE)
    # Three forks in a row: without an end there would be eight processes. The last copy is left.
    assert worker.ask(b"forks", PATIENCE) == b"xx"


def test_a_copy_ends_though_its_process_has_ended_already() -> None:
    words = python("tests.worker_targets:fork_and_end")
    # It is read until nobody can print any more.
    assert subprocess.run(words, capture_output=True, timeout=PATIENCE).stdout == b""


@pytest.mark.filterwarnings("ignore")  # what a finalizer raises is only printed
def test_an_alarm_rings_again_if_a_finalizer_swallows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kept:
        def __del__(self) -> None:
            time.sleep(PATIENCE)

    def wait() -> None:
        with alarm(0.1, TimeoutError()):
            Kept()
            time.sleep(PATIENCE)

    monkeypatch.setattr("zerosum.sandbox.AGAIN", 1.0)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        wait()
    assert time.monotonic() - began < PATIENCE


def test_rules_see_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "secret")
    worker = Worker(TARGET)
    worker.wait_until_ready(PATIENCE)
    assert worker._secret not in Path(f"/proc/{worker.pid}/cmdline").read_bytes()
    assert worker.ask(b"environment", PATIENCE) == b"PATH"
    worker.end()


def test_an_answer_that_is_still_in_the_pipe_at_the_end_is_read(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker.wait_until_ready(PATIENCE)

    def ends() -> bool:
        threading.Timer(0.01, worker._answers.put, [b"last"]).start()
        return True

    monkeypatch.setattr(worker, "has_ended", ends)
    assert worker.receive(PATIENCE) == b"last"


@pytest.mark.parametrize(
    ("question", "seconds", "error"),
    [(b"wait", 0.01, WorkerLate), (b"flood", PATIENCE, WorkerTooLong)],
)
def test_process_without_an_answer_is_an_error(
    worker: Worker, question: bytes, seconds: float, error: type[WorkerError]
) -> None:
    worker.wait_until_ready(PATIENCE)
    with pytest.raises(error):
        worker.ask(question, seconds)
    assert worker.end().code in (-9, CUT_OFF)
    with pytest.raises(WorkerError):
        worker.ask(b"", 0.0)


def test_killed_worker_ends_the_wait_of_another_thread(worker: Worker) -> None:
    worker.wait_until_ready(PATIENCE)
    threading.Timer(0.01, worker.kill).start()
    with pytest.raises(WorkerGone):
        worker.ask(b"wait", PATIENCE)


def test_last_words_are_kept_and_short() -> None:
    worker = Worker(TARGET, b"fail")
    with pytest.raises(WorkerGone):
        worker.wait_until_ready(PATIENCE)
    worker.end()
    assert len(worker.last_words) <= TAIL
    assert worker.last_words.endswith("xx\nValueError: no setting")
