"""What a step leaves behind: a folder of arrays for each part, written whole or not at all."""

from __future__ import annotations

import os
import shutil
from tempfile import mkdtemp
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from zerosum.errors import ZerosumError

T = TypeVar("T", bound=Struct)

Phase = Literal["walk", "graph", "decide", "draws", "count", "ended", "write", "done"]


class PartState(Struct, tag="part"):
    """What is known about a part after a step: its positions, and the steps that left its files.

    What it sent to the others is in the file `sent`, in the order of the receiving parts, which
    begin at `bounds`.
    """

    count: int = 0
    walked: list[int] = []
    runs: list[int] = []
    rounds: list[int] = []
    state: tuple[Phase, int] = ("graph", 0)
    decided: tuple[Phase, int] | None = None
    sent: str = ""
    bounds: list[int] = []
    drawn_ends: int = 0
    megabytes: int = 0


class PartStep(Struct):
    """A step of one part, with where its messages are: the sending part, a folder, a range."""

    folder: str
    phase: Phase
    step: int
    number: int
    parts: int
    inbox: list[tuple[int, str, int, int]]
    part: PartState

    @property
    def home(self) -> str:
        """The folder that this step writes."""
        return f"{self.phase}-{self.step}-{self.number}"

    def read(self, phase: Phase, step: int, name: str) -> Any:
        """Map an array that an earlier step left for this part."""
        return load(f"{self.folder}/{phase}-{step}-{self.number}/{name}.npy")

    def messages(self, name: str) -> list[Any]:
        """Map what was sent to this part: columns of an array, from each sender."""
        return [
            load(f"{self.folder}/{sent}/{name}.npy")[..., begin:end]
            for _, sent, begin, end in self.inbox
        ]

    def finish(self, part: PartState, **arrays: Any) -> PartState:
        """Write what this step found beside its place, and move it there: all, or nothing."""
        path = os.path.join(self.folder, self.home)
        temporary = mkdtemp(prefix=f"{self.home}.", dir=self.folder)
        for name, array in arrays.items():
            with _new(os.path.join(temporary, f"{name}.npy")) as file:
                np.save(file, np.ascontiguousarray(array))
        try:
            os.rename(temporary, path)
        except OSError:
            # The step was done before, perhaps by another worker: its files have the same bytes.
            if not os.path.isdir(path):
                raise
            shutil.rmtree(temporary, ignore_errors=True)
        return part


def load(path: str) -> Any:
    """Map an array; nothing of it is read yet."""
    return np.load(path, mmap_mode="r", allow_pickle=False)


def read_document(path: str, kind: type[T]) -> T | None:
    """Read a document, if it is there; refuse a damaged one."""
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=kind)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        folder = os.path.dirname(os.path.dirname(path))
        raise ZerosumError(f"{path} is damaged. Delete {folder} to start over.") from error


def write_document(path: str, about: Struct) -> None:
    """Write a document in place of the one that is there."""
    with _new(f"{path}.new") as file:
        file.write(msgspec.json.format(msgspec.json.encode(about)))
    os.replace(f"{path}.new", path)


def _new(path: str) -> Any:
    """Open a file that only this user can write, or it would not be read again."""
    return open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600))
