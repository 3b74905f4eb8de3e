"""The variants of Dual Digits that puzzles are taken from."""

SOURCES = ({"start": 40}, {"start": 40, "numbers": (1, 3, 4, 6)})
