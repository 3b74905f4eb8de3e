"""An assistant turns a rule book into a game; test_page.py has the checks and the audit of it."""

from pathlib import Path

from tests.assistants.assistant import Assistant, text_of
from tests.assistants.sources import FAULTY, MENDED
from tests.cli.support import run
from tests.game_files import STICK

FILE = "primes.py"


def test_a_rule_book_becomes_a_game(claude: Assistant, user: Path) -> None:
    written = claude.call("write_game", file=FILE, source=FAULTY)
    assert (written["file"], written["replaced"]) == (FILE, False)
    audited = claude.call("audit_game", file=FILE)
    assert audited["status"] == "broken"
    claude.refused("write_game", "option_error", "already exists", file=FILE, source=MENDED)
    assert claude.call("write_game", file=FILE, source=MENDED, replace=True)["replaced"]
    assert (user / "games" / FILE).read_text() == MENDED
    tried = claude.call("try_game", file=FILE, level="perfect", games=3)
    assert (tried["games"], tried["first"], tried["moves"]) == (3, 3, [4, 4, 4])
    match = claude.call("new_match", game=FILE, opponent="perfect")
    assert FILE in claude.call("games")["files"]
    assert claude.call("rules", game=FILE)["text"].startswith("# Prime Duel")
    for move in ("2", "2"):
        match = claude.call("play", match=match["match"], move=move)
    assert (match["result"], match["played"]) == ("won", ["2", "2", "2", "1"])
    assert claude.call("solve", match=claude.call("new_match", game=FILE)["match"])["exact"]
    listed = run(user, "show", match["match"], "--game", f"games/{FILE}").stdout
    assert "Claude (assistant)" in listed


def test_a_game_that_changes_is_loaded_again(claude: Assistant, user: Path) -> None:
    source = Path(STICK).read_text()
    claude.call("write_game", file="sticks.py", source=source)
    assert claude.call("new_match", game="sticks.py", opponent="easy")["legal"] == ["1", "2", "3"]
    match = claude.call("new_match", game="sticks.py", opponent="person")["match"]
    changed = source.replace("(1, 2, 3)", "(1, 2)")
    (user / "games" / "sticks.py").write_text(changed)  # a person edits it
    assert claude.call("look", match=match)["legal"] == ["1", "2"]


def test_what_cannot_be_loaded_is_a_sentence(claude: Assistant) -> None:
    tools = ("check_game", "audit_game", "new_match")
    sources = {"ZeroDivisionError": "1 / 0", "SyntaxError": "class", "has no game": "x = 1"}
    for (told, source), tool in zip(sources.items(), tools, strict=True):
        claude.call("write_game", file="wrong.py", source=source, replace=True)
        result = claude.ask(tool, **{"game" if tool == "new_match" else "file": "wrong.py"})
        assert told in text_of(result)
        assert result.is_error == (tool == "new_match")
