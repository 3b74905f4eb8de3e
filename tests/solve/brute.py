"""An independent solver: dictionaries and repetition, nothing clever."""

from __future__ import annotations

from typing import Any

from zerosum.game import Game


def brute(game: Game[Any]) -> dict[Any, tuple[str, int | None]]:
    """Solve by going over all states again and again, one ply deeper each time."""
    states = [game.initial()]
    after: dict[Any, list[Any]] = {}
    for state in states:
        if state in after:
            continue
        after[state] = [game.play(state, move) for move in game.moves(state)]
        states += [one for one in after[state] if one not in after]
    # The seat that wins a state, and after how many plies.
    known: dict[Any, tuple[int, int]] = {}
    for state in after:
        outcome = game.outcome(state)
        if outcome is not None:
            known[state] = (outcome.winner, 0)
    depth = 0
    while True:
        depth += 1
        found = {}
        for state, nexts in after.items():
            if state in known:
                continue
            ends = [known.get(one) for one in nexts]
            if any(end and end[0] == state.player for end in ends):
                found[state] = (state.player, depth)
            elif all(ends):
                found[state] = (1 - state.player, depth)
        if not found:
            break
        known.update(found)
    values: dict[Any, tuple[str, int | None]] = {}
    for state in after:
        if state in known:
            winner, plies = known[state]
            values[state] = ("win" if winner == state.player else "loss", plies)
        else:
            values[state] = ("draw", None)
    return values
