"""At this keyboard: the prompt, matches here and at a server, puzzles and lessons."""
