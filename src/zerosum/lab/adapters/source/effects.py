"""Which calls are known to change nothing."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import TYPE_CHECKING

from zerosum.lab.adapters.source.known_calls import (
    CHANCE,
    MUTATING_FUNCTIONS,
    PURE_BUILTINS,
    PURE_LIBRARIES,
    PURE_METHODS,
)

if TYPE_CHECKING:
    from zerosum.lab.adapters.source.expressions import Expressions

CHANGES = (ast.Store, ast.Del)
NEW_ARRAYS = {"arange", "array", "empty", "full", "full_like", "ones", "zeros", "zeros_like"}


def name_of(function: ast.expr) -> str:
    """Return the last part of the name of a function."""
    return getattr(function, "attr", getattr(function, "id", ""))


def builtin(expr: ast.expr, at: Expressions) -> str:
    """Return the name of the builtin function that is called, if one is."""
    name = expr.func.id if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) else ""
    return "" if hasattr(at.module, name) or name in at.imported else name


def pure_function(function: ast.expr, at: Expressions) -> str:
    """Return the name of a function that is known to change nothing, if it is one."""
    if isinstance(function, ast.Name):
        found = at.imported.get(function.id) or getattr(at.module, function.id, None)
        module = (getattr(found, "__module__", None) or "").partition(".")[0]
        known = module in PURE_LIBRARIES if found else function.id in PURE_BUILTINS
        return function.id if known else ""
    library = isinstance(function, ast.Attribute) and is_library(function, at)
    return name_of(function) if library else ""


def is_library(function: ast.Attribute, at: Expressions) -> bool:
    """Return whether a function belongs to a library without side effects on others."""
    base: ast.expr = function
    while isinstance(base, ast.Attribute):
        at.graph.chance |= base.attr in CHANCE
        if at.attribute(base) == "np_random":
            return True
        base = base.value
    found = getattr(at.module, base.id, None) if isinstance(base, ast.Name) else None
    name = found.__name__ if isinstance(found, ModuleType) else ""
    at.graph.chance |= name.partition(".")[0] in CHANCE
    return name.partition(".")[0] in PURE_LIBRARIES | {"random"}


def effectless(expr: ast.Call, at: Expressions, within: tuple[str, ...] = ()) -> bool:
    """Return whether a call changes nothing, and does not depend on chance."""
    own, name = at.attribute(expr.func), name_of(expr.func)
    if name in CHANCE | MUTATING_FUNCTIONS or isinstance(expr.func, ast.Call):
        return False
    if own is None:
        known = bool(pure_function(expr.func, at))
        return known or (isinstance(expr.func, ast.Attribute) and name in PURE_METHODS)
    found = at.graph.method(own) if hasattr(at.graph.kind, own) else None
    if found is None or own in within:
        return own in within
    inside = at.inside(*found)
    for node in ast.walk(found[1]):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, CHANGES):
            return False
        if isinstance(node, ast.Call) and not effectless(node, inside, (*within, own)):
            return False
    return True


def is_fresh_array(expr: ast.expr, at: Expressions) -> bool:
    """Return whether a local name is always a new array of numbers, which copies what is stored."""
    if not isinstance(expr, ast.Name):
        return False
    made = [
        node.value
        for node in ast.walk(at.tree)
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == expr.id
    ]
    stores = [
        node
        for node in ast.walk(at.tree)
        if isinstance(node, ast.Name) and node.id == expr.id and isinstance(node.ctx, ast.Store)
    ]
    return len(made) == len(stores) > 0 and all(_new_array(value, at) for value in made)


def _new_array(expr: ast.expr, at: Expressions) -> bool:
    """Return whether an expression makes a new array of numbers."""
    if not isinstance(expr, ast.Call) or pure_function(expr.func, at) not in NEW_ARRAYS:
        return False
    objects = {"object", "object_", "O"}
    names = (
        getattr(node, "id", getattr(node, "attr", str(getattr(node, "value", ""))))
        for node in ast.walk(expr)
    )
    return objects.isdisjoint(names) and all(keyword.arg == "dtype" for keyword in expr.keywords)


def is_super(function: ast.expr) -> bool:
    """Return whether a method is called on super()."""
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Call)
        and name_of(function.value.func) == "super"
    )
