"""Rules to table to exact values; theory for numbers too large for a table."""
