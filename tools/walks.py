"""Lists the files that docs/architecture.md walks through, in order.

python -m tools.walks move     a move that is typed at the prompt
python -m tools.walks value    zerosum.solve(game).value(state)
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import FrameType

SOURCE = Path(__file__).parent.parent / "src" / "zerosum"
files: dict[str, None] = {}


def ours(frame: FrameType) -> bool:
    """Return whether a frame runs code of the package."""
    return Path(frame.f_code.co_filename).is_relative_to(SOURCE)


def stack(frame: FrameType | None) -> list[FrameType]:
    """Return a frame and its callers, the outermost first."""
    return [*stack(frame.f_back), frame] if frame else []


def enter(frame: FrameType, event: str = "call", arg: object = None) -> None:
    """Note the file of a function of ours, unless it is called while a module is imported."""
    if ours(frame):
        file = str(Path(frame.f_code.co_filename).relative_to(SOURCE))
        importing = (f.f_code.co_name == "<module>" and ours(f) for f in stack(frame))
        if file not in files and not any(importing):
            files[file] = None


def move() -> None:
    """Follow a move from the moment it is read to the next prompt."""
    read, lines = os.read, iter([b"1\n", b""])

    def typed(fd: int, size: int) -> bytes:
        if fd:
            return read(fd, size)
        line = next(lines)
        for frame in stack(sys._getframe()) if line else ():
            enter(frame)
        sys.settrace(enter if line else None)
        return line

    from zerosum.__main__ import main

    os.read = typed
    sys.argv = ["zerosum", "play", "even-steven", "--start", "4", "--names", "Ada", "Bob"]
    main()


def value() -> None:
    """Follow the solution of a game that has no theory."""
    import zerosum

    game = zerosum.game("digit-battle", lives=2)
    state = game.initial()
    sys.settrace(enter)
    zerosum.solve(game).value(state)
    sys.settrace(None)


if __name__ == "__main__":
    if sys.argv[1:] not in (["move"], ["value"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"ZEROSUM_DB": f"{home}/games.db", "ZEROSUM_CACHE": home}
        try:
            {"move": move, "value": value}[sys.argv[1]]()
        except SystemExit as end:
            if end.code:
                raise
    sys.stderr.flush()
    print("\n".join(["", *files]))
