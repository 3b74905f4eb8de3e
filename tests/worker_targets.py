"""What the processes of tests/test_worker.py run: rules that try to answer in our place."""

import ctypes
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from zerosum import sandbox
from zerosum.sandbox import Answerer

FORGED = b"\nready\nforged\n00000000000000000000000000000000forged\ndone\nbegun"


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
    return answer


def answer(question: bytes) -> Iterator[bytes]:
    """Do what the question says, then answer with it."""
    match question:
        case b"forge":
            write_everywhere(FORGED)
        case b"fork":
            ctypes.CDLL(None).fork()
        case b"forks":
            mine, (heard, told) = os.getpid(), os.pipe()
            for _ in range(3):
                os.fork()
            os.write(told, b"x")
            with suppress(ChildProcessError):
                while os.getpid() == mine:
                    os.wait()
            question = os.read(heard, 100) if os.getpid() == mine else question
        case b"exit":
            write_everywhere(FORGED)
            os._exit(0)
        case b"wait":
            time.sleep(600)
        case b"flood":
            question = b"x" * (2 << 20)
        case b"print":
            sys.stderr.write("x" * 10_000_000)
            sys.stdout.write("x" * 10_000_000)
        case b"environment":
            question = ",".join({"PATH", "PGPASSWORD"} & os.environ.keys()).encode()
    yield question


def fork_and_end() -> None:
    """Fork, and end before the copy knows of it; the copy says so if it goes on."""
    mine, die = os.getpid(), sandbox.die_with_parent

    def die_late() -> None:
        while os.getppid() == mine:
            time.sleep(0.01)
        die()

    sandbox.die_with_parent = die_late
    heard, told = os.pipe()
    os.write(told, b"secret\n")
    sandbox.Parent(heard, 1)
    if not os.fork():
        os.write(1, b"still here")
    os._exit(0)
