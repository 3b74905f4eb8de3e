"""What pytest collects: tests, and the examples in the source and the documents."""

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out modules without examples: loading them, and their libraries, takes seconds."""
    found = yield
    shows = file_path.suffix == ".py" and b">>>" in file_path.read_bytes()
    return [collector for collector in found if shows or not isinstance(collector, DoctestModule)]
