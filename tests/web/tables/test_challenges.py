"""Challenges: the open seat is for one person, who takes or declines it."""

import json
from dataclasses import replace

import pytest

from tests.web.tables.model import ID, NEXT, table_at
from zerosum.store import Saved
from zerosum.web.refusals import Refused
from zerosum.web.tables.actions import ACTIONS, Action, act, begun, decline_seat, join
from zerosum.web.tables.table import LiveTable, read_stored, restored
from zerosum.web.tables.view import Viewer, document


def challenge(to: str = "deep") -> LiveTable:
    """Ada challenges Bob, a bot; without `to`, she invites whoever has the link."""
    table = table_at(full=False)
    return begun(replace(table, to=to, programs=(1,) if to else (), news=(), change=0), 1000.0)


def can(table: LiveTable, holder: str) -> set[str]:
    seen = json.loads(document(table, Viewer(holder, "http://x"), 0.0))
    return set(seen["can"])


def refusal(table: LiveTable, holder: str | None) -> str:
    with pytest.raises(Refused) as caught:
        decline_seat(table, holder)
    return caught.value.code


def test_only_whoever_is_challenged_takes_the_seat() -> None:
    table = challenge()
    assert table.news[-1].text == "Ada challenges Bob."
    assert table.concerned == ("0", "deep")
    assert can(table, "deep") == {"join", "decline"}
    assert can(table, "eve") == set()
    with pytest.raises(Refused, match="reserved for Bob"):
        join(table, "eve", None, 0.0)
    joined = join(table, "deep", None, 0.0, program=True).table
    assert (joined.running, joined.programs, joined.concerned) == (True, (1,), ("0", "deep"))
    assert refusal(joined, "deep") == refusal(joined, "eve") == "not_now"


@pytest.mark.parametrize(
    ("to", "holder", "text", "player"),
    [
        ("deep", "deep", "Bob declined the challenge.", 1),
        ("deep", "0", "Ada withdrew the invitation.", 0),
        ("", "eve", "The invitation was declined.", 1),
        ("", None, "The invitation was declined.", 1),
    ],
)
def test_a_declined_match_ends_without_a_game(
    to: str, holder: str | None, text: str, player: int
) -> None:
    step = decline_seat(challenge(to), holder)
    assert step is not None
    table = step.table
    assert (table.over, table.running, table.waiting, table.stage) == (
        True,
        False,
        False,
        "declined",
    )
    assert (table.news[-1].text, table.news[-1].player, step.events) == (text, player, ())
    seen = json.loads(document(table, Viewer("0", "http://x"), 0.0))
    assert (seen["ended"]["by"], seen["ended"]["text"], seen["over"]) == ("declined", text, True)
    assert [seat["joined"] for seat in seen["players"]] == [True, False]
    assert seen["can"] == []
    assert decline_seat(table, holder) is None
    for kind in ACTIONS:
        with pytest.raises(Refused):
            act(table, (0,), Action(kind, move="1", offer="draw"), 0.0)
    with pytest.raises(Refused, match="declined"):
        join(table, "deep", None, 0.0)
    saved = Saved(ID, table.match, 0, "", "")
    assert restored(saved, read_stored(ID, table.data()), table.change, None) == table


def test_a_stranger_declines_nothing_that_is_for_somebody_else() -> None:
    assert refusal(challenge(), "eve") == refusal(challenge(), None) == "seat_taken"


def test_a_rematch_keeps_the_mark_of_a_bot_and_is_no_challenge() -> None:
    table = join(challenge(), "deep", None, 0.0, program=True).table
    for player, kind in ((0, "resign"), (0, "rematch"), (1, "rematch")):
        step = act(table, (player,), Action(kind), 0.0, NEXT)
        table = step.table
    assert step.new is not None
    assert (step.new.programs, step.new.to, step.new.concerned) == ((1,), "", table.concerned)
