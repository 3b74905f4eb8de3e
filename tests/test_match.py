from enum import IntEnum
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import zerosum
from tests.games import Pile, broken
from tests.strategies import FILES, variants
from zerosum.errors import GameError, IllegalMove, MatchError, OptionError, UnreadableMove
from zerosum.match import EVENTS, End, Ending, Event, EventKind, Match, Trail
from zerosum.protocol import Game, Outcome

STOPS: tuple[EventKind, ...] = ("resignation", "concession", "time", "agreement", "endless")


class Life(RuleBasedStateMachine):
    """A match against the simplest model: a list of games, each a list of moves."""

    def __init__(self) -> None:
        super().__init__()
        self.match = Match.new(zerosum.game("even-steven", start=6), ("Ada", "Bob"), 1, 4)
        self.games: list[list[int]] = [[]]
        self.points = [0.0, 0.0]

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
            self.points[mover] += 1

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
    @rule(kind=st.sampled_from(STOPS))
    def stop(self, kind: EventKind) -> None:
        mover = self.mover()
        self.match = self.match.apply(Event(kind))
        if kind in ("resignation", "time"):
            self.points[1 - mover] += 1
        elif kind == "concession":
            self.points[mover] += 1
        else:
            self.points = [points + 0.5 for points in self.points]

    @precondition(lambda self: self.over())
    @rule()
    def go_on(self) -> None:
        if len(self.games) == 4:
            with pytest.raises(MatchError, match="match is over"):
                self.match.next_game()
            return
        self.match = self.match.next_game()
        self.games.append([])

    @precondition(lambda self: self.over() and self.number() == 0)
    @rule()
    def undo_the_last_move(self) -> None:
        winner = self.match.round.end and self.match.round.end.winner
        assert winner is not None
        self.match = self.match.apply(Event("undo"))
        self.games[-1].pop()
        self.points[winner] -= 1

    @precondition(lambda self: self.over())
    @rule()
    def nothing_more_happens(self) -> None:
        if self.number():
            with pytest.raises(MatchError, match="game is over"):
                self.match.undo()
        for change in (Match.resign, Match.concede, Match.agree_draw, Match.time_out):
            with pytest.raises(MatchError, match="game is over"):
                change(self.match)
        with pytest.raises(MatchError, match="game is over"):
            self.match.play(1)

    @invariant()
    def same(self) -> None:
        assert [list(played.moves) for played in self.match.rounds] == self.games
        assert self.match.state.number == self.number()
        assert self.match.score == tuple(self.points)
        assert sum(self.points) == len(self.games) - (not self.over())
        assert self.match.over == (self.over() and len(self.games) == 4)
        if not self.over():
            assert self.match.mover == self.mover()
        if self.match.over and self.points[0] != self.points[1]:
            assert self.match.champion == self.points.index(max(self.points))
        else:
            assert self.match.champion is None


TestLife = Life.TestCase


def test_seats_alternate_between_the_players() -> None:
    match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"), first=1, games=2)
    assert match.seated == ("Bob", "Ada")
    match = match.resign().next_game()
    assert match.seated == ("Ada", "Bob")
    assert match.names_of(match.rounds[0]) == ("Bob", "Ada")


@given(st.lists(st.tuples(st.integers(0, 30), st.none() | st.integers(0, 3)), max_size=30))
def test_trails_that_share_items_behave_like_tuples(steps: list[tuple[int, int | None]]) -> None:
    # Each step adds an item to one of the trails so far, or drops one; the others do not change.
    trails: list[Trail[int]] = [Trail([1, 2])]
    models: list[tuple[int, ...]] = [(1, 2)]
    for number, item in steps:
        trail, model = trails[number % len(trails)], models[number % len(models)]
        if item is not None:
            trail, model = trail.add(item), (*model, item)
        elif model:
            trail, model = trail.drop(), model[:-1]
        trails.append(trail)
        models.append(model)
    for trail, model in zip(trails, models, strict=True):
        size = len(model)
        assert (len(trail), list(trail), repr(trail)) == (size, list(model), repr(model))
        assert [trail[index] for index in range(-size, size)] == [*model, *model]
        assert (trail[1:], trail[::-1]) == (model[1:], model[::-1])
        assert (trail.count(1), hash(trail)) == (model.count(1), hash(model))
        assert [trail == other for other in trails] == [model == other for other in models]
        for index in (size, -size - 1):
            with pytest.raises(IndexError):
                trail[index]


