"""`zerosum export` and `import`: records that are right, wrong or strange."""

import json
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.cli.support import document, first_id, helpful, run
from tests.cli.test_history import played
from tests.game_files import COUNTDOWN, STICK
from tests.helpers import stored
from zerosum.match import Match
from zerosum.record import to_record


def test_exported_record_is_imported_unchanged(home: Path) -> None:
    match = played(home, "dual-digits", typed="4\n3\nquit\n")
    record = document(home, "export", match, schema="match")
    assert record["rounds"][0]["moves"] == [4, 3]
    assert run(home, "export", match, "-o", "match.json").returncode == 0
    assert json.loads((home / "match.json").read_text()) == record
    again = run(home, "export", match, "-o", "match.json")
    helpful(again, 1, "match.json already exists; not overwritten.")
    other = ("--db", "other.db")
    taken = document(home, "import", "match.json", *other, schema="import")
    assert taken == {"format": "zerosum-import", "version": 1, "id": match, "new": True}
    taken = document(home, "import", "match.json", *other, schema="import")
    assert not taken["new"]
    back = document(home, "export", match, *other, schema="match")
    assert {**back, "updated": ""} == {**record, "updated": ""}
    # A record that shares the id of another match does not overwrite it.
    record["rounds"][0]["moves"] = [4]
    taken = document(home, "import", "-", *other, schema="import", typed=json.dumps(record))
    assert taken["new"]
    assert taken["id"] != match
    assert document(home, "export", match, *other, schema="match")["rounds"][0]["moves"] == [4, 3]


def test_record_of_an_own_game_needs_its_file(home: Path) -> None:
    (home / "last_stick.py").write_text(Path(STICK).read_text())
    match = played(home, "./last_stick.py", typed="1\nquit\n")
    own = ("--game", "./last_stick.py")
    assert run(home, "export", match, "-o", "m.json", *own).returncode == 0
    helpful(run(home, "import", "m.json", "--db", "other.db"), 1, "--game")
    done = run(home, "import", "m.json", "--db", "other.db", *own)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"show {match} --game ./last_stick.py --db other.db\n")


def record(**changes: Any) -> dict[str, Any]:
    """A series of two games, the second of them begun; with changes."""
    match = Match.new(zerosum.game("dual-digits", start=5), ("Ada", "Bob"), games=3)
    match = match.play(4).play(1).next_game().play(2)
    return {**to_record(match), **changes}


def changed(*rounds: dict[str, Any]) -> list[dict[str, Any]]:
    """The games of the record, with some of the fields of each changed."""
    return [{**old, **new} for old, new in zip(record()["rounds"], rounds, strict=False)]


NESTED = "[" * 900 + "]" * 900


# Every kind of fault is in tests/test_record.py; these show what a terminal may meet.
BAD_RECORDS: dict[str, tuple[Any, list[str]]] = {
    "binary": (bytes(range(256)) * 40, ["not valid JSON"]),
    "object": ({}, ["not a record of a match", "zerosum-match"]),
    "deep": ("[" * 200_000, ["not valid JSON"]),
    "deep option": (json.dumps(record()).replace('"start": 5', f'"start": {NESTED}'), ["start"]),
    "surrogate in a name": (record(players=["\ud800", "Bob"]), ["cannot be printed"]),
    "wrong score": (record(score=[1, 0]), ["score", "[1, 0]", "[0, 1]"]),
}


def test_wrong_record_is_refused_and_the_fault_located(home: Path) -> None:
    for wrong, says in BAD_RECORDS.values():
        text = wrong if isinstance(wrong, (str, bytes)) else json.dumps(wrong)
        (home / "r.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        helpful(run(home, "import", "r.json"), 1, *says)
    assert not (home / ".local").exists()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_of_json_are_read(home: Path, encoding: str) -> None:
    text = json.dumps(record(players=["Zoë", "李"]), ensure_ascii=False)
    (home / "r.json").write_bytes(text.encode(encoding))
    assert run(home, "import", "r.json").returncode == 0
    assert stored(home).players == ("Zoë", "李")


def test_unreadable_file_is_an_error(home: Path) -> None:
    for file in (".", "/dev/null/x", "x" * 5000):
        helpful(run(home, "import", file), 1, "cannot be read")
    helpful(run(home, "review", "nothing.json"), 1, "There is no file nothing.json.")
    helpful(run(home, "import", "/dev/zero"), 1, "too large for a record")


def test_record_never_runs_a_file_that_it_names(home: Path) -> None:
    (home / "evil.py").write_text(f"open({str(home / 'ran')!r}, 'w').close()\n{COUNTDOWN}")
    for name in ("./evil.py", str(home / "evil.py"), "evil.py", "./evil.py:Countdown"):
        document = record(game=name, options={}, games=1, rounds=[], score=[0, 0])
        document["rounds"] = [{"first": 0, "moves": [1], "end": None}]
        done = run(home, "import", "-", typed=json.dumps(document))
        assert not (home / "ran").exists(), name
        helpful(done, 1)


@pytest.mark.parametrize(
    ("key", "value"),
    [("id", "\x1b[31mred"), ("id", "../../x"), ("id", "a"), ("remark", "\x1b[31mred")],
)
def test_metadata_of_a_record_reaches_no_terminal_raw(home: Path, key: str, value: Any) -> None:
    done = run(home, "import", "-", typed=json.dumps(record(**{key: value})))
    id_ = first_id(home)
    shown = [done, run(home, "show", id_), run(home, "history"), run(home, "resume")]
    assert [said.returncode for said in shown] == [0, 0, 0, 0]
    assert not any("\x1b" in said.stdout + said.stderr for said in shown)
    exported = run(home, "export", id_)
    assert exported.returncode == 0
    again = run(home, "import", "-", typed=exported.stdout)
    assert "is already here. Show it with" in again.stdout


def test_series_between_two_games_is_recognised(home: Path) -> None:
    done = run(home, "play", "even-steven", "--start", "1", "--games", "3", "--json", typed="1\n")
    (home / "friend").mkdir()
    imports = [run(home / "friend", "import", "-", "--json", typed=done.stdout) for _ in range(2)]
    assert [json.loads(said.stdout)["new"] for said in imports] == [True, False]
    assert "is already here" in run(home, "import", "-", typed=done.stdout).stdout


def test_id_that_another_begins_with_can_be_imported(home: Path) -> None:
    short, long = record(id="abcdef"), record(id="abcdefgh", players=["Cy", "Dee"])
    for imported in (long, short, short):
        assert run(home, "import", "-", typed=json.dumps(imported)).returncode == 0
    assert "Ada" in run(home, "show", "abcdef").stdout
    assert len(json.loads(run(home, "history", "--json").stdout)["matches"]) == 2
