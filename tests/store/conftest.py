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
