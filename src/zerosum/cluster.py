"""A cluster of machines, on which jobs run as they do here."""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager, nullcontext
from typing import Any, cast

from zerosum.errors import MissingExtra, ZerosumError
from zerosum.limits import CLUSTER_SECONDS
from zerosum.text import brief


@contextmanager
def cluster(where: Any) -> Iterator[Executor]:
    """Connect to a cluster by its address, or take a Client; a lost worker's job runs elsewhere."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise MissingExtra("A cluster", "cluster") from error
    connect: Any = Client  # it has no types
    before = logging.root.manager.disable
    logging.disable()  # no tracebacks of Dask: what matters is raised, too
    try:
        connection = nullcontext(where)
        if isinstance(where, str):
            connection = connect(where, timeout=CLUSTER_SECONDS, set_as_default=False)
        with connection as client:
            # Equal jobs still run each: nothing is taken from another run.
            yield cast(Executor, client.get_executor(pure=False))
    except ZerosumError:
        raise
    except (OSError, ValueError) as error:
        raise ZerosumError(f"There is no Dask scheduler at {where}.") from error
    except (CancelledError, asyncio.CancelledError) as error:
        raise ZerosumError(f"The connection to the cluster at {where} was lost.") from error
    except Exception as error:
        reason = brief(str(error) or type(error).__name__, 200).rstrip(".")
        raise ZerosumError(f"The cluster at {where} failed: {reason}.") from error
    finally:
        logging.disable(before)
