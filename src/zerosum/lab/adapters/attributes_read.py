"""Which attributes the rules of an environment read at all, by their source."""

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

RULES = ("step", "valid_moves")
# Methods that add to an attribute unread, if their answer is not used.
ADDING = {"add", "append", "appendleft", "extend", "insert", "update"}
# Ways to read an attribute without its name; the first is called with self.
UNNAMED = {"(self)", "__dict__", "eval", "exec", "getattr", "locals", "setattr", "vars"}
CHANCE = {
    *("choice", "choices", "default_rng", "integers", "normal", "np_random", "permutation"),
    *("rand", "randint", "randn", "random", "randrange", "rng", "sample", "shuffle", "uniform"),
}
# These answer differently every time a program runs.
RESTLESS = {"datetime", "hash", "id", "secrets", "time", "uuid"}
Functions = dict[str, list[ast.FunctionDef]]


class Reads(NamedTuple):
    """The attributes that the rules read, or None for all; those that they set; and chance.

    `restless` is a call with ever new answers, such as a clock's.
    """

    read: frozenset[str] | None
    stored: frozenset[str] = frozenset()
    chance: bool = True
    restless: str = ""


def reads_of(kind: type[Any]) -> Reads:
    """Read the source of `step`, `valid_moves` and all that these call.

    Whatever is written `x.name` counts as the attribute `name`: better too many than too
    few. What only the observation, the info and the picture need does not count.
    """
    read = set[str]()
    stored = set[str]()
    names = set[str]()
    restless = ""
    changed = set[ast.AST]()  # expressions of which only an item is set or added
    try:
        for node in _rules(_functions(kind)):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Attribute):
                loaded = isinstance(node.ctx, ast.Load) and node not in changed
                (read if loaded else stored).add(node.attr)
                names.add(node.attr)
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                changed.add(node.value)
            elif isinstance(node, ast.Expr):
                called = getattr(node.value, "func", None)
                if isinstance(called, ast.Attribute) and called.attr in ADDING:
                    changed.add(called.value)
            elif isinstance(node, ast.Call):
                called_name = ast.unparse(node.func)
                restless = called_name if called_name.split(".")[0] in RESTLESS else restless
                names.update(f"({part.id})" for part in node.args if isinstance(part, ast.Name))
    except (LookupError, OSError, SyntaxError, RecursionError):
        return Reads(None)
    known = None if names & UNNAMED else frozenset(read)
    return Reads(known, frozenset(stored), bool(names & CHANCE), restless)


def own_classes(kind: type[Any]) -> list[type[Any]]:
    """Return a class and its bases, without those of libraries."""
    libraries = (*sys.stdlib_module_names, "gymnasium", "numpy")
    return [base for base in kind.__mro__ if base.__module__.partition(".")[0] not in libraries]


def _functions(kind: type[Any]) -> Functions:
    """Return all functions in the files of an environment's classes."""
    functions: Functions = {}
    modules = {sys.modules[base.__module__] for base in own_classes(kind)}
    for file in {str(getattr(module, "__file__", None)) for module in modules}:
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                functions.setdefault(node.name, []).append(node)
    return functions


def _rules(functions: Functions) -> Iterator[ast.AST]:
    """Yield the nodes of the rules, and of whatever they name, each before its parts."""
    queue = list(RULES)
    for name in queue:  # the queue grows meanwhile
        for tree in functions[name]:
            shown = {part for tree in _only_shown(tree) for part in ast.walk(tree)}
            for node in ast.walk(tree):
                if node not in shown:
                    named = getattr(node, "attr", getattr(node, "id", "render"))
                    if named in functions and named not in queue and "render" not in named:
                        queue.append(named)
                    yield node


def _only_shown(tree: ast.FunctionDef) -> list[ast.AST]:
    """List the parts of a function that print, or of `step` that only make observation or info."""
    parts: list[ast.AST] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    ]
    if tree.name != "step":
        return parts
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    answers = [value.elts for value in returned if isinstance(value, ast.Tuple)]
    parts += [part for elements in answers for part in elements[:1] + elements[4:]]
    used = Counter(_loaded([tree])) - Counter(_loaded(parts))
    parts += [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and all(isinstance(name, ast.Name) and name.id not in used for name in node.targets)
    ]
    return parts


def _loaded(trees: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that are read, as often as they are."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node.id
