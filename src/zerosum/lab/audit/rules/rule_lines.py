"""Which statements of a game's rules have never run."""

import ast
import sys
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

# What says nothing about the rules when it never runs: no-ops and guards against misuse.
SILENT = (ast.Pass, ast.Raise, ast.Assert, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)
# An objection is a sentence about any move, not only those of play.
APART = ("__", "<", "objection")
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# What a lone statement may return without being a rule, as after the end of a game.
NOTHING = ("return", "return None", "return ()", "return []")
BLOCKS = ("body", "orelse", "finalbody")


class Tracer:
    """Notes the lines of some files that run; everything else runs at almost full speed."""

    def __init__(self, files: Iterable[str]) -> None:
        """Take the files as code objects name them."""
        self.files = frozenset(files)
        self._left: dict[CodeType, set[int]] = {}  # the lines of each function that have not run

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Note what runs inside; a debugger or coverage has to wait."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def dead_blocks(self, file: str) -> Iterator[list[ast.stmt]]:
        """Yield the runs of statements of a file that never ran, in functions that were called."""
        called = {code: lines_of(code) for code in self._left if code.co_filename == file}
        ran = {line for code in called for line in called[code] - self._left[code]}
        rules = [code for code in called if not code.co_name.startswith(APART)]
        known = {line for code in rules for line in called[code]}
        with tokenize.open(file) as text:
            yield from _dead(ast.parse(text.read()).body, ran, known)

    def _call(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Follow a call into one of the files, until all its lines have run."""
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        if code not in self._left:
            self._left[code] = lines_of(code)
        return self._line if self._left[code] else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Note a line that runs."""
        if event == "line":
            self._left[frame.f_code].discard(frame.f_lineno)
        return self._line


def lines_of(code: CodeType) -> set[int]:
    """Return the lines of a function for which there is code, its first only if it has no other."""
    lines = {line for *_, line in code.co_lines() if line is not None}
    return lines - {code.co_firstlineno} or lines


def _dead(body: list[ast.stmt], ran: set[int], known: set[int]) -> Iterator[list[ast.stmt]]:
    """Yield the runs of a block's statements, on known lines, that never ran."""
    block: list[ast.stmt] = []
    for statement in body:
        lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        if isinstance(statement, NESTED):
            yield from _dead(statement.body, ran, known)
        elif isinstance(statement, SILENT) or known.isdisjoint(lines):
            continue
        elif not ran.isdisjoint(lines):
            yield from filter(None, [block])
            block = []
            # A handler of errors guards against misuse.
            inner = [getattr(statement, name, []) for name in BLOCKS]
            for part in (*inner, *(case.body for case in getattr(statement, "cases", ()))):
                yield from _dead(part, ran, known)
        elif len(body) > 1 or ast.unparse(statement) not in NOTHING:
            block.append(statement)
    # A block that ends by raising guards against misuse, and so does what leads to it.
    if block and not isinstance(body[-1], ast.Raise):
        yield block
