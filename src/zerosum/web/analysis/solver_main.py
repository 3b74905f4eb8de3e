"""What a solver process answers, whatever rules do."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from typing import Any

import msgspec

from zerosum import sandbox
from zerosum.errors import (
    GameError,
    NotSolved,
    OptionError,
    TooLarge,
    Unknown,
    UnknownGame,
)
from zerosum.registry import BUILT_IN, loading
from zerosum.registry.loading import blame, call_that_raised
from zerosum.sandbox import Answerer, limit_memory
from zerosum.states import read_state
from zerosum.testing import fault_behind
from zerosum.web.analysis.questions import QUESTIONS, games_of
from zerosum.web.analysis.solutions import Solutions, TooHard, install, solutions
from zerosum.web.http.log import trace
from zerosum.web.limits import ServerLimits
from zerosum.web.refusals import Refused, refused_option, sentence

# The niceness: the server itself must answer at once.
NICENESS = 10
LONGEST = 32 << 20
Setting = tuple[str | None, ServerLimits]


def prepare(setting: bytes) -> Answerer:
    """Load what every answer needs, then limit the memory; return what answers a question."""
    cache, limits = msgspec.json.decode(setting, type=Setting)
    install(Solutions({}, cache, limits))
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    import_module("numpy")  # no question waits for it
    sandbox.name_call = loading.call_in_progress
    sandbox.refuse_to_exit()
    limit_memory(limits.solver_megabytes << 20)
    return lambda question: (answered(question),)


def answered(question: bytes) -> bytes:
    """Answer a question, with a result or an error; nothing is raised."""
    ours = True
    try:
        solutions().asker, (what, arguments) = msgspec.json.decode(question)
        ours = set(games_of(arguments)) <= BUILT_IN.keys()
        answer = msgspec.json.encode({"answer": QUESTIONS[what](**_meant(arguments))})
        if len(answer) > LONGEST:
            raise TooHard("The answer is too long to send.")
        return answer
    except BaseException as error:  # rules are arbitrary code, and may even exit
        refused = _refused(error, ours)
    try:
        return msgspec.json.encode(refused.document())
    except UnicodeEncodeError as error:
        return msgspec.json.encode(_refused(error, ours).document())


def _meant(arguments: dict[str, Any]) -> dict[str, Any]:
    """Replace the name and the options of a variant by the game, and make its state one."""
    if "options" in arguments:
        game = arguments["game"] = solutions().game(arguments["game"], arguments.pop("options"))
        if "state" in arguments:
            arguments["state"] = read_state(game, arguments["state"])
    return arguments


def _refused(error: BaseException, ours: bool) -> Refused:
    """Return the refusal that an error becomes; a bug of our own has its traceback.

    If the rules are `ours` too, so are all their faults.
    """
    if isinstance(error, Refused):
        return error
    if isinstance(error, OptionError):
        return refused_option(error)
    if isinstance(error, (TooLarge, Unknown)):
        return TooHard(str(error))
    if isinstance(error, MemoryError):
        solutions().clear()
        return TooHard("The answer needs more memory than is available.")
    if isinstance(error, UnknownGame):
        return Refused("broken_game", sentence(str(error)))
    if ours:
        return Refused("error", trace(error))
    if isinstance(error, GameError):
        return Refused("broken_game", sentence(str(error)))
    if isinstance(error, UnicodeEncodeError):
        return Refused("broken_game", "The strings of this game are not valid Unicode.")
    if call := call_that_raised(error):
        return Refused("broken_game", sentence(f"{call} fails in {blame(error)}"))
    fault = _fault(error)
    return Refused("broken_game", fault) if fault else Refused("error", trace(error))


def _fault(error: BaseException) -> str:
    """Return what is wrong with the rules about which our own code has failed, if anything is.

    Rules that contradict themselves may make anything fail, but so may a bug of ours: only what
    the conformance kit finds is held against them.
    """
    if fault := fault_behind(error, solutions().limits.rules_seconds):
        return sentence(fault)
    if isinstance(error, NotSolved):
        # Such as moves that continue after the end, which no table has.
        return f"The rules of this game contradict themselves: {error}"
    return ""
