"""The public names of a package, each loaded when it is first used."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_names(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    Its names are those that its source imports for type checkers alone, in lines such as
    `    from zerosum.limits import Limits as Limits`.
    """
    module: Any = sys.modules[package]
    source = module.__loader__.get_source(package)
    words = [line.split() for line in source.splitlines() if line.startswith("    from ")]
    homes = {line[-1]: line[1] for line in words if "as" in line}

    def load(name: str) -> object:
        """Load a public name from its home."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    def names() -> list[str]:
        """List the public names, loaded or not."""
        return sorted({*vars(module), *homes})

    return load, names, sorted(homes)
