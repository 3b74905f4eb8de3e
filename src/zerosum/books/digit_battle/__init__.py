"""Digit Battle: its rules, its words and its page."""
