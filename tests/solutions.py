"""Solutions that many tests need, found once a run: its processes share tables, laws and audits.

Only for games that no test changes; whoever changes the solver for a test needs one of its own.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from typing import Any

import zerosum
from zerosum.documents import read, to_json
from zerosum.lab.audit.auditing import audit_game
from zerosum.lab.audit.document import Audit
from zerosum.protocol import Game
from zerosum.solver.solution import Solution

VARIABLE = "ZEROSUM_TEST_TABLES"


def make_folder() -> str | None:
    """Make the folder of a run, and return it; None if it is that of the parent process."""
    if VARIABLE in os.environ:
        return None
    os.environ[VARIABLE] = tempfile.mkdtemp(prefix="zerosum-tables-")
    return os.environ[VARIABLE]


def remove_folder(own: str | None) -> None:
    """Remove the folder at the end of a run."""
    if own is not None:
        shutil.rmtree(own, ignore_errors=True)
        del os.environ[VARIABLE]


def tables() -> str:
    """Return the folder of this run, also for commands: `ZEROSUM_CACHE=tables()`."""
    return os.environ[VARIABLE]


@cache
def solved(game: Game[Any]) -> Solution[Any]:
    """Solve a variant by its theory or by a table, once a run."""
    return zerosum.solve(game, cache=tables())


def once(name: str, make: Callable[[], str]) -> str:
    """Return a text that is made once a run."""
    with open(f"{tables()}/{name}", "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another process may be at it
        file.seek(0)
        text = file.read()
        if not text:
            text = make()
            file.write(text)
    return text


@cache
def audited(game: Game[Any]) -> Audit:
    """Audit a variant once a run, as it is read from JSON."""
    name = hashlib.sha256(repr(game).encode()).hexdigest()
    return read(
        Audit, once(f"{name}.audit.json", lambda: to_json(audit_game(game, cache=tables())))
    )
