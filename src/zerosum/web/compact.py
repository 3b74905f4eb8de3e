"""JSON without spaces, by a shared encoder: creating one takes as long as using it."""

from __future__ import annotations

import json
from typing import Any

_encode = json.JSONEncoder(separators=(",", ":")).encode
_encode_sorted = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def compact(document: Any) -> str:
    """Serialise a document as briefly as possible.

    >>> compact({"ply": 7, "moves": ["1", "2"]})
    '{"ply":7,"moves":["1","2"]}'
    """
    return _encode(document)


def canonical(document: Any) -> str:
    """Serialise a document so that equal documents give equal text.

    >>> canonical({"b": 1, "a": 2})
    '{"a":2,"b":1}'
    """
    return _encode_sorted(document)
