"""Many audits that were stopped go on where they stopped, by their journal."""

import json
import signal
from concurrent.futures import Executor, Future
from io import FileIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.support import run
from tests.game_files import COUNTDOWN
from tests.helpers import Piped, eventually
from tests.lab.audit.bad_games import ENVIRONMENT
from tests.lab.audit.test_many_games import LIMITS, write
from zerosum.documents import to_dict
from zerosum.errors import ZerosumError
from zerosum.lab.audit.document import AuditRow
from zerosum.lab.audit.processes.game_files import AuditJob
from zerosum.lab.audit.processes.many_games import run_jobs
from zerosum.lab.audit.processes.one_game import audit_in_process
from zerosum.lab.journal import Journal, open_journal
from zerosum.limits import Limits


class Inline(Executor):
    """Makes rows at once, and notes the jobs; after a number of them, it is interrupted."""

    def __init__(self, most: int = 100) -> None:
        self.names: list[str] = []
        self.most = most

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Make a row without an audit."""
        future: Future[Any] = Future()
        (job,) = args
        if len(self.names) == self.most:
            future.set_exception(KeyboardInterrupt())
            return future
        self.names.append(job.name)
        future.set_result(AuditRow(job.name, job.file, "solved", False, "…"))
        return future


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "results.csv.journal"


def in_batch(
    journal: Path, jobs: list[AuditJob], workers: Inline, fresh: bool = False
) -> list[AuditRow]:
    """Run jobs with a journal."""
    in_order = patch("zerosum.lab.audit.processes.many_games.as_completed", iter)
    with in_order, open_journal(str(journal), fresh) as opened:
        return run_jobs(AuditRow, audit_in_process, jobs, workers, opened)


def jobs_named(*names: str, content: bytes = b"1", limits: Limits = LIMITS) -> list[AuditJob]:
    return [AuditJob(name, f"{name}.py", ((f"{name}.py", content),), limits) for name in names]


def test_interrupted_batch_goes_on_where_it_stopped(journal: Path) -> None:
    jobs = jobs_named("a", "b", "c", "d")
    with pytest.raises(KeyboardInterrupt):
        in_batch(journal, jobs, Inline(most=2))
    assert lines(journal) == 2
    rest = Inline()
    assert [row.name for row in in_batch(journal, jobs, rest)] == ["a", "b", "c", "d"]
    assert rest.names == ["c", "d"]
    again = Inline()
    in_batch(journal, jobs, again)
    assert again.names == []
    in_batch(journal, jobs, again, fresh=True)
    assert again.names == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "wrong",
    [
        *({"status": "lost"}, {"name": "b"}, {"file": "b.py"}, {"complete": 1}, {"message": []}),
        *({"audit": {}}, {"audit": {"title": "x"}}, {"audit": []}),
    ],
)
def test_invalid_rows_are_audited_again(journal: Path, wrong: dict[str, Any]) -> None:
    jobs = jobs_named("a")
    (row,) = in_batch(journal, jobs, Inline())
    line = json.loads(journal.read_bytes().splitlines()[-1])
    bad: Any
    for bad in ({**to_dict(row), **wrong}, None, 7, [], {}):
        with journal.open("a") as file:
            file.write(json.dumps({**line, "row": bad}) + "\n")
        again = Inline()
        assert in_batch(journal, jobs, again) == [row]
        assert again.names == ["a"]


def test_changed_files_and_limits_are_audited_again(journal: Path) -> None:
    in_batch(journal, jobs_named("a", "b"), Inline())
    again = Inline()
    in_batch(journal, [*jobs_named("a"), *jobs_named("b", content=b"2")], again)
    in_batch(journal, jobs_named("a", limits=LIMITS.in_seconds(2.0)), again)
    assert again.names == ["b", "a"]


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize(
    "content", ["mine", "{}\n", "\n", '{"key": "', '{"journal": "measurement"}\n']
)
def test_file_that_is_not_a_journal_is_kept(journal: Path, content: str, fresh: bool) -> None:
    journal.write_text(content)
    with (
        pytest.raises(ZerosumError, match="is not a journal of an audit; not overwritten"),
        open_journal(str(journal), fresh, "audit"),
    ):
        pass
    assert journal.read_text() == content


def test_journal_is_a_regular_file_and_an_empty_one_is_kept(journal: Path) -> None:
    journal.mkdir()
    with pytest.raises(ZerosumError, match="is not a regular file"), open_journal(str(journal)):
        pass
    journal.rmdir()
    journal.touch()
    with open_journal(str(journal)):
        pass
    assert journal.exists()


def test_journal_on_a_full_disk(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(FileIO):
        def write(self, line: Any, /) -> int:
            return super().write(line) - full

    full = False
    monkeypatch.setattr("zerosum.lab.journal.FileIO", Full)
    with open_journal(str(journal)) as opened:
        full = True
        with pytest.raises(ZerosumError, match="cannot be written: No space left"):
            opened.add("a", 1)


def test_two_runs_never_write_one_journal(journal: Path) -> None:
    with (
        open_journal(str(journal)) as opened,
        pytest.raises(ZerosumError, match="Another command is writing"),
        open_journal(str(journal)),
    ):
        pass
    assert isinstance(opened, Journal)


def test_killed_command_continues(home: Path) -> None:
    write(home / "games", {"a": ENVIRONMENT, "b": COUNTDOWN, "c": ENVIRONMENT})
    arguments = ("audit", "games", "--jobs", "1", "--seconds", "1", "--out", "results.csv")
    journal = home / "results.csv.journal"
    for end in (signal.SIGKILL, signal.SIGINT):
        before = lines(journal) if journal.exists() else 0
        with Piped(home, *arguments, TMPDIR=str(home)) as command:
            eventually(lambda before=before: journal.exists() and lines(journal) > before)  # type: ignore[misc]
            command.process.send_signal(end)
            code, out, err = command.end()
        assert out == ""
        if end == signal.SIGINT:
            assert code == 130
            assert "of 3 games are done. To continue, run the same command again.\n" in err
    assert not (home / "results.csv").exists()
    assert run(home, *arguments).returncode == 0
    keys = [json.loads(line)["key"] for line in journal.read_text().splitlines()[1:]]
    assert len(keys) == len(set(keys)) == 3
    assert (home / "results.csv").read_text().count("solved,yes") == 3


def lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") - 1
