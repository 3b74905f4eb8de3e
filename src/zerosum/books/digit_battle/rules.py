"""The rules of Digit Battle: take your opponent's life points before your own run out."""

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.errors import OptionError
from zerosum.options import check_whole, option
from zerosum.protocol import Game, Outcome

DIGITS = (1, 2, 3, 4, 5, 6, 7, 8, 9)


class State(NamedTuple):
    """The number, the life points of each seat, and the seat to move."""

    number: int
    first_lives: int
    second_lives: int
    player: int


@dataclass(frozen=True)
class DigitBattle(Game[State]):
    """One variant of Digit Battle.

    >>> game = DigitBattle()
    >>> game.play(State(10, 10, 10, 1), 5)
    State(number=0, first_lives=7, second_lives=10, player=0)
    """

    start: int = option(0, "the shared number at the start, at most the limit")
    lives: int = option(10, "the lives of each player", least=1)
    target: int = option(15, "the number that hits the opponent, at most the limit", least=0)
    limit: int = option(20, "the number above which a move costs lives", least=0)
    negative_penalty: int = option(1, "the lives it costs to go below zero", least=0)
    target_penalty: int = option(3, "the lives that the opponent loses at the target", least=0)
    limit_penalty: int = option(2, "the lives it costs to pass the limit", least=0)
    target_reset: int = option(0, "the number after a hit")
    limit_reset: int = option(10, "the number after passing the limit")

    def __post_init__(self) -> None:
        """Compare the numbers with the limit, and the penalties with each other."""
        for name in ("target", "start", "target_reset", "limit_reset"):
            check_whole(name, getattr(self, name), most=self.limit)
        if not (self.negative_penalty or self.target_penalty or self.limit_penalty):
            raise OptionError("target_penalty", "at least one penalty must be above 0")

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, self.lives, self.lives, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the digits: all of them while both players are alive."""
        if state.first_lives <= 0 or state.second_lives <= 0:
            return ()
        return DIGITS

    def effect(self, state: State, move: int) -> tuple[int, int, int, int]:
        """Return the number made, who loses how many lives, and the next number.

        A digit is added to an even number and subtracted from an odd one; at most one of the
        three penalties applies.
        """
        number, _, _, player = state
        made = number - move if number % 2 else number + move
        if made < 0:
            return made, player, self.negative_penalty, made
        if made == self.target:
            return made, 1 - player, self.target_penalty, self.target_reset
        if made > self.limit:
            return made, player, self.limit_penalty, self.limit_reset
        return made, player, 0, made

    def play(self, state: State, move: int) -> State:
        """Add or subtract a digit, and take the lives that it costs."""
        _, first, second, player = state
        _, loser, penalty, number = self.effect(state, move)
        if loser:
            return State(number, first, second - penalty, 1 - player)
        return State(number, first - penalty, second, 1 - player)

    def outcome(self, state: State) -> Outcome | None:
        """A player without life points has lost."""
        if state.first_lives <= 0:
            return Outcome(1, "the loser has no life points left")
        if state.second_lives <= 0:
            return Outcome(0, "the loser has no life points left")
        return None

    def canonical(self, state: State) -> State:
        """Swap the seats if the second is to move: the rules are the same for both."""
        number, first, second, player = state
        return State(number, second, first, 0) if player else state

    def objection(self, state: State, move: int) -> str:
        """Name the rule that forbids a digit."""
        return "Choose a digit from 1 to 9."
