"""What players do at a table: each action by itself."""

from __future__ import annotations

import pytest

from tests.web.tables.model import NEXT, table_at
from zerosum.web.refusals import Refused
from zerosum.web.tables.actions import Action, act
from zerosum.web.tables.table import LiveTable


def done(table: LiveTable, *steps: tuple[int, Action]) -> LiveTable:
    """Let players do things that are allowed."""
    for player, action in steps:
        table = act(table, (player,), action, 1000.0, NEXT).table
    return table


def move(number: int) -> Action:
    """A move."""
    return Action("move", str(number))


@pytest.mark.parametrize("asker", [0, 1])
def test_agreed_undo_returns_to_the_askers_turn(asker: int) -> None:
    table = done(table_at(), (0, move(1)), (1, move(2)), (0, move(1)))
    table = done(table, (asker, Action("undo")), (1 - asker, Action("accept", offer="undo")))
    assert table.match.mover == asker
    assert table.match.ply == (2 if asker == 0 else 1)


def test_both_asking_to_undo_at_once_is_not_consent() -> None:
    table = done(table_at(), (0, move(1)), (1, move(2)), (0, Action("undo")))
    with pytest.raises(Refused, match="Ada asked first"):
        act(table, (1,), Action("undo"), 1000.0)
    for player, offer in ((0, "undo"), (1, "draw"), (1, None)):
        with pytest.raises(Refused, match="no longer open"):
            act(table, (player,), Action("accept", offer=offer), 1000.0)
    assert done(table, (1, Action("accept", offer="undo"))).match.ply == 0


def test_offer_can_be_withdrawn_or_declined() -> None:
    for who in (0, 1):
        table = done(table_at(), (0, Action("draw")))
        assert table.offers == (("draw", 0),)
        table = done(table, (who, Action("decline", offer="draw")))
        assert table.offers == ()
        assert table.running


def test_move_clears_all_offers() -> None:
    table = done(table_at(), (0, move(1)), (0, Action("draw")), (0, Action("undo")))
    assert table.offers == (("draw", 0), ("undo", 0))
    assert done(table, (1, move(2))).offers == ()


def test_coach_is_on_only_while_both_want_it() -> None:
    table = done(table_at(), (0, Action("coach", want="on")))
    assert not table.coach_open
    table = done(table, (1, Action("coach", want="ask")))
    assert table.coach_open
    table = done(table, (0, Action("coach", want="off")))
    assert not table.coach_open
    # What the other one wants is theirs.
    assert table.want == ("off", "ask")


def test_rematch_swaps_the_first_move_and_resets_the_coach() -> None:
    table = done(table_at(), (0, Action("coach", want="on")), (1, Action("coach", want="on")))
    table = done(table, (1, Action("resign")), (1, Action("rematch")))
    step = act(table, (0,), Action("rematch"), 1000.0, NEXT)
    assert step.table.next == NEXT
    assert step.new is not None
    assert step.new.id == NEXT
    assert step.new.match.round.first == 1 - table.match.round.first
    assert step.new.tally == (1, 0)
    assert step.new.holders == table.holders
    assert not step.new.coach_open
