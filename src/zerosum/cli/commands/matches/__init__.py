"""Commands for the saved matches."""
