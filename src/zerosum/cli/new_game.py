"""Somebody always takes the last stick, so the game is never a draw."""

# This is a whole game: turn it into yours step by step. `zerosum rules` shows players the
# docstring of the class, then the one above.

from dataclasses import dataclass
from typing import NamedTuple

from zerosum import Game, Outcome, option


class State(NamedTuple):
    """A position: all that the rules depend on, and whose turn it is."""

    # Integers, short strings, None, and tuples of these; `marks: tuple[str, ...]` may be a board.
    sticks: int
    player: int  # the seat to move: 0, which moves first, or 1


@dataclass(frozen=True)
class NewGame(Game[State]):
    """Take one, two or three sticks in turn; whoever takes the last one loses."""

    # An option has a default, a help text and bounds; this one becomes the flag --start.
    start: int = option(11, "sticks at the start", least=2)

    def initial(self) -> State:
        """Return the position at the start."""
        return State(self.start, 0)

    def moves(self, state: State) -> tuple[int, ...]:
        """List the legal moves, as they are typed: integers, or short strings such as "b2"."""
        return tuple(n for n in (1, 2, 3) if n <= state.sticks)

    def play(self, state: State, move: int) -> State:
        """Return the position after a legal move."""
        return State(state.sticks - move, 1 - state.player)

    def outcome(self, state: State) -> Outcome | None:
        """Return who won and why; None while the game goes on, Outcome(None, why) for a draw."""
        return None if state.sticks else Outcome(state.player, "whoever takes the last stick loses")

    # Everything below is optional. Name the rule that forbids a move:
    #
    # def objection(self, state: State, move: int) -> str:
    #     return "Take one, two or three sticks."
    #
    # Return one position for each family of symmetric ones, so that the game is solved faster:
    #
    # def canonical(self, state: State) -> State:
    #     return min(state, mirrored(state))


# Sentences of your own (import Words from zerosum). Overriding `board` and `cell` draws a board:
#
# class NewGameWords(Words[State]):
#     def label(self, state: State, move: int) -> str:
#         return f"Take {move}, leaving {state.sticks - move}"
#
#     def board(self, state: State) -> list[tuple[str, ...]]:
#         return [state.marks[row : row + 3] for row in (0, 3, 6)]
#
#     def cell(self, state: State, move: str) -> tuple[int, int]:
#         return row, column
#
# A theory: the value of any position, without a table (import Theory and Value):
#
# class NewGameTheory(Theory[State]):
#     def value(self, state: State) -> Value | None:
#         return Value("loss" if state.sticks % 4 == 1 else "win")
