"""Games in files, as a user has them: the examples, and sources that a test writes."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
STICK = str(EXAMPLES / "last_stick.py")
NOUGHTS = str(EXAMPLES / "noughts_and_crosses.py")
PASS = str(EXAMPLES / "nim_with_a_pass.py")
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
TERRITORY = str(EXAMPLES / "territory.py")
DOTS = str(EXAMPLES / "dots_and_boxes.py")
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
# As short as can be: a test replaces what it needs otherwise.
COUNTDOWN = """
from dataclasses import dataclass
from typing import NamedTuple
from zerosum import Game, Outcome

class State(NamedTuple):
    number: int
    player: int

@dataclass(frozen=True)
class Countdown(Game[State]):
    def initial(self): return State(3, 0)
    def moves(self, state): return (1,) if state.number else ()
    def play(self, state, move): return State(state.number - 1, 1 - state.player)
    def outcome(self, state): return None if state.number else Outcome(1 - state.player, "zero")
    def objection(self, state, move): return "Only 1."
"""
# Whoever dares loses at once; whoever takes the last safe step wins.
STEPS = """
from dataclasses import dataclass
from typing import NamedTuple
from zerosum import Game, Outcome, option

class State(NamedTuple):
    steps: int
    player: int

@dataclass(frozen=True)
class Steps(Game[State]):
    start: int = option(5, "the steps", least=2)
    side: str = option("Left", "where to go", choices=("Left", "Right"))
    width: int = option(3, choices=(3, 5))
    def initial(self): return State(self.start, 0)
    def moves(self, state): return ("Safe", "dare") if state.steps > 0 else ()
    def play(self, state, move):
        return State(state.steps - 1 if move == "Safe" else -1, 1 - state.player)
    def outcome(self, state):
        if state.steps > 0: return None
        return Outcome(state.player if state.steps else 1 - state.player, "the steps are over")
"""
# Every call leaves a line behind, so that a test can count the calls.
NOTED = "with open(__file__ + '.log', 'a') as log: log.write(f'{os.getpid()}\\n')"
# What moves() does first; most of these misbehave only above 100 sticks. Endless loops sleep: a
# busy one would take the time of other tests.
DEEDS = {
    "Noting": NOTED,
    "Looping": f"{NOTED}\n        while state.sticks > 100: time.sleep(0.01)",
    "Endless": "while True: time.sleep(0.01)",
    "Forking": f"state.sticks > 100 and (os.fork() or os.setsid())\n        {NOTED}\n"
    "        while state.sticks > 100: time.sleep(0.01)",
    "Doubling": "state.sticks > 100 and not os.path.exists(__file__ + '.forked')"
    " and (os.mkdir(__file__ + '.forked'), os.fork())",
    "Trapping": "while os.path.exists(__file__ + '.trap'): time.sleep(0.01)",
    "Sleeping": f"{NOTED}\n        time.sleep(600 if state.sticks > 100 else 0)",
    "Talking": "print('hello', flush=True); os.write(1, b'hello'); assert not os.read(0, 1)",
    "Silent": "return None",
    "Counting": "if state.sticks > 100: return (10**5000,)",
    "Failing": "1 // (state.sticks < 100)",
    "Eating": "[bytearray(1 << 20) for _ in range(1 << 20) if state.sticks > 100]",
    "Crashing": "import ctypes; state.sticks > 100 and ctypes.string_at(0)",
    "Holding": "state.sticks > 100 and 10 ** 10**9",
    "Mute": "pass",
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
