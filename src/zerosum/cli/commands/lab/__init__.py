"""The commands of the laboratory: what is true of games and of players."""
