"""JSON without spaces, by one encoder: making one for every text takes as long as writing it."""

from __future__ import annotations

import json
from typing import Any

_encode = json.JSONEncoder(separators=(",", ":")).encode
_encode_sorted = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def compact(document: Any) -> str:
    """Write a document as short as it can be.

    >>> compact({"ply": 7, "moves": ["1", "2"]})
    '{"ply":7,"moves":["1","2"]}'
    """
    return _encode(document)


def canonical(document: Any) -> str:
    """Write a document in the one way in which equal ones are written alike.

    >>> canonical({"b": 1, "a": 2})
    '{"a":2,"b":1}'
    """
    return _encode_sorted(document)
