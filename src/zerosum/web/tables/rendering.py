"""Views as JSON text: the part everyone shares is rendered once and cached."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from zerosum.web.careful import careful
from zerosum.web.compact import compact
from zerosum.web.tables.table import News, Table
from zerosum.web.tables.view import common, fixed, last, personal, told

REMEMBERED = 2000


@dataclass
class Written:
    """The rendered parts of one table, and the shared text of its latest change."""

    fixed: str
    change: int = 0
    text: str = ""
    told: dict[tuple[Any, ...], str] = field(default_factory=dict)
    news: dict[News, str] = field(default_factory=dict)

    def update(self, table: Table) -> None:
        """Render what everyone sees; of moves and news, only what is new."""
        match, moves, states = table.match, table.match.round.moves, table.match.round.states
        places = [(place, match.number, states[place], moves[place]) for place in last(match)]
        self.told = {
            place: self.told.get(place) or compact(told(match, place[0])) for place in places
        }
        self.news = {news: self.news.get(news) or compact(news._asdict()) for news in table.news}
        parts = f'"last":[{",".join(self.told.values())}],"news":[{",".join(self.news.values())}]'
        self.text = f"{self.fixed[:-1]},{compact(common(table))[1:-1]},{parts}"
        self.change = table.change  # last, since the rules may fail


class Writer:
    """Renders views, with a cache for the tables used last."""

    def __init__(self, remembered: int = REMEMBERED) -> None:
        """Remember at most this many tables."""
        self._remembered = remembered
        self._written: OrderedDict[str, Written] = OrderedDict()

    def view(self, table: Table, who: tuple[int, ...], origin: str, now: float, **more: Any) -> str:
        """Render the view of a table for the visitor who moves for these players."""

        def work() -> str:
            own = {**personal(table, who, origin, now), **more}
            return f"{self._shared(table)},{compact(own)[1:]}"

        return careful(work)

    def _shared(self, table: Table) -> str:
        """Return what everyone sees, from the cache if it is current."""
        known = self._written.get(table.id)
        # Joining changes names, so nothing rendered before it can be reused.
        if known is None or table.waiting or not known.told:
            known = self._written[table.id] = Written(compact(fixed(table)))
            if len(self._written) > self._remembered:
                self._written.popitem(last=False)
        if known.change != table.change:
            known.update(table)
            self._written.move_to_end(table.id)
        return known.text
