"""Decide what a state of an environment holds, and test that on a few games."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from time import process_time
from typing import Any, NamedTuple

from zerosum.errors import GameError
from zerosum.lab.adapters import Notice
from zerosum.lab.adapters.reads import EVERYTHING, Reads, reads_of
from zerosum.lab.adapters.running import (
    Make,
    legal_moves,
    quiet,
    read_answer,
    seeded,
    start,
)
from zerosum.lab.adapters.simulator import NO_VALUE, Simulator
from zerosum.lab.adapters.snapshots import (
    UNSET,
    Codec,
    Plain,
    Unencodable,
    changed_name,
    shared_values,
)
from zerosum.lab.adapters.transpositions import same_after_transpositions

GAMES, PLIES, STEPS = 10, 60, 250
# How often a move that is not listed is tried, and for how long at most.
PROBES, PROBE_SECONDS = 300, 0.2
# Random games that are played before a table is begun, the most moves of each, and the most time.
TRIAL_GAMES, TRIAL_PLIES, TRIAL_SECONDS = 400, 200, 0.3
CONFIRM_GAMES, CONFIRM_SECONDS = 100, 0.1
# A start drawn from few may be the same again with another seed.
OTHER_SEEDS = 12
# Attributes of every environment that are not part of its rules.
FRAMEWORK = {
    *("_np_random", "_np_random_seed", "action_space", "observation_space", "metadata"),
    *("np_random", "render_mode", "reward_range", "spec"),
}
# The usual names of the attribute that says whose turn it is, the clearest first.
CLEAR_TURN_NAMES = (
    *("current_player", "player_to_move", "to_move", "side_to_move", "whose_turn", "player_turn"),
    *("turn_player", "active_player", "current_turn", "current_player_index", "current_player_idx"),
    "current_player_id",
)
TURN_NAMES = (
    *CLEAR_TURN_NAMES,
    *("player", "turn", "current", "mover", "player_id", "is_player1_turn", "player1_turn"),
    *("_current_player", "_player", "_turn", "_to_move"),
)
DIFFERS = "The environment depends on more than its attributes: replayed, it differs."
Values = dict[str, Plain]
Positions = dict[Any, tuple[int, ...]]


class Ply(NamedTuple):
    """A position of a game that the environment played by itself, and the move made there."""

    values: Values
    moves: tuple[int, ...] = ()
    move: int | None = None
    ended: bool = False
    reward: float = 0.0


def make_simulator(make: Make, seed: int, notices: dict[str, Notice]) -> Simulator:
    """Find out what the states of an environment hold; fill in what is odd."""
    try:
        env = start(make, seed)
    except GameError as error:
        notices.setdefault("crash", Notice(str(error)))
        raise
    reads = reads_of(type(env))
    if reads.restless:
        _refuse(notices, "hidden-state", f"{reads.restless} gives a different answer every time.")
    shared = shared_values(env)
    for counted in (reads, reads._replace(read=None, ordered=None, inner=None)):
        found: dict[str, Notice] = {}
        codecs = _codecs(env, counted)
        games = [_sample(make, seed, number, codecs) for number in range(GAMES)]
        if name := changed_name(env, shared):
            _refuse(notices, "hidden-state", f"The rules change {name}, which no state holds.")
        if any(game[0].values != games[0][0].values for game in games):
            _refuse(notices, "not-deterministic", "The environment starts differently every time.")
        simulator = _simulator(env, codecs, games, counted, found)
        positions: Positions = {}
        if _agrees(simulator, games, positions):
            if counted.read is None or _sound(simulator, make, seed, games):
                break
        elif "not-deterministic" in found:
            break
        env = start(make, seed)
    else:
        again = [_sample(make, seed, number, codecs, chance=99) for number in range(GAMES)]
        if again != games:
            message = f"The same moves lead to different positions; {NO_VALUE}"
            _refuse(notices, "not-deterministic", message)
        unheld = sorted((reads.read or set()) & vars(env).keys() - codecs.keys() - FRAMEWORK)
        more = f"{unheld[0]}, which no state can hold" if unheld else "more than the attributes"
        _refuse(notices, "hidden-state", f"What happens depends on {more}.")
    notices.update(found)
    simulator.notices, simulator.shared = notices, shared
    _probe(simulator, positions)
    fixed = _fixed_turn(games)
    if fixed and not simulator.turn:
        message = f"The attribute {fixed} should say whose turn it is, but never changes."
        simulator.note("turn-never-changes", message, simulator.first)
    others = (start(make, seed + number) for number in range(1, OTHER_SEEDS + 1))
    if any(_values(other, codecs) != games[0][0].values for other in others):
        message = "The start is random; the option seed chooses another one."
        simulator.note("random-start", message, simulator.first)
    return simulator


def play_trial_games(simulator: Simulator) -> dict[Any, tuple[int, ...]]:
    """Play random games, so that what is odd is noticed; return a line of moves to each notice."""
    until = process_time() + TRIAL_SECONDS
    lines: dict[Any, tuple[int, ...]] = {}
    for number in range(TRIAL_GAMES):
        # The first games are those of the sample, in which something may have been noticed too.
        rng, state = Random(number), simulator.first  # noqa: S311
        path: dict[Any, int] = {state: 0}
        line: list[int] = []
        # What fails has been noticed.
        with suppress(GameError):
            while len(line) < TRIAL_PLIES and process_time() < until:
                moves = simulator.moves(state)
                if not moves:
                    break
                line.append(rng.choice(moves))
                state = simulator.play(state, line[-1])
                path.setdefault(state, len(line))
        for notice in simulator.notices.values():
            if notice.state in path:
                lines.setdefault(notice.state, tuple(line[: path[notice.state]]))
        if process_time() >= until:
            break
    return lines


def confirm(make: Make, seed: int, simulator: Simulator, after: Callable[[Any, Any], Any]) -> None:
    """Let new environments play a few games, and compare them with what was found.

    `after` has the state that was found after a move. Whatever the rules keep elsewhere shows,
    since by now many other moves were made.
    """
    if name := simulator.changed():
        message = f"The rules change {name}, which no state holds."
        simulator.refuse("hidden-state", message, simulator.first)
    until = process_time() + CONFIRM_SECONDS
    for number in range(CONFIRM_GAMES):
        state, rng = simulator.first, Random(number)  # noqa: S311
        env = start(make, seed)
        while state is not None and state.end is None and process_time() < until:
            state = _confirm_move(env, state, rng, simulator, after)


def _confirm_move(
    env: Any, state: Any, rng: Random, simulator: Simulator, after: Callable[[Any, Any], Any]
) -> Any:
    """Make a move in an environment, and compare; return the state that follows, if any."""
    expected = simulator.moves(state)
    try:
        with quiet(), seeded(0, env):
            moves, _ = legal_moves(env.valid_moves(), None)
            move = rng.choice(expected) if expected else None
            answer = read_answer(env.step(move)) if moves == expected and expected else None
    except (Exception, SystemExit):
        moves, answer = (), None
    if moves != expected or (expected and answer is None):
        simulator.refuse("hidden-state", DIFFERS, state)
    if answer is None or move is None:
        return None
    then = after(state, move)
    if not simulator.shows(env, state, move, answer, then):
        simulator.refuse("hidden-state", DIFFERS, state, move)
    return then


def _simulator(
    env: Any,
    codecs: dict[str, Codec],
    games: list[list[Ply]],
    reads: Reads,
    notices: dict[str, Notice],
) -> Simulator:
    """Make the simulator whose states have the attributes that are read and change."""
    first, fixed = games[0][0].values, frozenset[str]()
    if reads.read is not None:
        plies = [ply.values for game in games for ply in game]
        same = (name for name in first if all(first[name] == ply.get(name) for ply in plies))
        fixed = frozenset(same) - reads.stored
    names = [name for name in codecs if reads.read is None or name in reads.read - fixed]
    turn, seats = _turn(games)
    return Simulator(env, codecs, tuple(names), turn, seats, fixed, reads.chance, notices)


def _sound(simulator: Simulator, make: Make, seed: int, games: list[list[Ply]]) -> bool:
    """Return whether what the states leave out makes no difference in a few games."""
    env, everything = start(make, seed), EVERYTHING._replace(chance=False)
    full = _simulator(env, _codecs(env, everything), games, everything, {})
    lines = [[ply.move for ply in game if ply.move is not None] for game in games]
    with seeded(seed):
        return same_after_transpositions(simulator, full, lines)


def _refuse(notices: dict[str, Notice], code: str, message: str) -> None:
    """Remember why an environment cannot be used, and say so."""
    notices.setdefault(code, Notice(message))
    raise GameError(message)


def _codecs(env: Any, reads: Reads) -> dict[str, Codec]:
    """Choose how each attribute is written; those that cannot be are left as they are."""
    codecs: dict[str, Codec] = {}
    _add_codecs(env, vars(env), codecs, reads)
    # Some are set only at the end of a game.
    _add_codecs(env, dict.fromkeys(sorted(reads.stored - vars(env).keys())), codecs)
    return codecs


def _add_codecs(
    env: Any, attributes: dict[str, Any], codecs: dict[str, Codec], reads: Reads = EVERYTHING
) -> None:
    """Choose how attributes are written that have not been seen yet."""
    for name, value in attributes.items():
        if name not in codecs and name not in FRAMEWORK:
            counts = [names is None or name in names for names in (reads.ordered, reads.inner)]
            codec = Codec(value, type(env).__module__, *counts)
            with suppress(Unencodable, RecursionError):
                codec.encode(value)
                codecs[name] = codec


def _values(env: Any, codecs: dict[str, Codec]) -> Values:
    """Write all attributes of an environment."""
    attributes = vars(env)
    _add_codecs(env, attributes, codecs)
    return {
        name: codec.encode(attributes[name]) for name, codec in codecs.items() if name in attributes
    }


def _sample(
    make: Make,
    seed: int,
    number: int,
    codecs: dict[str, Codec],
    chance: int = 7,
) -> list[Ply]:
    """Let the environment play a random game by itself."""
    env, rng = start(make, seed), Random(number)  # noqa: S311
    game = []
    try:
        with quiet(), seeded(chance, env):
            for _ in range(min(PLIES, STEPS // GAMES)):
                values = _values(env, codecs)
                moves, _ = legal_moves(env.valid_moves(), None)
                if not moves:
                    game.append(Ply(values))
                    break
                move = rng.choice(moves)
                game.append(Ply(values, moves, move))
                answer = read_answer(env.step(move))
                game[-1] = game[-1]._replace(ended=answer.ended, reward=answer.reward)
                if answer.ended:
                    break
    except (Exception, SystemExit):
        # What fails here fails in the simulator too, and is reported from there.
        game = [*game[:-1], game[-1]._replace(move=None)] if game else [Ply(_values(env, codecs))]
    return game


def _turn(games: list[list[Ply]]) -> tuple[str | None, tuple[Plain, Plain] | None]:
    """Find the attribute that says whose turn it is: one that has two values."""
    for name in TURN_NAMES:
        found = dict.fromkeys(ply.values.get(name, UNSET) for game in games for ply in game)
        if len(found) == 2 and None not in found and UNSET not in found:
            first, second = found
            return name, (first, second)
    return None, None


def _fixed_turn(games: list[list[Ply]]) -> str | None:
    """Name an attribute that should say whose turn it is, and has one value in all positions."""
    later = [ply for game in games for ply in game[1:]]
    for name in CLEAR_TURN_NAMES:
        found = {ply.values.get(name, UNSET) for ply in (games[0][0], *later)}
        if later and len(found) == 1 and UNSET not in found:
            return name
    return None


def _agrees(simulator: Simulator, games: list[list[Ply]], positions: Positions) -> bool:
    """Return whether the simulator plays the same games; fill in their positions."""
    try:
        return all(_same(simulator, game, positions) for game in games)
    except GameError:
        return False


def _same(simulator: Simulator, game: list[Ply], positions: Positions) -> bool:
    """Replay one game, and compare."""
    state = simulator.first
    for ply in game:
        expected = [ply.values.get(name, UNSET) for name in simulator.names]
        if list(state[: len(expected)]) != expected:
            return False
        if ply.move is None:
            return True
        if simulator.moves(state) != ply.moves:
            return False
        positions[state] = ply.moves
        before, state = state, simulator.play(state, ply.move)
        # Made again, the same move must do the same: nothing may be remembered elsewhere.
        if (state.end is not None) != ply.ended or simulator.play(before, ply.move) != state:
            return False
    return True


def _probe(simulator: Simulator, positions: Positions) -> None:
    """Try moves that are not listed, if the action space has any."""
    actions = simulator.actions or range(0)
    each = -(-PROBES // max(1, len(positions)))
    until, rng = process_time() + PROBE_SECONDS, Random(0)  # noqa: S311
    tried = accepted = 0
    for state, moves in positions.items():
        if process_time() > until:
            break
        some = rng.sample(actions, min(len(actions), len(moves) + each))
        for action in [action for action in some if action not in moves][:each]:
            tried += 1
            accepted += simulator.probe(state, action, learn=True)
    if accepted:
        found = simulator.notices["illegal-move-accepted"]
        counts = f"{accepted} of the {tried} unlisted moves tried"
        message = f"The move is not legal, but the environment accepts it ({counts})."
        simulator.notices["illegal-move-accepted"] = found._replace(message=message)
