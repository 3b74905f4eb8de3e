"""The measures of the audit by definition, in exact fractions, by elimination.

It uses nothing of the package but the protocol and the policies that it is given.
"""

from fractions import Fraction
from math import sqrt

from tests.naive import Naive, State

Row = list[Fraction]
Path = tuple[Fraction, list[State]]


def sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def ratio(part: float | Fraction, whole: Fraction) -> float:
    return float(part / whole) if whole else 0.0


def by_elimination(naive: Naive, level: str) -> dict[str, float] | None:
    """Measure the games of a level by linear systems; None where they may never end."""
    begin = naive.game.initial()
    steps = naive.steps(begin, (level, level))
    if sum(naive.chances((level, level))[:3]) != 1:
        return None
    states = list(steps)
    forward = [[Fraction(s == t) - steps[s].get(t, 0) for t in states] for s in states]
    backward = [list(column) for column in zip(*forward, strict=True)]
    over = {state: not steps[state] for state in states}

    def solved(matrix: list[Row], right: Row) -> dict[State, Fraction]:
        return dict(zip(states, eliminate(matrix, right), strict=True))

    visits = solved(backward, [Fraction(state == begin) for state in states])
    turns = {state: visits[state] for state in states if not over[state]}
    wins = [
        solved(forward, [Fraction(over[s] and naive.ends[s] == seat) for s in states])
        for seat in (0, 1)
    ]
    draws = {state: 1 - wins[0][state] - wins[1][state] for state in states}
    lead = {state: wins[0][state] - wins[1][state] for state in states}
    plies = solved(forward, [Fraction(not over[state]) for state in states])
    after = {s: sum((p * plies[t] for t, p in steps[s].items()), Fraction(0)) for s in states}
    squares = solved(forward, [(not over[s]) * (1 + 2 * after[s]) for s in states])
    sizes = {state: len(naive.after[state]) for state in turns}
    total = plies[begin]
    critical = {s for s in turns if len({value.result for value in naive.moves(s).values()}) > 1}
    choices = sum((n for s, n in turns.items() if sizes[s] > 1), Fraction(0))
    won = sum((n * (wins[0][s] + wins[1][s]) for s, n in turns.items()), Fraction(0))
    drama = sum(
        float(n * wins[seat][s]) * sqrt(max(-lead[s] if seat == 0 else lead[s], Fraction(0)))
        for s, n in turns.items()
        for seat in (0, 1)
    )
    jumps = (
        n * p * abs(sign(lead[t]) - sign(lead[s]))
        for s, n in turns.items()
        for t, p in steps[s].items()
    )
    known = {s: sum(map(bool, (wins[0][s], wins[1][s], draws[s]))) == 1 for s in turns}
    return {
        "duration": float(total),
        "spread": sqrt(squares[begin] - total**2),
        "branching": ratio(sum(n * sizes[s] for s, n in turns.items()), total),
        "decision_factor": ratio(
            sum(n * sizes[s] for s, n in turns.items() if sizes[s] > 1), choices
        ),
        "decision_moves": ratio(choices, total),
        "critical_moves": ratio(sum(n for s, n in turns.items() if s in critical), total),
        "lead_changes": float(sum(jumps)) / 2,
        "drama": drama / float(won) if won else 0.0,
        "decisiveness": ratio(sum(n for s, n in turns.items() if not known[s]), total),
    }


def eliminate(matrix: list[Row], right: Row) -> Row:
    """Solve a linear system by Gauss and Jordan."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = next(r for r in range(column, len(rows)) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for r, row in enumerate(rows):
            if r != column and row[column]:
                factor = row[column]
                rows[r] = [a - factor * b for a, b in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]
