"""Transcripts of attacks: by every tool, by the rules of a game, and over HTTP."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.assistants.assistant import Assistant, HttpDoor, text_of
from tests.game_files import STICK
from zerosum.lab.audit.processes import authoring
from zerosum.limits import BATCH

SOURCE = Path(STICK).read_text()
OUTSIDE = (
    *("../evil.py", "/etc/passwd", "a/../b.py", "..", "", ".py", "evil.py\0.txt", "a\nb.py"),
    *(
        "~/evil.py",
        "games/evil.py",
        "C:\\evil.py",
        "evil.py:Class",
        "evil.txt",
        "évil.py",
        "x" * 5_000,
    ),
)
FILE_TOOLS: dict[str, dict[str, Any]] = {
    "write_game": {"source": "x = 1"},
    "check_game": {},
    "audit_game": {},
    "try_game": {},
}
LONG = "9" * 5_000
NONSENSE: tuple[Any, ...] = (
    *(None, [], {}, [{"a": [1]}], True, -1, 1.5, 10**400),
    *("", "%", "*", "\0", "\u202e", "../../x", "a' or '1'='1", "http://", "a\nb", LONG),
)


def contents(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder, but not what is always written."""
    found = [path for path in folder.rglob("*") if path.is_file() and ".local" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.mark.parametrize("tool", FILE_TOOLS)
def test_no_path_leads_out_of_the_folder(tool: str, claude: Assistant, user: Path) -> None:
    secret = user / "secret.py"
    secret.write_text(SOURCE)
    link = user / "games" / "link.py"
    if not link.is_symlink():
        link.symlink_to(secret)
    before = contents(user)
    for name in (*OUTSIDE, str(user / "games" / "a.py"), "link.py"):
        result = claude.ask(tool, file=name, **FILE_TOOLS[tool])
        assert result.is_error, (name, text_of(result))
        assert result.structured_content["error"]["code"] == "unknown_game"
    assert contents(user) == before
    for name in ("../secret.py", "link.py", str(secret)):
        for other in ("rules", "new_match", "explain"):
            claude.refused(other, "unknown_game", game=name)


def test_a_file_that_cannot_be_written_leaves_nothing(claude: Assistant, user: Path) -> None:
    folder = user / "games" / "folder.py"
    folder.mkdir()
    before = contents(user)
    claude.refused("write_game", "zerosum_error", file=folder.name, source="x = 1", replace=True)
    assert contents(user) == before
    folder.rmdir()


def test_a_folder_that_is_gone_is_told(claude: Assistant, user: Path) -> None:
    folder = (user / "games").rename(user / "elsewhere")
    try:
        asked = {"game": "even-steven", "opponent": "medium"}
        claude.refused("new_match", "zerosum_error", "is gone. Create it again", **asked)
        claude.refused("write_game", "zerosum_error", file="a.py", source="x = 1")
    finally:
        folder.rename(user / "games")
    assert claude.call("new_match", **asked)["your_turn"]


def test_sizes_and_types_are_limited(claude: Assistant, user: Path) -> None:
    before = contents(user)
    claude.refused("write_game", "option_error", "KiB", file="big.py", source="#" * 300_000)
    claude.refused("write_game", "option_error", "KiB", file="big.py", source="é" * 200_000)
    assert contents(user) == before
    options: tuple[Any, ...] = (
        *({"start": LONG}, {"start": -5}, {"start": "1e9"}, {"start": None}, {"nothing": 1}),
        *({"start": [[[[1]]]]}, {"start": {"a": 1}}, {LONG: 1}, {"start": True}, {"": ""}),
    )
    for given in options:
        for tool in ("new_match", "explain"):
            assert claude.ask(tool, game="even-steven", options=given).is_error
    for game in (LONG, "", " ", "even steven\0", "__class__", "os:system"):
        for tool in ("rules", "new_match", "explain"):
            assert claude.ask(tool, game=game).is_error
    names = {"x" * 41: "invalid", "a\nb": "option_error", "Claude (assistant)": "option_error"}
    for person, code in names.items():
        given = {"game": "even-steven", "opponent": "person", "person": person}
        told = "Person must be" if code == "invalid" else "person: "
        claude.refused("new_match", code, told, **given)
    level = "must be random, easy, medium, hard, perfect or person."
    claude.refused("new_match", "invalid", f"Opponent {level}", game="even-steven", opponent="god")
    claude.refused("try_game", "invalid", "from 1 to 100", file="a.py", games=10**9)
    claude.refused("look", "invalid", "0 to 30", match="abcdefgh", wait=1e9)
    claude.refused("play", "invalid", "Move must be one of the legal moves", match="abcdefgh")
    match = claude.call("new_match", game="even-steven")["match"]
    for move in (LONG, "", "\0", "1; drop table matches", "1\n2", 10**400, -1):
        assert claude.ask("play", match=match, move=move).is_error
    assert claude.call("look", match=match)["ply"] == 0


def test_every_tool_refuses_what_makes_no_sense(claude: Assistant, guest: Assistant) -> None:
    offered = claude.tools()
    schemas = guest.tools() | offered
    assert len(schemas) == 18
    for tool, schema in schemas.items():
        assistant, needed = claude if tool in offered else guest, schema.get("required", ())
        for wrong in NONSENSE if needed else ():
            result = assistant.ask(tool, **dict.fromkeys(needed, wrong))
            assert result.is_error, (tool, wrong)
            assert "bug in Zerosum" not in text_of(result), (tool, wrong)
        told = "the fields are" if schema["properties"] else "no fields are read"
        assistant.refused(tool, "invalid", f"no field 'db'; {told}", db="/etc/passwd")
        if needed == ["match"]:
            lists = "the tool 'matches' lists yours"
            assistant.refused(tool, "no_match", lists, match="abcdefgh")
    for name in ("__init__", "call", "", "x" * 10_000):
        claude.refused(name, "tool_error", "There is no tool")


# What rules try when they are asked for their first position; each must fail, and be told.
ATTEMPTS = {
    "read": "open({secret!r}).read()",
    "list": "os.listdir({home!r})",
    "chdir": "(os.chdir('/'), open(os.path.relpath({secret!r}, '/')).read())",
    "write": "open('stolen.txt', 'w').write('x')",
    "remove": "os.remove('mine.py')",
    "program": "os.system('touch {home}/touched')",
    "network": "socket.create_connection(('127.0.0.1', {port})).close()",
    "name": "socket.getaddrinfo('example.org', 80)",
    "native": "ctypes.CDLL(None).system(b'touch {home}/touched')",
    "variables": "len(os.environ.get('SECRET_KEY') or posix.environ.get(b'SECRET_KEY'))",
    "process": "open('/proc/self/environ').read()",
    "signal": "os.kill(os.getppid(), 9)",
    # What no audit hook is told of.
    "pipe": "os.mkfifo('pipe.py')",
    "file": "os.mknod({home!r} + '/touched')",
    "pidfd": "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 9)",
    "copy": "(sys.modules.pop('posix', 0), importlib.import_module('posix').mkfifo('pipe.py'))",
    "again": "(sys.modules.pop('_posixsubprocess', 0), __import__('_posixsubprocess').fork_exec)",
    "limit": "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (9, 9))",
    "spawn": "util.spawnv_passfds(b'/bin/touch', ['touch', {home!r} + '/touched'], [])",
    "history": "__import__('readline').read_history_file({secret!r})",
    "tcl": "__import__('tkinter').Tcl().eval('exec touch {home}/touched')",
    "interpreter": "__import__('_xxsubinterpreters').create()",
    "folder": "(there := os.open(here, 0), os.chdir(os.path.dirname(json.__file__)),"
    " os.open(os.path.relpath({secret!r}, here), 0, dir_fd=there))",
}


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A server that must not be reached: whoever connects to it waits to be accepted."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def test_rules_see_nothing_but_their_folder(
    claude: Assistant, user: Path, listening: socket.socket
) -> None:
    port = listening.getsockname()[1]
    secret = user / "secret.txt"
    secret.write_text("the secret")
    around = {"secret": str(secret), "home": str(user), "port": port}
    tried = ", ".join(f"lambda: {code.format(**around)}" for code in ATTEMPTS.values())
    body = f"""
        done, here = [], os.getcwd()
        for number, attempt in enumerate([{tried}]):
            try:
                attempt()
                done.append(number)
            except (AttributeError, ImportError, PermissionError, RuntimeError, TypeError):
                pass
            finally:
                os.chdir(here)
        assert not done, done
        return State(self.start, 0)
"""
    names = "ctypes, importlib, json, os, posix, resource, signal, socket, sys"
    source = SOURCE.replace("\n        return State(self.start, 0)\n", body)
    source = f"import {names}\nfrom multiprocessing import util\n{source}"
    claude.call("write_game", file="thief.py", source=source, replace=True)
    before = contents(user)
    checked = claude.call("check_game", file="thief.py")
    assert checked["conforms"], checked
    assert claude.call("new_match", game="thief.py", opponent="easy")["legal"] == ["1", "2", "3"]
    assert contents(user) == before
    with pytest.raises(BlockingIOError):
        listening.accept()


