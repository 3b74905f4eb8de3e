"""Audit a game in a process of its own, so that whatever its rules do costs that game alone."""

from __future__ import annotations

import json
import os
import re
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

import zerosum
from zerosum.documents import to_dict
from zerosum.errors import DocumentError, GameError, NoGame, NotSolved, ZerosumError
from zerosum.lab.audit.auditing import audit_steps
from zerosum.lab.audit.batch.game_files import AuditJob
from zerosum.lab.audit.document import Audit, AuditRow, Status
from zerosum.lab.audit.verdict import best_play_sentence
from zerosum.limits import Limits
from zerosum.record import loads
from zerosum.registry import find
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.solver import load_numpy
from zerosum.worker import (
    CUT_OFF,
    Answerer,
    Ending,
    Worker,
    WorkerError,
    WorkerGone,
    limit_memory,
    limit_processor,
    refuse_changes,
)

# What a process says after its answers.
DONE = b"done"
# What differs between two runs: addresses of objects, and the names of modules.
UNSTABLE = re.compile(r" at 0x[0-9a-fA-F]+|zerosum_file_[0-9a-f]{8}_")
OVER_TIME = (-signal.SIGPROF, -signal.SIGXCPU) if hasattr(signal, "SIGPROF") else ()
OUT_OF_MEMORY = "It needs more memory than is allowed."
NO_ANSWER = "The audit's answer was not a row of results."


class AuditAnswer(Struct, frozen=True):
    """What a process says about a game; if its audit was not finished, its exit decides."""

    status: Status | Literal["begun"]
    message: str
    audit: Audit | None = None


class Heard(NamedTuple):
    """What a process answered, whether that is all, and how it ended."""

    answers: list[AuditAnswer]
    done: bool
    ending: Ending


_running: set[Worker] = set()


def audit_in_process(job: AuditJob) -> AuditRow:
    """Audit a game in a process of its own; only a fault of ours is an error."""
    if job.version != zerosum.__version__:
        raise ZerosumError(
            f"A worker has Zerosum {zerosum.__version__}, not {job.version}; "
            "install the same version everywhere."
        )
    if job.problem:
        return _row(job, AuditAnswer("cannot-load", job.problem))
    with tempfile.TemporaryDirectory(None, "zerosum-audit-", ignore_cleanup_errors=True) as folder:
        for name, content in job.contents:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            heard = _run(job, folder)
        except DocumentError:
            return _row(job, AuditAnswer("crashed", NO_ANSWER))
    return _row_from(job, heard)


def wall_seconds(limits: Limits) -> float:
    """Return the time on the clock for a game: much more than its processor time, if it waits."""
    return 20 * (limits.seconds or 0.0) + 30


def stop_all() -> None:
    """Stop every process that audits a game now."""
    for worker in tuple(_running):
        worker.kill()


def _run(job: AuditJob, folder: str) -> Heard:
    """Run the process of a job in a folder of its own, until it ends or its time is over."""
    limits, done = job.limits, False
    answers: list[AuditAnswer] = []
    needs_gymnasium = any(b"gymnasium" in content for _, content in job.contents)
    setting = json.dumps([limits.seconds, limits.memory, needs_gymnasium]).encode()
    variables = {"PYTHONHASHSEED": "0", "TMPDIR": folder}
    worker = Worker("zerosum.lab.audit.batch.process:prepare", setting, folder, variables)
    _running.add(worker)
    try:
        _wait_until_ready(worker)
        target = f"./{os.path.basename(job.file)}" if job.contents else job.file
        worker.send(json.dumps([target, limits.positions]).encode())
        deadline = time.monotonic() + wall_seconds(limits)
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


def _read(answer: bytes, folder: str) -> AuditAnswer:
    """Read an answer, without what differs between two runs."""
    text = UNSTABLE.sub("", answer.decode(errors="replace").replace(folder, "."))
    try:
        return msgspec.convert(loads(text), AuditAnswer)
    except msgspec.ValidationError as error:
        raise DocumentError(NO_ANSWER) from error


