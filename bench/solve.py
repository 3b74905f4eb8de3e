"""How fast games are solved, beside other solvers in the same run.

    make bench

With OpenSpiel installed beside Zerosum (pip install open_spiel cvxpy), its solvers are timed too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zerosum
from zerosum.protocol import Game
from zerosum.solver import table_of
from zerosum.solver.retrograde import analyse
from zerosum.solver.table import StateGraph, build_table
from zerosum.states import walk

ZEROSUM = str(Path(sys.executable).with_name("zerosum"))
LARGE = {"lives": 21}  # about a million edges
# Large enough that fixed costs do not count.
VARIANTS: tuple[tuple[str, dict[str, int]], ...] = (
    ("even-steven", {"start": 20_000}),
    ("divisor-duel", {"start": 10_000}),
    ("dual-digits", {"start": 4_000}),
    ("number-navigator", {"start": 150}),
    ("digit-battle", {}),
    ("digit-battle", LARGE),
)

THREE_HEAPS = '''
from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    heaps: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class ThreeHeaps(Game[State]):
    """Take up to three sticks from one heap; whoever takes the last one wins."""

    size: int = option(36, "sticks in each heap", least=1)

    def initial(self):
        return State((self.size,) * 3, 0)

    def moves(self, state):
        heaps = zip("abc", state.heaps)
        return tuple(f"{name}{n}" for name, size in heaps for n in (1, 2, 3) if n <= size)

    def play(self, state, move):
        heaps = list(state.heaps)
        heaps["abc".index(move[0])] -= int(move[1])
        return State(tuple(heaps), 1 - state.player)

    def outcome(self, state):
        return None if any(state.heaps) else Outcome(1 - state.player, "the heaps are empty")
'''


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """Time some work several times, and return the best."""
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def every_state(game: Game[Any]) -> list[Any]:
    """List all reachable states, those that are equal by symmetry included."""
    return list(walk(game))


def bare_walk(game: Game[Any], states: list[Any]) -> None:
    """Call the rules once for every state and move, and do nothing else."""
    for state in states:
        if game.outcome(state) is None:
            for move in game.moves(state):
                game.play(state, move)


def dictionary_solver(game: Game[Any]) -> dict[Any, int | None]:
    """Solve as one would without Zerosum: dictionaries of states, and a queue."""
    # The baseline to beat: a solver of the package, or the thorough one of the tests, is not.
    states = [game.initial()]
    after: dict[Any, list[Any]] = {states[0]: []}
    before: dict[Any, list[Any]] = {states[0]: []}
    for state in states:
        for move in game.moves(state):
            then = game.play(state, move)
            if then not in after:
                after[then], before[then] = [], []
                states.append(then)
            after[state].append(then)
            before[then].append(state)
    won = {s: o.winner for s in states if (o := game.outcome(s)) is not None}
    left = {state: len(nexts) for state, nexts in after.items()}
    queue = list(won)
    for state in queue:
        for earlier in before[state]:
            if earlier in won:
                continue
            if earlier.player == won[state]:
                won[earlier] = won[state]
                queue.append(earlier)
            else:
                left[earlier] -= 1
                if not left[earlier]:
                    won[earlier] = won[state]
                    queue.append(earlier)
    return won


def memory(code: str) -> int:
    """Return the most memory that some code needs, in its own process."""
    # The kernel's own high-water mark: getrusage would count the parent of a new process too.
    measure = "print(*(l for l in open('/proc/self/status') if l.startswith('VmHWM')))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{measure}"], capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-2]) * 1024


def in_process() -> StateGraph[Any]:
    """Time the walk and the analysis, beside a bare walk over every state."""
    head = f"{'game':<28}{'states':>9}{'table':>9}{'edges':>10}"
    print(f"{head}{'walk/bare':>11}{'asymmetric':>12}{'M edges/s':>11}")
    for name, options in VARIANTS:
        game = zerosum.game(name, **options)
        table = build_table(game)
        states = every_state(game)
        bare = best_of(3, lambda: bare_walk(game, states))  # noqa: B023
        took = best_of(3, lambda: build_table(game))  # noqa: B023
        plain = type(name, (type(game),), {"canonical": Game.canonical})(**options)
        apart = best_of(3, lambda: build_table(plain))  # noqa: B023
        rate = len(table.targets) / best_of(5, lambda: analyse(table)) / 1e6  # noqa: B023
        label = name + "".join(f" {key}={value}" for key, value in options.items())
        print(
            f"{label:<28}{len(states):>9,}{len(table):>9,}{len(table.targets):>10,}"
            f"{took / bare:>11.2f}{apart / bare:>12.2f}{rate:>11.1f}"
        )
    return table


def beside_others() -> None:
    """Time whole solves, ours and others'."""
    game = zerosum.game("digit-battle")
    count = len(every_state(game))
    ours = best_of(3, lambda: zerosum.solve(game))
    plain = type("Plain", (type(game),), {"canonical": Game.canonical})()
    apart = best_of(3, lambda: zerosum.solve(plain))
    dictionary = best_of(3, lambda: dictionary_solver(game))
    print(f"\n{'solver':<40}{'states/s':>12}")
    print(f"{'zerosum.solve, digit-battle':<40}{count / ours:>12,.0f}")
    print(f"{'the same, without its symmetry':<40}{count / apart:>12,.0f}")
    print(f"{'dictionaries, digit-battle':<40}{count / dictionary:>12,.0f}")
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax_solver, value_iteration
    except ImportError:
        print("(OpenSpiel is not installed: pip install open_spiel cvxpy)")
        return
    began = time.perf_counter()
    found = len(minimax_solver.MinimaxSolver("tic_tac_toe").solve())
    took = time.perf_counter() - began
    print(f"{'OpenSpiel minimax_solver, tic-tac-toe':<40}{found / took:>12,.0f}")
    began = time.perf_counter()
    found = len(value_iteration.value_iteration(pyspiel.load_game("tic_tac_toe"), -1, 1e-6))
    took = time.perf_counter() - began
    print(f"{'OpenSpiel value_iteration, tic-tac-toe':<40}{found / took:>12,.0f}")


