"""Run the audits of many games, here or on a cluster, and write what they found."""

import asyncio
import csv
import hashlib
import io
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any, cast

import msgspec

import zerosum
from zerosum.documents import to_dict, to_json
from zerosum.errors import MissingExtra, ZerosumError
from zerosum.lab.audit.batch.game_files import AuditJob
from zerosum.lab.audit.batch.process import (
    audit_in_process,
    remove_old_folders,
    stop_all,
    wall_seconds,
)
from zerosum.lab.audit.document import AuditLimits, AuditRow, Audits, Measures
from zerosum.lab.journal import Journal
from zerosum.limits import Limits
from zerosum.players.levels import LEVELS
from zerosum.text import brief

# Seconds to find a cluster.
PATIENCE = 10
FIGURES = Measures.__struct_fields__[1:]
# Columns of a game as a whole: their names, and where they are in the audit's document.
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
# A string that begins like this is a formula to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@contextmanager
def local(workers: int) -> Iterator[Executor]:
    """Run jobs on this machine, a few at a time: each thread waits for a process."""
    remove_old_folders()
    executor = ThreadPoolExecutor(workers)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        stop_all()
        executor.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to a cluster; a job whose worker is lost runs again on another one."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise MissingExtra("A cluster", "cluster") from error
    connect: Any = Client  # it has no types
    before = logging.root.manager.disable
    logging.disable()  # no tracebacks of Dask: what matters is raised, too
    try:
        with connect(address, timeout=PATIENCE, set_as_default=False) as client:
            # Equal jobs are still audited each: a row is never taken from another run.
            yield cast(Executor, client.get_executor(pure=False))
    except ZerosumError:
        raise
    except (OSError, ValueError) as error:
        raise ZerosumError(f"There is no Dask scheduler at {address}.") from error
    except (CancelledError, asyncio.CancelledError) as error:
        raise ZerosumError(f"The connection to the cluster at {address} was lost.") from error
    except Exception as error:
        reason = brief(str(error) or type(error).__name__, 200).rstrip(".")
        raise ZerosumError(f"The cluster at {address} failed: {reason}.") from error
    finally:
        logging.disable(before)


def run_batch(
    jobs: Sequence[AuditJob],
    executor: Executor,
    journal: Journal,
    report: Callable[[Sequence[AuditRow]], None] = lambda rows: None,
) -> list[AuditRow]:
    """Audit the games that the journal does not have yet, and return the rows of all, in order.

    The rows that there are so far are reported after each. What is not a row in the journal is
    audited again.
    """
    rows = {job: _kept(job, journal) for job in jobs}
    done = [row for row in rows.values() if row is not None]
    report(done)
    futures = {
        executor.submit(audit_in_process, job): job for job, row in rows.items() if row is None
    }
    for future in as_completed(futures):
        job, row = futures[future], future.result()
        journal.add(key_of(job), to_dict(row))
        rows[job] = row
        done.append(row)
        report(done)
    return [row for row in rows.values() if row is not None]


def _kept(job: AuditJob, journal: Journal) -> AuditRow | None:
    """Return the row of a job that a journal has."""
    try:
        row = msgspec.convert(journal.get(key_of(job)), AuditRow)
    except msgspec.ValidationError:
        return None
    return row if (row.name, row.file) == (job.name, job.file) else None


def key_of(job: AuditJob) -> str:
    """Return a digest of everything that the row of an audit depends on."""
    digest = hashlib.sha256(repr((job[:2], job.limits, job[4:], sys.version_info[:2])).encode())
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
    """Write rows as CSV; an apostrophe keeps a spreadsheet from reading a string as a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        cells = _cells(row)
        writer.writerow([_safe(cells.get(column)) for column in COLUMNS])
    return text.getvalue()


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


def _safe(value: Any) -> Any:
    """Write a value for a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value
