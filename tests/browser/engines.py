"""Firefox and WebKit, as Debian installs them: each opens pages and runs scripts there."""

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.helpers import PATIENCE, clean_env, eventually

# The small browser that comes with WebKit's library.
MINI_BROWSER = "/usr/lib/*/webkit*/MiniBrowser"
SETTINGS = """
user_pref("remote.active-protocols", 1);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
"""


class Engine(Protocol):
    """A browser with one page."""

    problems: list[str]

    def open(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""

    def run(self, expression: str) -> Any:
        """Return the value of an expression in the page."""


class Firefox:
    """Firefox, through WebDriver BiDi, which it speaks itself."""

    def __init__(self, socket: ClientConnection) -> None:
        self.problems: list[str] = []
        self._socket = socket
        self._count = 0
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        tree = self._send("browsingContext.getTree")
        self._page = tree["contexts"][0]["context"]

    def _send(self, method: str, **params: Any) -> Any:
        """Send a command, and return its result; what is logged in between is kept."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=PATIENCE))
            if answer.get("method") == "log.entryAdded":
                if answer["params"]["level"] in ("error", "warn"):
                    self.problems.append(answer["params"]["text"])
            elif answer.get("id") == self._count:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._send("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        found = self._send(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._page},
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        text = found["result"].get("value")
        return None if text is None else json.loads(text)


class WebKit:
    """WebKit, through WebDriver; it tells nothing of what its console says."""

    def __init__(self, client: httpx.Client, browser: str) -> None:
        self.problems: list[str] = []
        self._client = client
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = ""
        self._session = f"/session/{self._send('/session', capabilities=wanted)['sessionId']}"

    def _send(self, path: str, **body: Any) -> Any:
        """Send a command, and return its result."""
        answer = self._client.post(f"{self._session}{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def open(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._send("/url", url=url)

    def run(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        return self._send("/execute/sync", script=f"return {expression}", args=[])


@contextmanager
def firefox(home: Path) -> Iterator[Engine]:
    """Start Firefox, without a window."""
    if not (path := shutil.which("firefox-esr") or shutil.which("firefox")):
        pytest.skip("Firefox is not installed: install the package 'firefox-esr'")
    (home / "user.js").write_text(SETTINGS)
    command = [path, "--headless", "--no-remote", "--profile", str(home)]
    with _process(home, *command, "--remote-debugging-port", "0") as log:
        address = eventually(lambda: re.search(r"BiDi listening on (ws://\S+)", log.read_text()))
        with connect(f"{address[1]}/session", max_size=None) as socket:
            yield Firefox(socket)


@contextmanager
def webkit(home: Path) -> Iterator[Engine]:
    """Start WebKit on a display that nobody sees."""
    driver, display = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browsers = glob(MINI_BROWSER)
    if not (driver and display and browsers):
        pytest.skip("WebKit is not installed: install the packages 'webkit2gtk-driver' and 'xvfb'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    screen = [display, "-displayfd", "1", "-screen", "0", "1000x800x24", "-nolisten", "tcp"]
    with _process(home, *screen) as log:
        number = eventually(lambda: re.search(r"(?m)^\d+$", log.read_text()))
        with _process(home, driver, f"--port={port}", DISPLAY=f":{number[0]}"):
            eventually(lambda: _is_open(port))
            address = f"http://127.0.0.1:{port}"
            with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
                yield WebKit(client, browsers[0])


def _is_open(port: int) -> bool:
    """Return whether something listens at a port."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def _process(home: Path, *command: str, **env: str) -> Iterator[Path]:
    """Run a process in a group of its own, whose output is in a file."""
    log = home / f"{Path(command[0]).name}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            env=clean_env(home, **env),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
        try:
            yield log
        finally:
            os.killpg(process.pid, 9)
            process.wait(PATIENCE)
