"""Run the audits of many games, here or on a cluster, and write what they found."""

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

import zerosum
from zerosum.documents import to_dict, to_json
from zerosum.errors import ZerosumError
from zerosum.lab.audit.document import AuditLimits, AuditRow, Audits, FileRow, Measures
from zerosum.lab.audit.processes.game_files import AuditJob
from zerosum.lab.audit.processes.one_game import remove_old_folders, stop_all, wall_seconds
from zerosum.lab.cells import csv_of
from zerosum.lab.journal import Journal
from zerosum.limits import Limits
from zerosum.players.levels import LEVELS

FIGURES = Measures.__struct_fields__[1:]
# Columns about a game as a whole: names, and places in the audit's document.
GAME = {
    "dead_rules": ("dead_rules",),
    "title": ("title",),
    "positions": ("size", "positions"),
    "moves": ("size", "moves"),
    "longest": ("size", "longest"),
    "can_go_on_forever": ("size", "can_go_on_forever"),
    "winner": ("best_play", "winner"),
    "plies": ("best_play", "value", "plies"),
    "proved": ("proved",),
    "favours": ("verdict", "favours"),
    "skill_matters": ("verdict", "skill_matters"),
    "depth": ("skill", "depth"),
    "open_positions": ("skill", "open_positions"),
    "choice": ("skill", "choice"),
    "matters": ("skill", "matters"),
    "law_clauses": ("law", "clauses"),
    "law": ("law", "statement"),
}
COLUMNS = (
    *("name", "file", "status", "complete", "message", "faults", "left_out", *GAME),
    *(f"{level}_{figure}" for level in LEVELS for figure in FIGURES),
)


@contextmanager
def local(workers: int) -> Iterator[Executor]:
    """Run jobs on this machine, a few at a time: a thread for each."""
    remove_old_folders()
    executor = ThreadPoolExecutor(workers)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        stop_all()
        executor.shutdown()


R = TypeVar("R", bound=FileRow)


def run_jobs(
    kind: type[R],
    run: Callable[[AuditJob], R],
    jobs: Sequence[AuditJob],
    executor: Executor,
    journal: Journal | None,
    report: Callable[[Sequence[R]], None] = lambda rows: None,
    lasts: Callable[[R], bool] = lambda row: True,
) -> list[R]:
    """Run the jobs that the journal does not have yet, and return the rows of all, in order.

    The rows that there are so far are reported after each. What is not a row of the kind in the
    journal is made again, and a row that does not last is not kept there.
    """
    kept = {job: _kept(job, journal, kind, lasts) for job in jobs}
    rows = {job: row for job, row in kept.items() if row is not None}
    done = list(rows.values())
    report(done)
    futures = {executor.submit(run, job): job for job in jobs if job not in rows}
    for future in as_completed(futures):
        job, row = futures[future], future.result()
        if journal is not None and lasts(row):
            journal.add(key_of(job), msgspec.to_builtins(row))
        rows[job] = row
        done.append(row)
        report(done)
    return [rows[job] for job in jobs]


def _kept(
    job: AuditJob, journal: Journal | None, kind: type[R], lasts: Callable[[R], bool]
) -> R | None:
    """Return the row of a job that a journal has."""
    if journal is None:
        return None
    try:
        row = msgspec.convert(journal.get(key_of(job)), kind)
    except msgspec.ValidationError:
        return None
    return row if (row.name, row.file) == (job.name, job.file) and lasts(row) else None


def key_of(job: AuditJob) -> str:
    """Return a digest of all that the row of an audit depends on."""
    about = (job[:2], job.limits, job[4:], sys.version_info[:2])
    digest = hashlib.sha256(repr(about).encode())
    for name, content in job.contents:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def write_results(path: str, rows: Sequence[AuditRow], limits: Limits) -> None:
    """Write rows as CSV or as a JSON document, by the name of the file."""
    as_csv = path.lower().endswith(".csv")
    text = to_csv(rows) if as_csv else to_json(audits_document(rows, limits))
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error


def audits_document(rows: Sequence[AuditRow], limits: Limits) -> Audits:
    """Collect rows in a document."""
    allowed = AuditLimits(
        limits.seconds or 0.0, limits.positions, limits.memory or 0, wall_seconds(limits)
    )
    return Audits(zerosum=zerosum.__version__, limits=allowed, rows=tuple(rows))


def to_csv(rows: Sequence[AuditRow]) -> str:
    """Write rows as CSV."""
    return csv_of(COLUMNS, map(_cells, rows))


def _cells(row: AuditRow) -> dict[str, Any]:
    """Return what a row has in each column; what is unknown is left out."""
    cells = to_dict(row)
    document, audit = cells.pop("audit"), row.audit
    if audit is None:
        return cells
    cells["faults"] = " ".join(fault.code for fault in audit.faults)
    cells["left_out"] = " ".join(missing.part for missing in audit.left_out)
    cells.update({column: _at(document, path) for column, path in GAME.items()})
    for level in audit.levels or ():
        cells.update({f"{level.level}_{figure}": getattr(level, figure) for figure in FIGURES})
    return cells


def _at(document: Any, path: tuple[str, ...]) -> Any:
    """Return a value deep in a document; a list counts as its length."""
    for key in path:
        document = None if document is None else document.get(key)
    return len(document) if isinstance(document, (list, tuple)) else document
