"""Sentences about a move and about the end of a game."""

from __future__ import annotations

from typing import Any

from zerosum.match import Match
from zerosum.protocol import Move
from zerosum.text import short
from zerosum.wording.words import words_of


def spoken_move(match: Match[Any], move: Move) -> str:
    """Describe a move: who, what was typed, and what it does."""
    named = words_of(match.game).named(match.state, move)
    return short(f"{match.players[match.mover]} plays {named}.")


def ending(match: Match[Any]) -> str:
    """Describe how a game ended."""
    end = match.round.end
    if end is None:
        return ""
    if end.by == "agreement":
        return "Draw by agreement."
    if end.winner is None:
        return f"Draw: {end.reason}."
    return f"{match.players[end.winner]} wins: {end.reason}."
