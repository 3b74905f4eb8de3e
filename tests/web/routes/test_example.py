"""The program in the documents that plays over HTTP."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.helpers import PATIENCE
from tests.web.support import Server

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "play_by_http.py"


def test_example_plays_a_match_to_the_end(tmp_path: Path) -> None:
    with Server(tmp_path / "a.db", tmp_path) as server:
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), server.url, "even-steven", "random"],
            capture_output=True,
            text=True,
            timeout=PATIENCE * 2,
        )
    assert done.stderr == ""
    *moves, end = done.stdout.splitlines()
    assert moves
    assert all(line.startswith("Player 1 plays 1: Subtract 1, leaving ") for line in moves[:-1])
    assert end.endswith("wins: the number is exactly zero.")
