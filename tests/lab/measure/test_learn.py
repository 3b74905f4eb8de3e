"""The learner of docs/examples: what it learns, from what, and its curve."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import zerosum
from zerosum.bulk import Table
from zerosum.lab.measure import measure_player

DOCS = Path(__file__).parents[3] / "docs"
FILE = DOCS / "examples" / "learn.py"
SMALL = ("even-steven", "divisor-duel", "dual-digits", "number-navigator")


@pytest.fixture(scope="module")
def learn() -> ModuleType:
    spec: Any = importlib.util.spec_from_file_location("learn", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_learner_is_short_and_needs_numpy_and_zerosum_alone() -> None:
    text = FILE.read_text()
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert len(text.splitlines()) < 100
    assert imported - sys.stdlib_module_names == {"numpy", "zerosum"}


@pytest.mark.parametrize("name", SMALL)
def test_learner_reaches_perfect_play_and_its_curve_is_the_one_shown(
    learn: ModuleType, name: str
) -> None:
    table = Table(zerosum.game(name))
    curve = list(learn.curve(table))
    assert curve[-1][1] == 0
    (start, before), (end, _) = curve[0], curve[-1]
    shown = (DOCS / "learning-curve.svg").read_text()
    assert f"{name}: {before:.2f} after {start:,} moves, 0 after {end:,} moves" in shown


def test_shown_curves_end_in_perfect_play() -> None:
    shown = (DOCS / "learning-curve.svg").read_text()
    for name in zerosum.games():
        assert re.search(rf"{name}: [\d.]+ after [\d,]+ moves, 0 after [\d,]+ moves", shown)


def test_learner_answers_as_a_player(learn: ModuleType) -> None:
    measured: Any = measure_player(zerosum.game("dual-digits"), learn.choose)
    assert measured.exact
    assert measured.good.value == 1
    assert not any(measured.faults.values())
