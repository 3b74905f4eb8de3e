"""Draws which room of the house imports which, as docs/architecture.svg.

    make graph

The rooms are the layers that import-linter checks. An arrow that a chain of others implies is
left out, and so are imports that only a type checker reads.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
FILE = ROOT / "docs" / "architecture.svg"
LEFT, LETTER, HEIGHT, STEP = 24, 9, 30, 50
STYLE = """
    text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
           text-anchor: middle; fill: #1f2328; }
    .page { fill: #ffffff; } .room { fill: #eef2f7; stroke: #8c959f; }
    .arrow { fill: none; stroke: #57606a; stroke-width: 1.5; } .head { fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .page { fill: #0d1117; } .room { fill: #1c2430; stroke: #6e7681; }
      .arrow { stroke: #9aa4af; } .head { fill: #9aa4af; }
    }
"""


def imports() -> dict[str, set[str]]:
    """Return what each layer imports, from the top down."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contract = tomllib.load(file)["tool"]["importlinter"]["contracts"][0]
    layer_of = {room: layer for layer in contract["layers"] for room in layer.split(" : ")}
    graph = grimp.build_graph("zerosum", cache_dir=None, exclude_type_checking_imports=True)
    found: dict[str, set[str]] = {layer: set() for layer in contract["layers"]}
    for module in graph.modules:
        layer = layer_of.get(".".join(module.split(".")[:2]))
        for target in graph.find_modules_directly_imported_by(module):
            lower = layer_of.get(".".join(target.split(".")[:2]))
            if layer and lower and layer != lower:
                found[layer].add(lower)
                if lower not in list(found)[list(found).index(layer) :]:
                    raise SystemExit(f"{module} imports {target}, which is in a later room.")
    return found


def label(layer: str) -> str:
    """Name the files and folders of a layer."""
    names = [room.removeprefix("zerosum.") for room in layer.split(" : ")]
    folders = ROOT / "src" / "zerosum"
    return " ".join(f"{name}/" if (folders / name).is_dir() else f"{name}.py" for name in names)


def draw() -> str:
    """Draw the layers as a column, with an arrow from each to those that it imports."""
    found = imports()
    below: dict[str, set[str]] = {}
    for layer in reversed(found):
        below[layer] = found[layer].union(*(below[lower] for lower in found[layer]))
    order, width = list(found), LETTER * max(len(label(layer)) for layer in found)
    right = page = LEFT + width
    rooms, arrows = [], []
    for row, layer in enumerate(order):
        y = 20 + STEP * row
        rooms.append(f'<rect class="room" x="{LEFT}" y="{y}" width="{width}" height="30" rx="6"/>')
        rooms.append(f'<text x="{LEFT + width // 2}" y="{y + 20}">{label(layer)}</text>')
        needed = [n for n in found[layer] if not any(n in below[other] for other in found[layer])]
        for span in sorted(order.index(lower) - row for lower in needed):
            if span == 1:
                way = f"M{LEFT + width // 2} {y + HEIGHT}v{STEP - HEIGHT - 2}"
            else:
                start, drop, reach = y + HEIGHT // 2 + 5, STEP * span - 10, 20 + 22 * span
                way = f"M{right} {start}c{reach} 0 {reach} {drop} 3 {drop}"
                page = max(page, right + reach)  # the curve comes to three quarters of its reach
            arrows.append(f'<path class="arrow" marker-end="url(#head)" d="{way}"/>')
    tall = STEP * len(order) + 20
    body = "\n  ".join((*arrows, *rooms))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page} {tall}" width="{page}" \
height="{tall}" role="img" aria-labelledby="title">
  <title id="title">Which room imports which: every arrow points down</title>
  <style>{STYLE}  </style>
  <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
orient="auto" markerUnits="userSpaceOnUse"><path class="head" d="M0 0 8 4 0 8z"/></marker>
  <rect class="page" width="{page}" height="{tall}" rx="10"/>
  {body}
</svg>
"""


if __name__ == "__main__":
    FILE.write_text(draw())
    print(f"Wrote {FILE.relative_to(ROOT)}.")
