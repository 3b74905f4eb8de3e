"""Writes docs/gg-bench.md: what the audit of gg-bench's environments found.

    zerosum audit GG-BENCH/gg_bench/data/envs --out results.json
    python -m tools.gg_bench results.json GG-BENCH/results --replace

The second argument is the folder with the scores that gg-bench published, one file per model.
A picture of the faults is written beside the document. Its part about questions is made from the
journal that `zerosum questions` leaves, and stays as it is without one:

    python -m tools.gg_bench --questions gg-bench.jsonl.journal
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from statistics import mean
from textwrap import fill
from typing import Any, get_args

from zerosum.lab.adapters.trial import PROBES, TRIAL_GAMES, TRIAL_PLIES
from zerosum.lab.audit.document import TableCode
from zerosum.limits import ASKED_POSITIONS
from zerosum.pictures.bars import bars_svg
from zerosum.reports import Bar, Bars
from zerosum.text import runs

Row = dict[str, Any]
# The most faults in the picture.
SHOWN = 12
DOCS = Path(__file__).parent.parent / "docs"
DATA = "../gg-bench/gg_bench/data"
ENVS = f"{DATA}/envs"
# Around the part about questions.
BEGIN, END = "<!-- questions -->", "<!-- /questions -->"
# Around the part about games that are solved in parts, which is written by hand.
LARGE = "<!-- large -->", "<!-- /large -->"
QUARTERS = [
    ("up to 25%", 0.0, 0.25),
    ("25% to 50%", 0.25, 0.5),
    ("50% to 75%", 0.5, 0.75),
    ("over 75%", 0.75, 1.0),
]
# Games about which a score says little, by the code of the fault.
EMPTY = ("nobody-can-win", "no-decision-matters", "no-choice", "decided-at-once")
# What each fault means, in the words of a table.
MEANING = {
    "crash": "a legal move makes the code fail",
    "not-deterministic": "the same move in the same position leads to different positions",
    "hidden-state": "something that is not in the object decides what happens",
    "stuck": "no move is legal, and the game does not end",
    "random-start": "the start is drawn by chance",
    "illegal-move-accepted": "a move that is not listed as legal is played all the same",
    "legal-move-refused": "a move that is listed as legal is punished as illegal",
    "out-of-range-move": "a move is listed as legal that the action space does not have",
    "reward-without-end": "a reward is given, but the game goes on",
    "bad-reward": "a reward is not a number",
    "bad-step": "a step does not return what Gymnasium asks for",
    "bad-moves": "the legal moves are not a list of integers",
    "bad-player": "the player to move is neither of the two",
    "same-player-again": "a player moves twice in a row, while gg-bench alternates",
    "turn-never-changes": "an attribute says whose turn it is, but never changes",
    "duplicate-moves": "a legal move is listed twice",
    "unsorted-moves": "the legal moves are not in order",
    "old-step": "a step returns four values, as in the old Gym",
    "endless": "under best play the game never ends",
    "never-ends": "from some position no end can be reached",
    "nobody-can-win": "no line of play leads to a win for anybody",
    "one-side-cannot-win": "only one of the two players can ever win",
    "no-decision-matters": "in every position, all moves have the same result",
    "no-choice": "every position has only one move",
    "decided-at-once": "the first player can win with the first move",
    "first-move-decides": "after the first move no decision matters",
}
STATUS = {
    "solved": "solved exactly",
    "too-large": "more positions than the limit",
    "time-limit": "not solved within the time",
    "memory-limit": "not solved within the memory",
    "broken": "the rules are broken, so there is no value",
    "cannot-load": "the file cannot be loaded",
    "not-a-game": "the file has no environment",
    "crashed": "the process ended",
}


def main(words: list[str] | None = None) -> None:
    """Write the document and its picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "results", type=Path, nargs="?", help="the file that `zerosum audit --out` wrote"
    )
    parser.add_argument("published", type=Path, nargs="?", help="gg-bench's folder of results")
    parser.add_argument("--questions", type=Path, help="the journal of `zerosum questions`")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where to write (default: docs)")
    parser.add_argument("--replace", action="store_true", help="replace the files that are there")
    arguments = parser.parse_args(words)
    page = arguments.folder / "gg-bench.md"
    asked = questions_in(arguments.questions) if arguments.questions else kept(page)
    if arguments.published is None:
        if arguments.questions is None or arguments.results or not page.exists():
            parser.error("Name the results and the published scores, or --questions.")
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(kept(page), asked), encoding="utf-8")
        return
    found = json.loads(arguments.results.read_text(encoding="utf-8"))
    rows = {number_of(row): row for row in found["rows"]}
    texts = {
        page: document(
            found, published_in(arguments.published), f"{asked}\n\n{kept(page, *LARGE)}"
        ),
        arguments.folder / "gg-bench.svg": picture(rows),
    }
    there = [str(path) for path in texts if path.exists()]
    if there and not arguments.replace:
        parser.error(f"{' and '.join(there)} already there; not overwritten. Add --replace.")
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


