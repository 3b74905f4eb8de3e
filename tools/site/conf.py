"""Builds the documents and the reference as one searchable site: make site."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

import zerosum

project = html_title = "Zerosum"
version = release = zerosum.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
# The root of the project is the root of the site: a link leads to the same place in both.
root_doc = "README"
include_patterns = ["*.md", "docs/**"]
html_theme = "furo"
myst_heading_anchors = 3
autodoc_member_order = "alphabetical"
default_role = "code"  # docstrings have Markdown's backticks
REFERENCE = """
```{eval-rst}
.. automodule:: zerosum
   :members:
   :imported-members:
   :exclude-members: errors
```
"""


def setup(app: Sphinx) -> None:
    """Add what is only in the site: the contents, from docs/index.md, and the reference."""
    app.connect("source-read", add)


def add(app: Sphinx, page: str, source: list[str]) -> None:
    """Add to the text of a page, before it is read."""
    if page == root_doc:
        source[0] += contents((Path(app.srcdir) / "docs" / "index.md").read_text())
    if page == "docs/reference":
        source[0] += REFERENCE


def contents(index: str) -> str:
    """Turn the lists of links in docs/index.md into the tables of contents of the site."""
    tables = [("All documents", ["index.md"])]
    for section in index.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        tables.append((title, re.findall(r"\]\(([^)#]+\.md)\)", body)))
    listed: set[str] = set()
    text = ""
    for title, links in tables:
        fresh = [link for link in links if link not in listed]
        listed.update(links)
        pages = "\n".join(str(Path("docs", link)).replace("docs/../", "") for link in fresh)
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{pages}\n```\n"
    return text
