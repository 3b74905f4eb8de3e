"""Live matches: tables, what players do, what is due, and who watches."""
