"""The program in the documents that plays over HTTP."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.helpers import PATIENCE
from tests.web.support import Server

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "play_by_http.py"


def example(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * 2)


def test_example_plays_a_match_and_prints_why_it_cannot(tmp_path: Path) -> None:
    with Server(tmp_path / "a.db", tmp_path) as server:
        done = example(f"{server.url}/", "even-steven", "random")
        unknown = example(server.url, "chess")
    assert done.stderr == ""
    *moves, end = done.stdout.splitlines()
    assert moves[0].startswith("Player 1 plays 1: Subtract 1, leaving ")
    assert moves[1].startswith("Computer (random) plays ")
    assert end.endswith("wins: the number is exactly zero.")
    assert unknown.returncode == 1
    assert unknown.stderr.startswith("There is no game 'chess'.")
    for address in ("http://127.0.0.1:1", "nowhere"):
        away = example(address)
        assert away.returncode == 1
        assert away.stderr.startswith("No Zerosum server answers there: ")
