"""Files with forbidden rules, each with what an error about them must name."""

from tests.game_files import TAKE_AWAY

MOVES = "        pass\n"
PLAY = "        return State(state.sticks - move, 1 - state.player)\n"
INITIAL = "        return State(self.start, 0)\n"
LOOP, SLEEP = "time.sleep(0) or exec('while True: pass')", "time.sleep(600)"  # sleep costs nothing
LEAVE = "os._exit(0)"


def doing(deed: str, place: str = MOVES, here: str = "True") -> str:
    """Return the rules with a deed before a line, in some positions."""
    return TAKE_AWAY.replace(place, f"        if {here}: {deed}\n{place}")


def instead(line: str, place: str) -> str:
    """Return the rules with another line."""
    return TAKE_AWAY.replace(place, f"        {line}\n")


DEEP = "state.sticks == 4"
HANGS = {
    "hangs_in_moves": (doing(LOOP), "TakeAway.moves at State(sticks=7, player=0)"),
    "hangs_in_play": (
        doing(LOOP, PLAY).replace("state", "here"),
        "TakeAway.play at State(sticks=7, player=0)",
    ),
    "hangs_in_initial": (doing(SLEEP, INITIAL), "TakeAway.initial"),
    "hangs_deep": (doing(SLEEP, here=DEEP), "TakeAway.moves at State(sticks=4, player=0)"),
    "sleeps": (doing(SLEEP), "TakeAway.moves at State(sticks=7, player=0)"),
    "hangs_in_the_options": (
        TAKE_AWAY.replace(
            "    def initial", f"    def __post_init__(self): {SLEEP}\n    def initial"
        ),
        "TakeAway.__post_init__ (theirs.py, line ",
    ),
    "hangs_in_an_error": (
        TAKE_AWAY.replace(
            "class State(",
            "class Odd(Exception):\n    def __str__(self):\n        while True: pass\nclass State(",
        ).replace(MOVES, "        raise Odd\n"),
        "Odd: (its message cannot be read)",
    ),
}
FAULTS = {
    "leaves_in_moves": (doing(LEAVE), "moves", "sticks=7"),
    "leaves_in_initial": (doing(LEAVE, INITIAL), "initial", ""),
    "leaves_deep": (doing(LEAVE, here=DEEP), "moves", "sticks=4"),
    "exits": (doing("raise SystemExit(0)"), "moves", "sticks=7"),
    "interrupts": (doing("raise KeyboardInterrupt"), "moves", "sticks=7"),
    "raises_generator_exit": (doing("raise GeneratorExit"), "moves", "sticks=7"),
    "breaks_the_pipe": (doing("raise BrokenPipeError"), "moves", "sticks=7"),
    "raises_a_key_error": (doing("{}[7]", PLAY), "play", "sticks=7"),
    "moves_change": (
        "N = [0]\n" + instead("N[0] += 1; return (N[0],)", MOVES),
        "moves",
        "State(sticks=",
    ),
    "wrong_winner": (
        TAKE_AWAY.replace("Outcome(1 - state.player", "Outcome('first'"),
        "winner",
        "sticks=0",
    ),
    "moves_are_none": (instead("return None", MOVES), "moves", "sticks=7"),
    "third_player": (instead("return State(state.sticks - move, 2)", PLAY), "player", ""),
}
LOADING = {
    "hangs_when_loaded": f"import time\n{SLEEP}\n",
    "leaves_when_loaded": f"import os\n{LEAVE}\n",
    "exits_when_loaded": "import sys\nsys.exit(0)\n",
    "interrupts_when_loaded": "raise KeyboardInterrupt\n",
}
DOORS = {
    "check": ["check"],
    "solve": ["solve"],
    "play": ["play"],
    "play against the computer": ["play", "--vs", "medium"],
    "audit": ["audit"],
    "explain": ["explain"],
    "levels": ["levels"],
    "learn": ["learn"],
    "puzzle": ["puzzle"],
}
UNSTOPPABLE = {
    # As a long computation in C does, but it costs nothing.
    "keeps_the_interpreter": (
        "import ctypes\n"
        + doing(
            "ctypes.PyDLL(None).read(os.pipe()[0], ctypes.create_string_buffer(1), 1)", here=DEEP
        ),
        "moves (theirs.py, line ",
    ),
    "ignores_errors": (
        doing("ignore()", here=DEEP)
        + """
def ignore():
    try: time.sleep(600)
    except Exception: pass
""",
        "TakeAway.moves at State(sticks=4, player=",
    ),
    "hangs_when_collected": (
        doing("Kept()", here=DEEP)
        + """
class Kept:
    def __del__(self): time.sleep(600)
""",
        "TakeAway.moves at State(sticks=4, player=",
    ),
    "stops_itself": (
        doing("os.kill(os.getpid(), 19)", here=DEEP),
        "The rules stopped the program.",
    ),
    "closes_everything": (
        doing("os.closerange(0, 100)", here=DEEP),
        "The rules closed the files of the program.",
    ),
    "forges_a_success": (
        doing("forge()", here=DEEP)
        + """
import posix
def forge():
    for file in range(3, 21):
        try: os.write(file, b'\\n{"code": 0}\\n')
        except OSError: pass
    posix._exit(0)
""",
        "The rules ended the program, with exit code 0",
    ),
    "ends_the_process": (
        "import posix\n" + doing("posix._exit(0)", here=DEEP),
        "The rules ended the program, with exit code 0",
    ),
    "crashes_python": (
        "import ctypes\n" + doing("ctypes.string_at(0)", here=DEEP),
        "ended by SIGSEGV, in moves (theirs.py, line ",
    ),
}
