"""The public names of a package, each loaded from its home when it is first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package; `homes` has the module of each.

    They are hidden from type checkers, which read the imports beside them.
    """

    def load(name: str) -> object:
        """Load a public name from its home."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        """List the public names, loaded or not."""
        return sorted({*vars(sys.modules[package]), *homes})

    return load, names, sorted(homes)
