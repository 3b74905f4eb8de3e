"""The law of a game, found in its table: checked everywhere, perhaps proved."""
