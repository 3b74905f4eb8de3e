from collections.abc import Iterator

import pytest

from tests.store.support import Stores


@pytest.fixture
def stores(address: str) -> Iterator[Stores]:
    """Opens stores at one address, on SQLite and on PostgreSQL."""
    found = Stores(address)
    yield found
    found.close()


@pytest.fixture
def postgres_stores(database: str) -> Iterator[Stores]:
    """Opens stores in one PostgreSQL database."""
    found = Stores(database)
    yield found
    found.close()
