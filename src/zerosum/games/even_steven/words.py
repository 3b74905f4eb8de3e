"""Every sentence that Even-Steven says."""

from __future__ import annotations

from zerosum.game import Outcome
from zerosum.games.even_steven.rules import EvenSteven, State

TITLE = "Even-Steven"
LABELS = {1: "Subtract 1", 2: "Divide by 2", 3: "Subtract 2"}
DONE = {1: "subtracts 1", 2: "divides by 2", 3: "subtracts 2"}


def opening(game: EvenSteven, state: State, names: tuple[str, str]) -> str:
    """Open the game."""
    return f"=== Even-Steven Game Start ===\nStarting Number: {state.number}\n"


def turn(game: EvenSteven, state: State, names: tuple[str, str]) -> str:
    """Show the position to the player to move."""
    options = ", ".join(f"[{move}] {LABELS[move]}" for move in game.moves(state))
    return f"{names[state.player]}'s Turn:\nCurrent Number: {state.number}\nOptions: {options}"


def prompt(game: EvenSteven, state: State, names: tuple[str, str]) -> str:
    """Ask for a move."""
    return "Enter your choice: "


def label(game: EvenSteven, state: State, move: int) -> str:
    """Name a move."""
    return f"{LABELS[move]}, leaving {game.play(state, move).number}"


def moved(game: EvenSteven, state: State, move: int, after: State, names: tuple[str, str]) -> str:
    """Announce a move."""
    return f"{names[state.player]} {DONE[move]}.\nNew Number: {after.number}\n"


def ending(game: EvenSteven, state: State, outcome: Outcome, names: tuple[str, str]) -> str:
    """Announce the winner."""
    return f"{names[outcome.winner]} wins the game!"
