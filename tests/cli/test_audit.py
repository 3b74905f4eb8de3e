"""`zerosum audit`."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.support import helpful, on_screen, run
from tests.game_files import COUNTDOWN, STICK, TAKE_AWAY
from tests.helpers import GOLDEN
from zerosum.cli.console import CLEARED
from zerosum.lab.audit.auditing import audit_steps
from zerosum.lab.audit.document import Audit

BROKEN = COUNTDOWN.replace("if state.number else ()", "if state.number > 1 else ()")


def test_audit_and_levels_fit_a_screen_of_80_by_24(home: Path) -> None:
    for command in ("audit", "levels"):
        for game in (["even-steven"], ["digit-battle", "--lives", "2"]):
            out = on_screen(home, command, *game, NO_COLOR="1", COLUMNS="80", PAGER="").stdout
            assert re.search("Each level scores|each level scores", out)
            assert "perfect" in out
            assert "Add --all for " in out
            assert len(out.split("\n")) <= 24  # with the prompt of the shell
            assert max(map(len, out.split("\n"))) <= 80


def test_report_of_a_small_game_is_as_it_was(home: Path) -> None:
    (home / "last_stick.py").write_text(Path(STICK).read_text())
    done = run(home, "audit", "./last_stick.py", "--all")
    assert done.stdout == (GOLDEN / "audit-last-stick.txt").read_text()


def test_audit_shows_what_it_is_doing_on_a_terminal_only_and_clears_it(home: Path) -> None:
    shown = on_screen(home, "audit", "even-steven").stderr
    for step in ("auditing", "analysing"):
        assert f"{step} … (Ctrl-C stops)" in shown
    assert shown.endswith(CLEARED)
    assert run(home, "audit", "even-steven").stderr == ""


def test_audit_fits_a_terminal_of_80_columns(home: Path) -> None:
    flags = ("--all", "--no-pager")
    lines = on_screen(
        home, "audit", "dual-digits", *flags, COLUMNS="80", NO_COLOR="1"
    ).stdout.split("\n")
    assert any("first player's advantage" in line for line in lines)
    assert max(len(line.rpartition(CLEARED)[2]) for line in lines) <= 80


def test_audit_writes_a_page_over_an_older_one_alone(home: Path) -> None:
    run(home, "audit", STICK, "--html", "page.html")
    done = run(home, "audit", STICK, "--start", "5", "--html", "page.html")
    assert done.stderr == "Wrote page.html.\n"
    assert done.returncode == 0
    page = (home / "page.html").read_text()
    assert "<title>Audit of Last Stick (start 5)</title>" in page
    assert f"zerosum audit {STICK} --start 5" in page
    (home / "page.html").write_text("mine")
    again = run(home, "audit", STICK, "--html", "page.html")
    helpful(again, 1, "page.html already exists; not overwritten")
    piped = run(home, "audit", STICK, "--start", "5", "--html", "-").stdout
    assert piped == page


def test_a_warning_is_not_a_failure(home: Path) -> None:
    (home / "countdown.py").write_text(COUNTDOWN)
    done = run(home, "audit", "./countdown.py")
    assert done.returncode == 0
    assert "The audit found " in done.stdout
    assert "Warning no-choice: " in run(home, "audit", "./countdown.py", "--all").stdout


def test_broken_rules_exit_with_1(home: Path) -> None:
    (home / "broken.py").write_text(BROKEN)
    done = run(home, "audit", "./broken.py")
    assert done.returncode == 1
    assert "Error stuck: " in done.stdout
    assert "Witness: 1, 1." in done.stdout
    assert "Who wins" not in done.stdout


def test_game_that_is_too_large_exits_with_1_unless_its_theory_solves_it(home: Path) -> None:
    (home / "take_away.py").write_text(TAKE_AWAY)
    large = run(home, "audit", "./take_away.py", "--start", "100", "--positions", "50")
    assert large.returncode == 1
    assert "Take Away has more than 50 positions" in large.stdout
    assert "--positions N allows more" in large.stderr
    solved = run(home, "audit", "even-steven", "--start", "102", "--positions", "50")
    assert solved.returncode == 0
    assert "Under best play the first player wins" in solved.stdout


def test_commands_in_the_report_name_the_same_variant(home: Path) -> None:
    (home / "countdown.py").write_text(COUNTDOWN)
    out = run(home, "audit", "even-steven", "--start", "300", "--subtract-two", "--all").stdout
    assert "zerosum starts even-steven --subtract-two --fair\n" in out
    assert "zerosum starts" not in run(home, "audit", "./countdown.py", "--all").stdout


@pytest.mark.parametrize("way", [(), ("--json",), ("--html", "-")])
def test_second_audit_is_read_from_the_cache_and_says_the_same(
    home: Path, way: tuple[str, ...]
) -> None:
    asked = ("audit", "dual-digits", "--start", "9", *way)
    first = run(home, *asked)
    with patch("zerosum.lab.audit.auditing.rule_faults", side_effect=AssertionError):
        assert run(home, *asked).stdout == first.stdout


def test_audit_that_lacked_time_is_not_kept(home: Path) -> None:
    asked = ("audit", "dual-digits", "--start", "9")
    whole = run(home, *asked).stdout
    (kept,) = home.rglob("*.audit*.cache")
    kept.unlink()  # but not the table
    with patch("zerosum.cli.commands.lab.audit.PATIENCE", 0.0):
        assert run(home, *asked).stdout != whole
    assert not kept.exists()


def test_limit_holds_for_a_table_in_the_cache_too(home: Path) -> None:
    assert run(home, "audit", "even-steven").returncode == 0
    out = run(home, "audit", "even-steven", "--positions", "9").stdout
    assert "There is no table: Even-Steven has more than 9 positions" in out
    assert "Under best play the second player wins in 8 moves." in out


def test_audit_of_one_game_keeps_within_its_seconds(home: Path) -> None:
    steps = audit_steps

    def slow(*arguments: Any, **named: Any) -> Iterator[Audit]:
        yield next(steps(*arguments, **named))
        time.sleep(60)

    with patch("zerosum.cli.commands.lab.audit.audit_steps", slow):
        done = run(home, "audit", "even-steven", "--seconds", "0.3")
    late = "The audit of Even-Steven was not finished within 0.3 seconds."
    assert (done.returncode, late in done.stdout) == (0, True), done
    (home / "slow.py").write_text(f"import time\n{TAKE_AWAY}".replace("pass\n", "time.sleep(60)\n"))
    done = run(home, "audit", "./slow.py", "--seconds", "0.1")
    helpful(done, 1, "The audit of Take Away was not finished within 0.1 seconds. --seconds N")
    helpful(run(home, "audit", "even-steven", "--seconds", "0"), 2, "must be from 0.001 to")
