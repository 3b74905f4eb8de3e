"""Whether anything depends on the order of the items in a list, or in the lists inside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from zerosum.lab.adapters.source.effects import effectless, pure_function
from zerosum.lab.adapters.source.flow_graph import ALL, INNER, NONE, ORDER, Method, Nodes
from zerosum.lab.adapters.source.tails import tail_read

if TYPE_CHECKING:
    from zerosum.lab.adapters.source.expressions import Expressions

# Functions whose answer has the items of their argument in the same order, and those whose
# answer has them in an order of its own.
SAME_ORDER = {"copy", "deepcopy", "list", "reversed", "tuple"}
NO_ORDER = {"frozenset", "set", "sorted"}
BINDERS = (ast.For, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
CHOICES = {"combinations", "combinations_with_replacement", "permutations"}


class Layers(NamedTuple):
    """What flows into a value: into its items, their order, and the order inside each of them.

    The order still further inside belongs to the items.
    """

    items: Nodes
    order: Nodes = NONE
    inner: Nodes = NONE

    def flat(self) -> Nodes:
        """Return all that flows into the value."""
        return self.items | self.order | self.inner

    def unordered(self) -> Nodes:
        """Return what flows into the value, if its order does not matter."""
        return self.items | self.inner

    def item(self) -> Layers:
        """Return what flows into an item that is met in a loop."""
        return Layers(self.items, self.inner)

    def part(self) -> Layers:
        """Return what flows into an item that is chosen by its place."""
        return Layers(self.items | self.order, self.inner)


def layers_of(node: str) -> Layers:
    """Return the layers of a name."""
    items = {node, node + ALL} if node.startswith("self.") else {node}
    return Layers(frozenset(items), frozenset({node + ORDER}), frozenset({node + INNER}))


def layers(expr: ast.expr, at: Expressions) -> Layers | None:
    """Return what flows into an expression whose order can be followed; None for all others."""
    end = tail_read(expr, at)
    if end is not None:
        inner = frozenset(node for node in end if node.endswith(INNER))
        return Layers(end - inner, inner)
    if isinstance(expr, ast.Subscript) and not isinstance(expr.slice, (ast.Slice, ast.Tuple)):
        at.may_raise(expr.slice)
        found = at.layers(expr.value).part()
        return found._replace(items=found.items | at.value(expr.slice))
    if isinstance(expr, ast.IfExp):
        first, second = at.layers(expr.body), at.layers(expr.orelse)
        return Layers(
            first.items | second.items | at.value(expr.test),
            first.order | second.order,
            first.inner | second.inner,
        )
    if isinstance(expr, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        return _comprehension(expr, at)
    if isinstance(expr, ast.Call) and expr.args and not expr.keywords:
        return _call(expr, at)
    return None


def _comprehension(expr: ast.ListComp | ast.GeneratorExp | ast.SetComp, at: Expressions) -> Layers:
    """Return what flows into a comprehension."""
    items, order = NONE, NONE
    for part in expr.generators:
        found = at.layers(part.iter)
        at.bind(part.target, found.item(), part.iter, item=True)
        items = items.union(found.items, *map(at.truth, part.ifs))
        order |= found.order
    item = at.layers(expr.elt)
    if isinstance(expr, ast.SetComp):
        return Layers(items | item.flat())
    return Layers(items | item.items | item.inner, order, item.order)


def _call(expr: ast.Call, at: Expressions) -> Layers | None:
    """Return what flows into a call that keeps the items it is given."""
    name = pure_function(expr.func, at)
    if name in NO_ORDER and len(expr.args) == 1:
        return Layers(at.layers(expr.args[0]).unordered())
    if name in SAME_ORDER and len(expr.args) == 1:
        return at.layers(expr.args[0])
    if name in CHOICES and len(expr.args) == 2:
        given = at.layers(expr.args[0])
        return Layers(given.unordered() | at.value(expr.args[1]), given.order, given.order)
    return None


def sorted_at_once(statement: ast.For) -> bool:
    """Return whether a loop begins by sorting its item, so that the item's order is lost."""
    first, target = statement.body[0], statement.target
    return (
        isinstance(first, ast.Assign)
        and isinstance(target, ast.Name)
        and len(first.targets) == 1
        and isinstance(first.targets[0], ast.Name)
        and first.targets[0].id == target.id
        and isinstance(first.value, ast.Call)
        and isinstance(first.value.func, ast.Name)
        and first.value.func.id == "sorted"
        and len(first.value.args) == 1
        and not first.value.keywords
        and isinstance(first.value.args[0], ast.Name)
        and first.value.args[0].id == target.id
    )


