"""A theory: the value of a position of any size, without a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic

from zerosum.errors import GameError, ZerosumError
from zerosum.protocol import Game, S, Value
from zerosum.registry import part_of
from zerosum.registry.loading import blame


class Theory(ABC, Generic[S]):
    """The theory of one variant; subclass it for a game whose values can be computed.

    The conformance kit compares a theory with the table of all positions.
    """

    def __init__(self, game: Game[S]) -> None:
        """Take the variant."""
        self.game = game

    @abstractmethod
    def value(self, state: S) -> Value | None:
        """Return the value for the player to move; None where the theory does not apply.

        Unknown plies are None. Raise a ZerosumError for a state that no game can have.
        """

    def statement(self) -> str:
        """State the theory in words that help to play; or nothing."""
        return ""

    def why(self, state: S) -> str:
        """Explain the value of a position; or nothing."""
        return ""


def theory_of(game: Game[S]) -> Theory[S] | None:
    """Return the theory of a variant, if it has one that covers its start."""
    own: type[Theory[S]] | None = part_of(game, "theory", Theory)  # type: ignore[type-abstract]
    if own is None:
        return None
    theory = own(game)
    return None if ask_theory(theory, game.initial()) is None else theory


def ask_theory(theory: Theory[S], state: S) -> Value | None:
    """Ask a theory for a value, and report what it raises."""
    try:
        return theory.value(state)
    except ZerosumError:
        raise
    except Exception as error:
        name = type(theory).__name__
        raise GameError(f"{name}.value() fails: {blame(error)}") from error
