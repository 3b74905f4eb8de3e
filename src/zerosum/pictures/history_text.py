"""The history of one game in characters, for a terminal."""

from __future__ import annotations

from zerosum.coach.verdicts import Verdict
from zerosum.pictures.history import History
from zerosum.pictures.labels import columns, right, short_name, side_by_side, wrapped

SIGNS: dict[Verdict, str] = {"best": "●", "good": "○", "mistake": "▲", "blunder": "×"}
# The first position, and every one that no real choice led to.
DOT = "•"
BAND = 4
ROWS = 2 * BAND + 1


def history_text(history: History, width: int = 80, plain: bool = False) -> str:
    """Draw the history of a game in characters, or with `plain` as sentences, one per line.

    >>> from zerosum import Value
    >>> values = [Value("loss", 2), Value("loss", 1), Value("loss", 0)]
    >>> print(history_text(History(values, [1, 1], names=("Ada", "Bob")), plain=True))
    Ada against Bob: the values, move by move
    Start: win for Bob in 2.
    Move 1, Ada plays 1: win for Bob in 1.
    Move 2, Bob plays 1: win for Bob, the game is over.
    No move changed the result.
    """
    if plain:
        positions = [f"{history.position(ply)}." for ply in range(len(history.values))]
        return "\n".join([history.title, *positions, *history.conclusion()])
    width = max(width, 40)
    sides = _sides(history)
    wide = max(columns(side) for side in sides.values()) + 1
    room = width - wide - 2
    fit = room // _step(history, room)
    legend = [f"{SIGNS.get(verdict, DOT)} {word}" for verdict, word in history.legend.items()]
    legend += ["^ turning point"] if history.turning_point else []
    legend.append("closer to the edge = ends sooner")
    lines = [*wrapped([history.title], width), *side_by_side(legend, width)]
    for begin in range(0, len(history.values), fit):
        plies = range(begin, min(begin + fit, len(history.values)))
        lines += ["", *_block(history, plies, sides, wide, room)]
    return "\n".join([*lines, "", *wrapped(history.sentences(), width)])


def _step(history: History, room: int) -> int:
    """Choose the distance between positions."""
    return max(1, min(3, room // len(history.values)))


def _sides(history: History) -> dict[int, str]:
    """Return the names of the bands by their rows."""
    first, second = (short_name(name) for name in history.names)
    return {0: f"{first} wins", BAND: "draw", ROWS - 1: f"{second} wins", ROWS: "after move"}


def _row(history: History, ply: int) -> int:
    """Return the row of a position."""
    result = history.values[ply].result
    if result == "draw":
        return BAND
    late = round((1 - history.nearness(ply)) * (BAND - 1))
    return late if result == "win" else ROWS - 1 - late


def _block(
    history: History, plies: range, sides: dict[int, str], wide: int, room: int
) -> list[str]:
    """Write positions side by side."""
    step = _step(history, room)
    marks = [[" "] * (len(plies) * step) for _ in range(ROWS)]
    for at, ply in enumerate(plies):
        verdict = history.verdicts[ply - 1] if ply else None
        marks[_row(history, ply)][at * step] = SIGNS.get(verdict, DOT) if verdict else DOT
    lines = []
    for row, line in enumerate(marks):
        lines.append(f"{right(sides.get(row, ''), wide)} │{''.join(line)}".rstrip())
    every = 5 if step > 1 else 10
    numbers = turn = ""
    for at, ply in enumerate(plies):
        fits = len(numbers) <= at * step and at * step + len(str(ply)) <= room
        if ply % every == 0 and fits:
            numbers = numbers.ljust(at * step) + str(ply)
        if ply == history.turning_point:
            turn = " " * (at * step) + "^"
    lines.append(f"{sides[ROWS]:>{wide}} │{numbers}")
    return [*lines, *([" " * (wide + 2) + turn] if turn else [])]
