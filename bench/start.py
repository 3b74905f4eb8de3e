"""How soon the command answers, as a ratio to a bare interpreter in the same run.

    make bench

Prints the best of many runs, taken in turns so that a busy moment hits all of them alike.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 40
LIMIT = 5.0
ZEROSUM = str(Path(sys.executable).with_name("zerosum"))


def whole(command: list[str], env: dict[str, str]) -> float:
    """Time a command from its start to its end."""
    began = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def to_prompt(command: list[str], env: dict[str, str], prompt: bytes) -> float:
    """Time a command from its start to its first prompt."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        seen = b""
        while not seen.endswith(prompt):
            chunk = os.read(process.stdout.fileno(), 65536)
            if not chunk:
                raise SystemExit(f"no prompt from {' '.join(command)}")
            seen += chunk
        took = time.perf_counter() - began
        process.kill()
    return took


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as home:
        env = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
        env["HOME"] = home
        best = dict.fromkeys(("bare interpreter", "import click", "--help", "first prompt"), 9.0)
        for _ in range(RUNS):
            for name, took in (
                ("bare interpreter", whole([sys.executable, "-c", "pass"], env)),
                ("import click", whole([sys.executable, "-c", "import click"], env)),
                ("--help", whole([ZEROSUM, "--help"], env)),
                (
                    "first prompt",
                    to_prompt([ZEROSUM, "play", "even-steven"], env, b"Enter your choice: "),
                ),
            ):
                best[name] = min(best[name], took)
    bare = best["bare interpreter"]
    print(f"{'what':<18}{'ms':>8}{'ratio':>8}")
    for name, took in best.items():
        print(f"{name:<18}{took * 1000:8.1f}{took / bare:8.2f}")
    slow = [name for name, took in best.items() if took / bare > LIMIT]
    print(f"limit {LIMIT}: " + (f"exceeded by {', '.join(slow)}" if slow else "kept"))


if __name__ == "__main__":
    main()
