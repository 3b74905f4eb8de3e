"""The door for assistants: what Zerosum offers, as tools of the Model Context Protocol."""
