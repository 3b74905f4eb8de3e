"""Makes the leaderboard of docs/leaderboard.md: levels, a learner, gg-bench's agents and stubs.

    git clone https://github.com/vivek3141/gg-bench ../gg-bench
    python -m tools.leaderboard ../gg-bench
    make docs

What is done is kept in build/leaderboard.journal: the same command continues. The document is
docs/leaderboard.json; `make docs` makes the page and the picture from it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import cache
from pathlib import Path
from random import Random
from shlex import join
from typing import Any

from tools.gg_agents import ENVIRONMENTS
from zerosum.documents import dumps, loads, read, to_dict
from zerosum.lab.arena.arena import Arena
from zerosum.lab.arena.leaderboard import Leaderboard
from zerosum.lab.arena.venues import ArenaSettings
from zerosum.lab.audit.processes import many_games
from zerosum.lab.journal import open_journal
from zerosum.lab.models.suites import suite_named, suite_questions
from zerosum.players.levels import SLIPS

ROOT = Path(__file__).parent.parent
BOARD = ROOT / "docs" / "leaderboard.json"
BUILD = ROOT / "build"
SUITE = "zerosum-1"
# The learner learns before its first answer.
SETTINGS = ArenaSettings(seconds=3_600.0)
# The stub of a model slips like this level, and so often says no move at all.
MODEL, PROSE = "medium", 0.05


def one(game: Any, state: Any) -> Any:
    """Play 1, legal or not."""
    return 1


one.deterministic = True  # type: ignore[attr-defined]


def players(clone: Path, answers: Path) -> list[str]:
    """Name all players but the levels."""
    agents = (
        (environment.number, join([*gg_agents(clone), "--play", str(environment.number)]))
        for environment in ENVIRONMENTS.values()
    )
    return [
        "learner=docs/examples/learn.py:choose",
        *(f"gg-bench {number}=exec:{command}" for number, command in agents),
        f"last move=exec:{join([sys.executable, 'docs/examples/engine.py'])}",
        "always 1=tools/leaderboard.py:one",
        f"stub model={answers}",
    ]


def gg_agents(clone: Path) -> list[str]:
    """Return the command line of gg-bench's agents."""
    return [sys.executable, "-m", "tools.gg_agents", str(clone)]


def write_answers(file: Path) -> None:
    """Answer the questions of the suite as a level would, but sometimes with prose."""
    rng = Random(0)
    lines = []
    for question in suite_questions(SUITE):
        best = [move.move for move in question.moves if move.regret == 0]
        every = [move.move for move in question.moves]
        move = rng.choice(every if rng.random() < SLIPS[MODEL] else best)
        text = "Whatever I do, I lose." if rng.random() < PROSE else f"MOVE: {move}"
        lines.append(json.dumps({"id": question.id, "text": text}))
    file.write_text("\n".join(lines))


@cache
def board() -> Leaderboard:
    """Read the leaderboard."""
    return read(Leaderboard, loads(BOARD.read_text()))


def main() -> None:
    """Hold the arena, and write its document."""
    parser = argparse.ArgumentParser(prog="tools.leaderboard", description=main.__doc__)
    parser.add_argument("clone", type=Path, help="the folder of a clone of gg-bench")
    clone = parser.parse_args().clone.absolute()
    os.chdir(ROOT)
    BUILD.mkdir(exist_ok=True)
    answers = BUILD / "leaderboard.jsonl"
    write_answers(answers)
    games = [part.game for part in suite_named(SUITE).parts]
    arena = Arena(games, players(clone, answers), SETTINGS, progress=print)
    with (
        open_journal(str(BUILD / "leaderboard.journal"), kind="arena") as journal,
        many_games.local(os.cpu_count() or 1) as workers,
    ):
        made = arena.run(workers, journal, str(BUILD))
    BOARD.write_text(dumps(to_dict(made), indent=None) + "\n")


if __name__ == "__main__":
    main()
