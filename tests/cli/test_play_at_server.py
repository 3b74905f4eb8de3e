"""`zerosum play --server`: at a table of a real server, on a terminal and in pipes."""

import contextlib
import json
import re
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.cli.support import helpful, run, validator
from tests.game_files import NOUGHTS
from tests.helpers import Terminal
from tests.web.support import Server, saved_events
from zerosum.match import Event
from zerosum.web import client
from zerosum.web.answers import TableView
from zerosum.web.client import LARGEST, NoAnswer, ServerClient, ServerError

PROMPT = "Enter your choice: "
GAME = ("even-steven", "--start", "6")
WAITING = "Waiting for your friend: "


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with Server(folder / "a.db", folder, str(NOUGHTS), "--quiet", prompt=True) as running:
        yield running


@pytest.fixture
def homes(tmp_path: Path) -> tuple[Path, Path]:
    """The homes of two people, each with a token of their own."""
    ada, bob = tmp_path / "ada", tmp_path / "bob"
    ada.mkdir()
    bob.mkdir()
    return ada, bob


def link_in(terminal: Terminal) -> str:
    """Wait for an invitation, and return its link."""
    terminal.expect(WAITING)
    found = re.search(r"http://\S+/m/\w+", terminal.seen)
    assert found
    return found[0]


def id_of(link: str) -> str:
    return link.rpartition("/")[2]


def test_two_terminals_play_a_game_to_its_end_and_a_rematch(
    server: Server, homes: tuple[Path, Path]
) -> None:
    new = ("play", *GAME, "--server", server.url, "--names", "Ada", "Bob")
    with Terminal(homes[0], *new) as ada:
        link = link_in(ada)
        ada.answer(("", "1"), ("The game begins when your opponent joins.", ""))
        with Terminal(homes[1], "play", "--server", link) as bob:
            bob.answer(("Join Ada as [Bob]: ", "save"), ("as [Bob]: ", "Ada"))
            bob.answer(("need different names.", ""))
            ada.expect("Bob joined.", "Number: 6")
            bob.expect("Waiting for Ada: ")
            players = (ada, bob)
            for turn, (move, left) in enumerate([("1", 5), ("1", 4), ("2", 2), ("1", 1)]):
                players[turn % 2].expect(PROMPT)
                players[turn % 2].type(move)
                players[1 - turn % 2].expect(f"Number: {left}")
            ada.answer((PROMPT, "1"))
            ada.expect("You won! You reached 0.", "Rematch or quit? [quit]: ")
            bob.expect("You lost. Ada reached 0.", "Rematch or quit? [quit]: ")
            ada.type("rematch")
            bob.expect("Ada wants a rematch.", "Rematch or quit? [quit]: ")
            bob.type("accept")
            bob.expect("A rematch begins.", "Even-Steven (start 6): You against Ada", PROMPT)
            ada.expect("Even-Steven (start 6): You against Bob", "Waiting for Bob: ")
            bob.type("resign")
            bob.answer(("(yes or no): ", "yes"), ("Rematch or quit? [quit]: ", ""))
            assert bob.wait() == 0
        ada.expect("Bob resigns.", "Rematch or quit? [quit]: ")
        ada.type("quit")
        assert ada.wait() == 0
    events = saved_events(server.db, id_of(link))
    assert events == [Event("move", move) for move in (1, 1, 2, 1, 1)]
    for home in homes:
        (token,) = (home / ".local/share/zerosum/servers").iterdir()
        assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_terminal_and_another_program_sit_at_one_table(
    server: Server, homes: tuple[Path, Path]
) -> None:
    phone = server.visitor()
    with Terminal(homes[0], "play", *GAME, "--server", server.url) as ada:
        phone.join(id_of(link_in(ada)), "Bob")
        ada.answer((PROMPT, "two"), ("is not a whole number", "1"))
        ada.expect("Waiting for Bob: ")
        ada.press("dra")  # what is typed stays when something happens
        phone.see()
        phone.do("draw")
        ada.expect("Bob offers a draw.", "Waiting for Bob: dra")
        ada.press("\b\b\b")
        ada.type("decline")
        ada.expect("You declined the draw.")
        phone.do("move", move="1")
        ada.expect("Bob: subtract 1, leaving 4.", "Number: 4", PROMPT)
        ada.answer(("", "undo"), ("You ask to take a move back.", "decline"))
        ada.expect("You withdrew the offer.")
        phone.do("resign")
        ada.expect("Bob resigns.", "You won!")


