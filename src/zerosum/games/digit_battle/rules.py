"""The rules of Digit Battle: take your opponent's life points before your own run out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import OptionError, Outcome, check_whole, option

DIGITS = (1, 2, 3, 4, 5, 6, 7, 8, 9)


class State(NamedTuple):
    """The shared number, the life points of each seat, and the seat to move."""

    number: int
    first_lives: int
    second_lives: int
    player: int


class Effect(NamedTuple):
    """What a digit does: the number it makes, who pays how much, and what stands then."""

    made: int
    loser: int
    penalty: int
    number: int


@dataclass(frozen=True)
class DigitBattle:
    """One variant of Digit Battle.

    >>> game = DigitBattle()
    >>> game.play(State(10, 10, 10, 1), 5)
    State(number=0, first_lives=7, second_lives=10, player=0)
    """

    start: int = option(0, "the shared number at the start, at most the limit")
    lives: int = option(10, "the life points of each player, from 1 up")
    target: int = option(15, "the number that costs the opponent, from 0 to the limit")
    limit: int = option(20, "the number above which the mover pays")
    negative_penalty: int = option(1, "what the mover pays below zero, from 0 up")
    target_penalty: int = option(3, "what the opponent pays at the target, from 0 up")
    limit_penalty: int = option(2, "what the mover pays above the limit, from 0 up")
    target_reset: int = option(0, "the number after the target, at most the limit")
    limit_reset: int = option(10, "the number after the limit, at most the limit")

    def __post_init__(self) -> None:
        """Check the options, one by one and against each other."""
        check_whole("limit", self.limit, least=0)
        check_whole("target", self.target, least=0, most=self.limit)
        for name in ("start", "target_reset", "limit_reset"):
            check_whole(name, getattr(self, name), most=self.limit)
        check_whole("lives", self.lives, least=1)
        penalties = ("negative_penalty", "target_penalty", "limit_penalty")
        for name in penalties:
            check_whole(name, getattr(self, name), least=0)
        if not any(getattr(self, name) for name in penalties):
            raise OptionError("target_penalty", "one of the three penalties must be above 0")

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, self.lives, self.lives, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the digits: all of them, until somebody has no life left."""
        return () if state.first_lives <= 0 or state.second_lives <= 0 else DIGITS

    def adds(self, state: State) -> bool:
        """Tell whether a digit is added: to an even number it is, from an odd one it is taken."""
        return state.number % 2 == 0

    def effect(self, state: State, move: int) -> Effect:
        """Work out what a digit does; at most one of the three penalties applies."""
        number, _, _, player = state
        made = number + move if self.adds(state) else number - move
        if made < 0:
            return Effect(made, player, self.negative_penalty, made)
        if made == self.target:
            return Effect(made, 1 - player, self.target_penalty, self.target_reset)
        if made > self.limit:
            return Effect(made, player, self.limit_penalty, self.limit_reset)
        return Effect(made, player, 0, made)

    def play(self, state: State, move: int) -> State:
        """Add or subtract a digit, and let whoever has to pay for it."""
        _, loser, penalty, number = self.effect(state, move)
        _, first, second, player = state
        if loser:
            return State(number, first, second - penalty, 1 - player)
        return State(number, first - penalty, second, 1 - player)

    def outcome(self, state: State) -> Outcome | None:
        """Whoever has no life point left has lost."""
        if state.first_lives <= 0:
            return Outcome(1, "the loser has no life points left")
        if state.second_lives <= 0:
            return Outcome(0, "the loser has no life points left")
        return None

    def objection(self, state: State, move: int) -> str | None:
        """Name the rule that forbids a digit."""
        if move in self.moves(state):
            return None
        if self.outcome(state):
            return "The game is over: a player has no life points left."
        return "A digit from 1 to 9 must be chosen."
