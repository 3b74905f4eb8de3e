"""Checks of the rules: variant, states, moves, outcomes and symmetry."""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import is_dataclass
from typing import Any

from zerosum.errors import Nonconforming, UnreadableMove, ZerosumError
from zerosum.options import option_values
from zerosum.protocol import LONGEST_MOVE, Game, Move, fault_of_moves
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
    """A variant is a frozen value: equal to one made from its options as JSON."""
    check.ask(check_class, type(check.game), type(check.game).__module__)
    frozen = is_dataclass(check.game) and check.game.__dataclass_params__.frozen
    if not frozen:
        raise check.fault("put @dataclass(frozen=True) above its class, so that no option changes")
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
    if again != check.game:
        raise check.fault("a variant made again from its own options must be equal to it")


def check_start(check: Checker) -> None:
    """The start is a proper state, always the same, and not an end."""
    state = check.call_twice(check.game.initial)
    check_state(check, state, "initial()")
    if state.player != 0:
        raise check.fault("seat 0 moves first, so initial() must have player 0", "bad-player")
    over = check.call(check.game.outcome, state)
    if over is not None:
        wanted = "outcome() must be None at the start, where the game goes on"
        raise check.fault(f"{wanted}, not {brief(repr(over))}", "over-at-start")


def check_position(check: Checker, state: Any) -> list[Any]:
    """Check everything about one state, and return the states after it."""
    check.position, kind = state, type(check.game)
    moves = check_moves(check, state)
    check_outcome(check, state, moves)
    # Without its own rules of legality, a game cannot contradict itself.
    if moves and (kind.is_legal is not Game.is_legal or kind.objection is not Game.objection):
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
    """Moves are a tuple, always the same, of moves that differ when typed."""
    moves: tuple[Move, ...] = check.call(check.game.moves, state)
    if fault := fault_of_moves(state, moves):
        raise check.fault(fault, "bad-moves")
    check.call_again(moves, check.game.moves, state)
    for move in moves:
        check_move_format(check, state, move)
    typed: dict[Move, Move] = {}
    for move in moves:
        folded = move.casefold() if isinstance(move, str) else move
        other = typed.setdefault(folded, move)
        if other != move:
            same = f"{other!r} and {move!r} are the same move when typed"
            raise check.fault(same, "duplicate-moves")
    if len(typed) < len(moves):
        raise check.fault(f"moves() lists a move twice: {brief(moves)}", "duplicate-moves")
    return moves


def check_move_format(check: Checker, state: Any, move: Move) -> None:
    """A move is an integer, or a string that can be typed and confused with nothing else."""
    if isinstance(move, int):
        return
    short = 0 < len(move) <= LONGEST_MOVE
    if not (short and move.isprintable() and {" ", ","}.isdisjoint(move)):
        wanted = f"1 to {LONGEST_MOVE} printable characters, without spaces or commas"
        raise check.fault(f"a move must have {wanted}, not {brief(repr(move))}", "bad-moves")
    if move.casefold() in RESERVED:
        taken = "it is a command of the prompt; choose another word"
        raise check.fault(f"{move!r} cannot be a move {at(state)}: {taken}", "bad-moves")
    try:
        number = read_whole(move)
    except UnreadableMove:
        return
    wrong = f"a move that is a number must be an integer: {number}, not {move!r}"
    raise check.fault(wrong, "bad-moves")


def check_outcome(check: Checker, state: Any, moves: tuple[Move, ...]) -> None:
    """The game is over exactly if there are no moves, and then won or drawn."""
    outcome = check.call_twice(check.game.outcome, state)
    if outcome is None:
        if not moves:
            stuck = f"there are no moves and outcome() is None {at(state)}"
            raise check.fault(f"{stuck}; return a move or an Outcome", "stuck")
        return
    if moves:
        listed = f"the game is over {at(state)}, but moves() returns {brief(moves)}; return ()"
        raise check.fault(listed, "moves-after-the-end")
    if not (hasattr(outcome, "winner") and hasattr(outcome, "reason")):
        wanted = "outcome() must return Outcome(winner, reason) or None"
        raise check.fault(f"{wanted}, not {brief(outcome)}", "bad-outcome")
    winner, reason = outcome.winner, outcome.reason
    if winner is not None and not (type(winner) is int and winner in (0, 1)):
        wanted = "the winner must be 0 or 1, or None for a draw"
        raise check.fault(f"{wanted}, not {brief(repr(winner))}", "bad-winner")
    if not (isinstance(reason, str) and reason.strip()):
        wanted = "an outcome needs a reason, such as 'three in a row'"
        raise check.fault(f"{wanted}, not {reason!r}", "bad-outcome")


