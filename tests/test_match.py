from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import zerosum
from tests.strategies import matches, variants
from zerosum.game import IllegalMove, OptionError
from zerosum.match import End, Event, Match, MatchError
from zerosum.wording import Wording


class Life(RuleBasedStateMachine):
    """A match against the simplest model: a list of games, each a list of moves."""

    def __init__(self) -> None:
        super().__init__()
        self.match = Match.new(zerosum.game("even-steven", start=6), ("Ada", "Bob"), 1, 4)
        self.games: list[list[int]] = [[]]
        self.wins = [0, 0]

    def over(self) -> bool:
        return self.match.round.end is not None

    def mover(self) -> int:
        # Bob, player 1, begins the first game; the first move alternates.
        return (1 + len(self.games) - 1 + len(self.games[-1])) % 2

    def number(self) -> int:
        number = 6
        for key in self.games[-1]:
            number = number // 2 if key == 2 else number - 1
        return number

    @precondition(lambda self: not self.over())
    @rule(key=st.integers(0, 4))
    def move(self, key: int) -> None:
        legal = key == 1 or (key == 2 and self.number() % 2 == 0)
        mover = self.mover()
        before = self.match
        if not legal:
            with pytest.raises(IllegalMove):
                self.match.play(key)
            assert self.match is before
            return
        self.match = self.match.apply(Event("move", key))
        self.games[-1].append(key)
        if self.number() == 0:
            self.wins[mover] += 1

    @precondition(lambda self: not self.over())
    @rule()
    def undo(self) -> None:
        if self.games[-1]:
            self.match = self.match.undo()
            self.games[-1].pop()
        else:
            with pytest.raises(MatchError, match="nothing to undo"):
                self.match.undo()

    @precondition(lambda self: not self.over())
    @rule(kind=st.sampled_from(("resignation", "concession", "time", "agreement", "endless")))
    def stop(self, kind: str) -> None:
        mover = self.mover()
        self.match = self.match.apply(Event(kind))
        if kind in ("resignation", "time"):
            self.wins[1 - mover] += 1
        if kind == "concession":
            self.wins[mover] += 1

    @precondition(lambda self: self.over())
    @rule()
    def go_on(self) -> None:
        if len(self.games) == 4:
            with pytest.raises(MatchError, match="match is over"):
                self.match.next_game()
            return
        self.match = self.match.next_game()
        self.games.append([])

    @precondition(lambda self: self.over())
    @rule()
    def nothing_more_happens(self) -> None:
        for change in (Match.undo, Match.resign, Match.concede, Match.call_off, Match.time_out):
            with pytest.raises(MatchError, match="game is over"):
                change(self.match)
        with pytest.raises(MatchError, match="game is over"):
            self.match.play(1)

    @invariant()
    def same(self) -> None:
        assert [list(played.moves) for played in self.match.rounds] == self.games
        assert self.match.state.number == self.number()
        assert self.match.score == tuple(self.wins)
        assert self.match.over == (self.over() and len(self.games) == 4)
        if not self.over():
            assert self.match.mover == self.mover()
        if self.match.over and self.wins[0] != self.wins[1]:
            assert self.match.champion == self.wins.index(max(self.wins))
        else:
            assert self.match.champion is None


TestLife = Life.TestCase


def test_who_is_not_to_move_can_concede() -> None:
    match = Match.new(zerosum.game("even-steven", start=6), ("Ada", "Bob"), length=2).play(1)
    ended = match.apply(Event("concession"))
    assert ended.round.end == End("concession", 1, "Ada resigned")
    assert ended.score == (0, 1)
    assert Wording(match.game).finish(ended, ended.round) == "Ada resigns.\nBob wins the game!"
    assert match.play(1).concede().round.end == End("concession", 0, "Bob resigned")


@given(matches())
def test_a_match_is_what_its_moves_make_it(match: Match) -> None:
    for number, played in enumerate(match.rounds):
        assert played.first == (match.rounds[0].first + number) % 2
        state = match.game.initial()
        for move, after in zip(played.moves, played.states[1:], strict=True):
            assert move in match.game.moves(state) or not match.game.objection(state, move)
            state = match.game.play(state, move)
            assert state == after
        assert (played.end is not None) >= (match.game.outcome(state) is not None)
    assert match.over == (len(match.rounds) == match.length and match.round.end is not None)


@given(variants(), st.integers(-20, 10**45))
def test_only_a_legal_move_changes_a_match(game: Any, move: int) -> None:
    match = Match.new(game)
    if game.objection(match.state, move) is None:
        assert match.play(move).state == game.play(match.state, move)
    else:
        with pytest.raises(IllegalMove):
            match.play(move)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ("Ada", "ada")}, "different names"),
        ({"players": ("Ada", "")}, "no name"),
        ({"players": ("Ada", "B\nob")}, "no name"),
        ({"players": ("Ada", "\x1b[31mBob")}, "no name"),
        ({"players": ("Ada", "B" * 41)}, "at most 40"),
        ({"players": ("Ada",)}, "two names"),
        ({"first": 2}, "first"),
        ({"length": 0}, "games"),
        ({"clock": 0}, "above 0"),
        ({"clock": -1.0}, "above 0"),
        ({"clock": float("nan")}, "above 0"),
        ({"clock": float("inf")}, "at most 86400"),
        ({"clock": True}, "above 0"),
    ],
)
def test_a_match_refuses_what_nobody_can_play(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Match.new(zerosum.game("even-steven"), **options)


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(MatchError, match="'jump'"):
        Match.new(zerosum.game("even-steven")).apply(Event("jump"))
