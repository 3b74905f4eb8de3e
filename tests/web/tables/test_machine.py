"""The server against the pure match: both agree after any requests."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

import zerosum
from tests.web.support import Inside, Stream, View, Visitor, fits, live_match, new_key, saved_events
from tests.web.tables.model import Model
from zerosum.match import Match
from zerosum.web.tables.tokens import COOKIE

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {"start": 9}),
    ("even-steven", {"start": 12, "subtract_two": True}),
    ("divisor-duel", {"start": 10}),
    ("dual-digits", {"start": 23}),
    ("number-navigator", {"start": 6}),
    ("digit-battle", {"lives": 3}),
]
KINDS = ("undo", "draw", "resign", "next", "rematch")
OFFERS = ("undo", "draw", "next", "rematch")
WANTS = ("off", "ask", "on")
players = st.integers(0, 1)


FIELDS = {"move": "move", "accept": "offer", "decline": "offer", "coach": "want"}


class ServerAgainstMatch(RuleBasedStateMachine):
    """Two players and a spectator, at a server that is restarted now and then."""

    folder: Path
    server: Inside
    model: Model

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="zerosum-machine-"))
        self.cookies: list[dict[str, str]] = [{}, {}]
        self.done: list[tuple[int, dict[str, Any]]] = []

    @initialize(
        game=st.sampled_from(GAMES), games=st.integers(1, 3), first=players, watch=st.booleans()
    )
    def begin(self, game: tuple[str, dict[str, Any]], games: int, first: int, watch: bool) -> None:
        self._start()
        name, options = game
        view = self.people[0].create(
            name,
            options=options,
            games=games,
            first=str(first + 1),
            watch=watch,
        )
        self.watch, self.id = watch, view["id"]
        pure = zerosum.game(name, **options)
        self.model = Model(Match.new(pure, ("Ada", "Player 2"), first, games))
        self._arrive()

    def _start(self) -> None:
        """Start the server on the existing file."""
        self.server = Inside(self.folder / "a.db")
        self.server.__enter__()
        self.people = [self.server.visitor(), self.server.visitor()]
        self.watcher, self.stranger = self.server.visitor(), self.server.visitor()

    def _arrive(self) -> None:
        """Let everybody be at the match that is played."""
        for visitor in (*self.people, self.watcher, self.stranger):
            visitor.id = self.id
        self.stream: Stream = self.people[0].listen()

    def teardown(self) -> None:
        if hasattr(self, "server"):
            self.server.close()
        shutil.rmtree(self.folder)

    def send(self, visitor: Visitor, body: dict[str, Any], **more: Any) -> httpx.Response:
        answer = visitor.post(f"/m/{self.id}/actions", body, **more)
        note(f"{body} -> {answer.status_code} {answer.text[:150]}")
        assert answer.status_code < 500
        return answer

    def try_action(self, player: int, action: str, arg: Any = None) -> None:
        """Let a player ask for something, and let the model say what comes of it."""
        if player == 1 and not self.model.joined:
            expected: str | None = "no_seat"
        else:
            expected = "asked"
        body = {"key": new_key(), "ply": len(self.model.journal), "action": action}
        if action in FIELDS:
            body[FIELDS[action]] = str(arg)
        if expected == "asked":
            expected = self.model.ask(player, action, arg)
        answer = self.send(self.people[player], body)
        if expected is None:
            assert answer.status_code == 200, answer.text
            assert not answer.json()["repeated"]
            assert answer.json()["change"] == self.model.change
            self.done.append((player, body))
        else:
            assert answer.json()["error"]["code"] == expected

    @precondition(lambda self: not self.model.joined)
    @rule(name=st.sampled_from([None, "Bob"]), key=st.sampled_from([None, "k" * 22]))
    def join(self, name: str | None, key: str | None) -> None:
        key = key or new_key()
        view = self.people[1].join(self.id, name, key)
        assert view["you"] == [1]
        self.model.joined = True
        self.model.change += 1
        if name is not None:
            self.model.match = replace(self.model.match, players=("Ada", name))
        # Once more, as after an answer that was lost: with the seat, and without it.
        for visitor in (self.people[1], self.server.visitor()):
            assert visitor.join(self.id, name, key)["you"] == [1]
        late = self.stranger.post(f"/m/{self.id}/join", {"key": new_key(), "name": "Eve"})
        assert late.json()["error"]["code"] == "seat_taken"

    @rule(player=players, data=st.data())
    def move(self, player: int, data: st.DataObject) -> None:
        match = self.model.match
        legal = match.game.moves(match.state) or (1,)
        self.try_action(player, "move", data.draw(st.sampled_from(legal)))

    @precondition(lambda self: self.model.running)
    @rule(data=st.data())
    def legal_move(self, data: st.DataObject) -> None:
        match = self.model.match
        self.try_action(
            match.mover, "move", data.draw(st.sampled_from(match.game.moves(match.state)))
        )

    @rule(player=players, number=st.sampled_from([-1, 0, 7, 10**30]))
    def any_move(self, player: int, number: int) -> None:
        self.try_action(player, "move", number)

    @rule(player=players, action=st.sampled_from(KINDS))
    def plain(self, player: int, action: str) -> None:
        self.try_action(player, action)

    @precondition(lambda self: self.model.offers)
    @rule(yes=st.booleans(), data=st.data())
    def answer_offer(self, yes: bool, data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(sorted(self.model.offers)))
        other = 1 - self.model.offers[kind]
        self.try_action(other, "accept" if yes else "decline", kind)

    @precondition(lambda self: self.model.running and self.model.match.ply)
    @rule(player=players)
    def undo_by_agreement(self, player: int) -> None:
        self.try_action(player, "undo")
        self.try_action(1 - player, "accept", "undo")

    @precondition(lambda self: self.model.joined and not self.model.running)
    @rule(player=players)
    def go_on_by_agreement(self, player: int) -> None:
        kind = "rematch" if self.model.match.over else "next"
        self.try_action(player, kind)
        self.try_action(1 - player, kind)

    @rule(
        player=players, answer=st.sampled_from(["accept", "decline"]), kind=st.sampled_from(OFFERS)
    )
    def answer_any_offer(self, player: int, answer: str, kind: str) -> None:
        self.try_action(player, answer, kind)

    @rule(player=players, want=st.sampled_from(WANTS))
    def coach(self, player: int, want: str) -> None:
        self.try_action(player, "coach", want)

    @precondition(lambda self: self.model.joined)
    @rule(player=players, away=st.sampled_from([-1, 1, 1000]), action=st.sampled_from(KINDS))
    def stale(self, player: int, away: int, action: str) -> None:
        ply = len(self.model.journal) + away
        if ply < 0:
            return
        answer = self.send(self.people[player], {"key": new_key(), "ply": ply, "action": action})
        error = answer.json()["error"]
        assert (error["code"], error["ply"]) == ("stale", len(self.model.journal))
        assert error["state"]["you"] == [player]
        fits(error["state"], self.model.match)

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        player, body = data.draw(st.sampled_from(self.done))
        answer = self.send(self.people[player], body)
        assert answer.status_code == 200
        assert answer.json()["repeated"] is True
        assert answer.json()["change"] == self.model.change

    @precondition(lambda self: self.done)
    @rule(data=st.data(), player=players)
    def reuse(self, data: st.DataObject, player: int) -> None:
        _, body = data.draw(st.sampled_from(self.done))
        other = {"key": body["key"], "ply": len(self.model.journal), "action": "move", "move": "77"}
        if player == 1 and not self.model.joined:
            return
        answer = self.send(self.people[player], other)
        assert answer.json()["error"]["code"] == "key_reused"

    @rule(forged=st.booleans(), action=st.sampled_from(KINDS))
    def without_a_seat(self, forged: bool, action: str) -> None:
        body = {"key": new_key(), "ply": len(self.model.journal), "action": action}
        cookie = {"cookie": f"{COOKIE}={secrets.token_urlsafe(48)}"} if forged else {}
        answer = self.send(self.stranger, body, headers=cookie)
        assert answer.json()["error"]["code"] == "no_seat"

    @rule(player=players)
    def ask_the_coach(self, player: int) -> None:
        answer = self.people[player].get(f"/m/{self.id}/coach?ply={len(self.model.journal)}")
        if player == 1 and not self.model.joined and not self.model.coach_open:
            assert answer.status_code == 403
        elif not self.model.coach_open:
            assert answer.json()["error"]["code"] == "coach_not_agreed"
        elif not self.model.running:
            assert answer.json()["error"]["code"] == "not_now"
        else:
            assert answer.status_code == 200

    @rule(player=players)
    def ask_for_a_review(self, player: int) -> None:
        answer = self.people[player].get(f"/m/{self.id}/review.json")
        played = [game for game in self.model.match.rounds if game.end is not None and game.moves]
        if not self.model.coach_open:
            assert answer.json()["error"]["code"] == "coach_not_agreed"
        elif not played:  # else it is of the latest one
            assert answer.json()["error"]["code"] == "not_now"
        else:
            assert answer.status_code == 200

    @precondition(lambda self: self.model.next)
    @rule()
    def follow(self) -> None:
        ways = {person.get(f"/m/{self.id}/next").headers["location"] for person in self.people}
        (way,) = ways
        match = self.model.match
        fresh = Match.new(
            match.game, match.players, 1 - match.rounds[0].first, match.games, None, (None, None)
        )
        self.model = Model(fresh, joined=True)
        self.stream.close()
        self.id, self.done = way.removeprefix("/m/"), []
        self._arrive()

    @rule()
    def restart(self) -> None:
        """Another server continues with the file; the browsers still have their cookies."""
        people = self.people
        self.server.close()
        assert self.stream.is_over()
        self._start()
        self.people = [person.at(self.server) for person in people]
        self._arrive()

    @invariant()
    def everybody_sees_the_same(self) -> None:
        if not hasattr(self, "model"):
            return
        model = self.model
        views = [person.see() for person in self.people if person is self.people[0] or model.joined]
        answer = self.watcher.get(f"/m/{self.id}/state")
        if self.watch or not model.joined:
            views.append(answer.json())
        else:
            assert answer.json()["error"]["code"] == "private"
        for view in views:
            self._is_right(view)
        self._is_right(self.stream.until(model.change))
        assert [view["you"] for view in views][:2] in ([[0], [1]], [[0], []])

    def _is_right(self, view: View) -> None:
        """Compare a view with the model."""
        model = self.model
        fits(view, model.match)
        assert (view["change"], view["ply"]) == (model.change, len(model.journal))
        assert {offer["kind"]: offer["player"] for offer in view["offers"]} == model.offers
        assert view["coach"]["want"] == model.want
        assert view["coach"]["open"] == model.coach_open
        assert view["waiting"] == (not model.joined)
        assert (view["turn"] is not None) == model.running
        assert (view["next"] is not None) == model.next

    @invariant()
    def the_store_has_it(self) -> None:
        if not hasattr(self, "model"):
            return
        assert saved_events(self.server.db, self.id) == self.model.journal
        live = live_match(self.server.db, self.id)
        assert live.version == self.model.change
        # The journal knows of a new game when something has happened in it.
        match = live.saved.match
        if len(match.rounds) < len(self.model.match.rounds):
            match = match.next_game()
        assert replace(match, seed=None) == self.model.match


TestServerAgainstMatch = ServerAgainstMatch.TestCase
TestServerAgainstMatch.settings = settings(
    max_examples=settings().max_examples // 6,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
