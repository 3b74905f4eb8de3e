"""Which attributes of an environment its rules depend on, found in its source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from zerosum.lab.adapters.source.expressions import MAY_DIVIDE, Expressions
from zerosum.lab.adapters.source.flow_graph import (
    INNER,
    NONE,
    ORDER,
    FlowGraph,
    Method,
    NotUnderstood,
)
from zerosum.lab.adapters.source.orders import Layers, orderless_loop, sorted_at_once
from zerosum.lab.adapters.source.scalars import scalar_needs
from zerosum.lab.adapters.source.tails import Tail, tails


class AttributeFlow(NamedTuple):
    """Which attributes the rules read, whose order they read, and which may change; and chance.

    `ordered` is about the order of the items, `inner` about the order inside each item;
    `tails` has lists of which only the end is read. None stands for all attributes, where the
    source is missing or not understood.
    """

    read: frozenset[str] | None
    ordered: frozenset[str] | None
    inner: frozenset[str] | None
    changed: frozenset[str] | None
    chance: bool
    tails: Mapping[str, Tail] = MappingProxyType({})


def attribute_flow(kind: type[Any], env: Any = None) -> AttributeFlow:
    """Follow how attributes flow through `step` and `valid_moves` of a class of environments.

    An environment after reset tells which attributes hold numbers, which cannot change in place.
    Conditions flow into all that is assigned under them. Whatever can raise an error, such as an
    index, counts as read.
    """
    graph = FlowGraph(kind, env)
    try:
        graph.start()
        for scope, tree, module, bound, mode in graph.queue:  # the queue grows meanwhile
            _Statements(Expressions(graph, scope, tree, module, bound), mode).visit(tree)
        graph.spread()
    except (NotUnderstood, OSError, SyntaxError, RecursionError):
        return AttributeFlow(None, None, None, None, chance=True)
    read = graph.read()
    ordered, inner = (
        frozenset(name.removesuffix(end) for name in read if name.endswith(end))
        for end in (ORDER, INNER)
    )
    return AttributeFlow(read, ordered, inner, graph.changed(), graph.chance, tails(read))


class _Statements:
    """The statements of one function, visited in order."""

    def __init__(self, at: Expressions, mode: str) -> None:
        """Take the expressions of the function, and what becomes of its answer."""
        self.at, self.graph, self.mode = at, at.graph, mode
        self.loops = 0
        self.tree: Method

    def visit(self, tree: Method) -> None:
        """Visit a whole function."""
        self.tree = tree
        for default in (*tree.args.defaults, *tree.args.kw_defaults):
            self.at.value(default)
            if not isinstance(default, ast.Constant):
                self.at.unknown(tree.args)
        self.block(tree.body)

    def block(self, body: list[ast.stmt]) -> None:
        """Visit statements in order."""
        for statement in body:
            visitor = getattr(self, f"on_{type(statement).__name__.lower()}", None)
            if visitor is None:
                raise NotUnderstood
            visitor(statement)

    def on_pass(self, statement: ast.stmt) -> None:
        """Ignore what does nothing."""

    on_import = on_pass

    def on_importfrom(self, statement: ast.ImportFrom) -> None:
        """Remember what is imported."""
        module = sys.modules.get(statement.module or "")
        for name in statement.names:
            self.at.imported[name.asname or name.name] = getattr(module, name.name, None)

    def on_break(self, statement: ast.stmt) -> None:
        """Count what decides about the end of a loop as read."""
        self.at.root(NONE)

    on_continue = on_break

    def on_raise(self, statement: ast.Raise) -> None:
        """Count what decides about an error as read."""
        self.at.root(self.at.value(statement.exc) if statement.exc else NONE)

    def on_assert(self, statement: ast.Assert) -> None:
        """Count what is asserted as read."""
        self.at.root(self.at.value(statement.test))

    def on_expr(self, statement: ast.Expr) -> None:
        """Visit a call that stands alone."""
        self.at.value(statement.value)

    def on_functiondef(self, statement: Method) -> None:
        """Visit a function inside a function as a part of it; all that it returns is read."""
        for default in statement.args.defaults:
            self.at.value(default)
        self.at.unknown(statement.args)
        mode, self.mode = self.mode, "nested"
        self.block(statement.body)
        self.mode = mode

    def on_return(self, statement: ast.Return) -> None:
        """Let the answer flow to the caller, or count it as read."""
        answer = statement.value
        if answer is None:
            return self.at.root(NONE) if self.mode else None
        if self.mode == "step":
            return self._answer_of_step(answer)
        found = self.at.layers(answer)
        nodes = found.flat()
        target = f"{self.at.scope}/return"
        self.at.flow(found._replace(items=found.items | self.at.control), target)
        self.at.alias(answer, target)
        self.graph.need(target, scalar_needs(answer, self.at))
        if self.mode:  # legal moves are sorted, in whatever order they are returned
            self.at.root(found.unordered() if self.mode == "valid_moves" else nodes)
        return None

    def _answer_of_step(self, answer: ast.expr) -> None:
        """Count reward, terminated and truncated as read; not the observation and the info."""
        name = self.at.attribute(answer.func) if isinstance(answer, ast.Call) else None
        if isinstance(answer, ast.Tuple) and len(answer.elts) > 3:
            first, *decisive, last = answer.elts
            self.at.value(first)
            self.at.value(last)
            for element in decisive:
                self.at.root(self.at.value(element))
        elif isinstance(answer, ast.Call) and name and not hasattr(self.graph.kind, name):
            raise NotUnderstood
        elif isinstance(answer, ast.Call) and name:
            self.at.call_own(answer, name, "step")
            self.at.root(NONE)
        else:
            self.at.root(self.at.value(answer))

    def on_assign(self, statement: ast.Assign) -> None:
        """Let a value flow into its targets."""
        for target in statement.targets:
            self.at.assign(target, statement.value)

    def on_annassign(self, statement: ast.AnnAssign) -> None:
        """Let a value flow into its target, if there is one."""
        if statement.value is not None:
            self.at.assign(statement.target, statement.value)

    def on_augassign(self, statement: ast.AugAssign) -> None:
        """Let a value flow into its target, which may change in place."""
        if isinstance(statement.op, MAY_DIVIDE):
            self.at.may_raise(statement.value)
        self.at.assign(statement.target, statement.value)
        self.at.mutate(statement.target, self.at.value(statement.value))

    def on_delete(self, statement: ast.Delete) -> None:
        """Note what loses a part."""
        for target in statement.targets:
            if not isinstance(target, ast.Subscript):
                raise NotUnderstood
            self.at.may_raise(target.slice)
            self.at.mutate(target.value, self.at.value(target.value))

    def on_if(self, statement: ast.If) -> None:
        """Let the condition flow into all that depends on it."""
        test = self.at.truth(statement.test)
        before = self.at.control
        self.at.control = before | test
        self.block(statement.body)
        self.block(statement.orelse)
        leaves = any(isinstance(node, ast.Return) for node in ast.walk(statement))
        if leaves and self.loops:
            self.at.root(NONE)  # whether a loop goes on
        if not leaves:
            self.at.control = before

    def on_for(self, statement: ast.For) -> None:
        """Let the items flow into the body."""
        found, before = self.at.layers(statement.iter), self.at.control
        orderless = orderless_loop(statement, self.tree, self.at)
        item = Layers(found.items) if sorted_at_once(statement) else found.item()
        self.at.bind(statement.target, item, statement.iter, item=True)
        self.at.control = before | (found.items if orderless else found.items | found.order)
        self.loops += 1
        self.block(statement.body)
        self.loops -= 1
        self.block(statement.orelse)
        if not any(isinstance(node, ast.Return) for node in ast.walk(statement)):
            self.at.control = before

    def on_while(self, statement: ast.While) -> None:
        """Count the condition as read: it decides whether the loop ends."""
        self.at.root(self.at.value(statement.test))
        self.loops += 1
        self.block(statement.body)
        self.loops -= 1
        self.block(statement.orelse)

    def on_try(self, statement: ast.Try) -> None:
        """Count all that may raise as read."""
        for node in ast.walk(ast.Module(statement.body, [])):
            if isinstance(node, ast.expr) and (
                isinstance(node, ast.Name) or self.at.attribute(node)
            ):
                self.at.root(self.at.own_node(node))
        self.block(statement.body)
        for handler in statement.handlers:
            self.block(handler.body)
        self.block(statement.orelse)
        self.block(statement.finalbody)