def test_server_is_killed_and_started_again_in_the_middle(
    homes: tuple[Path, Path], tmp_path: Path
) -> None:
    """A move that was typed while the server is away is played once, when it is back."""
    server = Server(tmp_path / "a.db", tmp_path, "--quiet")
    with server, Terminal(homes[0], "play", *GAME, "--server", server.url) as ada:
        phone = server.visitor()
        phone.join(id_of(link_in(ada)), "Bob")
        ada.expect(PROMPT)
        server.kill()
        ada.expect("has closed the connection. Trying again until it does")
        ada.answer((PROMPT, "1"))
        server.start()
        ada.expect("The server answers again.", "You: subtract 1", "Waiting for Bob: ")
        phone.at(server).do("move", move="1")
        ada.expect("Bob: subtract 1", PROMPT)
        ada.press("\x03")
        assert ada.wait() == 130
        assert ada.seen.count("Trying again") == 1
        link = f"{server.url}/m/{phone.id}"
        assert f"Resume with: python -m zerosum play --server {link}" in ada.seen
        assert saved_events(server.db, phone.id) == [Event("move", 1), Event("move", 1)]
        with Terminal(homes[0], "play", "--server", link) as again:
            again.expect("Bob: subtract 1")
            again.answer((PROMPT, "2"))
            again.expect("You: divide by 2", "Waiting for Bob: ")
            again.press("\x04")
            assert again.wait() == 0
            assert again.seen.count("Resume with: ") == 1


def test_people_without_names_are_never_player_1_to_each_other(
    server: Server, homes: tuple[Path, Path]
) -> None:
    with Terminal(homes[0], "play", *GAME, "--server", server.url) as host:
        with Terminal(homes[1], "play", "--server", link_in(host)) as guest:
            guest.expect("You have been invited to a game of Even-Steven")
            guest.answer(("Join as [no name]: ", ""))
            host.expect("Your opponent joined.", PROMPT)
            guest.answer(("Waiting for your opponent: ", "quit"))
            assert guest.wait() == 0
            assert "Player" not in guest.seen
        host.answer(("", "1"), ("Waiting for your opponent: ", "quit"))
        assert host.wait() == 0
        assert "Player" not in host.seen
    listed = run(homes[0], "history", "--db", server.db).stdout
    assert "Host - Guest, unfinished\n" in listed


def test_piped_moves_wait_for_the_computer(server: Server, home: Path) -> None:
    """The record is the only thing on standard output; a refused move is not played."""
    flags = ("--vs", "random", "--first", "1", "--server", server.url, "--plain")
    typed = "2\n2\n1\nmoves\nhint\nresign\n"
    done = run(home, "play", "even-steven", *flags, "--start", "9", "--json", typed=typed)
    assert done.returncode == 0
    record = json.loads(done.stdout)
    validator("match").validate(record)
    assert record["rounds"][0]["moves"][0] == 1
    said = done.stderr
    assert said.count(f"{PROMPT}2\nOnly an even number can be divided by 2. Legal now: 1.") == 2
    assert f"{PROMPT}moves\n1: Subtract 1" in said
    assert re.search(r"hint\n.* (−1|÷2) → \d\..* \(Type [12]\.\)\n", said)
    assert "You resign." in said
    assert "\x1b" not in said


def test_draw_with_the_computer_and_resignation_are_asked_about_first(
    server: Server, home: Path
) -> None:
    play = ("play", "even-steven", "--start", "9", "--vs", "perfect", "--first", "1")
    with Terminal(home, *play, "--server", server.url) as terminal:
        terminal.answer((PROMPT, "draw"), ("Offer a draw? (yes or no): ", "no"))
        terminal.expect("The game goes on.")
        terminal.answer((PROMPT, "resign"), ("Resign? Your opponent wins", "perhaps"))
        terminal.expect("Type yes or no.")
        terminal.answer(("Resign? Your opponent wins", "quit"))
        assert terminal.wait() == 0
        assert "Resume with: " in terminal.seen
    with Terminal(home, *play, "--server", server.url) as terminal:
        terminal.answer((PROMPT, "resign"), ("Resign? Your opponent wins", "yes"))
        terminal.expect("You resign.")
    refused = run(home, *play[:4], "--first", "me", "--server", server.url)
    helpful(refused, 2, "'me' works only with --vs")