def orderless_loop(loop: ast.For, function: Method, at: Expressions) -> bool:
    """Return whether a loop does the same in whatever order it meets its items.

    It may leave by one answer alone, count, and use names of its own; what it calls must have no
    effects.
    """
    answers = {ast.dump(node) for node in ast.walk(loop) if isinstance(node, ast.Return)}
    if len(answers) > 1 or loop.orelse or not _orderless_block(loop.body, loop, function):
        return False
    if answers and any(map(_may_fail, ast.walk(loop))):
        return False
    return not _used_later(loop, function) and all(
        isinstance(node, ast.Call) and effectless(node, at)
        for node in ast.walk(loop)
        if isinstance(node, (ast.Call, ast.NamedExpr, ast.Lambda))
    )


def _used_later(loop: ast.For, function: Method) -> bool:
    """Return whether the last item of a loop may be read outside of it."""
    loops = [node for node in ast.walk(loop) if isinstance(node, ast.For)]
    names = {node.id for inner in loops for node in _names(inner.target)}
    bound = [node for node in ast.walk(function) if isinstance(node, BINDERS)]
    for name in names:
        inside = {
            id(use)
            for node in bound
            if any(target.id == name for part in _targets(node) for target in _names(part))
            for use in _uses(node, name)
        }
        if any(id(use) not in inside for use in _uses(function, name)):
            return True
    return False


def _targets(node: ast.AST) -> list[ast.expr]:
    """Return the targets of a loop or a comprehension."""
    if isinstance(node, ast.For):
        return [node.target]
    return [part.target for part in getattr(node, "generators", ())]


def _names(tree: ast.AST) -> list[ast.Name]:
    """Return the names in a target."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _orderless_block(body: list[ast.stmt], loop: ast.For, function: Method) -> bool:
    """Return whether the statements of a loop allow any order."""
    for statement in body:
        if isinstance(statement, ast.If):
            if not _orderless_block([*statement.body, *statement.orelse], loop, function):
                return False
        elif isinstance(statement, ast.For):
            if statement.orelse or not _orderless_block(statement.body, loop, function):
                return False
        elif isinstance(statement, ast.Return):
            if not isinstance(statement.value, ast.Constant):
                return False
        elif isinstance(statement, ast.AugAssign):
            if not _counts(statement, loop):
                return False
        elif isinstance(statement, ast.Assign):
            if not _own_name(statement, loop, function):
                return False
        elif not isinstance(statement, (ast.Pass, ast.Continue)):
            return False
    return True


def _counts(statement: ast.AugAssign, loop: ast.For) -> bool:
    """Return whether a whole number is added to a name that the loop does not read."""
    target, value = statement.target, statement.value
    return (
        isinstance(target, ast.Name)
        and isinstance(statement.op, (ast.Add, ast.Sub))
        and isinstance(value, ast.Constant)
        and isinstance(value.value, int)
        and len(list(_uses(loop, target.id))) == 1
    )


def _own_name(statement: ast.Assign, loop: ast.For, function: Method) -> bool:
    """Return whether a name is set at every turn of a loop, before it is used, and only there."""
    target = statement.targets[0]
    if len(statement.targets) > 1 or not isinstance(target, ast.Name):
        return False
    if statement not in loop.body:
        return False
    place = loop.body.index(statement)
    before = [use for earlier in loop.body[:place] for use in _uses(earlier, target.id)]
    given = isinstance(loop.target, ast.Name) and loop.target.id == target.id
    if not given and (before or list(_uses(statement.value, target.id))):
        return False
    return len(list(_uses(function, target.id))) == len(list(_uses(loop, target.id)))


def _uses(tree: ast.AST, name: str) -> Iterator[ast.Name]:
    """Yield where a name is used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name:
            yield node


def _may_fail(node: ast.AST) -> bool:
    """Return whether an expression divides by what may be zero."""
    divides = isinstance(node, ast.BinOp) and isinstance(
        node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
    )
    return divides and not isinstance(getattr(node, "right", None), ast.Constant)
