"""Moves a second of many games at once, beside one game at a time and beside pgx, in one run.

    make bench                                    NumPy on one core
    python bench/bulk.py jax                      JAX where it computes

The first needs nothing else; pgx is measured if it is installed (pip install pgx). On a GPU,
run the second with PYTHONPATH=src and a JAX that sees it.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import runpy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zerosum

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("even-steven", {}),
    ("divisor-duel", {}),
    ("dual-digits", {}),
    ("number-navigator", {}),
    ("digit-battle", {}),
    ("digit-battle", {"lives": 21}),
    ("digit-battle", {"lives": 50}),
    (str(EXAMPLES / "noughts_and_crosses.py"), {}),
)
SECONDS = 0.3
# The moves of each game in a replay.
PLIES = 32


def rate(work: Callable[[], int], runs: int = 5) -> float:
    """Return the most moves a second of several runs, each of them long enough to time."""
    best = 0.0
    for _ in range(runs):
        moves, began = 0, time.perf_counter()
        while (took := time.perf_counter() - began) < SECONDS:
            moves += work()
        best = max(best, moves / took)
    return best


def one_at_a_time() -> float:
    """Play random games in an environment in the style of gg-bench, a move at a time."""
    env, rng = runpy.run_path(str(EXAMPLES / "countdown_env.py"))["Countdown"](), random.Random(1)
    env.reset()

    def work() -> int:
        for _ in range(10_000):
            if env.step(rng.choice(env.valid_moves()))[2]:
                env.reset()
        return 10_000

    return rate(work)


def pgx_moves(games: int) -> float:
    """Play random tic-tac-toe with pgx, restarting and counting, compiled as a whole."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("tic_tac_toe")
    start, step = jax.vmap(env.init), jax.vmap(env.step)
    plies = max(16, (1 << 24) // games)

    def ply(state: Any, key: Any) -> tuple[Any, Any]:
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        after = step(state, jax.random.categorical(key, chances))
        fresh = start(jax.random.split(key, games))

        def chosen(new: Any, old: Any) -> Any:
            return jnp.where(after.terminated.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

        return jax.tree.map(chosen, fresh, after), after.terminated.sum()

    @jax.jit  # type: ignore[untyped-decorator]
    def play(key: Any) -> Any:
        state = start(jax.random.split(key, games))
        return jax.lax.scan(ply, state, jax.random.split(key, plies))[1].sum()

    key = jax.random.PRNGKey(0)
    play(key).block_until_ready()

    def work() -> int:
        play(key).block_until_ready()
        return games * plies

    return rate(work)


def random_moves(table: Any, games: int, library: str, device: str | None) -> float:
    """Play random legal moves; ends are noticed, restarted and counted."""
    from zerosum.bulk import Batch

    batch = Batch(table, games, seed=1, library=library, device=device)
    plies = 256  # moves are made in one go; the results are read after them

    def work() -> int:
        batch.play(plies)
        return games * plies + 0 * batch.results.draw

    work()  # which compiles
    return rate(work)


def given_moves(table: Any, games: int) -> float:
    """Replay moves that were chosen before; each is checked, ends are noticed and counted."""
    import numpy as np

    from zerosum.bulk import Batch

    rng, batch, script = np.random.default_rng(1), Batch(table, games), []
    for _ in range(PLIES):
        script.append((rng.random(games) * batch.legal_counts).astype(np.int32))
        batch.step(script[-1])
    best = 0.0
    for _ in range(10):
        again, began = Batch(table, games), time.perf_counter()
        for choices in script:
            again.step(choices)
        results = again.results
        best = max(best, games * PLIES / (time.perf_counter() - began))
        assert results == batch.results
    return best


def bare_gathers(games: int) -> tuple[float, float]:
    """Look up the next state and nothing else, with given moves and with random ones."""
    import numpy as np

    rng = np.random.default_rng(1)
    leads = rng.integers(0, 1000, 4000) * 4
    given, now = rng.integers(0, 4, games), np.zeros(games, np.int64)

    def step() -> int:
        np.take(leads, np.add(now, given, out=now), out=now, mode="clip")
        return games

    def step_at_random() -> int:
        np.take(leads, np.add(now, rng.integers(0, 4, games), out=now), out=now, mode="clip")
        return games

    return rate(step), rate(step_at_random)


def main() -> None:
    """Print the moves a second, in millions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", nargs="?", default="numpy")
    parser.add_argument("--device", help="such as cuda, for PyTorch")
    parser.add_argument("--log2-games", type=int, help="2 to this power, for every batch")
    wanted = parser.parse_args()
    numpy = wanted.library == "numpy"
    if numpy and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    sizes = [wanted.log2_games] if wanted.log2_games else [15, 17] if numpy else [20, 22, 24]

    from zerosum.bulk import Table

    print(f"{'million moves a second':<34}{'games':>7}{'random':>12}{'given':>10}")
    for name, options in VARIANTS:
        table = Table(zerosum.game(name, **options))
        title = f"{Path(name).stem} {len(table):,}, {len(table.targets):,}"
        for size in sizes:
            made = random_moves(table, 1 << size, wanted.library, wanted.device)
            given = f"{given_moves(table, 1 << size) / 1e6:>10,.0f}" if numpy else ""
            print(f"{title:<34}{f'2^{size}':>7}{made / 1e6:>12,.0f}{given}", flush=True)
    if numpy:
        step, step_at_random = bare_gathers(1 << 15)
        print(f"{'bare gathers':<41}{step_at_random / 1e6:>12,.0f}{step / 1e6:>10,.0f}")
        print(f"{'an object, a move at a time':<41}{one_at_a_time() / 1e6:>12,.2f}")
    if importlib.util.find_spec("pgx"):
        powers = range(8, 20) if numpy else range(18, 28)
        made, size = max((pgx_moves(1 << power), power) for power in powers)
        title = "pgx tic-tac-toe, its best size"
        print(f"{title:<34}{f'2^{size}':>7}{made / 1e6:>12,.2f}")
    else:
        print("pgx is not installed, so it was not measured: pip install pgx")


if __name__ == "__main__":
    main()
