"""What is wrong with the rules of a game, and which of them never apply."""
