"""Rules that never apply, in all positions of a game: ends, lines, moves, options."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import is_dataclass, replace
from itertools import groupby, zip_longest
from math import inf
from os.path import basename, isfile
from time import monotonic
from typing import Any, NamedTuple

from zerosum.errors import TooLarge, TooSlow, ZerosumError
from zerosum.lab.audit.document import DeadKind, DeadRule, DeadRules
from zerosum.lab.audit.rules.rule_lines import (
    Function,
    Tracer,
    dead_blocks,
    functions_of,
    is_end,
)
from zerosum.limits import QUICK_POSITIONS
from zerosum.options import Option, options_of, written
from zerosum.protocol import Game, Move, Outcome
from zerosum.registry.loading import broken_by
from zerosum.testing.checker import Late
from zerosum.text import brief, either, runs
from zerosum.wording.words import title_of

NEVER: dict[DeadKind, str] = {
    "end": "This end never happens",
    "line": "This line never runs",
}
# What applies in another variant is not dead: in all of them together, as many positions are
# visited as this many variants of the largest size have.
MOST_VISITED = 10
# Between the smallest and the largest move; beyond, moves are codes and not numbers.
WIDEST = 10_000


class Visited(NamedTuple):
    """A position without its state: who moves, the moves, where they lead, and how it ends."""

    player: int
    moves: tuple[Move, ...]
    targets: tuple[int, ...]
    outcome: Outcome | None


def dead_rules(
    game: Game[Any], limit: int = QUICK_POSITIONS, seconds: float | None = None
) -> DeadRules:
    """Visit every position, play every move, and return the rules that never apply.

    What applies with another value of an option is not dead. Raises TooLarge above `limit`
    positions, and after some seconds if the rules are slow.

    >>> import zerosum
    >>> dead_rules(zerosum.game("dual-digits", start=5, numbers=(1, 2, 9))).found[0].message
    '9 in numbers changes nothing: the game is the same without it.'
    """
    deadline = inf if seconds is None else monotonic() + seconds
    try:
        use = _Use(game, deadline)
        use.visit(game, limit)
        # The seed of an environment is not one of its rules, but may show more of them.
        foreign, random = game.adapter.is_foreign, "random-start" in game.adapter.notices
        tried = [] if foreign and not random else list(_other_variants(game))
        options = [] if foreign else list(_dead_options(game, use, tried))
        lines = use.dead()
        for variant in _in_turn(tried):
            if not lines or use.visited >= MOST_VISITED * limit:
                break
            # A variant that is too large or broken still shows which lines run.
            with suppress(Exception, SystemExit):
                use.visit(variant, limit)
            lines = use.dead()
    except Late:
        raise TooSlow("The search for rules that never apply", seconds or 0.0) from None
    except ZerosumError:
        raise
    except (Exception, SystemExit) as error:
        raise broken_by(game, error) from error
    found = (*lines, *_dead_moves(use.positions, game.adapter.actions), *options)
    return DeadRules(found, len(use.positions))


def positions_of(game: Game[Any], states: list[Any], deadline: float = inf) -> Iterator[Visited]:
    """Yield the positions of a game, breadth first; `states`, which has the start, grows."""
    index = {states[0]: 0}
    for state in states:
        if monotonic() > deadline:
            raise Late
        moves, outcome = game.moves(state), game.outcome(state)
        targets = []
        for move in moves if outcome is None else ():
            after = game.play(state, move)
            number = index.setdefault(after, len(index))
            if number == len(states):
                states.append(after)
            targets.append(number)
        yield Visited(state.player, moves, tuple(targets), outcome)


class _Use:
    """What play has used of the rules of a game, in one variant or in several."""

    def __init__(self, game: Game[Any], deadline: float) -> None:
        self.game, self.deadline = game, deadline
        self.tracer = Tracer(_files(game))
        self.positions: list[Visited] = []
        self.visited = 0

    def visit(self, game: Game[Any], limit: int) -> None:
        """Visit every position of a variant; an environment is also given illegal moves."""
        states: list[Any] = []
        positions: list[Visited] = []
        game.initial()  # an environment takes a while to begin
        _forget(self.tracer.files)
        with self.tracer.tracing():
            states.append(game.initial())
            for position in positions_of(game, states, self.deadline):
                positions.append(position)
                self.visited += 1
                if len(states) > limit:
                    raise TooLarge(
                        f"{title_of(game)} has more than {limit:,} positions, the limit for "
                        "finding rules that never apply.",
                        limit,
                    )
            if game.adapter.is_foreign:
                self._probe(game, zip(states, positions, strict=True))
        self.positions = self.positions or positions

    def _probe(self, game: Game[Any], positions: Iterable[tuple[Any, Visited]]) -> None:
        """Make illegal moves, and moves after the end: what refuses them is not dead."""
        actions = game.adapter.actions or range(0)
        for number, (state, position) in enumerate(positions):
            illegal = [action for action in actions if action not in position.moves]
            # Another one at every position; at the start, all of them and two out of range.
            some = illegal[number % (len(illegal) or 1) :][:1]
            for move in some if number else (*illegal, actions.start - 1, actions.stop):
                game.adapter.probe(state, move)

    def dead(self) -> tuple[DeadRule, ...]:
        """Return the ends and the other lines that were never used."""
        found = [
            _dead_block(function, block)
            for function in functions_of(self.tracer)
            for block in dead_blocks(function, self.tracer)
        ]
        return tuple(sorted(found, key=lambda rule: (rule.file or "", rule.line or 0)))


def _files(game: Game[Any]) -> set[str]:
    """Return the files of a game's classes, without those of the library itself."""
    modules = {kind.__module__ for kind in type(game).__mro__ if issubclass(kind, Game)}
    own = {name for name in modules if not name.startswith("zerosum.") or ".books." in name}
    files = (getattr(sys.modules.get(name), "__file__", None) for name in own)
    return {file for file in files if file is not None and isfile(file)}


