"""Fingerprint a game: a digest of its own files, and of libraries it imports."""

from __future__ import annotations

import ast
import os
import sys
from glob import escape, glob
from hashlib import sha256
from importlib.machinery import PathFinder
from importlib.util import find_spec
from typing import Any

from zerosum.errors import GameError
from zerosum.protocol import Game

# The name under which a game's module remembers its digest.
NOTED = "__zerosum_fingerprint__"


def note_fingerprint(kind: type[Game[Any]]) -> None:
    """Remember the fingerprint of rules that were just loaded."""
    module = sys.modules[kind.__module__].__dict__
    if NOTED not in module:
        module[NOTED] = _digest(kind)


def fingerprint(game: Game[Any]) -> str:
    """Return a digest of a game's files, and of the libraries they import.

    Rules changed on disk after they were loaded are refused: the program does not do what the file
    says.
    """
    kind = type(game)
    module = sys.modules.get(kind.__module__)
    if module is None or not getattr(module, "__file__", None):
        raise GameError(f"{kind.__name__} has no file, so its source is unknown.")
    try:
        digest = _digest(kind)
    except (OSError, SyntaxError) as error:
        raise GameError(f"The rules can no longer be read: {error}.") from error
    if module.__dict__.setdefault(NOTED, digest) != digest:
        raise GameError(
            f"{os.path.basename(str(module.__file__))}, or a file that it imports, has changed "
            "since it was loaded. Restart to use the new version."
        )
    return digest


def parts_fingerprint(game: Game[Any]) -> str:
    """Return a digest of what is in a game's folder beside its rules: words, theory, rule book."""
    module = type(game).__module__
    if not module.endswith(".rules"):
        return ""  # all of it is in one file
    folder = os.path.dirname(str(sys.modules[module].__file__))
    names = [name for name in os.listdir(folder) if name.endswith((".py", ".md"))]
    digest = sha256()
    for name in sorted(names):
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(f"{name} ".encode() + file.read())
    return digest.hexdigest()


def file_fingerprint(path: str) -> str:
    """Return a digest of a file of Python, of its own files that it imports, and of libraries."""
    sources = _Sources()
    sources.read(os.path.abspath(path), [os.path.splitext(os.path.basename(path))[0]])
    return sources.digest()


def _digest(kind: type[Game[Any]]) -> str:
    """Make a digest of the files of a class and its bases, and of their imports."""
    sources = _Sources()
    for base in kind.__mro__:
        file = getattr(sys.modules.get(base.__module__), "__file__", None)
        if file and not _is_library(base.__module__):
            sources.read(os.path.abspath(file), base.__module__.split("."))
    return sources.digest()


def _is_library(name: str) -> bool:
    """Return whether a module belongs to Python or to Zerosum; the rule books do not."""
    top = name.partition(".")[0]
    ours = top == "zerosum" and not f"{name}.".startswith("zerosum.books.")
    return ours or top in sys.stdlib_module_names


class _Sources:
    """A game's files, and the libraries they import, by name and version."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.files: dict[str, bytes] = {}
        self.libraries: set[str] = set()
        self.own: set[str] = set()  # the game's packages: even installed, they are not libraries

    def digest(self) -> str:
        """Make a digest of files in a fixed order, and of libraries."""
        files = (self.files[file] for file in sorted(self.files))
        return sha256(b"".join((*files, *map(str.encode, sorted(self.libraries))))).hexdigest()

    def read(self, file: str, name: list[str]) -> None:
        """Read a file and those that it imports."""
        if file in self.files:
            return
        with open(file, "rb") as source:
            self.files[file] = source.read()
        self.own.add(name[0])
        here = os.path.dirname(file)
        inside = name if os.path.basename(file) == "__init__.py" else name[:-1]
        root = os.path.abspath(os.path.join(here, *[os.pardir] * len(inside)))
        for node in ast.walk(ast.parse(self.files[file])):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._follow(alias.name.split("."), root)
            elif isinstance(node, ast.ImportFrom):
                base = node.module.split(".") if node.module else []
                folder, read = root, self._follow
                if node.level:
                    folder = os.path.join(here, *[os.pardir] * (node.level - 1))
                    read = self._read_own
                for parts in (base, *([*base, alias.name] for alias in node.names)):
                    read(parts, folder)

    def _follow(self, parts: list[str], root: str) -> None:
        """Find an imported module: a file of the game's own, or a library."""
        top = parts[0]
        if top in sys.stdlib_module_names:
            return
        spec = PathFinder.find_spec(top, [root]) or find_spec(top)
        # A package may have several folders, and no __init__.py.
        folders = spec.submodule_search_locations if spec else None
        location = next(iter(folders or ()), str(spec and spec.origin))
        python = folders or location.endswith(".py")
        folder = os.path.dirname(location)
        if (
            _is_library(".".join(parts))
            or not python
            or (top not in self.own and _installs(folder, top))
        ):
            self.libraries.add(f"{top} {_version(top)}")
        else:
            self._read_own(parts, folder)

    def _read_own(self, parts: list[str], root: str) -> None:
        """Read a module of the game, and the packages that contain it."""
        for length in range(1, len(parts) + 1):
            path = os.path.join(root, *parts[:length])
            for file in (f"{path}.py", os.path.join(path, "__init__.py")):
                if os.path.isfile(file):
                    self.read(os.path.abspath(file), parts[:length])


def _installs(folder: str, top: str) -> bool:
    """Return whether a module is installed in a folder: by the folder's name, or by its lists.

    `pip install --target` fills a folder of any name, which may have the game's own files too.
    """
    if {"site-packages", "dist-packages"} & set(folder.split(os.sep)):
        return True
    for listed in glob(os.path.join(escape(folder), "*.dist-info", "RECORD")):
        with open(listed, encoding="utf-8", errors="replace") as lines:
            if any(line.startswith((f"{top}/", f"{top}.py,")) for line in lines):
                return True
    return False


def _version(name: str) -> str:
    """Return the version of a module's library, as far as known."""
    own = getattr(sys.modules.get(name), "__version__", None)
    if name == "zerosum":
        return str(own)
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    try:
        return version(name)
    except PackageNotFoundError:  # a package by another name, which takes long to find
        packages = packages_distributions().get(name)
        return version(packages[0]) if packages else "of unknown version"
