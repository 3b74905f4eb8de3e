"""The sentences of Number Navigator."""

from zerosum.books.number_navigator.rules import NumberNavigator, State
from zerosum.protocol import Outcome
from zerosum.text import does, upper_first, whose
from zerosum.wording.hooks import Step
from zerosum.wording.words import Words

LABELS = {1: "Subtract 1", 2: "Subtract 2", 3: "Multiply by 0.5", 4: "Add 5"}
STEPS = {1: "−1", 2: "−2", 3: "÷2", 4: "+5"}
CONDITIONS = {3: " (even number)", 4: " (number less than 10)"}


class NumberNavigatorWords(Words[State]):
    """The sentences of Number Navigator."""

    title = "Number Navigator"
    puzzles = ({"start": 30},)
    game: NumberNavigator

    def goal(self) -> str:
        """Say how to win."""
        return "Be the first to bring your own number to exactly 0."

    def in_a_turn(self) -> str:
        """Say what can be done to a number."""
        return "Subtract 1 or 2, halve an even number, or add 5 below 10."

    def opening(self, state: State, names: tuple[str, str]) -> str:
        """Open the game."""
        return "-- Number Navigator Game Start --\n"

    def position(self, state: State, names: tuple[str, str]) -> str:
        """Show both numbers; `turn` shows only one."""
        return f"{does(names[0], 'has')} {state.first}, {does(names[1], 'has')} {state.second}"

    def turn(self, state: State, names: tuple[str, str]) -> str:
        """Show the position to the player to move, with every legal operation."""
        lines = [
            f"{names[state.player]}'s Turn",
            "-" * 16,
            f"Your current number is: {state.own}",
            "Available operations:",
            *(
                f"{move}) {LABELS[move]}{CONDITIONS.get(move, '')}"
                for move in self.game.moves(state)
            ),
        ]
        return "\n".join(lines)

    def prompt(self, state: State, names: tuple[str, str]) -> str:
        """Ask for a move."""
        return "Choose an operation (enter the number): "

    def label(self, state: State, move: int) -> str:
        """Describe a move."""
        after = self.game.play(state, move)
        done = "Halve it" if move == 3 else LABELS[move]
        return f"{done}, making {after.second if state.player else after.first}"

    def step(self, state: State, move: int) -> Step:
        """Describe a move in a few characters."""
        after = self.game.play(state, move)
        return Step(STEPS[move], after.second if state.player else after.first)

    def reason(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Say whose number decided."""
        below = min(state.first, state.second) < 0
        seat = state.player ^ 1
        return f"{whose(names[seat])} number is {'below 0' if below else 'exactly 0'}"

    def barred(self, state: State, move: int) -> str:
        """Say in a few words why a move is not legal."""
        condition = {3: "only for even numbers", 4: "only below 10"}.get(move, "goes below 0")
        return f"{STEPS[move]} {condition}"

    def moved(self, state: State, move: int, after: State, names: tuple[str, str]) -> str:
        """Announce a move."""
        number = after.second if state.player else after.first
        return f"\nYou chose to {LABELS[move].lower()}.\nYour new number is: {number}\n\n---\n"

    def ending(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Announce the winner."""
        winner = self.winner(outcome, names)
        # The book speaks to the winner, unless the loser is You.
        told = winner == "You" or "You" not in names
        has, own = ("you have", "your") if told else (f"{winner} has", "their")
        how = f"{has} reduced {own} number to zero and won the game!"
        if min(state.first, state.second) < 0:
            how = (
                f"{whose(names[state.player ^ 1])} number went below zero, and {has} won the game!"
            )
        return f"**Congratulations, {winner}!**\n{upper_first(how)}\n\n-- Game Over --"
