"""Helpers for the tests of the command."""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jsonschema

from tests.helpers import clean_env
from zerosum import cli, documents
from zerosum.registry.loading import PREFIX

Done = subprocess.CompletedProcess[str]
GAMES = ["even-steven", "divisor-duel", "dual-digits", "number-navigator", "digit-battle"]


class Screen(io.TextIOWrapper):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(home: Path, *args: str, typed: str | bytes = "", **env: str) -> Done:
    """Run the command in this process: faster than `helpers.run`, and otherwise the same."""
    return _run(io.TextIOWrapper, home, args, typed, env)


def on_screen(home: Path, *args: str, typed: str | bytes = "", **env: str) -> Done:
    """Run the command as if it printed on a terminal: faster than a real one."""
    return _run(Screen, home, args, typed, env)


def in_menu(home: Path, *answers: str, **env: str) -> Done:
    """Open the menu as on a terminal, and answer its questions; then the input ends."""
    return on_screen(home, typed="".join(f"{answer}\n" for answer in answers), **env)


def _run(
    kind: type[io.TextIOWrapper],
    home: Path,
    args: tuple[str, ...],
    typed: str | bytes,
    env: dict[str, str],
) -> Done:
    printed = io.BytesIO(), io.BytesIO()
    out, err = (kind(buffer, encoding="utf-8") for buffer in printed)
    digits, folder = sys.get_int_max_str_digits(), os.getcwd()
    loaded = set(sys.modules)  # by other tests, which still use it
    with (
        tempfile.TemporaryFile() as file,
        kind(file, encoding="utf-8") as stdin,
        patch.dict(os.environ, clean_env(home, **env), clear=True),
        patch.multiple(sys, stdin=stdin, stdout=out, stderr=err, argv=["__main__.py", *args]),
    ):
        file.write(typed.encode() if isinstance(typed, str) else typed)
        file.seek(0)
        os.chdir(home)
        try:
            code = cli.run(list(args))
        finally:
            os.chdir(folder)
            sys.set_int_max_str_digits(digits)
            for name in sys.modules.keys() - loaded:
                if name.startswith(PREFIX):
                    del sys.modules[name]  # the next run reads a game's file anew
    said = [buffer.getvalue().decode("utf-8", "replace") for buffer in printed]
    assert "Traceback" not in said[1], said[1]
    return subprocess.CompletedProcess(args, code, *said)


def document(home: Path, *args: str, schema: str, typed: str = "") -> Any:
    """Run a command with --json, and check what it prints by its schema."""
    done = run(home, *args, "--json", typed=typed)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    validator(schema).validate(loaded)
    return loaded


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """Return what checks documents by a schema; tests/test_documents.py checks the schemas."""
    return jsonschema.Draft202012Validator(documents.schema(name))


def first_id(home: Path) -> str:
    text = run(home, "history", "--json").stdout
    return str(json.loads(text)["matches"][0]["id"])


def configure(home: Path, text: str, named: bool = False) -> dict[str, str]:
    file = home / "c.toml" if named else home / ".config" / "zerosum" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return {"ZEROSUM_CONFIG": str(file)} if named else {}


def helpful(done: Done, code: int, *says: str) -> None:
    """Expect an error: its exit code, nothing on standard output, and a short sentence."""
    assert done.returncode == code, (done.stdout[-500:], done.stderr)
    assert done.stdout == ""
    assert "bug in Zerosum" not in done.stderr
    error = done.stderr.partition("Error: ")[2].strip()
    assert error, done.stderr
    assert error.count("\n") <= 1, error
    assert len(error) < 500, error
    for text in says:
        assert text.casefold() in error.casefold(), error
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stderr)