@given(variants(), st.integers(-20, 10**45) | st.text(max_size=3) | st.sampled_from(("a1", "A1")))
def test_only_a_legal_move_changes_a_match(game: Game[Any], move: int | str) -> None:
    match = Match.new(game)
    typed = {str(legal).casefold(): legal for legal in game.moves(match.state)}
    known = typed.get(move.casefold()) if isinstance(move, str) else move
    if isinstance(known, type(move)) and game.is_legal(match.state, known):
        assert match.play(move).state == game.play(match.state, known)
    else:
        with pytest.raises(IllegalMove):
            match.play(move)


class Key(IntEnum):
    """Integers with names, as programs have them."""

    SUBTRACT = 1


@pytest.mark.parametrize(
    ("name", "move", "plain"),
    [
        ("even-steven", np.int64(1), 1),
        ("even-steven", Key.SUBTRACT, 1),
        (FILES["noughts_and_crosses.py"], np.str_("b2"), "b2"),
    ],
)
def test_subclasses_become_plain_moves(name: str, move: Any, plain: Any) -> None:
    (played,) = Match.new(zerosum.game(name)).play(move).round.moves
    assert (played, type(played)) == (plain, type(plain))


@pytest.mark.parametrize(
    "move", [1.0, np.float64(1), True, np.True_, None, b"1", Fraction(1), (1,), [1]]
)
def test_moves_of_other_types_are_refused(move: Any) -> None:
    with pytest.raises(UnreadableMove, match="A move is an integer or a string, not"):
        Match.new(zerosum.game("even-steven")).play(move)


FULL_BOARD = ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3")


def test_a_draw_by_the_rules_is_half_a_point_for_each() -> None:
    game = zerosum.game(FILES["noughts_and_crosses.py"])
    match = Match.new(game, ("Ada", "Bob"), first=1, games=2)
    for move in FULL_BOARD:
        match = match.play(move)
    assert match.round.end == End("rules", None, "the board is full")
    assert (match.score, match.over, match.champion) == ((0.5, 0.5), False, None)
    match = match.next_game()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        match = match.play(move)
    assert match.round.end == End("rules", 0, "three in a row")
    assert (match.score, match.over, match.champion) == ((1.5, 0.5), True, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ("Ada", "ada")}, "different names"),
        ({"players": ("Ada", "")}, "cannot be empty"),
        ({"players": ("Ada", "\x1b[31mBob")}, "cannot be printed"),
        ({"players": ("Ada", "B" * 41)}, "at most 40"),
        ({"first": 2}, "first"),
        ({"clock": 0}, "above 0"),
        ({"clock": float("inf")}, "at most 86400"),
        ({"bots": ("no level", None)}, "two levels or programs"),
        ({"bots": ("exec:a\nb", None)}, "can be printed"),
        ({"bots": (None, "exec:" + 1000 * "a")}, "at most 1,000"),
        ({"seed": "lucky"}, "seed: must be a whole number"),
    ],
)
def test_invalid_match_settings_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Match.new(zerosum.game("even-steven"), **options)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"initial": lambda game: (5, 0)}, "a state needs a field 'player', 0 or 1: "),
        ({"initial": lambda game: Pile(5, 2)}, "a state needs a field 'player', 0 or 1: "),
        (
            {"outcome": lambda game, state: "won"},
            r"an outcome is Outcome\(winner, reason\), not won",
        ),
        ({"outcome": lambda game, state: Outcome(2, "won")}, r"an outcome is Outcome\(winner, "),
        ({"outcome": lambda game, state: Outcome(0, "won")}, "over before its first move"),
    ],
)
def test_a_game_that_cannot_begin_is_blamed(methods: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Match.new(broken(**methods))


@pytest.mark.parametrize("event", [("jump",), ("jump", 1), ("move",)])
def test_an_unknown_event_is_refused(event: Any) -> None:
    with pytest.raises(MatchError, match=f"'{event[0]}' is not an event of a match"):
        Match.new(zerosum.game("even-steven")).apply(Event(*event))


def test_events_and_endings_match_their_literal_types() -> None:
    assert {"move", *EVENTS} == set(get_args(EventKind))
    assert {"rules", *EVENTS} - {"undo"} == set(get_args(Ending))
