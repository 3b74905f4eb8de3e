"""Audit a game in its own process: whatever its rules do costs that game alone."""

import json
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

import zerosum
from zerosum.documents import loads, to_dict
from zerosum.errors import DocumentError, GameError, NoGame, NotSolved, ZerosumError
from zerosum.lab.audit.auditing import audit_steps
from zerosum.lab.audit.document import Audit, AuditRow, Status
from zerosum.lab.audit.processes.game_files import AuditJob
from zerosum.lab.audit.verdict import best_play_sentence
from zerosum.limits import Limits
from zerosum.registry import find
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.sandbox import Answerer, limit_memory, limit_processor, refuse_changes
from zerosum.worker import ProcessEnd, Worker, WorkerError, WorkerGone

# What a process says after its answers.
DONE = b"done"
# What prepares a process: with limits for the rules, or for a task that starts programs too.
PREPARE = "zerosum.lab.audit.processes.one_game:prepare"
PREPARE_FREELY = "zerosum.lab.audit.processes.one_game:prepare_freely"
# What audits a game there.
TASK = "zerosum.lab.audit.processes.one_game:answers"
# The name of a process's folder, and the seconds for which it is kept.
FOLDER, DAY = "zerosum-audit-", 86_400
# What differs between two runs: addresses, and names of modules.
UNSTABLE = re.compile(r" at 0x[0-9a-fA-F]+|zerosum_file_[0-9a-f]{8}_")
OVER_TIME = (-signal.SIGPROF, -signal.SIGXCPU) if hasattr(signal, "SIGPROF") else ()
OUT_OF_MEMORY = "It needs more memory than is allowed."
NO_ANSWER = "The audit's answer was not a document."


class Stop(Struct, frozen=True, tag_field="format", tag="stop"):
    """Why there is no audit of a game, or no more of it."""

    status: Status
    message: str


_running: set[Worker] = set()


def audit_in_process(job: AuditJob) -> AuditRow:
    """Audit a game in its own process."""
    return row_from(job, run_in_process(job, TASK, Audit | Stop))


def run_in_process(
    job: AuditJob, task: str, kind: Any, prepared: str = PREPARE, wall: float | None = None
) -> list[Any]:
    """Return what a task says about a game, in a process of its own with a folder of its own.

    The task is the path of a function as "module:name"; it is called with the game as it is typed,
    the most positions and the job's own arguments, and what it yields is of a kind.
    It has `wall` seconds on the clock; by default, what its limits say. Something is always said,
    at the end perhaps why there is no more; only a fault of ours is an error.
    """
    if job.version != zerosum.__version__:
        raise ZerosumError(
            f"A worker has Zerosum {zerosum.__version__}, not {job.version}; "
            "install the same version everywhere."
        )
    if job.problem:
        return [Stop("cannot-load", job.problem)]
    with tempfile.TemporaryDirectory(None, FOLDER, ignore_cleanup_errors=True) as folder:
        for name, content in job.contents:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        seconds = wall or wall_seconds(job.limits)
        heard = _run(job, folder, task, kind, prepared, seconds)
    return heard or [Stop("crashed", NO_ANSWER)]


def remove_old_folders() -> None:
    """Remove the folders of audits that were killed a day ago or more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):  # it may be another user's
            if time.time() - folder.stat().st_mtime > DAY:
                shutil.rmtree(folder)


def row_from(job: AuditJob, answers: Iterable[Audit | Stop]) -> AuditRow:
    """Make a game's row from what its process answered; the last answer counts most."""
    audit, stop = None, None
    for answer in answers:
        audit, stop = (answer, None) if isinstance(answer, Audit) else (audit, answer)
    # No value is worth anything once the rules have contradicted it.
    if audit is None or (stop is not None and stop.status == "broken"):
        stop = stop or Stop("crashed", NO_ANSWER)
        return AuditRow(job.name, job.file, stop.status, False, stop.message)
    if stop is not None and audit.lacks("begun"):
        return AuditRow(job.name, job.file, stop.status, False, stop.message, audit)
    status, message = judged(audit)
    if stop is not None:
        message = f"{message} The rest of the audit is missing: {stop.message}"
    return AuditRow(job.name, job.file, status, stop is None, message, audit)


def judged(audit: Audit) -> tuple[Status, str]:
    """Say what became of a game, in a word and a sentence."""
    reasons = [part.reason for part in audit.left_out]
    if audit.verdict.broken:
        errors = [fault.message for fault in audit.faults if fault.severity == "error"]
        return "broken", (errors + reasons)[0]
    if audit.best_play is None:
        return "too-large", reasons[0]
    return "solved", best_play_sentence(audit.best_play)


def wall_seconds(limits: Limits) -> float:
    """Return a game's time on the clock: much more than its processor time."""
    return 20 * (limits.seconds or 0.0) + 30