ENDS = {
    "memory": "bytearray(10**11)",
    "exit": "__import__('os')._exit(0)",
}
HANGS = {
    "loop": "all(iter(int, 1)) or list(iter(int, 1))",
    "sleep": "__import__('time').sleep(1000)",
}


def doing(code: str) -> str:
    """Return a game that does something whenever it lists moves."""
    return SOURCE.replace("        return tuple(", f"        {code}\n        return tuple(")


@pytest.mark.parametrize("name", ENDS)
def test_rules_that_crash_cost_only_themselves(name: str, claude: Assistant) -> None:
    claude.call("write_game", file="ends.py", source=doing(ENDS[name]), replace=True)
    checked = claude.call("check_game", file="ends.py")
    assert not checked["conforms"]
    assert {"memory": "MemoryError", "exit": "ends.py, line 22"}[name] in checked["message"]
    result = claude.ask("new_match", game="ends.py", opponent="person")
    assert result.is_error
    told = {"memory": "more memory than is available", "exit": "ends.py, line"}
    assert told[name] in text_of(result)


@pytest.mark.parametrize("name", HANGS)
def test_rules_that_hang_are_stopped(
    name: str, claude: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "loop":
        claude.call("write_game", file="hangs.py", source=doing(HANGS[name]), replace=True)
        refused = ("new_match", "too_hard", "take more than 1 second", "hangs.py, line")
        claude.refused(*refused, game="hangs.py", opponent="person")
        assert claude.call("new_match", game="even-steven", opponent="person")["your_turn"]
    path = tmp_path / "hangs.py"
    path.write_text(doing(HANGS[name]))
    if name == "sleep":
        told = "moves at State(sticks=11, player=0) (hangs.py, line 22) did not answer within 5 s"
        assert told in authoring.check(str(path)).message
    monkeypatch.setattr(authoring, "AUTHOR_SECONDS", {"loop": 25.0, "sleep": 1.0}[name])
    monkeypatch.setattr(authoring, "AUTHOR", BATCH.in_seconds(0.2))
    if name == "loop":
        assert "more than 0.2 s of processor time" in authoring.check(str(path)).message
    else:
        assert "within 1 s" in authoring.try_out(str(path), "easy", 3).missing


def test_http_is_for_this_machine_and_no_page(door: HttpDoor, tmp_path: Path) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    host = f"127.0.0.1:{door.port}"
    wrong = (
        ({"host": "evil.example"}, 421),  # a name that was made to lead here
        ({"host": f"evil.example:{door.port}"}, 421),
        ({"host": f"{host}.evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": f"http://{host}.evil.example"}, 403),
        ({"origin": f"http://127.0.0.1:{door.port + 1}"}, 403),
    )
    with httpx.Client(trust_env=False) as client:
        for headers, status in wrong:
            answer = client.post(door.url, json=asked, headers={**accept, **headers})
            assert answer.status_code == status, headers
        assert client.post(door.url, json=asked, headers=accept).status_code == 200
        assert client.post(door.url, content="x" * 2_000_000).status_code == 413
        form = {"content-type": "text/plain"}
        assert client.post(door.url, content=json.dumps(asked), headers=form).status_code == 400
    others = [
        str(address[4][0])
        for address in socket.getaddrinfo(socket.gethostname(), door.port, socket.AF_INET)
        if not str(address[4][0]).startswith("127.")
    ]
    for address in others:
        with socket.socket() as knocking:
            knocking.settimeout(2)
            assert knocking.connect_ex((address, door.port))


def test_broken_messages_do_not_end_the_server(door: HttpDoor, user: Path) -> None:
    bodies = [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\x00",
        b"\xff" * 9,
        b"[" * 100_000,
        b'{"jsonrpc": "2.0"}',
    ]
    kind = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    with httpx.Client(trust_env=False) as client:
        for body in bodies:
            answer = client.post(door.url, content=body, headers=kind)
            assert 400 <= answer.status_code < 500, (body[:20], answer.text)
            assert "Traceback" not in answer.text
            assert str(user) not in answer.text
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert client.post(door.url, json=asked, headers=kind).status_code == 200
