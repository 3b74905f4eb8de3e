"""Rules that never apply, in all positions of a game: ends, lines, moves, options."""

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, zip_longest
from os.path import basename, isfile
from time import monotonic
from typing import Any, NamedTuple

from zerosum.errors import TooLarge, TooSlow, ZerosumError
from zerosum.lab.adapters import EnvironmentGame
from zerosum.lab.audit.document import DeadKind, DeadRule
from zerosum.lab.audit.rules.rule_lines import Tracer
from zerosum.limits import QUICK, Limits
from zerosum.options import Option, options_of, written
from zerosum.protocol import Game, Move, Outcome
from zerosum.solver.table import calling_rules
from zerosum.testing.checker import Late
from zerosum.text import brief, either, runs
from zerosum.wording.words import title_of

NEVER = {"end": "This end never happens", "line": "This line never runs"}
# What applies in another variant is not dead: in all of them together, as many positions are
# visited as this many variants of the largest size have.
MOST_VISITED = 10
# Illegal actions are named in an environment with at most this many.
WIDEST = 10_000

# A variant that differs in one option, with that option and its value.
Variant = tuple[Option, Any, Game[Any]]


class Visited(NamedTuple):
    """A position without its state: the mover, the moves, where they lead, the end."""

    player: int
    moves: tuple[Move, ...]
    targets: tuple[int, ...]
    outcome: Outcome | None


def dead_rules(game: Game[Any], limits: Limits = QUICK) -> tuple[DeadRule, ...]:
    """Visit every position, play every move, and return the rules that never apply.

    What applies with another value of an option is not dead. Raises TooLarge above the most
    positions, and after the seconds if the rules are slow.

    >>> import zerosum
    >>> dead_rules(zerosum.game("dual-digits", start=5, numbers=(1, 2, 9)))[0].message
    '9 in numbers changes nothing: the game is the same without it.'
    """
    tracer, limit, deadline = Tracer(_files(game)), limits.positions, limits.deadline()
    left = MOST_VISITED * limit
    environment = game if isinstance(game, EnvironmentGame) else None
    try:
        with calling_rules(game):
            positions = _traced(game, tracer, limit, deadline)
            # The seed of an environment is not one of its rules, but may show more of them.
            fixed = environment is not None and "random-start" not in environment.notices
            tried = [] if fixed else list(_other_variants(game))
            options = []
            if not game.is_foreign:
                options = list(_dead_options(game, positions, tried, deadline))
            for *_, variant in tried:
                if left <= 0 or not _dead_lines(tracer):
                    break
                size = limit  # of one that is too large or broken: it too shows which lines run
                with suppress(Exception, SystemExit):
                    size = len(_traced(variant, tracer, limit, deadline))
                left -= size
    except Late:
        raise TooSlow("The search for rules that never apply", limits.seconds or 0.0) from None
    actions = None if environment is None else environment.simulator.actions
    moves = _dead_actions(positions, actions)
    return (*_dead_lines(tracer), *moves, *options)


def _traced(game: Game[Any], tracer: Tracer, limit: int, deadline: float) -> list[Visited]:
    """Visit every position of a variant, and note which lines run."""
    states = [game.initial()]  # an environment takes a while to begin
    positions: list[Visited] = []
    _forget(tracer.files)
    with tracer.tracing():
        states[0] = game.initial()
        for position in _positions(game, states, deadline):
            positions.append(position)
            if len(states) > limit:
                most = f"{limit:,} positions, the limit for finding rules that never apply"
                raise TooLarge(f"{title_of(game)} has more than {most}.", limit)
        if isinstance(game, EnvironmentGame):
            _try_illegal(game, states, positions)
    return positions


def _try_illegal(
    game: EnvironmentGame, states: Iterable[Any], positions: Iterable[Visited]
) -> None:
    """Make illegal moves, and moves after the end: what refuses them is not dead."""
    actions = game.simulator.actions or range(0)
    for number, (state, position) in enumerate(zip(states, positions, strict=True)):
        illegal = [action for action in actions if action not in position.moves]
        # Another one at every position; at the start, all of them and two out of range.
        some = illegal[number % (len(illegal) or 1) :][:1]
        for move in some if number else (*illegal, actions.start - 1, actions.stop):
            game.simulator.probe(state, move)


def _positions(game: Game[Any], states: list[Any], deadline: float) -> Iterator[Visited]:
    """Yield the positions of a game, breadth first; `states`, which has the start, grows."""
    index = {states[0]: 0}
    for state in states:
        if monotonic() > deadline:
            raise Late
        moves = game.moves(state)
        outcome = game.outcome(state)
        targets = []
        for move in moves if outcome is None else ():
            after = game.play(state, move)
            number = index.setdefault(after, len(index))
            if number == len(states):
                states.append(after)
            targets.append(number)
        yield Visited(state.player, moves, tuple(targets), outcome)


