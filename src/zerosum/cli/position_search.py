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
        search = Search(game, progress)
        after = {move: game.play(state, move) for move in game.moves(state)}
        try:
            search.prove(state, Budget(MOST_POSITIONS, ROOT_SHARE * seconds))
            for done, then in enumerate(after.values()):
                left = len(after) - done
                nodes = max(0, MOST_POSITIONS - search.nodes) // left
                time = max(0.0, began + seconds - monotonic()) / left
                search.prove(then, Budget(nodes, time))
        except KeyboardInterrupt:
            stopped = True
    result = search.known(state)
    value = None if result is None else Value(result)
    judged = {
        move: judged_partly(value, _worth(search, state, then, result))
        for move, then in after.items()
    }
    return Found(value, judged, search.nodes, monotonic() - began, stopped)


def _worth(search: Search[Any], state: Any, then: Any, before: Result | None) -> Value | None:
    """Return what a move is worth to the player who makes it, if that was found."""
    if before == "loss":
        return Value("loss")  # whatever the player does
    result = search.known(then)
    if result is None:
        return None
    return Value(result if then.player == state.player else OTHER[result])
