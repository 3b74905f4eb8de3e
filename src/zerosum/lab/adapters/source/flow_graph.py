"""The graph of flows between the attributes and local names of an environment's methods."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from functools import lru_cache
from types import FunctionType
from typing import Any

RULES = ("step", "valid_moves")
# What both the rewards and the legal moves flow into.
ROOT = "root"
# The end of a node for the order of an attribute's items.
ORDER = "#order"
# The end of a node for the order inside the items.
INNER = "#inner"
# The end of a node for all items of an attribute, not only the last ones.
ALL = "#all"
# The end of a node for the items of an attribute, where these are asked to be scalars.
ITEMS = "#items"
Node = str
Nodes = frozenset[Node]
NONE: Nodes = frozenset()
Method = ast.FunctionDef


class NotUnderstood(Exception):
    """Source that the analysis cannot follow."""


@lru_cache(maxsize=64)
def functions_in(file: str) -> dict[tuple[str, int], Method]:
    """Parse a file, and index its functions by name and first line."""
    with open(file, encoding="utf-8") as source:
        tree = ast.parse(source.read())
    return {
        (node.name, min([node.lineno, *(mark.lineno for mark in node.decorator_list)])): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


class FlowGraph:
    """Flows between attributes, local names and what the rules answer; and what to visit."""

    def __init__(self, kind: type[Any], env: Any = None) -> None:
        """Take the class, and an environment after reset, which tells what its attributes hold."""
        self.kind = kind
        self.values: dict[str, Any] = {} if env is None else vars(env)
        self.flows: dict[Node, set[Node]] = {}
        self.aliases: dict[Node, set[Node]] = {}
        self.mutated: set[Node] = set()
        self.stored: set[Node] = set()
        # What must be a scalar so that a node is one; None where nothing makes it one.
        self.needs: dict[Node, Nodes | None] = {}
        self.chance = False
        self.queue: list[tuple[str, Method, Any, bool, str]] = []
        self.queued: set[str] = set()

    def start(self) -> None:
        """Queue the methods that the rules are made of."""
        for name in ("__getattr__", "__getattribute__", "__setattr__"):
            if getattr(self.kind, name, None) not in (None, getattr(object, name, None)):
                raise NotUnderstood
        for name in RULES:
            self.method(name)

    def spread(self) -> None:
        """Let what is changed under one name be changed under all its names.

        Scalars are left out: they cannot be changed in place.
        """
        from zerosum.lab.adapters.source.scalars import (
            has_scalars,
            is_scalar,
            scalar_nodes,
        )

        scope, tree = self.method("step") or ("", None)
        known = {f"{scope}/{arg.arg}" for arg in tree.args.args[1:]} if tree else set()
        known |= {f"self.{name}" for name, value in self.values.items() if is_scalar(value)}
        changed = self._changed_under_all_names(scalar_nodes(self.needs, known))
        for name, value in self.values.items():
            array = type(value).__name__ == "ndarray"
            if f"self.{name}" not in (self.stored if array else self.stored | changed):
                known |= {f"self.{name}{ITEMS}"} if has_scalars(value) else set()
        scalars = scalar_nodes(self.needs, known)
        self.mutated = self._changed_under_all_names(scalars)
        for node in self.mutated:
            for source in self.aliases.get(node, set()) - scalars:
                self.flow(frozenset({node, source + ALL}), source)

    def _changed_under_all_names(self, scalars: set[Node]) -> set[Node]:
        """Return what is changed in place, under any of its names."""
        changed = list(self.mutated)
        seen = set(changed)
        for node in changed:  # the list grows meanwhile
            found = self.aliases.get(node, set()) - scalars - seen
            seen |= found
            changed.extend(found)
        return seen

    def need(self, node: Node, needs: Nodes | None) -> None:
        """Note that what a node holds is a scalar only if others are."""
        before = self.needs.get(node, NONE)
        self.needs[node] = None if needs is None or before is None else before | needs

    def flow(self, sources: Iterable[Node], target: Node) -> None:
        """Note that values flow from sources into a target."""
        self.flows.setdefault(target, set()).update(sources)

    def read(self) -> frozenset[str]:
        """Return the attributes that flow into the root."""
        seen, stack = {ROOT}, [ROOT]
        while stack:
            for source in self.flows.get(stack.pop(), ()):
                if source not in seen:
                    seen.add(source)
                    stack.append(source)
        return _attributes(seen)

    def changed(self) -> frozenset[str]:
        """Return the attributes that are assigned or changed in place."""
        names = _attributes(self.stored | self.mutated)
        return frozenset(name.partition("#")[0] for name in names)

    def method(self, name: str, after: type[Any] | None = None) -> tuple[str, Method] | None:
        """Queue a method of the class; None for one of Gymnasium's own."""
        classes = self.kind.__mro__
        for owner in classes[classes.index(after) + 1 if after else 0 :]:
            found = owner.__dict__.get(name)
            if found is None:
                continue
            if owner.__module__.partition(".")[0] in ("gymnasium", "builtins", "typing"):
                return None
            bound = not isinstance(found, staticmethod)
            function = getattr(found, "__func__", None) or getattr(found, "fget", None) or found
            if isinstance(found, classmethod) or not isinstance(function, FunctionType):
                raise NotUnderstood
            mode = name if name in RULES else ""
            return self.function(function, bound, mode)
        raise NotUnderstood

    def function(self, function: FunctionType, bound: bool, mode: str) -> tuple[str, Method]:
        """Queue a function by its source; `mode` says what becomes of its answer."""
        code = function.__code__
        tree = functions_in(code.co_filename).get((code.co_name, code.co_firstlineno))
        if tree is None or tree.args.vararg or tree.args.kwarg:
            raise NotUnderstood
        scope = f"{function.__module__}.{function.__qualname__}:{code.co_firstlineno}"
        if scope + mode not in self.queued:
            self.queued.add(scope + mode)
            module = sys.modules.get(function.__module__)
            self.queue.append((scope, tree, module, bound, mode))
        return scope, tree


def _attributes(nodes: Iterable[Node]) -> frozenset[str]:
    """Pick the attributes among nodes."""
    return frozenset(node[5:] for node in nodes if node.startswith("self."))


def plain_member(kind: type[Any], name: str) -> Any:
    """Return an attribute of a class as it was written."""
    return next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)


def full_name(kind: type[Any]) -> str:
    """Return the module and the name of a class."""
    return f"{kind.__module__}.{kind.__qualname__}"
