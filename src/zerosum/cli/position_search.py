"""Search for the value of one position for a command: with progress, until Ctrl-C."""

from __future__ import annotations

from time import monotonic
from typing import Any, NamedTuple

from zerosum.cli.config import Settings
from zerosum.cli.solution import PositionCounter
from zerosum.coach.verdicts import PartialJudgement, judged_partly
from zerosum.protocol import Game, Move, Result, Value
from zerosum.solver.search import Budget, Search
from zerosum.solver.solution import OTHER

# The most positions that a search keeps in memory.
MOST_POSITIONS = 1_000_000
# The share of the time that goes to the position itself; the rest goes to its moves.
ROOT_SHARE = 0.7
# So long after the time is up, moves are still looked at: some end the game, which is seen at once.
GRACE = 1.0


class Found(NamedTuple):
    """What a search found out about a position, after how many positions and seconds."""

    value: Value | None
    moves: dict[Move, PartialJudgement]
    positions: int
    seconds: float
    stopped: bool


def search_position(settings: Settings, game: Game[Any], state: Any, seconds: float) -> Found:
    """Search for the value of a position, and then for those of its moves."""
    began, stopped = monotonic(), False
    with PositionCounter(settings) as progress:
        search, moves = Search(game, progress), game.moves(state)
        after: dict[Move, Any] = {}
        try:
            search.prove(state, Budget(MOST_POSITIONS, ROOT_SHARE * seconds))
            for move in moves:
                time = began + seconds - monotonic()
                if time < -GRACE:
                    break
                left = len(moves) - len(after)
                after[move] = game.play(state, move)
                nodes = max(0, MOST_POSITIONS - search.nodes) // left
                search.prove(after[move], Budget(nodes, max(0.0, time) / left))
        except KeyboardInterrupt:
            stopped = True
    result = search.known(state)
    value = None if result is None else Value(result)
    judged = {
        move: judged_partly(value, _worth(search, state, after.get(move), result)) for move in moves
    }
    return Found(value, judged, search.nodes, monotonic() - began, stopped)


def _worth(search: Search[Any], state: Any, then: Any, before: Result | None) -> Value | None:
    """Return what a move is worth to the player who makes it, if that was found."""
    if before == "loss":
        return Value("loss")  # whatever the player does
    result = None if then is None else search.known(then)
    if result is None:
        return None
    return Value(result if then.player == state.player else OTHER[result])
