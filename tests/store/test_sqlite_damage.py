"""Files that are not ours, damaged, or half created."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.store.support import (
    PAGE,
    checkpoint,
    even,
    execute,
    execute_all,
    files_in,
    filled,
    pragma,
    refused,
)
from zerosum.errors import StoreError, Unwritable
from zerosum.store import open_store
from zerosum.store.schema import APPLICATION, VERSION

# Files that are not ours, or damaged.


def text_file(path: Path) -> None:
    path.write_text("My diary.\n" * 1000)


def short_file(path: Path) -> None:
    path.write_bytes(b"x")


def other_database(path: Path) -> None:
    execute_all(path, "create table diary (line text)", "insert into diary values ('mine')")


def same_tables_of_another(path: Path) -> None:
    filled(path)
    checkpoint(path)
    execute(path, f"pragma application_id = {APPLICATION + 1}")


def half_gone(path: Path) -> None:
    filled(path)
    os.truncate(path, path.stat().st_size // 2)


def header_left(path: Path) -> None:
    filled(path)
    os.truncate(path, 100)


def newer(path: Path) -> None:
    filled(path)
    execute(path, f"pragma user_version = {VERSION + 1}")


def garbled_schema(path: Path) -> None:
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xa7" * (PAGE - 100) + data[PAGE:])


FOREIGN = [text_file, short_file, other_database, same_tables_of_another]
CUT = [half_gone, header_left]
NEWER = [newer]
GARBLED = [garbled_schema]


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("make", [*FOREIGN, *CUT, *NEWER, *GARBLED])
def test_a_foreign_or_damaged_file_is_refused_and_not_modified(
    tmp_path: Path, make: Any, write: bool
) -> None:
    path = tmp_path / "a.db"
    make(path)
    before = files_in(tmp_path)
    error = refused(path, write)
    assert files_in(tmp_path) == before
    assert str(path) in str(error)
    assert not isinstance(error, Unwritable)  # or play would continue without saving anything
    assert "--db" in str(error)
    wanted = "is not a Zerosum database" if make in FOREIGN else "is damaged"
    assert (f"newer Zerosum (version {VERSION + 1}" if make is newer else wanted) in str(error)


def test_garbage_anywhere_in_a_file_is_noticed_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    intact = open_store(str(path))
    matches = [even(1000 + number) for number in range(12)]
    for _ in range(6):
        matches = [match.play(1) for match in matches]
    ids = [intact.create(match).id for match in matches]
    intact.close()
    checkpoint(path)
    whole = path.read_bytes()
    noticed, wrong = 0, []
    width = 1024
    for at in range(100, len(whole), width):
        path.write_bytes(whole[:at] + b"\xa7" * width + whole[at + width :])
        before = files_in(tmp_path)
        try:
            store = open_store(str(path), write=False)
            store.matches()
            store.results()
            for id_, match in zip(ids, matches, strict=True):
                if (found := store.load(id_).match) != match:
                    wrong.append((at, f"{id_} has {found.ply} moves of 6"))
        except StoreError:
            noticed += 1
        except Exception as error:
            wrong.append((at, repr(error)))
        else:
            store.close()
        assert files_in(tmp_path) == before
    assert noticed > 5
    assert not wrong, "\n".join(f"byte {at}: {what}" for at, what in wrong)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in str(refused(tmp_path, True))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    (id_,) = filled(path)
    assert open_store(str(path), write=False).load(id_).match.ply == 3
    assert pragma(path, "application_id") == APPLICATION
    assert pragma(path, "user_version") == VERSION


@pytest.mark.parametrize(
    "name", ["a b.db", "what?.db", "100%25.db", "#1.db", "é🎲.db", "a&mode=ro"]
)
def test_a_file_name_may_have_any_character(tmp_path: Path, name: str) -> None:
    (id_,) = filled(tmp_path / name)
    assert name in {path.name for path in tmp_path.iterdir()}
    assert open_store(str(tmp_path / name), write=False).load(id_).match.ply == 3


def test_a_file_name_may_be_invalid_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.db")
    (id_,) = filled(tmp_path / name)
    assert name in os.listdir(tmp_path)
    assert open_store(str(tmp_path / name), write=False).load(id_).match.ply == 3


def test_a_path_may_start_with_two_slashes(tmp_path: Path) -> None:
    store = open_store("/" + str(tmp_path / "a.db"))
    assert store.load(store.create(even()).id).match == even()
    assert (tmp_path / "a.db").exists()


def test_folders_are_created_for_their_owner_alone(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "x" / "y" / "a.db"))
    store.close()
    assert (tmp_path / "x" / "y").stat().st_mode & 0o777 == 0o700


# A file whose creation was cut short.

KILLED = """
import resource, signal, sys
from zerosum.store import open_store
limit = int(sys.argv[2])
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
open_store(sys.argv[1])
"""


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize("size", [0, 513, PAGE, 5 * PAGE, 9 * PAGE])
def test_a_process_killed_while_it_creates_a_file_leaves_one_that_opens(
    tmp_path: Path, size: int, empty: bool
) -> None:
    # The process is killed at the very write that would make a file larger than `size`.
    path = tmp_path / "a.db"
    if empty:
        path.touch()
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(size)], capture_output=True)
    assert done.returncode == -signal.SIGXFSZ, done.stderr
    for write in (False, True):
        store = open_store(str(path), write)
        assert store.matches() == []
        store.close()
