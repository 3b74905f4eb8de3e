"""Views as text: what everybody sees alike is worked out once for each change."""

from __future__ import annotations

import json
from typing import Any

from zerosum.web.site import Site
from zerosum.web.table import Table
from zerosum.web.view import common, last, personal

MOST_SHARED = 2000


def rendered(site: Site, table: Table, who: tuple[int, ...], origin: str, **more: Any) -> str:
    """Write the view of a table for whoever moves for these players."""
    own = {**personal(table, who, origin, site.tables.now()), **more}
    return f"{_shared(site, table)[:-1]},{_written(own)[1:]}"


def _shared(site: Site, table: Table) -> str:
    """Write what everybody sees alike, or find it as it was written a moment ago."""
    known = site.shared.get(table.id)
    if known is None or known[0] != table.change:
        told = ",".join(last(table.match))
        known = (table.change, f'{_written(common(table))[:-1]},"last":[{told}]}}')
        site.shared.pop(table.id, None)
        site.shared[table.id] = known
        if len(site.shared) > MOST_SHARED:
            del site.shared[next(iter(site.shared))]
    return known[1]


def _written(document: dict[str, Any]) -> str:
    """Write JSON without spaces."""
    return json.dumps(document, separators=(",", ":"))
