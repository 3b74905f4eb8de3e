"""Writes everything in the documents that shows what the program does, from the program itself.

    make docs

A generated block is between `<!-- NAME -->` and `<!-- end -->`; a game's page is generated
whole. Tests make each document and fail when anything would change.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache, partial
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Struct

import zerosum
from tools import graph, leaderboard
from zerosum import cli
from zerosum import documents as typed
from zerosum.cli.commands import COMMANDS
from zerosum.coach.advice import Coach
from zerosum.coach.review import review
from zerosum.lab.arena.report import ABSENT, leaderboard_report, leaderboard_svg
from zerosum.lab.audit.report import audit_report
from zerosum.lab.measure.decisions import Decisions
from zerosum.lab.measure.sampling import BANDS
from zerosum.lab.models import ModelAnswer, Question, questions_of
from zerosum.lab.models.suites import SUITES
from zerosum.mcp.toolbox import Toolbox
from zerosum.mcp.tools import GROUPS
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import chart_svg
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.svg import tag
from zerosum.pictures.track_svg import small
from zerosum.players.levels import LEVELS
from zerosum.players.strength import strengths
from zerosum.record import from_record
from zerosum.reports import to_markdown
from zerosum.solver.solution import Solution
from zerosum.testing.checker import numbers_of_any_length
from zerosum.web.limits import settable
from zerosum.web.refusals import STATUS
from zerosum.web.routes.urls import openapi
from zerosum.wording.number_line import number_lines
from zerosum.wording.texts import rulebook_of, summary_of
from zerosum.wording.words import ending, spoken, title_of, variant_title, words_of

ROOT = Path(__file__).parent.parent
AROUND = {"LANG": "C.UTF-8", "COLUMNS": "88"}
GOLDEN = ROOT / "tests" / "golden"
SESSION = "zerosum play even-steven --start 4 --names Ada Bob"
TYPED = ("1", "2", "1", "2", "1")
STICKS = "zerosum play ./last_stick.py --start 5 --names Ada Bob"
# A game on its number line, and how it is drawn in light and dark.
LINE_GAME, LINE_MOVES, FRAME_SECONDS = "even-steven", (1, 2, 1, 2, 1, 2, 1), 1.8
LINE_STYLE = (
    "svg{overflow:visible;text-anchor:middle;font:600 12px system-ui,sans-serif;fill:#5b6570;"
    "background:#fff}"
    "path,circle{vector-effect:non-scaling-stroke}.rail{stroke:#c9d0da;stroke-width:4}"
    ".ticks{stroke:#748078;stroke-width:6;stroke-linecap:round;stroke-dasharray:0 .999}"
    ".arc{fill:none;stroke:#564bb8;stroke-width:2.5}.step{display:none}"
    "circle.mark{fill:#fff;stroke:#1d7548;stroke-width:3}text.mark{fill:#1d7548}"
    ".dot circle{fill:#fff;stroke:#564bb8;stroke-width:2.5}.dot text,.caption{fill:#1c2430}"
    ".long,.dot text{font-size:9.6px}.token circle{fill:#564bb8}.token text{fill:#fff}"
    "@media (prefers-color-scheme:dark){svg{fill:#9aa4b0;background:#14181e}.rail{stroke:#3a434f}"
    ".arc,.dot circle{stroke:#a9a2ff}.token circle{fill:#a9a2ff}.token text{fill:#14181e}"
    "circle.mark{fill:#14181e;stroke:#86dcac}text.mark{fill:#86dcac}.dot circle{fill:#14181e}"
    ".dot text,.caption{fill:#e6eaf0}}"
)
# Which commands print a JSON document, unless it is the one with its name; and short ones to show.
PRINTED_BY = {
    "table": "`solve --workers N`, in the folder of a table in parts",
    "match": "`play --json`, `resume --json`, `show --json`, `export`",
    "deletion": "`delete --json`",
    "solution": "`solve --json`",
    "explanation": "`explain --json`",
    "audits": "`audit --out FILE.json`",
    "leaderboard": "`arena --json`",
    "measurement": "`measure --json`",
    "measurements": "`measure --json`, for several players or games",
}
EXAMPLES = {
    "solution": "zerosum solve divisor-duel --start 3 --json",
    "explanation": "zerosum explain divisor-duel --start 4 --json",
    "starts": "zerosum starts even-steven --from 3 --to 4 --json",
}
STICKS_TYPED = ("4", "3", "moves", "1", "1")
# The audit that the README shows, and the law that its page does: how many lines of each.
AUDITED, AUDIT_LINES = "zerosum audit dual-digits", 5
EXPLAINED, LAW_LINES = "zerosum explain ./last_stick.py", 4
DRAWN = "zerosum measure easy dual-digits"
MEASURED = "zerosum measure ./learn.py:choose dual-digits"
COMPARED = "zerosum measure easy random ./wavering.py:choose dual-digits even-steven"


def output(command: str, typed: tuple[str, ...] = ()) -> str:
    """Run a command as a reader would, and return what it prints."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-m", *command.split()],
            input="".join(f"{line}\n" for line in typed),
            capture_output=True,
            text=True,
            cwd=ROOT / "docs" / "examples",
            env={"PATH": os.environ["PATH"], "HOME": home, **AROUND},
        )
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr}")
    return done.stdout.rstrip("\n")


