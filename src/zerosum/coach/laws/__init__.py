"""The law of a game, found in its table: in words, checked in every position, perhaps proved."""
