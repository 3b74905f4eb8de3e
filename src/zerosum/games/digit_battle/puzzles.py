"""The variants of Digit Battle that puzzles are taken from."""

SOURCES = ({"lives": 4},)
