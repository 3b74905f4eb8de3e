"""What the documents show is what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools import docs

from zerosum.cli.answers import COMMANDS as WORDS
from zerosum.cli.app import COMMANDS
from zerosum.wording import HOOKS

ROOT = Path(__file__).parent.parent
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


def test_everything_a_game_may_say_is_documented() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text()
    for name in HOOKS:
        assert f"| `{name}(game, " in page


def test_the_example_is_as_short_as_it_says() -> None:
    lines = (ROOT / "docs" / "examples" / "last_stick.py").read_text().splitlines()
    assert len(lines) < 40


def test_every_schema_is_documented() -> None:
    page = (ROOT / "docs" / "documents.md").read_text()
    for schema in (ROOT / "src" / "zerosum" / "schemas").glob("*.json"):
        assert f"`{schema.name}`" in page
