"""docs/assistants.md: what its transcripts and its configurations show is so."""

import json
import re
import shlex
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.assistants.assistant import Assistant, text_of
from tests.assistants.sources import FAULTY, MENDED
from zerosum.cli.commands.mcp import mcp

PAGE = (Path(__file__).parents[2] / "docs" / "assistants.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [(found[1], found[2]) for found in BLOCK.finditer(PAGE)]


def test_transcripts_are_what_the_tools_answer(claude: Assistant) -> None:
    transcripts = [text for kind, text in BLOCKS if kind == "text"]
    assert len(transcripts) == 3
    sources = [FAULTY, MENDED]
    answers: dict[str, list[Any]] = defaultdict(list)
    for transcript in transcripts:
        ids: dict[str, str] = {}
        for call in re.split(r"\n\n(?=> )", transcript.rstrip("\n")):
            line, _, told = call.partition("\n")
            tool, _, given = line.removeprefix("> ").partition(" ")
            arguments: dict[str, Any] = json.loads(given)
            if "match" in arguments:
                arguments["match"] = ids[arguments["match"]]
            if "source" in arguments:
                arguments["source"] = sources.pop(0)
            result = claude.ask(tool, **arguments)
            if tool == "new_match":
                (shown,) = re.findall(r"^Match (\w+),", told)
                ids[shown] = result.structured_content["match"]
            for shown, real in ids.items():
                told = told.replace(shown, real)
            assert text_of(result) == told
            answers[tool].append(result.structured_content)
    assert not sources
    faults = [(checked["conforms"], checked["fault"]) for checked in answers["check_game"]]
    assert faults == [(False, "moves-after-the-end"), (True, "")]
    (row,) = answers["audit_game"]
    assert (row["status"], row["audit"]["verdict"]["winner"]) == ("solved", "first")
    assert not any(fault["severity"] == "error" for fault in row["audit"]["faults"])
    (tried,) = answers["try_game"]
    assert (tried["games"], len(tried["moves"])) == (4, 4)


def test_the_source_is_shown_with_its_fault_and_the_line_that_mends_it() -> None:
    ((_, source),) = [block for block in BLOCKS if block[0] == "python"]
    assert source == FAULTY
    (line,) = re.findall(r"The mended line is `(.*)`", PAGE)
    assert FAULTY.replace("return (1, 2)", line) == MENDED


def test_configurations_start_the_command() -> None:
    commands = []
    for kind, text in BLOCKS:
        if kind == "json":
            (servers,) = json.loads(text).values()
            commands += [(server["command"], server["args"]) for server in servers.values()]
        elif kind == "toml":
            server = tomllib.loads(text)["mcp_servers"]["zerosum"]
            commands.append((server["command"], server["args"]))
        elif kind == "sh":
            started = (
                line.rpartition("zerosum mcp")[2]
                for line in text.splitlines()
                if "zerosum mcp" in line
            )
            commands += [("zerosum", ["mcp", *shlex.split(rest)]) for rest in started]
    assert len(commands) == 6
    flags = {flag for param in mcp.params for flag in param.opts}
    for command, (name, *arguments) in commands:
        assert (command, name) == ("zerosum", "mcp")
        assert {argument for argument in arguments if argument.startswith("--")} <= flags


def test_every_flag_is_explained() -> None:
    table = PAGE.partition("| flag | what it opens |")[2].partition("\n\n")[0]
    common = {"--db", "--plain", "--no-color", "--color", "--pager", "--no-pager"}
    own = {max(param.opts, key=len) for param in mcp.params} - common
    assert set(re.findall(r"--\w+", table)) == own
