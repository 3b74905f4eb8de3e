"""Which names only ever hold values that cannot change in place, such as numbers and texts."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.lab.adapters.source.effects import builtin
from zerosum.lab.adapters.source.flow_graph import ITEMS, NONE, Node, Nodes

if TYPE_CHECKING:
    from zerosum.lab.adapters.source.expressions import Expressions

IMMUTABLE = (int, float, str, bytes, type(None), np.generic)
# Functions that answer with a number or a text, whatever they are given.
MAKE_SCALARS = {
    *("all", "any", "bool", "chr", "float", "hash", "int", "isinstance", "len", "ord", "str"),
}
# Functions that answer with a number, if they are given numbers.
KEEP_SCALARS = {"abs", "divmod", "max", "min", "pow", "range", "round"}
# Functions whose answer has the items that they are given.
KEEP_ITEMS = {"enumerate", "frozenset", "list", "reversed", "set", "sorted", "tuple", "zip"}
PARTS = (ast.BinOp, ast.BoolOp, ast.IfExp, ast.UnaryOp, ast.Compare, ast.Tuple)
ONE_ANSWER = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def scalar_needs(expr: ast.expr | None, at: Expressions) -> Nodes | None:
    """Return the nodes that must be scalars so that an expression is one; None if none suffice."""
    if expr is None or isinstance(expr, (ast.Constant, ast.JoinedStr)):
        return NONE
    node = at.named(expr)
    if node is not None:
        return frozenset({node})
    if isinstance(expr, ast.Subscript):
        items, index = item_needs(expr.value, at), scalar_needs(expr.slice, at)
        return None if items is None or index is None else items | index
    if isinstance(expr, ast.Compare) and all(isinstance(op, ONE_ANSWER) for op in expr.ops):
        return NONE
    if isinstance(expr, PARTS):
        return _all([part for part in ast.iter_child_nodes(expr) if isinstance(part, ast.expr)], at)
    name = builtin(expr, at)
    if name in MAKE_SCALARS:
        return NONE
    if name not in KEEP_SCALARS or not isinstance(expr, ast.Call) or expr.keywords:
        return None
    if name in ("max", "min") and len(expr.args) == 1:
        return item_needs(expr.args[0], at)
    return _all(expr.args, at)


def item_needs(expr: ast.expr, at: Expressions) -> Nodes | None:
    """Return the nodes that must be scalars so that all items of an expression are."""
    attribute = at.attribute(expr)
    if attribute is not None:
        return frozenset({f"self.{attribute}{ITEMS}"})
    if builtin(expr, at) in KEEP_ITEMS and isinstance(expr, ast.Call):
        needs = [item_needs(argument, at) for argument in expr.args]
        return None if None in needs else NONE.union(*(need for need in needs if need))
    return scalar_needs(expr, at)


def _all(parts: list[ast.expr], at: Expressions) -> Nodes | None:
    """Return the nodes that must be scalars so that several expressions are."""
    needs = [scalar_needs(part, at) for part in parts]
    return None if None in needs else NONE.union(*(need for need in needs if need))


def scalar_nodes(needs: Mapping[Node, Nodes | None], known: set[Node]) -> set[Node]:
    """Return the nodes that are scalars, where `known` are so at the start of a move.

    A local name needs only scalars to flow into it; an attribute must be known as well.
    """
    names = {node for node in needs if not node.startswith("self.")} | known
    found = {node for node in names if needs.get(node, NONE) is not None}
    wrong = found
    while wrong:
        wrong = {node for node in found if not found.issuperset(needs.get(node) or NONE)}
        found -= wrong
    return found


def is_scalar(value: Any) -> bool:
    """Return whether neither a value nor anything in it can change in place."""
    if type(value) is tuple:
        return all(map(is_scalar, value))
    return isinstance(value, IMMUTABLE)


def has_scalars(value: Any) -> bool:
    """Return whether a container holds nothing that can change in place."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "biufU"
    if type(value) is dict:
        return all(map(is_scalar, value.values())) and all(map(is_scalar, value))
    return type(value) in (list, tuple, set, frozenset) and all(map(is_scalar, value))
