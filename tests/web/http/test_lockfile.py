"""The lock file: one server per database file, by whatever name."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.web.support import Inside
from zerosum.errors import StoreError
from zerosum.web.http.sockets import LockFile


def test_second_server_on_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new" / "zerosum.db"
    with closing(LockFile(str(path))), pytest.raises(StoreError, match="Another server already"):
        LockFile(str(path))
    LockFile(str(path)).close()


def test_symlinks_lead_to_the_same_lock(tmp_path: Path) -> None:
    real, link, folder = tmp_path / "zerosum.db", tmp_path / "link.db", tmp_path / "folder"
    real.write_bytes(b"data")
    link.symlink_to(real)
    folder.symlink_to(tmp_path)
    for name in (link, folder / "zerosum.db", folder / "link.db"):
        with closing(LockFile(str(real))), pytest.raises(StoreError, match="Another server"):
            LockFile(str(name))
        with closing(LockFile(str(name))), pytest.raises(StoreError, match="Another server"):
            LockFile(str(real))


def test_second_server_is_refused_before_it_opens_the_file(tmp_path: Path) -> None:
    db, link = tmp_path / "zerosum.db", tmp_path / "link.db"
    link.symlink_to(db)
    with Inside(db) as server:
        before = sorted(path.name for path in tmp_path.iterdir())
        with pytest.raises(StoreError, match="Another server already uses"), Inside(link):
            pass
        assert sorted(path.name for path in tmp_path.iterdir()) == before
        ada, _ = server.pair()
        ada.do("move", move="1")


def test_folder_that_cannot_be_written_is_left_to_the_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    LockFile(str(tmp_path / "file" / "zerosum.db")).close()
