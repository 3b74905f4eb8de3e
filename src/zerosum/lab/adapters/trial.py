"""Decide what a state of an environment holds, and test that on games."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, repeat, takewhile
from random import Random
from time import process_time
from typing import Any, NamedTuple

from zerosum.errors import GameError
from zerosum.lab.adapters import Notice
from zerosum.lab.adapters.attributes_read import Reads, reads_of
from zerosum.lab.adapters.running import (
    NOTHING,
    Answer,
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
from zerosum.limits import CONFIRM_SECONDS, PROBE_SECONDS, TRIAL_SECONDS

GAMES, PLIES, SWAPS = 10, 25, 2
# How often a move that is not listed is tried.
PROBES = 300
# Random games played before a table is begun and after; the most moves of each.
TRIAL_GAMES, CONFIRM_GAMES, TRIAL_PLIES = 400, 100, 200
# A start drawn from few may be the same again with another seed.
OTHER_SEEDS = 12
# Attributes of every environment that are not part of its rules.
FRAMEWORK = {
    *("_np_random", "_np_random_seed", "action_space", "observation_space", "metadata"),
    *("np_random", "render_mode", "reward_range", "spec"),
}
# The usual names of the attribute that says whose turn it is.
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
    """A position of a game that an environment played, and what its move brought."""

    values: Values
    move: int | None = None
    moves: tuple[int, ...] = ()
    answer: Answer = NOTHING
    after: Values = {}  # noqa: RUF012 (never changed)


def make_simulator(make: Make, seed: int, notices: dict[str, Notice]) -> Simulator:
    """Find out what an environment's states hold; fill in what is odd."""
    try:
        env = start(make, seed)
    except GameError as error:
        notices.setdefault("crash", Notice(str(error)))
        raise
    reads = reads_of(type(env))
    if reads.restless:
        _refuse(notices, "hidden-state", f"{reads.restless} gives a different answer every time.")
    shared, codecs = shared_values(env), dict[str, Codec]()
    _add_codecs(env, vars(env), codecs)
    # Some attributes are set only at the end of a game.
    _add_codecs(env, dict.fromkeys(sorted(reads.stored - vars(env).keys())), codecs)
    games = _sample_games(make, seed, codecs)
    if name := changed_name(env, shared):
        _refuse(notices, "hidden-state", f"The rules change {name}, which no state holds.")
    first = games[0][0].values
    if any(game[0].values != first for game in games):
        _refuse(notices, "not-deterministic", "The environment starts differently every time.")
    for counted in (reads, reads._replace(read=None)):
        simulator = _simulator(start(make, seed), codecs, games, counted)
        positions: Positions = {}
        if _agrees(simulator, games, positions) or "not-deterministic" in simulator.notices:
            break
    else:
        if _sample_games(make, seed, codecs, chance=99) != games:
            message = f"The same moves lead to different positions; {NO_VALUE}"
            _refuse(notices, "not-deterministic", message)
        unheld = sorted((reads.read or set()) & vars(env).keys() - codecs.keys() - FRAMEWORK)
        more = "more than the attributes"
        if unheld:
            more = f"{unheld[0]}, which no state can hold"
        _refuse(notices, "hidden-state", f"What happens depends on {more}.")
    notices.update(simulator.notices)
    simulator.notices, simulator.shared = notices, shared
    _probe(simulator, positions)
    fixed = _fixed_turn(games)
    if fixed and not simulator.turn:
        message = f"The attribute {fixed} should say whose turn it is, but never changes."
        simulator.note("turn-never-changes", message, simulator.first)
    others = (start(make, seed + number) for number in range(1, OTHER_SEEDS + 1))
    if any(_values(other, codecs) != first for other in others):
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
    """Let new environments play a few games, and compare with what was found.

    `after` has the state that was found after a move. Whatever the rules keep elsewhere shows,
    since by now many other moves were made.
    """
    if name := simulator.changed():
        message = f"The rules change {name}, which no state holds."
        simulator.refuse("hidden-state", message, simulator.first)
    until = process_time() + CONFIRM_SECONDS
    for number in range(CONFIRM_GAMES):
        env, rng = start(make, seed), Random(number)  # noqa: S311
        with quiet(), seeded(0, env):
            plies = takewhile(lambda _: process_time() < until, _plies(env, simulator.codecs, rng))
            game = list(islice(plies, TRIAL_PLIES))
        if different := _difference(simulator, game, after):
            simulator.refuse("hidden-state", DIFFERS, *different)


