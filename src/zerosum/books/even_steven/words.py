"""The sentences of Even-Steven."""

from zerosum.books.even_steven.rules import EvenSteven, State
from zerosum.protocol import Outcome
from zerosum.text import tail
from zerosum.wording.hooks import Step
from zerosum.wording.words import Words

LABELS = {1: "Subtract 1", 2: "Divide by 2", 3: "Subtract 2"}
STEPS = {1: "−1", 2: "÷2", 3: "−2"}
DONE = {1: "subtracts 1", 2: "divides by 2", 3: "subtracts 2"}


class EvenStevenWords(Words[State]):
    """The sentences of Even-Steven."""

    title = "Even-Steven"
    puzzles = ({"start": 60}, {"start": 50, "subtract_two": True})
    game: EvenSteven

    def goal(self) -> str:
        """Say how to win."""
        return "Reach exactly 0 to win."

    def in_a_turn(self) -> str:
        """Say what can be done to the number."""
        return f"Subtract 1{' or 2' * self.game.subtract_two}, or halve an even number."

    def opening(self, state: State, names: tuple[str, str]) -> str:
        """Open the game."""
        return f"=== Even-Steven Game Start ===\nStarting Number: {state.number}\n"

    def turn(self, state: State, names: tuple[str, str]) -> str:
        """Show the position to the player to move."""
        options = ", ".join(f"[{move}] {LABELS[move]}" for move in self.game.moves(state))
        return f"{names[state.player]}'s Turn:\nCurrent Number: {state.number}\nOptions: {options}"

    def prompt(self, state: State, names: tuple[str, str]) -> str:
        """Ask for a move."""
        return "Enter your choice: "

    def label(self, state: State, move: int) -> str:
        """Describe a move."""
        return f"{LABELS[move]}, leaving {self.game.play(state, move).number}"

    def step(self, state: State, move: int) -> Step:
        """Describe a move in a few characters."""
        return Step(STEPS[move], self.game.play(state, move).number)

    def did(self, state: State, move: int) -> str:
        """Say what a player did with a move."""
        if move != 2:
            return super().did(state, move)
        return f"halved {tail(state.number)} to {tail(self.game.play(state, move).number)}"

    def moved(self, state: State, move: int, after: State, names: tuple[str, str]) -> str:
        """Announce a move."""
        return f"{names[state.player]} {DONE[move]}.\nNew Number: {after.number}\n"

    def ending(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Announce the winner."""
        return f"{self.winner(outcome, names)} wins the game!"
