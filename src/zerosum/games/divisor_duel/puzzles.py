"""The variants of Divisor Duel that puzzles are taken from."""

SOURCES = ({"start": 60}, {"start": 72})
