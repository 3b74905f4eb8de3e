"""The five rule books, one folder each."""
