"""Console output: lines, reports and pages, with or without decoration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, NamedTuple

from zerosum.errors import ZerosumError
from zerosum.text import styled, visible

if TYPE_CHECKING:  # what is only a line needs no reports: they would delay the first prompt
    from zerosum.documents import Document
    from zerosum.reports import Medium, Report

# How a ruled line and a heading begin.
DECORATION = ("===", "--", "**")
CELLS = " │ "
# The signs of a win, a loss and a draw, and the colours beside them.
SIGNS = {"+": "win", "-": "loss", "=": "draw"}
# Back to the beginning of a line, and clear it.
CLEARED = "\r\x1b[K"


class Findings(NamedTuple):
    """What a command found: a document, and a report or Markdown page for people.

    The document may be a function that makes it: loading msgspec takes a moment. Notes go to
    standard error; `picture` is for --svg, or the page for --html, and `spreadsheet` for --csv.
    `after` is called once all is printed: what it removes is not lost if that fails.
    """

    document: Document | Callable[[], Document]
    report: Report | str
    picture: Callable[[], str] | None = None
    notes: Sequence[str] = ()
    code: int = 0
    after: Callable[[], None] | None = None
    spreadsheet: Callable[[], str] | None = None


class Console(NamedTuple):
    """A stream, and what may be shown on it.

    The words of a game, or of a file, are shown, never obeyed: only `write` prints codes.
    """

    stream: IO[str]
    plain: bool
    color: bool
    terminal: bool

    @classmethod
    def of(cls, stream: IO[str], plain: bool, no_color: bool | None) -> Console:
        """Decide what may be shown, from flags, environment and stream."""
        terminal = stream.isatty()
        capable = terminal and os.environ.get("TERM") != "dumb"
        color = bool(os.environ.get("FORCE_COLOR")) or capable
        if no_color is None:
            no_color = bool(os.environ.get("NO_COLOR"))
        return cls(stream, plain, color and not (plain or no_color), terminal)

    def line(self, text: str = "", style: str = "") -> None:
        """Print text in a style."""
        self.write(f"{self.styled(text, style)}\n")

    def styled(self, text: str, style: str) -> str:
        """Style text if colour is on; colour never carries meaning alone."""
        return styled(text, style, self.color)

    def paragraph(self, text: str, style: str = "") -> None:
        """Print text of our own, wrapped to the width of a terminal."""
        from zerosum.reports import paragraph

        self.write(f"{paragraph(text, self.medium, style)}\n")

    def show(self, report: Report | str) -> None:
        """Print a report, or a page of Markdown: typeset on a terminal, else as text."""
        from zerosum.reports import to_text, typeset

        if not isinstance(report, str):
            self.write(to_text(report, self.medium))
        elif self.decorated:
            from rich.markdown import Markdown

            self.write(f"{typeset(Markdown(visible(report)), self.medium)}\n")
        else:
            self.line(_bare(report) if self.plain else report.rstrip("\n"))

    def aside(self, *texts: str) -> None:
        """Print what is not the game's own."""
        for text in texts:
            self.paragraph(text, "aside")

    def advice(self, standing: str, *lines: str) -> None:
        """Print what the coach says and what moves are worth, their signs in colour."""
        from zerosum.reports import paragraph

        self.paragraph(f"Coach: {standing}", "strong")
        for line in lines:
            text = paragraph(f"  {line}", self.medium)
            sign = line[:1]
            if line[1:2] == " " and sign in SIGNS:
                text = text.replace(sign, self.styled(sign, SIGNS[sign]), 1)
            self.write(f"{text}\n")

    def problem(self, text: str) -> None:
        """Print what is wrong with something typed."""
        self.paragraph(text, "problem")

    def game_text(self, text: str) -> None:
        """Print a game's own text; in plain mode, without decoration."""
        if not self.plain:
            self.line(text)
            return
        for line in text.split("\n"):
            bare = line.strip("=-* ") if line.startswith(DECORATION) or line == "-" else line
            if CELLS in bare:  # a row of a board
                cells = (cell.strip() for cell in bare.split(CELLS))
                bare = ", ".join("empty" if cell == "." else cell for cell in cells)
            if bare.strip():
                self.line(bare)

    def write(self, text: str) -> None:
        """Print text of our own as it is."""
        self.stream.write(text)

    @property
    def columns(self) -> int:
        """The width of the terminal."""
        from shutil import get_terminal_size

        return get_terminal_size().columns

    @property
    def decorated(self) -> bool:
        """Whether boxes and headings are drawn."""
        return self.terminal and not self.plain and os.environ.get("TERM") != "dumb"

    @property
    def medium(self) -> Medium:
        """What reports are written for."""
        from zerosum.reports import Medium

        columns = self.columns if self.terminal else None
        return Medium(columns, self.plain, self.color, self.decorated)


@contextmanager
def problems_told(console: Console) -> Iterator[None]:
    """Print an error of a command, or of its settings, and go on."""
    import click

    try:
        yield
    except ZerosumError as error:
        console.problem(str(error))
    except click.UsageError as error:
        console.problem(error.message)


class StatusLine:
    """A line on a terminal that shows how far something is, and is then removed."""

    def __init__(self, console: Console) -> None:
        """Take the console."""
        self._console, self._shown = console, False

    def __enter__(self) -> StatusLine:
        """Show something, and remove it in the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the line."""
        self.clear()

    def show(self, text: str) -> None:
        """Replace the text last shown."""
        if self._console.decorated:
            shown = f"{visible(text)} (Ctrl-C stops)"
            self._console.write(f"{CLEARED}{shown[: self._console.columns - 1]}")
            self._console.stream.flush()
            self._shown = True

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            self._console.write(CLEARED)
            self._console.stream.flush()
            self._shown = False


def _bare(markdown: str) -> str:
    """Strip the markup from a page, and put each paragraph on one line."""
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
