import subprocess
import sys
from pathlib import Path

import pytest

import zerosum
from tests.game_files import TAKE_AWAY
from zerosum.errors import GameError, OptionError, UnknownGame
from zerosum.match import Match
from zerosum.registry import entry_of, find
from zerosum.testing import check_game
from zerosum.wording.texts import rulebook_of
from zerosum.wording.words import title_of, transcript, words_of

WORDS = """
from zerosum import Words
class TakeAwayWords(Words):
    title = "Sticks"
    def prompt(self, state, names):
        return f"{names[state.player]}, take: "
"""


@pytest.fixture
def one_file(tmp_path: Path) -> Path:
    path = tmp_path / "my game.py"
    path.write_text(TAKE_AWAY)
    return path


def test_game_from_a_file(one_file: Path) -> None:
    game = zerosum.game(str(one_file), start=4)
    assert check_game(game) > 5
    assert entry_of(game).name == "take-away"
    assert title_of(game) == "Take Away"
    assert "whoever takes the last one wins" in rulebook_of(game)
    assert "start`: how many sticks, at least 1 (default: 7)" in rulebook_of(game)


def test_a_game_without_words_gets_plain_ones(one_file: Path) -> None:
    match = Match.new(zerosum.game(str(one_file), start=3), ("Ada", "Bob")).play(1).play(2)
    text = "\n".join(transcript(match, match.round))
    assert text == (
        "=== Take Away ===\n\nAda's turn.\nSticks: 3\nMoves: 1, 2\nYour move: 1\n"
        "Ada plays −1.\n\nBob's turn.\nSticks: 2\nMoves: 1, 2\nYour move: 2\nBob plays −2.\n\n"
        "Sticks: 0\nBob wins: the last stick is taken."
    )
    words = words_of(match.game)
    assert words.list_moves(match.game.initial()) == [
        "1: Sticks from 3 to 2",
        "2: Sticks from 3 to 1",
    ]


@pytest.mark.parametrize("name", ["sticks", "sticks.v1.2"])
def test_game_from_a_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "rules.py").write_text(TAKE_AWAY)
    (folder / "words.py").write_text(WORDS + "\nfrom .rules import State\n")
    (folder / "rulebook.md").write_text("# Sticks\n\nTake them.\n")
    game = zerosum.game(str(folder) + "/")
    assert words_of(game).prompt(game.initial(), ("Ada", "Bob")) == "Ada, take: "
    assert rulebook_of(game) == "# Sticks\n\nTake them.\n"


def test_choosing_one_of_several_games_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(f"{TAKE_AWAY}\nclass Other(TakeAway):\n    pass\n")
    with pytest.raises(GameError, match=r"several games \(TakeAway, Other\).*two.py:TakeAway"):
        zerosum.game(str(path))
    assert entry_of(zerosum.game(f"{path}:Other")).name == "other"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def broken(:\n", "could not be loaded: broken.py, line 1: SyntaxError"),
        ("x = 1\nraise ValueError('no')\n", "loaded: broken.py, line 2: ValueError: no"),
        ("import sys\nsys.exit(3)\n", "could not be loaded: broken.py, line 2: SystemExit: 3"),
        ("x = 1\n", "has no game: a game is a class that subclasses zerosum.Game, with initial"),
        ("class A:\n  def initial(self): pass\n", r"A is not a game; write class A\(Game"),
        ("from zerosum import Game\nclass A(Game):\n  pass\n", "A has no methods initial, moves"),
        (
            "class A:\n  def initial(self): pass\nfrom zerosum.game import Outcome\n",
            "Import from zerosum itself",
        ),
        ("import nothing_of_this_name\n", "ModuleNotFoundError"),
    ],
)
def test_file_without_a_game_is_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(GameError, match=message):
        zerosum.game(str(path))


def test_missing_file_or_folder(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="There is no file"):
        zerosum.game(str(tmp_path / "nothing.py"))
    with pytest.raises(UnknownGame, match=r"has no rules\.py"):
        zerosum.game(f"{tmp_path}/")


@pytest.mark.parametrize("name", ["even-steven", "Even Steven", "EVEN_STEVEN", " even-steven "])
def test_spellings_of_a_name(name: str) -> None:
    assert entry_of(zerosum.game(name)).name == "even-steven"


def test_unknown_name_or_option_suggests_the_closest() -> None:
    with pytest.raises(UnknownGame, match="did you mean number-navigator"):
        zerosum.game("numbr-navigater")
    with pytest.raises(UnknownGame, match="the games are even-steven, divisor-duel"):
        zerosum.game("zzzzz")
    with pytest.raises(OptionError, match="did you mean limit_penalty"):
        zerosum.game("digit-battle", limit_penaltie=3)


def test_an_installed_package_adds_its_games(tmp_path: Path) -> None:
    (tmp_path / "sticks_package.py").write_text(TAKE_AWAY)
    info = tmp_path / "sticks_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sticks-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[zerosum.games]\nsticks = sticks_package:TakeAway\nbroken = sticks_package:Missing\n"
    )
    later = info.rename(tmp_path / "later")  # it is installed while the program runs
    code = (
        f"import os, zerosum; zerosum.games(); os.rename({str(later)!r}, {str(info)!r})\n"
        "print(zerosum.games()[5:]); game = zerosum.game('sticks', start=3);"
        "from zerosum.registry import entry_of; print(entry_of(game).name, game)\n"
        "try: zerosum.game('broken')\n"
        "except zerosum.errors.GameError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[:2] == ["('broken', 'sticks')", "sticks TakeAway(start=3)"]
    assert "'broken' is installed but could not be loaded" in done.stdout


def test_every_built_in_page_has_the_same_headings() -> None:
    headings = {
        name: [line for line in rulebook_of(zerosum.game(name)).splitlines() if line[:2] == "##"]
        for name in zerosum.games()
    }
    assert len({tuple(lines) for lines in headings.values()}) == 1
    assert find("digit-battle").name in headings
