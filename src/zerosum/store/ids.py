"""Names for matches, and the time as it is written down."""

from __future__ import annotations

import os
from datetime import UTC, datetime

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without what looks alike
ID_LENGTH = 8


def new_id(length: int = ID_LENGTH) -> str:
    """Make an id that can be typed and will not be made twice; 26 letters cannot be guessed.

    >>> len(new_id()), len(new_id(26))
    (8, 26)
    """
    # Many bits more than the letters hold, so that no letter is likelier than another.
    number = int.from_bytes(os.urandom(length + 8), "big")
    letters = []
    for _ in range(length):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def timestamp() -> str:
    """Give the time now, as it is written in records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
