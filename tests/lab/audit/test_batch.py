"""Many audits: bad files, and the same results whatever the workers."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import jsonschema
import pytest

import zerosum
from tests.cli.support import helpful, run
from tests.game_files import COUNTDOWN
from tests.helpers import Terminal
from tests.lab.audit.bad_games import BAD, EXPECTED, FIRST, GOOD, TIMES
from zerosum.cli.commands.audit import audit as audit_command
from zerosum.errors import NotSolved, UnknownGame
from zerosum.journal import open_journal
from zerosum.lab.audit.batch.columns import COLUMNS, to_csv
from zerosum.lab.audit.batch.game_files import jobs_for
from zerosum.lab.audit.batch.isolated_main import answers
from zerosum.lab.audit.batch.isolation import (
    Limits,
    Row,
    _folder,
    audit_in_process,
    remove_old_folders,
)
from zerosum.lab.audit.batch.runner import local, run_batch, to_json
from zerosum.lab.audit.report import Audit, audit_steps

LIMITS = Limits(cpu_seconds=1.0, positions=1_000, memory_mib=256, wall_seconds=100.0)


def write(folder: Path, games: dict[str, str]) -> str:
    """Write files of games, and return the folder."""
    folder.mkdir(exist_ok=True)
    for name, text in games.items():
        (folder / f"{name}.py").write_text(text)
    return str(folder)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    """The rows of a folder with every kind of file, good and bad."""
    home = tmp_path_factory.mktemp("many")
    games = write(home / "games", {**BAD, **GOOD, "huge": ""})
    os.truncate(f"{games}/huge.py", 1 << 30)
    os.symlink("nothing", f"{games}/leads_nowhere.py")
    os.symlink("leads_to_itself.py", f"{games}/leads_to_itself.py")
    os.mkfifo(f"{games}/pipe.py")
    with open(os.fsencode(games) + b"/odd\xff.py", "w") as file:
        file.write(COUNTDOWN)
    jobs = [
        job._replace(limits=LIMITS._replace(**TIMES.get(job.name, {})))
        for job in jobs_for([games], LIMITS)
    ]
    with local(4) as workers, open_journal(str(home / "journal")) as journal:
        found = run_batch(jobs, workers, journal)
    return {row["name"]: row for row in found}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_file_gets_a_row_that_says_what_happened(rows: dict[str, Row], name: str) -> None:
    status, text = EXPECTED[name]
    assert (rows[name]["status"], text in rows[name]["message"]) == (status, True), rows[name]


def test_an_environment_that_runs_out_of_time_keeps_its_faults(rows: dict[str, Row]) -> None:
    audit = rows["hangs_far_away"]["audit"]
    assert {fault["code"]: fault["witness"] is None for fault in audit["faults"]} == {
        "reward-without-end": False
    }
    assert (audit["verdict"]["winner"], rows["hangs_far_away"]["complete"]) == (None, False)


def test_no_row_is_lost(rows: dict[str, Row]) -> None:
    assert sorted(rows) == sorted(EXPECTED)
    for row in rows.values():
        if row["status"] not in ("solved", "broken", "too-large") and row["audit"]:
            assert row["audit"]["environment"]  # with what random games have shown


def test_audit_that_runs_out_of_time_after_solving_keeps_the_value(rows: dict[str, Row]) -> None:
    assert not rows["slow"]["complete"]
    assert rows["slow"]["audit"]["best_play"]["winner"] == "first"


def test_value_that_later_play_contradicts_is_withdrawn(rows: dict[str, Row]) -> None:
    assert "forgets" not in to_csv([row for row in rows.values() if row["status"] == "solved"])
    game = zerosum.game("even-steven")

    def contradicted(*arguments: Any) -> Iterator[Audit]:
        yield next(audit_steps(game))
        raise NotSolved("7 cannot be reached.")

    with patch("zerosum.lab.audit.batch.isolated_main.audit_steps", contradicted):
        solved, broken = answers("even-steven", 1_000)
    assert (solved["status"], broken["status"], broken["audit"]) == ("solved", "broken", None)
    assert broken["message"].endswith("7 cannot be reached.")


def test_results_are_valid_utf_8(rows: dict[str, Row]) -> None:
    for text in (to_csv(list(rows.values())), to_json(list(rows.values()), LIMITS)):
        assert text.encode()


def test_results_follow_their_schema(rows: dict[str, Row]) -> None:
    folder = files("zerosum") / "schemas"
    document = json.loads(to_json(list(rows.values()), LIMITS))
    jsonschema.validate(document, json.loads((folder / "audits.json").read_text()))
    schema = json.loads((folder / "audit.json").read_text())
    for row in document["rows"]:
        assert row["audit"] is not None or not row["complete"]
        if row["audit"] is not None:
            jsonschema.validate(row["audit"], schema)


def test_table_has_every_column_for_every_row(rows: dict[str, Row]) -> None:
    lines = list(csv.reader(io.StringIO(to_csv(list(rows.values())))))
    assert tuple(lines[0]) == COLUMNS
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert {len(line) for line in lines} == {len(COLUMNS)}
    table = {line[0]: dict(zip(COLUMNS, line, strict=True)) for line in lines[1:]}
    race = table["race"]
    assert (race["winner"], race["plies"], race["complete"]) == ("first", "3", "yes")
    assert float(race["random_first_wins"]) + float(race["random_second_wins"]) == pytest.approx(1)
    assert float(race["perfect_score"]) == 1
    assert table["answers_nan"]["faults"].split()[0] == "bad-reward"
    assert (table["no_game"]["positions"], table["no_game"]["title"]) == ("", "")


def test_folders_of_killed_audits_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("zerosum-audit-old", "zerosum-audit-new", "old"):
        (tmp_path / name).mkdir()
    with _folder() as needed:
        for name in ("zerosum-audit-old", "old", needed):
            os.utime(tmp_path / name, (0, 0))
        remove_old_folders()
        left = ["old", os.path.basename(needed), "zerosum-audit-new"]
        assert sorted(os.listdir(tmp_path)) == sorted(left)


def test_default_limits_are_as_documented() -> None:
    limits = Limits()
    assert limits.with_time(limits.cpu_seconds) == limits
    (option,) = (p for p in audit_command.params if p.name == "seconds")
    assert f"with --out, {limits.cpu_seconds:g} of processor" in str(getattr(option, "help", ""))


def test_forked_processes_end_with_the_game(tmp_path: Path) -> None:
    mark = f"{tmp_path}/alive"
    os.mkfifo(mark)
    # The child keeps the pipe open as long as it lives, in the group of the game.
    text = f"{FIRST}import time, ctypes\nkept = os.open({mark!r}, os.O_RDONLY | os.O_NONBLOCK)\n"
    text += "if ctypes.CDLL(None).fork() == 0:\n    time.sleep(600)\n"
    (job,) = jobs_for([write(tmp_path / "games", {"forking": text + COUNTDOWN})], LIMITS)
    assert audit_in_process(job)["status"] == "solved"
    limit = time.monotonic() + 10
    while _is_open(mark):
        assert time.monotonic() < limit
        time.sleep(0.01)


def _is_open(pipe: str) -> bool:
    """Return whether somebody can read from a pipe."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return False
    return True