def check_legality(check: Checker, state: Any, moves: tuple[Move, ...]) -> None:
    """Listed moves are legal, and no other is; an objection is a sentence."""
    complete = check.call(check.game.lists_all, state)
    kinds, listed = set(map(type, moves)), set(moves)  # which may be thousands
    near = [move + step for move in moves[:20] if isinstance(move, int) for step in (-1, 1)]
    for move in dict.fromkeys((*moves, *NUMBERS, *TEXTS, *near)):
        legal = check.call(check.game.is_legal, state, move)
        if move in listed and not legal:
            raise check.fault(
                f"{move!r} is in moves() {at(state)}, but is_legal() refuses it", "bad-legality"
            )
        if move in listed or not complete:
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
    """Playing a move returns a proper state, always the same; the first is unchanged."""
    before, check.move = repr(state), move
    after = check.call_twice(check.game.play, state, move)
    if repr(state) != before:
        changed = f"play() must not change the state passed to it {at(state)}"
        raise check.fault(changed, "changes-its-state")
    if not check.is_sound(after):
        check_state(check, after, "play()", state, move)
        check.sound.add(after)
    check.move = None
    return after


def check_state(check: Checker, state: Any, source: str, *asked: Any) -> None:
    """A state is a NamedTuple of plain values with a player, and survives JSON.

    It was returned by `source`, perhaps for a state and a move.
    """

    def fault(message: str, advice: str = "", code: RuleCode = "bad-state") -> Nonconforming:
        move = f" of {asked[1]!r}" if len(asked) > 1 else ""
        where = f" {at(asked[0])}" if asked else ""
        shown = f"{brief(repr(state), 100)}, from {source}{move}{where}"
        return check.fault(f"{message}{shown}{advice}", code)

    if not (isinstance(state, tuple) and hasattr(state, "_fields")):
        write = "; write class State(NamedTuple), with a field 'player'"
        raise fault("a state must be a NamedTuple, not ", write)
    if "player" not in state._fields:
        raise fault("a state needs a field 'player', 0 or 1: ")
    if state.player not in (0, 1):  # type: ignore[attr-defined]
        raise fault("the player to move must be 0 or 1: ", code="bad-player")
    for name, leaf in leaves(state):
        if leaf is None or type(leaf) is int:
            continue
        if type(leaf) is not str:
            held = f"a state holds integers, strings, None and tuples of them; {name} is "
            advice = "; put tuple() around it" if isinstance(leaf, list) else ""
            raise fault(f"{held}{brief(repr(leaf))}: ", advice)
        if len(leaf) > LONGEST_TEXT:
            raise fault(f"a string in a state has at most {LONGEST_TEXT} characters: ")
    if not all(map(is_plain, state)):
        raise fault("only plain tuples may be nested in a state: ")
    if type(state) is not type(check.game.initial()):
        raise fault("all states must be of one class, that of initial(): ")
    if read_state(check.game, json.loads(json.dumps(state))) != state:
        raise fault("a state does not survive JSON: ")


def check_symmetry(check: Checker, state: Any) -> list[Any]:
    """States that canonical() makes equal have equal outcomes, and moves to equal states."""
    canonical = check.game.canonical
    same = check.call(canonical, state)
    check_state(check, same, "canonical()", state)
    again = check.call(canonical, same)
    if again != same:
        raise check.fault(
            f"canonical() returns {brief(same, 100)} {at(state)}, but {brief(again, 100)} for "
            "that in turn; it must return its own result unchanged",
            "bad-symmetry",
        )
    ends, following, after = [], [], []
    # Seats may be exchanged as well: everything is seen by the player to move.
    for here in dict.fromkeys((same, state)):
        end = check.call(check.game.outcome, here)
        moves = check.call(check.game.moves, here)
        after = [check.call(check.game.play, here, move) for move in moves]
        ends.append(end and (None if end.winner is None else end.winner == here.player,))
        following.append(
            Counter((check.call(canonical, then), then.player == here.player) for then in after)
        )
    equal = f"canonical() returns {brief(same, 100)} {at(state)}, but its"
    if ends[0] != ends[-1]:
        raise check.fault(f"{equal} outcome differs", "bad-symmetry")
    if following[0] != following[-1]:
        raise check.fault(f"{equal} moves lead to positions that are not equal", "bad-symmetry")
    return after


def check_turns(check: Checker, states: Collection[Any], ends: Collection[Any]) -> None:
    """Both players move, unless the game is over after the first move."""
    if len(states) - len(ends) > 1 and not any(state.player for state in states):
        raise check.fault(
            f"the second player never has a turn in the {len(states):,} positions checked; "
            "play() must return a state with the next player, usually 1 - state.player",
            "bad-player",
        )
