"""How things look: colour or none, decoration or plain lines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

NARROW = 72
# What a rule of dashes and a heading begin with.
DECORATION = ("===", "--", "**")
CELLS = " │ "
CODES = {"problem": "33", "aside": "2", "strong": "1"}


class Look(NamedTuple):
    """What one stream may show."""

    stream: IO[str]
    plain: bool = False
    color: bool = False
    terminal: bool = False

    @classmethod
    def of(cls, stream: IO[str], plain: bool = False, no_color: bool = False) -> Look:
        """Decide what a stream may show, from the flags, the environment and the stream."""
        terminal = stream.isatty()
        env = os.environ
        if no_color or plain or env.get("NO_COLOR"):
            color = False
        elif env.get("FORCE_COLOR"):
            color = True
        else:
            color = terminal and env.get("TERM") != "dumb"
        return cls(stream, plain, color, terminal)

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text; a style colours it where colour is on, and never means anything alone."""
        self.write(self.styled(text, style) + "\n")

    def remark(self, text: str, style: str = "aside", indent: str = "") -> None:
        """Print a text of our own, with lines broken between words where a terminal is narrow."""
        if self.terminal and not self.plain:
            from shutil import get_terminal_size
            from textwrap import fill

            width = max(20, get_terminal_size().columns - 1)
            lines = [fill(line, width, subsequent_indent=indent) for line in text.split("\n")]
            text = "\n".join(lines)
        self.say(text, style)

    def tell(self, text: str) -> None:
        """Print what a game says; in plain mode without what only decorates."""
        if not self.plain:
            self.say(text)
            return
        for line in text.split("\n"):
            bare = line.strip("=-* ") if line.startswith(DECORATION) or line == "-" else line
            if CELLS in bare:  # a row of a board
                cells = (cell.strip() for cell in bare.split(CELLS))
                bare = ", ".join("empty" if cell == "." else cell for cell in cells)
            if bare.strip():
                self.say(bare)

    def write(self, text: str) -> None:
        """Print a text as it is."""
        self.stream.write(text)

    def styled(self, text: str, style: str) -> str:
        """Colour a text where colour is on."""
        if not (self.color and style and text):
            return text
        return f"\x1b[{CODES[style]}m{text}\x1b[0m"

    @property
    def decorated(self) -> bool:
        """Whether boxes and headings are drawn."""
        return self.terminal and not self.plain and os.environ.get("TERM") != "dumb"

    def table(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Show a table: drawn on a terminal, a labelled line a row in plain, else columns."""
        width = 0
        if self.decorated:
            from shutil import get_terminal_size

            width = get_terminal_size().columns
        if self.plain or 0 < width < NARROW:
            for row in rows:
                told = [
                    f"{column}: {value.rstrip('.')}" if column else value
                    for column, value in zip(columns, row, strict=True)
                    if value
                ]
                self.remark(". ".join(told) + ".", "", "  ")
        elif self.decorated:
            from rich import box
            from rich.table import Table
            from rich.text import Text

            drawn = Table(title=title or None, box=box.ROUNDED, title_justify="left")
            for number, column in enumerate(columns):
                drawn.add_column(column, overflow="fold", no_wrap=number == 0)
            for row in rows:
                drawn.add_row(*(Text(value) for value in row))
            self._rich().print(drawn)
        else:
            table = [columns, *rows]
            widths = [max(len(row[i]) for row in table) for i in range(len(columns))]
            for row in table:
                cells = (v.ljust(w) for v, w in zip(row, widths, strict=True))
                self.say("  ".join(cells).rstrip())

    def page(self, markdown: str) -> None:
        """Show a page: typeset on a terminal, as simple text elsewhere."""
        if self.decorated:
            from rich.markdown import Markdown

            self._rich().print(Markdown(markdown))
        else:
            self.say(_bare(markdown) if self.plain else markdown.rstrip("\n"))

    def _rich(self) -> Any:
        """Open the stream to rich."""
        from rich.console import Console

        self.stream.flush()
        return Console(
            file=self.stream,
            force_terminal=True,
            no_color=not self.color,
            color_system="auto" if self.color else None,
            highlight=False,
        )


def _bare(markdown: str) -> str:
    """Take the markup out of a page, and let each sentence group stand on one line."""
    blocks: list[str] = []
    for line in markdown.splitlines():
        text = line.strip().replace("`", "")
        if text.startswith("#"):
            blocks.append(text.lstrip("# ") + ":")
        elif text.startswith("- "):
            blocks.append(text[2:])
        elif not text:
            blocks.append("")
        elif blocks and blocks[-1] and not blocks[-1].endswith(":"):
            blocks[-1] += f" {text}"
        else:
            blocks.append(text)
    return "\n".join(block for block in blocks if block)
