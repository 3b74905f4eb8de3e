"""Number Navigator: its rules, its words and its page."""
