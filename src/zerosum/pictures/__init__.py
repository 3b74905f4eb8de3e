"""Maps and charts of solved games, as SVG with a text alternative and in characters."""
