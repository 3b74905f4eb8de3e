"""The files that browsers load: bundled, compressed, and at addresses that name their content."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from zerosum.pictures.svg import FONT, STYLES

PLAIN = ("base", "parts", "line", "drawn")
TABLE = (*PLAIN, "table", "position", "board", "moves")
# What each page's one style sheet is made of, in the order of the cascade.
SHEETS = {
    "plain": PLAIN,
    "home": (*PLAIN, "home"),
    "learn": (*PLAIN, "board", "learn"),
    "table": TABLE,
    "study": (*TABLE, "study"),
}
# Scripts that are not part of others; the first runs before the page is drawn.
SCRIPTS = (
    *("settings", "home", "start", "table", "stream-worker"),
    *("review", "explore", "puzzles", "learn", "you"),
)
TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
COMPRESSED = ("css", "js", "svg", "webmanifest")
MOST_SIZED = 26  # cells of a board in a row or a column, characters of a number
FOR_EVER = "public, max-age=31536000, immutable"
# In an Accept-Encoding header, with no weight or one above 0.
GZIP = re.compile(r"(?:^|,)\s*gzip\s*(?:;\s*q=(?:1[.0]*|0\.0*[1-9]\d*)\s*)?(?:,|$)", re.I)
STYLE_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
# Only those that have lines to themselves: others would take a parser to find.
COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w-]+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class Asset(NamedTuple):
    """A file as it is sent, and compressed, if that makes it smaller."""

    kind: str
    body: bytes
    packed: bytes | None


class Assets(NamedTuple):
    """All files by their names; `version` stands for the content of all of them together."""

    version: str
    found: Mapping[str, Asset]

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return f"/static/{self.version}/{name}"


@cache
def assets() -> Assets:
    """Load, bundle and compress all files, once."""
    folder = files("zerosum.web") / "static"
    sheets, scripts = _texts(folder / "css"), _texts(folder / "js")
    made = {f"{name}.css": styled(parts, sheets).encode() for name, parts in SHEETS.items()}
    made |= {f"{name}.js": bundled(name, scripts).encode() for name in SCRIPTS}
    made |= {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    digest = hashlib.sha256(repr(sorted(made.items())).encode()).hexdigest()[:12]
    return Assets(digest, {name: _asset(name, body) for name, body in made.items()})


def _texts(folder: Traversable) -> dict[str, str]:
    """Return the texts of the files in a folder, by their names without endings."""
    return {
        file.name.rpartition(".")[0]: file.read_text(encoding="utf-8") for file in folder.iterdir()
    }


def _asset(name: str, body: bytes) -> Asset:
    """Return a file with its compressed form; pictures of points are compressed already."""
    kind = name.rpartition(".")[2]
    return Asset(TYPES[kind], body, gzip.compress(body, mtime=0) if kind in COMPRESSED else None)


def styled(parts: tuple[str, ...], sheets: Mapping[str, str]) -> str:
    """Return style sheets as one, after the colours of the pictures; comments are left out.

    >>> styled(("a",), {"a": "/* Links. */ a { color: red }"}).endswith("a { color: red }")
    True
    """
    colours = [f".zerosum .{kind}{{{_themed(*pair)}}}" for kind, pair in STYLES.items()]
    # A page may not have styles of its own, but boards and numbers have a size before scripts run.
    sizes = [
        f'[data-{side}="{count}"]{{--{side}:{count}}}'
        for side in ("rows", "columns", "length")
        for count in range(1, MOST_SIZED + 1)
    ]
    pictures = "".join([f".zerosum text{{{FONT}}}", *colours, *sizes])
    return STYLE_COMMENT.sub("", "\n".join([pictures, *(sheets[part] for part in parts)]))


def _themed(light: str, dark: str) -> str:
    """Return a style that follows the theme of the page.

    >>> _themed("fill:none;stroke:#fff", "fill:none;stroke:#000")
    'fill:none;stroke:light-dark(#fff,#000)'
    """
    pairs = zip(light.split(";"), dark.split(";"), strict=True)
    return ";".join(
        day if day == night else day.replace(":", ":light-dark(") + f",{night.partition(':')[2]})"
        for day, night in pairs
    )


def bundled(name: str, scripts: Mapping[str, str]) -> str:
    r"""Return a module with all that it imports as one module, in which each has its own scope.

    >>> scripts = {"a": "export const x = 1;\n", "b": 'import { x } from "./a.js";\nf(x);\n'}
    >>> print(bundled("b", scripts))
    const $a = (() => {
    const x = 1;
    return { x };
    })();
    const $b = (() => {
    const { x } = $a;
    f(x);
    return {  };
    })();
    """
    order: list[str] = []
    _visit(name, scripts, order, ())
    return "\n".join(_wrapped(part, scripts[part]) for part in order)


def _visit(name: str, scripts: Mapping[str, str], order: list[str], path: tuple[str, ...]) -> None:
    """List a module after all that it imports."""
    if name in path:
        raise ValueError(f"Modules import each other: {' > '.join((*path, name))}.")
    if name not in order:
        for _, other in IMPORT.findall(scripts[name]):
            _visit(other, scripts, order, (*path, name))
        order.append(name)


def _wrapped(name: str, text: str) -> str:
    """Return a module as a function that is called at once and returns what it exports."""
    exported = ", ".join(found for _, found in EXPORT.findall(text))
    return f"const {_variable(name)} = (() => {{\n{_body(text)}\nreturn {{ {exported} }};\n}})();"


def _body(text: str) -> str:
    """Return a module's text with constants instead of imports, and without comments."""
    plain = EXPORT.sub(r"\1", IMPORT.sub(_imported, COMMENT.sub("", text)))
    if left := LEFT.search(plain):
        raise ValueError(f"This cannot be bundled: {left[0]}")
    return plain.strip()


def _imported(found: re.Match[str]) -> str:
    """Return an import as a constant."""
    names, module = found.groups()
    if names is None:
        return ""
    return f"const {{ {' '.join(names.split()).replace(' as ', ': ')} }} = {_variable(module)};\n"


def _variable(module: str) -> str:
    """Return the variable that holds what a module exports."""
    return f"${module.replace('-', '_')}"


def accepts_gzip(accepted: str) -> bool:
    """Return whether an Accept-Encoding header allows an answer that is compressed by gzip."""
    return GZIP.search(accepted) is not None


async def static(request: Request) -> Response:
    """Answer with a file; at the address of another version it must be asked for again."""
    kept, name = assets(), request.path_params["name"]
    found = kept.found.get(name)
    if found is None:
        return Response(status_code=404)
    current = request.path_params["version"] == kept.version
    headers = {"cache-control": FOR_EVER if current else "no-cache", "vary": "accept-encoding"}
    body = found.body
    if found.packed is not None and accepts_gzip(request.headers.get("accept-encoding", "")):
        body, headers["content-encoding"] = found.packed, "gzip"
    return Response(body, headers=headers, media_type=found.kind)