def _forget(files: Collection[str]) -> None:
    """Empty the caches of functions in some files, so that what they did before runs again."""
    modules = [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) in files]
    parts = [part for module in modules for part in vars(module).values()]
    inner = [part for kind in parts if isinstance(kind, type) for part in vars(kind).values()]
    for part in (*parts, *inner):
        if callable(clear := getattr(part, "cache_clear", None)):
            clear()


def _dead_block(function: Function, block: list[ast.stmt]) -> DeadRule:
    """Describe statements that never run: an end by its own words."""
    ends = [node for part in block for node in ast.walk(part) if is_end(node)]
    shown: Any = (ends or block)[0]
    kind: DeadKind = "end" if ends else "line"
    parts = [*ast.walk(shown)]
    texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    whole = kind == "line" or any(isinstance(part, ast.JoinedStr) for part in parts)
    code = ast.unparse(shown).splitlines()
    said = brief((code if whole else texts or code)[0], 200)
    return DeadRule(kind, f"{NEVER[kind]}: {said}", basename(function.file), shown.lineno)


def _dead_moves(positions: Iterable[Visited], actions: range | None) -> Iterator[DeadRule]:
    """Name the actions, or the numbers from the smallest to the largest move, legal nowhere."""
    numbers = {move for position in positions for move in position.moves if isinstance(move, int)}
    if not numbers:
        return
    span = range(min(numbers), max(numbers)) if actions is None else actions
    if len(span) > WIDEST:
        return
    gaps = [move for move in span if move not in numbers]
    # If most numbers are missing, moves are codes, such as 100 times the row plus the column.
    if gaps and (actions is not None or len(gaps) < len(numbers)):
        yield DeadRule("move", f"No position allows {brief(runs(gaps, 'or'), 200)}.")


def _other_variants(game: Game[Any]) -> Iterator[tuple[Option, Any, Game[Any]]]:
    """Yield the variants that differ in the value of one option, with that option and value."""
    if not is_dataclass(game):
        return
    for option in options_of(game):
        value = getattr(game, option.name)
        for other in dict.fromkeys(_other_values(option, value)):
            # A value may be out of bounds, or not go with those of other options.
            with suppress(ZerosumError):
                variant: Any = replace(game, **{option.name: other})
                if variant != game:
                    yield option, other, variant


def _in_turn(tried: list[tuple[Option, Any, Game[Any]]]) -> Iterator[Game[Any]]:
    """Yield the first variant of every option, then the second: soon, nothing is left to find."""
    by_option = groupby(tried, lambda other: other[0].name)
    for variants in zip_longest(*([variant for *_, variant in some] for _, some in by_option)):
        yield from (variant for variant in variants if variant is not None)


def _other_values(option: Option, value: Any) -> Iterator[Any]:
    """Yield values of an option to try instead of its own."""
    if option.kind == "flag":
        yield not value
    elif option.choices:
        yield from (choice for choice in option.choices if choice != value)
    elif option.kind == "numbers":
        yield from (value[:index] + value[index + 1 :] for index in range(len(value)))
    elif option.kind == "number":
        near = (value - 1, value + 1, value - 2, value + 2, value // 2, 2 * value)
        bounds = (bound for bound in (option.least, option.most) if bound is not None)
        yield from (other for other in (*near, option.default, *bounds) if other != value)


def _dead_options(
    game: Game[Any], use: _Use, tried: list[tuple[Option, Any, Game[Any]]]
) -> Iterator[DeadRule]:
    """Name the options that change nothing, whichever of the values tried they have."""
    for option in options_of(game):
        others = [(value, variant) for other, value, variant in tried if other == option]
        same = [value for value, variant in others if _is_same(use, variant)]
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


def _is_same(use: _Use, variant: Game[Any]) -> bool:
    """Return whether another variant has the same positions, moves and ends in the same order."""
    try:
        following = positions_of(variant, [variant.initial()], use.deadline)
        same = all(position == next(following, None) for position in use.positions)
        return same and next(following, None) is None
    except (Exception, SystemExit):  # a variant that cannot be played is not the same
        return False
