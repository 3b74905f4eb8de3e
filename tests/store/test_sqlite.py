"""SQLite files: reading that changes nothing, and disks that cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import zerosum
from tests.store.support import ONE, even, execute, files_in, filled, refused
from zerosum.errors import StoreError, Unwritable
from zerosum.match import Match
from zerosum.store import open_store

HUGE = 10**600 + 7

# Reading.


def test_reading_a_missing_file_does_not_create_it(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "x" / "a.db"), write=False)
    assert store.matches() == []
    assert store.results() == []
    assert store.latest_open() is None
    with pytest.raises(StoreError, match="no match"):
        store.load("abc")
    with pytest.raises(Unwritable):
        store.create(even())
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_reading_an_empty_file_leaves_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    store = open_store(str(path), write=False)
    assert store.matches() == []
    store.close()
    assert files_in(tmp_path) == {"a.db": b""}


def test_reading_modifies_nothing_and_leaves_no_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    before = files_in(tmp_path)
    store = open_store(str(path), write=False)
    assert store.load(id_).match.ply == 3
    assert len(store.matches()) == 1
    store.close()
    assert files_in(tmp_path) == before


def test_a_file_that_is_open_for_reading_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    store = open_store(str(path), write=False)
    with pytest.raises(Unwritable):
        store.append(store.load(id_), ONE)
    with pytest.raises(Unwritable):
        store.create(even())
    store.close()
    assert open_store(str(path)).load(id_).match.ply == 3


def test_a_reader_sees_what_an_open_writer_has_written(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    writer = open_store(path)
    saved = writer.create(even())
    reader = open_store(path, write=False)
    assert reader.load(saved.id) == saved
    saved = writer.append(saved, ONE)
    assert reader.load(saved.id) == saved
    assert open_store(path, write=False).load(saved.id) == saved


def test_options_are_json_that_other_programs_can_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = open_store(str(path))
    store.create(Match.new(zerosum.game("dual-digits", start=HUGE, numbers=(1, 5))))
    store.close()
    ((text,),) = execute(path, "select options from matches")
    assert json.loads(text) == {"start": HUGE, "numbers": [1, 5]}


# Paths and disks that cannot be written.


@pytest.mark.parametrize("path", ["/proc/zerosum/a.db", "/dev/null/a.db", "{tmp}/file/a.db"])
def test_a_path_where_no_file_can_be_created_is_unwritable(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(Unwritable, match=r"a\.db cannot be"):
        open_store(path.format(tmp=tmp_path))
    assert (tmp_path / "file").read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_unwritable(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises(Unwritable):
        open_store(str(folder / "a.db"))


@pytest.mark.parametrize("write", [True, False])
def test_a_path_that_is_too_long_for_sqlite_is_refused(tmp_path: Path, write: bool) -> None:
    filled(tmp_path / "a.db")
    folder = tmp_path / ("x" * 200) / ("y" * 200) / ("z" * 200)
    folder.mkdir(parents=True)
    (folder / "a.db").write_bytes((tmp_path / "a.db").read_bytes())
    refused(folder / "a.db", write)


FULL = """
import resource, sys
from zerosum.errors import Unwritable
from zerosum.match import Event
from zerosum.store import open_store, sqlite
sqlite.WAIT_SECONDS = 0.1
store = open_store(sys.argv[1])
saved = store.load(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
try:
    while True:
        saved = store.append(saved, Event("move", 1))
except Unwritable as error:
    assert store.load(saved.id) == saved
    print(saved.events, error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
again = store if sys.argv[3] == "same" else open_store(sys.argv[1])
again.append(saved, Event("move", 1))
"""


@pytest.mark.parametrize("who", ["same", "other"])
def test_a_full_disk_loses_nothing_and_is_written_again_once_it_has_room(
    tmp_path: Path, who: str
) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), id_, who], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    events, _, reason = done.stdout.partition(" ")
    assert int(events) > 3
    assert "rollback" not in reason  # the disk is the reason, not what came of it
    assert open_store(str(path)).load(id_).match.ply == int(events) + 1
