"""Exit codes."""

import signal
import subprocess
import sys
from pathlib import Path

from tests import helpers
from tests.helpers import Piped
from zerosum.cli.commands import MODULES

# Each loads its own part of Zerosum anew; only other libraries are loaded once for all.
FORK = """
import os, sys
import click, msgspec, numpy, rich.console, sqlite3
from zerosum.cli.commands import load_command
for name in sys.argv[1:]:
    if not (child := os.fork()):
        load_command(name)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


def test_every_module_of_commands_is_loaded_on_its_own(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORK, *(next(iter(group)) for group in MODULES.values())],
        capture_output=True,
        text=True,
        env=helpers.clean_env(home),
        cwd=home,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_interrupt_in_a_pipe_exits_with_130(home: Path) -> None:
    with Piped(home, "play", "even-steven") as game:
        game.feed("1\n")
        game.until(text="Options: [1] Subtract 1, [2]")
        game.process.send_signal(signal.SIGINT)
        code, _, err = game.end()
    assert code == 130
    assert "Resume with: " in err
