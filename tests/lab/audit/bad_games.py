"""Files that do everything that a game must not do, and the row that each gets."""

from tests.game_files import COUNTDOWN, TAKE_AWAY

ENVIRONMENT = """
import gymnasium as gym

class Race(gym.Env):
    def __init__(self):
        self.action_space = gym.spaces.Discrete(3)
    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.number, self.player = 0, 1
        return self.number, {}
    def step(self, action):
        if action not in self.valid_moves(): return self.number, -10, True, False, {}
        self.number += action + 1
        if self.number >= 5: return self.number, 1, True, False, {}
        self.player = -self.player
        return self.number, 0, False, False, {}
    def valid_moves(self): return [0, 1, 2]
    def render(self): return str(self.number)
"""
# No random game comes to the loop, but a table does.
HANGS_FAR_AWAY = (
    ENVIRONMENT.replace(
        "self.number, self.player = 0", "self.zeros, self.number, self.player = 0, 0"
    )
    .replace(">= 5", ">= 30")
    .replace("self.player = -", "self.zeros = 0 if action else self.zeros + 1; self.player = -")
    .replace("0, False, False", "int(self.number == 3), False, False")
    .replace("return [0", "\n        while self.zeros == 20: pass\n        return [0")
)
SLOW = TAKE_AWAY.replace(
    "return State(self.start",
    "\n        while self.start != 7: pass\n        return State(self.start",
)
FIRST = "import os\n"
CHANGES = (
    *("open('new', 'w')", "open(__file__, 'r+')", "open('new', 'x')", "os.open('new', os.O_CREAT)"),
    *("os.remove(__file__)", "os.rename(__file__, 'new')", "os.replace(__file__, 'new')"),
    *("os.mkdir('new')", "os.rmdir('.')", "shutil.rmtree('.')", "os.link(__file__, 'new')"),
    *("os.symlink('a', 'new')", "os.chmod(__file__, 0)", "os.truncate(__file__, 0)"),
    "pathlib.Path('new').touch()",
    *("tempfile.TemporaryFile()", "tempfile.mkdtemp()", "sqlite3.connect('new')"),
    *("os.killpg(os.getpgid(os.getppid()), 2)", "os.kill(1, 0)", "os.system('true')", "os.fork()"),
)
TRIES_EVERYTHING = f"""
import os, pathlib, shutil, sqlite3, sys, tempfile
for change in {CHANGES}:
    try:
        exec(change)
    except PermissionError as error:
        if str(error).startswith("a game may not"): continue
    raise SystemExit(change)
open(__file__).close()
open(os.devnull, "w").close()
assert not sys.flags.hash_randomization
"""
# Writes the row of another game, wherever it can, and leaves.
FORGES = """
import os
row = b'{"format": "stop", "status": "too-large", "message": "forged"}'
for file in range(21):
    try: os.write(file, b"\\n%b\\ndone\\n" % row)
    except OSError: pass
os._exit(0)
"""
# What only a process of its own survives.
DANGEROUS = {
    "tries_everything": TRIES_EVERYTHING + COUNTDOWN,
    "forges": FORGES,
    "ignores_signals": """
import signal
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, lambda *arguments: None)
while True: pass
""",
    "sleeps": "import time\ntime.sleep(600)",
    "slow": SLOW,
    "kills_itself": FIRST + "os.kill(os.getpid(), 11)",
    "fills_memory": "filled = [bytearray(1 << 20) for _ in range(1 << 20)]",
    "reads": COUNTDOWN + "\nassert input() == 'yes'",
    "hangs_far_away": HANGS_FAR_AWAY,
    "race": "print('hello' * 100_000)\n" + ENVIRONMENT,
}
# What an audit in the same process answers too.
WRONG = {
    "exits_in_moves": COUNTDOWN.replace("return (1,)", "raise SystemExit(0); return (1,)"),
    "fills_memory_in_moves": COUNTDOWN.replace("return (1,)", "raise MemoryError; return (1,)"),
    "no_game": "ANSWER = 42",
    "no_python": "def (",
    "too_large": TAKE_AWAY.replace("option(7,", "option(70,"),
}
EXPECTED = {
    "tries_everything": ("solved", "the first player wins in 3 moves"),
    "forges": ("crashed", "exited with code 0"),
    "ignores_signals": ("crashed", "ended by SIGKILL"),
    "sleeps": ("time-limit", "It did not answer within 0.5 s."),
    "slow": ("solved", "The rest of the audit is missing: It took more than 0.25 s"),
    "kills_itself": ("crashed", "ended by SIGSEGV"),
    "fills_memory": ("memory-limit", "more memory than is allowed"),
    "reads": ("cannot-load", "EOF"),
    "hangs_far_away": ("time-limit", "more than 0.5 s of processor time"),
    "race": ("solved", "the first player wins in 3 moves"),
    "leads_nowhere": ("cannot-load", "No such file"),
    "leads_to_itself": ("cannot-load", "Too many levels of symbolic links"),
    "pipe": ("cannot-load", "it is not a regular file"),
    "huge": ("cannot-load", "it has more than 4 MiB"),
    "odd\\xff": ("solved", "the first player wins in 3 moves"),
    "exits_in_moves": ("broken", "SystemExit"),
    "fills_memory_in_moves": ("memory-limit", "more memory than is allowed"),
    "no_game": ("not-a-game", "no_game.py has no game"),
    "no_python": ("cannot-load", "SyntaxError"),
    "too_large": ("too-large", "more than 50 positions"),
}
# Games that use all of their time need not have much; one that sleeps has little on the clock.
SLEEPY = 2.5
SECONDS = {"slow": 0.25, "hangs_far_away": 0.5, "ignores_signals": 0.1, "sleeps": SLEEPY}
