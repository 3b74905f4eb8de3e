"""A server as a program sees it: requests, the stream of a match, and who we are there."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, InvalidURL
from math import inf
from threading import Event
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Raw

from zerosum.errors import OptionError, StoreError, UnknownGame, ZerosumError
from zerosum.options import Option, written
from zerosum.text import brief, did_you_mean, lower_first
from zerosum.web import answers
from zerosum.web.answers import JSON, Advice, TableView
from zerosum.wording.words import draw, owned

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
# The most that is shown of why a request was refused.
LONGEST_REASON = 1_000
# The coach answers in a few seconds; a stream has a heartbeat every 15 seconds.
ANSWER_SECONDS, QUIET_SECONDS = 30.0, 60.0
# The most names tried that somebody else has.
MOST_NAMESAKES = 50
# Between two attempts: the first is soon, as a restarted server is back soon.
SOON, LATER = 0.25, 5.0


class ServerError(ZerosumError):
    """A refusal of the server, with its code; `table` is the match as it is now."""

    def __init__(self, message: str, table: TableView | None = None, code: str = "") -> None:
        """Take a sentence, the table if it has changed, and the code that the server gave."""
        super().__init__(message)
        self.table = table
        self.code = code


class NoAnswer(ServerError):
    """No answer came: a request may have been carried out, and can be sent again."""


def patiently(
    ask: Callable[[], T],
    tell: Callable[[NoAnswer], object] = lambda error: None,
    tries: float = inf,
) -> T:
    """Ask a server that may be starting again, some times, and tell whoever waits why."""
    pause = SOON
    while True:
        try:
            return ask()
        except NoAnswer as error:
            tries -= 1
            if not tries:
                raise
            tell(error)
        time.sleep(pause)
        pause = min(2 * pause, LATER)


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


def token_at(folder: str, origin: str) -> str | None:
    """Return our token at a server from its file in a folder, if we have one."""
    path = _token_file(folder, origin)
    try:
        with open(path, errors="replace") as file:
            token = file.read(100).strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}.") from error
    if not TOKEN.fullmatch(token):
        raise StoreError(f"{path} does not hold a token. Delete it to get a new one.")
    return token


def keep_token(folder: str, origin: str, token: str) -> None:
    """Write our token at a server to its file, unless there is one."""
    path = _token_file(folder, origin)
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        with suppress(FileExistsError):
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(fd, "w") as file:
                file.write(token)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}.") from error


def _token_file(folder: str, origin: str) -> str:
    """Return the path of the file with our token at a server."""
    return os.path.join(folder, quote(origin, safe=""))


# A value of each kind of option but text.
SAMPLES: dict[str, Any] = {"flag": False, "number": 0, "numbers": (0,)}


class ServerGame(NamedTuple):
    """A game of a server, with its options as flags; the server checks their values."""

    name: str
    options: tuple[Option, ...]

    def variant(self, **values: Any) -> dict[str, Any]:
        """Return what to ask for: the game, and the options not at their defaults."""
        given = [option.name for option in self.options if values[option.name] != option.default]
        return {"game": self.name, "options": {name: written(values[name]) for name in given}}


def _option(declared: answers.GameOption) -> Option:
    """Read how an option is declared by a server."""
    option = Option(declared.name, SAMPLES.get(declared.kind, ""), declared.help)
    return option._replace(default=option.read(declared.default))


class ServerClient:
    """A server, to which we are one person: our tokens are in a folder, a file for each server."""

    def __init__(self, origin: str, folder: str) -> None:
        """Take its address, and the folder."""
        self.origin, self.folder = origin, folder

    def take_name(self, name: str) -> None:
        """Be a bot with a name there, or with one like it that is free; who was one stays it.

        The same key gives the same token again, even if the server has forgotten us meanwhile.
        """
        keep_token(self.folder, f"{self.origin}#key", secrets.token_urlsafe(48))
        key = token_at(self.folder, f"{self.origin}#key")
        for number in range(1, MOST_NAMESAKES):
            tried = name if number == 1 else f"{name} {number}"
            body = {"key": key, "name": tried, "bot": True}
            try:
                with self._asked("/api/v1/me", body, ANSWER_SECONDS, known=False) as answer:
                    enrolled = self._read(answers.Enrolled, self._whole(answer))
            except ServerError as error:
                if error.code == "name_taken":
                    continue
                if error.code == "key_reused":  # we have another name
                    return
                raise
            keep_token(self.folder, self.origin, enrolled.token)
            return
        raise ServerError(f"There are too many bots called {name} on {self.origin}.")

    def ask(self, kind: type[T], path: str, body: dict[str, Any] | None = None) -> T:
        """Send a request once, and read the answer."""
        with self._asked(path, body, ANSWER_SECONDS) as answer:
            return self._read(kind, self._whole(answer))

    def change(
        self,
        path: str,
        body: dict[str, Any],
        tell: Callable[[NoAnswer], object] = lambda error: None,
        tries: float = inf,
    ) -> TableView:
        """Send what changes a table, patiently; with the same key, it is carried out once."""
        body = {"key": secrets.token_urlsafe(24), **body}
        return patiently(lambda: self.ask(TableView, path, body), tell, tries)

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
        """Ask the coach about the position; if nothing is known, raise the reason."""
        found = self.ask(Advice, f"{MATCHES}/{table.id}/coach?ply={table.ply}")
        if not found.standing:
            raise ServerError(found.reason)
        return found

    def tables(self, id: str) -> Iterator[TableView | None]:  # noqa: A002
        """Follow a match: yield its table after each change, and None now and then."""
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
        self, path: str, body: dict[str, Any] | None, seconds: float, known: bool = True
    ) -> Iterator[HTTPResponse]:
        """Send a request, and read the answer's head; follow no redirect.

        Whoever changes anything needs a token, and gets one unless they are not yet `known`.
        """
        headers, data = {"Accept": JSON}, None
        if known and body is not None and token_at(self.folder, self.origin) is None:
            keep_token(self.folder, self.origin, secrets.token_urlsafe(48))
        if token := token_at(self.folder, self.origin):
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
        """Read an answer to its end; one that trickles in is not waited for."""
        content, deadline = b"", time.monotonic() + ANSWER_SECONDS
        while piece := answer.read1(LARGEST + 1 - len(content)):
            content += piece
            if len(content) > LARGEST:
                raise self._strange()
            if time.monotonic() > deadline:
                raise TimeoutError("timed out")
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
            return NoAnswer(brief(refusal.message, LONGEST_REASON))
        message, field = brief(refusal.message, LONGEST_REASON), refusal.field or ""
        option = field.removeprefix("options.")
        if option != field:
            message = f"{option}: {lower_first(message)}"
        if refusal.legal:
            message += f" Legal now: {', '.join(refusal.legal)}."
        return ServerError(message, refusal.state or None, refusal.code)

    def _strange(self) -> ServerError:
        """Return the error for an answer that no Zerosum server gives."""
        return ServerError(f"{self.origin} does not answer like a Zerosum server.")


def position_lines(
    fields: Sequence[answers.ShownField],
    board: answers.Board | None,
    seats: Iterable[tuple[str, Sequence[answers.ShownField]]],
) -> Iterator[str]:
    """Describe a position: its board, its numbers, and those of each player by name."""
    if board is not None:
        yield from draw([[(cell.text, cell.moves) for cell in row] for row in board.rows])
    for field in fields:
        yield f"{field.title}: {field.value}"
    for name, own in seats:
        for field in own:
            yield f"{owned(field.title, name)}: {field.value}"


def ended_text(table: TableView) -> str:
    """Say how a game ended."""
    title = table.captions.title
    stop = "" if title.endswith("!") else "."
    return f"{title}{stop} {table.captions.reason}".rstrip()


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
