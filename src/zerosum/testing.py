"""The conformance kit: everything that every game must satisfy, a user's own included."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable
from dataclasses import is_dataclass
from random import Random
from typing import Any

from zerosum.game import (
    PROTOCOL,
    Game,
    GameError,
    brief,
    lists_all,
    options_of,
    read_state,
    variant_of,
)
from zerosum.match import Match
from zerosum.solve.solution import ask_theory
from zerosum.solve.solver import MissingExtra, solve_table, theory_of
from zerosum.solve.table import TooLarge
from zerosum.wording import HOOKS, Wording

MOST_TABLED = 20_000
PROBES = (*range(-3, 13), 10**30, -(10**30))


class Nonconforming(GameError, AssertionError):
    """A game breaks the protocol; the message says where, and what would be right."""


def check_game(
    game: Game[Any], states: int = 1000, plays: int = 10, plies: int = 200, seed: int = 0
) -> int:
    """Check a variant and give the number of states looked at, or say what is wrong with it.

    The first `states` states reachable from the start are checked, breadth first, and those of
    `plays` random games of up to `plies` moves.

    >>> import zerosum
    >>> check_game(zerosum.game("even-steven", start=9))
    15
    """
    check = _Check(game)
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # numbers have no limit of ours, and messages show them
    try:
        check.variant()
        check.start()
        check.spoken()
        check.theory(states)
        seen = check.walk(states)
        rng = Random(seed)
        for _ in range(plays):
            seen |= check.random_play(rng, plies)
    finally:
        sys.set_int_max_str_digits(limit)
    return len(seen)


class _Check:
    """One variant under examination."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.name = type(game).__name__

    def variant(self) -> None:
        """The variant is a value: frozen, equal to its like, made of options that JSON can hold."""
        lacking = [m for m in PROTOCOL if not callable(getattr(self.game, m, None))]
        self.must(not lacking, f"it lacks {', '.join(lacking)}")
        if not is_dataclass(self.game):
            return
        frozen = self.game.__dataclass_params__.frozen
        self.must(frozen, "its class must be frozen: @dataclass(frozen=True)")
        try:
            options = json.loads(json.dumps(variant_of(self.game)))
        except (TypeError, ValueError) as error:
            self.fail(f"its options do not survive JSON: {error}")
        options = {n: tuple(v) if isinstance(v, list) else v for n, v in options.items()}
        again = self.call(type(self.game), **options)
        self.must(again == self.game, "made again from its own options, it is not equal to itself")
        try:
            self.call(type(self.game))
        except Nonconforming as error:
            self.fail(f"every option needs a default that is valid: {error}")
        for one in options_of(self.game):
            self.must(
                isinstance(one.default, (int, str, tuple)),
                f"option {one.name} must be an int, a bool, a str or a tuple of ints",
            )

    def spoken(self) -> None:
        """Nothing in the game's own words is misspelt."""
        own = Wording(self.game).own
        if isinstance(own, type):
            strange = [name for name in vars(own) if name.islower() and name[0] != "_"]
            strange = [name for name in strange if name not in HOOKS]
            self.must(not strange, f"Words says {', '.join(strange)}, which nobody asks for")

    def theory(self, limit: int) -> None:
        """A theory says the same as a table, if one can be made."""
        try:
            theory = theory_of(self.game)
            table = None if theory is None else solve_table(self.game, MOST_TABLED)
        except (TooLarge, MissingExtra):
            return
        if table is None:
            return
        for state in list(self.walk(limit)):
            told, true = ask_theory(theory, self.game, state), table.value(state)
            at = f"at {brief(state, 100)}"
            if told is None:
                continue
            self.must(
                isinstance(told, tuple) and len(told) == 2 and told[0] == true.result,
                f"its theory says {brief(told)} {at}, and the truth is {tuple(true)}",
            )
            self.must(
                told[1] in (None, true.plies),
                f"its theory says {brief(told)} {at}, and the truth is {tuple(true)}",
            )

    def start(self) -> None:
        """The start is a proper state, always the same, in which the game goes on."""
        state = self.call(self.game.initial)
        self.must(state == self.call(self.game.initial), "initial() gives different states")
        self.state(state)
        self.must(state.player == 0, "seat 0 moves first, so the start must have player 0")
        self.must(
            self.call(self.game.outcome, state) is None, "the game is over before its first move"
        )

    def walk(self, limit: int) -> set[Any]:
        """Check states breadth first."""
        first = self.game.initial()
        seen, queue = {first}, deque([first])
        while queue:
            state = queue.popleft()
            for after in self.position(state):
                if after not in seen and len(seen) < limit:
                    seen.add(after)
                    queue.append(after)
        return seen

    def random_play(self, rng: Random, plies: int) -> set[Any]:
        """Play at random through a match, with a move taken back now and then."""
        match = Match.new(self.game)
        seen = {match.state}
        while match.round.end is None and match.ply < plies:
            self.position(match.state)
            move = rng.choice(self.game.moves(match.state))
            after = match.play(move)
            self.words(match, move, after)
            if after.round.end is None:
                self.must(after.undo() == match, f"undoing {move} at {match.state} changes it")
            match = after
            seen.add(match.state)
        return seen

    def words(self, match: Match, move: int, after: Match) -> None:
        """The game's own words are texts, for every turn and for the end."""
        words, names, state = Wording(self.game), match.players, match.state
        self.call(words.opening, state, names)
        self.call(words.position, state, names)
        self.call(words.status, state, names)
        self.call(words.turn, state, names)
        self.call(words.prompt, state, names)
        self.call(words.label, state, move)
        self.call(words.fields, state)
        self.call(words.moved, state, move, after.state, names)
        outcome = self.game.outcome(after.state)
        if outcome is not None:
            self.call(words.ending, after.state, outcome, names)
            self.call(words.fields, after.state)

    def position(self, state: Any) -> list[Any]:
        """Check everything about one state, and give the states after it."""
        self.state(state)
        moves = self.call(self.game.moves, state)
        at = f"at {brief(state, 100)}"
        self.must(type(moves) is tuple, f"moves() must give a tuple, not {brief(moves)} {at}")
        self.must(all(type(m) is int for m in moves), f"moves() gives what is no integer {at}")
        self.must(len(set(moves)) == len(moves), f"moves() names a move twice {at}")
        self.must(moves == self.call(self.game.moves, state), f"moves() changes its answer {at}")
        self.outcome(state, moves, at)
        self.objections(state, moves, at)
        return [self.after(state, move, at) for move in moves]

    def outcome(self, state: Any, moves: tuple[int, ...], at: str) -> None:
        """The game is over exactly when there are no moves, and then somebody has won."""
        outcome = self.call(self.game.outcome, state)
        self.must(outcome == self.call(self.game.outcome, state), f"outcome() changes {at}")
        if outcome is None:
            self.must(bool(moves), f"there are no moves {at}, but outcome() is None")
            return
        self.must(not moves, f"the game is over {at}, but moves() gives {brief(moves)}")
        winner, reason = getattr(outcome, "winner", None), getattr(outcome, "reason", None)
        self.must(hasattr(outcome, "reason"), f"outcome() must give an Outcome {at}")
        self.must(type(winner) is int and winner in (0, 1), f"the winner must be 0 or 1 {at}")
        self.must(isinstance(reason, str) and bool(reason), f"an outcome needs a reason {at}")

    def objections(self, state: Any, moves: tuple[int, ...], at: str) -> None:
        """Every legal move has no objection, and every other number has one."""
        complete = lists_all(self.game, state)
        near = {m + d for m in moves[:20] for d in (-1, 1)}
        for move in {*moves, *PROBES, *near}:
            objection = self.call(self.game.objection, state, move)
            if move in moves:
                self.must(
                    objection is None, f"{move} is in moves() {at}, but is objected to: {objection}"
                )
            elif complete:
                self.must(
                    isinstance(objection, str) and bool(objection.strip()),
                    f"{move} is not in moves() {at}, but objection() does not say why",
                )

    def after(self, state: Any, move: int, at: str) -> Any:
        """Playing a move gives a proper state, always the same, and leaves the first alone."""
        before = repr(state)
        after = self.call(self.game.play, state, move)
        self.must(repr(state) == before, f"play() changes the state it is given {at}")
        self.must(
            after == self.call(self.game.play, state, move), f"play({move}) changes its mind {at}"
        )
        self.state(after)
        return after

    def state(self, state: Any) -> None:
        """A state is a NamedTuple of integers with the player to move, and survives JSON."""
        shown = brief(state, 100)
        self.must(
            isinstance(state, tuple) and hasattr(state, "_fields"),
            f"a state must be a NamedTuple, not {shown}",
        )
        self.must("player" in state._fields, f"a state needs a field 'player': {shown}")
        self.must(state.player in (0, 1), f"the player to move must be 0 or 1: {shown}")
        self.must(
            _whole(state), f"a state holds integers and tuples of them, nothing else: {shown}"
        )
        same = type(state) is type(self.game.initial())
        self.must(same, f"all states must be of one class: {shown}")
        self.must(
            read_state(self.game, json.loads(json.dumps(state))) == state,
            f"a state does not survive JSON: {shown}",
        )

    def call(self, method: Any, *args: Any, **options: Any) -> Any:
        """Ask the game something, and blame it for what it raises."""
        try:
            return method(*args, **options)
        except Exception as error:
            shown = ", ".join(brief(arg, 100) for arg in args)
            name = getattr(method, "__name__", "it")
            raise self.blame(
                f"{name}({shown}) raises {type(error).__name__}: {brief(str(error), 200)}"
            ) from error

    def must(self, holds: bool, message: str) -> None:
        """Go on only if something holds."""
        if not holds:
            self.fail(message)

    def fail(self, message: str) -> None:
        """Say what is wrong."""
        raise self.blame(message)

    def blame(self, message: str) -> Nonconforming:
        """Name the game beside what is wrong with it."""
        return Nonconforming(f"{self.name}: {message}.")


def _whole(values: Iterable[Any]) -> bool:
    """Tell whether there is nothing but integers, however deep."""
    return all(type(v) is int or (isinstance(v, tuple) and _whole(v)) for v in values)
