"""HTML from the subset of Markdown that rule books use; everything else stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
ITEM = re.compile(r"(?:([-*+])|\d{1,9}[.)])\s+(.*)$")
FENCE = "```"
# Code first: emphasis does not apply inside it.
INLINE = re.compile(r"(`+)(.+?)\1|\*\*(?=\S)(.+?)(?<=\S)\*\*|\*(?=\S)(.+?)(?<=\S)\*", re.DOTALL)


def html_of(text: str) -> str:
    r"""Turn headings, paragraphs, lists, code and emphasis into HTML; escape the rest.

    Headings start at level two, since the page has its own level one.

    >>> html_of("## Aim\n\nReach `0` *before*\nBob & <Ada>.")
    '<h2>Aim</h2>\n<p>Reach <code>0</code> <em>before</em>\nBob &amp; &lt;Ada&gt;.</p>'
    >>> html_of("- one\n  more\n- two")
    '<ul>\n<li>one\nmore</li>\n<li>two</li>\n</ul>'
    """
    return "\n".join(_block(lines) for lines in _blocks(text.splitlines()))


def title_in(text: str) -> tuple[str, str]:
    r"""Split a book into its title, the level-one heading it begins with if any, and the rest.

    >>> title_in("# Nim\n\nTake some.")
    ('Nim', '\nTake some.')
    """
    first, _, rest = text.lstrip().partition("\n")
    found = HEADING.match(first)
    return (found[2], rest) if found and found[1] == "#" else ("", text)


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Split lines into blocks: headings, lists, fenced code, paragraphs."""
    block: list[str] = []
    fenced = False
    for line in lines:
        if line.strip().startswith(FENCE) and (fenced or not block or block[0] != FENCE):
            if block and not fenced:
                yield block
                block = []
            fenced = not fenced
            if fenced:
                block = [FENCE]
            else:
                yield block
                block = []
        elif fenced:
            block.append(line)
        elif not line.strip() or HEADING.match(line.strip()):
            if block:
                yield block
            block = []
            if line.strip():
                yield [line.strip()]
        elif ITEM.match(line.strip()) and block and not ITEM.match(block[0]):
            yield block
            block = [line.strip()]
        else:
            block.append(line.strip())
    if block:
        yield block


def _block(lines: list[str]) -> str:
    """Render one block."""
    heading = HEADING.match(lines[0])
    if lines[0] == FENCE:
        return f"<pre><code>{escape(chr(10).join(lines[1:]))}</code></pre>"
    if heading:
        level = max(2, len(heading[1]))
        return f"<h{level}>{_inline(heading[2])}</h{level}>"
    if ITEM.match(lines[0]):
        return _list(lines)
    return f"<p>{_inline(chr(10).join(lines))}</p>"


def _list(lines: list[str]) -> str:
    """Render a list; a line without a marker continues the item before it."""
    items: list[str] = []
    for line in lines:
        found = ITEM.match(line)
        if found:
            items.append(found[2])
        else:
            items[-1] += f"\n{line}"
    first = ITEM.match(lines[0])
    kind = "ul" if first and first[1] else "ol"
    inside = "\n".join(f"<li>{_inline(item)}</li>" for item in items)
    return f"<{kind}>\n{inside}\n</{kind}>"


def _inline(text: str) -> str:
    """Render code and emphasis; escape what is between."""
    parts, at = [], 0
    for found in INLINE.finditer(text):
        parts.append(escape(text[at : found.start()]))
        if found[2] is not None:
            parts.append(f"<code>{escape(found[2].strip())}</code>")
        elif found[3] is not None:
            parts.append(f"<strong>{_inline(found[3])}</strong>")
        else:
            parts.append(f"<em>{_inline(found[4])}</em>")
        at = found.end()
    return "".join([*parts, escape(text[at:])])
