"""The chart of one game as text, for a terminal."""

from zerosum.coach.verdicts import Verdict
from zerosum.pictures.chart import Chart
from zerosum.pictures.labels import columns, right, side_by_side, wrapped
from zerosum.protocol import Value
from zerosum.text import does

VERDICT_SIGNS: dict[Verdict, str] = {"best": "●", "good": "○", "mistake": "▲", "blunder": "×"}
# The first position, and every one that no real choice led to.
DOT = "•"
LONGEST_NAME = 16  # or a quarter of the width
BAND = 4
ROWS = 2 * BAND + 1


def chart_text(chart: Chart, width: int = 80, plain: bool = False) -> str:
    """Draw the chart of a game in characters, or with `plain` as sentences.

    Only the sentences name the turning point; beside the drawing, the review has.

    >>> from zerosum import Value
    >>> values = [Value("loss", 2), Value("loss", 1), Value("loss", 0)]
    >>> print(chart_text(Chart(values, [1, 1], names=("Ada", "Bob")), plain=True))
    The values, move by move
    Start: win for Bob in 2.
    Move 1, Ada plays 1: win for Bob in 1.
    Move 2, Bob plays 1: win for Bob, the game is over.
    No move changed the result.
    """
    if plain:
        positions = [f"{chart.position(ply)}." for ply in range(len(chart.values))]
        return "\n".join([chart.title, *positions, *chart.conclusion()])
    width = max(width, 40)
    sides = _sides(chart, max(LONGEST_NAME, width // 4))
    wide = max(columns(side) for side in sides.values()) + 1
    room = width - wide - 2
    fit = room // _step(chart, room)
    legend = [f"{VERDICT_SIGNS.get(verdict, DOT)} {word}" for verdict, word in chart.legend.items()]
    legend += ["^ turning point"] if chart.turning_point else []
    legend += ["gap = unknown"] if chart.gaps else []
    legend.append("closer to the edge = ends sooner")
    lines = [*wrapped([chart.title], width), *side_by_side(legend, width)]
    for begin in range(0, len(chart.values), fit):
        plies = range(begin, min(begin + fit, len(chart.values)))
        lines += ["", *_block(chart, plies, sides, wide, room)]
    return "\n".join([*lines, "", *wrapped(chart.sentences(conclude=False), width)])


def _step(chart: Chart, room: int) -> int:
    """Choose the distance between positions."""
    return max(1, min(3, room // len(chart.values)))


def _sides(chart: Chart, longest: int) -> dict[int, str]:
    """Return the names of the bands by their rows."""
    wins = [
        does(name if len(name) <= longest else f"{name[: longest - 1]}…", "wins")
        for name in chart.names
    ]
    upper, lower = wins[chart.top], wins[1 - chart.top]
    return {0: upper, BAND: "draw", ROWS - 1: lower, ROWS: "after move"}


def _row(chart: Chart, value: Value) -> int:
    """Return the row of a position by its value."""
    if value.result == "draw":
        return BAND
    late = round((1 - chart.nearness(value)) * (BAND - 1))
    above = value.result == ("loss" if chart.top else "win")
    return late if above else ROWS - 1 - late


def _block(chart: Chart, plies: range, sides: dict[int, str], wide: int, room: int) -> list[str]:
    """Write positions side by side."""
    step = _step(chart, room)
    marks = [[" "] * (len(plies) * step) for _ in range(ROWS)]
    for at, ply in enumerate(plies):
        verdict = chart.verdict(ply)
        value = chart.values[ply]
        if value is not None:
            sign = VERDICT_SIGNS.get(verdict, DOT) if verdict else DOT
            marks[_row(chart, value)][at * step] = sign
    lines = []
    for row, line in enumerate(marks):
        lines.append(f"{right(sides.get(row, ''), wide)} │{''.join(line)}".rstrip())
    every = 5 if step > 1 else 10
    numbers = turn = ""
    for at, ply in enumerate(plies):
        fits = len(numbers) <= at * step and at * step + len(str(ply)) <= room
        if ply % every == 0 and fits:
            numbers = numbers.ljust(at * step) + str(ply)
        if ply == chart.turning_point:
            turn = " " * (at * step) + "^"
    lines.append(f"{sides[ROWS]:>{wide}} │{numbers}")
    return [*lines, *([" " * (wide + 2) + turn] if turn else [])]
