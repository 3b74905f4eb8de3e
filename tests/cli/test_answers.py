"""`zerosum measure --answers`: answers of any harness, measured and checked."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.support import run
from tests.game_files import EXAMPLES, STICK
from tests.helpers import run as in_process
from zerosum.lab.models.suites import SUITES, SuitePart, suite_named

QUESTIONS = "questions.jsonl"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with questions, and answers to all of them."""
    folder = tmp_path_factory.mktemp("answers")
    out = folder / QUESTIONS
    which = ("dual-digits", "--start", "30", "--count", "20", "--out", str(out))
    made = run(folder, "questions", *which)
    assert made.returncode == 0, made.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    answers = [
        {"id": row["id"], "text": f"MOVE: {row['moves'][-1]['move']}", "tokens": 3, "cost": 0.5}
        for row in rows
    ]
    write(folder, "all", answers)
    write(folder, "half", answers[:10])
    write(folder, "twice", answers + answers[:5])
    write(folder, "newer", [{**answer, "prompt_version": 99} for answer in answers])
    write(folder, "other", [*answers, {"id": "dual-digits#[9,3,0]", "move": 1}])
    return folder


def write(folder: Path, name: str, answers: list[dict[str, object]]) -> None:
    """Write answers to a file, a line each."""
    lines = (json.dumps(answer) + "\n" for answer in answers)
    (folder / f"{name}.jsonl").write_text("".join(lines))


def test_answers_are_measured_like_any_player(folder: Path) -> None:
    path = str(folder / "all.jsonl")
    checks = ("--questions", str(folder / QUESTIONS))
    found = json.loads(run(folder, "measure", "--answers", path, *checks, "--json").stdout)
    assert (found["game"], found["options"]["start"]) == ("dual-digits", 30)
    assert (found["player"], found["asked"], found["left_out"]) == (path, 20, "answers")
    assert found["spent"] == {"tokens": 60, "seconds": None, "cost": 10.0}
    assert found["hashes"]["prompt"]
    shown = run(folder, "measure", "--answers", path, "medium").stdout
    assert "medium" in shown
    assert f"{found['good']['value']:.1%}" in shown
    shown = run(folder, "measure", "--answers", path).stdout
    assert "All answers together: 60 tokens, a cost of 10.00." in shown
    assert "solve dual-digits --start 30 --moves" in shown


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("half", "answers 10 of the 20 questions"),
        ("newer", "prompts of version 99; those in"),
        ("other", "'dual-digits#[9,3,0]', which is not a question in"),
    ],
)
def test_answers_that_do_not_fit_their_questions_are_refused(
    folder: Path, name: str, says: str
) -> None:
    checks = ("--questions", str(folder / QUESTIONS))
    done = run(folder, "measure", "--answers", str(folder / f"{name}.jsonl"), *checks)
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("twice", "some questions have 1 answer, others 2. Is the file complete?"),
        ("newer", "the prompts have version 99; this Zerosum writes version 1"),
    ],
)
def test_what_is_odd_about_answers_is_said(folder: Path, name: str, says: str) -> None:
    done = run(folder, "measure", "--answers", str(folder / f"{name}.jsonl"), "--json")
    assert done.returncode == 0
    assert says in done.stderr


