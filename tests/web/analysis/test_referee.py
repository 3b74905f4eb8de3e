"""The first position of a variant, which a user's own game makes in another process."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.game_files import TAKE_AWAY
from tests.web.pools import ask_here, solving
from zerosum.errors import OptionError
from zerosum.registry import Entry, find
from zerosum.web.analysis.pool import Pool
from zerosum.web.analysis.referee import Referee
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


def made(folder: Path, deed: str) -> Entry:
    """Write a game that does something when a variant with more than 100 sticks is made."""
    path = folder / "take_away.py"
    code = f"    def __post_init__(self):\n        if self.start > 100: {deed}\n\n"
    path.write_text(TAKE_AWAY.replace("    def initial", f"{code}    def initial"))
    return find(str(path))


@pytest.mark.parametrize(
    ("deed", "error"),
    [
        ("raise SystemExit(3)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("return self.__post_init__()", "RecursionError"),
        ("1 // 0", "ZeroDivisionError"),
    ],
)
def test_variant_that_cannot_be_made_is_blamed_on_its_rules(
    tmp_path: Path, deed: str, error: str
) -> None:
    entry = made(tmp_path, deed)
    with solving({entry.name: str(entry.file)}):
        with pytest.raises(Refused, match=error) as refused:
            begin(Referee(Counted()), entry, start=200)
        assert refused.value.code == "broken_game"


def test_wrong_option_is_refused_with_its_field(tmp_path: Path) -> None:
    entry = made(tmp_path, "raise ValueError('too many')")
    with solving({entry.name: str(entry.file)}):
        for start, field in ((0, "options.start"), (200, "options.options")):
            with pytest.raises(Refused) as refused:
                begin(Referee(Counted()), entry, start=start)
            assert (refused.value.code, refused.value.more) == ("invalid", {"field": field})


def test_built_in_variants_are_made_here() -> None:
    rules = Referee(pool := Counted())
    assert begin(rules, find("even-steven"), start=9) == (9, 0)
    with pytest.raises(OptionError):
        begin(rules, find("even-steven"), start=0)
    assert pool.count == 0
    assert begin(rules, find("even-steven"), start=10**12) == (0, (10**12, 0))
    assert pool.count == 1