def kept(page: Path, begin: str = BEGIN, end: str = END) -> str:
    """Return a part of the page, by default about questions, if there is one."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return text[text.find(begin) : text.find(end) + len(end)] if begin in text else f"{begin}{end}"


def questions_in(journal: Path) -> str:
    """Write the part about questions from the journal of `zerosum questions`."""
    with open(journal, encoding="utf-8") as lines:
        rows = [json.loads(line)["row"] for line in lines if "row" in line]
    by_number = {number_of(row): row for row in rows}
    return f"{BEGIN}\n\n{wrapped(exact(dict(sorted(by_number.items()))))}\n\n{END}"


def exact(rows: dict[int, Row]) -> str:
    """Say which environments have questions, how many, and how hard they are."""
    asked = {number: row for number, row in rows.items() if row["questions"]}
    questions = [question for row in asked.values() for question in row["questions"]]
    shares = sorted(row["random"] for row in asked.values())
    decisions = sum(row["decisions"] for row in asked.values())
    mean_share = sum(row["random"] * row["decisions"] for row in asked.values()) / decisions
    empty = [n for n, row in rows.items() if row["status"] == "solved" and n not in asked]
    hard = []
    for label, low, high in QUARTERS:
        of_questions = sum(low < question["difficulty"] <= high for question in questions)
        of_environments = sum(low < share <= high for share in shares)
        hard.append((label, f"{of_questions:,}", f"{of_environments:,}"))
    lines = [("questions", f"{len(asked):,}", runs(list(asked)))]
    lines += [("no decision: all moves have the same result", f"{len(empty):,}", runs(empty))]
    for status, count in Counter(row["status"] for row in rows.values()).most_common():
        if status != "solved":
            numbers = [n for n, row in rows.items() if row["status"] == status]
            lines.append((f"{status}: {STATUS[status]}", f"{count:,}", runs(numbers)))
    draws = sum(question["value"] == "draw" for question in questions)
    most = max(len(row["questions"]) for row in asked.values())
    all_of = sum(row["decisions"] == len(row["questions"]) for row in asked.values())
    characters = sorted(len(question["prompt"]) for question in questions)
    listed = "\n".join(
        fill(f"- {what} ({count}): {which}", 110, subsequent_indent="  ", break_on_hyphens=False)
        for what, count, which in lines
    )
    return f"""\
## gg-bench, exact

gg-bench needs opponents, and its scores are shares of games won. If an environment can be solved,
no opponent is needed: a model is asked for its move in positions in which one can go wrong, and
what each move throws away is known exactly. One command writes the questions:

```sh
zerosum questions {ENVS} \\
  --rules {DATA}/descriptions --rules {DATA}/actions \\
  --count {most} --seconds 4 --positions 200000 --out gg-bench.jsonl
```

Each prompt has the environment's own description, and what its moves mean, both as gg-bench
wrote them. What counts as right follows the environment's code, even where the description says
otherwise. [Measuring language models](models.md) says how the answers are measured.

{table(*summary_of(rows, asked, questions, decisions))}