def _files(game: Game[Any]) -> set[str]:
    """Return the files of a game's classes, without the library's own."""
    modules = {kind.__module__ for kind in type(game).__mro__ if issubclass(kind, Game)}
    own = {name for name in modules if not name.startswith("zerosum.") or ".books." in name}
    files = (getattr(sys.modules.get(name), "__file__", None) for name in own)
    return {file for file in files if file is not None and isfile(file)}


def _forget(files: Collection[str]) -> None:
    """Empty the caches of functions in some files, so that all of it runs again."""
    modules = [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) in files]
    parts = [part for module in modules for part in vars(module).values()]
    inner = [part for kind in parts if isinstance(kind, type) for part in vars(kind).values()]
    for part in (*parts, *inner):
        if callable(clear := getattr(part, "cache_clear", None)):
            clear()


def _dead_lines(tracer: Tracer) -> list[DeadRule]:
    """Describe the statements that never ran, in order: an end by its own words."""
    found = []
    for file in sorted(tracer.files):
        for block in tracer.dead_blocks(file):
            ends = [node for part in block for node in ast.walk(part) if _is_end(node)]
            shown: Any = (ends or block)[0]
            reason = shown.args[-1] if isinstance(shown, ast.Call) and shown.args else None
            code = ast.unparse(shown).splitlines()[0]
            said = brief(reason.value if isinstance(reason, ast.Constant) else code, 200)
            kind: DeadKind = "end" if ends else "line"
            found.append(DeadRule(kind, f"{NEVER[kind]}: {said}", basename(file), shown.lineno))
    return sorted(found, key=lambda rule: (rule.file or "", rule.line or 0))


def _is_end(node: ast.AST) -> bool:
    """Return whether code makes an Outcome, or what step returns at a game's end."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        parts = list(map(ast.unparse, node.value.elts))
        return len(parts) in (4, 5) and parts[2] == "True"
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Outcome"


def _dead_actions(positions: Iterable[Visited], actions: range | None) -> Iterator[DeadRule]:
    """Name the actions of an environment that are legal nowhere, unless it has very many."""
    legal = {move for position in positions for move in position.moves}
    few = actions if actions and len(actions) <= WIDEST else ()
    dead = [action for action in few if action not in legal]
    if dead:
        yield DeadRule("move", f"No position allows {brief(runs(dead, 'or'), 200)}.")


def _other_variants(game: Game[Any]) -> Iterator[Variant]:
    """Yield variants with one option changed: each option's first other value, then the next."""
    others = [
        [(option, other) for other in dict.fromkeys(_other_values(option, game))]
        for option in options_of(game)
    ]
    for option, other in filter(None, chain.from_iterable(zip_longest(*others))):
        # A value may be out of bounds, or not go with other options.
        with suppress(ZerosumError):
            variant: Any = replace(game, **{option.name: other})  # type: ignore[type-var]
            if variant != game:
                yield option, other, variant


def _other_values(option: Option, game: Game[Any]) -> Iterator[Any]:
    """Yield values of an option to try instead of its own."""
    value = getattr(game, option.name)
    if option.kind == "flag":
        yield not value
    elif option.choices:
        yield from option.choices
    elif option.kind == "numbers":
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    elif option.kind == "number":
        near = (value - 1, value + 1, value - 2, value + 2, value // 2, 2 * value)
        bounds = (bound for bound in (option.least, option.most) if bound is not None)
        yield from (*near, option.default, *bounds)


def _dead_options(
    game: Game[Any], positions: Sequence[Visited], tried: Sequence[Variant], deadline: float
) -> Iterator[DeadRule]:
    """Name the options that change nothing, whichever of the values tried they have."""
    for option in options_of(game):
        others = [(value, variant) for other, value, variant in tried if other == option]
        same = [value for value, variant in others if _is_same(positions, variant, deadline)]
        own = getattr(game, option.name)
        if option.kind == "numbers" and not option.choices:
            for value in same:
                number = next(iter([n for n in own if n not in value] or own))
                what = f"{brief(number)} in {option.flag} changes nothing"
                yield DeadRule("option", f"{what}: the game is the same without it.")
        elif others and len(same) == len(others):
            values = either([brief(written(value)) for value in same])
            what = f"{option.flag} changes nothing"
            yield DeadRule("option", f"{what}: the game is the same with {values}.")


def _is_same(positions: Sequence[Visited], variant: Game[Any], deadline: float) -> bool:
    """Return whether two variants have the same positions, moves and ends, in order."""
    with suppress(Exception, SystemExit):  # a variant that cannot be played is not the same
        others = _positions(variant, [variant.initial()], deadline)
        return all(ours == theirs for ours, theirs in zip_longest(positions, others))
    return False
