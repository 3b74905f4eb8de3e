"""The sentences of Dual Digits."""

from zerosum.books.dual_digits.rules import NOTHING, DualDigits, State
from zerosum.protocol import Outcome
from zerosum.text import does, runs, short
from zerosum.wording.hooks import Field, Mark
from zerosum.wording.words import Words

# Longer lists of numbers are not repeated in a sentence.
MOST_NAMED = 60


class DualDigitsWords(Words[State]):
    """The sentences of Dual Digits."""

    title = "Dual Digits"
    puzzles = ({"start": 40}, {"start": 40, "numbers": (1, 3, 4, 6)})
    game: DualDigits

    def goal(self) -> str:
        """Say how to win."""
        return "Reach exactly 0 to win, or leave your opponent no move."

    def in_a_turn(self) -> str:
        """Say what may be subtracted."""
        numbers = short(runs(sorted(self.game.numbers), "or"))
        named = numbers if len(numbers) <= MOST_NAMED else "a number of the game"
        return f"Subtract {named}, but never what your opponent has just subtracted."

    def opening(self, state: State, names: tuple[str, str]) -> str:
        """Open the game."""
        return f"=== Dual Digits ===\nStarting Shared Number: {state.number}"

    def position(self, state: State, names: tuple[str, str]) -> str:
        """Show the number, which `turn` does not."""
        return f"Shared Number: {state.number}"

    def fields(self, state: State) -> tuple[Field, ...]:
        """Show the number, and the one that may not be repeated."""
        previous = "nothing yet" if state.previous == NOTHING else state.previous
        return (
            Field("number", "Number", state.number),
            Field("previous", "Just subtracted", previous),
        )

    def turn(self, state: State, names: tuple[str, str]) -> str:
        """Show the position to the player to move."""
        previous = "None" if state.previous == NOTHING else str(state.previous)
        allowed = ", ".join(map(str, self.game.allowed(state))) or "None"
        return (
            f"\n{names[state.player]}'s Turn:\nPrevious Opponent's Number: {previous}\n"
            f"Allowed Numbers to Subtract: {allowed}"
        )

    def prompt(self, state: State, names: tuple[str, str]) -> str:
        """Ask for a move."""
        return "Enter the number you wish to subtract: "

    def label(self, state: State, move: int) -> str:
        """Describe a move."""
        return f"Subtract {move}, leaving {self.game.play(state, move).number}"

    def barred(self, state: State, move: int) -> str:
        """Say in a few words why a move is not legal."""
        if move == state.previous:
            return f"−{move} was just played"
        return f"−{move} goes below 0"

    def marks(self) -> tuple[Mark, ...]:
        """Mark the goal; a player can also win elsewhere, by leaving no legal move."""
        return (Mark("goal", 0, 0),)

    def reason(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Say who has no move, or that 0 is reached."""
        if state.number == 0:
            return super().reason(state, outcome, names)
        return f"{does(names[state.player], 'has')} no number left to subtract"

    def moved(self, state: State, move: int, after: State, names: tuple[str, str]) -> str:
        """Announce a move."""
        return f"You subtracted {move}. New Shared Number: {after.number}"

    def ending(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Announce the winner, after the reason if the loser has no move."""
        won = f"Congratulations! {self.winner(outcome, names)} wins!"
        if state.number == 0:
            return won
        loser = names[state.player]
        stuck = (
            f"Shared Number: {state.number}. No allowed number fits, so {loser} cannot make a move."
        )
        return f"{self.turn(state, names)}\n{stuck}\n{won}"
