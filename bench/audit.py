"""How long an audit takes, beside walking the rules in the same run; many games with two workers.

    make bench

Both grow with the number of processes that run at the same time: measure on a quiet machine.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import zerosum
from zerosum.lab.audit.auditing import audit_game
from zerosum.lab.audit.document import AuditRow
from zerosum.lab.audit.processes.game_files import jobs_for
from zerosum.lab.audit.processes.many_games import local, run_jobs
from zerosum.lab.audit.processes.one_game import audit_in_process
from zerosum.lab.journal import open_journal
from zerosum.limits import BATCH
from zerosum.protocol import Game
from zerosum.states import walk

VARIANTS: tuple[tuple[str, dict[str, int]], ...] = (
    ("even-steven", {}),
    ("even-steven", {"start": 2_000}),
    ("divisor-duel", {}),
    ("dual-digits", {}),
    ("dual-digits", {"start": 500}),
    ("number-navigator", {}),
    ("digit-battle", {}),
)
EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "last_stick.py"
# The games of a batch, and their sticks: about half a second each.
GAMES, STICKS = 8, 400


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """Return the shortest time of several runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def walk_rules(game: Game[Any]) -> int:
    """Visit every position by the rules alone, and count them."""
    return sum(1 for _ in walk(game))


def one_game() -> None:
    """Compare the audit of each game with a walk over its rules."""
    print(f"{'game':<28}{'positions':>10}{'audit, ms':>11}{'x the rules':>13}")
    for name, options in VARIANTS:
        game = zerosum.game(name, **options)
        rules, audit = best_of(3, partial(walk_rules, game)), best_of(2, partial(audit_game, game))
        label = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        count = walk_rules(game)
        print(f"{label:<28}{count:>10,}{audit * 1000:>11,.0f}{audit / rules:>13,.0f}")


def apart() -> None:
    """Compare a process of its own with an audit in this one."""
    (job,) = jobs_for([str(EXAMPLE)], BATCH)
    game = zerosum.game(str(EXAMPLE))
    inside, outside = (
        best_of(5, lambda: audit_game(game)),
        best_of(5, lambda: audit_in_process(job)),
    )
    more = f"{(outside - inside) * 1000:.0f} ms more"
    print(f"\na process for a game: {more}, {outside / inside:.1f} x the audit alone")


def workers() -> None:
    """Compare one worker with two."""
    with tempfile.TemporaryDirectory() as folder:
        text = EXAMPLE.read_text().replace("option(11,", f"option({STICKS},")
        for number in range(GAMES):
            (Path(folder) / f"sticks_{number}.py").write_text(text)
        jobs = jobs_for([folder], BATCH)

        def batch(count: int) -> None:
            with local(count) as pool, open_journal(f"{folder}/journal", fresh=True) as journal:
                rows = run_jobs(AuditRow, audit_in_process, jobs, pool, journal)
            assert all(row.complete for row in rows), rows

        single, double = best_of(2, lambda: batch(1)), best_of(2, lambda: batch(2))
    print(f"{GAMES} games, two workers: {single / double:.2f} x as fast as one")


def main() -> None:
    """Measure everything."""
    one_game()
    apart()
    workers()


if __name__ == "__main__":
    main()
