"""What is said about a game: its sentences, and its page of rules."""