def test_game_that_only_the_server_has_is_played_with_its_board_and_coach(
    server: Server, home: Path
) -> None:
    args = ("play", "noughts-and-crosses", "--server", server.url, "--vs", "perfect", "--coach")
    done = run(home, *args, typed="b2\nwhy\nrules\nh\nhnit\nun\ncoach\nsave\n")
    assert done.returncode == 0, done.stderr
    out = done.stdout
    assert "a1 │ b1 │ c1\na2 │ b2 │ c2\n" in out
    assert "a2 │ X  │ c2\n" in out
    assert "Coach: " in out
    assert "Noughts and Crosses" in out.partition(": rules\n")[2]
    assert "help: this list" in out
    assert "Did you mean hint?\n" in out
    assert "2 moves were taken back." in out
    assert "You turned the coach off." in out
    assert "Resume with: " in out
    assert "Resume with: " in done.stderr


def test_series_goes_on_by_itself_between_pipes(server: Server, home: Path) -> None:
    args = ("--vs", "random", "--games", "2", "--server", server.url)
    done = run(home, "play", "even-steven", *args, typed="resign\nresign\n")
    assert done.returncode == 0, done.stderr
    assert "Score after game 2: You 0, Computer (random) 2." in done.stdout


def test_options_are_those_of_the_server(server: Server, home: Path) -> None:
    play = ("play", "even-steven", "--server", server.url)
    assert "--start NUMBER" in run(home, *play, "--help").stdout
    helpful(run(home, *play, "--start", "0"), 1, "start: must be a whole number of at least 1")
    helpful(run(home, *play, "--start", "x"), 2, "'x' is not a whole number")
    helpful(run(home, *play, "--vs", "deep"), 1, "level must be random, easy")
    helpful(run(home, "play", "chess", "--server", server.url), 2, "There is no game 'chess' on")
    helpful(run(home, "play", "--server", server.url), 2, "Choose a game of http", "noughts")
    for flag in (("--watch", "easy", "hard"), ("--seed", "3"), ("--quiet",)):
        helpful(run(home, *play, *flag), 2, "does not work with --server")


def test_tables_that_cannot_be_played_at(server: Server, homes: tuple[Path, Path]) -> None:
    """A private one, one that does not exist, a full one, and one that is given a game."""
    ada, eve = server.visitor(), homes[1]
    ada.create(mode="bot")
    private = run(eve, "play", "--server", f"{server.url}/m/{ada.id}")
    helpful(private, 1, "This game is private.")
    helpful(run(eve, "play", "--server", f"{server.url}/m/{'a' * 26}"), 1, "no such match")
    given = run(eve, "play", "even-steven", "--server", f"{server.url}/m/{ada.id}")
    helpful(given, 2, "is for a new match")
    ada, _ = server.pair("even-steven")
    with Terminal(eve, "play", "--server", f"{server.url}/m/{ada.id}") as full:
        full.answer(
            ("Watching; 'quit' to stop: ", "1"),
            ("You are watching; only the players can", "resign"),
        )
        full.answer(("(yes or no): ", "yes"), ("You are watching; only the players can", ""))
        ada.do("resign")
        full.expect("resigns.", "won.")
        assert full.wait() == 0


class Strange(BaseHTTPRequestHandler):
    """A site that is not ours: it redirects, or answers with what no table may hold."""

    tables: ClassVar[dict[str, Any]] = {}

    def do_GET(self) -> None:
        """Answer by the path."""
        name = self.path.rpartition("/")[2]
        if self.path == "/api/v1/games":
            self.send_response(302)
            self.send_header("Location", "https://example.org/\x1b[2J")
        else:
            self.send_response(422 if name == "refused" else 200)
        self.end_headers()
        if name == "long":
            self.wfile.write(b" " * (LARGEST + 1))
        elif name in self.tables:
            self.wfile.write(json.dumps(self.tables[name]).encode())
        else:
            self.wfile.write(b"[" * 100_000)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing."""


@pytest.fixture
def strange() -> Iterator[str]:
    """The address of a site that is not ours."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), Strange)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    thread.join()
    site.server_close()


