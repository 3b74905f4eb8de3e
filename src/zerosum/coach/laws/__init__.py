"""The law of a game, found in its table: in words, checked in every position, perhaps proved."""

from zerosum.coach.laws.discovery import find_law, rule_of_thumb
from zerosum.coach.laws.law import Law
from zerosum.coach.laws.rules_of_thumb import RuleOfThumb

__all__ = ["Law", "RuleOfThumb", "find_law", "rule_of_thumb"]
