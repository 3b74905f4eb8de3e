"""The laboratory, for people who study games and minds. The game never imports it."""
