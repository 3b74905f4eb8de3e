"""`zerosum questions`: a line a question, for one game or many."""

import json
from pathlib import Path

from tests.cli.support import run
from tests.game_files import STICK


def test_questions_are_lines_of_json_with_the_options_of_the_game(tmp_path: Path) -> None:
    done = run(tmp_path, "questions", "dual-digits", "--start", "9", "--count", "4")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["options"]["start"] for line in lines] == [9] * 4
    again = run(tmp_path, "questions", "dual-digits", "--start", "9", "--count", "4")
    assert again.stdout == done.stdout
    other = run(tmp_path, "questions", "dual-digits", "--start", "9", "--count", "4", "--seed", "1")
    assert other.stdout != done.stdout


def test_a_file_is_written_once(tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    done = run(tmp_path, "questions", STICK, "--out", str(out))
    assert done.stdout == f"14 questions in {out}.\n"
    before = out.read_bytes()
    done = run(tmp_path, "questions", STICK, "--out", str(out), "--legal")
    assert (done.returncode, out.read_bytes()) == (1, before)
    assert "already exists; not overwritten" in done.stderr


def test_many_games_have_their_own_rules_and_the_unsolved_are_named(tmp_path: Path) -> None:
    games, texts, out = tmp_path / "envs", tmp_path / "texts", tmp_path / "out.jsonl"
    games.mkdir()
    texts.mkdir()
    for number in (1, 2, 3):
        (texts / f"{number}.txt").write_text(f"These are the rules of game {number}.")
        (games / f"env_{number}.py").write_bytes(Path(STICK).read_bytes())
    (games / "env_2.py").write_text("while True: pass")
    arguments = ["--out", str(out), "--rules", str(texts), "--seconds", "0.25", "--count", "3"]
    done = run(tmp_path, "questions", str(games), *arguments)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [Path(line["game"]).name for line in lines] == ["env_1.py"] * 3 + ["env_3.py"] * 3
    assert all("rules of game 1." in line["prompt"] for line in lines[:3])
    assert "env_2.py: time-limit: It took more than 0.25 s of processor time." in done.stderr
    assert done.stdout == (
        f"3 games: 2 solved, 1 time-limit.\n6 questions about 2 games in {out}.\n"
    )
    written = out.read_bytes()
    (games / "env_2.py").write_bytes(Path(STICK).read_bytes())
    run(tmp_path, "questions", str(games), *arguments)
    assert out.read_bytes().startswith(written[:1000])
    assert len(out.read_text().splitlines()) == 9


def test_many_games_need_a_file(tmp_path: Path) -> None:
    done = run(tmp_path, "questions", "dual-digits", "even-steven")
    assert done.returncode == 2
    assert "--out questions.jsonl" in done.stderr
    done = run(tmp_path, "questions", "--out", "questions.jsonl")
    assert done.returncode == 2
    assert "Choose a game: even-steven" in done.stderr
    assert "digit-battle, zerosum-1, zerosum-sizes or a file" in done.stderr


def test_a_count_above_all_decisions_says_that_these_are_all(tmp_path: Path) -> None:
    done = run(tmp_path, "questions", STICK, "--count", "100000", "--out", "questions.jsonl")
    assert done.stdout == "14 questions in questions.jsonl, all that this game has.\n"
