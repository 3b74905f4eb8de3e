"""What a table hands to the store and to the solver processes."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from zerosum.options import option_values
from zerosum.registry import entry_of
from zerosum.store import Change, LiveUpdate, events_of
from zerosum.web.tables.actions import Action, Step
from zerosum.web.tables.table import Table


class Asked(NamedTuple):
    """A requested action: its key, a digest of its content, and the ply it answers."""

    key: str
    digest: str
    ply: int
    action: Action


def place_of(table: Table) -> dict[str, Any]:
    """Return a table's variant and position, for the solver processes."""
    game = table.match.game
    return {
        "game": entry_of(game).name,
        "options": option_values(game),
        "state": list(table.match.state),
    }


def sealed(key: str) -> str:
    """Return the digest of a seat's key: reading the store must not give anyone a seat."""
    return hashlib.sha256(key.encode()).hexdigest()


def beginning(table: Table, key: str, digest: str) -> Change:
    """Return the change that creates a new table."""
    live = LiveUpdate(0, table.data(), table.due, table.stage, key, digest)
    return Change(table.id, table.match, tuple(events_of(table.match)), None, live)


def change(before: Table, step: Step, key: str | None, digest: str | None) -> Change:
    """Return the change from one table to the next."""
    after = step.table
    live = LiveUpdate(before.change, after.data(), after.due, after.stage, key, digest or "")
    return Change(before.id, after.match, step.events, before.ply, live)
