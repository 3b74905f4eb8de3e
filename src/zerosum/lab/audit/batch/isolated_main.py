"""What the process of an audit does: it answers with an audit as far as it has come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from zerosum.errors import GameError, NoGame, NotSolved, ZerosumError
from zerosum.lab.audit.batch.isolation import BEGUN, DONE
from zerosum.lab.audit.rendering.verdict import best_play_sentence
from zerosum.lab.audit.report import Audit, audit_steps
from zerosum.limits import Limits
from zerosum.registry import find
from zerosum.registry.loading import blame, raised_by_rules
from zerosum.solver import load_numpy
from zerosum.worker import Answerer, limit_memory, limit_processor, refuse_changes

OUT_OF_MEMORY = "It needs more memory than is allowed."
Answer = dict[str, Any]


def prepare(setting: bytes) -> Answerer:
    """Load what every audit needs, then limit what a game may use."""
    cpu_seconds, memory_mib, libraries = json.loads(setting)
    load_numpy()
    for library in libraries:
        with suppress(ImportError):  # the game's own import says so
            import_module(library)
    refuse_changes()
    limit_memory(memory_mib << 20)
    limit_processor(cpu_seconds)
    return _lines


def _lines(question: bytes) -> Iterator[bytes]:
    """Audit a game and answer line by line, each answer more complete than the one before."""
    for answer in answers(*json.loads(question)):
        yield json.dumps(answer).encode()
    yield DONE


def answers(target: str, positions: int) -> Iterator[Answer]:
    """Audit a game step by step; nothing is raised."""
    solved = False
    try:
        for audit in audit_steps(find(target).variant(), Limits(positions)):
            yield _answer(audit)
            solved = not audit.begun
    except BaseException as error:  # rules are arbitrary code, and may even exit
        yield _contradiction(error) if solved else _refusal(error)


def _answer(audit: Audit) -> Answer:
    """Answer with an audit: what became of the game, in a word and a sentence."""
    document, reasons = audit.document(), [part.reason for part in audit.left_out]
    if audit.broken:
        errors = [fault.message for fault in audit.faults if fault.severity == "error"]
        status, message = "broken", (errors + reasons)[0]
    elif audit.begun:
        status, message = BEGUN, ""
    elif audit.out_of_memory:
        return {"status": "memory-limit", "message": OUT_OF_MEMORY, "audit": None}
    elif audit.solution is None:
        status, message = "too-large", reasons[0]
    else:
        status, message = "solved", best_play_sentence(document)
    return {"status": status, "message": message, "audit": document}


def _refusal(error: BaseException) -> Answer:
    """Answer with an error: what became of the game, in a word and a sentence."""
    status, message = "crashed", f"The rules failed: {blame(error)}."
    if _caused_by_memory(error):
        status, message = "memory-limit", OUT_OF_MEMORY
    elif isinstance(error, NoGame):
        status, message = "not-a-game", str(error)
    elif isinstance(error, ZerosumError):
        status, message = "cannot-load", str(error)
    elif not raised_by_rules(error):
        message = f"This is a bug in Zerosum: {blame(error)}."
    return {"status": status, "message": message, "audit": None}


def _contradiction(error: BaseException) -> Answer:
    """Answer with an error after a table was made: rules that now differ from it are broken."""
    if not isinstance(error, (GameError, NotSolved)):
        return _refusal(error)
    message = f"The rules behaved differently on replay: {error}"
    return {"status": "broken", "message": message, "audit": None}


def _caused_by_memory(error: BaseException | None) -> bool:
    """Return whether an error comes from one that says that memory is exhausted."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None
