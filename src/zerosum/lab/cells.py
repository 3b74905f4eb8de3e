"""Rows for a spreadsheet, in which no string of somebody else's becomes a formula."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# A string that begins like this is a formula to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Write rows as CSV, with a head; what is unknown or left out is empty.

    >>> csv_of(["player", "exact"], [{"player": "=1+1", "exact": True}, {}]).splitlines()
    ['player,exact', "'=1+1,yes", ',']
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Write a value for a cell; an apostrophe keeps a string from being a formula."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
