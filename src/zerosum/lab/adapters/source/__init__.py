"""What the source of an environment tells about its rules."""
