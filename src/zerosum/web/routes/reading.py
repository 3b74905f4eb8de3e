"""Strict reading of requests, with a sentence for everything that is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, Literal, TypeVar, Union, get_args
from urllib.parse import parse_qsl

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import FieldInfo
from starlette.requests import Request
from starlette.responses import Response

from zerosum.text import brief, either
from zerosum.web.limits import Limits
from zerosum.web.refusals import Refused, invalid, sentence

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
# How the fields of a form begin that are options of the game.
OPTION = "option."
# In an address, these hold JSON.
JSON_PARAMETERS = frozenset({"options", "state"})
Switch = bool | Literal["on", "off", "yes", "no"]
T = TypeVar("T")
S = TypeVar("S", bound=Struct)


class Reader(Generic[S]):
    """Reads one kind of request, or one of several that a tag tells apart."""

    def __init__(self, *kinds: type[S]) -> None:
        """Take the structs that a body may be."""
        self.kinds = kinds
        self._decode = msgspec.json.Decoder(Union[kinds], strict=False).decode  # noqa: UP007

    async def read(self, request: Request) -> S:
        """Read the body of a request: JSON, or an HTML form with the same fields."""
        if is_form(request):
            form = await form_of(request)
            found = {name: form[name] for name in form if not name.startswith(OPTION)}
            if options := options_in(form):
                found["options"] = options
            return self.parse(msgspec.json.encode(found))
        if media_type(request) != JSON:
            raise Refused("media_type", f"The body must be {JSON} or an HTML form.")
        return self.parse(await request.body())

    def query(self, request: Request) -> S:
        """Read the query of an address; what is not known is ignored."""
        found = {
            name: _decoded(text.encode(), Raw) if name in JSON_PARAMETERS else text
            for name, text in request.query_params.items()
            if name in self.kinds[0].__struct_fields__
        }
        return self.parse(msgspec.json.encode(found))

    def parse(self, raw: bytes) -> S:
        """Read JSON; only if that fails, find the field that does not fit."""
        try:
            found: S = self._decode(raw)
        except (ValueError, RecursionError) as error:
            raise self._refusal(raw) from error
        return found

    def _refusal(self, raw: bytes) -> Refused:
        """Return the refusal of a body, with the first field that does not fit."""
        found = _decoded(raw, dict[str, Raw])
        by_tag = {kind.__struct_config__.tag: kind for kind in self.kinds}
        kind, tag_field = self.kinds[0], self.kinds[0].__struct_config__.tag_field
        if tag_field is not None:
            tag = found.pop(tag_field, Raw())
            if not _fits(tag, Literal[tuple(by_tag)]):
                return invalid(tag_field, f"{tag_field} must be {either(list(map(str, by_tag)))}")
            kind = by_tag[msgspec.json.decode(tag)]
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        for name in found:
            if name not in fields:
                known = ", ".join([*filter(None, [tag_field]), *fields])
                text = f"There is no such field. The fields are {known}."
                return Refused("invalid", text, field=brief(name))
        for name, field in fields.items():
            if not _fits(found[name], field.type) if name in found else field.required:
                return invalid(name, _must(field))
        return Refused("malformed", "A field appears more than once.")


def _fits(raw: Raw, kind: Any) -> bool:
    """Return whether the value of a field fits its type."""
    try:
        msgspec.json.decode(raw, type=kind, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _must(field: FieldInfo) -> str:
    """Return what a field must be, from its definition; a choice names its words."""
    told = next(_told(field.type), "")
    return told or f"{field.name} must be {either(list(get_args(field.type)))}"


def _told(kind: Any) -> Iterator[str]:
    """Yield the sentences in the definition of a type."""
    yield from (meta.extra["must"] for meta in getattr(kind, "__metadata__", ()) if meta.extra)
    for part in get_args(kind):
        yield from _told(part)


def _decoded(raw: bytes, kind: type[T]) -> T:
    """Read untrusted JSON: an object, or any value."""
    try:
        return msgspec.json.decode(raw.decode(), type=kind)
    except msgspec.ValidationError as error:
        raise Refused("malformed", "The body must be a JSON object.") from error
    except msgspec.DecodeError as error:
        raise Refused("malformed", sentence(str(error))) from error
    except UnicodeDecodeError as error:
        raise Refused("malformed", "The text is not in UTF-8.") from error
    except RecursionError as error:
        raise Refused("malformed", "The JSON is nested too deeply.") from error


def answer(document: Any, status: int = 200) -> Response:
    """Answer with a document."""
    return Response(msgspec.json.encode(document), status, media_type=JSON)


def media_type(request: Request) -> str:
    """Return the type of a body."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def is_form(request: Request) -> bool:
    """Return whether a request comes from an HTML form."""
    return media_type(request) == FORM


async def form_of(request: Request) -> dict[str, Any]:
    """Read an HTML form, by field."""
    try:
        text = (await request.body()).decode()
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise Refused("malformed", "The form cannot be read.") from error
    return fields_of(pairs)


def fields_of(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the fields of a form or an address: `names` is a list, empty fields are skipped."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name == "names":
            found.setdefault(name, []).append(value.strip())
        elif value.strip():
            found[name] = value.strip()
    return found


def options_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options among the fields of a form.

    >>> options_in({"game": "even-steven", "option.start": "9"})
    {'start': '9'}
    """
    return {name.removeprefix(OPTION): fields[name] for name in fields if name.startswith(OPTION)}


def typed_move(move: int | str, limits: Limits) -> str:
    """Return a move as typed; the game's rules interpret it later."""
    text = str(move)
    if len(text) > limits.number_digits + 1:
        most = f"A move can have at most {limits.number_digits} characters."
        raise Refused("unreadable_move", most, field="move")
    return text.strip()


def content_digest(*parts: Any) -> str:
    """Digest a request's content, so that a key cannot be reused for another."""
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()[:32]