def test_later_server_is_understood_and_nothing_it_says_is_obeyed(
    server: Server, strange: str, home: Path
) -> None:
    table = server.visitor().create("even-steven") | {"you": [], "can": []}
    later = table | {"over": True, "turn": None, "rating": 1500, "mode": "team"}
    said = {"change": 9, "ply": 0, "kind": "fanfare", "player": None, "move": None}
    later["news"] = [{**said, "text": "Hi\x1b[2J", "colour": "red"}]
    nobody = table | {"turn": {"player": 7, "yours": True, "text": "", "prompt": ""}}
    Strange.tables = {"later": later, "nobody": nobody, "silent": later | {"news": []}}
    done = run(home, "play", "--server", f"{strange}/m/later")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nHi�[2J\n" in done.stdout
    assert run(home, "play", "--server", f"{strange}/m/silent").returncode == 0
    done = run(home, "play", "--server", f"{strange}/m/nobody")
    helpful(done, 1, "does not answer like a Zerosum server")
    Strange.tables["odd"] = table | {"id": "x\x1b[2J"}
    done = run(home, "play", "--server", f"{strange}/m/odd")
    assert (done.returncode, "does not answer like" in done.stderr) == (1, True)
    Strange.tables["refused"] = {"error": {"code": "no", "message": "No\x1b[2J" + "!" * 99_999}}
    with pytest.raises(ServerError, match=r"^No�\[2J!+… \(100005 characters\)$") as refusal:
        ServerClient(strange, str(home)).ask(TableView, "/refused")
    assert len(str(refusal.value)) < 1_100


def test_addresses_that_are_no_server(home: Path, strange: str) -> None:
    misread = "ftp://127.0.0.1", "localhost", "http://", "http://a@b", "http://a..b", "http://[", ""
    for url in (*misread, "m/abc"):
        helpful(run(home, "play", "even-steven", "--server", url), 2, "is neither the address of")
    for url in ("http://127.0.0.1:1/games", "http://127.0.0.1:1/m/a/review"):
        helpful(run(home, "play", "--server", url), 2, "nor the link of a match")
    helpful(
        run(home, "play", "x", "--server", "http://127.0.0.1:1"), 1, "does not answer: Connection"
    )
    helpful(run(home, "play", "x", "--server", strange), 1, "redirects to https://example.org/�[2J")
    for match in ("deep", "long"):
        done = run(home, "play", "--server", f"{strange}/m/{match}")
        helpful(done, 1, "does not answer like a Zerosum server")
    tokens = home / ".local/share/zerosum/servers"
    assert not tokens.exists()
    tokens.mkdir(parents=True)
    (tokens / "http%3A%2F%2F127.0.0.1%3A1").write_bytes(b"\xff" * 64)
    done = run(home, "play", "x", "--server", "http://127.0.0.1:1")
    helpful(done, 1, "127.0.0.1%3A1 does not hold a token. Delete it")


def test_neither_the_web_extra_nor_a_slower_start_is_needed() -> None:
    imports = (
        "import sys, zerosum.cli.commands.play; print('http.client' in sys.modules);"
        "sys.modules['starlette'] = None; import zerosum.cli.playing.server_session"
    )
    done = subprocess.run([sys.executable, "-c", imports], check=True, capture_output=True)
    assert done.stdout == b"False\n"


def test_an_answer_that_trickles_in_is_not_waited_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.5)

    def trickle(listener: socket.socket) -> None:
        taken, _ = listener.accept()
        with taken, contextlib.suppress(OSError):
            taken.recv(65536)
            taken.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(200):
                taken.sendall(b" ")
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=trickle, args=(listener,))
        thread.start()
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(NoAnswer, match="does not answer: timed out"):
            ServerClient(origin, str(home)).ask(TableView, "/slow")
        assert time.monotonic() - began < 5
        thread.join()
