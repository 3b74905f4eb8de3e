"""Divisor Duel: its rules, its words and its page."""
