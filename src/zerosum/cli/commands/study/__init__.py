"""Commands that study a game or a match."""
