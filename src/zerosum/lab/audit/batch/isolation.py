"""Audit a game in a process of its own, so that whatever its rules do costs that game alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import zerosum
from zerosum.errors import ZerosumError
from zerosum.limits import NONE
from zerosum.worker import CUT_OFF, Ending, Worker, WorkerError, WorkerGone

Status = Literal[
    "solved",
    "too-large",
    "broken",
    "time-limit",
    "memory-limit",
    "crashed",
    "cannot-load",
    "not-a-game",
]
STATUSES: tuple[Status, ...] = get_args(Status)
# A row of the results: name, file, status, complete, message, audit.
Row = dict[str, Any]
# What a process says after its answers.
DONE = b"done"
# The status of an answer that has only faults so far: how the process ends decides.
BEGUN = "begun"
# The folder of a game's files while it is audited, and the seconds after which other audits check
# whether its maker is gone.
FOLDER, NEW = "zerosum-audit-", 60.0
# What differs between two runs: addresses of objects, and the names of modules.
UNSTABLE = re.compile(r" at 0x[0-9a-fA-F]+|zerosum_file_[0-9a-f]{8}_")
OVER_TIME = (-signal.SIGPROF, -signal.SIGXCPU) if hasattr(signal, "SIGPROF") else ()


class Limits(NamedTuple):
    """What a game may use: processor time, positions of its table, memory, time on the clock."""

    cpu_seconds: float = 10.0
    positions: int = NONE.positions
    memory_mib: int = 2_048
    wall_seconds: float = 230.0

    def with_time(self, cpu_seconds: float) -> Limits:
        """Allow another processor time; a game that waits is given up after much longer."""
        return self._replace(cpu_seconds=cpu_seconds, wall_seconds=20 * cpu_seconds + 30)


class Job(NamedTuple):
    """A game to audit: its name, how it was named, its files by relative path, and its limits.

    A game without files is one that has a name in the registry. A `problem` says why the files
    cannot be read.
    """

    name: str
    file: str
    contents: tuple[tuple[str, bytes], ...] = ()
    limits: Limits = Limits()
    problem: str = ""
    version: str = zerosum.__version__


class Heard(NamedTuple):
    """What a process answered, whether that is all, and how it ended."""

    answers: list[dict[str, Any]]
    done: bool
    ending: Ending


_running: set[Worker] = set()


def audit_in_process(job: Job) -> Row:
    """Audit a game in a process of its own; only a fault of ours is an error."""
    if job.version != zerosum.__version__:
        raise ZerosumError(
            f"A worker has Zerosum {zerosum.__version__}, not {job.version}; "
            "install the same version everywhere."
        )
    if job.problem:
        return _row(job, "cannot-load", job.problem)
    with _folder() as folder:
        for name, content in job.contents:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return _row_from(job, _run(job, folder))


@contextmanager
def _folder() -> Iterator[str]:
    """Make a temporary folder; a lock on it tells others that somebody needs it."""
    import fcntl

    with tempfile.TemporaryDirectory(prefix=FOLDER, ignore_cleanup_errors=True) as folder:
        lock = os.open(folder, os.O_RDONLY)
        try:
            with suppress(OSError):  # nor can others lock it then, and they let it be
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
        finally:
            os.close(lock)


def remove_old_folders() -> None:
    """Remove what audits have left behind that were killed themselves."""
    import fcntl

    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - folder.stat().st_mtime > NEW:
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def stop_all() -> None:
    """Stop every process that audits a game now."""
    for worker in tuple(_running):
        worker.kill()


def _run(job: Job, folder: str) -> Heard:
    """Run the process of a job in a folder of its own, until it ends or its time is over."""
    limits, answers, done = job.limits, [], False
    setting = json.dumps([limits.cpu_seconds, limits.memory_mib, _libraries(job)]).encode()
    variables = {"PYTHONHASHSEED": "0", "TMPDIR": folder}
    worker = Worker("zerosum.lab.audit.batch.isolated_main:prepare", setting, folder, variables)
    _running.add(worker)
    try:
        _wait_until_ready(worker)
        target = f"./{os.path.basename(job.file)}" if job.contents else job.file
        worker.send(json.dumps([target, limits.positions]).encode())
        deadline = time.monotonic() + limits.wall_seconds
        try:
            while (answer := worker.receive(deadline - time.monotonic())) != DONE:
                answers.append(_read(answer, folder))
            done = True
        except WorkerGone:
            worker.end(deadline - time.monotonic())  # it may need a moment to end by itself
        except WorkerError:
            pass
    finally:
        _running.discard(worker)
        ending = worker.end()
    return Heard(answers, done, ending)


def _wait_until_ready(worker: Worker) -> None:
    """Wait for a process to start; if it does not, the fault is ours."""
    try:
        worker.wait_until_ready()
    except WorkerError as error:
        reason = worker.last_words.rpartition("\n")[2] or str(error)
        raise ZerosumError(f"A process for an audit could not start: {reason}") from error


def _libraries(job: Job) -> list[str]:
    """Name the libraries to load before the clock runs."""
    used = any(b"gymnasium" in content for _, content in job.contents)
    return ["gymnasium"] if used else []


def _read(answer: bytes, folder: str) -> dict[str, Any]:
    """Read an answer, without what differs between two runs."""
    text = UNSTABLE.sub("", answer.decode().replace(folder, "."))
    read: dict[str, Any] = json.loads(text)
    return read


def _row_from(job: Job, heard: Heard) -> Row:
    """Make the row of a game from what its process answered, and from how it ended."""
    answers = heard.answers
    if not (answers and heard.done):
        status, message = _stopped(job.limits, heard.ending)
        answers = [*answers, {"status": status, "message": message, "audit": None}]
    last = answers[-1]
    audits = [answer for answer in answers if answer["audit"]]
    # No value is worth anything once the rules have contradicted it.
    found = audits[-1] if audits and last["status"] != "broken" else last
    status, message = found["status"], found["message"]
    if status == BEGUN:
        status, message = last["status"], last["message"]
    elif found is not last:
        message += f" The rest of the audit is missing: {last['message']}"
    return _row(job, status, message, found["audit"], complete=found is last)


def _stopped(limits: Limits, ending: Ending) -> tuple[Status, str]:
    """Tell why a process ended without its last answer."""
    # Rules may ignore the signals, but not the last one.
    killed = ending.code == -signal.SIGKILL and ending.cpu_seconds >= limits.cpu_seconds
    if ending.code in OVER_TIME or killed:
        return "time-limit", f"It took more than {limits.cpu_seconds:g} s of processor time."
    if not ending.by_itself:
        return "time-limit", f"It did not answer within {limits.wall_seconds:g} s."
    if ending.code == CUT_OFF:
        return "crashed", "The rules closed the pipe on which the audit answers."
    if ending.code < 0:
        with suppress(ValueError):
            return "crashed", f"The process was ended by {signal.Signals(-ending.code).name}."
    return "crashed", f"The process exited with code {ending.code}."


def row_of_no_use(job: Job) -> Row:
    """Return the row of a job that was answered with something that is not its row."""
    return _row(job, "crashed", "The audit's answer was not a row of results.")


def _row(job: Job, status: Status, message: str, audit: Any = None, complete: bool = True) -> Row:
    """Make a row of the results."""
    return {
        "name": job.name,
        "file": job.file,
        "status": status,
        "complete": complete and audit is not None,
        "message": message,
        "audit": audit,
    }
