"""The pure table agrees with the pure match, whatever two players do in whatever order."""

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any, get_args

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.strategies import variants
from tests.web.tables.model import ID, NEXT, OFFERS, SEATS, Model, table_at
from zerosum.errors import Unreadable
from zerosum.match import Event, Match
from zerosum.store import Saved
from zerosum.web.analysis.referee import label
from zerosum.web.answers import Done, Mode, OfferKind, Want
from zerosum.web.refusals import Refused
from zerosum.web.tables.actions import ACTIONS, AGREEMENTS, Action, Transition, act, join, time_out
from zerosum.web.tables.table import (
    BOT_SECONDS,
    MOST_NEWS,
    LiveTable,
    last_plies,
    played_move,
    read_stored,
    restored,
)
from zerosum.web.tables.view import Viewer, document


@dataclass
class Play:
    """A table, what has been written into its journal, and the match without any table."""

    table: LiveTable
    pure: Match[Any]
    now: float = 1000.0
    journal: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model = Model(self.table.match, joined=not self.table.waiting)

    def take(self, step: Transition) -> None:
        """Take one step, and check every invariant."""
        before, after = self.table, step.table
        assert after.change == before.change + 1
        assert after.ply == before.ply + len(step.events) >= before.ply
        for happened in step.events:
            self.pure = self.pure.apply(happened)
        self.journal += step.events
        if after.match.players != self.pure.players:
            assert before.waiting
            self.pure = dataclasses.replace(self.pure, players=after.match.players)
        pure = self.pure
        if len(pure.rounds) < len(after.match.rounds):  # begun, and without a move yet
            pure = pure.next_game()
        assert pure == after.match
        assert after.ply == len(self.journal)
        assert before.mode == "friend" or not after.offers
        self._due(before, step)
        self.table = after
        assert again(self) == bare(after)
        news = after.news[-1]
        assert (news.change, news.ply) == (after.change, after.ply)
        assert news.text
        assert len(after.news) == min(MOST_NEWS, after.change)
        assert (step.new is not None) == (after.next is not None and before.next is None)
        if step.new is not None:
            assert step.new.match.round.first != after.match.rounds[0].first
            assert (step.new.holders, step.new.offers) == (after.holders, ())
            assert not step.new.coach_open or after.mode != "friend"

    def _due(self, before: LiveTable, step: Transition) -> None:
        """A clock begins with a turn, and with nothing else; a program takes a breath."""
        after = step.table
        match = after.match
        began = bool(step.events) or before.waiting or len(match.rounds) > len(before.match.rounds)
        if not after.running:
            assert after.due is None
        elif not began:
            assert after.due == before.due
        elif after.bots_turn:
            assert after.due == self.now + BOT_SECONDS
        else:
            assert after.due == (None if match.clock is None else self.now + match.clock)


def seen(table: LiveTable, who: tuple[int, ...], now: float) -> bytes:
    """Return the document of a table, with its last moves in words."""
    match, played = table.match, table.match.round
    labels = [label(match.game, played.states[n], played.moves[n]) for n in last_plies(match)]
    last = [played_move(match, n, said) for n, said in zip(last_plies(match), labels, strict=True)]
    holder = "".join(map(str, who))
    told = replace(table, played=tuple(map(str, played.moves)), last=tuple(last))
    return document(told, Viewer(holder, "http://x"), now)


def view(table: LiveTable, who: tuple[int, ...], now: float) -> dict[str, Any]:
    """Return what the players of one seat see, or a spectator."""
    found: dict[str, Any] = json.loads(seen(table, who, now))
    return found


def again(play: Play) -> LiveTable:
    """Return the table as restored from a store."""
    match = play.pure
    saved = Saved(ID, match, len(play.journal), "", "")
    stored = read_stored(ID, play.table.data())
    return restored(saved, stored, play.table.change, play.table.due)


def bare(table: LiveTable) -> LiveTable:
    """Return a table without what its rules have said about it."""
    return replace(table, played=(), last=(), scene=None)


