"""SQLite files: reading that changes nothing, modes, names, and disks that cannot be written."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.store.support import ONE, even, files_in, filled, open_both
from zerosum.errors import StoreError, Unwritable
from zerosum.store import open_store

# Reading.


def test_reading_creates_nothing(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "x" / "a.db"), write=False)
    assert store.matches() == []
    assert store.results() == []
    assert store.latest(unfinished=True) is None
    with pytest.raises(StoreError, match="no match"):
        store.load("abc")
    with pytest.raises(Unwritable):
        store.create(even())
    store.close()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    store = open_store(str(tmp_path / "empty.db"), write=False)
    assert store.matches() == []
    store.close()
    assert files_in(tmp_path) == {"empty.db": b""}


def test_reading_modifies_nothing_and_leaves_no_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    before = files_in(tmp_path)
    store = open_store(str(path), write=False)
    assert store.load(id_).match.ply == 3
    assert len(store.matches()) == 1
    with pytest.raises(Unwritable):
        store.append(store.load(id_), ONE)
    with pytest.raises(Unwritable):
        store.create(even())
    store.close()
    assert files_in(tmp_path) == before


# Paths and disks that cannot be written.


@pytest.mark.parametrize("path", ["/proc/zerosum/a.db", "{tmp}/file/a.db"])
def test_a_path_where_no_file_can_be_created_is_unwritable(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(Unwritable, match=r"a\.db cannot be"):
        open_store(path.format(tmp=tmp_path))
    assert (tmp_path / "file").read_text() == "a file"


def test_a_read_only_file_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(tmp_path / "a.db"))
    store.database.rows("pragma query_only = on")
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    with pytest.raises(Unwritable, match=r"cannot be used: it is on a read-only file system\."):
        store.create(even())
    store.close()


# Modes, names, and what happens to a file while it is open.


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_files_are_created_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = open_store(str(tmp_path / "x" / "a.db"))
        store.create(even())
    finally:
        os.umask(before)
    assert mode(tmp_path / "x") == 0o700
    assert {path.name: mode(path) for path in (tmp_path / "x").iterdir()} == {
        "a.db": 0o600,
        "a.db-shm": 0o600,
        "a.db-wal": 0o600,
    }
    store.close()


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_file_that_is_no_longer_there_is_not_used(tmp_path: Path, how: str) -> None:
    path, elsewhere = tmp_path / "a.db", tmp_path / "b.db"
    store = open_both(path)
    saved = store.create(even())
    if how == "deleted":
        path.unlink()
    else:
        path.rename(elsewhere)
    if how == "replaced":
        filled(path)
    before = files_in(tmp_path)
    for use in (store.matches, lambda: store.load(saved.id), lambda: store.append(saved, ONE)):
        with pytest.raises(Unwritable, match="was deleted or replaced"):
            use()
    with pytest.raises(Unwritable):
        store.server.again()
    assert files_in(tmp_path) == before
    if how == "moved":
        elsewhere.rename(path)
        assert store.append(saved, ONE).match.ply == 1
    store.close()


def test_write_into_a_file_that_is_deleted_meanwhile_is_not_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = open_store(str(path))
    with pytest.raises(Unwritable):
        store.database.transact(path.unlink)
    store.close()


def test_file_with_two_names_is_not_written(tmp_path: Path) -> None:
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    open_store(str(first)).close()
    os.link(first, second)
    for path in (first, second):
        with pytest.raises(StoreError, match=rf"{path} has a second name \(a hard link\)"):
            open_store(str(path))
        open_store(str(path), write=False).close()
    second.unlink()
    open_store(str(first)).close()


NO_ROOM = """
import resource, sys
from zerosum.store import open_store
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
store = open_store(sys.argv[1], write=False)
print(len(store.matches()), store.load(sys.argv[2]).match.ply)
store.close()
"""


@pytest.mark.parametrize("journal", [True, False])
def test_full_disk_can_be_read(tmp_path: Path, journal: bool) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    if journal:  # as a killed process leaves it
        store = open_store(str(path))
        store.append(store.load(id_), ONE)
        left = files_in(tmp_path)
        store.close()
        for name in ("a.db", "a.db-wal"):
            (tmp_path / name).write_bytes(left[name])
    command = [sys.executable, "-c", NO_ROOM, str(path), id_]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == f"1 {3 + journal}\n", done.stderr
