"""Run the audits of many games, and write what they found."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager

import zerosum
from zerosum.errors import ZerosumError
from zerosum.journal import Journal
from zerosum.lab.audit.batch.columns import is_row
from zerosum.lab.audit.batch.isolation import (
    Job,
    Limits,
    Row,
    audit_in_process,
    remove_old_folders,
    row_of_no_use,
    stop_all,
)

FORMAT, VERSION = "zerosum-audits", 1


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


def run_batch(
    jobs: Sequence[Job],
    executor: Executor,
    journal: Journal,
    report: Callable[[Sequence[Row]], None] = lambda rows: None,
) -> list[Row]:
    """Audit the games that the journal does not have yet, and return the rows of all, in order.

    The rows that there are so far are reported after each. What is not a row, in the journal or
    among the answers, never becomes one.
    """
    kept = {job: journal.get(key_of(job)) for job in jobs}
    rows = {job: row if is_row(job, row) else None for job, row in kept.items()}
    done = [row for row in rows.values() if row is not None]
    report(done)
    futures = {
        executor.submit(audit_in_process, job): job for job, row in rows.items() if row is None
    }

    def keep(future: Future[Row]) -> None:
        job, row = futures[future], future.result()
        row = row if is_row(job, row) else row_of_no_use(job)
        journal.add(key_of(job), row)
        rows[job] = row
        done.append(row)
        report(done)

    try:
        for future in as_completed(futures):
            keep(future)
    except BaseException:
        for future in futures:
            cancelled = future.cancel() or future.cancelled()
            if future.done() and not (cancelled or rows[futures[future]] or future.exception()):
                keep(future)
        raise
    return [row for row in rows.values() if row is not None]


def key_of(job: Job) -> str:
    """Return a digest of everything that the row of an audit depends on."""
    digest = hashlib.sha256(repr((job[:2], job.limits, job[4:], sys.version_info[:2])).encode())
    for name, content in job.contents:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def to_json(rows: Sequence[Row], limits: Limits) -> str:
    """Write rows as a JSON document, a line each; zerosum/schemas/audits.json describes it."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "zerosum": zerosum.__version__,
        "limits": limits._asdict(),
    }
    listed = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{json.dumps(head)[:-1]}, "rows": [\n{listed}\n]}}\n'


def replace_file(path: str, text: str) -> None:
    """Write a file as a whole: whoever reads it sees the old one or the new one."""
    temporary = f"{path}.new"
    try:
        with open(temporary, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}.") from error
