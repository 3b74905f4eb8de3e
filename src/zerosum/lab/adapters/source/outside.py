"""What the rules of an environment change or read outside of its object, found in its source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zerosum.lab.adapters.source.flow_graph import plain_member
from zerosum.lab.adapters.source.known_calls import FRESH, MUTATING_FUNCTIONS, MUTATORS
from zerosum.lab.adapters.source.reached import (
    CONTAINERS,
    Objects,
    functions_of,
    parts_of,
    reached,
    shared_objects,
    tree_of,
)

# What they answer is another thing every time that a program runs.
RESTLESS = {"hash", "id"}
CLOCKS = {"datetime", "secrets", "time", "uuid"}
REACH_OUT = {"exec", "globals", "open"}
READ_ORDER = {"enumerate", "iter", "list", "map", "next", "tuple", "zip"}
COPIES = FRESH | {"copy", "deepcopy", "dict", "frozenset", "list", "set", "sorted", "tuple"}
PASSES = (ast.IfExp, ast.BoolOp, ast.Tuple, ast.List, ast.Starred, ast.NamedExpr, ast.Dict)


def outside(env: Any) -> str | None:
    """Say what outside of an environment its rules depend on; None if there is nothing.

    All functions whose names occur in `step`, `valid_moves` and `reset`, or in functions that
    these call, are looked at. Whatever cannot be read is left to the tests by play.
    """
    kind = type(env)
    module = sys.modules.get(kind.__module__)
    functions = dict(functions_of(kind, module))
    try:
        trees = {function: tree_of(function) for function in functions.values()}
    except (OSError, SyntaxError, RecursionError):
        return None
    names = reached(functions, trees)
    shared = shared_objects(module, kind, functions.values())
    given: dict[tuple[str, str], Objects] = {}
    before = -1
    while before != (before := sum(map(len, given.values()))):
        for name in names:
            for function in functions.values():
                tree = trees[function]
                if tree is not None and function.__name__ == name:
                    fault = _Function(env, function, tree, shared, given, functions).fault()
                    if fault:
                        return f"{fault} ({name}, line {fault.line})."
    return None


class Fault(str):
    """What is wrong, and in which line."""

    line: int


def _fault(message: str, node: Any) -> Fault:
    """Make a fault at a node."""
    fault = Fault(message)
    fault.line = node.lineno
    return fault


class _Function:
    """One function: which of its names may be objects outside, and what it does to them."""

    def __init__(
        self,
        env: Any,
        function: FunctionType,
        tree: ast.FunctionDef,
        shared: set[int],
        given: dict[tuple[str, str], Objects],
        functions: dict[str, FunctionType],
    ) -> None:
        """Take the function, and what its parameters were given so far."""
        self.env, self.function, self.tree = env, function, tree
        self.shared, self.given, self.functions = shared, given, functions
        self.arguments = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)]
        owner = function.__qualname__.rpartition(".")[0].rpartition(".")[2]
        own = owner in {base.__name__ for base in type(env).__mro__}
        self.self = self.arguments[0] if own and self.arguments else None
        self.scope = f"{function.__qualname__}:{tree.lineno}"
        stored = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        self.globals = {
            name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
        } | {name for node in tree.body if isinstance(node, ast.Nonlocal) for name in node.names}
        self.written = self.globals & stored
        self.locals = (stored | parameters) - self.globals
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
        self.cells = dict(cells)
        defaults = function.__defaults__ or ()
        for name, value in zip(self.arguments[::-1], defaults[::-1], strict=False):
            self._give(name, _by_identity([value]))
        for name, value in (function.__kwdefaults__ or {}).items():
            self._give(name, _by_identity([value]))

    def _give(self, name: str, objects: Objects) -> None:
        """Note what a local name may be."""
        if objects:
            self.given.setdefault((self.scope, name), {}).update(objects)

    def fault(self) -> Fault | None:
        """Return the first thing that depends on what is outside."""
        if self.written:
            return _fault(f"The rules change {min(self.written)}, which no state holds", self.tree)
        cached = {getattr(part, "id", getattr(part, "attr", "")) for part in self._decorators()}
        if self.self and cached & {"lru_cache", "cache"}:
            return _fault("The rules remember answers, which no state holds", self.tree)
        for node in ast.walk(self.tree):
            found = self._visit(node)
            if found:
                return found
        return None

    def _decorators(self) -> Iterator[ast.AST]:
        """Yield the parts of the decorators."""
        for decorator in self.tree.decorator_list:
            yield from ast.walk(decorator)

    def _visit(self, node: ast.AST) -> Fault | None:
        """Follow what a node binds, and judge what it changes."""
        for target, value, item in _bindings(node):
            found = self._bind(target, value, item)
            if found:
                return found
        if isinstance(node, ast.AugAssign) and self._containers(node.target):
            return self._changed(node.target)
        if isinstance(node, ast.Delete):
            for target in node.targets:
                inner = getattr(target, "value", None)
                if inner is not None and self.objects(inner):
                    return self._changed(target)
        if isinstance(node, ast.Return) and node.value is not None:
            self.given.setdefault((self.function.__name__, "return"), {}).update(
                self.objects(node.value)
            )
        if isinstance(node, (ast.Attribute, ast.Name)):
            return self._clock(node)
        return self._call(node) if isinstance(node, ast.Call) else None

    def _bind(self, target: ast.expr, value: ast.expr | None, item: bool) -> Fault | None:
        """Let a value be bound to a target; storing into what is outside is a fault."""
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                found = self._bind(part, value, True)
                if found:
                    return found
        elif isinstance(target, ast.Starred):
            return self._bind(target.value, value, item)
        elif isinstance(target, ast.Name):
            objects = self.objects(value) if value is not None else {}
            self._give(target.id, self._items(objects) if item else objects)
        elif isinstance(target, (ast.Attribute, ast.Subscript)) and self.objects(target.value):
            return self._changed(target)
        return None

    def _changed(self, node: ast.expr) -> Fault:
        """Say what is changed."""
        return _fault(f"The rules change {ast.unparse(node)[:40]}, which no state holds", node)

    def _clock(self, node: ast.Attribute | ast.Name) -> Fault | None:
        """Refuse clocks, and names that no seed controls."""
        if isinstance(node, ast.Attribute):
            base = node.value
            name = base.id if isinstance(base, ast.Name) and base.id not in self.locals else ""
            found = self._outer(name) if name else None
            clock = isinstance(found, ModuleType) and found.__name__ in CLOCKS
            restless = (clock and node.attr != "sleep") or node.attr in ("urandom", "uuid4")
        else:
            found = None if node.id in self.locals else self._outer(node.id)
            home = getattr(found, "__module__", None)
            restless = home in CLOCKS and node.id != "sleep"
        text = ast.unparse(node)
        return _fault(f"{text} is another one every time", node) if restless else None

    def _call(self, call: ast.Call) -> Fault | None:
        """Judge a call: what it changes, and what it is given."""
        function = call.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        plain = isinstance(function, ast.Name) and name not in self.locals
        builtin = plain and self._outer(name) is None
        if builtin and name in RESTLESS | REACH_OUT:
            return _fault(f"The rules call {name}", call)
        if builtin and name in ("setattr", "delattr") and self.objects(call.args[0]):
            return self._changed(call.args[0])
        if (
            name in MUTATING_FUNCTIONS
            and call.args
            and self._containers(call.args[0], objects_too=True)
        ):
            return self._changed(call.args[0])
        changes = isinstance(function, ast.Attribute) and name in MUTATORS
        if changes and self._containers(function.value, objects_too=True):  # type: ignore[attr-defined]
            return self._changed(function.value)  # type: ignore[attr-defined]
        if (builtin and name in READ_ORDER) or name == "pop":
            whole = call.args[0] if plain and call.args else getattr(function, "value", None)
            if whole is not None and (_set_of_texts(whole) or self._holds_texts(whole)):
                return _fault("The rules read the order of a set of texts", call)
        self._pass_on(call, name)
        return None

    def _holds_texts(self, expr: ast.expr) -> bool:
        """Return whether an expression is an attribute that holds a set of texts."""
        own = isinstance(expr, ast.Attribute) and isinstance(expr.value, ast.Name)
        value = getattr(self.env, getattr(expr, "attr", ""), None) if own else None
        texts = isinstance(value, (set, frozenset)) and any(isinstance(x, str) for x in value)
        return own and texts and expr.value.id == self.self  # type: ignore[attr-defined]

    def _pass_on(self, call: ast.Call, name: str) -> None:
        """Let arguments be what the parameters of our own functions may be."""
        for full, function in self.functions.items():
            if full.rpartition(".")[2] != name:
                continue
            code = function.__code__
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            method = isinstance(call.func, ast.Attribute) and "." in function.__qualname__
            scope = f"{function.__qualname__}:{_line(function)}"
            pairs = [*zip(names[1:] if method else names, call.args, strict=False)]
            pairs += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
            if method and names and isinstance(call.func, ast.Attribute):
                pairs.append((names[0], call.func.value))
            for parameter, argument in pairs:
                objects = self.objects(argument)
                if objects:
                    self.given.setdefault((scope, parameter), {}).update(objects)

    def _containers(self, expr: ast.expr, objects_too: bool = False) -> bool:
        """Return whether an expression may be an object outside that changes in place."""
        return any(
            isinstance(found, CONTAINERS)
            or (objects_too and not isinstance(found, (type, ModuleType, FunctionType)))
            for found in self.objects(expr).values()
        )

    def objects(self, expr: ast.expr) -> Objects:
        """Return the objects outside that an expression may be."""
        if isinstance(expr, ast.Name):
            if expr.id == self.self:
                return {}
            if expr.id in self.locals:
                return self.given.get((self.scope, expr.id), {})
            return _by_identity([self._outer(expr.id)])
        if isinstance(expr, ast.Attribute):
            return self._attribute(expr)
        if isinstance(expr, ast.Subscript):
            return self._items(self.objects(expr.value))
        if isinstance(expr, ast.Call):
            return self._answer(expr)
        if isinstance(expr, PASSES):
            parts = [part for part in ast.iter_child_nodes(expr) if isinstance(part, ast.expr)]
            return {key: value for part in parts for key, value in self.objects(part).items()}
        return {}

    def _attribute(self, expr: ast.Attribute) -> Objects:
        """Return the objects outside that an attribute may be."""
        if isinstance(expr.value, ast.Name) and expr.value.id == self.self:
            if expr.attr == "__class__":
                return _by_identity([type(self.env)])
            if expr.attr in vars(self.env):
                value = vars(self.env)[expr.attr]
                return {id(value): value} if id(value) in self.shared else {}
            return _by_identity([plain_member(type(self.env), expr.attr)])
        found: list[Any] = []
        for value in self.objects(expr.value).values():
            owner = isinstance(value, (type, ModuleType, FunctionType)) or hasattr(
                value, "__dict__"
            )
            if owner and not isinstance(getattr(type(value), expr.attr, None), property):
                found.append(getattr(value, expr.attr, None))
            elif isinstance(value, np.ndarray):
                found.append(value)
        return _by_identity(found)

    def _answer(self, call: ast.Call) -> Objects:
        """Return the objects outside that the answer of a call may be."""
        function = call.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        if name == "type" and len(call.args) == 1:
            argument = call.args[0]
            if isinstance(argument, ast.Name) and argument.id == self.self:
                return _by_identity([type(self.env)])
            return _by_identity([type(value) for value in self.objects(argument).values()])
        if name in ("getattr", "vars", "iter") and call.args:
            found = self.objects(call.args[0])
            return found | self._items(found)
        if name in COPIES:
            return {}
        own = self.given.get((name, "return"), {})
        if isinstance(function, ast.Attribute):
            values = self.objects(function.value)
            held = {key: value for key, value in values.items() if isinstance(value, CONTAINERS)}
            return own | self._items(held)
        if name in ("enumerate", "zip", "reversed"):
            return {k: v for part in call.args for k, v in self.objects(part).items()}
        return own

    def _items(self, objects: Objects) -> Objects:
        """Return the parts of objects outside that are such objects themselves."""
        return _by_identity(part for value in objects.values() for part in parts_of(value))

    def _outer(self, name: str) -> Any:
        """Return what a name means outside of the function."""
        if name in self.cells:
            try:
                return self.cells[name].cell_contents
            except ValueError:
                return None
        return self.function.__globals__.get(name)


def _by_identity(values: Iterable[Any]) -> Objects:
    """Keep what can change, or can have attributes set."""
    return {
        id(value): value
        for value in values
        if not isinstance(value, (int, float, str, bytes, type(None), range, np.generic))
        and not (isinstance(value, (tuple, frozenset)) and not parts_of(value))
        and not isinstance(value, property)
    }


def _line(function: FunctionType) -> int:
    """Return the line of the def of a function."""
    tree = tree_of(function)
    return tree.lineno if tree else 0


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None, bool]]:
    """Yield what a node binds: a target, its value, and whether it is an item of the value."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield target, node.value, False
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        yield node.target, node.value, False
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.target, node.iter, True
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr, False


def _set_of_texts(expr: ast.expr) -> bool:
    """Return whether an expression is a new set with texts, whose order is not fixed."""
    made = isinstance(expr, (ast.Set, ast.SetComp)) or (
        isinstance(expr, ast.Call) and getattr(expr.func, "id", "") in ("set", "frozenset", "iter")
    )
    if isinstance(expr, ast.Call) and getattr(expr.func, "id", "") == "iter":
        return bool(expr.args) and _set_of_texts(expr.args[0])
    return made and any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) for node in ast.walk(expr)
    )
