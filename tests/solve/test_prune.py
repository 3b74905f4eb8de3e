"""The cache of solutions does not keep what nobody will finish."""

from __future__ import annotations

import os
import time
from pathlib import Path

import zerosum
from zerosum.solve.solver import UNFINISHED, solve_table


def test_what_was_left_unfinished_long_ago_is_taken_away(tmp_path: Path) -> None:
    old, new = tmp_path / "x.solution.123", tmp_path / "x.solution.124"
    for path in (old, new):
        path.write_bytes(b"half")
    before = time.time() - UNFINISHED - 60
    os.utime(old, (before, before))
    solve_table(zerosum.game("digit-battle", lives=1), cache=str(tmp_path))
    assert not old.exists()
    assert new.exists()  # somebody may be writing it
