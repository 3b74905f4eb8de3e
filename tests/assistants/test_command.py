"""`zerosum mcp` on the command line: what it refuses, and how it ends."""

import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.cli.support import helpful, run
from tests.helpers import Terminal


def test_wrong_flags_are_sentences(home: Path) -> None:
    helpful(run(home, "mcp", "--games", "nowhere"), 2, "nowhere", "does not exist")
    helpful(run(home, "mcp", "--server", "example.org"), 1, "is neither the address of a server")
    helpful(run(home, "mcp", "--server", "http://a.b/m/abc"), 1, "is a match", "http://a.b")
    helpful(run(home, "mcp", "--name", "x" * 30), 1, "at most 40 characters")
    helpful(run(home, "mcp", "--port", "70000"), 2, "--port")
    (home / "a.db").write_text("not a database")
    helpful(run(home, "mcp", "--db", "a.db"), 1, "a.db", "is not a Zerosum database")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        helpful(run(home, "mcp", "--http", "--port", port), 1, f"Port {port} is already in use")


def test_without_the_extra_the_command_that_installs_it_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "zerosum.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    helpful(run(home, "mcp"), 1, "needs packages that are not installed", "[mcp]")


def test_ctrl_c_ends_it_on_a_terminal(home: Path) -> None:
    with Terminal(home, "mcp") as terminal:
        terminal.expect("Waiting for an assistant", "Ctrl-C stops.")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.wait() == 130
    assert "Traceback" not in terminal.seen
