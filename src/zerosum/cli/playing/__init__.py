"""A match at this keyboard: what happens while one plays, and between two matches."""
