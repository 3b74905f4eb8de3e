"""The log: one line per request, nothing secret in it, and no way to flood it."""

import logging
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.http.asgi import HERE, OPEN, app, ask
from zerosum.web.http.log import (
    KINDS,
    PROBLEM_LINES,
    REQUEST_LINES,
    Bug,
    log_request,
    start_log,
    stop_log,
    trace,
)
from zerosum.web.http.middleware import Guard

MATCH = "abcdefghjkmnpqrstuvwxyz234"
NAME = "Ada Lovelace"
LOGGER = logging.getLogger("zerosum.web")


class Clock:
    """A clock that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Log:
    """The lines of the log."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    @property
    def text(self) -> str:
        """The text logged since the last time."""
        return self.capsys.readouterr().err

    @property
    def lines(self) -> list[str]:
        """Its lines since the last time, without their times."""
        found = self.text.splitlines()
        for line in found:
            assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line), line
        return [line.partition(" ")[2] for line in found]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str], clock: Clock) -> Iterator[Log]:
    start_log(quiet=False, clock=clock)
    yield Log(capsys)
    stop_log()


def test_log_line_has_request_and_result(log: Log) -> None:
    ask(app(), f"/m/{MATCH}/next", client="192.0.2.9")
    (line,) = log.lines
    assert line.startswith("GET /m/abcdef/next 200 ")
    assert line.endswith("ms 192.0.2.9")


def test_log_never_reveals_a_match_id(log: Log) -> None:
    secrets = [MATCH[:7], "tokentoken", "querying", "keykeykey", "secret"]
    headers = [HERE, ("cookie", "seat=tokentoken"), ("authorization", "tokentoken")]
    query = "?key=querying"
    ask(app(), f"/m/{MATCH}{query}", headers=headers)
    ask(app(), f"/m/{MATCH}/nothing{query}", headers=headers)
    ask(app(), f"/x/{MATCH}", headers=headers)
    ask(app(), f"/api/v1/matches/{MATCH[:12]}", headers=headers)
    ask(app(), f"/m/{MATCH[:12]}", headers=headers)
    ask(app(), "/", "POST", headers, [b'{"key": "keykeykey"}'])
    ask(app(), "/", "POST", [*headers, ("origin", "http://secret")], [b"keykeykey"])
    text = log.text
    assert len(text.splitlines()) == 7
    for secret in secrets:
        assert secret not in text


def test_path_cannot_inject_log_lines(log: Log) -> None:
    ask(app(), "/x\n2026 GET / 200\x1b[2J" + "/é" * 300)
    (line,) = log.lines
    assert line.isascii()
    assert line.isprintable()
    assert len(line) < 1000


def test_successful_static_requests_are_not_logged(log: Log) -> None:
    log_request("GET", "/static/x", 200, 0.0, "192.0.2.1")
    log_request("GET", "/healthz", 200, 0.0, "192.0.2.1")
    assert log.lines == []
    log_request("GET", "/static/x", 404, 0.0, "192.0.2.1")
    assert len(log.lines) == 1


async def broken(scope: Any, receive: Any, send: Any) -> None:
    raise TypeError("a bug")


def test_quiet_server_logs_only_errors(log: Log) -> None:
    start_log(quiet=True)
    ask(app(), "/")
    assert log.text == ""
    ask(Guard(broken, OPEN))
    text = log.text
    assert "GET / failed\nTraceback" in text
    assert text.endswith("TypeError: a bug\n")


# Names and ids


def undecodable() -> None:
    """Read a name that is not UTF-8, of which SQLite shows everything in its error."""
    db = sqlite3.connect(":memory:")
    try:
        db.execute("select cast(? as text) as name", (NAME.encode() + b"'s \xff",)).fetchall()
    finally:
        db.close()


def test_log_never_shows_a_name_or_an_id_whatever_an_error_says(log: Log) -> None:
    with pytest.raises(sqlite3.OperationalError, match=NAME) as caught:
        undecodable()
    LOGGER.warning("The file is damaged (%s). It was not modified.", caught.value)
    for error in (caught.value, KeyError(NAME), ValueError(f"{NAME} in {MATCH}"), OSError(NAME)):
        try:
            raise RuntimeError(NAME) from error
        except RuntimeError:
            LOGGER.exception("match %s failed", MATCH)
    text = log.text
    assert text.count("RuntimeError\n") == 4
    assert "It was not modified." in text
    try:
        raise Bug(trace(caught.value))  # where a solver process failed
    except Bug:
        LOGGER.exception("GET /learn failed")
    bug = log.text
    assert "Bug in a solver process:\nTraceback" in bug
    assert bug.endswith("OperationalError\n")
    for said in (text, bug):
        assert "OperationalError\n" in said
        assert "in undecodable" in said
        assert not any(secret in said for secret in ("Ada", "Lovelace", MATCH[:7]))


# Floods


def test_repeated_requests_are_counted_and_summed_up(log: Log, clock: Clock) -> None:
    for _ in range(REQUEST_LINES + 412):
        log_request("GET", "/", 200, 0.0, "192.0.2.1")
    log_request("GET", "/", 200, 0.0, "192.0.2.2")
    assert len(log.lines) == REQUEST_LINES + 1
    clock.now += 60
    log_request("GET", "/", 200, 0.0, "192.0.2.1")
    assert log.lines == [
        "… 412 more like this within a minute (requests from 192.0.2.1)",
        "GET / 200 0ms 192.0.2.1",
    ]


@pytest.mark.parametrize("quiet", [True, False])
def test_repeated_tracebacks_are_summed_up(log: Log, clock: Clock, quiet: bool) -> None:
    start_log(quiet, clock)
    for number in range(100):
        ask(Guard(broken, OPEN), f"/{number}", client=f"192.0.2.{number}")
    text = log.text
    assert text.count("Traceback") == PROBLEM_LINES
    clock.now += 60
    ask(Guard(broken, OPEN))
    text = log.text
    assert re.search(r"… 95 more like this within a minute \(test_log.py:\d+\)", text)
    assert text.count("Traceback") == 1


def test_many_addresses_cannot_flood_the_log(log: Log) -> None:
    for number in range(50 * KINDS):
        log_request("GET", "/", 200, 0.0, f"192.0.{number // 250}.{number % 250}")
    assert len(log.lines) == KINDS + REQUEST_LINES
    LOGGER.error("This is still seen.")
    assert log.lines == ["This is still seen."]


def test_endless_error_is_cut(log: Log) -> None:
    def again(depth: int) -> None:
        if not depth:
            raise TypeError("x" * 1_000_000)
        again(depth - 1)

    try:
        again(500)
    except TypeError:
        LOGGER.exception("%s", "y" * 1_000_000)
    assert len(log.text) < 5000
