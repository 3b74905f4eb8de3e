from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.serving import Serving


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    """A server with short timeouts."""
    with Serving(
        header_seconds=0.5,
        body_seconds=0.5,
        idle_seconds=0.5,
        send_seconds=0.5,
        connections_per_client=2000,
        requests_per_minute=1_000_000,
    ) as made:
        yield made
