"""Rule books as HTML: the little Markdown that they use, and everything else as text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.web.routes.markdown import html_of, title_in

OURS = {"h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "code", "em", "strong", "pre"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>"),
        ("# A\n### B", "<h2>A</h2>\n<h3>B</h3>"),
        ("text\n- a\n- b\n  c", "<p>text</p>\n<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
        ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"),
        ("`*a*` 2 * 3 * 4", "<p><code>*a*</code> 2 * 3 * 4</p>"),
        ("x\n```\n<a> # b\n\n- c\n```\ny", None),
        ("<b>&amp;</b>", "<p>&lt;b&gt;&amp;amp;&lt;/b&gt;</p>"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ("", ""),
    ],
)
def test_markdown_of_rule_books(text: str, html: str | None) -> None:
    if html is None:
        html = "<p>x</p>\n<pre><code>&lt;a&gt; # b\n\n- c</code></pre>\n<p>y</p>"
    assert html_of(text) == html


def test_unclosed_fence_keeps_its_text() -> None:
    assert html_of("```\nfor ever") == "<pre><code>for ever</code></pre>"


def test_title_is_split_off() -> None:
    assert title_in("\n# Nim #\nrest") == ("Nim", "rest")
    assert title_in("## Nim\nrest") == ("", "## Nim\nrest")


class Tags(HTMLParser):
    """Checks that only our own elements are there, without attributes, and closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in OURS
        assert not attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@given(st.text(alphabet="ab<>&\"'`*#-1. \n", max_size=60))
def test_any_text_gives_valid_html(text: str) -> None:
    tags = Tags()
    tags.feed(html_of(text))
    tags.close()
    assert tags.open == []
