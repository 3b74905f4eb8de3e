"""Draws the house as docs/architecture.svg: the doors, the two houses, and the cellar.

    make graph

The rooms are the layers that import-linter checks: a room imports only what is below it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from zerosum.pictures.svg import tag

ROOT = Path(__file__).parent.parent
FILE = ROOT / "docs" / "architecture.svg"
LETTER, ROW, GAP, WIDTH = 8.6, 30, 14, 760
# The parts that stand beside each other.
HALVES = ("the game", "the laboratory")
STYLE = """
    text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
           fill: #1f2328; text-anchor: middle; }
    .name { font-weight: bold; } .page { fill: #ffffff; }
    .house { fill: #f6f8fa; stroke: #8c959f; } .room { fill: #ffffff; stroke: #8c959f; }
    .arrow { fill: none; stroke: #57606a; stroke-width: 1.5; } .head { fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .page { fill: #0d1117; } .house { fill: #161b22; stroke: #6e7681; }
      .room { fill: #1c2430; stroke: #6e7681; }
      .arrow { stroke: #9aa4af; } .head { fill: #9aa4af; }
    }
"""
HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    'orient="auto" markerUnits="userSpaceOnUse"><path class="head" d="M0 0 8 4 0 8z"/></marker>'
)


def houses() -> dict[str, list[list[str]]]:
    """Return the rooms of each part of the house, in rows from the top down."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = {found["name"]: found["layers"] for found in contracts if "layers" in found}
    rows = [shown(layer) for layer in layers["An arrow points from a later room to an earlier one"]]
    lab = rows.index(["lab/"])
    cellar = next(at for at in range(lab + 1, len(rows)) if rows[at][0] == "registry/") + 1
    return {
        "the doors": [[room for row in rows[:lab] for room in row]],
        "the game": rows[lab + 1 : cellar],
        "the laboratory": [shown(layer, "lab/") for layer in layers["The laboratory"]],
        "the cellar": rows[cellar:],
    }


def shown(layer: str, folder: str = "") -> list[str]:
    """Name the files and folders of a layer."""
    names = [room.rpartition(".")[2] for room in layer.split(" : ")]
    home = ROOT / "src" / "zerosum" / folder
    return [f"{name}/" if (home / name).is_dir() else f"{name}.py" for name in names]


def fitted(rows: list[list[str]], width: int) -> list[list[str]]:
    """Break the rows that are wider than a part of the house."""
    lines: list[list[str]] = []
    for row in rows:
        fit = int((width - GAP) // (wide(row) + GAP))
        lines += [row[at : at + fit] for at in range(0, len(row), fit)]
    return lines


def wide(row: list[str]) -> float:
    """Return the width of each room of a row."""
    return max(map(len, row)) * LETTER + 16


def house(name: str, rows: list[list[str]], x: int, y: int, width: int, height: int) -> str:
    """Draw one part of the house with its rooms."""
    parts = [
        tag("rect", class_="house", x=x, y=y, width=width, height=height, rx=10),
        tag("text", name, class_="name", x=x + width // 2, y=y + 22),
    ]
    for number, row in enumerate(rows):
        each = wide(row)
        left = x + (width - len(row) * each - (len(row) - 1) * GAP) / 2
        top = y + 34 + number * (ROW + GAP)
        for place, room in enumerate(row):
            at = left + place * (each + GAP)
            parts.append(
                tag("rect", class_="room", x=at, y=top, width=each, height=ROW, rx=6)
                + tag("text", room, x=at + each / 2, y=top + 20)
            )
    return "\n  ".join(parts)


def draw() -> str:
    """Draw the doors above the two houses, and the cellar below them."""
    left, half = 20, (WIDTH - 60) // 2
    found = houses()
    sizes = {name: half if name in HALVES else WIDTH - 40 for name in found}
    rooms = {name: fitted(rows, sizes[name]) for name, rows in found.items()}
    tall = {name: 34 + len(rows) * (ROW + GAP) for name, rows in rooms.items()}
    middle = max(tall["the game"], tall["the laboratory"])
    first, second = 20, 20 + tall["the doors"] + 40
    third = second + middle + 40
    page = third + tall["the cellar"] + 20
    right = left + half + 20
    arrows = "".join(
        tag("path", class_="arrow", marker_end="url(#head)", d=way)
        for way in (
            *(f"M{x} {second - 40}v38" for x in (left + half // 2, right + half // 2)),
            *(f"M{x} {third - 40}v38" for x in (left + half // 2, right + half // 2)),
            f"M{right} {second + middle // 2}h-18",
        )
    )
    parts = (
        house(name, rooms[name], x, y, sizes[name], middle if name in HALVES else tall[name])
        for name, x, y in (
            ("the doors", left, first),
            ("the game", left, second),
            ("the laboratory", right, second),
            ("the cellar", left, third),
        )
    )
    body = "\n  ".join((*parts, arrows))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {page}" \
width="{WIDTH}" height="{page}" role="img" aria-labelledby="title">
  <title id="title">The doors, the game and the laboratory, and the cellar: imports point down, \
and from the laboratory to the game</title>
  <style>{STYLE}  </style>
  {HEAD}
  <rect class="page" width="{WIDTH}" height="{page}" rx="10"/>
  {body}
</svg>
"""


if __name__ == "__main__":
    FILE.write_text(draw())
    print(f"Wrote {FILE.relative_to(ROOT)}.")
