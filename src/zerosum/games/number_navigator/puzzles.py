"""The variants of Number Navigator that puzzles are taken from."""

SOURCES = ({"start": 30},)
