r"""A report as LaTeX, for a paper: sentences and tables, to be read with \input.

No package is needed, and every character compiles, in any encoding of fonts: the file is ASCII.
"""

from __future__ import annotations

import re
import unicodedata

from zerosum.reports import FAULTS, Bars, Grid, Piece, Report, Sentence
from zerosum.text import visible

HEAD = r"% Read this file with \input{...}; no package is needed."
# A bracket or a star after the end of a row would be its argument; dashes would become one.
SPECIAL = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    **{sign: f"{{{sign}}}" for sign in "[]*-"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    "`": r"{\char96}",
    '"': r"{\char34}",
    "\n": " ",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "’": "'",
    "“": "{``}",
    "”": "{''}",
    "·": r"$\cdot$",
    "°": r"$^\circ$",
    "½": r"$\frac{1}{2}$",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "÷": r"$\div$",
    "→": r"$\to$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "♥": r"$\heartsuit$",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ı": r"\i{}",
}
# By the number of the accent in Unicode.
ACCENTS = dict(
    zip(
        (0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x30A, 0x30B, 0x30C, 0x327),
        "`'^~=u.\"rHvc",
        strict=True,
    )
)
# Between letters, digits and points, a dash is only a dash.
SINGLE_DASH = re.compile(r"(?<=[A-Za-z0-9.])\{-\}(?=[A-Za-z0-9.])")


def to_latex(report: Report) -> str:
    r"""Write a report as LaTeX: what its pictures show is in its tables.

    >>> from zerosum.reports import Section
    >>> grid = Grid(("Level", "Right"), [("easy", "50%")])
    >>> print(to_latex(Report("Dual Digits", [Section("", [grid])])))
    % Read this file with \input{...}; no package is needed.
    <BLANKLINE>
    \subsection*{Dual Digits}
    <BLANKLINE>
    \begin{center}
    \begin{tabular}{lr}
    \hline
    Level & Right \\
    \hline
    easy & 50\% \\
    \hline
    \end{tabular}
    \end{center}
    """
    parts = [HEAD]
    if report.title:
        parts.append(f"\\subsection*{{{escaped(report.title)}}}")
    for section in report.sections:
        if section.title:
            parts.append(f"\\subsubsection*{{{escaped(section.title)}}}")
        parts += filter(None, map(_piece, section.pieces))
    return "\n\n".join(parts)


def _piece(piece: Piece) -> str:
    """Write a piece, if it is not only drawn."""
    if isinstance(piece, Grid):
        return _table(piece)
    if isinstance(piece, Bars):
        rows = [(bar.label, bar.figure) for bar in piece.bars]
        return "" if piece.drawn else _table(Grid((piece.title, ""), rows))
    if isinstance(piece, str | Sentence):
        text, style = (piece, "") if isinstance(piece, str) else piece
        if style == "aside":
            return ""
        return escaped(f"{style.capitalize()}: {text}" if style in FAULTS else text)
    return ""


def _table(grid: Grid) -> str:
    """Write a table; all columns but the first are aligned at the right."""
    rows = [" & ".join(map(escaped, row)) + r" \\" for row in (grid.columns, *grid.rows)]
    lines = [
        r"\begin{center}",
        rf"\begin{{tabular}}{{l{'r' * (len(grid.columns) - 1)}}}",
        r"\hline",
        rows[0],
        r"\hline",
        *rows[1:],
        r"\hline",
        r"\end{tabular}",
        r"\end{center}",
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    r"""Escape text for LaTeX; a character that not every font has is named by its number.

    >>> print(escaped("50% of my_file, --exec, Müller, 中, a-b"))
    50\% of my\_file, {-}{-}exec, M\"{u}ller, \texttt{U+4E2D}, a-b
    """
    composed = unicodedata.normalize("NFC", visible(text))
    return SINGLE_DASH.sub("-", "".join(map(_letter, composed)))


def _letter(letter: str) -> str:
    """Write a character."""
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter.isascii():
        return letter
    apart = unicodedata.normalize("NFD", letter)
    if len(apart) == 2 and apart[0].isascii() and ord(apart[1]) in ACCENTS:
        base = rf"\{apart[0]}" if apart[0] in "ij" else apart[0]
        return rf"\{ACCENTS[ord(apart[1])]}{{{base}}}"
    return rf"\texttt{{U+{ord(letter):04X}}}"
