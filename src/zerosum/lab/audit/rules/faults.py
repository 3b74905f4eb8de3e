"""What is wrong with a game: broken rules, and games that are not worth playing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.bulk.chain import Chain
from zerosum.bulk.shortest_lines import Lines
from zerosum.errors import GameError
from zerosum.lab.adapters import EnvironmentGame, Notice
from zerosum.lab.audit.document import Fault, Severity
from zerosum.lab.audit.rules.exploration import RuleFaults, explore, first_difference, lines_to
from zerosum.limits import ASKED_POSITIONS, CHECKED, NONE, Limits
from zerosum.protocol import Game, Move, Value
from zerosum.solver import table_of
from zerosum.solver.solution import Solution
from zerosum.solver.table import DRAWN, OPEN, StateGraph
from zerosum.testing import NO_END, meets_end
from zerosum.testing.checker import Late
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Table

NOTICES = ("same-player-again", "duplicate-moves", "unsorted-moves", "old-step")
WARNINGS = (
    "stuck",  # an environment says itself how such a game ends
    "random-start",
    "out-of-range-move",
    "illegal-move-accepted",
    "legal-move-refused",
    "reward-without-end",
    "turn-never-changes",
)
# The most moves of a line followed to its end or first repetition.
WHOLE = 1 << 30
ASKED_ONCE = "The rules were not asked again in all positions"
STUCK = "There is no legal move, but the game has not ended."


def rule_faults(
    game: Game[Any],
    solution: Solution[Any] | None = None,
    limits: Limits = CHECKED,
) -> RuleFaults:
    """Return what is wrong with the rules of a variant.

    They are checked in the first positions, breadth first, up to the limits. With a solution that
    has a table, they are asked again in all its positions, and must answer the same. The seconds
    are for asking slow rules again, half of them for the check.
    """
    table = None if solution is None or solution.solved is None else solution.solved.graph
    if isinstance(game, EnvironmentGame):
        notices = dict(game.notices)
        if table is not None:
            _add_from_table(notices, game, table)
        states = [notice.state for notice in notices.values() if notice.state is not None]
        return RuleFaults(tuple(_from_notices(notices, lines_to(game, states, limits.positions))))
    found, unfinished = explore(game, limits.share(0.5))
    if found or unfinished or table is None:
        return RuleFaults(found, unfinished)
    try:
        different = first_difference(game, table, limits)
        if different is not None:  # which is looked at closely
            message = "The rules answer differently when asked again."
            differs = Fault("not-deterministic", message, None, "error")
            near = limits._replace(positions=2 * (different + 1))
            found = explore(game, near).found or (differs,)
    except Late:
        unfinished = f"{ASKED_ONCE} within {limits.seconds:g} seconds."
    return RuleFaults(found, unfinished)


def table_faults(solution: Solution[Any], chain: Chain) -> tuple[Fault, ...]:
    """Judge a game by all its positions; `chain` is that of the solution.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> solution = zerosum.solve(zerosum.game("divisor-duel", start=2))
    >>> [fault.code for fault in table_faults(solution, chain_of(solution))]
    ['one-side-cannot-win', 'no-choice', 'no-decision-matters', 'decided-at-once']
    """
    return (*_about_ends(solution, chain), *_about_decisions(solution, chain))


def no_end_met(game: Game[Any], limits: Limits = CHECKED) -> tuple[Fault, ...]:
    """Warn if nothing that was tried of a game without a table reached an end."""
    with suppress(Exception, SystemExit):  # a fault beyond the positions that are checked
        if not meets_end(game, limits.positions):
            return (Fault("no-end-met", NO_END, None, "warning"),)
    return ()


def is_broken(found: Iterable[Fault]) -> bool:
    """Return whether rules are so broken that no value can be trusted."""
    return any(fault.severity == "error" for fault in found)


def trial_faults(game: EnvironmentGame) -> tuple[Fault, ...]:
    """Return what random games show, and what was noticed before; a table takes much longer."""
    from zerosum.lab.adapters.trial import play_trial_games

    lines: Mapping[Any, tuple[Move, ...]] = {}
    with suppress(GameError):  # which was noticed
        lines = play_trial_games(game.simulator)
    return tuple(_from_notices(game.notices, lines))


def _add_from_table(notices: dict[str, Notice], game: Game[Any], table: StateGraph[Any]) -> None:
    """Add what only the table of an environment shows."""
    step = -(-len(table) // ASKED_POSITIONS)
    states = list(table.index)
    different = first_difference(game, table, NONE, step)
    if different is not None and all(_severity(code) != "error" for code in notices):
        message = "The environment behaves differently when the same moves are replayed."
        notices["not-deterministic"] = Notice(message, states[different])
    if "stuck" not in notices:
        ended = zip(states, table.ends, strict=True)
        stuck = next((state for state, end in ended if end != OPEN and state.end is None), None)
        if stuck is not None:
            notices["stuck"] = Notice(STUCK, stuck)


def _from_notices(
    notices: Mapping[str, Notice], lines: Mapping[Any, tuple[Move, ...]]
) -> Iterator[Fault]:
    """Turn what an environment noticed into faults, with the moves that lead there."""
    for code, (message, state, move) in notices.items():
        witness = () if state is None else lines.get(state)
        if witness is not None and move is not None:
            witness = (*witness, move)
        yield Fault(code, message, witness, _severity(code))  # type: ignore[arg-type]


def _severity(code: str) -> Severity:
    """Return how serious a notice is."""
    if code in NOTICES:
        return "notice"
    return "warning" if code in WARNINGS else "error"


def _about_ends(solution: Solution[Any], chain: Chain) -> Iterator[Fault]:
    """Judge how a game can end."""
    table, start = chain.table, solution.game.initial()
    if solution.value(start).endless:
        still = np.repeat(table_of(solution).worth == OPEN, 1 + table.symmetric)
        yield Fault(
            "endless",
            "Under best play the game never ends: neither player can force an end without losing.",
            _endless_line(solution),
            "warning",
            _count(table, still & table.reachable),
        )
    trapped = table.reachable & table.without_end
    if trapped.any():
        count = _count(table, trapped)
        message = f"From {count:,} position{'s' * (count > 1)} no end can be reached."
        yield Fault("never-ends", message, _line_to(table, trapped), "warning", count)
    ends = table.winner[table.reachable & (table.winner >= 0)]
    winners = set(np.unique(ends).tolist()) - {DRAWN}
    if not winners:
        which = "Every end is a draw" if len(ends) else "No end can be reached"
        yield Fault("nobody-can-win", f"{which}, so nobody can win.", None, "warning")
    elif len(winners) == 1:
        loser = ("second", "first")[winners.pop()]
        message = f"The {loser} player cannot win: no end that can be reached is a win for them."
        yield Fault("one-side-cannot-win", message, None, "warning")


def _endless_line(solution: Solution[Any]) -> tuple[Move, ...]:
    """Return an endless line of best play, to its first repetition."""
    game, state = solution.game, solution.game.initial()
    moves: list[Move] = []
    seen = set()
    while (same := game.canonical(state)) not in seen:
        seen.add(same)
        after = {move: game.play(state, move) for move in game.moves(state)}
        moves.append(next(move for move in after if solution.value(after[move]).endless))
        state = after[moves[-1]]
    return tuple(moves)


def _about_decisions(solution: Solution[Any], chain: Chain) -> Iterator[Fault]:
    """Judge whether it matters what the players do."""
    table, start = chain.table, solution.game.initial()
    matters = table.reachable & table.critical
    if np.diff(table.offsets)[table.reachable].max() <= 1:
        message = "There is never a choice: no position has more than one legal move."
        yield Fault("no-choice", message, solution.line(start, WHOLE), "warning")
    if not matters.any():
        message = "No decision matters: in every position, all moves have the same result."
        yield Fault("no-decision-matters", message, None, "warning")
    best = solution.line(start, 1)
    if solution.value(start) == Value("win", 1):
        message = f"The first player can win with the first move, {brief(best[0])}."
        yield Fault("decided-at-once", message, best, "warning")
    again = (table.reachable[table.sources] & (table.targets == table.start)).any()
    if matters[table.start] and matters.sum() == 1 and not again:
        message = "The first move decides: after it, no decision matters."
        yield Fault("first-move-decides", message, best, "warning")


def _count(table: Table[Any], states: Flags) -> int:
    """Count positions; those that are equal by symmetry once, as everywhere."""
    return len(np.unique(np.flatnonzero(states) >> table.symmetric))


def _line_to(table: Table[Any], wanted: Flags) -> tuple[Move, ...]:
    """Return a shortest line of moves to one of some reachable positions."""
    game, lines = table.game, Lines(table)
    states = np.flatnonzero(wanted)
    nearest = int(states[lines.plies[states].argmin()])
    moves: list[Move] = []
    state = game.initial()
    for number in lines.states_to(nearest)[1:]:
        after = {move: game.play(state, move) for move in game.moves(state)}
        moves.append(next(move for move in after if table.index_of(after[move]) == number))
        state = after[moves[-1]]
    return tuple(moves)