def help_of(*command: str) -> str:
    """Return what --help prints, in this process: a process for every command takes seconds."""
    unchanged = numbers_of_any_length()  # the command leaves them allowed
    with patch.dict(os.environ, AROUND), unchanged, redirect_stdout(StringIO()) as printed:
        cli.run([*command, "--help"])
    return printed.getvalue().rstrip("\n")


@cache
def solved(name: str) -> Solution[Any]:
    """Solve a game once for all documents; what is found in its table is kept beside that."""
    return zerosum.solve(zerosum.game(name), cache=tables())


@cache
def tables() -> str:
    """Make a folder for tables, which goes away with this process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


def session(command: str, typed: tuple[str, ...]) -> str:
    """Show a command with what it prints, as text."""
    return f"```text\n$ {command}\n{output(command, typed)}\n```"


def game_page(name: str) -> str:
    """Write a game's page: its rules, who wins, a sample and the same in Python."""
    game = zerosum.game(name)
    state = game.initial()
    move = game.moves(state)[-1]
    return f"""<!-- Generated by `make docs` from the game itself; change it there. -->

{rulebook_of(game).rstrip()}

## Who wins

{who_wins(name)}

![A map of the values of {title_of(game)}](../maps/{name}.svg)

More positions: `zerosum solve {name}`, `zerosum explain {name}`, `zerosum starts {name}`.

## A sample game

```text
{(GOLDEN / f"{name}.txt").read_text().rstrip()}
```

## In Python

```python
>>> import zerosum
>>> game = zerosum.game("{name}")
>>> game
{game!r}
>>> state = game.initial()
>>> state
{state!r}
>>> game.moves(state)
{game.moves(state)!r}
>>> game.play(state, {move})
{game.play(state, move)!r}
>>> game.objection(state, 0)
{game.objection(state, 0)!r}

```
"""


