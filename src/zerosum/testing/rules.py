"""Checks of the rules: the variant, its states, moves, outcomes and symmetry."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import is_dataclass
from typing import Any

from zerosum.errors import UnreadableMove, ZerosumError
from zerosum.options import option_values
from zerosum.protocol import LONGEST_MOVE, Move, fault_of_moves
from zerosum.registry import Entry
from zerosum.registry.loading import check_class
from zerosum.solver.table import is_symmetric
from zerosum.states import is_plain, leaves, read_state
from zerosum.testing.checker import Checker, RuleCode
from zerosum.text import brief, read_whole
from zerosum.wording.words import RESERVED

LONGEST_TEXT = 40
NUMBERS = (*range(-3, 13), 10**30, -(10**30))
TEXTS = ("zz", "b2", "12", "")


def check_variant(check: Checker) -> None:
    """A variant is a frozen value: equal to one made again from its own options, by way of JSON."""
    check.ask(check_class, type(check.game), type(check.game).__module__)
    frozen = is_dataclass(check.game) and check.game.__dataclass_params__.frozen
    check.must(frozen, "put @dataclass(frozen=True) above its class, so that no option changes")
    try:
        type(check.game)()
    except ZerosumError as error:
        raise check.fault(
            f"the default of every option must be valid; {str(error).rstrip('.')}"
        ) from error
    except TypeError as error:
        raise check.fault(f"every option needs a default: {error}") from error
    options = json.loads(json.dumps(option_values(check.game)))
    again = check.ask(Entry(check.name, type(check.game)).variant, **options)
    check.must(again == check.game, "a variant made again from its own options must be equal to it")


def check_start(check: Checker) -> None:
    """The start is a proper state, always the same, in which the game goes on."""
    state = check.call_twice(check.game.initial)
    check_state(check, state, lambda: "initial()")
    check.must(
        state.player == 0, "seat 0 moves first, so initial() must have player 0", "bad-player"
    )
    over = check.call(check.game.outcome, state)
    check.must(
        over is None,
        lambda: (
            f"outcome() must be None at the start, where the game goes on, not {brief(repr(over))}"
        ),
        "over-at-start",
    )


def check_position(check: Checker, state: Any) -> list[Any]:
    """Check everything about one state, and return the states after it."""
    check.position = state
    moves = check_moves(check, state)
    check_outcome(check, state, moves)
    if moves:
        check_legality(check, state, moves)
    after = [check_play(check, state, move) for move in moves]
    if is_symmetric(check.game):
        check_symmetry(check, state)
    check.position = None
    return after


def at(state: Any) -> str:
    """Say where something is wrong."""
    return f"at {brief(state, 100)}"


def check_moves(check: Checker, state: Any) -> tuple[Move, ...]:
    """Moves are a tuple, always the same, of moves that differ when they are typed."""
    moves: tuple[Move, ...] = check.call(check.game.moves, state)
    fault = fault_of_moves(state, moves)
    check.must(not fault, fault, "bad-moves")
    check.call_again(moves, check.game.moves, state)
    for move in moves:
        check_move_format(check, state, move)
    typed: dict[Move, Move] = {}
    for move in moves:
        other = typed.setdefault(move.casefold() if isinstance(move, str) else move, move)
        if other != move:
            same = f"{other!r} and {move!r} are the same move when typed, {at(state)}"
            raise check.fault(same, "duplicate-moves")
    check.must(
        len(typed) == len(moves),
        lambda: f"moves() lists a move twice: {brief(moves)}, {at(state)}",
        "duplicate-moves",
    )
    return moves


def check_move_format(check: Checker, state: Any, move: Move) -> None:
    """A move is an integer, or a string that can be typed and confused with nothing else."""
    if isinstance(move, int):
        return
    sound = 0 < len(move) <= LONGEST_MOVE and move.isprintable() and not {" ", ","} & set(move)
    check.must(
        sound,
        lambda: (
            f"a move must have 1 to {LONGEST_MOVE} printable characters, without spaces or "
            f"commas, not {brief(repr(move))}, {at(state)}"
        ),
        "bad-moves",
    )
    check.must(
        move.casefold() not in RESERVED,
        lambda: (
            f"{move!r} cannot be a move {at(state)}: it is a command of the prompt; choose "
            "another word"
        ),
        "bad-moves",
    )
    try:
        number = read_whole(move)
    except UnreadableMove:
        return
    raise check.fault(
        f"a move that is a number must be an integer: {number}, not {move!r}, {at(state)}",
        "bad-moves",
    )


def check_outcome(check: Checker, state: Any, moves: tuple[Move, ...]) -> None:
    """The game is over exactly when there are no moves, and then it is won or drawn."""
    outcome = check.call_twice(check.game.outcome, state)
    if outcome is None:
        check.must(
            bool(moves),
            lambda: (
                f"there are no moves and outcome() is None {at(state)}; return a move or an Outcome"
            ),
            "stuck",
        )
        return
    check.must(
        not moves,
        lambda: f"the game is over {at(state)}, but moves() returns {brief(moves)}; return ()",
        "moves-after-the-end",
    )
    check.must(
        hasattr(outcome, "winner") and hasattr(outcome, "reason"),
        lambda: (
            f"outcome() must return Outcome(winner, reason) or None, not {brief(outcome)}, "
            f"{at(state)}"
        ),
        "bad-outcome",
    )
    winner, reason = outcome.winner, outcome.reason
    check.must(
        winner is None or (type(winner) is int and winner in (0, 1)),
        lambda: (
            f"the winner must be 0 or 1, or None for a draw, not {brief(repr(winner))}, {at(state)}"
        ),
        "bad-winner",
    )
    check.must(
        isinstance(reason, str) and bool(reason.strip()),
        lambda: f"an outcome needs a reason, such as 'three in a row', not {reason!r}, {at(state)}",
        "bad-outcome",
    )


def check_legality(check: Checker, state: Any, moves: tuple[Move, ...]) -> None:
    """Listed moves are legal, and no other is; an objection is a sentence."""
    complete, kinds = check.call(check.game.lists_all, state), set(map(type, moves))
    near = [move + step for move in moves[:20] if isinstance(move, int) for step in (-1, 1)]
    for move in dict.fromkeys((*moves, *NUMBERS, *TEXTS, *near)):
        legal = check.call(check.game.is_legal, state, move)
        if move in moves and not legal:
            raise check.fault(
                f"{move!r} is in moves() {at(state)}, but is_legal() refuses it", "bad-legality"
            )
        if move in moves or not complete:
            continue
        if legal:
            raise check.fault(
                f"is_legal() allows {move!r}, which is not in moves() {at(state)}; list it, or let "
                "lists_all() return False there",
                "bad-legality",
            )
        why = check.call(check.game.objection, state, move) if type(move) in kinds else None
        if why is not None and not (isinstance(why, str) and why.strip()):
            raise check.fault(
                f"objection() must return a sentence or None, not {why!r}, for {move!r} "
                f"{at(state)}",
                "bad-objection",
            )


def check_play(check: Checker, state: Any, move: Move) -> Any:
    """Playing a move returns a proper state, always the same, and does not change the first."""
    before = repr(state)
    after = check.call_twice(check.game.play, state, move)
    check.must(
        repr(state) == before,
        lambda: f"play() must not change the state passed to it {at(state)}",
        "changes-its-state",
    )
    check_state(check, after, lambda: f"play() of {move!r} {at(state)}")
    return after


def check_state(check: Checker, state: Any, source: Callable[[], str]) -> None:
    """A state is a NamedTuple of plain values with the player to move, and survives JSON."""

    def must(holds: bool, message: str, code: RuleCode = "bad-state", advice: str = "") -> None:
        shown = f"{brief(repr(state), 100)}, from {source()}" if not holds else ""
        check.must(holds, f"{message}{shown}{advice}", code)

    named = isinstance(state, tuple) and hasattr(state, "_fields")
    write = "; write class State(NamedTuple), with a field 'player'"
    must(named, "a state must be a NamedTuple, not ", advice=write)
    must("player" in state._fields, "a state needs a field 'player', 0 or 1: ")
    must(state.player in (0, 1), "the player to move must be 0 or 1: ", "bad-player")
    for name, leaf in leaves(state):
        if leaf is None or type(leaf) is int:
            continue
        held = f"a state holds integers, strings, None and tuples of them; {name} is "
        tuples = "; put tuple() around it" * isinstance(leaf, list)
        must(type(leaf) is str, f"{held}{brief(repr(leaf))}: ", advice=tuples)
        short = isinstance(leaf, str) and len(leaf) <= LONGEST_TEXT
        must(short, f"a string in a state has at most {LONGEST_TEXT} characters: ")
    must(all(map(is_plain, state)), "only plain tuples may be nested in a state: ")
    same = type(state) is type(check.game.initial())
    must(same, "all states must be of one class, that of initial(): ")
    read = read_state(check.game, json.loads(json.dumps(state)))
    must(read == state, "a state does not survive JSON: ")


def check_symmetry(check: Checker, state: Any) -> list[Any]:
    """States that canonical() makes equal have equal outcomes, and moves to equal states."""
    canonical = check.game.canonical
    same = check.call(canonical, state)
    check_state(check, same, lambda: f"canonical() {at(state)}")
    again = check.call(canonical, same)
    check.must(
        again == same,
        lambda: (
            f"canonical() returns {brief(same, 100)} {at(state)}, but {brief(again, 100)} for "
            "that in turn; it must return its own result unchanged"
        ),
        "bad-symmetry",
    )
    ends, following, after = [], [], []
    # Seats may be exchanged as well, so everything is seen from the side of the player to move.
    for here in dict.fromkeys((same, state)):
        end = check.call(check.game.outcome, here)
        moves = check.call(check.game.moves, here)
        after = [check.call(check.game.play, here, move) for move in moves]
        ends.append(end and (None if end.winner is None else end.winner == here.player,))
        following.append(
            Counter((check.call(canonical, then), then.player == here.player) for then in after)
        )
    equal = f"canonical() returns {brief(same, 100)} {at(state)}, but its"
    check.must(ends[0] == ends[-1], f"{equal} outcome differs", "bad-symmetry")
    unequal = f"{equal} moves lead to positions that are not equal"
    check.must(following[0] == following[-1], unequal, "bad-symmetry")
    return after


def check_turns(check: Checker, states: Collection[Any], ends: Collection[Any]) -> None:
    """Both players move, unless the game is over after the first move."""
    check.must(
        len(states) - len(ends) == 1 or any(state.player for state in states),
        f"the second player never has a turn in the {len(states):,} positions checked; "
        "play() must return a state with the next player, usually 1 - state.player",
        "bad-player",
    )
