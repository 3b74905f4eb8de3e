"""Pictures of solved games: maps and charts as SVG with a text alternative, and in characters."""
