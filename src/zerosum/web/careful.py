"""Rules of a game may fail, most of all a user's own: then they are blamed, and not the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from zerosum.errors import GameError, MatchError, UnknownGame, ZerosumError
from zerosum.registry.loading import blame
from zerosum.web.errors import Refused
from zerosum.web.thinkers import Thinkers

T = TypeVar("T")


def careful(step: Callable[[], T]) -> T:
    """Do something by the rules of a game, and blame them where they fail."""
    try:
        return step()
    except Refused:
        raise
    except MatchError as error:
        raise Refused("not_now", str(error)) from error
    except Exception as error:
        raise broken(error) from error


async def thought(thinkers: Thinkers, what: str, **arguments: Any) -> Any:
    """Ask those who think, and say in our own way why where they have no answer."""
    try:
        return await thinkers.ask(what, **arguments)
    except Refused:
        raise
    except (GameError, UnknownGame) as error:
        raise broken(error) from error
    except ZerosumError as error:
        raise Refused("invalid", str(error)) from error


def broken(error: Exception) -> Refused:
    """Say that the rules of a game fail, and where."""
    if isinstance(error, ZerosumError):
        return Refused("broken_game", str(error))
    return Refused("broken_game", f"The rules of this game fail: {blame(error)}.")
