"""The sentences of Digit Battle."""

from zerosum.books.digit_battle.rules import DigitBattle, State
from zerosum.protocol import Outcome
from zerosum.text import does, short, signed
from zerosum.wording.hooks import LARGEST, LONGEST_GOAL, Mark, Step
from zerosum.wording.words import Words


class DigitBattleWords(Words[State]):
    """The sentences of Digit Battle."""

    title = "Digit Battle"
    puzzles = ({"lives": 4},)
    game: DigitBattle

    def goal(self) -> str:
        """Say who wins, and what takes lives from whom."""
        game = self.game
        costs = ((game.limit_penalty, f"over {game.limit}"), (game.negative_penalty, "below 0"))
        losses = ", ".join(f"{cost} {where}" for cost, where in costs if cost)
        told = [f"hit {game.target} for {game.target_penalty}"] * (game.target_penalty > 0)
        told += [f"you lose {losses}"] * (losses != "")
        return short(f"Take all their ♥: {'; '.join(told)}.")[:LONGEST_GOAL]

    def in_a_turn(self) -> str:
        """Say what a digit does."""
        return "Add a digit to an even number, or subtract it from an odd one."

    def opening(self, state: State, names: tuple[str, str]) -> str:
        """Open the game."""
        status = self.status(state, names)
        return f"--- New Game Started ---\n{status}\nCurrent Number: {state.number}\n"

    def status(self, state: State, names: tuple[str, str]) -> str:
        """Show the life points of both players."""
        lives = (state.first_lives, state.second_lives)
        return "\n".join(f"{names[seat]} Life Points: {lives[seat]}" for seat in (0, 1))

    def turn(self, state: State, names: tuple[str, str]) -> str:
        """Show the position to the player to move."""
        parity = "Odd" if state.number % 2 else "Even"
        return f"{names[state.player]}'s Turn:\nCurrent Number: {state.number} ({parity})"

    def prompt(self, state: State, names: tuple[str, str]) -> str:
        """Ask for a move."""
        return f"Select a digit to {'add' if self._adds(state, 1) else 'subtract'} (1-9): "

    def label(self, state: State, move: int) -> str:
        """Describe a move."""
        made, loser, penalty, number = self.game.effect(state, move)
        verb = "Add" if self._adds(state, move) else "Subtract"
        text = f"{verb} {move}, making {signed(made, '')}"
        if penalty:
            # A label is read by both players, before the move and after it.
            text += f" and {'losing' if loser == state.player else 'taking'} {penalty} ♥"
        return text if number == made else f"{text}; back to {signed(number, '')}"

    def step(self, state: State, move: int) -> Step:
        """Describe a move briefly: the number that it makes, and what that costs."""
        made, loser, penalty, number = self.game.effect(state, move)
        notes = []
        if penalty:  # said of a move, by whoever it is
            verb = "costs" if loser == state.player else "hit! takes"
            notes.append(f"{verb} {penalty} ♥")
        if number != made:
            notes.append(f"now {signed(number, '')}")
        return Step(signed(made - state.number), made, short(", ".join(notes)))

    def marks(self) -> tuple[Mark, ...]:
        """Mark the target, and the numbers that cost lives, unless they are far away."""
        game = self.game
        over = short(f"over {game.limit}: −{game.limit_penalty} ♥")
        below = short(f"below 0: −{game.negative_penalty} ♥")
        marks = (
            (game.target_penalty, Mark("hit!", game.target, game.target)),
            (game.negative_penalty, Mark(below, None, -1, "cost")),
            (game.limit_penalty, Mark(over, game.limit + 1, None, "cost")),
        )
        return tuple(m for penalty, m in marks if penalty and (m.low or 0) <= LARGEST)

    def moved(self, state: State, move: int, after: State, names: tuple[str, str]) -> str:
        """Announce a move, and what it costs."""
        made, loser, penalty, number = self.game.effect(state, move)
        lines = [f"Updated Number: {made}"]
        if penalty:
            lives = (after.first_lives, after.second_lives)[loser]
            lines.append(f"Special Condition! {names[loser]} loses {_points(penalty)}.")
            lines.append(f"{names[loser]} Life Points: {lives}")
        if number != made:
            lines.append(f"Current Number reset to {number}")
        return "\n".join([*lines, ""])

    def reason(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Say who has no lives left."""
        return f"{does(names[state.first_lives > 0], 'has')} no lives left"

    def ending(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Announce the winner."""
        return f"{self.winner(outcome, names)} wins the game!"

    def _adds(self, state: State, digit: int) -> bool:
        """Return whether a digit is added here rather than subtracted."""
        return self.game.effect(state, digit)[0] > state.number


def _points(penalty: int) -> str:
    """Count life points."""
    if penalty == 1:
        return f"{penalty} Life Point"
    return f"{penalty} Life Points"
