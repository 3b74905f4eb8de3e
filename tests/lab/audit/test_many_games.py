"""Many audits: bad files, and the same results whatever the workers."""

import csv
import errno
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jsonschema
import pytest

import zerosum
from tests.cli.support import helpful, run
from tests.game_files import COUNTDOWN
from tests.helpers import Terminal, eventually
from tests.lab.audit.bad_games import DANGEROUS, EXPECTED, FIRST, SECONDS, SLEEPY, WRONG
from zerosum.documents import read, schema, to_json
from zerosum.errors import NotSolved, UnknownGame
from zerosum.lab.audit.auditing import audit_steps
from zerosum.lab.audit.document import Audit, AuditRow, Audits
from zerosum.lab.audit.processes.game_files import AuditJob, jobs_for
from zerosum.lab.audit.processes.many_games import COLUMNS, audits_document, local, run_jobs, to_csv
from zerosum.lab.audit.processes.one_game import answers, audit_in_process, row_from
from zerosum.lab.journal import open_journal
from zerosum.limits import Limits

LIMITS = Limits(positions=1_000, seconds=1.0, memory=256)


def write(folder: Path, games: dict[str, str]) -> str:
    """Write files of games, and return the folder."""
    folder.mkdir(exist_ok=True)
    for name, text in games.items():
        (folder / f"{name}.py").write_text(text)
    return str(folder)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AuditRow]:
    """The rows of a folder with every kind of file that needs a process, or cannot be read."""
    home = tmp_path_factory.mktemp("many")
    games = write(home / "games", {**DANGEROUS, "huge": ""})
    os.truncate(f"{games}/huge.py", 1 << 30)
    os.symlink("nothing", f"{games}/leads_nowhere.py")
    os.symlink("leads_to_itself.py", f"{games}/leads_to_itself.py")
    os.mkfifo(f"{games}/pipe.py")
    with open(os.fsencode(games) + b"/odd\xff.py", "w") as file:
        file.write(COUNTDOWN)
    jobs = [
        job._replace(limits=LIMITS.in_seconds(SECONDS.get(job.name, LIMITS.seconds)))
        for job in jobs_for([games], LIMITS)
    ]
    waits = patch(
        "zerosum.lab.audit.processes.one_game.wall_seconds",
        lambda limits: 0.5 if limits.seconds == SLEEPY else 100.0,
    )
    with waits, local(4) as workers, open_journal(str(home / "journal")) as journal:
        return {
            row.name: row for row in run_jobs(AuditRow, audit_in_process, jobs, workers, journal)
        }