def test_games_are_found_in_natural_order(tmp_path: Path) -> None:
    folder = Path(write(tmp_path / "games", {"env_10": "", "env_2": "", "_own": "", ".hid": ""}))
    write(folder / "nim", {"rules": COUNTDOWN, "words": ""})
    write(folder / "package", {"__init__": ""})
    (folder / "notes.txt").write_text("")
    jobs = jobs_for([str(folder), f"{folder}/./env_2.py", "even-steven"], LIMITS)
    assert [job.name for job in jobs] == ["env_2", "env_10", "nim", "even-steven"]
    assert [name for name, _ in jobs[2].contents] == ["nim/rules.py", "nim/words.py"]
    assert audit_in_process(jobs[2])["status"] == "solved"


@pytest.mark.parametrize("name", ["nothing", "./nothing.py", "empty/"])
def test_what_is_not_there_is_an_error(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnknownGame, match=r"There is no|has no files"):
        jobs_for([name], LIMITS)


def test_cells_are_never_formulas() -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]
    made: list[Row] = [
        {"name": text, "file": "a,b", "status": "crashed", "complete": False, "message": 'a "b"\nc'}
        | {"audit": None}
        for text in texts
    ]
    lines = list(csv.reader(io.StringIO(to_csv(made), newline="")))
    assert [line[0] for line in lines[1:]] == [f"'{text}" for text in texts]
    assert {(line[1], line[4]) for line in lines[1:]} == {("a,b", 'a "b"\nc')}


