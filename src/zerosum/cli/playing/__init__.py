"""A match at this keyboard: during it, and between two matches."""
