"""What is wrong with a game: broken rules, and games that are not worth playing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from zerosum.bulk.chain import Chain
from zerosum.bulk.lines import Lines
from zerosum.errors import GameError
from zerosum.lab.audit.document import Fault, Severity
from zerosum.lab.audit.rules.exploration import explore, first_difference, lines_to
from zerosum.limits import CHECKED_POSITIONS
from zerosum.protocol import Game, Move, Notice
from zerosum.solver import table_of
from zerosum.solver.solution import Solution
from zerosum.solver.table import DRAWN, OPEN, StateGraph
from zerosum.testing.checker import Late
from zerosum.text import brief, counted

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags

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
# The positions of an environment that are asked about again; new ones have played games by then.
MOST_AGAIN = 2_000
ASKED_ONCE = "The rules were not asked again in all positions"
STUCK = "There is no legal move, but the game has not ended."


class RuleFaults(NamedTuple):
    """What is wrong with the rules; and if that was not checked to the end, how far it got."""

    found: tuple[Fault, ...]
    unfinished: str = ""


def rule_faults(
    game: Game[Any],
    solution: Solution[Any] | None = None,
    limit: int = CHECKED_POSITIONS,
    seconds: float | None = None,
) -> RuleFaults:
    """Return what is wrong with the rules of a variant.

    They are checked in the first `limit` positions, breadth first. With a solution that has a
    table, they are asked again in all its positions, and must answer the same. `seconds` is for
    asking slow rules again, half of it for the check.
    """
    table = None if solution is None or solution.solved is None else solution.solved.graph
    if game.adapter.is_foreign:
        notices = dict(game.adapter.notices)
        if table is not None:
            _add_from_table(notices, game, table)
        states = [notice.state for notice in notices.values() if notice.state is not None]
        return RuleFaults(tuple(_from_notices(notices, lines_to(game, states, limit))))
    half = None if seconds is None else seconds / 2
    explored = explore(game, limit, half)
    if explored.late:
        done = f"only {counted(explored.positions, 'position')} within {half:g} seconds"
        return RuleFaults(explored.faults, f"The rules were checked in {done}.")
    try:
        if not explored.faults and table is not None:
            different = first_difference(game, table, seconds)
            if different is not None:  # which is looked at closely
                message = "The rules answer differently when asked again."
                differs = Fault("not-deterministic", message, None, "error")
                near = explore(game, 2 * (different + 1), seconds).faults
                return RuleFaults(near or (differs,))
    except Late:
        return RuleFaults((), f"{ASKED_ONCE} within {seconds:g} seconds.")
    return RuleFaults(explored.faults)


def table_faults(solution: Solution[Any], chain: Chain) -> tuple[Fault, ...]:
    """Judge a game by all its positions; `chain` is that of the solution.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> solution = zerosum.solve(zerosum.game("divisor-duel", start=2))
    >>> [fault.code for fault in table_faults(solution, chain_of(solution))]
    ['one-side-cannot-win', 'no-choice', 'no-decision-matters', 'decided-at-once']
    """
    graph = _Graph(solution, chain)
    return (*_about_ends(graph), *_about_decisions(graph))


def worst_first(found: Iterable[Fault]) -> tuple[Fault, ...]:
    """Sort faults by their severity."""
    return tuple(sorted(found, key=lambda fault: get_args(Severity).index(fault.severity)))


def is_broken(found: Iterable[Fault]) -> bool:
    """Return whether the rules are broken, so that no value can be trusted."""
    return any(fault.severity == "error" for fault in found)


def trial_faults(game: Game[Any]) -> tuple[Fault, ...]:
    """Return what random games show, and what was noticed before; a table takes much longer."""
    with suppress(GameError):  # which was noticed
        lines = game.adapter.play_trial_games()
        return tuple(_from_notices(game.adapter.notices, lines))
    return tuple(_from_notices(game.adapter.notices, {}))


def _add_from_table(notices: dict[str, Notice], game: Game[Any], table: StateGraph[Any]) -> None:
    """Add what only the table of an environment shows."""
    states, different = list(table.states()), first_difference(game, table, most=MOST_AGAIN)
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
    """Turn what an environment noticed into faults, with the lines of moves that lead there."""
    for code, (message, state, move) in notices.items():
        witness = () if state is None else lines.get(state)
        if witness is not None and move is not None:
            witness = (*witness, move)
        yield Fault(code, message, witness, _severity(code))  # type: ignore[arg-type]


def _severity(code: str) -> Severity:
    """Return how serious a notice is."""
    return "notice" if code in NOTICES else "warning" if code in WARNINGS else "error"


class _Graph:
    """The reachable part of a chain, with the lines of moves that lead through it."""

    def __init__(self, solution: Solution[Any], chain: Chain) -> None:
        self.game, self.solved, self.table = solution.game, table_of(solution), chain.table
        self.np, self.start = chain.np, chain.table.start
        self.sizes = self.np.diff(self.table.offsets)
        self.reached = self.table.reachable
        self.ends = self.reached & (self.sizes == 0)

    def count(self, states: Flags) -> int:
        """Count positions; those that are equal by symmetry once, as everywhere."""
        numbers = self.np.flatnonzero(states)
        return len(self.np.unique(numbers // 2) if self.table.symmetric else numbers)

    def line_to(self, wanted: Flags) -> tuple[Move, ...]:
        """Return a shortest line of moves to one of some positions that can be reached."""
        lines = Lines(self.table)
        states = self.np.flatnonzero(wanted & (lines.plies >= 0))
        nearest = states[lines.plies[states].argmin()]
        return self.moves_along(lines.states_to(int(nearest))[1:])

    def only_line(self, allowed: Flags) -> tuple[Move, ...]:
        """Return the line that takes the first allowed edge, to an end or the first repetition."""
        table, path, seen = self.table, [self.start], {self.start}
        while True:
            first, last = (int(table.offsets[path[-1] + step]) for step in (0, 1))
            following = table.targets[first:last][allowed[first:last]]
            if not len(following):
                break
            path.append(int(following[0]))
            if path[-1] in seen:
                break
            seen.add(path[-1])
        return self.moves_along(path[1:])

    def moves_along(self, path: Iterable[int]) -> tuple[Move, ...]:
        """Return the moves that lead from the start through these positions."""
        game, line = self.game, []
        state = game.initial()
        for number in path:
            after = ((move, game.play(state, move)) for move in game.moves(state))
            move, state = next(
                (move, then) for move, then in after if self.table.index_of(then) == number
            )
            line.append(move)
        return tuple(line)


def _about_ends(graph: _Graph) -> Iterator[Fault]:
    """Judge how a game can end."""
    np, table, worth = graph.np, graph.table, graph.solved.worth
    if worth[graph.start >> table.symmetric] == OPEN:
        still = np.repeat(worth == OPEN, 1 + table.symmetric)
        yield Fault(
            "endless",
            "Under best play the game never ends: neither player can force an end without losing.",
            graph.only_line(still[table.targets]),
            "warning",
            graph.count(still & graph.reached),
        )
    trapped = graph.reached & table.without_end
    if trapped.any():
        count = graph.count(trapped)
        message = f"From {count:,} position{'s' * (count > 1)} no end can be reached."
        yield Fault("never-ends", message, graph.line_to(trapped), "warning", count)
    winners = {int(winner) for winner in np.unique(table.winner[graph.ends])} - {DRAWN}
    if not winners:
        which = "Every end is a draw" if graph.ends.any() else "No end can be reached"
        yield Fault("nobody-can-win", f"{which}, so nobody can win.", None, "warning")
    elif len(winners) == 1:
        loser = ("second", "first")[winners.pop()]
        message = f"The {loser} player cannot win: no end that can be reached is a win for them."
        yield Fault("one-side-cannot-win", message, None, "warning")


def _about_decisions(graph: _Graph) -> Iterator[Fault]:
    """Judge whether it matters what the players do."""
    np, table = graph.np, graph.table
    matters = graph.reached & table.critical
    if int(graph.sizes[graph.reached].max()) <= 1:
        every = np.ones(len(table.targets), bool)
        message = "There is never a choice: no position has more than one legal move."
        yield Fault("no-choice", message, graph.only_line(every), "warning")
    if not matters.any():
        message = "No decision matters: in every position, all moves have the same result."
        yield Fault("no-decision-matters", message, None, "warning")
    own = slice(*table.offsets[[graph.start, graph.start + 1]])
    first, values = table.targets[own], table.value[graph.start] - table.regret[own]
    wins = values > 0
    at_once = wins & (graph.sizes[first] == 0)
    if at_once.any():
        witness = graph.moves_along([int(first[at_once][0])])
        message = f"The first player can win with the first move, {brief(witness[0])}."
        yield Fault("decided-at-once", message, witness, "warning")
    again = (graph.reached[table.sources] & (table.targets == graph.start)).any()
    if matters[graph.start] and matters.sum() == 1 and not again:
        best = wins if wins.any() else values == 0
        witness = graph.moves_along([int(first[best][0])])
        message = "The first move decides: after it, no decision matters."
        yield Fault("first-move-decides", message, witness, "warning")
