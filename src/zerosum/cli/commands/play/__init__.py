"""Commands that play: at the keyboard, in the browser, and puzzles."""
