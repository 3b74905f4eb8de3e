"""A page as its elements."""

from __future__ import annotations

from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page, with their attributes; and whether they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "link", "input", "img", "br", "hr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [
            found
            for name, found in self.found
            if name == tag and all(found.get(key) == value for key, value in attributes.items())
        ]
