import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests import solutions
from tests.postgres import address, database, postgres
from zerosum.testing import move_order

__all__ = ["address", "database", "home", "postgres"]

# Databases and tables wait for the disk again and again; no test cuts the power, so memory will do,
# also for the programs that tests start.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**31:
    os.environ.setdefault("TMPDIR", str(MEMORY))
    tempfile.tempdir = None  # pytest has looked before

# Only the tests of the order of moves compare it with that in other processes.
move_order.HASH_SEEDS = ()

settings.register_profile(
    "zerosum",
    deadline=None,
    max_examples=25,
    derandomize=bool(os.environ.get("CI")),
    print_blob=True,
)
settings.register_profile(
    "thorough", deadline=None, max_examples=2000, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "mutation",
    deadline=None,
    derandomize=True,
    max_examples=10,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "zerosum"))


# Thousands of tests are made, and none goes away: looking for garbage among them takes seconds.
gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage again, but seldom, and not among what was collected."""
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    own = solutions.make_folder()
    config.add_cleanup(lambda: solutions.remove_folder(own))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home of a user."""
    return tmp_path
