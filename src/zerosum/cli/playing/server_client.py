"""A server as a program sees it: requests, the stream of a match, and who we are there."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, InvalidURL
from threading import Event
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Raw

from zerosum.cli.config import data_file
from zerosum.errors import OptionError, StoreError, UnknownGame, ZerosumError
from zerosum.options import Option, written
from zerosum.text import brief, did_you_mean, lower_first
from zerosum.web import answers
from zerosum.web.answers import JSON, Advice, TableView

T = TypeVar("T")
MATCHES = "/api/v1/matches"
LINK = r"/m/(?P<match>[\w-]{1,64})"
HOST = r"[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|\[[\w.:%]+\]"
ADDRESS = re.compile(
    rf"(?P<origin>https?://(?:{HOST})(?::(?P<port>\d{{1,5}}))?)(?:{LINK})?/?(?:[?#].*)?",
    re.ASCII | re.IGNORECASE,
)
LAST_PORT = 65_535
TOKEN = re.compile(r"[\w-]{64}", re.ASCII)
# Far more than any table or record has.
LARGEST = 4_000_000
# A question to the coach takes a few seconds; a stream has a heartbeat every 15 seconds.
ANSWER_SECONDS, QUIET_SECONDS = 30.0, 60.0
# Between two attempts: the first is soon, since a server that is restarted is back soon.
SOON, LATER = 0.25, 5.0


class ServerError(ZerosumError):
    """A refusal of the server; `table` is the match as it is now."""

    def __init__(self, message: str, table: TableView | None = None) -> None:
        """Take a sentence, and the table if it has changed."""
        super().__init__(message)
        self.table = table


class NoAnswer(ServerError):
    """No answer came: whether a request was carried out is unknown, and it can be sent again."""


def read_address(url: str) -> tuple[str, str]:
    """Return the address of a server, and the id of the match if it is the link of one.

    >>> read_address("http://127.0.0.1:8000/"), read_address("https://example.org/m/abc")
    (('http://127.0.0.1:8000', ''), ('https://example.org', 'abc'))
    """
    found = ADDRESS.fullmatch(url.strip())
    if found is None or int(found["port"] or 0) > LAST_PORT:
        server = "the address of a server, such as http://127.0.0.1:8000,"
        raise ServerError(f"'{brief(url)}' is neither {server} nor the link of a match.")
    return found["origin"].lower(), found["match"] or ""


def token_at(origin: str, make: bool) -> str | None:
    """Return our token at a server, from a file; it is made when we first take a seat."""
    folder = os.path.join(os.path.dirname(data_file()), "servers")
    path = os.path.join(folder, quote(origin, safe=""))
    try:
        if make and not os.path.exists(path):
            os.makedirs(folder, 0o700, exist_ok=True)
            with suppress(FileExistsError):
                fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with open(fd, "w") as file:
                    file.write(secrets.token_urlsafe(48))
        with open(path, errors="replace") as file:
            token = file.read(100).strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}.") from error
    if not TOKEN.fullmatch(token):
        raise StoreError(f"{path} does not hold a token. Delete it to get a new one.")
    return token


# A value of each kind of option but text.
SAMPLES: dict[str, Any] = {"flag": False, "number": 0, "numbers": (0,)}


class ServerGame(NamedTuple):
    """A game of a server, with its options as flags need them; the server checks their values."""

    name: str
    options: tuple[Option, ...]

    def variant(self, **values: Any) -> dict[str, Any]:
        """Return what to ask for: the game, and the options that are not at their defaults."""
        given = [option.name for option in self.options if values[option.name] != option.default]
        return {"game": self.name, "options": {name: written(values[name]) for name in given}}


def _option(declared: answers.GameOption) -> Option:
    """Read how an option is declared by a server."""
    option = Option(declared.name, SAMPLES.get(declared.kind, ""), declared.help)
    return option._replace(default=option.read(declared.default))


class ServerClient:
    """A server, to which we are one person."""

    def __init__(self, origin: str) -> None:
        """Take its address."""
        self.origin = origin

    def ask(self, kind: type[T], path: str, body: dict[str, Any] | None = None) -> T:
        """Send a request once, and read the answer."""
        with self._asked(path, body, ANSWER_SECONDS) as answer:
            return self._read(kind, self._whole(answer))

    def games(self) -> dict[str, answers.OfferedGame]:
        """Return the games of the server, by name."""
        return {game.name: game for game in self.ask(answers.Games, "/api/v1/games").games}

    def game(self, name: str) -> ServerGame:
        """Find a game on the server."""
        games = self.games()
        key = name.strip().lower().replace("_", "-").replace(" ", "-")
        if key not in games:
            hint = did_you_mean(key, games) or f"its games are {', '.join(games)}."
            raise UnknownGame(f"There is no game '{brief(name)}' on {self.origin}; {hint}")
        try:
            return ServerGame(key, tuple(map(_option, games[key].options)))
        except OptionError as error:
            raise self._strange() from error

    def record(self, id: str) -> str:  # noqa: A002
        """Return the record of a match."""
        record = self.ask(Raw, f"{MATCHES}/{id}/record")
        return msgspec.json.format(record, indent=2).decode()

    def advice(self, table: TableView) -> Advice:
        """Ask the coach about the position; if nothing is known, the reason is an error."""
        content = self.ask(Raw, f"{MATCHES}/{table.id}/coach?ply={table.ply}")
        try:
            return self._read(Advice, content)
        except ServerError:
            raise ServerError(self._read(answers.NothingKnown, content).reason) from None

    def tables(self, id: str) -> Iterator[TableView | None]:  # noqa: A002
        """Follow a match: yield its table whenever it has changed, and None now and then."""
        kind, data = "", b""
        with self._asked(f"{MATCHES}/{id}/events", None, QUIET_SECONDS) as answer:
            while line := answer.readline(LARGEST):
                name, _, value = line.rstrip(b"\r\n").partition(b": ")
                if name == b"event":
                    kind = value.decode("ascii", "replace")
                elif name == b"data":
                    data += value
                elif not name:
                    if kind == "end":
                        self.ask(TableView, f"{MATCHES}/{id}")  # which is refused with the reason
                        raise ServerError("Nothing more will come from this match.")
                    yield self._read(TableView, data) if kind == "table" else None
                    kind, data = "", b""
                if len(line) + len(data) > LARGEST:
                    raise self._strange()
        raise NoAnswer(f"{self.origin} has closed the connection.")

    @contextmanager
    def _asked(
        self, path: str, body: dict[str, Any] | None, seconds: float
    ) -> Iterator[HTTPResponse]:
        """Send a request, and read the head of the answer; no redirect is followed."""
        headers, data = {"Accept": JSON}, None
        if token := token_at(self.origin, make=body is not None):
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            data, headers["Content-Type"] = msgspec.json.encode(body), JSON
        scheme, _, host = self.origin.partition("://")
        kind = HTTPSConnection if scheme == "https" else HTTPConnection
        with closing(kind(host, timeout=seconds)) as connection:
            try:
                connection.request("GET" if body is None else "POST", path, data, headers)
                with connection.getresponse() as answer:
                    if answer.status >= 300:
                        raise self._refusal(answer)
                    yield answer
            except InvalidURL as error:  # made of what the server has sent
                raise self._strange() from error
            except (OSError, HTTPException) as error:
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
                told = brief(reason, 200).rstrip(".")
                raise NoAnswer(f"{self.origin} does not answer: {told}.") from error

    def _read(self, kind: type[T], content: bytes) -> T:
        """Read a document."""
        try:
            return answers.read(kind, content)
        except (ValueError, RecursionError) as error:
            raise self._strange() from error

    def _whole(self, answer: HTTPResponse) -> bytes:
        """Read an answer to its end."""
        content = answer.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise self._strange()
        return content

    def _refusal(self, answer: HTTPResponse) -> ServerError:
        """Read why a request was refused, or redirected."""
        if answer.status < 400:
            place = brief(answer.getheader("location", "nowhere"), 200)
            return ServerError(f"{self.origin} redirects to {place}. If you trust that, use it.")
        content = self._whole(answer)
        try:
            refusal = self._read(answers.Error, content).error
        except ServerError as error:
            # A proxy answers like this while the server is away.
            return NoAnswer(str(error)) if answer.status in (502, 503, 504) else error
        if answer.status in (500, 503):
            return NoAnswer(refusal.message)
        message, field = refusal.message, refusal.field or ""
        option = field.removeprefix("options.")
        if option != field:
            message = f"{option}: {lower_first(message)}"
        if refusal.legal:
            message += f" Legal now: {', '.join(refusal.legal)}."
        return ServerError(message, refusal.state or None)

    def _strange(self) -> ServerError:
        """Return the error for an answer that no Zerosum server gives."""
        return ServerError(f"{self.origin} does not answer like a Zerosum server.")


def follow(
    server: ServerClient, match: str, tell: Callable[[TableView | ServerError], None], left: Event
) -> None:
    """Pass on every table of a match, and why none comes, until it is left or has ended."""
    pause = SOON
    while not left.is_set():
        try:
            for table in server.tables(match):
                if left.is_set():
                    return
                if table is not None:
                    tell(table)
                pause = SOON
        except NoAnswer as error:
            if pause == SOON:  # the first time
                tell(error)
        except ServerError as error:
            tell(error)
            return
        left.wait(pause)
        pause = min(2 * pause, LATER)
