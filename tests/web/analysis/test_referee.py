"""What is asked of rules: here if it is quick and built in, in another process otherwise."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.game_files import TAKE_AWAY, TERRITORY
from tests.web.pools import ask_here, solving
from zerosum.errors import OptionError
from zerosum.match import Match
from zerosum.registry import Entry, find
from zerosum.web.analysis import referee
from zerosum.web.analysis.pool import Pool
from zerosum.web.analysis.referee import Referee, look
from zerosum.web.refusals import Refused


class Counted(Pool):
    """Answers in this process, and counts the questions."""

    count = 0

    async def ask(self, what: str, /, *, asker: str = "", **arguments: Any) -> Any:
        assert asker == "ada"
        self.count += 1
        return ask_here(what, **arguments)


def begin(rules: Referee, entry: Entry, **options: Any) -> Any:
    """Begin a variant."""
    return asyncio.run(rules.begin(entry, options, "ada"))


@pytest.mark.parametrize(
    ("deed", "start", "error", "code"),
    [
        ("raise SystemExit(3)", 200, "SystemExit", "broken_game"),
        ("return self.__post_init__()", 200, "RecursionError", "broken_game"),
        ("raise ValueError('too many')", 200, "Too many", "options.options"),
        ("pass", 0, "at least 1", "options.start"),
    ],
)
def test_variant_that_cannot_be_made_is_blamed_on_its_rules_or_options(
    tmp_path: Path, deed: str, start: int, error: str, code: str
) -> None:
    path = tmp_path / "take_away.py"
    made = f"    def __post_init__(self):\n        if self.start > 100: {deed}\n\n"
    path.write_text(TAKE_AWAY.replace("    def initial", f"{made}    def initial"))
    entry = find(str(path))
    with solving({entry.name: str(entry.file)}), pytest.raises(Refused, match=error) as refused:
        begin(Referee(Counted()), entry, start=start)
    assert refused.value.more.get("field", refused.value.code) == code


def test_only_what_takes_long_is_asked_elsewhere() -> None:
    rules = Referee(pool := Counted())
    assert begin(rules, find("even-steven"), start=9) == (9, 0)
    with pytest.raises(OptionError):
        begin(rules, find("even-steven"), start=0)
    assert pool.count == 0
    assert begin(rules, find("even-steven"), start=10**12) == (0, (10**12, 0))
    assert pool.count == 1
    for start, count in ((10**6, 1), (4294967291 * 4294967279, 2)):  # which has to be factored
        match = Match.new(zerosum.game("divisor-duel", start=start))
        played = asyncio.run(rules.play(match, "1", "ada"))
        state = (start - 1, 1)
        assert (played.move, played.state) == (1, state if count == 1 else (1, state))
        assert pool.count == count


def test_moves_are_counted_that_are_neither_listed_nor_on_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, options, more in ((TERRITORY, {"size": 9}, 0), ("digit-battle", {}, 7)):
        monkeypatch.setattr(referee, "MOST_MOVES", 2)
        game = zerosum.game(name, **options)
        scene = look(game, game.initial(), 0, True)
        assert len(scene.legal) > len([choice for choice in scene.moves if choice.legal])
        assert scene.more == more
