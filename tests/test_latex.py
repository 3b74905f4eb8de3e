"""A report in LaTeX compiles: it is read as TeX would, and says what the report says."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.test_reports import REPORT
from zerosum.latex import ACCENTS, SPECIAL, escaped, to_latex
from zerosum.reports import Grid, Report, Section
from zerosum.text import visible

# All that may stand in a file: a command with its argument, a formula, or a letter.
TOKEN = re.compile(
    r"\\(?P<accent>[`'^~=u.\"rHvc])\{(?P<base>\\?[A-Za-z])\}"
    r"|\\texttt\{U\+(?P<number>[0-9A-F]+)\}"
    r"|(?P<special>"
    + "|".join(re.escape(s) for s in sorted(SPECIAL.values(), key=len, reverse=True) if s != " ")
    + r")|(?P<plain>[^\\{}$&#_%~^])"
)
MEANT = {written: sign for sign, written in SPECIAL.items() if written != " "} | {"'": "'"}


def read(latex: str) -> str:
    """Return what TeX would set; fail where it would stop."""
    said, at = "", 0
    while at < len(latex):
        token = TOKEN.match(latex, at)
        assert token is not None, latex[at:]
        at = token.end()
        if token["accent"]:
            code = next(code for code, sign in ACCENTS.items() if sign == token["accent"])
            said += unicodedata.normalize("NFC", token["base"].lstrip("\\") + chr(code))
        elif token["number"]:
            said += chr(int(token["number"], 16))
        elif token["special"]:
            said += MEANT[token["special"]]
        else:
            said += token["plain"]
    return said


@given(st.text())
@example('\\input{/etc/passwd} $x$ 5% #1 a_b a^b ~ & [1] * -- ?` "q" <a> |')
@example("Ångström, naïve, Łódź, Ğ, ß, 中, ½, –, …, ’, e\u0301")
def test_any_text_is_set_as_it_is(text: str) -> None:
    latex = escaped(text)
    assert latex.isascii()
    shown = visible(text).replace("\n", " ").replace("’", "'")
    assert unicodedata.normalize("NFC", read(latex)) == unicodedata.normalize("NFC", shown)


@given(st.lists(st.lists(st.text(max_size=6), min_size=3, max_size=3), max_size=4))
@example([["[2ex]", "*", "&"], ["\\\\", "\\hline", "%"]])
def test_a_table_has_its_rows_and_columns(rows: list[list[str]]) -> None:
    latex = to_latex(Report("", [Section("", [Grid(("a", "b", "c"), rows)])]))
    lines = latex.split("\n")[2:]
    assert lines[:3] == [r"\begin{center}", r"\begin{tabular}{lrr}", r"\hline"]
    assert lines[4] == r"\hline"
    assert lines[-3:] == [r"\hline", r"\end{tabular}", r"\end{center}"]
    written = lines[5:-3]
    assert len(written) == len(rows)
    for line, row in zip(written, rows, strict=True):
        cells = re.split(r"(?<!\\) & ", line.removesuffix(r" \\"))
        assert cells == [*map(escaped, row)]


def test_a_report_has_its_titles_sentences_and_tables() -> None:
    latex = to_latex(REPORT)
    assert latex.isascii()
    assert r"\subsection*{Audit of $<$Nim$>$}" in latex
    assert r"\subsubsection*{Faults}" in latex
    assert "\nError: One.\n\nNote: Two.\n" in latex
    assert "easy & 5$|$1 \\\\\n & 2 \\\\\n" in latex
    assert "Moves in a game &  \\\\\n\\hline\n1 & 25\\% \\\\" in latex
    assert "positions" not in latex  # which is about the command
    begun = re.findall(r"\\begin\{(\w+)\}", latex)
    assert len(begun) == len(re.findall(r"\\end\{(\w+)\}", latex)) == 4
    body = re.sub(r"(?m)^(%.*|\\(begin|end)\{.*|\\hline)$|\\(sub)+section\*", "", latex)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", body):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0


@pytest.mark.parametrize("sign", [*SPECIAL])
def test_signs_are_told_apart(sign: str) -> None:
    if sign not in "\n’":
        assert read(escaped(f"a{sign}b")) == f"a{sign}b"
