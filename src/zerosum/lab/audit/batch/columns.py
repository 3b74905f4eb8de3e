"""The results of many audits as a table: the same columns for every game, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from zerosum.lab.audit.batch.isolation import STATUSES, Job, Row
from zerosum.lab.audit.measures import Measures
from zerosum.players.levels import LEVELS

CHANCES = ("first_wins", "second_wins", "draw", "endless", "score")
FIGURES = (*CHANCES, *(name for name in Measures._fields if name != "chances"))
# Columns of a game as a whole: their names, and where they are in the audit's document.
GAME = {
    "title": ("title",),
    "positions": ("size", "positions"),
    "moves": ("size", "moves"),
    "longest": ("size", "longest"),
    "can_go_on_forever": ("size", "can_go_on_forever"),
    "winner": ("best_play", "winner"),
    "plies": ("best_play", "value", "plies"),
    "proved": ("proved",),
    "favours": ("verdict", "favours"),
    "skill_matters": ("verdict", "skill_matters"),
    "depth": ("skill", "depth"),
    "open_positions": ("skill", "open_positions"),
    "choice": ("skill", "choice"),
    "matters": ("skill", "matters"),
    "law_clauses": ("law", "clauses"),
    "law": ("law", "statement"),
    "law_exceptions": ("law", "exceptions"),
    "rule_of_thumb": ("rule_of_thumb", "statement"),
    "rule_of_thumb_share": ("rule_of_thumb", "share"),
}
LISTS = ("faults", "dead_rules", "left_out")
COLUMNS = (
    *("name", "file", "status", "complete", "message", *LISTS, *GAME),
    *(f"{level}_{figure}" for level in LEVELS for figure in FIGURES),
)
# A text that begins like this is a formula to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def to_csv(rows: Sequence[Row]) -> str:
    """Write rows as CSV; a text that a spreadsheet would calculate gets an apostrophe in front."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        cells = _cells(row)
        writer.writerow([_safe(cells.get(column)) for column in COLUMNS])
    return text.getvalue()


def is_row(job: Job, row: Any) -> bool:
    """Return whether a row is one of this job, with all that a table shows."""
    try:
        cells = _cells(row)
    except (AttributeError, KeyError, TypeError):
        return False
    return (
        row.keys() == {"name", "file", "status", "complete", "message", "audit"}
        and (cells["name"], cells["file"]) == (job.name, job.file)
        and cells["status"] in STATUSES
        and type(cells["complete"]) is bool
        and all(value is None or type(value) in (str, bool, int, float) for value in cells.values())
    )


def _cells(row: Row) -> dict[str, Any]:
    """Return what a row has in each column; what is not known is left out."""
    cells = {key: row[key] for key in ("name", "file", "status", "complete", "message")}
    audit = row["audit"]
    if audit is None:
        return cells
    cells["faults"] = " ".join(fault["code"] for fault in audit["faults"])
    cells["left_out"] = " ".join(part["part"] for part in audit["left_out"])
    if audit["dead_rules"]:
        cells["dead_rules"] = len(audit["dead_rules"]["found"])
    cells.update({column: _at(audit, path) for column, path in GAME.items()})
    for level in audit["levels"] or ():
        cells.update({f"{level['level']}_{figure}": level[figure] for figure in FIGURES})
    return cells


def _at(document: Any, path: tuple[str, ...]) -> Any:
    """Return a value deep in a document; a list counts as its length."""
    for key in path:
        document = None if document is None else document.get(key)
    return len(document) if isinstance(document, list) else document


def _safe(value: Any) -> Any:
    """Write a value for a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
