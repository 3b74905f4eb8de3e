"""Programs that choose a move: levels of play, their exact strengths, and games between them."""