def test_number_of_workers_changes_nothing(rows: dict[str, Row], tmp_path: Path) -> None:
    journal, nobody = str(tmp_path / "journal"), Mock(spec=Executor)
    some = [rows[name] for name in ("crashes", "no_game", "race")]
    with local(1) as workers, open_journal(journal) as opened:
        again = run_batch(jobs_for([row["file"] for row in some], LIMITS), workers, opened)
    assert to_csv(again) == to_csv(some)
    assert to_json(again, LIMITS) == to_json(some, LIMITS)
    with open_journal(journal) as opened:  # and neither does a journal
        again = run_batch(jobs_for([row["file"] for row in some], LIMITS), nobody, opened)
    assert to_json(again, LIMITS) == to_json(some, LIMITS)
    nobody.submit.assert_not_called()


def test_progress_is_shown_on_a_terminal(home: Path) -> None:
    write(home / "games", {"countdown": COUNTDOWN})
    with Terminal(home, "audit", "games", "--out", "results.csv") as terminal:
        terminal.expect("0 of 1, 0 solved (Ctrl-C stops)")
        terminal.expect("1 of 1, 1 solved, about 0 s left (Ctrl-C stops)")
        terminal.expect("1 game: 1 solved.")
        assert terminal.wait() == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["games"], "Name a file for the results: --out results.csv"),
        (["games", "--out", "results.txt"], "--out results.csv, or .json"),
        (["games", "--out", "results.csv", "--json"], "--out is for many"),
        (["even-steven", "--jobs", "2"], "--jobs is for many games"),
        (["even-steven", "--start", "5", "--out", "results.csv"], "cannot be used with --out"),
        (["even-steven", "dual-digits", "--start", "5"], "cannot be used with several"),
        (["games", "--out", "results.csv", "--seconds", "soon"], "not a number of seconds"),
        (["games", "--out", "results.csv", "--seconds", "0"], "must be more than 0"),
        (["games", "--out", "results.csv", "--seconds", "nan"], "must be more than 0"),
        (["games", "--out", "results.csv", "--seconds", "1e400"], "at most 1,000,000"),
        (["games", "--out", "results.csv", "--jobs", "0"], "at least 1"),
        (["games", "--out", "r.csv", "--jobs", "2", "--cluster", "a:1"], "--jobs is for this"),
        (["nothing", "even-steven", "--out", "results.csv"], "There is no game 'nothing'"),
    ],
)
def test_wrong_command_lines_are_explained(home: Path, arguments: list[str], says: str) -> None:
    write(home / "games", {"countdown": COUNTDOWN})
    helpful(run(home, "audit", *arguments), 2, says)
    assert [file.name for file in home.iterdir()] == ["games"]


def test_results_never_replace_a_file_of_the_users(home: Path) -> None:
    write(home / "games", {"countdown": COUNTDOWN})
    (home / "results.csv").write_text("mine")
    helpful(run(home, "audit", "games", "--out", "results.csv"), 1, "already exists")
    assert (home / "results.csv").read_text() == "mine"
    helpful(run(home, "audit", "games", "--out", "no/results.csv"), 1, "cannot be written")
