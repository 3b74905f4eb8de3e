"""Shell completion."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cli.support import GAMES, configure, first_id, run
from tests.helpers import PATIENCE, clean_env
from zerosum.cli.commands import COMMANDS


def complete(home: Path, *words: str, **env: str) -> list[str]:
    """Ask as bash does: the last word is the one being typed."""
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = run(home, **asked, _ZEROSUM_COMPLETE="bash_complete", **env)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_commands_are_completed(home: Path) -> None:
    assert complete(home, "zerosum", "") == list(COMMANDS)
    assert complete(home, "zerosum", "res") == ["resume"]
    assert complete(home, "zerosum", "help", "re") == ["resume", "review"]
    assert complete(home, "zerosum", "help", "play", "even") == ["even-steven"]


def test_games_are_completed_and_files_left_to_the_shell(home: Path) -> None:
    for command in ("play", "rules"):
        assert complete(home, "zerosum", command, "") == GAMES
        assert complete(home, "zerosum", command, "d") == [n for n in GAMES if n[0] == "d"]
        assert complete(home, "zerosum", command, "x") == []
    for command, begun in (("play", "./my"), ("check", "my"), ("new", "my")):
        env = {"COMP_WORDS": f"zerosum\n{command}\n{begun}", "COMP_CWORD": "2"}
        assert run(home, **env, _ZEROSUM_COMPLETE="bash_complete").stdout == f"file,{begun}\n"


def test_options_of_a_game_are_completed(home: Path) -> None:
    assert complete(home, "zerosum", "play", "even-steven", "--s") == [
        *("--start", "--subtract-two", "--server", "--seed")
    ]
    assert "--numbers" in complete(home, "zerosum", "play", "dual-digits", "--")
    assert "--numbers" not in complete(home, "zerosum", "play", "even-steven", "--")
    assert "--start" not in complete(home, "zerosum", "play", "--")
    assert complete(home, "zerosum", "play", "even-steven", "--first", "r") == ["random"]


def test_ids_are_completed(home: Path) -> None:
    run(home, "play", "even-steven", "--start", "1", typed="1\n")
    run(home, "play", "even-steven", typed="1\n")
    id_ = first_id(home)
    for command in ("show", "export", "review", "delete"):
        assert len(complete(home, "zerosum", command, "")) == 2
        assert complete(home, "zerosum", command, id_[:6]) == [id_]
        assert complete(home, "zerosum", command, "0") == []
    assert complete(home, "zerosum", "resume", "") == [id_]  # the other is over


def test_ids_come_from_the_chosen_database(home: Path) -> None:
    run(home, "play", "even-steven", "--db", "other.db", typed="1\n")
    history = json.loads(run(home, "history", "--json", "--db", "other.db").stdout)
    ids: list[Any] = [history["matches"][0]["id"]]
    assert complete(home, "zerosum", "resume", "") == []
    assert complete(home, "zerosum", "resume", "", ZEROSUM_DB="other.db") == ids
    assert complete(home, "zerosum", "resume", "--db", "other.db", "") == ids
    assert complete(home, "zerosum", "--db", "other.db", "resume", "") == ids
    configure(home, f"db = '{home}/other.db'\n")
    assert complete(home, "zerosum", "resume", "") == ids


def test_completion_ignores_broken_files(home: Path) -> None:
    (home / "diary.txt").write_text("Dear diary,\n" * 50)
    assert complete(home, "zerosum", "resume", "", ZEROSUM_DB="diary.txt") == []
    (home / "broken.py").write_text("raise SystemExit('no')")
    for game in ("nonsense", "./broken.py"):
        assert "--names" in complete(home, "zerosum", "play", game, "--")
    configure(home, "x = \n")
    assert complete(home, "zerosum", "play", "even") == ["even-steven"]


def test_script_for_a_shell_is_printed(home: Path) -> None:
    for name in ("bash", "zsh", "fish"):
        done = run(home, "completion", name)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"_ZEROSUM_COMPLETE={name}_complete" in done.stdout


def test_bash_script_works_in_bash(home: Path) -> None:
    script = """
set -e
eval "$(zerosum completion bash)"
function=$(complete -p zerosum | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
ask() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    "$function" zerosum "${@: -1}" "${@: -2:1}"
    echo "${COMPREPLY[*]}"
}
ask zerosum play d
"""
    env = clean_env(home)
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, env=env, timeout=PATIENCE
    )
    assert done.stderr == ""
    assert done.stdout == "divisor-duel dual-digits digit-battle\n"
