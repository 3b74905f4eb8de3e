"""Turn failures of a game's rules into refusals that name the rules, not the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from zerosum.errors import GameError, MatchError, UnknownGame, ZerosumError
from zerosum.registry.loading import blame
from zerosum.web.analysis.pool import Pool
from zerosum.web.refusals import Refused

T = TypeVar("T")


def careful(step: Callable[[], T]) -> T:
    """Run a step that uses a game's rules; if they fail, say so."""
    try:
        return step()
    except Refused:
        raise
    except MatchError as error:
        raise Refused("not_now", str(error)) from error
    except Exception as error:
        raise broken(error) from error


async def thought(thinkers: Pool, what: str, **arguments: Any) -> Any:
    """Ask the solver processes, and turn their errors into refusals."""
    try:
        return await thinkers.ask(what, **arguments)
    except Refused:
        raise
    except (GameError, UnknownGame) as error:
        raise broken(error) from error
    except ZerosumError as error:
        raise Refused("invalid", str(error)) from error


def broken(error: Exception) -> Refused:
    """Return a refusal that says where the rules failed."""
    if isinstance(error, ZerosumError):
        return Refused("broken_game", str(error))
    return Refused("broken_game", f"The rules of this game failed: {blame(error)}.")
