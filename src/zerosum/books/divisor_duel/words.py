"""The sentences of Divisor Duel."""

from zerosum.books.divisor_duel.rules import DivisorDuel, State
from zerosum.protocol import Outcome
from zerosum.wording.words import Words

RULE = "-" * 25
MOST_SHOWN = 100


class DivisorDuelWords(Words[State]):
    """The sentences of Divisor Duel."""

    title = "Divisor Duel"
    puzzles = ({"start": 60}, {"start": 72})
    game: DivisorDuel

    def goal(self) -> str:
        """Say how to win."""
        return "Reach 1 to win: your opponent then has no move."

    def in_a_turn(self) -> str:
        """Say what is subtracted."""
        return "Subtract any divisor but the number itself."

    def opening(self, state: State, names: tuple[str, str]) -> str:
        """Open the game."""
        first = names[state.player]
        # A player without a name is called after the seat, or addressed.
        unnamed = first in ("Player 1", "Player 2", "You")
        who = first if unnamed else f"Player 1 ({first})"
        start = f"Starting number (N): {state.number}"
        return f"Welcome to Divisor Duel!\n{start}\n{who} will start first.\n"

    def turn(self, state: State, names: tuple[str, str]) -> str:
        """Show the position to the player to move."""
        divisors = self.game.moves(state)
        lines = [_head(state, names), f"Proper divisors of {state.number}: {_listed(divisors)}"]
        if not self.game.lists_all(state):
            lines.append(
                "(There may be more: a number this large is not fully factored. Any divisor works.)"
            )
        elif len(divisors) > MOST_SHOWN:
            lines.append(f"(The first {MOST_SHOWN} of {len(divisors)}.)")
        return "\n".join(lines)

    def prompt(self, state: State, names: tuple[str, str]) -> str:
        """Ask for a move."""
        return f"Enter a proper divisor of {state.number} to subtract: "

    def label(self, state: State, move: int) -> str:
        """Describe a move."""
        return f"Subtract {move}, leaving {self.game.play(state, move).number}"

    def moved(self, state: State, move: int, after: State, names: tuple[str, str]) -> str:
        """Announce a move."""
        return f"\n{names[state.player]} subtracts {move} from N.\nNew N is {after.number}."

    def ending(self, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
        """Show that no move is left, and announce the winner."""
        loser = names[state.player]
        return (
            f"{_head(state, names)}\nNo proper divisors left. {loser} cannot make a move.\n"
            f"{self.winner(outcome, names)} wins the game!"
        )


def _head(state: State, names: tuple[str, str]) -> str:
    """Show the number, and whose turn it is."""
    return f"{RULE}\nCurrent N: {state.number}\n{names[state.player]}'s Turn."


def _listed(divisors: tuple[int, ...]) -> str:
    """List divisors, at most a hundred."""
    text = ", ".join(map(str, divisors[:MOST_SHOWN]))
    return text if len(divisors) <= MOST_SHOWN else f"{text}, …"
