"""Solve a game step by step: every part does its share of a step before the next one begins."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from zerosum.documents import about
from zerosum.errors import ZerosumError
from zerosum.limits import PARTS, VAST, Limits
from zerosum.protocol import Game
from zerosum.solver.cache import Cache
from zerosum.solver.spread.files import PartState, PartStep, Phase, read_document, write_document
from zerosum.solver.spread.folder import TABLE, TableDocument
from zerosum.solver.spread.packing import pack, part_of
from zerosum.solver.spread.process import Failure, Setting, do_step
from zerosum.solver.table import calling_rules, too_large

PROGRESS, LOCK, WORK = "progress.json", "lock", "work"
# Steps in which every part takes part; in the others, only those that messages were sent to.
ALL: tuple[Phase, ...] = ("graph", "draws", "count", "write")
# What follows a phase that is over: whose first step has which number.
NEXT: dict[Phase, tuple[Phase, int]] = {
    "walk": ("graph", 0),
    "graph": ("decide", 1),
    "decide": ("draws", 0),
    "draws": ("count", 0),
    "count": ("ended", 1),
    "ended": ("write", 0),
    "write": ("done", 0),
}
# Progress is noted at most so often.
SAVE_SECONDS = 1.0
WALKED = ("targets", "codes", "senders", "left")


class Stage(NamedTuple):
    """How far a game is solved: for those who wait.

    Some positions may have been found before this run; those of the step in progress are not saved.
    """

    phase: Phase
    step: int
    positions: int
    saved: int
    found: int
    seconds: float
    megabytes: int


class Progress(Struct):
    """The next step, and what is known about every part."""

    phase: Phase
    step: int
    parts: list[PartState]

    @property
    def goes_on(self) -> bool:
        """Whether a step is left."""
        return self.phase != "done"

    def jobs(self, folder: str, home: int) -> dict[int, PartStep]:
        """Return what the parts have to do in the next step; nothing if a phase is over."""
        inboxes: list[list[tuple[int, str, int, int]]] = [[] for _ in self.parts]
        for sender, part in enumerate(self.parts):
            for receiver, inbox in enumerate(inboxes):
                begin, end = part.bounds[receiver : receiver + 2] or (0, 0)
                if begin < end:
                    inbox.append((sender, part.sent, begin, end))
        begins = self.phase == "walk" and self.step == 0
        return {
            number: PartStep(folder, self.phase, self.step, number, len(self.parts), inbox, part)
            for number, (inbox, part) in enumerate(zip(inboxes, self.parts, strict=True))
            if inbox
            or (part.count and self.phase in ALL)
            or (begins and number == home)
            or self.phase == "write"
        }

    def advance(self) -> None:
        """Go on to the next phase."""
        drawn = any(part.drawn_ends for part in self.parts)
        self.phase, self.step = NEXT[self.phase]
        if self.phase == "draws" and not drawn:
            self.phase = "write"


def solve_in_parts(
    game: Game[Any],
    executor: Executor,
    cache: str,
    limits: Limits = VAST,
    parts: int = PARTS,
    tell: Callable[[Stage], None] = lambda stage: None,
) -> None:
    """Solve a game on an executor, and leave its table in the cache.

    What was done before is not done again. The executor's processes see the same files.
    """
    kept = Cache(game, cache)
    work = os.path.join(kept.parts, WORK)
    if kept.mapped() is not None:
        return
    try:
        os.makedirs(work, mode=0o700, exist_ok=True)
        with _alone(kept.parts):
            _solve(game, executor, kept, work, limits, parts, tell)
    except (PermissionError, FileNotFoundError, NotADirectoryError) as error:
        raise ZerosumError(f"{error.filename} cannot be used: {error.strerror}.") from error


def _solve(
    game: Game[Any],
    executor: Executor,
    kept: Cache,
    work: str,
    limits: Limits,
    parts: int,
    tell: Callable[[Stage], None],
) -> None:
    """Do all steps that are left."""
    began = monotonic()
    with calling_rules(game):
        first = pack(game, [game.canonical(game.initial())])
        setting = msgspec.json.encode(Setting.of(game, limits.memory))
    progress = read_document(os.path.join(work, PROGRESS), Progress) or Progress(
        "walk", 0, [PartState() for _ in range(parts)]
    )
    if len(progress.parts) != parts:
        has = f"{kept.parts} has {len(progress.parts)} parts"
        raise ZerosumError(f"{has}. Use as many, or delete it to start over.")
    _forget_later(work, progress)
    home = int(part_of(first, len(progress.parts))[0])
    before = sum(part.count for part in progress.parts)
    spent, due = list[str](), monotonic() + SAVE_SECONDS
    while progress.goes_on:
        jobs = progress.jobs(work, home)
        if not jobs:
            progress.advance()
            continue
        new = [msgspec.structs.replace(part, sent="", bounds=[]) for part in progress.parts]
        saved = sum(part.count for part in new)
        try:
            for number, part in _done(executor, setting, jobs):
                new[number] = part
                found = sum(part.count for part in new)
                if found > limits.positions:
                    raise too_large(game, limits.positions, limits.positions)
                now = progress.phase, progress.step, found, saved, found - before
                tell(Stage(*now, monotonic() - began, max(part.megabytes for part in new)))
        except BaseException:  # Ctrl-C, or a failure: all steps before stay done
            _save(work, progress, spent)
            now = progress.phase, progress.step, saved, saved, saved - before
            tell(Stage(*now, monotonic() - began, 0))
            raise
        spent += _spent(progress, new)
        progress.parts = new
        if progress.phase in ALL:
            progress.advance()
        else:
            progress.step += 1
        if monotonic() > due or not progress.goes_on:
            _save(work, progress, spent)
            spent, due = [], monotonic() + SAVE_SECONDS
    _finish(game, kept, work, progress.parts)


def _done(
    executor: Executor, setting: bytes, jobs: dict[int, PartStep]
) -> Iterator[tuple[int, PartState]]:
    """Do a step, and yield each part when its share is done."""
    futures = {
        executor.submit(do_step, setting, msgspec.json.encode(job)): number
        for number, job in jobs.items()
    }
    try:
        for future in as_completed(futures):
            answer: PartState | Failure = msgspec.json.decode(
                future.result(), type=PartState | Failure
            )
            if isinstance(answer, Failure):
                raise answer.error
            yield futures[future], answer
    finally:
        for future in futures:
            future.cancel()


def _spent(progress: Progress, new: list[PartState]) -> Iterable[str]:
    """Name the files that no later step needs."""
    for number, (before, after) in enumerate(zip(progress.parts, new, strict=True)):
        if before.sent:
            yield from (f"{before.sent}/{name}.npy" for name in ("sent", "sent_keys"))
        if before.state not in (after.state, after.decided):
            phase, step = before.state
            yield f"{phase}-{step}-{number}/state.npy"
        for run in set(before.runs) - set(after.runs):
            yield from (f"walk-{run}-{number}/{name}.npy" for name in ("run", "numbers"))
        if progress.phase == "graph":
            for step in after.walked:
                yield from (f"walk-{step}-{number}/{name}.npy" for name in WALKED)


def _save(work: str, progress: Progress, spent: list[str]) -> None:
    """Note how far the game is solved, once all of it is on the disk; remove what is not needed."""
    with suppress(AttributeError):
        os.sync()
    write_document(os.path.join(work, PROGRESS), progress)
    for path in spent:
        with suppress(OSError):
            os.unlink(os.path.join(work, path))


def _forget_later(work: str, progress: Progress) -> None:
    """Remove what was written after the progress was noted: it may not have reached the disk."""
    phases: list[str] = [*NEXT, "done"]
    now = phases.index(progress.phase), progress.step
    for name in os.listdir(work):
        phase, _, rest = name.partition("-")
        step, _, number = rest.partition("-")
        whole = number.isdigit()
        if (whole and (phases.index(phase), int(step)) >= now) or (number and not whole):
            shutil.rmtree(os.path.join(work, name), ignore_errors=True)


def _finish(game: Game[Any], kept: Cache, work: str, parts: list[PartState]) -> None:
    """Put the table in its place, and remove all else."""
    for number in range(len(parts)):
        written, place = f"{work}/write-0-{number}", os.path.join(kept.parts, f"part-{number}")
        if os.path.isdir(written):  # else it was moved before
            shutil.rmtree(place, ignore_errors=True)
            os.rename(written, place)
    counts = [part.count for part in parts]
    drawn = sum(part.drawn_ends for part in parts)
    document = TableDocument(
        **about(game), key=kept.key, positions=sum(counts), parts=counts, drawn_ends=drawn
    )
    write_document(os.path.join(kept.parts, TABLE), document)
    shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Refuse to solve a game that another command is solving; the lock ends with the process."""
    import fcntl

    with open(os.path.join(folder, LOCK), "wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ZerosumError(f"Another command is solving this game in {folder}.") from error
        yield
