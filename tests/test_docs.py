"""What the documents show is what the program does."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import docs, graph

import zerosum
from tests.cli.support import run
from tests.solutions import audited, tables
from zerosum.cli.playing.prompt_commands import PROMPT_COMMANDS
from zerosum.protocol import Game
from zerosum.wording.hooks import CONSTANTS, HOOKS
from zerosum.wording.words import RESERVED

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "zerosum"
EXAMPLES = ROOT / "docs" / "examples"
DOCUMENTS = docs.documents()
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_generated_document_is_up_to_date(
    home: Path, monkeypatch: pytest.MonkeyPatch, page: Path
) -> None:
    shutil.copytree(EXAMPLES, home, dirs_exist_ok=True)

    def output(command: str, typed: tuple[str, ...] = ()) -> str:
        """Run a command in this process, with the tables of this run."""
        answers = "".join(f"{line}\n" for line in typed)
        around = {**docs.AROUND, "ZEROSUM_CACHE": tables()}
        done = run(home, *command.split()[1:], typed=answers, **around)
        assert done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    monkeypatch.setattr(docs, "output", output)
    monkeypatch.setattr(docs, "tables", tables)
    monkeypatch.setattr(docs, "audit_of", lambda name: audited(zerosum.game(name)))
    assert page.read_text() == DOCUMENTS[page]()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for name, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text()):
        if not name.startswith("https://"):
            target = page.parent / name if name else page
            assert target.exists(), name
            headings = re.findall(r"^#+ (.*)", target.read_text(), re.M) if anchor else []
            plain = (re.sub(r"[^\w -]", "", heading).lower() for heading in headings)
            assert not anchor or anchor in {name.replace(" ", "-") for name in plain}, anchor


def test_the_index_links_to_every_document() -> None:
    page = (ROOT / "docs" / "index.md").read_text()
    for document in ROOT.glob("docs/**/*.md"):
        name = str(document.relative_to(ROOT / "docs"))
        assert name == "index.md" or f"]({name})" in page, name


@pytest.mark.parametrize(
    ("walk", "heading", "every"),
    [
        ("move", "A move at the prompt", True),
        ("post", "A move posted to the server", False),
        ("value", "An exact value", True),
        ("audit", "An audit", False),
    ],
)
def test_the_architecture_names_the_files_on_the_way(walk: str, heading: str, every: bool) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    done = subprocess.run(
        [sys.executable, "-m", "tools.walks", walk], cwd=ROOT, capture_output=True, text=True
    )
    passed = done.stdout.rpartition("\n\n")[2].split()
    assert passed, done.stderr
    listed = re.findall(r"^\d+\. `(.+?)`", section, re.M)
    assert listed == [file for file in passed if every or file in listed]


def test_the_picture_of_the_house_has_every_room_inside() -> None:
    drawn = (ROOT / "docs" / "architecture.svg").read_text()
    assert drawn == graph.draw()
    boxes = re.findall(
        r'class="(house|room)" x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"', drawn
    )
    found = [(kind, *map(float, sides)) for kind, *sides in boxes]
    houses = [box for kind, *box in found if kind == "house"]
    for x, y, width, height in (box for kind, *box in found if kind == "room"):
        assert any(
            left <= x and x + width <= left + wide and top <= y and y + height <= top + high
            for left, top, wide, high in houses
        ), (x, y)


def test_contributing_lists_the_rooms_of_the_house() -> None:
    block = (ROOT / "CONTRIBUTING.md").read_text().partition("src/zerosum/\n")[2]
    listed = re.findall(r"^  (\w\S*)", block.partition("\ntests/")[0], re.M)
    rooms = {
        f"{path.name}/" if path.is_dir() else path.name
        for path in SOURCE.iterdir()
        if path.name[0] != "_" and path.suffix != ".typed"
    }
    assert sorted(listed) == sorted(rooms)


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^\.PHONY: (.*)", makefile, re.M)[0].split()
    assert re.findall(r"^(\w+):.* ## \w", makefile, re.M) == targets


def test_every_word_at_the_prompt_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    for word, (_, help_text) in PROMPT_COMMANDS.items():
        assert not help_text or f"| `{word}` |" in page


def test_everything_that_can_be_overridden_is_documented() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text()
    for name in HOOKS:
        assert f"| `{name}(" in page
    not_for_authors = {"is_foreign", "foreign_words", "confirm"}
    public = {name for name in vars(Game) if name[0] != "_"}
    optional = public - Game.__abstractmethods__ - not_for_authors
    of_theory_and_words = ("value", "statement", "why", *CONSTANTS)
    for name in (*optional, *Game.__abstractmethods__, *of_theory_and_words):
        assert f"`{name}" in page or f"def {name}(" in page


def test_the_examples_are_as_short_as_promised() -> None:
    stick = (EXAMPLES / "last_stick.py").read_text().splitlines()
    assert len(list(filter(None, stick))) <= 25
    assert len((EXAMPLES / "noughts_and_crosses.py").read_text().splitlines()) <= 65


def test_words_that_no_move_may_be_are_listed() -> None:
    text = (ROOT / "docs" / "add-a-game.md").read_text()
    listed = re.search(r"one of the words of the prompt: (.*?)\. ", text, re.S)
    assert listed is not None
    words = {word for word in RESERVED if " " not in word}
    assert set(re.findall(r"`([^`]+)`", listed[1])) == words


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {zerosum.__version__}\n" in (ROOT / "CITATION.cff").read_text()
