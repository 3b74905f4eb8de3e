"""Games in files, as a user has them: the examples, and one that is written for a test."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
STICK = str(EXAMPLES / "last_stick.py")
NOUGHTS = str(EXAMPLES / "noughts_and_crosses.py")
PASS = str(EXAMPLES / "nim_with_a_pass.py")
TAKE_AWAY = '''
"""Take one or two sticks; whoever takes the last one wins."""
import os
import time
from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class TakeAway(Game[State]):
    start: int = option(7, "how many sticks", least=1)

    def initial(self):
        return State(self.start, 0)

    def moves(self, state):
        pass
        return tuple(n for n in (1, 2) if n <= state.sticks)

    def play(self, state, move):
        return State(state.sticks - move, 1 - state.player)

    def outcome(self, state):
        return None if state.sticks else Outcome(1 - state.player, "the last stick is taken")

    def objection(self, state, move):
        return "Take 1 or 2."
'''
# Every call leaves a line behind, so that a test sees what has happened.
NOTED = "open(__file__ + '.log', 'a').write(f'{os.getpid()}\\n')"
# What the rules do when they are asked for moves; most misbehave above 100 sticks only.
DEEDS = {
    "Noting": NOTED,
    "Looping": f"{NOTED}\n        while state.sticks > 100: pass",
    "Endless": "while True: pass",
    "Sleeping": f"{NOTED}\n        time.sleep(600 if state.sticks > 100 else 0)",
    "Talking": "print('hello', flush=True); os.write(1, b'hello'); assert not os.read(0, 1)",
    "Failing": "1 // (state.sticks < 100)",
    "Eating": "[bytearray(1 << 20) for _ in range(1 << 20) if state.sticks > 100]",
    "Dying": "os._exit(3) if state.sticks > 100 else None",
}


def write(folder: Path, name: str) -> str:
    """Write a game that misbehaves as its name says, and return its path."""
    path = folder / f"{name.lower()}.py"
    path.write_text(
        TAKE_AWAY.replace("TakeAway", name).replace("        pass\n", f"        {DEEDS[name]}\n")
    )
    return str(path)


def callers(path: str) -> list[int]:
    """Return the processes that have asked a noting game for moves, in their order."""
    noted = Path(f"{path}.log")
    return [int(line) for line in noted.read_text().split()] if noted.exists() else []
