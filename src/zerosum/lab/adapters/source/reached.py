"""The functions that the rules of an environment may call, and the objects that these share."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zerosum.lab.adapters.source.flow_graph import functions_in

RULES = ("step", "valid_moves", "reset")
CONTAINERS = (list, dict, set, deque, np.ndarray)
FOREIGN = {"gymnasium", "builtins", "typing", "numpy", "abc", "collections"}
Objects = dict[int, Any]


def functions_of(kind: type[Any], module: Any) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of a module and of the classes that an environment is made of."""
    owners = [base for base in kind.__mro__ if base.__module__.partition(".")[0] not in FOREIGN]
    owners += [
        value
        for value in vars(module or object).values()
        if isinstance(value, type) and value.__module__ == kind.__module__
    ]
    for owner in [module, *dict.fromkeys(owners)]:
        for name, found in vars(owner or object).items():
            function = getattr(found, "__func__", None) or getattr(found, "fget", None) or found
            function = getattr(function, "__wrapped__", function)
            if isinstance(function, FunctionType):
                home = function.__module__.partition(".")[0]
                if home not in FOREIGN:
                    yield f"{getattr(owner, '__qualname__', '')}.{name}", function


def tree_of(function: FunctionType) -> ast.FunctionDef | None:
    """Return the source of a function."""
    code = function.__code__
    return functions_in(code.co_filename).get((code.co_name, code.co_firstlineno))


def reached(functions: dict[str, FunctionType], trees: dict[Any, Any]) -> list[str]:
    """Return the names of all functions that the rules may call."""
    by_name: dict[str, list[Any]] = {}
    for full, function in functions.items():
        owner, _, name = full.rpartition(".")
        by_name.setdefault(name, []).append(trees[function])
        if name == "__init__":
            by_name.setdefault(owner.rpartition(".")[2], []).append(trees[function])
    names = [name for name in RULES if name in by_name]
    for name in names:  # the list grows meanwhile
        used = {
            getattr(node, "attr", getattr(node, "id", ""))
            for tree in by_name[name]
            if tree is not None
            for node in ast.walk(tree)
        }
        names.extend(sorted((used & by_name.keys()) - set(names)))
    return names


def shared_objects(module: Any, kind: type[Any], functions: Iterable[FunctionType]) -> set[int]:
    """Return the objects that can change and are shared by all environments, by identity."""
    roots = [*vars(module or object).values()]
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] not in FOREIGN:
            roots += vars(base).values()
    for function in functions:
        roots += function.__defaults__ or ()
    found: Objects = {}
    for root in roots:
        if isinstance(root, CONTAINERS):
            found[id(root)] = root
            for part in parts_of(root):
                found[id(part)] = part
    return set(found)


def parts_of(value: Any) -> list[Any]:
    """Return the parts of a value that can change in place, or have such parts."""
    if isinstance(value, np.ndarray):
        return [value]
    parts: Iterable[Any] = ()
    if isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, (list, tuple, set, deque)):
        parts = value
    elif hasattr(value, "__dict__") and not isinstance(value, (type, ModuleType, FunctionType)):
        parts = vars(value).values()
    return [part for part in parts if not isinstance(part, (int, float, str, type(None)))][:200]
