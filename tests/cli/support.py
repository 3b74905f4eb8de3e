"""What several tests of the command share."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from tests import helpers
from tests.helpers import PATIENCE
from tests.store.support import only_match
from zerosum.match import Match

Done = subprocess.CompletedProcess[str]
GAMES = ["even-steven", "divisor-duel", "dual-digits", "number-navigator", "digit-battle"]

# A game of one's own, for a file.
METHODS = """
    def initial(self): return State(3, 0)
    def moves(self, state): return (1,) if state.number else ()
    def play(self, state, move): return State(state.number - 1, 1 - state.player)
    def outcome(self, state): return None if state.number else Outcome(1 - state.player, "zero")
    def objection(self, state, move): return "Only 1."
"""
HEAD = """
from dataclasses import dataclass
from typing import NamedTuple
from zerosum import Game, Outcome
class State(NamedTuple):
    number: int
    player: int
"""
ONE = f"{HEAD}@dataclass(frozen=True)\nclass One(Game[State]):{METHODS}"


def run(home: Path, *args: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command as ever, where any number of variables is given in a dictionary."""
    return helpers.run(home, *args, typed=typed, timeout=PATIENCE, **env)


def database(home: Path) -> Path:
    return home / ".local/share/zerosum/zerosum.db"


def stored(place: Path) -> Match[Any]:
    """The only match that is kept in a file, or in the usual file of a home."""
    return only_match(database(place) if place.is_dir() else place)


def first_id(home: Path) -> str:
    text = run(home, "history", "--json").stdout
    return str(json.loads(text)["matches"][0]["id"])


def configure(home: Path, text: str, named: bool = False) -> dict[str, str]:
    file = home / "c.toml" if named else home / ".config" / "zerosum" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return {"ZEROSUM_CONFIG": str(file)} if named else {}


def helpful(done: Done, code: int, *says: str) -> None:
    """Expect an error: its exit code, nothing on standard output, and a short sentence."""
    assert done.returncode == code, (done.stdout[-500:], done.stderr)
    assert done.stdout == ""
    assert "should not have happened" not in done.stderr
    error = done.stderr.partition("Error: ")[2].strip()
    assert error, done.stderr
    assert error.count("\n") <= 1, error
    assert len(error) < 500, error
    for text in says:
        assert text.casefold() in error.casefold(), error
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stderr)