def stop_all() -> None:
    """Stop every process that audits a game now."""
    for worker in tuple(_running):
        worker.kill()


def _run(job: AuditJob, folder: str, task: str, kind: Any, prepared: str, wall: float) -> list[Any]:
    """Run the process of a job in a folder of its own, until it ends or its time is over."""
    limits, heard = job.limits, list[Any]()
    needs_gymnasium = any(b"gymnasium" in content for _, content in job.contents)
    setting = json.dumps([limits.seconds, limits.memory, needs_gymnasium]).encode()
    variables = {"PYTHONHASHSEED": "0", "TMPDIR": folder}
    worker = Worker(prepared, setting, folder, variables)
    _running.add(worker)
    try:
        _wait_until_ready(worker)
        target = f"./{os.path.basename(job.file)}" if job.contents else job.file
        worker.send(json.dumps([task, target, limits.positions, *job.arguments]).encode())
        deadline = time.monotonic() + wall
        while (answer := worker.receive(deadline - time.monotonic())) != DONE:
            heard.append(_read(answer, folder, kind))
    except WorkerGone:  # it may need a moment to end by itself
        heard.append(_stopped(limits, worker.end(deadline - time.monotonic()), wall))
    except WorkerError:
        heard.append(_stopped(limits, worker.end(), wall))
    finally:
        _running.discard(worker)
        worker.end()
    return heard


def _wait_until_ready(worker: Worker) -> None:
    """Wait for a process to start; if it does not, the fault is ours."""
    try:
        worker.wait_until_ready()
    except WorkerError as error:
        reason = worker.last_words.rpartition("\n")[2] or str(error)
        raise ZerosumError(f"A process for an audit could not start: {reason}") from error


def _read(answer: bytes, folder: str, kind: Any) -> Any:
    """Read an answer, without what differs between two runs."""
    text = UNSTABLE.sub("", answer.decode(errors="replace").replace(folder, "."))
    try:
        return msgspec.convert(loads(text), kind)
    except (DocumentError, msgspec.ValidationError):
        return Stop("crashed", NO_ANSWER)


def _stopped(limits: Limits, ending: ProcessEnd, wall: float) -> Stop:
    """Tell why a process ended without its last answer."""
    if ending.code in OVER_TIME:
        seconds = limits.seconds or 0.0
        return Stop("time-limit", f"It took more than {seconds:g} s of processor time.")
    if not ending.by_itself:
        return Stop("time-limit", f"It did not answer within {wall:g} s.")
    with suppress(ValueError):
        return Stop("crashed", f"The process was ended by {signal.Signals(-ending.code).name}.")
    return Stop("crashed", f"The process exited with code {ending.code}.")


def prepare_freely(setting: bytes) -> Answerer:
    """Load what a task needs; what it uses is its own affair."""
    _, _, needs_gymnasium = json.loads(setting)
    if needs_gymnasium:
        with suppress(ImportError):  # the game's own import says so
            import_module("gymnasium")
    return _lines


def prepare(setting: bytes) -> Answerer:
    """Load what every audit needs, then limit what a game may use."""
    lines = prepare_freely(setting)
    seconds, memory, _ = json.loads(setting)
    refuse_changes()
    limit_memory(memory << 20)
    limit_processor(seconds)
    return lines


def _lines(question: bytes) -> Iterator[bytes]:
    """Do a task and answer line by line, each answer more complete than the one before."""
    task, *arguments = json.loads(question)
    module, _, name = task.partition(":")
    for answer in getattr(import_module(module), name)(*arguments):
        yield json.dumps(to_dict(answer)).encode()
    yield DONE


def answers(target: str, positions: int) -> Iterator[Audit | Stop]:
    """Audit a game step by step; nothing is raised."""
    solved = False
    try:
        for audit in audit_steps(find(target).variant(), Limits(positions)):
            yield Stop("memory-limit", OUT_OF_MEMORY) if audit.lacks("memory") else audit
            solved = not audit.lacks("begun")
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield refusal_of(error, solved)


def refusal_of(error: BaseException, solved: bool) -> Stop:
    """Say what became of a game that raised an error, perhaps after a table was made."""
    if solved and isinstance(error, (GameError, NotSolved)):
        return Stop("broken", f"The rules behaved differently on replay: {error}")
    if _caused_by_memory(error):
        return Stop("memory-limit", OUT_OF_MEMORY)
    if isinstance(error, NoGame):
        return Stop("not-a-game", str(error))
    if isinstance(error, ZerosumError):
        return Stop("cannot-load", str(error))
    ours = "The rules failed" if raised_by_rules(error) else "This is a bug in Zerosum"
    return Stop("crashed", f"{ours}: {blame(error)}.")


def _caused_by_memory(error: BaseException | None) -> bool:
    """Return whether an error comes from exhausted memory."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None