Random play is right in {sum(shares) / len(shares):.1%} of decisions if every environment counts
alike, and in {mean_share:.1%} if every decision does. There are at most {most} questions about each
environment, drawn as `zerosum questions` does, so that their weights make up for it; {all_of}
environments have no more decisions than that, and all are asked. In {draws:,} questions, a draw is
the best result; in the others, a win. Half of the prompts have at most
{characters[len(characters) // 2]:,} characters, the longest has {characters[-1]:,}.

How hard they are, by the share of legal moves that are right:

{table(("Right moves", "Questions", "Environments, by random play's share"), *hard)}

### Which environments, and why not the others

Processor time differs between machines, so another run, such as the audit above, may solve a few
more or fewer.

{listed}"""


def summary_of(
    rows: dict[int, Row], asked: dict[int, Row], questions: list[Row], decisions: int
) -> list[tuple[object, ...]]:
    """Return the rows of the table of what there is."""
    solved = sum(map(is_solved, rows.values()))
    return [
        ("What", "How many"),
        ("environments", f"{len(rows):,}"),
        ("solved exactly", f"{solved:,}"),
        ("with decisions", f"{len(asked):,}"),
        ("their decisions", f"{decisions:,}"),
        ("questions", f"{len(questions):,}"),
    ]


def published_in(folder: Path) -> dict[str, dict[int, float]]:
    """Read the share of games that each model won, by environment."""
    models = {}
    for file in sorted(folder.glob("*_eval_*.json")):
        counts = json.loads(file.read_text(encoding="utf-8"))
        scores = {}
        for number, stats in counts.items():
            if number.isdecimal():
                played = stats["gpt_wins"] + stats["agent_wins"] + stats["draws"]
                if played:
                    scores[int(number)] = stats["gpt_wins"] / played
        models[file.name.partition("_eval_")[0]] = scores
    return models


def document(found: Row, published: dict[str, dict[int, float]], asked: str = "") -> str:
    """Write the document from an audit's rows, the published scores and a part on questions."""
    rows = {number_of(row): row for row in found["rows"]}
    used = set().union(*published.values()) if published else set()
    parts = (
        introduction(found, rows, used),
        statuses(rows, used),
        faults(rows, used),
        fairness(rows, used),
        laws(rows),
        scores(rows, used, published),
    )
    *written, last = *map(wrapped, parts), numbers(rows)
    return "\n\n".join(filter(None, (*written, asked, last))) + "\n"


def wrapped(text: str) -> str:
    """Wrap the paragraphs of a part; code, headings, lists and tables stay as they are."""
    blocks = text.split("\n\n")
    kept = ("```", "#", "|", "-", "1.", "!")
    return "\n\n".join(
        b if b.startswith(kept) else fill(b, 110, break_on_hyphens=False) for b in blocks
    )


def number_of(row: Row) -> int:
    """Return the number of an environment, which is in its name."""
    return int(re.sub(r"\D", "", row["name"]))


def codes(row: Row) -> list[str]:
    """List the codes of a row's faults."""
    return [fault["code"] for fault in (row["audit"] or {"faults": ()})["faults"]]


def is_solved(row: Row) -> bool:
    """Return whether an environment was solved."""
    return bool(row["status"] == "solved")


def share(part: int, whole: int) -> str:
    """Write a share in percent."""
    return f"{part / whole:.0%}" if whole else "-"


def table(*lines: tuple[object, ...]) -> str:
    """Write a table in Markdown; the first line is its head."""
    head, *body = ("| " + " | ".join(map(str, line)) + " |" for line in lines)
    rule = "|" + "|".join("---" if n == 0 else "---:" for n in range(len(lines[0]))) + "|"
    return "\n".join((head, rule, *body))


def introduction(found: Row, rows: dict[int, Row], used: set[int]) -> str:
    """Say what was done, and how to repeat it."""
    seconds, positions = found["limits"]["cpu_seconds"], found["limits"]["positions"]
    command = f"zerosum audit {ENVS} --seconds {seconds:g} --positions {positions}"
    solved = sum(map(is_solved, rows.values()))
    asked = ASKED_POSITIONS
    return f"""\
# gg-bench, audited

[gg-bench](https://github.com/vivek3141/gg-bench) measures language models on {len(rows):,}
two-player games that a language model invented and wrote as Gymnasium environments. Their
published scores are shares of games won against trained agents in {len(used)} of them. `zerosum
audit` read all {len(rows):,}, and solved {solved:,} exactly, with {seconds:g} s of CPU
and at most {positions:,} positions for each. The time includes the start of a process, and asking
the rules again in up to {asked:,} positions. A game with a random start was solved for one
start. What follows is about what the code of each environment does, which is not always what its
text says.

To repeat it, with a clone of gg-bench beside this one:

```sh
pip install '.[rl]' sympy  # which six of them import
{command} --out results.json
python -m tools.gg_bench results.json ../gg-bench/results --replace
```

`zerosum audit {ENVS}/env_307.py` reports on one of them, with a line of
moves that shows each fault; `zerosum play` plays it. [Audits](audit.md) defines every word and
measure used here. The environments are not part of this project."""


def statuses(rows: dict[int, Row], used: set[int]) -> str:
    """Count how the audits ended."""
    counts = Counter(row["status"] for row in rows.values())
    of_used = Counter(row["status"] for number, row in rows.items() if number in used)
    lines = [
        (f"{status}: {STATUS.get(status, '')}".rstrip(": "), count, of_used[status])
        for status, count in counts.most_common()
    ]
    head = ("Status", f"Of {len(rows):,}", f"Of the {len(used)} with published scores")
    return "## How many could be solved\n\n" + table(head, *lines)


def faults(rows: dict[int, Row], used: set[int]) -> str:
    """Count the faults, by code."""
    by_code = numbers_by_code(rows)
    lines = [
        (f"`{code}`: {MEANING.get(code, '')}", len(numbers), len(used & set(numbers)))
        for code, numbers in sorted(by_code.items(), key=lambda item: -len(item[1]))
    ]
    listed = ", ".join(f"`{code}`" for code in get_args(TableCode))
    unsolved = sum(not is_solved(row) and bool(codes(row)) for row in rows.values())
    none = [n for n, row in rows.items() if is_solved(row) and not codes(row)]
    head = ("Fault", f"Of {len(rows):,}", f"Of the {len(used)}")
    return f"""\
## What is wrong

Every environment was watched for faults, solved or not. Before its table was begun, it played up to
{TRIAL_GAMES} random games of up to {TRIAL_PLIES} moves, and about {PROBES} moves that it does not
list were tried; a table then visits every position. So in an environment that was not solved, a
fault that is rare may be missing. The faults {listed} are about the values of positions, so they
can be found only in a game that was solved. Of the solved games, {len(none)} have no fault at all;
of the others, {unsolved} {"has" if unsolved == 1 else "have"} at least one.

{table(head, *lines)}

![The most common faults](gg-bench.svg)

The numbers of the environments are [at the end](#the-environments-by-fault)."""


def picture(rows: dict[int, Row]) -> str:
    """Draw how many environments have each of the most common faults."""
    by_code = sorted(numbers_by_code(rows).items(), key=lambda item: -len(item[1]))[:SHOWN]
    bars = [
        Bar(code, {"bar": len(found)}, str(len(found)), f"{code}: {len(found)}")
        for code, found in by_code
    ]
    about = f"Environments of {len(rows):,} with each fault"
    return bars_svg(Bars("Faults", bars, about, scaled=True), 440)


def numbers_by_code(rows: dict[int, Row]) -> dict[str, list[int]]:
    """List the environments with each fault."""
    by_code: dict[str, list[int]] = {}
    for number, row in sorted(rows.items()):
        for code in dict.fromkeys(codes(row)):
            by_code.setdefault(code, []).append(number)
    return by_code


def fairness(rows: dict[int, Row], used: set[int]) -> str:
    """Count who wins under best play, and tell how much skill matters."""
    solved = {number: row["audit"] for number, row in rows.items() if is_solved(row)}
    winners = Counter(audit["verdict"]["winner"] for audit in solved.values())
    of_used = Counter(solved[n]["verdict"]["winner"] for n in used & set(solved))
    words = {"first": "the first player", "second": "the second player", "draw": "nobody: a draw"}
    lines = [
        (
            words.get(winner, "nobody: it never ends"),
            count,
            share(count, len(solved)),
            of_used[winner],
        )
        for winner, count in winners.most_common()
    ]
    random = [
        row["score"]
        for audit in solved.values()
        for row in audit["levels"] or ()
        if row["level"] == "random"
    ]
    skill = [audit["skill"] for audit in solved.values() if audit["skill"]]
    matter = mean(s["matters"] / s["open_positions"] for s in skill if s["open_positions"])
    depths = sorted(s["depth"] for s in skill if s["depth"] is not None)
    even = sum(0.45 <= score <= 0.55 for score in random)
    return f"""\
## Who wins, and does skill matter

{table(("Under best play, won by", "Games", "Share", f"Of the {len(used)}"), *lines)}

Between two random players the first scores {mean(random):.0%} on average, and between 45% and 55%
in {even} of {len(random)} games. In the average game the choice matters in {matter:.0%} of the
positions. In half of the games, two `hard` players meet at most {depths[len(depths) // 2]:.1f}
decisions that matter; in a tenth of them, at most {depths[len(depths) // 10]:.1f}."""


def laws(rows: dict[int, Row]) -> str:
    """Count the games with a law, and show the ten with the lowest cost."""
    solved = {number: row["audit"] for number, row in rows.items() if is_solved(row)}
    # In a game in which nothing can be got wrong, a law says nothing.
    open_ = {n: a for n, a in solved.items() if a["skill"] and a["skill"]["matters"]}
    with_law = {n: a["law"] for n, a in open_.items() if a["law"] and a["law"]["clauses"]}
    # Dead rules are looked for after a law.
    unsure = sum(not a["law"] and a["dead_rules"] is None for a in open_.values())
    best: dict[str, tuple[int, Row]] = {}
    for number, law in sorted(with_law.items(), key=lambda item: (item[1]["cost"], item[0])):
        if law["positions"] >= 20:
            best.setdefault(law["statement"], (number, law))
    shown = "\n".join(
        f"{rank}. {number}: {law['statement']} ({law['positions']:,} positions)"
        for rank, (number, law) in enumerate(list(best.values())[:10], 1)
    )
    return f"""\
## Laws

Of the {len(open_)} solved games whose skill could be measured and in which some decision matters,
{len(with_law)} ({share(len(with_law), len(open_))}) follow a law of at most five clauses
without exception: a rule over the fields of a position that says who wins, in every position.
In up to {unsure} others there was not enough time to look for one. The ten simplest, each found in
the table and checked in all of its positions:

{shown}"""


def scores(rows: dict[int, Row], used: set[int], published: dict[str, dict[int, float]]) -> str:
    """Tell what the faults mean for the published scores."""
    bad = {
        n for n in used if n in rows and not is_solved(rows[n]) and rows[n]["status"] == "broken"
    }
    empty = {n for n in used if n in rows and set(EMPTY) & set(codes(rows[n]))}
    sound = {n for n in used if n in rows and is_solved(rows[n]) and not codes(rows[n])}
    lines = [
        (
            model,
            f"{mean(won.values()):.1%}",
            *(
                f"{mean(won[n] for n in group if n in won):.1%}" if group & set(won) else "-"
                for group in (empty, used - empty - bad, sound)
            ),
        )
        for model, won in sorted(published.items(), key=lambda item: -mean(item[1].values()))
    ]
    head = (
        "Model",
        f"All {len(used)}",
        f"Empty ({len(empty)})",
        f"The others ({len(used - empty - bad)})",
        f"Solved, no fault ({len(sound)})",
    )
    listed = ", ".join(f"`{code}`" for code in EMPTY)
    return f"""\
## What it means for the published scores

The average share of games that a model won, as published, and over groups of games. A game is
called empty here if it has one of the faults {listed}: how good a player is hardly shows in it.

{table(head, *lines)}

Broken games ({len(bad)}) are counted only in the first column.

{ceiling(rows, used)}"""


def ceiling(rows: dict[int, Row], used: set[int]) -> str:
    """Tell what a perfect player could reach against a perfect opponent."""
    solved = [
        rows[n]["audit"]["verdict"]["winner"] for n in used if n in rows and is_solved(rows[n])
    ]
    decided = sum(winner in ("first", "second") for winner in solved)
    return f"""\
Each model began in half of its games. Of the {len(solved)} games with published scores that were
solved, {decided} are won by one seat under best play and {len(solved) - decided} by none, so
against a perfect opponent even a perfect player would have won {share(decided, 2 * len(solved))}
of all games. The scores are shares of wins, so a draw counts as a loss there. They also depend on
how often the trained opponent errs, which the audit does not measure."""


def numbers(rows: dict[int, Row]) -> str:
    """List the environments by fault."""
    lines = [
        fill(f"- `{code}`: {runs(found)}", 110, subsequent_indent="  ", break_on_hyphens=False)
        for code, found in sorted(numbers_by_code(rows).items())
    ]
    return "## The environments by fault\n\n" + "\n".join(lines)


if __name__ == "__main__":
    main()
