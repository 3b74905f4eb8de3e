"""`zerosum web`: flags, the environment, a user's own games, and errors."""

import os
import re
import select
import signal
import sys
from pathlib import Path

import httpx
import pytest

from tests.cli.support import helpful, run
from tests.game_files import COUNTDOWN
from tests.helpers import Piped, Terminal
from zerosum.cli.commands import web
from zerosum.web.http import server
from zerosum.web.settings import ServerSettings


def address(server: Piped) -> str:
    """Return the address that the command prints."""
    server.until(text="\n")
    found = re.fullmatch(
        r"Zerosum is running at (http://127\.0\.0\.1:\d+/) \(press Ctrl-C to stop\)\n",
        server.seen.decode(),
    )
    assert found, server.seen
    return found[1]


def test_web_serves_until_stopped_with_a_users_game(home: Path) -> None:
    (home / "one.py").write_text(COUNTDOWN)
    with Piped(home, "web", "./one.py", "--port", "0") as server:
        url = address(server)
        assert "Zerosum" in httpx.get(url).text
        assert '"countdown"' in httpx.get(f"{url}api/v1/games").text
        assert httpx.get(f"{url}healthz").text == '{"status":"ok"}'
        helpful(run(home, "web", "--port", "0"), 1, f"Another server at {url} already uses ")
        server.process.send_signal(signal.SIGTERM)
        stopped, out, err = server.end()
    assert (stopped, out) == (0, "")
    assert " GET / 200 " in err
    assert "healthz" not in err
    assert (home / ".local/share/zerosum/zerosum.db").exists()


def test_quiet_server_prints_nothing_and_has_the_limits_of_the_environment(home: Path) -> None:
    limits = {"ZEROSUM_LIMIT_REQUESTS_PER_MINUTE": "1"}
    with Piped(home, "web", "--port", "0", "--quiet", **limits) as server:
        url = address(server)
        assert httpx.get(url).status_code == 200
        assert httpx.get(url).status_code == 429
        server.process.send_signal(signal.SIGINT)
        assert server.end() == (130, "", "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "There is no file ./own.py"),
        ("x = ", "could not be loaded"),
        ("raise ValueError('my fault')", "my fault"),
        ("class Countdown: pass", "own.py"),
    ],
)
def test_broken_game_file_is_refused(home: Path, text: str | None, says: str) -> None:
    if text is not None:
        (home / "own.py").write_text(text)
    done = run(home, "web", "./own.py", "--port", "0")
    played = run(home, "play", "./own.py")
    helpful(done, played.returncode, says)
    assert done.stderr.partition("Error: ")[2] == played.stderr.partition("Error: ")[2]
    assert not (home / ".local").exists()


def test_built_in_game_as_file_is_refused(home: Path) -> None:
    helpful(run(home, "web", "even-steven"), 2, "even-steven is built in", "./my_game.py")
    helpful(run(home, "web", "even-stevn"), 2, "did you mean even-steven?")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--port", "x"], "--port"),
        (["--port", "65536"], "--port"),
        (["--port", "-1"], "--port"),
        (["--workers", "0"], "--workers"),
        (["--workers", "many"], "--workers"),
    ],
)
def test_bad_flags_are_refused(home: Path, args: list[str], says: str) -> None:
    helpful(run(home, "web", *args), 2, says)


def test_bad_limit_is_refused_at_start(home: Path) -> None:
    done = run(home, "web", "--port", "0", ZEROSUM_LIMIT_RULES_SECONDS="x")
    helpful(done, 2, "ZEROSUM_LIMIT_RULES_SECONDS")


def test_invalid_database_is_an_error_at_start(home: Path) -> None:
    (home / "text.db").write_text("This is not a database.\n" * 100)
    done = run(home, "web", "--port", "0", "--db", "text.db")
    helpful(done, 1, "text.db")


def test_missing_package_names_the_command(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zerosum.web.app", None)
    done = run(home, "web", "--port", "0")
    helpful(done, 1, "Playing in the browser needs packages that are not installed.", "[web]")


@pytest.mark.parametrize(
    ("terminal", "env", "there"),
    [
        (True, {"DISPLAY": ":0"}, True),
        (True, {"WAYLAND_DISPLAY": "wayland-0"}, True),
        (True, {}, False),
        (False, {"DISPLAY": ":0"}, False),
        (True, {"DISPLAY": ":0", "SSH_CONNECTION": "1"}, False),
        (True, {"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}, False),
    ],
)
def test_browser_opens_only_on_a_desktop(
    terminal: bool, env: dict[str, str], there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "environ", env)
    assert web.has_desktop() is there


def test_terminal_opens_a_browser_and_shows_no_requests(home: Path) -> None:
    browser = home / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > "$HOME/opened"\n')
    browser.chmod(0o755)
    command = f"{browser} %s"
    with Terminal(home, "web", "--port", "0", DISPLAY=":0", BROWSER=command) as screen:
        screen.expect("Zerosum is running at ")
        url = screen.expect(" (press Ctrl-C")
        assert httpx.get(url).status_code == 200
        for _ in range(300):
            if (home / "opened").exists() and (home / "opened").read_text():
                break
            select.select([], [], [], 0.1)
        assert (home / "opened").read_text() == f"{url}\n"
        screen.press("\x03")
        assert "GET" not in screen.expect("Stopped. Every move is saved.")
        assert screen.wait() == 130


def settings_of(home: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> ServerSettings:
    """Return the settings with which a command would serve."""
    given: list[ServerSettings] = []

    def serve(settings: ServerSettings, build: object) -> int:
        given.append(settings)
        return 0

    monkeypatch.setattr(server, "serve", serve)
    assert run(home, *arguments).returncode == 0
    return given[0]


def test_no_open_opens_no_browser(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "has_desktop", lambda: True)
    assert settings_of(home, monkeypatch, "web").open
    assert not settings_of(home, monkeypatch, "web", "--no-open").open


def test_advice_for_friends_repeats_the_command_line(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "my game.py").write_text(COUNTDOWN)
    flags = ("--host", "127.0.0.2", "--port", "9000", "--quiet", "my game.py")
    given = settings_of(home, monkeypatch, "--db", "postgresql://ada:tiger@db/games", "web", *flags)
    said = "--host 0.0.0.0 'my game.py' --port 9000 --quiet --db postgresql://ada:PASSWORD@db/games"
    monkeypatch.delenv("MAKELEVEL", raising=False)
    assert given.lan_command == f"zerosum web {said}"
    monkeypatch.setenv("MAKELEVEL", "1")
    assert given.lan_command == f'make web ARGS="{said}"'
