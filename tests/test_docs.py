"""What the documents show is what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools import docs

from zerosum.cli.answers import COMMANDS as WORDS
from zerosum.cli.app import COMMANDS
from zerosum.protocol import Game
from zerosum.wording import HOOKS

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_nothing_generated_is_stale() -> None:
    assert docs.stale() == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_word_at_the_prompt_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    for word, (_, help_text) in WORDS.items():
        assert not help_text or f"| `{word}` |" in page


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    for name in COMMANDS:
        assert f"### zerosum {name}\n" in page


def test_everything_that_can_be_overridden_is_documented() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text()
    for name in HOOKS:
        assert f"| `{name}(state" in page
    optional = {name for name in vars(Game) if name[0] != "_"} - Game.__abstractmethods__
    for name in (
        *optional,
        *Game.__abstractmethods__,
        "value",
        "statement",
        "why",
        "title",
        "puzzles",
    ):
        assert f"`{name}" in page or f"def {name}(" in page


def test_the_examples_are_as_short_as_promised() -> None:
    lines = {
        name: [line for line in (EXAMPLES / f"{name}.py").read_text().splitlines() if line]
        for name in ("last_stick", "noughts_and_crosses")
    }
    assert len(lines["last_stick"]) <= 25
    assert len((EXAMPLES / "noughts_and_crosses.py").read_text().splitlines()) <= 60


def test_every_schema_is_documented() -> None:
    page = (ROOT / "docs" / "documents.md").read_text()
    for schema in (ROOT / "src" / "zerosum" / "schemas").glob("*.json"):
        assert f"`{schema.name}`" in page
