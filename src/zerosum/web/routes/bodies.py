"""Request bodies: JSON or an HTML form, parsed into plain fields."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from zerosum.text import brief
from zerosum.web.refusals import Refused

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
DEEPEST = 10
EXACT = 2**53
TOO_DEEP = "it is nested too deeply"


def is_form(request: Request) -> bool:
    """Return whether a request comes from an HTML form."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == FORM


async def body_of(request: Request, fields: Collection[str]) -> dict[str, Any]:
    """Read the body of a request: JSON, or an HTML form with the same fields."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in (JSON, FORM):
        raise Refused("media_type", f"The body must be {JSON} or an HTML form.")
    raw = await request.body()
    found = form_of(raw) if kind == FORM else json_of(raw)
    if not isinstance(found, dict):
        raise Refused("malformed", "The body must be a JSON object.")
    for name in found:
        if name not in fields:
            known = ", ".join(fields)
            text = f"There is no such field. The fields are {known}."
            raise Refused("invalid", text, field=brief(name))
    return found


def json_of(raw: bytes | str) -> Any:
    """Parse untrusted JSON."""
    try:
        found = json.loads(raw, parse_constant=_no_constant, parse_float=_number)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} (character {error.pos + 1})"
    except UnicodeDecodeError:
        reason = "the text is not in UTF-8"
    except RecursionError:
        reason = TOO_DEEP
    except ValueError as error:
        reason = str(error) if isinstance(error, _NoNumber) else "a number in it is too long"
    else:
        if not _deep(found):
            return found
        reason = TOO_DEEP
    raise Refused("malformed", f"This JSON cannot be read: {reason}.")


def _number(text: str) -> float:
    """Read a number with a point or an exponent; in JSON, 7.0 is a whole number."""
    value = float(text)
    return int(value) if abs(value) < EXACT and value.is_integer() else value


def _deep(found: Any) -> bool:
    """Return whether something is nested more deeply than any valid request."""
    level = [found]
    for _ in range(DEEPEST):
        inner = [part for part in level if isinstance(part, (dict, list))]
        if not inner:
            return False
        level = [
            part for outer in inner for part in (outer.values() if type(outer) is dict else outer)
        ]
    return True


class _NoNumber(ValueError):
    """A word that Python's parser accepts as a number, but JSON does not."""


def _no_constant(name: str) -> None:
    """Refuse the words that Python's parser accepts as numbers, but JSON does not."""
    raise _NoNumber(f"{name} is not a number")


def form_of(raw: bytes) -> dict[str, Any]:
    """Parse an HTML form: `option.start` goes into the options, empty fields are skipped."""
    try:
        pairs = parse_qsl(raw.decode(), keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise Refused("malformed", "The form cannot be read.") from error
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name == "names":
            found.setdefault("names", []).append(value.strip())
        elif not value.strip():
            continue
        elif name.startswith("option."):
            found.setdefault("options", {})[name.removeprefix("option.")] = value
        else:
            found[name] = value
    return found
