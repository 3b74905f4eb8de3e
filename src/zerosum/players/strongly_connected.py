"""The strongly connected components of a graph: the parts in which a game can cycle."""

from __future__ import annotations

from collections.abc import Sequence


def components(starts: Sequence[int], targets: Sequence[int]) -> list[list[int]]:
    """Return the components, each after all that it leads to (Tarjan's algorithm, iterative).

    >>> components([0, 1, 3, 4, 4], [1, 0, 2, 3])
    [[3], [2], [1, 0]]
    """
    count = len(starts) - 1
    low = [0] * count  # when a state was first seen, at least 1; then the earliest it leads back to
    at = list(starts[:count])
    parts: list[list[int]] = []
    done = count + 1
    clock = 0
    for root in range(count):
        if low[root]:
            continue
        clock += 1
        low[root] = clock
        path, seen, waiting = [root], [clock], [root]
        while path:
            state = path[-1]
            edge = at[state]
            if edge < starts[state + 1]:
                at[state] = edge + 1
                target = targets[edge]
                if not low[target]:
                    clock += 1
                    low[target] = clock
                    path.append(target)
                    seen.append(clock)
                    waiting.append(target)
                elif low[target] < low[state]:
                    low[state] = low[target]
                continue
            path.pop()
            if low[state] == seen.pop():
                part = []
                while True:
                    part.append(waiting.pop())
                    low[part[-1]] = done  # never again the earliest
                    if part[-1] == state:
                        break
                parts.append(part)
            elif low[state] < low[path[-1]]:
                low[path[-1]] = low[state]
    return parts


def layers(
    starts: Sequence[int], targets: Sequence[int]
) -> list[tuple[list[int], list[list[int]]]]:
    """Sort the states so that each layer leads only to earlier ones, and into itself by cycles.

    A layer has the states that lie on no cycle, and the components of those that do. The first
    layer has the states without edges.

    >>> layers([0, 1, 3, 4, 4], [1, 0, 2, 3])
    [([3], []), ([2], []), ([], [[0, 1]])]
    """
    level = [-1] * (len(starts) - 1)
    sorted_layers: list[tuple[list[int], list[list[int]]]] = []
    for part in components(starts, targets):
        # States of the part itself have no level yet.
        leads = {level[t] for state in part for t in targets[starts[state] : starts[state + 1]]}
        height = 1 + max(leads, default=-1)
        if height == len(sorted_layers):
            sorted_layers.append(([], []))
        for state in part:
            level[state] = height
        if -1 in leads:
            sorted_layers[height][1].append(sorted(part))
        else:
            sorted_layers[height][0].append(part[0])
    return sorted_layers