def animation(name: str, moves: tuple[int, ...]) -> str:
    """Draw a game on its number line, one position after the other, over and over."""
    match = zerosum.Match.new(zerosum.game(name), ("Ada", "Bob"))
    words = words_of(match.game)
    frames = [(f"{title_of(match.game)}: {words.goal()}", match)]
    for move in moves:
        text = f"{match.players[match.mover]}: {words.button(match.state, move)}"
        match = match.play(move)
        frames.append((f"{text}. {ending(match, match.round)}", match))
    parts = []
    for number, (text, shown) in enumerate(frames):
        part = number / len(frames), (number + 1) / len(frames)
        timing = tag(
            "animate",
            attributeName="visibility",
            values="hidden;visible;hidden",
            keyTimes=f"0;{part[0]:.4f};{part[1]:.4f}",
            dur=f"{FRAME_SECONDS * len(frames)}s",
            calcMode="discrete",
            repeatCount="indefinite",
        )
        (line,) = number_lines(words, shown.state)
        picture = small(line)
        caption = tag("text", escape(text), x=170, y=120, class_="caption")
        inside = picture[picture.index(">") + 1 : picture.rindex("</svg>")]
        # What does not animate pictures shows the first frame.
        seen = "hidden" if number else "visible"
        parts.append(tag("g", timing, inside, caption, visibility=seen))
    about = f"A game of {title_of(match.game)} on its number line"
    more = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 340 128", "role": "img"}
    return tag("svg", f"<style>{LINE_STYLE}</style>", *parts, aria_label=about, **more) + "\n"


def who_wins(name: str) -> str:
    """State who wins from the default start, and the theory if there is one."""
    solution = solved(name)
    value = solution.value(solution.game.initial())
    player = "" if value.result == "draw" else " for the player who moves first"
    first = f"With the default options, the start is a {spoken(value)}{player}."
    return "\n\n".join(part for part in (first, Coach(solution).statement) if part)


def levels_tables() -> str:
    """Write the exact strength of every level, for every game."""
    parts = []
    for name in zerosum.games():
        found = strengths(solved(name))
        rows = [
            f"| {level} | "
            + " | ".join(f"{found.overall(level, other):.3f}" for other in LEVELS)
            + " |"
            for level in LEVELS
        ]
        head = f"| | {' | '.join(LEVELS)} |\n|---|{'---|' * len(LEVELS)}"
        parts.append("\n".join([f"### {title_of(zerosum.game(name))}", "", head, *rows]))
    return "\n\n".join(parts)


def audit_of(name: str) -> zerosum.Audit:
    """Audit a game."""
    return zerosum.audit_game(solved(name).game, cache=tables())


def audit_page(name: str) -> str:
    """Write the audit of a game as a page."""
    about = (
        f"What `zerosum audit {name} --all` prints; [the definitions](../audit.md) of all figures."
    )
    head, _, rest = to_markdown(audit_report(audit_of(name), [name])).partition("\n")
    return f"{head}\n\n{about}\n{rest}\n"


def beginning(command: str, lines: int) -> str:
    """Show how what a command prints begins."""
    shown = output(command).split("\n")[:lines]
    return "\n".join(["```text", f"$ {command} | head -{lines}", *shown, "```"])


def review_session() -> str:
    """Show the review of the sample game of Even-Steven."""
    text = output("zerosum review game.json")
    return f"```text\n$ zerosum review docs/examples/game.json\n{text}\n```"


def chart() -> str:
    """Draw the values of the same game."""
    match = from_record(typed.loads((ROOT / "docs" / "examples" / "game.json").read_text()))
    judged = review(zerosum.solve(match.game), match.round)
    title = "Even-Steven: the values of the sample game"
    return chart_svg(
        Chart.reviewed(words_of(match.game), match.players, match.round, judged, title)
    )


