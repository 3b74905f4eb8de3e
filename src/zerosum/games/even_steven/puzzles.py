"""The variants of Even-Steven that puzzles are taken from."""

SOURCES = ({"start": 60}, {"start": 50, "subtract_two": True})
