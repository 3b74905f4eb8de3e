"""Even-Steven: its rules, its words and its page."""
