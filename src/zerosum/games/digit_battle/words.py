"""Every sentence that Digit Battle says."""

from __future__ import annotations

from zerosum.game import Outcome
from zerosum.games.digit_battle.rules import DigitBattle, State

TITLE = "Digit Battle"


def opening(game: DigitBattle, state: State, names: tuple[str, str]) -> str:
    """Open the game."""
    return (
        f"--- New Game Started ---\n{status(game, state, names)}\nCurrent Number: {state.number}\n"
    )


def status(game: DigitBattle, state: State, names: tuple[str, str]) -> str:
    """Show what both players have, at the start of each turn."""
    lives = (state.first_lives, state.second_lives)
    return "\n".join(f"{names[seat]} Life Points: {lives[seat]}" for seat in (0, 1))


def turn(game: DigitBattle, state: State, names: tuple[str, str]) -> str:
    """Show the position to the player to move."""
    parity = "Even" if game.adds(state) else "Odd"
    return f"{names[state.player]}'s Turn:\nCurrent Number: {state.number} ({parity})"


def prompt(game: DigitBattle, state: State, names: tuple[str, str]) -> str:
    """Ask for a move."""
    return f"Select a digit to {'add' if game.adds(state) else 'subtract'} (1-9): "


def label(game: DigitBattle, state: State, move: int) -> str:
    """Name a move."""
    made, loser, penalty, number = game.effect(state, move)
    text = f"{'Add' if game.adds(state) else 'Subtract'} {move}, making {made}"
    if penalty:
        # A label is read by both players, so it speaks to neither.
        who = "whoever plays this" if loser == state.player else "the other player"
        text += f" ({who} loses {_points(penalty)})"
    return text if number == made else f"{text}, and the number becomes {number}"


def moved(game: DigitBattle, state: State, move: int, after: State, names: tuple[str, str]) -> str:
    """Announce a move, and what it costs."""
    made, loser, penalty, number = game.effect(state, move)
    lines = [f"Updated Number: {made}"]
    if penalty:
        lives = (after.first_lives, after.second_lives)[loser]
        lines.append(f"Special Condition! {names[loser]} loses {_points(penalty)}.")
        lines.append(f"{names[loser]} Life Points: {lives}")
    if number != made:
        lines.append(f"Current Number reset to {number}")
    return "\n".join([*lines, ""])


def ending(game: DigitBattle, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
    """Announce the winner."""
    return f"{names[outcome.winner]} wins the game!"


def _points(penalty: int) -> str:
    """Count life points."""
    return f"{penalty} Life Point" if penalty == 1 else f"{penalty} Life Points"