def space(edges: int) -> None:
    """Compare the memory of a large table with that of dictionaries."""
    make = f"import zerosum, numpy; game = zerosum.game('digit-battle', **{LARGE!r})"
    base = memory(f"{make}; zerosum.solve(zerosum.game('digit-battle', lives=1))")
    ours = memory(f"{make}; zerosum.solve(game)") - base
    here = str(Path(__file__).parent)
    other = f"import sys; sys.path.insert(0, {here!r}); from solve import dictionary_solver; {make}"
    theirs = memory(f"{other}; dictionary_solver(game)") - base
    print(f"\nmemory, digit-battle with a million edges: {ours / edges:.0f} bytes an edge")
    print(f"dictionaries: {theirs / edges:.0f} bytes an edge")


def whole_command() -> None:
    """Time the command: cold, and from its cache."""
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": os.environ["PATH"], "HOME": home}

        def command() -> None:
            subprocess.run([ZEROSUM, "solve", "digit-battle"], env=env, stdout=-3, check=True)

        def cold() -> None:
            for file in Path(home).glob(".cache/zerosum/*"):
                file.unlink()
            command()

        game = zerosum.game("digit-battle")
        states = every_state(game)
        rules = best_of(5, lambda: bare_walk(game, states))
        bare = best_of(20, lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        first, again = best_of(7, cold), best_of(15, command)
    print(f"\nzerosum solve digit-battle, cold: {first / rules:.1f} x walking the rules")
    print(f"from the cache: {again / bare:.1f} x a bare interpreter")


def cached() -> None:
    """Compare solving a user's game of about 100,000 positions with loading it from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "three_heaps.py"
        file.write_text(THREE_HEAPS)
        game = zerosum.game(str(file))
        count = len(table_of(zerosum.solve(game, cache=folder)).graph)
        cold = best_of(3, lambda: zerosum.solve(game))
        cache = best_of(5, lambda: zerosum.solve(game, cache=folder))
    print(
        f"\na user's game of {count:,} positions: solved {cold / cache:.1f} x faster from the cache"
    )


def main() -> None:
    """Measure everything."""
    edges = len(in_process().targets)
    beside_others()
    space(edges)
    cached()
    whole_command()


if __name__ == "__main__":
    main()
