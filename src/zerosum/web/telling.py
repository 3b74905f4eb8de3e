"""What is said of a move and of an end, on one line."""

from __future__ import annotations

from zerosum.match import Match
from zerosum.wording import Wording, short


def spoken_move(match: Match, move: int) -> str:
    """Say a move: who, the number, and what it does."""
    label = Wording(match.game).label(match.state, move)
    return short(f"{match.players[match.mover]} plays {move}: {label}.")


def ending(match: Match) -> str:
    """Say on one line how a game ended."""
    end = match.round.end
    if end is None:
        return ""
    if end.winner is None:
        return f"No winner: {end.reason}."
    return f"{match.players[end.winner]} wins: {end.reason}."
