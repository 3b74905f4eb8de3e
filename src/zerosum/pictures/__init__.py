"""Pictures of what was solved: SVG with its own text alternative, and the same in characters."""
