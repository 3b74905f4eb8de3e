"""Tools from functions: their schemas, calls of them, and what goes wrong as a sentence."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec
from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from msgspec import Struct, defstruct, to_builtins
from msgspec.structs import asdict

from zerosum.errors import ZerosumError
from zerosum.text import brief, did_you_mean
from zerosum.web.refusals import Refused
from zerosum.web.routes.request_schemas import parse

log = logging.getLogger("zerosum.mcp")
T = TypeVar("T")


class Told(NamedTuple, Generic[T]):
    """What a tool answers: a structure, and a short text made from it."""

    answer: T
    text: str


F = TypeVar("F", bound=Callable[..., Awaitable[Told[Any]]])
# The attribute of a function that is a tool: whether it only reads.
TOOL = "_only_reads"


class ToolError(ZerosumError):
    """A call of a tool that makes no sense."""


def tool(reads: bool = False) -> Callable[[F], F]:
    """Make a method a tool: its docstring and its parameters describe it."""

    def mark(function: F) -> F:
        setattr(function, TOOL, reads)
        return function

    return mark


class Toolbox:
    """The tools of some groups; what is not in it can be neither seen nor called."""

    def __init__(self, *groups: object) -> None:
        """Take objects with tools among their methods."""
        methods = [getattr(group, name) for group in groups for name in vars(type(group))]
        self._tools = {
            method.__name__: _offered(method) for method in methods if hasattr(method, TOOL)
        }

    @property
    def listed(self) -> list[Tool]:
        """What an assistant is told about each tool."""
        return [listed for listed, *_ in self._tools.values()]

    async def call(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        """Call a tool; whatever fails is a sentence with a code."""
        try:
            if name not in self._tools:
                offer = did_you_mean(name, self._tools) or "tools/list names them all."
                raise ToolError(f"There is no tool '{brief(name)}'; {offer}")
            _, kind, function = self._tools[name]
            told = await function(**asdict(_read(kind, arguments)))
            return _result(told.text, to_builtins(told.answer))
        except ZerosumError as error:
            return _failed(error)
        except Exception as error:
            log.exception("The tool %s failed.", name)
            return _failed(ToolError(f"This is a bug in Zerosum: {type(error).__name__}."))


def _offered(method: Any) -> tuple[Tool, type[Struct], Any]:
    """Describe a method as a tool; return what its calls are read by, too."""
    hints, name = get_type_hints(method, include_extras=True), method.__name__
    (answer,) = get_args(hints.pop("return"))
    parameters = inspect.signature(method).parameters.values()
    fields = [
        (given.name, hints[given.name], *([] if given.default is given.empty else [given.default]))
        for given in parameters
    ]
    read = defstruct(name, fields, forbid_unknown_fields=True, kw_only=True)
    about = ToolAnnotations(read_only_hint=getattr(method, TOOL), open_world_hint=False)
    listed = Tool(
        name=name,
        description=inspect.getdoc(method),
        input_schema=_schema(read),
        output_schema=_schema(answer),
        annotations=about,
    )
    return listed, read, method


def _schema(kind: type[Struct]) -> dict[str, Any]:
    """Return the schema of a structure, with the structure itself at the top."""
    made = msgspec.json.schema(kind)
    parts = made["$defs"]
    top: dict[str, Any] = parts.pop(made["$ref"].rpartition("/")[2])
    return {**top, "$defs": parts} if parts else top


def _read(kind: type[Struct], arguments: dict[str, Any]) -> Struct:
    """Read the arguments of a call; a number may be written as a string."""
    try:
        return parse(json.dumps(arguments).encode(), kind, strict=False)
    except (ValueError, RecursionError) as error:
        raise ToolError("The arguments are too long, or nested too deeply.") from error


def _failed(error: ZerosumError) -> CallToolResult:
    """Return the answer to a call that was refused: a code, a sentence, and what is legal."""
    words = (f"_{c.lower()}" if c.isupper() else c for c in type(error).__name__)
    code, legal = getattr(error, "code", "") or "".join(words).strip("_"), []
    if isinstance(error, Refused):
        legal = error.more.get("legal", [])
    message = f"{error}{'' if str(error).endswith(('.', '?')) else '.'}"
    told = f"{message} Legal now: {', '.join(legal)}." if legal else message
    more = {"legal": legal} if legal else {}
    return _result(told, {"error": {"code": code, "message": message, **more}}, failed=True)


def _result(text: str, document: Any, failed: bool = False) -> CallToolResult:
    """Return an answer as a text and as a document."""
    content = TextContent(type="text", text=text)
    return CallToolResult(content=[content], structured_content=document, is_error=failed)