def test_every_file_gets_a_row_that_says_what_happened(rows: dict[str, AuditRow]) -> None:
    assert sorted(rows) == sorted(EXPECTED.keys() - WRONG.keys())
    for name, row in rows.items():
        status, text = EXPECTED[name]
        assert (row.status, text in row.message) == (status, True), row
        if row.status != "solved" and row.audit:
            assert row.audit.environment  # with what random games have shown


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rules_are_answered_with_what_is_wrong(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(WRONG[name])
    with patch("zerosum.lab.audit.auditing.AUDIT_NODES", 10):
        row = row_from(AuditJob(name, str(file)), answers(str(file), 50))
    status, text = EXPECTED[name]
    assert (row.status, text in row.message) == (status, True), row


def test_audit_that_runs_out_of_time_keeps_what_it_found(rows: dict[str, AuditRow]) -> None:
    row = rows["hangs_far_away"]
    assert row.audit is not None
    assert [(fault.code, fault.witness is None) for fault in row.audit.faults] == [
        ("reward-without-end", False)
    ]
    assert (row.audit.verdict.winner, row.complete) == (None, False)
    assert not rows["slow"].complete
    assert rows["slow"].audit is not None
    assert rows["slow"].audit.verdict.winner == "first"


def test_value_that_later_play_contradicts_is_withdrawn() -> None:
    game = zerosum.game("even-steven")

    def contradicted(*arguments: Any) -> Iterator[Audit]:
        yield next(audit_steps(game))
        raise NotSolved("7 cannot be reached.")

    with patch("zerosum.lab.audit.processes.one_game.audit_steps", contradicted):
        row = row_from(AuditJob("even-steven", "even-steven"), answers("even-steven", 1_000))
    assert (row.status, row.audit) == ("broken", None)
    assert row.message.endswith("7 cannot be reached.")


def test_results_are_a_document_in_utf_8(rows: dict[str, AuditRow]) -> None:
    text = to_json(audits_document(list(rows.values()), LIMITS))
    assert text.encode()
    assert read(Audits, text).rows == tuple(rows.values())
    jsonschema.validate(json.loads(text), schema(Audits))
    for row in rows.values():
        assert row.audit is not None or not row.complete


def test_folders_of_killed_audits_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("zerosum-audit-old", "zerosum-audit-new", "old"):
        (tmp_path / name).mkdir()
        if "old" in name:
            os.utime(tmp_path / name, (0, 0))
    with local(1):
        assert sorted(os.listdir(tmp_path)) == ["old", "zerosum-audit-new"]


def test_table_has_every_column_for_every_row(rows: dict[str, AuditRow]) -> None:
    text = to_csv(list(rows.values()))
    assert text.encode()
    lines = list(csv.reader(io.StringIO(text)))
    assert tuple(lines[0]) == COLUMNS
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert {len(line) for line in lines} == {len(COLUMNS)}
    table = {line[0]: dict(zip(COLUMNS, line, strict=True)) for line in lines[1:]}
    race = table["race"]
    assert (race["winner"], race["plies"], race["complete"]) == ("first", "3", "yes")
    assert float(race["random_first_wins"]) + float(race["random_second_wins"]) == pytest.approx(1)
    assert (float(race["perfect_score"]), race["dead_rules"]) == (1, "0")
    assert table["hangs_far_away"]["faults"] == "reward-without-end"
    assert (table["pipe"]["positions"], table["pipe"]["title"]) == ("", "")


def test_forked_processes_end_with_the_game(tmp_path: Path) -> None:
    mark = f"{tmp_path}/alive"
    os.mkfifo(mark)
    # The child keeps the pipe open as long as it lives, in the group of the game.
    text = f"{FIRST}import time, ctypes\nkept = os.open({mark!r}, os.O_RDONLY | os.O_NONBLOCK)\n"
    text += "if ctypes.CDLL(None).fork() == 0:\n    time.sleep(600)\n"
    (job,) = jobs_for([write(tmp_path / "games", {"forking": text + COUNTDOWN})], LIMITS)
    assert audit_in_process(job).status == "solved"
    eventually(lambda: not _is_open(mark))


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
    assert audit_in_process(jobs[2]).status == "solved"


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
    made = [AuditRow(text, "a,b", "crashed", False, 'a "b"\nc') for text in texts]
    lines = list(csv.reader(io.StringIO(to_csv(made), newline="")))
    assert [line[0] for line in lines[1:]] == [f"'{text}" for text in texts]
    assert {(line[1], line[4]) for line in lines[1:]} == {("a,b", 'a "b"\nc')}


def test_number_of_workers_changes_nothing(rows: dict[str, AuditRow], tmp_path: Path) -> None:
    jobs = jobs_for([rows["race"].file], LIMITS)
    with local(1) as workers, open_journal(str(tmp_path / "journal")) as opened:
        assert run_jobs(AuditRow, audit_in_process, jobs, workers, opened) == [rows["race"]]


def test_progress_is_shown_on_a_terminal(home: Path) -> None:
    write(home / "games", {"countdown": COUNTDOWN})
    with Terminal(home, "audit", "games", "--out", "results.csv") as terminal:
        terminal.expect("0 of 1, 0 solved (Ctrl-C stops)")
        terminal.expect("1 of 1, 1 solved (Ctrl-C stops)")
        terminal.expect("1 game: 1 solved.")
        assert terminal.wait() == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["games"], "Name a file for the results: --out results.csv"),
        (["games", "--out", "results.csv", "--json"], "--out is for many"),
        (["even-steven", "--start", "5", "--out", "results.csv"], "cannot be used with --out"),
        (["even-steven", "dual-digits", "--start", "5"], "cannot be used with several"),
        (["games", "--out", "results.csv", "--seconds", "soon"], "not a number of seconds"),
        (["games", "--out", "results.csv", "--seconds", "1e400"], "to 1,000,000 seconds"),
        (["games", "--out", "r.csv", "--jobs", "2", "--cluster", "a:1"], "--jobs is for this"),
        (["nothing", "even-steven", "--out", "results.csv"], "There is no game 'nothing'"),
    ],
)
def test_wrong_command_lines_are_explained(home: Path, arguments: list[str], says: str) -> None:
    write(home / "games", {"countdown": COUNTDOWN})
    helpful(run(home, "audit", *arguments), 2, says)
    assert [file.name for file in home.iterdir()] == ["games"]


def test_results_never_replace_a_users_file(home: Path) -> None:
    write(home / "games", {"countdown": COUNTDOWN})
    (home / "results.csv").write_text("mine")
    helpful(run(home, "audit", "games", "--out", "results.csv"), 1, "already exists")
    assert (home / "results.csv").read_text() == "mine"
    helpful(run(home, "audit", "games", "--out", "no/results.csv"), 1, "cannot be written")
