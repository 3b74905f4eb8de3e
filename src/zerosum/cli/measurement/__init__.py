"""The command `measure`: players measured one after the other, and their reports."""
