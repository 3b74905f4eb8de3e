from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.assistants.assistant import Assistant, HttpDoor
from tests.web.support import Server


@pytest.fixture(scope="package")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the user whose assistants these are, with a folder for games."""
    home = tmp_path_factory.mktemp("assistant")
    (home / "games").mkdir()
    return home


@pytest.fixture(scope="package")
def claude(user: Path) -> Iterator[Assistant]:
    """An assistant with everything but a server, on standard input and output."""
    flags = ("--analysis", "--games", str(user / "games"), "--name", "Claude")
    around = {"SECRET_KEY": "hidden", "ZEROSUM_LIMIT_RULES_SECONDS": "1"}
    with Assistant(user, *flags, **around) as assistant:
        yield assistant


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at whose tables the assistant may sit."""
    folder = tmp_path_factory.mktemp("web")
    with Server(folder / "web.db", folder, "--quiet") as running:
        yield running


@pytest.fixture(scope="package")
def door(user: Path, server: Server) -> Iterator[HttpDoor]:
    """A door over HTTP, without analysis and without games, that may reach the server."""
    with HttpDoor(user, "--server", server.url) as running:
        yield running


@pytest.fixture(scope="package")
def guest(user: Path, door: HttpDoor) -> Iterator[Assistant]:
    """An assistant over HTTP."""
    with Assistant(user, url=door.url) as assistant:
        yield assistant