def agrees(play: Play) -> None:
    """Check that a table of friends is as the model of it."""
    table, model = play.table, play.model
    if table.mode != "friend":
        assert table.coach_open
        return
    assert (table.match, play.journal) == (model.match, model.journal)
    assert (dict(table.offers), list(table.want)) == (model.offers, model.want)
    assert (table.coach_open, table.running) == (model.coach_open, model.running)
    assert (table.next is not None) == model.next


def foretold(play: Play, who: tuple[int, ...], action: Action) -> str | None:
    """Let the model do what a friend asks for; return None, or the code of the refusal."""
    if not who:
        return "no_seat"
    if action.kind == "publish":
        return "not_now"  # never, between friends
    argument: Any = action.offer
    if action.kind == "move":
        legal = play.table.match.game.moves(play.table.match.state)
        argument = next((move for move in legal if str(move) == action.move), None)
    elif action.kind == "coach":
        argument = action.want or "off"
    return play.model.ask(who[0], action.kind, argument)


asked = st.one_of(
    (st.integers(-1, 12).map(str) | st.just("b2")).map(lambda typed: Action("move", typed)),
    st.tuples(st.sampled_from(["accept", "decline"]), st.sampled_from([*OFFERS, None])).map(
        lambda answer: Action(answer[0], offer=answer[1])
    ),
    st.sampled_from(get_args(Want)).map(lambda want: Action("coach", want=want)),
    st.sampled_from([*ACTIONS]).map(Action),
)


@st.composite
def tables(draw: st.DrawFn) -> LiveTable:
    """A new table of any kind, and of any game that is not over at once."""
    game = draw(variants().filter(lambda game: Match.new(game).round.end is None))
    return table_at(
        draw(st.sampled_from(get_args(Mode))),
        game,
        draw(st.integers(1, 3)),
        draw(st.none() | st.floats(1, 60)),
        draw(st.integers(0, 1)),
        draw(st.booleans()),
    )


def one_step(data: st.DataObject, play: Play) -> None:
    """Let anyone do anything, sensible or not."""
    table, match = play.table, play.table.match
    play.now += data.draw(st.floats(0, 100))
    what = data.draw(st.integers(0, 9))
    before = table.data(), table
    seats = [held for _, held in table.holders]
    who = data.draw(st.sampled_from([*seats, ()]))
    action = data.draw(asked)
    if what < 6 and table.running:
        who = (0, 1) if table.mode == "here" else (match.mover,)
        action = Action("move", str(data.draw(st.sampled_from(match.game.moves(match.state)[:20]))))
    elif what == 7 and table.offers:
        ((kind, player), *_) = table.offers
        who, action = (1 - player,), Action("accept", offer=kind)
    elif what == 8:
        action = Action("undo")
    expected: str | None = None
    refused: Refused | None = None
    try:
        if table.waiting and what < 3:
            name = data.draw(st.sampled_from([None, "Cleo", "ADA", "", "x" * 41, "\x07"]))
            play.take(join(table, "1", name, play.now))
            play.model.joined, play.model.match = True, play.table.match
        elif what == 6 and table.running and not table.bots_turn and match.clock is not None:
            play.take(time_out(table, play.now))
            play.model.happen(Event("time"))
        else:
            expected = foretold(play, who, action) if table.mode == "friend" else None
            step = act(table, who, action, play.now, NEXT)
            check_undo(table, who, action, step)
            play.take(step)
    except Refused as error:
        event(error.code)
        refused = error
    if refused is not None:
        assert 400 <= refused.status < 500
        assert refused.message.endswith(".")
        assert expected in (None, refused.code.replace("unreadable", "illegal"))
        assert (table.data(), play.table) == before
        assert again(play) == bare(table)
    else:
        assert expected is None, action
    agrees(play)