def _simulator(
    env: Any, codecs: dict[str, Codec], games: list[list[Ply]], reads: Reads
) -> Simulator:
    """Make the simulator whose states have what is read and changes."""
    first, fixed = games[0][0].values, frozenset[str]()
    if reads.read is not None:
        plies = [ply.values for game in games for ply in game]
        same = (name for name in first if all(first[name] == ply.get(name) for ply in plies))
        fixed = frozenset(same) - reads.stored
    names = [name for name in codecs if reads.read is None or name in reads.read - fixed]
    turn, seats = _turn(games)
    return Simulator(env, codecs, tuple(names), turn, seats, fixed, reads.chance, {})


def _refuse(notices: dict[str, Notice], code: str, message: str) -> None:
    """Remember why an environment cannot be used, and say so."""
    notices.setdefault(code, Notice(message))
    raise GameError(message)


def _add_codecs(env: Any, attributes: dict[str, Any], codecs: dict[str, Codec]) -> None:
    """Choose how to write attributes; those that cannot be written stay."""
    for name, value in attributes.items():
        if name not in codecs and name not in FRAMEWORK:
            codec = Codec(value, type(env).__module__)
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


def _sample_games(
    make: Make, seed: int, codecs: dict[str, Codec], chance: int = 7
) -> list[list[Ply]]:
    """Let environments play random games, and the same with two moves of a player swapped.

    Swapped moves often lead to the same position, which must then go on alike.
    """
    games = []
    for number in range(GAMES):
        rng, line = Random(number), list[int]()  # noqa: S311
        for _ in range(1 + SWAPS):
            env = start(make, seed)
            with quiet(), seeded(chance, env):
                games.append(list(islice(_plies(env, codecs, rng, line), PLIES)))
            line = [ply.move for ply in games[-1] if ply.move is not None]
            if len(line) > 2:
                place = rng.randrange(len(line) - 2)
                line[place], line[place + 2] = line[place + 2], line[place]
    return games


def _plies(
    env: Any, codecs: dict[str, Codec], rng: Random, line: Sequence[int] = ()
) -> Iterator[Ply]:
    """Let an environment play the legal moves of a line, or random ones."""
    values = _values(env, codecs)
    for planned in chain(line, repeat(None)):
        try:
            moves, _ = legal_moves(env.valid_moves())
            move = planned if planned in moves else rng.choice(moves)
            answer = read_answer(env.step(move))
            after = _values(env, codecs)
        except (Exception, SystemExit):
            yield Ply(values)
            return
        yield Ply(values, move, moves, answer, after)
        if answer.ended:
            return
        values = after


def _difference(
    simulator: Simulator,
    game: Iterable[Ply],
    play: Callable[[Any, Any], Any],
    positions: Positions | None = None,
) -> tuple[Any, int | None] | None:
    """Replay a game, and return the first state and move that differ; fill in its positions."""
    state = simulator.first
    for ply in game:
        if simulator.moves(state) != ply.moves:
            return state, None
        if ply.move is None:
            break
        if positions is not None:
            positions[state] = ply.moves
        before, state = state, play(state, ply.move)
        expected = simulator.after(before, ply.move, ply.answer, ply.after)
        # The same move must do the same again: nothing may be remembered elsewhere.
        if state != expected or play(before, ply.move) != state:
            return before, ply.move
    return None


def _agrees(simulator: Simulator, games: list[list[Ply]], positions: Positions) -> bool:
    """Return whether the simulator plays the same games; fill in their positions."""
    # What failed there fails in the simulator too, which reports it.
    played = [[ply for ply in game if ply.move is not None] for game in games]
    try:
        return not any(_difference(simulator, game, simulator.play, positions) for game in played)
    except GameError:
        return False


def _turn(games: list[list[Ply]]) -> tuple[str, tuple[Plain, ...]]:
    """Find the attribute that says whose turn it is: it has two values."""
    for name in TURN_NAMES:
        found = dict.fromkeys(ply.values.get(name, UNSET) for game in games for ply in game)
        if len(found) == 2 and None not in found and UNSET not in found:
            return name, tuple(found)
    return "", ()


def _fixed_turn(games: list[list[Ply]]) -> str | None:
    """Name an attribute that should say whose turn it is, but never changes."""
    later = [ply for game in games for ply in game[1:]]
    for name in CLEAR_TURN_NAMES:
        found = {ply.values.get(name, UNSET) for ply in (games[0][0], *later)}
        if later and len(found) == 1 and UNSET not in found:
            return name
    return None


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
