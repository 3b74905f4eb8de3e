"""Audit a game in a process of its own, so that whatever its rules do costs that game alone."""

from __future__ import annotations

import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import zerosum
from zerosum.errors import ZerosumError
from zerosum.processes import environment, has_ended, kill_group
from zerosum.solver.table import LIMIT

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
# A row of the results: name, file, status, complete, message, audit.
Row = dict[str, Any]
# What a process says before and after its answers, and its exit code if it cannot say anything.
READY, DONE, CUT_OFF = "ready", "done", 117
# Where the files of a game are while it is audited, and the age from which nobody needs them.
FOLDER, OLD = "zerosum-audit-", 7 * 24 * 60 * 60
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from zerosum.audit.batch.isolated_main import main; main(*json.loads(sys.argv[2]))"
)
# The most seconds that a game may be given: timers do not count much further.
MOST_SECONDS = 1_000_000
# Seconds until a process is ready, on a machine that is busy.
STARTING = 120.0
# Seconds between two looks at a process that says nothing, and at one that has closed its pipes.
POLL, ENDING = 0.2, 0.005
# The most bytes that a process may answer.
LONGEST = 64 << 20
# What differs between two runs: addresses of objects, and the names of modules.
UNSTABLE = re.compile(r" at 0x[0-9a-fA-F]+|zerosum_file_[0-9a-f]{8}_")
OVER_TIME = (-signal.SIGPROF, -signal.SIGXCPU) if hasattr(signal, "SIGPROF") else ()


class Limits(NamedTuple):
    """What a game may use: processor time, positions of its table, memory, time on the clock."""

    cpu_seconds: float = 10.0
    positions: int = LIMIT
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


class Ended(NamedTuple):
    """How a process ended: its answers, whether those are all, and why there are no more."""

    answers: list[dict[str, Any]]
    done: bool
    code: int
    cpu_seconds: float
    late: bool


_running: set[subprocess.Popen[bytes]] = set()


def audit_in_process(job: Job) -> Row:
    """Audit a game in a process of its own; only a fault of ours is an error."""
    if job.version != zerosum.__version__:
        raise ZerosumError(
            f"A worker has Zerosum {zerosum.__version__}, not {job.version}; "
            "install the same version everywhere."
        )
    if job.problem:
        return _row(job, "cannot-load", job.problem)
    with tempfile.TemporaryDirectory(prefix=FOLDER, ignore_cleanup_errors=True) as folder:
        for name, content in job.contents:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return _row_from(job, _run(job, folder))


def remove_old_folders() -> None:
    """Remove what audits have left behind that were killed themselves, a week ago or longer."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > OLD:
                shutil.rmtree(folder, ignore_errors=True)


def stop_all() -> None:
    """Stop every process that audits a game now."""
    for process in tuple(_running):
        kill_group(process)


def _run(job: Job, folder: str) -> Ended:
    """Run the process of a job in a folder of its own, until it ends or its time is over."""
    path = [os.path.abspath(entry) for entry in sys.path if entry]
    target = f"./{os.path.basename(job.file)}" if job.contents else job.file
    arguments = [target, *job.limits[:3], _libraries(job)]
    with subprocess.Popen(  # noqa: S603 (our own interpreter)
        [sys.executable, "-P", "-B", "-c", BEGIN, json.dumps(path), json.dumps(arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**environment(), "PYTHONHASHSEED": "0", "TMPDIR": folder},
        start_new_session=True,  # so that it can be killed with all that it starts
    ) as process:
        _running.add(process)
        try:
            said, errors, late = _listen(process, job.limits.wall_seconds)
        finally:
            kill_group(process)
            _running.discard(process)
        used = _reap(process)
    lines = said.decode("utf-8", "replace").replace(folder, ".").split("\n")
    if lines[0] != READY:
        reason = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ZerosumError(f"A process for an audit could not start: {reason or 'unknown error'}.")
    done = lines[-2:] == [DONE, ""]
    return Ended(_readable(lines[1:]), done, process.returncode, used, late)


def _libraries(job: Job) -> list[str]:
    """Name the libraries to load before the clock runs."""
    used = any(b"gymnasium" in content for _, content in job.contents)
    return ["gymnasium"] if used else []


def _listen(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bytes, bool]:
    """Read what a process says, until it has ended, or its time is over, or it says too much."""
    streams = [stream for stream in (process.stdout, process.stderr) if stream is not None]
    answers, errors = said = bytearray(), bytearray()
    deadline, ready = time.monotonic() + STARTING, False
    with selectors.DefaultSelector() as selector:
        for stream, text in zip(streams, said, strict=True):
            selector.register(stream, selectors.EVENT_READ, text)
        while selector.get_map():
            events = selector.select(POLL)
            # Whatever it has started may hold the pipes open.
            if not events and has_ended(process):
                break
            if time.monotonic() > deadline or len(answers) > LONGEST:
                return bytes(answers), bytes(errors), True
            for key, _ in events:
                chunk = os.read(key.fd, 1 << 16)
                key.data.extend(chunk)
                if not chunk:
                    selector.unregister(key.fileobj)
            if answers and not ready:
                ready, deadline = True, time.monotonic() + seconds
    return bytes(answers), bytes(errors), not _ends(process, deadline)


def _ends(process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Wait for the end of a process that says no more; return whether it comes in time."""
    while not has_ended(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(ENDING)
    return True


def _reap(process: subprocess.Popen[bytes]) -> float:
    """Take the exit code of a process that was killed; return the processor time that it used."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def _readable(lines: list[str]) -> list[dict[str, Any]]:
    """Read the answers; rules that find the pipe may have written anything."""
    answers = []
    for line in lines:
        with suppress(ValueError, RecursionError):
            answer = json.loads(UNSTABLE.sub("", line))
            if isinstance(answer, dict) and answer.keys() == {"status", "message", "audit"}:
                answers.append(answer)
    return answers


def _row_from(job: Job, ended: Ended) -> Row:
    """Make the row of a game from what its process answered, and from how it ended."""
    answers = ended.answers
    if not (answers and ended.done):
        status, message = _stopped(job.limits, ended)
        answers = [*answers, {"status": status, "message": message, "audit": None}]
    last = answers[-1]
    audits = [answer for answer in answers if answer["audit"]]
    # No value is worth anything once the rules have contradicted it.
    found = audits[-1] if audits and last["status"] != "broken" else last
    message = found["message"]
    if found is not last:
        message += f" The rest of the audit is missing: {last['message']}"
    return _row(job, found["status"], message, found["audit"], complete=found is last)


def _stopped(limits: Limits, ended: Ended) -> tuple[Status, str]:
    """Tell why a process ended without its last answer."""
    # Rules may ignore the signals, but not the last one.
    killed = ended.code == -signal.SIGKILL and ended.cpu_seconds >= limits.cpu_seconds
    if ended.code in OVER_TIME or killed:
        return "time-limit", f"It took more than {limits.cpu_seconds:g} s of processor time."
    if ended.late:
        return "time-limit", f"It did not answer within {limits.wall_seconds:g} s."
    if ended.code == CUT_OFF:
        return "crashed", "The rules closed the pipe on which the audit answers."
    if ended.code < 0:
        with suppress(ValueError):
            return "crashed", f"The process was ended by {signal.Signals(-ended.code).name}."
    return "crashed", f"The process exited with code {ended.code}."


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
