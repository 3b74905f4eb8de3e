"""An independent solver: dictionaries and queues, nothing clever, and nothing of the solver's."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from zerosum.protocol import Game, Value


def brute(game: Game[Any], roots: Iterable[Any] = ()) -> dict[Any, Value]:
    """Solve all that can be reached from the start of a game, or from some other states."""
    after: dict[Any, list[Any]] = {}
    ends: dict[Any, int | None] = {}
    ahead = list(roots) or [game.initial()]
    while ahead:
        state = ahead.pop()
        if state in after:
            continue
        outcome = game.outcome(state)
        if outcome is not None:
            ends[state] = outcome.winner
        after[state] = [game.play(state, move) for move in game.moves(state)]
        ahead += after[state]
    return decide(after, {state: state.player for state in after}, ends)


def decide(
    after: dict[Any, list[Any]], seat: dict[Any, int], ends: dict[Any, int | None]
) -> dict[Any, Value]:
    """Give the values of a graph; `ends` names the states that are over, None for drawn ones."""
    before: dict[Any, list[Any]] = {state: [] for state in after}
    for state, leads in after.items():
        for then in leads:
            before[then].append(state)
    # The first child that is won makes the quickest win, the last that is lost the slowest loss.
    won = {state: (winner, 0) for state, winner in ends.items() if winner is not None}
    left = {state: len(leads) for state, leads in after.items()}
    queue = deque(won)
    while queue:
        state = queue.popleft()
        winner, plies = won[state]
        for parent in before[state]:
            left[parent] -= 1
            if parent not in won and (winner == seat[parent] or not left[parent]):
                won[parent] = winner, plies + 1
                queue.append(parent)
    ended = forced_to_end(after, seat, ends, won)
    return {
        state: Value("win" if won[state][0] == seat[state] else "loss", won[state][1])
        if state in won
        else Value("draw", endless=state not in ended)
        for state in after
    }


def forced_to_end(
    after: dict[Any, list[Any]], seat: dict[Any, int], ends: dict[Any, int | None], won: Any
) -> set[Any]:
    """Find the draws that one of the seats can bring to a drawn end, if nobody leaves the draw."""
    keeping = {
        state: [then for then in leads if then not in won]
        for state, leads in after.items()
        if state not in won
    }
    drawn = {state for state in ends if state not in won}
    found: set[Any] = set()
    for player in (0, 1):
        forced: set[Any] = set()
        more = drawn
        while more:
            forced |= more
            more = {
                state
                for state, leads in keeping.items()
                if state not in forced
                and (any if seat[state] == player else all)(then in forced for then in leads)
            }
        found |= forced
    return found
