"""Fingerprint a game: a digest of its own files, and of the libraries that it imports."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
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
    """Return a digest of all files of a game, and of the libraries that they import.

    Rules that were changed on disk after they were loaded are refused, because the program does
    not do what the file says.
    """
    kind = type(game)
    module = sys.modules.get(kind.__module__)
    if module is None or not getattr(module, "__file__", None):
        raise GameError(f"{kind.__name__} has no file, so its source is not known.")
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
    digest = hashlib.sha256()
    for name in sorted(names):
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(f"{name} ".encode() + file.read())
    return digest.hexdigest()


def file_fingerprint(path: str) -> str:
    """Return a digest of a file of Python, of its own files that it imports, and of libraries."""
    files: dict[str, bytes] = {}
    libraries: set[str] = set()
    stem = os.path.splitext(os.path.basename(path))[0]
    _gather(os.path.abspath(path), [stem], files, libraries)
    return _sum(files, libraries)


def _digest(kind: type[Game[Any]]) -> str:
    """Make a digest of the files of a class and of its bases, and of all that they import."""
    files: dict[str, bytes] = {}
    libraries: set[str] = set()
    for base in kind.__mro__:
        module = sys.modules.get(base.__module__)
        file = getattr(module, "__file__", None)
        if file and not _is_library(base.__module__):
            _gather(os.path.abspath(file), base.__module__.split("."), files, libraries)
    return _sum(files, libraries)


def _sum(files: dict[str, bytes], libraries: set[str]) -> str:
    """Make a digest of files in a fixed order, and of libraries."""
    digest = hashlib.sha256()
    for source in (*(files[file] for file in sorted(files)), *map(str.encode, sorted(libraries))):
        digest.update(source)
    return digest.hexdigest()


def _is_library(name: str) -> bool:
    """Return whether a module belongs to Python or to Zerosum; the rule books do not."""
    top = name.partition(".")[0]
    ours = top == "zerosum" and not name.startswith("zerosum.books.")
    return ours or top in sys.stdlib_module_names


def _gather(file: str, name: list[str], files: dict[str, bytes], libraries: set[str]) -> None:
    """Read a file and those that it imports; list the libraries by name and version."""
    if file in files:
        return
    with open(file, "rb") as source:
        files[file] = source.read()
    here = os.path.dirname(file)
    root = here
    for _ in name if os.path.basename(file) == "__init__.py" else name[:-1]:
        root = os.path.dirname(root)
    for node in ast.walk(ast.parse(files[file])):
        if isinstance(node, ast.Import):
            for alias in node.names:
                _follow(alias.name.split("."), root, files, libraries)
        elif isinstance(node, ast.ImportFrom):
            base = node.module.split(".") if node.module else []
            folder = os.path.join(here, *[os.pardir] * (node.level - 1)) if node.level else root
            read = _own if node.level else _follow
            for parts in (base, *([*base, alias.name] for alias in node.names)):
                read(parts, folder, files, libraries)


def _follow(parts: list[str], root: str, files: dict[str, bytes], libraries: set[str]) -> None:
    """Find an imported module: a file of the game's own, or a library."""
    if parts[0] in sys.stdlib_module_names:
        return
    if parts[0] == "zerosum" and parts[1:2] != ["books"]:
        libraries.add(f"zerosum {_version('zerosum')}")
        return
    if not _module_file(root, parts[:1]):
        spec = find_spec(parts[0])
        # A package may have several folders, and need not have an __init__.py.
        folders = list((spec and spec.submodule_search_locations) or ())
        origin = (spec and spec.origin) or ""
        location = folders[0] if folders else origin if origin.endswith(".py") else ""
        if not location or _in_site_packages(location):
            libraries.add(f"{parts[0]} {_version(parts[0])}")
            return
        root = os.path.dirname(location)
    elif _in_site_packages(root) and os.path.isdir(root) and not _package_of(files, root, parts[0]):
        libraries.add(f"{parts[0]} {_version(parts[0])}")
        return
    _own(parts, root, files, libraries)


def _package_of(files: dict[str, bytes], root: str, name: str) -> bool:
    """Return whether a package is the one that an installed game's files are in."""
    own = os.path.join(root, name)
    return any(file.startswith((f"{own}{os.sep}", f"{own}.py")) for file in files)


def _own(parts: list[str], root: str, files: dict[str, bytes], libraries: set[str]) -> None:
    """Read a module of the game, and the packages that contain it."""
    for length in range(1, len(parts) + 1):
        file = _module_file(root, parts[:length])
        if file:
            _gather(file, parts[:length], files, libraries)


def _module_file(root: str, parts: list[str]) -> str:
    """Return the file of a module below a folder, or nothing."""
    path = os.path.join(root, *parts)
    for file in (f"{path}.py", os.path.join(path, "__init__.py")):
        if os.path.isfile(file):
            return os.path.abspath(file)
    return ""


def _in_site_packages(path: str) -> bool:
    """Return whether a path belongs to installed packages."""
    return bool({"site-packages", "dist-packages"} & set(path.split(os.sep)))


def _version(name: str) -> str:
    """Return the version of the library that a module belongs to, as far as known."""
    own = getattr(sys.modules.get(name), "__version__", None)
    if name == "zerosum":
        return str(own)
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    try:
        return version(name)
    except PackageNotFoundError:  # a package by another name, which takes long to find
        packages = packages_distributions().get(name)
        return version(packages[0]) if packages else "of unknown version"
