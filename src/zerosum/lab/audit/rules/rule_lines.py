"""The statements of a game's rules, and which of them have run."""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, NamedTuple

# What says nothing about the rules when it never runs: it does nothing, or guards against misuse.
SILENT = (ast.Pass, ast.Raise, ast.Assert, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BLOCKS = ("body", "orelse", "finalbody")


class Function(NamedTuple):
    """A function of a file of rules that play has called."""

    file: str
    node: ast.FunctionDef


class Tracer:
    """Notes the lines of some files that run; everything else runs at almost full speed."""

    def __init__(self, files: Iterable[str]) -> None:
        """Take the files as code objects name them."""
        self.files = frozenset(files)
        self.ran: dict[str, set[int]] = {file: set() for file in self.files}
        self._left: dict[CodeType, set[int]] = {}

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Note what runs inside; a debugger or a measurement of coverage has to wait."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def called(self) -> dict[tuple[str, str, int], CodeType]:
        """Return the functions that ran, by file, name and first line."""
        return {(code.co_filename, code.co_name, code.co_firstlineno): code for code in self._left}

    def _call(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Follow a call into one of the files, until all lines of its function have run."""
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        left = self._left.get(code)
        if left is None:
            left = self._left[code] = set(lines_of(code))
        return self._line if left else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Note a line that runs."""
        if event == "line":
            code, line = frame.f_code, frame.f_lineno
            self._left[code].discard(line)
            self.ran[code.co_filename].add(line)
        return self._line


def lines_of(code: CodeType) -> set[int]:
    """Return the lines of a function for which there is code, its first only if it has no other."""
    lines = {line for *_, line in code.co_lines() if line is not None}
    return lines - {code.co_firstlineno} or lines


def functions_of(tracer: Tracer) -> Iterator[Function]:
    """Yield the functions that play has called."""
    called = tracer.called()
    for file in sorted(tracer.files):
        with tokenize.open(file) as text:
            tree = ast.parse(text.read())
        for node in ast.walk(tree):
            # An objection is a sentence about any move, and not only about those of play.
            if not isinstance(node, ast.FunctionDef) or node.name == "objection":
                continue
            known = (file, node.name, _first_line(node)) in called
            if known and not node.name.startswith("__"):
                yield Function(file, node)


def _first_line(node: ast.FunctionDef) -> int:
    """Return the first line of a function as its code has it: that of its first decorator."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def dead_blocks(function: Function, tracer: Tracer) -> Iterator[list[ast.stmt]]:
    """Yield the runs of statements of a function that have never run, each as long as can be."""
    node = function.node
    known = lines_of(tracer.called()[function.file, node.name, _first_line(node)])
    yield from _dead(node.body, tracer.ran[function.file], known)


def _dead(body: list[ast.stmt], ran: set[int], known: set[int]) -> Iterator[list[ast.stmt]]:
    """Yield the runs of statements of a block that have never run."""
    block: list[ast.stmt] = []
    for statement in body:
        lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        if isinstance(statement, (*SILENT, *NESTED)) or known.isdisjoint(lines):
            continue
        if len(body) == 1 and _returns_nothing(statement):
            continue
        if ran.isdisjoint(lines):
            block.append(statement)
            continue
        if block:
            yield block
            block = []
        for inner in _inner(statement):
            yield from _dead(inner, ran, known)
    # A block that ends by raising an error guards against misuse, and so does what leads up to it.
    if block and not isinstance(body[-1], ast.Raise):
        yield block


def _returns_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement returns None, () or [], as after the end of a game."""
    if not isinstance(statement, ast.Return):
        return False
    value = statement.value
    empty = isinstance(value, (ast.Tuple, ast.List)) and not value.elts
    return value is None or empty or (isinstance(value, ast.Constant) and value.value is None)


def _inner(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks inside a statement; a handler of errors guards against misuse."""
    for name in BLOCKS:
        yield getattr(statement, name, [])
    if isinstance(statement, ast.Match):
        for case in statement.cases:
            yield case.body


def is_end(node: ast.AST) -> bool:
    """Return whether code makes an Outcome, or returns what step returns at the end of a game."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        ended = node.value.elts[2:3]
        return len(node.value.elts) in (4, 5) and all(
            isinstance(part, ast.Constant) and part.value is True for part in ended
        )
    called = node.func if isinstance(node, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return bool(name == "Outcome")
