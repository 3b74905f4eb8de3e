"""The workers of a Dask cluster as an executor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from typing import Any, cast

from zerosum.errors import MissingExtra, ZerosumError
from zerosum.text import brief

# Seconds to find a cluster.
PATIENCE = 10


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to a cluster; a job whose worker is lost runs again on another one."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise MissingExtra("A cluster", "cluster") from error
    connect: Any = Client  # it has no types
    with _unlogged():
        try:
            client = connect(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ZerosumError(f"There is no Dask scheduler at {address}.") from error
        with client, _explained(address):
            # Equal jobs are still audited each: a row is never taken from another run.
            yield cast(Executor, client.get_executor(pure=False))


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep tracebacks of Dask away from the user: what matters is raised, too."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def _explained(address: str) -> Iterator[None]:
    """Explain what goes wrong with a cluster, or on its workers."""
    try:
        yield
    except ZerosumError:
        raise
    except (CancelledError, asyncio.CancelledError) as error:
        raise ZerosumError(f"The connection to the cluster at {address} was lost.") from error
    except ModuleNotFoundError as error:
        raise ZerosumError(f"A worker of the cluster at {address} lacks {error.name}.") from error
    except Exception as error:
        reason = brief(str(error) or type(error).__name__, 200).rstrip(".")
        raise ZerosumError(f"The cluster at {address} failed: {reason}.") from error
