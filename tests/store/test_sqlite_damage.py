"""Files that are not ours, damaged, or half created."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.support import PAGE, checkpoint, even, execute, files_in, filled, refused
from zerosum.errors import StoreError, Unwritable
from zerosum.store import open_store
from zerosum.store.schema import APPLICATION, VERSION

# Files that are not ours, or damaged.

DAMAGED = "is not a Zerosum database, or is damaged"
NEWER = f"newer Zerosum (version {VERSION + 1}; this one knows up to {VERSION})"


def garble_the_tables(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xa7" * (PAGE - 100) + data[PAGE:])


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_text("My diary.\n" * 1000), DAMAGED),
        (lambda path: path.write_bytes(b"xy"), DAMAGED),
        (lambda path: path.unlink() or execute(path, "create table diary (line text)"), DAMAGED),
        (lambda path: execute(path, f"pragma application_id = {APPLICATION + 1}"), DAMAGED),
        (lambda path: execute(path, f"pragma user_version = {VERSION + 1}"), NEWER),
        (lambda path: os.truncate(path, 100), DAMAGED),
        (lambda path: os.truncate(path, path.stat().st_size // 2), DAMAGED),
        (garble_the_tables, DAMAGED),
    ],
)
def test_a_foreign_or_damaged_file_is_refused_and_not_modified(
    tmp_path: Path, make: Callable[[Path], Any], reason: str, write: bool
) -> None:
    path = tmp_path / "a.db"
    filled(path)
    make(path)
    before = files_in(tmp_path)
    error = refused(path, write)
    assert files_in(tmp_path) == before
    assert str(error).startswith(f"{path} ")
    assert reason in str(error)
    assert not isinstance(error, Unwritable)  # or play would continue without saving anything
    assert "--db" in str(error)


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


@pytest.mark.parametrize(
    "name", ["what?.db", "100%25.db", "#1.db", "é 🎲.db", "a&mode=ro", "\udcff\udcfe.db"]
)
def test_a_file_name_may_have_any_character(tmp_path: Path, name: str) -> None:
    (id_,) = filled(tmp_path / name)
    assert os.listdir(tmp_path) == [name]
    for path in (f"{tmp_path}/{name}", f"/{tmp_path}/{name}"):
        assert open_store(path, write=False).load(id_).match.ply == 3


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
