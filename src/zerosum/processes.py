"""Processes that run rules which somebody else wrote: apart from us, and within limits."""

from __future__ import annotations

import ctypes
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

# One question, one core.
ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# What a game's rules must not see.
PRIVATE = ("ZEROSUM_DB", "PGPASSWORD")
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def environment() -> dict[str, str]:
    """Return the variables for such a process: our own, without what is private."""
    around = {name: value for name, value in os.environ.items() if name not in PRIVATE}
    return {**around, **dict.fromkeys(ONE_CORE, "1")}


def die_with_parent() -> None:
    """End with the parent on Linux, even if rules block everything else."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def has_ended(process: Popen[bytes]) -> bool:
    """Return whether a process has ended; its number stays taken until it is waited for."""
    flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, flags) is not None


def kill_group(process: Popen[bytes]) -> None:
    """Kill a process that was started in a session of its own, and all that it has started."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


def limit_memory(most: int) -> None:
    """Allow this many bytes beyond what is mapped; libraries reserve more than they use."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb") as mapped:
            there = int(mapped.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = there + most
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
