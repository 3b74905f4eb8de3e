"""The law of a game, found in its table: in words, checked in every position, perhaps proved."""

from zerosum.coach.laws.discovery import find_law
from zerosum.coach.laws.law import Law

__all__ = ["Law", "find_law"]
