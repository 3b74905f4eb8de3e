from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.store.places import Opened


@pytest.fixture
def opened(place: str) -> Iterator[Opened]:
    """Opens stores at one place, on SQLite and on PostgreSQL."""
    found = Opened(place)
    yield found
    found.close()


@pytest.fixture
def in_database(database: str) -> Iterator[Opened]:
    """Opens stores in one database of PostgreSQL."""
    found = Opened(database)
    yield found
    found.close()
