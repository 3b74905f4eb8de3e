"""Solve a game in parts, on many cores or machines, with a folder for what is done."""