def test_answers_about_a_game_in_a_file_are_read_once(tmp_path: Path) -> None:
    """The command starts again in another process when it loads such a game."""
    asked = [f"{STICK}?start=9#{place}" for place in ("[8,1]", "[7,1]")]
    write(tmp_path, "sticks", [{"id": name, "move": 1} for name in (*asked, asked[0])])
    words = ("measure", "--answers", "sticks.jsonl", "--json", f"{STICK}?start=9")
    done = in_process(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Is the file complete?") == 1
    assert json.loads(done.stdout)["options"] == {"start": 9}


@pytest.mark.parametrize("way", ["{}", "examples/../../../../../../../..{}"])
@pytest.mark.parametrize("command", ["measure", "arena"])
def test_answers_run_no_rules_that_nobody_named(tmp_path: Path, command: str, way: str) -> None:
    mark, rules = tmp_path / "mark", tmp_path / "evil.py"
    rules.write_text(f"open({str(mark)!r}, 'w').close()\n{Path(STICK).read_text()}")
    write(tmp_path, "evil", [{"id": f"{way.format(rules)}#[8,1]", "move": 1}])
    for words in ((), ("dual-digits",)):
        done = run(tmp_path, command, "--answers", "evil.jsonl", *words)
        assert (done.returncode, mark.exists()) == (1, False)
        assert "name the game in the command too" in done.stderr
    done = run(tmp_path, "measure", "--answers", "evil.jsonl", str(rules))
    assert (done.returncode, mark.exists()) == (0, True), done.stderr


def test_a_name_that_is_no_text_is_written_with_marks(folder: Path) -> None:
    """A file's name is bytes, and need not be UTF-8."""
    name = os.fsdecode(b"caf\xe9.jsonl")
    (folder / name).write_bytes((folder / "all.jsonl").read_bytes())
    out = [str(folder / "named.csv"), str(folder / "named.jsonl")]
    words = ("--answers", str(folder / name), "--csv", out[0], "--rows", out[1])
    done = run(folder, "measure", *words)
    assert (done.returncode, "bug" in done.stderr) == (0, False), done.stderr
    assert "caf?.jsonl" in Path(out[0]).read_text()
    assert len(Path(out[1]).read_text().splitlines()) == 20


def test_answers_about_another_game_are_refused(folder: Path) -> None:
    done = run(folder, "measure", "--answers", str(folder / "all.jsonl"), "even-steven")
    assert done.returncode == 1
    assert "has no answers about this Even-Steven" in done.stderr


def some_parts(
    monkeypatch: pytest.MonkeyPatch, name: str, wanted: Callable[[SuitePart], bool]
) -> int:
    """Leave some parts of a suite, and count its questions; tests/lab/models has all of them."""
    suite = suite_named(name)
    parts = tuple(filter(wanted, suite.parts))
    monkeypatch.setitem(SUITES, name, suite._replace(parts=parts))
    return sum(part.count for part in parts)


def test_a_suite_is_written_answered_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = (10**3, 10**12, 10**40)
    some_parts(monkeypatch, "zerosum-sizes", lambda part: part.options["start"] in starts)
    out = tmp_path / "suite.jsonl"
    done = run(tmp_path, "questions", "zerosum-sizes", "--out", str(out))
    questions = [json.loads(line) for line in out.read_text().splitlines()]
    count = len(questions)
    assert done.stdout.startswith(f"{count} questions in {out}: the suite zerosum-sizes, ")
    answers: list[dict[str, object]] = [
        {"id": row["id"], "move": row["moves"][0]["move"]} for row in questions
    ]
    write(tmp_path, "all", answers)
    write(tmp_path, "half", answers[:50])
    path = str(tmp_path / "all.jsonl")
    found = json.loads(
        run(tmp_path, "measure", "--answers", path, "zerosum-sizes", "--json").stdout
    )
    assert sum(part["asked"] for part in found["measurements"]) == count
    right = [row["moves"][0]["regret"] == 0 for row in questions]
    means = [part["good"]["value"] * part["asked"] for part in found["measurements"]]
    assert sum(means) == pytest.approx(sum(right))
    path = str(tmp_path / "half.jsonl")
    refused = run(tmp_path, "measure", "--answers", path, "zerosum-sizes")
    assert f"answers 50 of the {count} questions in the suite" in refused.stderr
    far = [answer for answer in answers if "dual-digits?start=1" + "0" * 40 in str(answer["id"])]
    write(tmp_path, "far", far)
    path = str(tmp_path / "far.jsonl")
    found = json.loads(run(tmp_path, "measure", "--answers", path, "--json").stdout)
    assert (found["asked"], found["positions"], found["left_out"]) == (10, None, "size")
    assert {error["line"] for error in found["errors"]} == {None}
    refused = run(tmp_path, "measure", "easy", "zerosum-1", "--budget", "3")
    assert "it takes no --budget" in refused.stderr
    refused = run(tmp_path, "questions", "zerosum-1", "--count", "3")
    assert "Name a suite alone" in refused.stderr


def test_commands_of_the_page_about_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = some_parts(monkeypatch, "zerosum-1", lambda part: part.name == "even-steven")
    page = (EXAMPLES.parent / "models.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    for line in lines:
        words = shlex.split(line)
        if words[0] == "python":
            with (tmp_path / "questions.jsonl").open() as asked:
                told = subprocess.check_output(
                    [sys.executable, EXAMPLES / "harness.py"], stdin=asked
                )
            (tmp_path / "answers.jsonl").write_bytes(told)
        elif words[0] == "zerosum" and "logs/2026-01-31.eval" not in words:
            done = run(tmp_path, *words[1:])
            assert done.returncode == 0, done.stderr
    rows = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert {json.loads(row)["player"] for row in rows} == {"medium", "answers.jsonl"}
    assert len((tmp_path / "suite.jsonl").read_text().splitlines()) == count
