"""Every sentence that Number Navigator says."""

from __future__ import annotations

from zerosum.game import Outcome
from zerosum.games.number_navigator.rules import ADD_FIVE, HALVE, NumberNavigator, State

TITLE = "Number Navigator"
LABELS = {1: "Subtract 1", 2: "Subtract 2", 3: "Multiply by 0.5", 4: "Add 5"}
CONDITIONS = {3: " (even number)", 4: " (number less than 10)"}


def opening(game: NumberNavigator, state: State, names: tuple[str, str]) -> str:
    """Open the game."""
    return "-- Number Navigator Game Start --\n"


def position(game: NumberNavigator, state: State, names: tuple[str, str]) -> str:
    """Show both numbers; a turn shows only one."""
    return f"{names[0]} has {state.first}, {names[1]} has {state.second}"


def turn(game: NumberNavigator, state: State, names: tuple[str, str]) -> str:
    """Show the position to the player to move, with the operations that the book's sample lists."""
    moves = game.moves(state)
    # The sample and every example of the book leave `Add 5` out where the number can be halved,
    # though the rules allow it; the list follows the sample, and the key works all the same.
    listed = [move for move in moves if move != ADD_FIVE or HALVE not in moves]
    lines = [
        f"{names[state.player]}'s Turn",
        "-" * 16,
        f"Your current number is: {state.own}",
        "Available operations:",
        *(f"{move}) {LABELS[move]}{CONDITIONS.get(move, '')}" for move in listed),
    ]
    return "\n".join(lines)


def prompt(game: NumberNavigator, state: State, names: tuple[str, str]) -> str:
    """Ask for a move."""
    return "Choose an operation (enter the number): "


def label(game: NumberNavigator, state: State, move: int) -> str:
    """Name a move."""
    after = game.play(state, move)
    return f"{LABELS[move]}, making {after.second if state.player else after.first}"


def moved(
    game: NumberNavigator, state: State, move: int, after: State, names: tuple[str, str]
) -> str:
    """Announce a move."""
    number = after.second if state.player else after.first
    return f"\nYou chose to {LABELS[move].lower()}.\nYour new number is: {number}\n\n---\n"


def ending(game: NumberNavigator, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
    """Announce the winner."""
    winner = names[outcome.winner]
    how = "You have reduced your number to zero and won the game!"
    if min(state.first, state.second) < 0:
        how = f"{names[1 - outcome.winner]}'s number went below zero, and you have won the game!"
    return f"**Congratulations, {winner}!**\n{how}\n\n-- Game Over --"