def _row_from(job: AuditJob, heard: Heard) -> AuditRow:
    """Make the row of a game from what its process answered, and from how it ended."""
    answers = heard.answers
    if not (answers and heard.done):
        answers = [*answers, _stopped(job.limits, heard.ending)]
    last = answers[-1]
    audits = [answer for answer in answers if answer.audit]
    # No value is worth anything once the rules have contradicted it.
    found = audits[-1] if audits and last.status != "broken" else last
    if found is last:
        return _row(job, last, complete=found.audit is not None)
    if found.status == "begun":
        return _row(job, AuditAnswer(last.status, last.message, found.audit))
    message = f"{found.message} The rest of the audit is missing: {last.message}"
    return _row(job, AuditAnswer(found.status, message, found.audit))


def _row(job: AuditJob, answer: AuditAnswer, complete: bool = False) -> AuditRow:
    """Make the row of a game; an audit that only begins is followed by another answer."""
    status = "crashed" if answer.status == "begun" else answer.status
    return AuditRow(job.name, job.file, status, complete, answer.message, answer.audit)


def _stopped(limits: Limits, ending: Ending) -> AuditAnswer:
    """Tell why a process ended without its last answer."""
    # Rules may ignore the signals, but not the last one.
    seconds = limits.seconds or 0.0
    killed = ending.code == -signal.SIGKILL and ending.cpu_seconds >= seconds
    if ending.code in OVER_TIME or killed:
        return AuditAnswer("time-limit", f"It took more than {seconds:g} s of processor time.")
    if not ending.by_itself:
        return AuditAnswer("time-limit", f"It did not answer within {wall_seconds(limits):g} s.")
    if ending.code == CUT_OFF:
        return AuditAnswer("crashed", "The rules closed the pipe on which the audit answers.")
    if ending.code < 0:
        with suppress(ValueError):
            return AuditAnswer(
                "crashed", f"The process was ended by {signal.Signals(-ending.code).name}."
            )
    return AuditAnswer("crashed", f"The process exited with code {ending.code}.")


def prepare(setting: bytes) -> Answerer:
    """Load what every audit needs, then limit what a game may use."""
    seconds, memory, needs_gymnasium = json.loads(setting)
    load_numpy()
    if needs_gymnasium:
        with suppress(ImportError):  # the game's own import says so
            import_module("gymnasium")
    refuse_changes()
    limit_memory(memory << 20)
    limit_processor(seconds)
    return _lines


def _lines(question: bytes) -> Iterator[bytes]:
    """Audit a game and answer line by line, each answer more complete than the one before."""
    for answer in answers(*json.loads(question)):
        yield json.dumps(to_dict(answer)).encode()
    yield DONE


def answers(target: str, positions: int) -> Iterator[AuditAnswer]:
    """Audit a game step by step; nothing is raised."""
    solved = False
    try:
        for audit in audit_steps(find(target).variant(), Limits(positions)):
            yield _answer(audit)
            solved = not audit.lacks("begun")
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield _contradiction(error) if solved else _refusal(error)


def _answer(audit: Audit) -> AuditAnswer:
    """Answer with an audit: what became of the game, in a word and a sentence."""
    reasons = [part.reason for part in audit.left_out]
    if audit.verdict.broken:
        errors = [fault.message for fault in audit.faults if fault.severity == "error"]
        return AuditAnswer("broken", (errors + reasons)[0], audit)
    if audit.lacks("begun"):
        return AuditAnswer("begun", "", audit)
    if audit.lacks("memory"):
        return AuditAnswer("memory-limit", OUT_OF_MEMORY)
    if audit.best_play is None:
        return AuditAnswer("too-large", reasons[0], audit)
    return AuditAnswer("solved", best_play_sentence(audit.best_play), audit)


def _refusal(error: BaseException) -> AuditAnswer:
    """Answer with an error: what became of the game, in a word and a sentence."""
    if _caused_by_memory(error):
        return AuditAnswer("memory-limit", OUT_OF_MEMORY)
    if isinstance(error, NoGame):
        return AuditAnswer("not-a-game", str(error))
    if isinstance(error, ZerosumError):
        return AuditAnswer("cannot-load", str(error))
    ours = "The rules failed" if raised_by_rules(error) else "This is a bug in Zerosum"
    return AuditAnswer("crashed", f"{ours}: {blame(error)}.")


def _contradiction(error: BaseException) -> AuditAnswer:
    """Answer with an error after a table was made: rules that now differ from it are broken."""
    if not isinstance(error, (GameError, NotSolved)):
        return _refusal(error)
    return AuditAnswer("broken", f"The rules behaved differently on replay: {error}")


def _caused_by_memory(error: BaseException | None) -> bool:
    """Return whether an error comes from one that says that memory is exhausted."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None
