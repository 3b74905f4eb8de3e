"""Which attributes the rules of an environment read at all, by their source."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

RULES = ("step", "valid_moves")
# Methods that add to an attribute without reading it, if their answer is not used.
ADDING = {"add", "append", "appendleft", "extend", "insert", "update"}
# Functions and methods for which the order of a list makes no difference.
ORDERLESS = {"len", "max", "min", "set", "sorted", "sum"}
ORDERLESS_METHODS = {"append", "discard", "extend", "remove"}
# By these an attribute can be read without being named; the first is a call with self.
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

    `ordered` has those whose order may be read, and `inner` those with an order inside their items.
    `restless` is a call with a different answer every time, such as that of a clock.
    """

    read: frozenset[str] | None
    stored: frozenset[str] = frozenset()
    chance: bool = True
    restless: str = ""
    ordered: frozenset[str] | None = None
    inner: frozenset[str] | None = None


EVERYTHING = Reads(None)


def reads_of(kind: type[Any]) -> Reads:
    """Read the source of `step`, of `valid_moves`, and of all that these may call.

    Whatever is written `x.name` counts as the attribute `name`: rather too much is read than too
    little. What only the observation, the info and the picture need does not count.
    """
    try:
        found = _Visitor(_functions(kind))
    except (LookupError, OSError, SyntaxError, RecursionError):
        return EVERYTHING
    chance, stored = bool(found.names & CHANCE), frozenset(found.stored)
    if found.names & UNNAMED:
        return Reads(None, stored, chance, found.restless)
    sets = map(frozenset, (found.ordered, found.inner))
    return Reads(frozenset(found.read), stored, chance, found.restless, *sets)


def own_classes(kind: type[Any]) -> list[type[Any]]:
    """Return a class and its bases, without those of libraries."""
    libraries = (*sys.stdlib_module_names, "gymnasium", "numpy")
    return [base for base in kind.__mro__ if base.__module__.partition(".")[0] not in libraries]


def _functions(kind: type[Any]) -> Functions:
    """Return all functions in the files of an environment's classes, by name."""
    functions: Functions = {}
    modules = {sys.modules[base.__module__] for base in own_classes(kind)}
    for file in {str(getattr(module, "__file__", None)) for module in modules}:
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                functions.setdefault(node.name, []).append(node)
    return functions


class _Visitor(ast.NodeVisitor):
    """Collects what the rules read, set and name."""

    def __init__(self, functions: Functions) -> None:
        """Visit the rules, and whatever they name."""
        self.functions, self.queue = functions, list(RULES)
        self.read, self.stored, self.names = set[str](), set[str](), set[str]()
        self.ordered, self.inner = set[str](), set[str]()
        self.shown, self.restless = set[ast.AST](), ""
        for name in self.queue:  # the queue grows meanwhile
            for tree in functions[name]:
                self.shown.update(_only_shown(tree) if name == "step" else ())
                for statement in tree.body:
                    self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        """Visit a node, unless it is only there to be shown."""
        if node not in self.shown:
            super().visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """Note a name; a function by that name may be called."""
        self._name(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note an attribute that is read or set; a method by that name may be called."""
        sets = [self.read, self.ordered, self.inner]
        for found in sets if isinstance(node.ctx, ast.Load) else [self.stored]:
            found.add(node.attr)
        self._name(node.attr)
        self.visit(node.value)

    def _in_any_order(self, node: ast.expr) -> None:
        """Note a list that is read in a way in which its order makes no difference."""
        items = isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice)
        owner = node.value if isinstance(node, ast.Subscript) and items else node
        if isinstance(owner, ast.Attribute):
            self.read.add(owner.attr)
            (self.ordered if items else self.inner).add(owner.attr)
            self._name(owner.attr)
            owner = owner.value
        if isinstance(node, ast.Subscript) and items:
            self.visit(node.slice)
        self.visit(owner)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Note what is compared; whether a list has an item does not depend on its order."""
        self.visit(node.left)
        for test, part in zip(node.ops, node.comparators, strict=True):
            (self._in_any_order if isinstance(test, (ast.In, ast.NotIn)) else self.visit)(part)

    def _name(self, name: str) -> None:
        """Note a name, and follow it."""
        self.names.add(name)
        if name in self.functions and name not in self.queue and "render" not in name:
            self.queue.append(name)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Note an item that is read or set; setting it does not read the attribute that has it."""
        self.visit(node.slice)
        self._owner(node.value, changed=not isinstance(node.ctx, ast.Load))

    def visit_Expr(self, node: ast.Expr) -> None:
        """Adding an item does not read an attribute either; and what is printed is not a rule."""
        call = node.value
        if not isinstance(call, ast.Call) or getattr(call.func, "id", "") == "print":
            return
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        method = getattr(call.func, "attr", "")
        if isinstance(owner, ast.Attribute) and method in ADDING:
            self._owner(owner, changed=True)
        elif owner is not None and method in ORDERLESS_METHODS:
            self._in_any_order(owner)
        else:
            self.visit(call)
            return
        for argument in (*call.args, *call.keywords):
            self.visit(argument)

    def visit_Call(self, node: ast.Call) -> None:
        """Note what is given the environment itself, and what asks for a clock or an identity."""
        called = ast.unparse(node.func)
        if any(isinstance(part, ast.Name) and part.id == "self" for part in node.args):
            self.names.add("(self)")
        if called.partition(".")[0] in RESTLESS:
            self.restless = called
        if called in ORDERLESS and len(node.args) == 1 and not node.keywords:
            self._in_any_order(node.args[0])
        else:
            self.generic_visit(node)

    def _owner(self, owner: ast.expr, changed: bool) -> None:
        """Note an attribute of which an item is read or changed."""
        if changed and isinstance(owner, ast.Attribute):
            self.stored.add(owner.attr)
            owner = owner.value
        self.visit(owner)


def _only_shown(tree: ast.FunctionDef) -> list[ast.expr]:
    """List the parts of `step` that only the observation or the info is made from."""
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    answers = [value.elts for value in returned if isinstance(value, ast.Tuple)]
    parts = [part for elements in answers for part in elements[:1] + elements[4:]]
    used = Counter(_loaded([tree])) - Counter(_loaded(parts))
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    parts += [
        node.value
        for node in assigned
        if all(isinstance(name, ast.Name) and name.id not in used for name in node.targets)
    ]
    return parts


def _loaded(trees: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that are read, as often as they are."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node.id
