"""The coach: a hint, the reason for it, a review, a puzzle; all of it exact."""