def check_undo(table: LiveTable, who: tuple[int, ...], action: Action, step: Transition) -> None:
    """Check that an undo returns to the asker's turn and takes back no more."""
    if "undo" not in (action.kind, action.offer) or not step.events:
        return
    after = step.table.match
    assert set(step.events) == {Event("undo")}
    assert after.ply == table.match.ply - len(step.events)
    if table.mode != "bot":  # between friends, the model knows
        assert table.mode == "friend" or len(step.events) == 1
        return
    wanted = who[0]
    assert after.mover == wanted
    between = table.match.round.states[after.ply + 1 : table.match.ply]
    assert wanted not in [after.round.player(state.player) for state in between]


@given(tables(), st.data())
def test_table_invariants_hold_after_any_actions(table: LiveTable, data: st.DataObject) -> None:
    play = Play(table, table.match)
    assert again(play) == bare(table)
    for _ in range(data.draw(st.integers(0, 25))):
        one_step(data, play)


@given(tables(), st.data())
def test_can_lists_exactly_the_accepted_actions(table: LiveTable, data: st.DataObject) -> None:
    play = Play(table, table.match)
    for _ in range(data.draw(st.integers(0, 12))):
        one_step(data, play)
    table, match = play.table, play.table.match
    for who in (*SEATS[table.mode], ()):
        if who and not any(players == who for _, players in table.holders):
            continue
        tried = {
            "move": Action("move", str((match.game.moves(match.state) or (0,))[0])),
            "coach": Action("coach", want="ask"),
            **{
                kind: Action(kind)
                for kind in ("undo", "draw", "resign", "next", "rematch", "publish")
            },
        }
        accepted = {kind for kind, action in tried.items() if accepts(table, who, action)}
        for answer in ("accept", "decline"):
            if any(accepts(table, who, Action(answer, offer=kind)) for kind in OFFERS):
                accepted.add(answer)
        if table.waiting and not who:
            accepted.add("join")
        if table.waiting:
            accepted.add("decline")
        assert set(view(table, who, play.now)["can"]) - {"review"} == accepted


def test_an_action_is_declared_once_and_named_in_the_answers() -> None:
    """A page that has a button for it is the only other place."""
    # An offer that is accepted is announced as what was offered.
    assert set(ACTIONS) == {*get_args(Done), "accept"}
    assert set(AGREEMENTS) == set(get_args(OfferKind))


def accepts(table: LiveTable, who: tuple[int, ...], action: Action) -> bool:
    """Return whether an action is accepted."""
    try:
        act(table, who, action, 0.0, NEXT)
    except Refused:
        return False
    return True


@given(tables(), st.data())
def test_views_share_everything_but_personal_fields(table: LiveTable, data: st.DataObject) -> None:
    play = Play(table, table.match)
    for _ in range(data.draw(st.integers(0, 12))):
        one_step(data, play)
    table = play.table
    own = {"you", "watching", "turn", "can", "coach", "captions", "picture"}
    own |= {"last", "news", "offers"}  # in sentences
    documents = [view(table, who, play.now) for who in ((), *(held for _, held in table.holders))]
    common = [{name: seen[name] for name in seen if name not in own} for seen in documents]
    assert all(seen == common[0] for seen in common)
    for seen in documents:
        json.dumps(seen, allow_nan=False)
        assert (seen["turn"] is not None) == table.running
        if seen["turn"] is not None:
            assert seen["turn"]["player"] == table.match.mover
            assert seen["turn"]["yours"] == (table.match.mover in seen["you"])
    assert all(digest not in json.dumps(documents) for digest in ("holders", "digest"))


def test_data_of_an_older_version_is_read() -> None:
    """There, news had no kind, and matches no owner."""
    stored = json.loads(table_at().data())
    stored["news"] = [news[:3] for news in stored["news"]]
    del stored["owner"]
    saved = Saved(ID, table_at().match, 0, "", "")
    assert restored(saved, read_stored(ID, json.dumps(stored)), 1, None) == table_at()


@pytest.mark.parametrize("data", ["", "[]", "{}", '{"mode": 7}'])
def test_damaged_data_is_refused(data: str) -> None:
    with pytest.raises(Unreadable, match=ID):
        read_stored(ID, data)
