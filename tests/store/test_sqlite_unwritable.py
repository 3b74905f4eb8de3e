"""Places where nothing can be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.support import filled, refused
from zerosum.store import SqliteStore
from zerosum.store.base import Unwritable


@pytest.mark.parametrize("place", ["/proc/zerosum/a.db", "/dev/null/a.db", "{tmp}/file/a.db"])
def test_a_place_that_takes_nothing_is_unwritable(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(Unwritable, match=r"a\.db cannot be"):
        SqliteStore(place.format(tmp=tmp_path))
    assert (tmp_path / "file").read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_unwritable(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises(Unwritable):
        SqliteStore(str(folder / "a.db"))


def test_a_full_disk_is_unwritable_and_what_was_kept_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    script = """
import resource, sys
from zerosum.match import Event
from zerosum.store import SqliteStore
from zerosum.store.base import Unwritable
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
store = SqliteStore(sys.argv[1])
saved = store.load(sys.argv[2])
match, events = saved.match, saved.events
try:
    while True:
        match = match.play(1)
        store.append(saved.id, events, Event("move", 1), match)
        events += 1
except Unwritable as error:
    print(events, store.load(saved.id).events)
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), id_], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    counts, _, sentence = done.stdout.partition("\n")
    kept, read = map(int, counts.split())
    assert 3 < kept == read
    assert "rollback" not in sentence  # the reason is the disk, not what came of it
    assert SqliteStore(str(path)).load(id_).match.ply == kept


FULL = """
import resource, sys
from zerosum.match import Event
from zerosum.store import SqliteStore, file
from zerosum.store.base import Unwritable
file.WAIT_SECONDS = 0.1
store = SqliteStore(sys.argv[1])
saved = store.load(sys.argv[2])
match, events = saved.match, saved.events
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
try:
    while True:
        after = match.play(1)
        store.append(saved.id, events, Event("move", 1), after)
        match, events = after, events + 1
except Unwritable:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
again = store if sys.argv[3] == "same" else SqliteStore(sys.argv[1])
again.append(saved.id, events, Event("move", 1), match.play(1))
print(events + 1)
"""


@pytest.mark.parametrize("who", ["same", "other"])
def test_a_disk_that_has_room_again_is_written_again(tmp_path: Path, who: str) -> None:
    path = tmp_path / "a.db"
    (id_,) = filled(path)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), id_, who], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert SqliteStore(str(path)).load(id_).match.ply == int(done.stdout)


@pytest.mark.parametrize("write", [True, False])
def test_a_path_that_is_too_long_for_sqlite_is_an_error_of_the_store(
    tmp_path: Path, write: bool
) -> None:
    filled(tmp_path / "a.db")
    folder = tmp_path / ("x" * 200) / ("y" * 200) / ("z" * 200)
    folder.mkdir(parents=True)
    (folder / "a.db").write_bytes((tmp_path / "a.db").read_bytes())
    refused(folder / "a.db", write)
