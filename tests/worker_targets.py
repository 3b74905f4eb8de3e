"""What the processes of tests/test_worker.py run: rules that try to answer in our place."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from zerosum.worker import Answerer

FORGED = b"\nready\nforged\n00000000000000000000000000000000 forged\ndone\nbegun"
# What the process has written so far: rules that look for it can find it.
SEEN: list[bytes] = []


def write_everywhere(text: bytes) -> None:
    """Write a string to every file that may be open."""
    for file in range(21):
        with suppress(OSError):
            os.write(file, text)


def prepare(setting: bytes) -> Answerer:
    """Fail if the setting says so; return what answers."""
    if setting == b"fail":
        sys.stderr.write("x" * 100_000 + "\n")
        raise ValueError("no setting")
    write = os.write

    def noted(file: int, text: bytes) -> int:
        SEEN.append(bytes(text))
        return write(file, text)

    monkey: Any = os
    monkey.write = noted
    return answer


def answer(question: bytes) -> Iterator[bytes]:
    """Do what the question says, then answer with it."""
    match question:
        case b"forge":
            write_everywhere(FORGED)
        case b"replay":
            write_everywhere(SEEN[-1])
        case b"fork":
            ctypes.CDLL(None).fork()
        case b"exit":
            write_everywhere(FORGED)
            os._exit(0)
        case b"wait":
            time.sleep(600)
        case b"flood":
            while True:
                write_everywhere(b"x" * 4096)
        case b"print":
            sys.stderr.write("x" * 10_000_000)
            sys.stdout.write("x" * 10_000_000)
    yield question
