"""What flows into the expressions of a method, and what they change."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from zerosum.lab.adapters.source.effects import (
    is_fresh_array,
    is_library,
    is_super,
    name_of,
    pure_function,
)
from zerosum.lab.adapters.source.flow_graph import (
    ALL,
    INNER,
    NONE,
    ORDER,
    ROOT,
    RULES,
    FlowGraph,
    Method,
    Node,
    Nodes,
    NotUnderstood,
    full_name,
    plain_member,
)
from zerosum.lab.adapters.source.known_calls import (
    CHANCE,
    FRESH,
    MUTATING_FUNCTIONS,
    MUTATORS,
    ORDER_READERS,
    ORDERLESS,
    ORDERLESS_METHODS,
    PURE_BUILTINS,
    PURE_LIBRARIES,
    PURE_METHODS,
)
from zerosum.lab.adapters.source.orders import Layers, layers, layers_of
from zerosum.lab.adapters.source.scalars import item_needs, scalar_needs
from zerosum.lab.adapters.source.tails import has_items, length_of, tail_read

MAY_DIVIDE = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


class Expressions:
    """The expressions of one function, and the targets that they flow into."""

    def __init__(
        self, graph: FlowGraph, scope: str, tree: Method, module: Any, bound: bool
    ) -> None:
        """Take the function and the module that it is in; the first name of a method is self."""
        self.graph, self.scope, self.tree, self.module = graph, scope, tree, module
        names = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)]
        self.self = names[0] if bound and names else None
        self.imported: dict[str, Any] = {}
        # What decides whether the statement that is visited is reached.
        self.control: Nodes = frozenset({f"{scope}/control"})

    def inside(self, scope: str, tree: Method) -> Expressions:
        """Return the expressions of another method of self."""
        return Expressions(self.graph, scope, tree, self.module, bound=True)

    def root(self, nodes: Nodes) -> None:
        """Note that the answer of the rules depends on nodes."""
        self.graph.flow(nodes | self.control, ROOT)

    def local(self, name: str) -> Node:
        """Return the node of a local name."""
        return f"{self.scope}/{name}"

    def attribute(self, expr: ast.expr) -> str | None:
        """Return the name of an attribute of self."""
        if isinstance(expr, ast.Attribute) and isinstance(expr.value, ast.Name):
            return expr.attr if expr.value.id == self.self else None
        return None

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """Let the value of an expression flow into a target."""
        if (
            isinstance(target, (ast.Tuple, ast.List))
            and isinstance(value, (ast.Tuple, ast.List))
            and len(target.elts) == len(value.elts)
            and not any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts))
        ):
            for part, item in zip(target.elts, value.elts, strict=True):
                self.assign(part, item)
        else:
            self.bind(target, self.layers(value), value)

    def bind(self, target: ast.expr, found: Layers, value: ast.expr, item: bool = False) -> None:
        """Let a value flow into a target, which becomes another name for parts of the value.

        `item` says that the target is an item of the value, as in a loop.
        """
        attribute = self.attribute(target)
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.bind(part, found.part(), value, item)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Layers(found.flat()), value, item)
            self.graph.need(self._node(target.value), None)  # a new list
        elif isinstance(target, ast.Name) or attribute:
            if isinstance(getattr(self.graph.kind, attribute or "", None), property):
                raise NotUnderstood
            node = self._node(target)
            self.flow(found._replace(items=found.items | self.control), node)
            self.graph.stored.add(node)
            self.alias(value, node)
            self.graph.need(node, item_needs(value, self) if item else scalar_needs(value, self))
        elif isinstance(target, ast.Subscript):
            self.may_raise(target.slice)
            if isinstance(target.slice, ast.Slice):
                self.root(length_of(value, self))
            own = self.value(target.slice) | self.value(target.value)
            self.mutate(target.value, found.flat() | own)
            # What is stored in a container can be changed through it.
            if not is_fresh_array(target.value, self):
                for node in self._targets(target.value):
                    self.alias(value, node)
        elif isinstance(target, ast.Attribute):
            self.mutate(target.value, found.flat())
            for node in self._targets(target.value):
                self.alias(value, node)
        else:
            raise NotUnderstood

    def mutate(self, target: ast.expr, nodes: Nodes, appends: bool = False) -> None:
        """Note that a value is changed in place, by what flows into it."""
        self.value(target)
        appends = appends and self.attribute(target) is not None
        for node in self._targets(target):
            self.graph.flow(nodes | self.control | (NONE if appends else {node + ALL}), node)
            self.graph.mutated.add(node)

    def value(self, expr: ast.expr | None) -> Nodes:
        """Return what flows into the value of an expression."""
        if expr is None or isinstance(expr, ast.Constant):
            return NONE
        if (end := tail_read(expr, self)) is not None:
            return end
        if isinstance(expr, ast.Name):
            if expr.id == self.self:
                raise NotUnderstood
            self.graph.chance |= expr.id in CHANCE
            return layers_of(self.local(expr.id)).flat()
        if isinstance(expr, ast.Attribute):
            return self._attribute_value(expr)
        if isinstance(expr, ast.Call):
            return self.call(expr)
        if isinstance(expr, ast.Subscript):
            self.may_raise(expr.slice)
        if isinstance(expr, ast.BinOp) and isinstance(expr.op, MAY_DIVIDE):
            self.may_raise(expr.right)
        if isinstance(expr, ast.DictComp):
            return self._dict(expr)
        if isinstance(expr, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self.layers(expr).flat()
        if isinstance(expr, ast.Compare) and isinstance(expr.ops[0], (ast.In, ast.NotIn)):
            return self.value(expr.left).union(*map(self.unordered, expr.comparators))
        if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.Not):
            return self.truth(expr.operand)
        if isinstance(expr, ast.NamedExpr):
            self.assign(expr.target, expr.value)
        if isinstance(expr, (ast.Await, ast.Yield, ast.YieldFrom)):
            raise NotUnderstood
        if isinstance(expr, ast.Lambda):
            self.unknown(expr.args)
            return self.value(expr.body)
        return self._union(
            part for part in ast.iter_child_nodes(expr) if isinstance(part, ast.expr)
        )

    def _union(self, parts: Iterable[Any]) -> Nodes:
        """Return what flows into any of several expressions."""
        return NONE.union(*map(self.value, parts))

    def _attribute_value(self, expr: ast.Attribute) -> Nodes:
        """Return what flows into an attribute: of self, or of another object."""
        self.graph.chance |= expr.attr in CHANCE
        name = self.attribute(expr)
        if name is None:
            return self.value(expr.value)
        found = getattr(self.graph.kind, name, None)
        if isinstance(found, property):
            followed = self.graph.method(name)
            return layers_of(f"{followed[0]}/return").flat() if followed else self.own_node(expr)
        if name == "__dict__" or isinstance(found, FunctionType):
            raise NotUnderstood
        return layers_of(f"self.{name}").flat()

    def layers(self, expr: ast.expr) -> Layers:
        """Return what flows into the items of an expression, and into their order."""
        found = layers(expr, self)
        node = self.named(expr) if found is None else None
        if node is None:
            return found or Layers(self.value(expr))
        self.value(expr)
        known = getattr(self.graph.kind, node.removeprefix("self."), None)
        return Layers(self.value(expr)) if isinstance(known, property) else layers_of(node)

    def unordered(self, expr: ast.expr) -> Nodes:
        """Return what flows into the value of an expression, if its order does not matter."""
        return self.layers(expr).unordered()

    def truth(self, expr: ast.expr) -> Nodes:
        """Return what flows into whether an expression holds, or a list has items."""
        name = self.attribute(expr)
        if name is not None and not hasattr(self.graph.kind, name):
            return has_items(name)
        return self.layers(expr).items if self.named(expr) else self.value(expr)

    def _dict(self, expr: ast.DictComp) -> Nodes:
        """Return what flows into a dictionary."""
        nodes = NONE
        for part in expr.generators:
            items = self.layers(part.iter)
            self.bind(part.target, items.item(), part.iter, item=True)
            nodes |= items.flat() | self._union(part.ifs)
        return nodes | self._union((expr.key, expr.value))

    def may_raise(self, expr: ast.expr) -> None:
        """Count an index or a divisor as read; a slice raises nothing."""
        for part in expr.elts if isinstance(expr, ast.Tuple) else (expr,):
            if isinstance(part, ast.Slice):
                self._union(p for p in (part.lower, part.upper, part.step) if p)
            elif not isinstance(part, ast.Constant):
                # Whether any item raises does not depend on their order.
                nodes = self.value(part) | self.control
                self.graph.flow({node for node in nodes if not node.endswith(ORDER)}, ROOT)

    def call(self, expr: ast.Call) -> Nodes:
        """Return what flows out of a call, and note what it changes."""
        function = expr.func
        name = self.attribute(function)
        if isinstance(function, ast.Call) or is_super(function):
            return self._call_super(expr)
        if name is not None and not hasattr(self.graph.kind, name):
            raise NotUnderstood  # a function that is kept in an attribute
        if name is not None:
            return self.call_own(expr, name)
        arguments = [*expr.args, *(keyword.value for keyword in expr.keywords)]
        orderless = pure_function(function, self) in ORDERLESS
        if orderless and len(arguments) == 1:
            nodes = NONE.union(*map(self.unordered, arguments))
        else:
            nodes = self._union(arguments)
        for argument in arguments:
            if isinstance(argument, ast.Lambda):
                for parameter in argument.args.args:
                    self.graph.flow(nodes, self.local(parameter.arg))
        if isinstance(function, ast.Name):
            return self._call_name(expr, function.id, nodes)
        if not isinstance(function, ast.Attribute):
            raise NotUnderstood
        if is_library(function, self):
            return self._call_library(expr, function.attr, nodes)
        orderless = function.attr in ORDERLESS_METHODS
        own = self.unordered(function.value) if orderless else self.value(function)
        if function.attr in PURE_METHODS or function.attr == "count":
            return own | nodes
        own_order = own if function.attr in ORDER_READERS else NONE
        self.mutate(function.value, nodes | own_order, appends=function.attr == "append")
        for argument in arguments:
            for node in self._targets(function.value):
                self.alias(argument, node)
        if function.attr not in MUTATORS:
            self._not_known(arguments, own | nodes)
        return own | nodes

    def _not_known(self, arguments: Iterable[ast.expr], nodes: Nodes) -> None:
        """Note that an unknown function may read and change all that it is given."""
        self.root(nodes)
        for argument in arguments:
            for node in self._targets(argument):
                self.graph.mutated.add(node)

    def _call_name(self, expr: ast.Call, name: str, nodes: Nodes) -> Nodes:
        """Follow a call of a function by its name."""
        self.graph.chance |= name in CHANCE
        found = self.imported.get(name) or getattr(self.module, name, None)
        module = getattr(found, "__module__", None) or ""
        if isinstance(found, FunctionType) and module == getattr(self.module, "__name__", None):
            scope, tree = self.graph.function(found, bound=False, mode="")
            return self._enter(expr, scope, tree, 0)
        known = found is None and name in PURE_BUILTINS
        if known or module.partition(".")[0] in PURE_LIBRARIES:
            return self._call_library(expr, name, nodes)
        self._not_known((*expr.args, *(keyword.value for keyword in expr.keywords)), nodes)
        return nodes | {self.local(name)}

    def _call_library(self, expr: ast.Call, name: str, nodes: Nodes) -> Nodes:
        """Note what a function of a known library changes: its first argument, or `out`."""
        self.graph.chance |= name in CHANCE
        for keyword in expr.keywords:
            if keyword.arg == "out":
                self.mutate(keyword.value, nodes)
        if name in MUTATING_FUNCTIONS and expr.args:
            self.mutate(expr.args[0], nodes)
        return nodes

    def _call_super(self, expr: ast.Call) -> Nodes:
        """Follow super().method(...), as far as it is not Gymnasium's own."""
        function = expr.func
        if isinstance(function, ast.Call) or not isinstance(function, ast.Attribute):
            raise NotUnderstood
        owner = self.scope.partition(":")[0].rpartition(".")[0]
        classes = [k for k in self.graph.kind.__mro__ if full_name(k) == owner]
        found = self.graph.method(function.attr, classes[0]) if classes else None
        if found:
            return self._enter(expr, *found, 1)
        return self._union((*expr.args, *(keyword.value for keyword in expr.keywords)))

    def call_own(self, expr: ast.Call, name: str, mode: str = "") -> Nodes:
        """Follow a call of a method of self."""
        found = self.graph.method(name)
        if found is None:
            return self._union((*expr.args, *(keyword.value for keyword in expr.keywords)))
        static = isinstance(plain_member(self.graph.kind, name), staticmethod)
        if mode and name not in RULES:
            self.graph.function(getattr(self.graph.kind, name), not static, mode)
        return self._enter(expr, *found, 0 if static else 1)

    def _enter(self, expr: ast.Call, scope: str, tree: Method, skip: int) -> Nodes:
        """Let arguments flow into the parameters of a function that is followed."""
        names = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)][skip:]
        starred = any(isinstance(argument, ast.Starred) for argument in expr.args)
        if starred or len(expr.args) > len(names) or any(k.arg is None for k in expr.keywords):
            raise NotUnderstood
        pairs = [*zip(names, expr.args, strict=False)]
        pairs += [(keyword.arg or "", keyword.value) for keyword in expr.keywords]
        for name, argument in pairs:
            node = f"{scope}/{name}"
            self.flow(self.layers(argument), node)
            self.alias(argument, node)
            self.graph.need(node, scalar_needs(argument, self))
        self.graph.flow(self.control, f"{scope}/control")
        return layers_of(f"{scope}/return").flat()

    def flow(self, found: Layers, node: Node) -> None:
        """Let items flow into a node, and their order into the node's order."""
        for nodes, end in zip(found, ("", ORDER, INNER), strict=True):
            self.graph.flow(nodes, node + end)

    def unknown(self, parameters: ast.arguments) -> None:
        """Note that parameters may hold anything."""
        for parameter in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs):
            self.graph.need(self.local(parameter.arg), None)

    def named(self, expr: ast.expr) -> Node | None:
        """Return the node of what an expression is: a name, or the answer of a method."""
        method = self.attribute(expr.func) if isinstance(expr, ast.Call) else None
        if method is not None and hasattr(self.graph.kind, method):
            found = self.graph.method(method)
            return f"{found[0]}/return" if found else None
        return self._node(expr) if isinstance(expr, ast.Name) or self.attribute(expr) else None

    def own_node(self, expr: ast.expr) -> Nodes:
        """Return the node of an attribute of self or of a local name."""
        return layers_of(self._node(expr)).flat()

    def _node(self, expr: ast.expr) -> Node:
        """Return the node of an attribute of self or of a local name."""
        attribute = self.attribute(expr)
        if attribute is not None:
            return f"self.{attribute}"
        return self.local(expr.id) if isinstance(expr, ast.Name) else ROOT

    def _targets(self, expr: ast.expr) -> Iterator[Node]:
        """Yield the names of all objects that an expression may be, or be a part of."""
        if isinstance(expr, ast.Name) or self.attribute(expr):
            yield self._node(expr)
        elif isinstance(expr, ast.Call):
            name = self.attribute(expr.func)
            if name is not None or name_of(expr.func) not in FRESH:
                yield from self.value(expr)
        elif isinstance(
            expr, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.JoinedStr, ast.Constant, ast.Slice)
        ):
            return
        else:
            for part in ast.iter_child_nodes(expr):
                if isinstance(part, ast.expr) and not (
                    isinstance(expr, ast.Subscript) and part is expr.slice
                ):
                    yield from self._targets(part)
                elif isinstance(part, ast.comprehension):
                    yield from self._targets(part.iter)

    def alias(self, value: ast.expr, node: Node) -> None:
        """Note that a node may be another name for parts of a value."""
        self.graph.aliases.setdefault(node, set()).update(self._targets(value))
