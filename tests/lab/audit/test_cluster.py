"""Audits and an arena on a cluster: a real one, with workers that are killed."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.support import Done, helpful, run
from tests.game_files import COUNTDOWN, STEPS
from zerosum.lab.journal import Journal

DRAWS = """
import random

def choose(game, state):
    return random.choice(game.moves(state))
"""
ABSENT = "Dask is not installed: pip install '.[cluster]'"


def audit(home: Path, out: str, *more: str) -> Done:
    """Audit a few games."""
    games = home / "games"
    games.mkdir(exist_ok=True)
    for number in range(2):
        (games / f"countdown_{number}.py").write_text(COUNTDOWN)
    (games / "steps.py").write_text(STEPS)
    return run(home, "audit", "games", "--seconds", "9", "--out", out, *more)


def arena(home: Path, *more: str) -> Done:
    """Let a function that draws its moves play in a game without a table."""
    (home / "mine.py").write_text(DRAWS)
    few = ("--positions", "5", "--within", "0.45")
    return run(home, "arena", "even-steven", "random", "./mine.py:choose", *few, "--json", *more)


@contextmanager
def after_the_first_row(happens: Callable[[], None]) -> Iterator[None]:
    """Let something happen as soon as a row is kept."""
    add, rows = Journal.add, 0

    def added(*arguments: Any) -> None:
        nonlocal rows
        add(*arguments)
        rows += 1
        if rows == 1:
            happens()

    with patch.object(Journal, "add", added):
        yield


@pytest.mark.filterwarnings("ignore")  # those of Dask are not ours
def test_lost_workers_and_a_lost_cluster_lose_nothing(home: Path) -> None:
    distributed = pytest.importorskip("distributed", reason=ABSENT)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        first, second = cluster.workers.values()
        with after_the_first_row(lambda: os.kill(first.pid, signal.SIGKILL)):
            whole = audit(home, "whole.json", "--cluster", address)
        assert (whole.returncode, whole.stderr) == (0, "")
        # The first one is started again, the second is not: one worker is enough for the rest.
        second.auto_restart = False
        with after_the_first_row(lambda: os.kill(second.pid, signal.SIGKILL)):
            board = arena(home, "--cluster", address)
        assert (board.returncode, board.stderr) == (0, "")
        with after_the_first_row(cluster.close):
            lost = audit(home, "lost.json", "--cluster", address)
    assert (lost.returncode, lost.stdout) == (1, "")
    assert "of 3 games are done. To continue, run the same command again." in lost.stderr
    assert f"Error: The connection to the cluster at {address} was lost." in lost.stderr
    done = (home / "lost.json.journal").read_bytes()
    assert audit(home, "lost.json").returncode == 0
    assert (home / "lost.json.journal").read_bytes().startswith(done)
    # Here or there, the results are the same.
    assert (home / "lost.json").read_bytes() == (home / "whole.json").read_bytes()
    assert arena(home).stdout == board.stdout
    assert json.loads(board.stdout)["pairings"][0]["exact"] is False


def test_missing_cluster_is_explained(home: Path) -> None:
    pytest.importorskip("distributed", reason=ABSENT)
    with patch("zerosum.cluster.CLUSTER_SECONDS", 0.5):
        done = audit(home, "results.csv", "--cluster", "tcp://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Error: There is no Dask scheduler at tcp://127.0.0.1:1." in done.stderr


def test_missing_extra_is_named(home: Path) -> None:
    with patch.dict(sys.modules, {"distributed": None}):
        done = audit(home, "results.csv", "--cluster", "tcp://127.0.0.1:1")
    helpful(done, 1, "A cluster needs packages", "[cluster]'")
