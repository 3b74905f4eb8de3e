"""Lines with a time limit."""

import os
import time
from collections.abc import Iterator
from threading import Thread

import pytest

from zerosum.cli.playing.prompt import LONGEST_LINE, OutOfTime, Reader


@pytest.fixture
def pipe() -> Iterator[tuple[Reader, int]]:
    out, into = os.pipe()
    yield Reader(out), into
    os.close(into)


def test_lines_in_pieces_and_a_last_line_without_a_newline(pipe: tuple[Reader, int]) -> None:
    reader, into = pipe
    spare = os.dup(into)
    os.write(spare, b"one\ntw")
    assert reader.readline() == "one"
    os.write(spare, b"o\r\n\nthr")
    assert reader.readline() == "two"
    assert reader.readline() == ""
    os.dup2(os.open(os.devnull, os.O_WRONLY), into)
    os.close(spare)
    assert reader.readline() == "thr"
    assert reader.readline() is None
    assert reader.readline() is None


def test_line_after_the_deadline_is_read_without_what_was_dropped(pipe: tuple[Reader, int]) -> None:
    reader, into = pipe
    os.write(into, b"half")
    with pytest.raises(OutOfTime):
        reader.readline(time.monotonic() + 0.05)
    reader.discard()
    os.write(into, b"late\n")
    assert reader.readline(time.monotonic() + 30) == "late"


def test_line_of_any_length_and_any_bytes(pipe: tuple[Reader, int]) -> None:
    reader, into = pipe
    os.write(into, b"\xff\x00\xe2\x82\xac\n")
    assert reader.readline() == "\ufffd\x00€"

    def write() -> None:
        for _ in range(LONGEST_LINE // 50_000 + 2):
            os.write(into, b"9" * 50_000)
        os.write(into, b"\nend\n")

    writer = Thread(target=write)  # a pipe holds less than this line
    writer.start()
    line = reader.readline()
    assert line is not None
    assert len(line) == LONGEST_LINE + 1
    assert reader.readline() == "end"
    writer.join()
