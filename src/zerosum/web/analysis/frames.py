"""Messages between two processes through a pipe: the length, then the message."""

from __future__ import annotations

from struct import Struct
from typing import BinaryIO

HEAD = Struct(">I")
LONGEST = 32 << 20


def framed(message: bytes) -> bytes:
    """Prefix a message with its length."""
    return HEAD.pack(len(message)) + message


def read(pipe: BinaryIO) -> bytes | None:
    """Read one message; None if the other side is gone."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (size,) = HEAD.unpack(head)
    message = pipe.read(size)
    return message if len(message) == size else None