def picture(text: str, title: str) -> str:
    """Draw a terminal with some text in it, as SVG; the text itself is the alternative."""
    lines = text.split("\n")
    width, height = 640, 64 + 19 * len(lines)
    drawn = []
    for number, line in enumerate(lines):
        y = 62 + 19 * number
        prompt = re.fullmatch(r"(.*: |\$ )(\S.*)", line)
        if prompt and line.startswith(("Enter", "$")):
            content = f'{escape(prompt[1])}<tspan class="typed">{escape(prompt[2])}</tspan>'
        elif "Legal now" in line:
            content = f'<tspan class="remark">{escape(line)}</tspan>'
        else:
            content = escape(line)
        if line:
            drawn.append(f'  <text x="20" y="{y}" xml:space="preserve">{content}</text>')
    body = "\n".join(drawn)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" \
width="{width}" height="{height}" role="img" aria-labelledby="title desc">
  <title id="title">{escape(title)}</title>
  <desc id="desc">{escape(text)}</desc>
  <style>
    text {{ font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
            fill: #d8dee9; }}
    .typed {{ fill: #ffffff; font-weight: bold; }}
    .remark {{ fill: #ebcb8b; }}
  </style>
  <rect width="{width}" height="{height}" rx="10" fill="#20242c"/>
  <circle cx="22" cy="22" r="6" fill="#bf616a"/>
  <circle cx="42" cy="22" r="6" fill="#ebcb8b"/>
  <circle cx="62" cy="22" r="6" fill="#a3be8c"/>
{body}
</svg>
"""


def games_table() -> str:
    """List the games, with a link to each page."""
    rows = []
    for name in zerosum.games():
        game = zerosum.game(name)
        page = f"[{title_of(game)}](docs/games/{name}.md)"
        rows.append(f"| {page} | `{name}` | {summary_of(game)} |")
    return "\n".join(["| game | name | what it is |", "|---|---|---|", *rows])


def help_pages() -> str:
    """Show the help of every command, without the flags that all of them share."""
    flag = re.compile(r"\n  (-\S+(?:, --\S+)?).*(?:\n {6}.*)*")
    common = {found[1] for found in flag.finditer(help_of())}

    def page(name: str) -> str:
        text = help_of(name)
        text = flag.sub(lambda found: "" if found[1] in common else found[0], text)
        text = re.sub(r"\n\nOptions:(?=\n\n|$)", "", text)
        return f"### zerosum {name}\n\n```text\n{text}\n```"

    return "\n\n".join(map(page, COMMANDS))


def routes_table() -> str:
    """List the requests that programs can send to the server."""
    rows = [
        f"| `{method.upper()} {path}` | {operation['summary']} |"
        for path, operations in openapi()["paths"].items()
        for method, operation in operations.items()
    ]
    return "\n".join(["| request | what it does |", "|---|---|", *rows])


def errors_table() -> str:
    """List the error codes of the server by status."""
    by_status: dict[int, list[str]] = {}
    for code, status in STATUS.items():
        by_status.setdefault(status, []).append(f"`{code}`")
    rows = [f"| {status} | {', '.join(codes)} |" for status, codes in sorted(by_status.items())]
    return "\n".join(["| status | codes |", "|---|---|", *rows])


def limits_table() -> str:
    """List the limits of the server."""
    rows = [
        f"| `{name}` | {limit.default:n} | {limit.metadata['help']} |"
        for name, limit in settable().items()
    ]
    return "\n".join(["| variable | default | what it limits |", "|---|---|---|", *rows])


def names_table() -> str:
    """List the public names of the library, each with the first line of its docstring."""
    types = {"Move", "Result", "Verdict"}  # with nothing to document
    rows = [
        f"| `{name}` | {getattr(zerosum, name).__doc__.splitlines()[0]} |"
        for name in zerosum.__all__
        if name not in types
    ]
    return "\n".join(["| name | what it is |", "|---|---|", *rows])


def python(file: Path) -> str:
    """Show a file of Python."""
    return f"```python\n{file.read_text().rstrip()}\n```"


def blocks() -> dict[str, Callable[[], str]]:
    """Return what makes every generated block."""
    examples = ROOT / "docs" / "examples"
    return {
        "review session": review_session,
        "levels": levels_tables,
        "audit session": lambda: beginning(AUDITED, AUDIT_LINES),
        "games": games_table,
        "commands": help_pages,
        "main help": lambda: f"```text\n{help_of()}\n```",
        "example": lambda: python(examples / "last_stick.py"),
        "board example": lambda: python(examples / "noughts_and_crosses.py"),
        "engine": lambda: python(examples / "engine.py"),
        "copycat": lambda: python(examples / "copycat.py"),
        "example session": lambda: session(STICKS, STICKS_TYPED),
        "law session": lambda: beginning(EXPLAINED, LAW_LINES),
        "prompt": example_prompt,
        "question keys": lambda: keys_of(Question),
        "answer keys": lambda: keys_of(ModelAnswer),
        "suites": suite_tables,
        "learner session": lambda: session(MEASURED, ()),
        "comparison": lambda: session(COMPARED, ()),
        "routes": routes_table,
        "errors": errors_table,
        "limits": limits_table,
        "leaderboard": leaderboard_block,
        "names": names_table,
        "documents": documents_table,
        "document fields": document_fields,
        "assistant tools": assistant_tools,
    }


def leaderboard_block() -> str:
    """Write the leaderboard, without its title and who did not take part."""
    report = leaderboard_report(leaderboard.board())
    kept = [part for part in report.sections if part.key != ABSENT]
    return to_markdown(report._replace(title="", sections=kept), 2)


def documents_table() -> str:
    """List the JSON documents, and which commands print them."""
    rows = (
        f"| `zerosum-{name}` | {PRINTED_BY.get(name, f'`{name} --json`')} |"
        for name in typed.documents()
    )
    return "\n".join(["| document | printed by |", "|---|---|", *rows])


def document_fields() -> str:
    """List the fields of every document, and of the structures in it."""
    lines, seen = [], set()
    for name, kind in typed.documents().items():
        for part, about in typed.schema(name)["$defs"].items():
            if part in seen or "properties" not in about:
                continue
            seen.add(part)
            whole = part == kind.__name__
            title = f"### `zerosum-{name}`" if whole else f"**{part}**"
            fields = [
                f"- {_field(field, found, field in about['required'])}"
                for field, found in about["properties"].items()
                if field not in ("format", "version")
            ]
            lines += [title, about["description"], "\n".join(fields)]
            if whole and name in EXAMPLES:
                command = EXAMPLES[name]
                lines.append(f"```sh\n{command}\n```\n\n```json\n{output(command)}\n```")
    return "\n\n".join(lines)


def _field(name: str, about: dict[str, Any], required: bool) -> str:
    """Describe a field: its name, its type and what it is."""
    shown = f"`{name}`" if required else f"[`{name}`]"
    said = about.get("description", "")
    return f"{shown}: {_type(about)}{f' ({said})' if said else ''}"


def _type(about: dict[str, Any]) -> str:
    """Name the type of a field."""
    if "anyOf" in about:
        return " or ".join(map(_type, about["anyOf"]))
    if "$ref" in about:
        return str(about["$ref"]).rpartition("/")[2]
    if "enum" in about:
        return " or ".join(map(json.dumps, about["enum"]))
    if about.get("type") == "array":
        items: dict[str, Any] = about.get("items") or about.get("prefixItems", [{}])[0]
        return f"list of {_type(items)}"
    if about.get("type") == "object":
        of = about.get("additionalProperties")
        return f"object of {_type(of)}" if isinstance(of, dict) and of else "object"
    kind = about.get("type", "anything")
    return kind if isinstance(kind, str) else " or ".join(kind)


def example_prompt() -> str:
    """Show the prompt of a question."""
    (asked,) = questions_of(zerosum.game("dual-digits", start=12), count=1)
    return f"````text\n{asked.prompt}\n````"


def keys_of(kind: type[Struct]) -> str:
    """List the keys of a line of JSON."""
    about = msgspec.json.schema(kind)["$defs"][kind.__name__]
    named = about["properties"].items()
    return "\n".join(f"- {_field(key, found, key in about['required'])}" for key, found in named)


def suite_tables() -> str:
    """List what is in each suite: how many questions, how hard, and random play's share."""
    return "\n\n".join(map(_suite, SUITES))


def _suite(name: str) -> str:
    """Describe a suite, with a row for each variant."""
    suite, rows = SUITES[name], []
    # Without a table, nobody has counted the decisions.
    far = int(name == "zerosum-sizes")
    bands = [f"{100 * n // BANDS}% to {100 * (n + 1) // BANDS}%" for n in range(BANDS)]
    total = 0
    for part in suite.parts:
        known = part.table
        decisions, asked = Decisions(known), part.sample(known)
        of_bands = Counter(decisions.band[... if asked is None else asked].tolist())
        count = of_bands.total()
        total += count
        counts = [f"{of_bands[band]}" for band in range(BANDS)]
        share = f"{decisions.random.good.mean():.1%}"
        row = [variant_title(part.game), f"{len(decisions):,}", f"{count}", *counts, share]
        rows.append([row[0], *row[1 + far :]])
    head = ["variant", *["decisions", "questions"][far:], *bands, "random play"]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return (
        f"### {name}\n\n{suite.about} {total:,} questions about {len(suite.parts)} variants; hash "
        f"`{suite.hash}`.\n\n{table}"
    )


def assistant_tools() -> str:
    """List the tools of the door for assistants, by what opens them."""
    flags = ("", "`--server`", "`--analysis`", "`--games`")
    nothing: Any = None
    rows = [
        f"| `{tool.name}` | {str(tool.description).splitlines()[0]} | {flag} |"
        for flag, kind in zip(flags, GROUPS, strict=True)
        for tool in Toolbox(kind(*[nothing] * 3)).listed
    ]
    return "\n".join(["| tool | what it does | opened by |", "|---|---|---|", *rows])


def filled(page: Path) -> str:
    """Put the generated blocks into a page."""
    makers = blocks()

    def fill(found: re.Match[str]) -> str:
        return f"<!-- {found[1]} -->\n{makers[found[1]]()}\n<!-- end -->"

    text = page.read_text()
    return re.sub(r"<!-- ([a-z ]+) -->\n.*?<!-- end -->", fill, text, flags=re.DOTALL)


def documents() -> dict[Path, Callable[[], str]]:
    """Return every document that has something generated in it, and what makes it."""
    folder = ROOT / "docs"
    made: dict[Path, Callable[[], str]] = {
        folder / "session.svg": terminal,
        folder / "number-line.svg": lambda: animation(LINE_GAME, LINE_MOVES),
        graph.FILE: graph.draw,
        folder / "maps" / "chart.svg": chart,
        folder / "leaderboard.svg": lambda: leaderboard_svg(leaderboard.board()),
        folder / "measure.svg": lambda: output(f"{DRAWN} --svg -") + "\n",
        folder / "comparison.svg": lambda: output(f"{COMPARED} --svg -") + "\n",
    }
    for name in zerosum.games():
        made[folder / "games" / f"{name}.md"] = partial(game_page, name)
        made[folder / "maps" / f"{name}.svg"] = partial(game_map, name)
        made[folder / "audits" / f"{name}.md"] = partial(audit_page, name)
    for page in [ROOT / "README.md", *sorted(folder.glob("*.md"))]:
        made[page] = partial(filled, page)
    return made


def terminal() -> str:
    """Draw a session in a terminal."""
    return picture(f"$ {SESSION}\n{output(SESSION, TYPED)}", "A game of Even-Steven in a terminal")


def game_map(name: str) -> str:
    """Draw the map of a game; the whole of Digit Battle would be very large, and looks the same."""
    game = zerosum.game(name, **({"lives": 3} if name == "digit-battle" else {}))
    return map_svg(zerosum.solve(game))


def main() -> None:
    """Write what has changed."""
    argparse.ArgumentParser(prog="tools.docs", description=main.__doc__).parse_args()
    for page, make in documents().items():
        text = make()
        if not page.exists() or page.read_text() != text:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text)
            print(f"written: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
