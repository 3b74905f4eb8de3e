"""The conformance kit: everything that every game must satisfy, a user's own included."""

from __future__ import annotations

import json
import sys
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import is_dataclass
from difflib import get_close_matches
from random import Random
from typing import Any

from zerosum.errors import (
    MissingExtra,
    Nonconforming,
    NotSolved,
    TooLarge,
    UnreadableMove,
    ZerosumError,
)
from zerosum.match import Match
from zerosum.options import variant_of
from zerosum.protocol import LONGEST_MOVE, Game, Move, Value
from zerosum.registry import Entry, part_of
from zerosum.registry.loading import blame, check_class
from zerosum.solver import solve_table
from zerosum.solver.solution import RANK, best_of, from_theory
from zerosum.solver.table import is_symmetric
from zerosum.solver.theory import Theory, theory_of
from zerosum.states import LARGE, is_plain, largest, leaves, read_state
from zerosum.text import brief, read_whole
from zerosum.wording import HOOKS, RESERVED, Words, words_of

MOST_TABLED = 20_000
# How far a canonical() is followed beyond the states that are checked in every way.
MOST_SYMMETRIC = 5_000
LONGEST_TEXT = 40
NUMBERS = (*range(-3, 13), 10**30, -(10**30))
TEXTS = ("zz", "b2", "12", "")
OPTIONAL = ("objection", "canonical", "lists_all", "is_legal")


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
        check.spelling()
        seen = check.walk(states)
        # The moves of large numbers may take time to find.
        if is_symmetric(game) and largest(game.initial()) < LARGE:
            check.symmetries(MOST_SYMMETRIC)
        check.theory(seen)
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
        self.ask(check_class, type(self.game), type(self.game).__module__)
        frozen = is_dataclass(self.game) and self.game.__dataclass_params__.frozen
        self.must(frozen, "put @dataclass(frozen=True) above its class, so that no option changes")
        try:
            type(self.game)()
        except ZerosumError as error:
            self.fail(f"the default of every option must be valid; {str(error).rstrip('.')}")
        except TypeError as error:
            self.fail(f"every option needs a default: {error}")
        options = json.loads(json.dumps(variant_of(self.game)))
        again = self.ask(Entry(self.name, type(self.game)).variant, **options)
        self.must(again == self.game, "made again from its own options, it is not equal to itself")

    def spelling(self) -> None:
        """Nothing that is optional is misspelt: not in the rules, the words or the theory."""
        for name in vars(type(self.game)):
            close = get_close_matches(name, OPTIONAL, 1, cutoff=0.85)
            wrong = close and name not in OPTIONAL
            self.must(not wrong, f"nothing calls {name}(); rename it to {''.join(close)}")
        parts: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
            ("words", Words, (*HOOKS, "title", "puzzles")),
            ("theory", Theory, ("value", "statement", "why")),
        )
        for part, base, hooks in parts:
            own: Any = self.ask(part_of, self.game, part, base)
            for name in vars(own) if own else ():
                known = name[0] == "_" or name in hooks or name in own.__annotations__
                close = get_close_matches(name, hooks, 1)
                offer = f"rename it to {close[0]}" if close else "begin it with an underscore"
                self.must(known, f"nothing calls {own.__name__}.{name}(); {offer}")
        puzzles: Any = words_of(self.game).puzzles
        listed = isinstance(puzzles, tuple) and all(isinstance(of, Mapping) for of in puzzles)
        self.must(listed, f"puzzles must be a tuple of options, such as ({{}},), not {puzzles}")
        for options in puzzles:
            try:
                Entry(self.name, type(self.game)).variant(**options)
            except ZerosumError as error:
                self.fail(f"puzzles names a variant that cannot be made; {error}")
        self.must(
            isinstance(words_of(self.game).title, str), "the title of its words must be a text"
        )

    def theory(self, states: set[Any]) -> None:
        """A theory says the same as a table, if one can be made."""
        theory = self.ask(theory_of, self.game)
        if theory is None:
            return
        try:
            table = solve_table(self.game, MOST_TABLED)
        except (TooLarge, MissingExtra):
            table = None
        law = self.call(theory.statement)
        self.must(isinstance(law, str), f"statement() of its theory must give a text, not {law!r}")
        every = table.solved.table.states() if table and table.solved else ()
        for state in {*states, *every}:
            told = self.told(theory, state)
            self.must(
                told is not None,
                f"its theory covers the start, but gives None at {brief(state, 100)}; give a value "
                "for every state of a variant, or None for its start",
            )
            if state in states:
                why = self.call(theory.why, state)
                self.must(
                    isinstance(why, str), f"why() of its theory must give a text, not {why!r}"
                )
            true = table.value(state) if table else self.by_moves(theory, state)
            if told is None or true is None:
                continue
            same = told.result == true.result and (table is None or told.endless == true.endless)
            known = None not in (told.plies, true.plies)
            self.must(
                same and (not known or told.plies == true.plies),
                f"its theory says {told} at {brief(state, 100)}, but by the rules it is {true}",
            )

    def told(self, theory: Theory[Any], state: Any) -> Value | None:
        """Ask a theory for a value."""
        told: Value | None = self.call(theory.value, state)
        sound = told is None or (isinstance(told, Value) and told.result in RANK)
        self.must(
            sound,
            f"value() of its theory must give Value('win', 'loss' or 'draw', plies) or None, "
            f"not {brief(repr(told), 60)}, at {brief(state, 100)}",
        )
        return told

    def by_moves(self, theory: Theory[Any], state: Any) -> Value | None:
        """Work out what a theory must say here from what it says one move later."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            drawn, won = outcome.winner is None, outcome.winner == state.player
            return Value("draw") if drawn else Value("win" if won else "loss", 0)
        solution = from_theory(self.game, theory)
        try:
            values = solution.moves(state)
        except NotSolved:
            return None
        return values[best_of(values)[0]] if values and self.game.lists_all(state) else None

    def start(self) -> None:
        """The start is a proper state, always the same, in which the game goes on."""
        state = self.call(self.game.initial)
        self.must(
            state == self.call(self.game.initial), "initial() must always give the same state"
        )
        self.state(state, "initial()")
        self.must(state.player == 0, "seat 0 moves first, so initial() must have player 0")
        over = self.call(self.game.outcome, state)
        self.must(
            over is None,
            f"outcome() must be None at the start, where the game goes on, not {brief(repr(over))}",
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
            after = self.call(match.play, move)
            self.words(match, move, after)
            self.record(after)
            if after.round.end is None:
                back = f"undoing {move!r} does not lead back to {brief(match.state, 100)}"
                self.must(after.undo() == match, back)
            match = after
            seen.add(match.state)
        return seen

    def record(self, match: Match[Any]) -> None:
        """A match survives being written down."""
        again = self.call(Match.from_json, match.to_json(), type(self.game))
        self.must(
            again == match,
            f"a match written to JSON and read again is not at {brief(match.state, 100)} any more",
        )

    def words(self, match: Match[Any], move: Move, after: Match[Any]) -> None:
        """The game's own words are texts, for every turn and for the end."""
        words, names, state = words_of(self.game), match.players, match.state
        self.board(words, state)
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

    def board(self, words: Words[Any], state: Any) -> None:
        """Every move that belongs to a cell belongs to one of the board."""
        self.call(words.board, state)
        for move in self.game.moves(state):
            self.call(words.cell, state, move)
        self.ask(words.placed, state, self.game.moves(state))

    def position(self, state: Any) -> list[Any]:
        """Check everything about one state, and give the states after it."""
        moves = self.call(self.game.moves, state)
        at = f"at {brief(state, 100)}"
        self.must(type(moves) is tuple, f"moves() must give a tuple, not {brief(moves)}, {at}")
        for move in moves:
            self.move(move, at)
        typed: dict[Move, Move] = {}
        for move in moves:
            other = typed.setdefault(move.casefold() if isinstance(move, str) else move, move)
            self.must(other == move, f"{other!r} and {move!r} are one move when typed, {at}")
        self.must(len(typed) == len(moves), f"moves() names a move twice: {brief(moves)}, {at}")
        again = self.call(self.game.moves, state)
        self.must(again == moves, f"moves() gives other moves when it is asked again, {at}")
        self.outcome(state, moves, at)
        if moves:
            self.legality(state, moves, at)
        after = [self.after(state, move, at) for move in moves]
        if is_symmetric(self.game):
            self.symmetry(state, after, at)
        return after

    def move(self, move: Any, at: str) -> None:
        """A move is an integer, or a short text that can be typed and told from everything else."""
        self.must(
            type(move) in (int, str),
            f"a move must be an integer or a text, not {brief(repr(move))}, {at}",
        )
        if type(move) is int:
            return
        sound = 0 < len(move) <= LONGEST_MOVE and move.isprintable() and not {" ", ","} & set(move)
        self.must(
            sound,
            f"a move must have 1 to {LONGEST_MOVE} printable characters, without spaces or commas, "
            f"not {brief(repr(move))}, {at}",
        )
        self.must(
            move.casefold() not in RESERVED,
            f"{move!r} cannot be a move: it is a word of the prompt; choose another, {at}",
        )
        try:
            number = read_whole(move)
        except UnreadableMove:
            return
        self.fail(f"a move that is a number must be an integer: {number}, not {move!r}, {at}")

    def symmetry(self, state: Any, after: list[Any], at: str) -> None:
        """What canonical() calls equal is equal: in its outcome, and in what its moves lead to."""
        canonical, play = self.game.canonical, self.game.play
        same = self.call(canonical, state)
        self.state(same, f"canonical() {at}")
        again = self.call(canonical, same)
        self.must(
            again == same,
            f"canonical() gives {brief(same, 100)} {at}, but {brief(again, 100)} for that in turn; "
            "the state that it gives must stand for itself",
        )
        there = [self.call(play, same, move) for move in self.call(self.game.moves, same)]
        ends, found = [], []
        # Seats may be exchanged as well, so all is seen from the side of the player to move.
        for here, some in ((state, after), (same, there)):
            end = self.call(self.game.outcome, here)
            ends.append(end and (None if end.winner is None else end.winner == here.player,))
            found.append(
                Counter((self.call(canonical, then), then.player == here.player) for then in some)
            )
        equal = f"canonical() gives {brief(same, 100)} {at}, but its"
        self.must(ends[0] == ends[1], f"{equal} outcome differs")
        self.must(found[0] == found[1], f"{equal} moves lead to positions that are not equal")

    def symmetries(self, limit: int) -> None:
        """Follow a canonical() further than everything else: one lie makes many values false."""
        first = self.game.initial()
        states, seen = [first], {first}
        for state in states:
            after = [self.call(self.game.play, state, move) for move in self.game.moves(state)]
            self.symmetry(state, after, f"at {brief(state, 100)}")
            fresh = [then for then in dict.fromkeys(after) if then not in seen]
            if len(states) + len(fresh) <= limit:
                states += fresh
                seen.update(fresh)

    def outcome(self, state: Any, moves: tuple[Move, ...], at: str) -> None:
        """The game is over exactly when there are no moves, and then it is won or drawn."""
        outcome = self.call(self.game.outcome, state)
        again = self.call(self.game.outcome, state)
        self.must(outcome == again, f"outcome() gives another outcome when it is asked again, {at}")
        if outcome is None:
            self.must(
                bool(moves),
                f"there are no moves and outcome() is None {at}; give a move or an Outcome",
            )
            return
        self.must(not moves, f"the game is over {at}, but moves() gives {brief(moves)}; give ()")
        named = hasattr(outcome, "winner") and hasattr(outcome, "reason")
        self.must(
            named,
            f"outcome() must give Outcome(winner, reason) or None, not {brief(outcome)}, {at}",
        )
        winner, reason = outcome.winner, outcome.reason
        self.must(
            winner is None or (type(winner) is int and winner in (0, 1)),
            f"the winner must be 0 or 1, or None for a draw, not {brief(repr(winner))}, {at}",
        )
        self.must(
            isinstance(reason, str) and bool(reason.strip()),
            f"an outcome needs a reason, such as 'three in a row', not {reason!r}, {at}",
        )

    def legality(self, state: Any, moves: tuple[Move, ...], at: str) -> None:
        """Listed moves are legal, and no other is; an objection is a sentence."""
        complete, kinds = self.call(self.game.lists_all, state), set(map(type, moves))
        near = [move + step for move in moves[:20] if isinstance(move, int) for step in (-1, 1)]
        for move in dict.fromkeys((*moves, *NUMBERS, *TEXTS, *near)):
            legal = self.call(self.game.is_legal, state, move)
            if move in moves:
                self.must(legal, f"{move!r} is in moves() {at}, but is_legal() refuses it")
            elif complete:
                self.must(
                    not legal,
                    f"is_legal() allows {move!r}, which is not in moves() {at}; list it, or let "
                    "lists_all() be False there",
                )
                why = self.call(self.game.objection, state, move) if type(move) in kinds else None
                self.must(
                    why is None or (isinstance(why, str) and bool(why.strip())),
                    f"objection() must give a sentence or None, not {why!r}, for {move!r} {at}",
                )

    def after(self, state: Any, move: Move, at: str) -> Any:
        """Playing a move gives a proper state, always the same, and leaves the first alone."""
        before = repr(state)
        after = self.call(self.game.play, state, move)
        self.must(repr(state) == before, f"play() must not change the state that it is given {at}")
        again = self.call(self.game.play, state, move)
        self.must(after == again, f"play() gives another state for {move!r} the second time, {at}")
        self.state(after, f"play() of {move!r} {at}")
        return after

    def state(self, state: Any, source: str) -> None:
        """A state is a NamedTuple of plain values with the player to move, and survives JSON."""
        shown = f"{brief(repr(state), 100)}, from {source}"
        self.must(
            isinstance(state, tuple) and hasattr(state, "_fields"),
            f"a state must be a NamedTuple, not {shown}",
        )
        self.must("player" in state._fields, f"a state needs a field 'player', 0 or 1: {shown}")
        self.must(state.player in (0, 1), f"the player to move must be 0 or 1: {shown}")
        for name, leaf in leaves(state):
            self.must(
                leaf is None or type(leaf) in (int, str),
                f"a state holds integers, texts, None and tuples of them; {name} is "
                f"{brief(repr(leaf))}: {shown}",
            )
            long = isinstance(leaf, str) and len(leaf) > LONGEST_TEXT
            self.must(not long, f"a text in a state has at most {LONGEST_TEXT} characters: {shown}")
        self.must(all(map(is_plain, state)), f"what is nested in a state must be a tuple: {shown}")
        same = type(state) is type(self.game.initial())
        self.must(same, f"all states must be of one class, that of initial(): {shown}")
        self.must(
            read_state(self.game, json.loads(json.dumps(state))) == state,
            f"a state does not survive JSON: {shown}",
        )

    def call(self, method: Any, *args: Any, **options: Any) -> Any:
        """Ask the game something, and blame it for what it raises."""
        try:
            return method(*args, **options)
        except Exception as error:
            given = [brief(repr(arg), 100) for arg in args]
            given += [f"{name}={brief(repr(value), 100)}" for name, value in options.items()]
            asked = f"{getattr(method, '__name__', 'it')}({', '.join(given)})"
            if isinstance(error, ZerosumError):
                raise self.fault(f"{asked} fails: {str(error).rstrip('.')}") from error
            raise self.fault(f"{asked} fails in {blame(error)}") from error

    def ask(self, function: Any, *args: Any, **options: Any) -> Any:
        """Ask Zerosum something about the game; what it raises says enough."""
        try:
            return function(*args, **options)
        except ZerosumError as error:
            raise self.fault(str(error).rstrip(".")) from error
        except Exception as error:
            raise self.fault(f"it does not load: {blame(error)}") from error

    def must(self, holds: bool, message: str) -> None:
        """Go on only if something holds."""
        if not holds:
            self.fail(message)

    def fail(self, message: str) -> None:
        """Say what is wrong."""
        raise self.fault(message)

    def fault(self, message: str) -> Nonconforming:
        """Name the game beside what is wrong with it."""
        return Nonconforming(f"{self.name}: {message}.")
