"""The laboratory: for people who study games and minds. Nothing in the game imports it."""
