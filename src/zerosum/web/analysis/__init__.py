"""Questions to the solver: processes, their queue, and what they remember."""
