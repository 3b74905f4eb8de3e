"""The history of one game in characters, for a terminal."""

from __future__ import annotations

from zerosum.pictures.track import Label, Track
from zerosum.pictures.words import columns, cut, right, side_by_side, wrapped

SIGNS: dict[Label, str] = {"best": "●", "good": "○", "mistake": "▲", "blunder": "×"}
# Of every other position: the first one, and those that no real choice led to.
DOT = "•"
BAND = 4
ROWS = 2 * BAND + 1


def text_of(played: Track, width: int = 80) -> str:
    """Write a history as characters, with a legend line and the sentences below."""
    width = max(width, 40)
    words = _sides(played)
    label = max(columns(word) for word in words.values()) + 1
    room = width - label - 2
    fit = room // _step(played, room)
    legend = [f"{SIGNS.get(label, DOT)} {word}" for label, word in played.legend.items()]
    legend += ["^ turning point"] if played.turn else []
    legend.append("closer to the edge = ends sooner")
    lines = [*wrapped([played.title], width), *side_by_side(legend, width)]
    for begin in range(0, len(played.values), fit):
        plies = range(begin, min(begin + fit, len(played.values)))
        lines += ["", *_block(played, plies, words, label, room)]
    return "\n".join([*lines, "", *wrapped(played.sentences(), width)])


def _step(played: Track, room: int) -> int:
    """Choose how far positions are from each other."""
    return max(1, min(3, room // len(played.values)))


def _sides(played: Track) -> dict[int, str]:
    """Name the bands by the row that their name stands in."""
    first, second = (cut(name) for name in played.names)
    return {0: f"{first} wins", BAND: "draw", ROWS - 1: f"{second} wins", ROWS: "after move"}


def _row(played: Track, ply: int) -> int:
    """Find the row of a position."""
    result = played.values[ply].result
    if result == "draw":
        return BAND
    late = round((1 - played.nearness(ply)) * (BAND - 1))
    return late if result == "win" else ROWS - 1 - late


def _block(played: Track, plies: range, words: dict[int, str], label: int, room: int) -> list[str]:
    """Write as many positions as fit beside each other."""
    step = _step(played, room)
    marks = [[" "] * (len(plies) * step) for _ in range(ROWS)]
    for at, ply in enumerate(plies):
        kind = played.labels[ply - 1] if ply else None
        marks[_row(played, ply)][at * step] = SIGNS.get(kind, DOT) if kind else DOT
    lines = []
    for row, line in enumerate(marks):
        lines.append(f"{right(words.get(row, ''), label)} │{''.join(line)}".rstrip())
    every = 5 if step > 1 else 10
    numbers = turn = ""
    for at, ply in enumerate(plies):
        fits = len(numbers) <= at * step and at * step + len(str(ply)) <= room
        if ply % every == 0 and fits:
            numbers = numbers.ljust(at * step) + str(ply)
        if ply == played.turn:
            turn = " " * (at * step) + "^"
    lines.append(f"{words[ROWS]:>{label}} │{numbers}")
    return [*lines, *([" " * (label + 2) + turn] if turn else [])]
