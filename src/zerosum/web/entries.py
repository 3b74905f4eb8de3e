"""What a table hands to the store, and to those who think."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from zerosum.options import variant_of
from zerosum.registry import entry_of
from zerosum.store.live import Begin, Change
from zerosum.web.actions import Action, Step
from zerosum.web.table import Table


class Asked(NamedTuple):
    """A request to do something: its key, a digest of what it says, and the ply it answers."""

    key: str
    digest: str
    ply: int
    action: Action


def place_of(table: Table) -> dict[str, Any]:
    """Say which position of which variant a table is at, for those who think."""
    game = table.match.game
    return {
        "game": entry_of(game).name,
        "options": variant_of(game),
        "state": list(table.match.state),
    }


def sealed(key: str) -> str:
    """Give what the store keeps of a key that makes a seat: who reads the store has no seat."""
    return hashlib.sha256(key.encode()).hexdigest()


def beginning(table: Table, key: str, digest: str) -> Begin:
    """Write down a new table."""
    return Begin(
        id=table.id,
        match=table.match,
        data=table.data(),
        due=table.due,
        key=key,
        digest=digest,
        stage=table.stage,
    )


def change(before: Table, step: Step, key: str | None, digest: str | None) -> Change:
    """Write down a step from one table to the next."""
    after = step.table
    return Change(
        id=before.id,
        version=before.change,
        seq=before.ply,
        events=step.events,
        match=after.match,
        data=after.data(),
        due=after.due,
        key=key,
        digest=digest,
        stage=after.stage,
    )
