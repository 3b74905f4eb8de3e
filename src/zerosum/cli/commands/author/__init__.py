"""Commands for authors of games and of players."""
