"""Builds the API reference from the docstrings, in build/reference.

make reference
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pdoc

import zerosum

FOLDER = Path("build") / "reference"


def build(folder: Path) -> None:
    """Write the reference of every public name into a folder."""
    for name in zerosum.__all__:
        getattr(zerosum, name)  # pdoc lists only what is loaded
    with warnings.catch_warnings():
        # The constructor of a NamedTuple does not know the types that its module imports.
        warnings.filterwarnings("ignore", "Error parsing type annotation")
        pdoc.render.configure(show_source=False)
        pdoc.pdoc("zerosum", output_directory=folder)


if __name__ == "__main__":
    build(FOLDER)
    print(f"Open {FOLDER}/index.html in a browser.")
