"""Programs that speak the protocol of `zerosum measure --exec`, well or badly."""

import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "engine.py"
# What a program does with each question; it may look at `number`, which counts from 1.
HEAD = """
import json, os, signal, sys, time

def say(**answer):
    print(json.dumps(answer), flush=True)

number = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", protocol=1)
        continue
    id, moves, number = message["id"], message["moves"], number + 1
"""


def engine(folder: Path, *does: str) -> list[str]:
    """Write a program that does this with each question; return its command line."""
    file = folder / "engine.py"
    file.write_text(HEAD + "".join(f"    {line}\n" for line in does))
    return command(file)


def script(folder: Path, text: str) -> list[str]:
    """Write a program of any kind; return its command line."""
    file = folder / "engine.py"
    file.write_text(text)
    return command(file)


def command(file: Path) -> list[str]:
    """Run a file with an interpreter that starts fast."""
    return [sys.executable, "-I", "-S", str(file)]
