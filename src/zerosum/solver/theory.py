"""A theory: the value of a position of any size, without a table."""

from abc import ABC, abstractmethod
from typing import Any, Generic, Literal, get_args

from zerosum.errors import PartError, ZerosumError
from zerosum.protocol import Game, Result, S, Value
from zerosum.registry import part_of
from zerosum.registry.loading import blame, wrong_answer
from zerosum.text import brief

RESULTS = get_args(Result)


class Theory(ABC, Generic[S]):
    """The theory of a variant; subclass it for a game with computable values.

    The conformance kit compares a theory with the table of all positions.
    """

    def __init__(self, game: Game[S]) -> None:
        """Take the variant."""
        self.game = game

    @abstractmethod
    def value(self, state: S) -> Value | None:
        """Return the value for the player to move; None if the theory does not apply.

        Unknown plies are None. Raise a ZerosumError for an impossible state.
        """

    def statement(self) -> str:
        """State the theory in words that help to play; or nothing."""
        return ""

    def why(self, state: S) -> str:
        """Explain the value of a position; or nothing."""
        return ""


def theory_of(game: Game[S]) -> Theory[S] | None:
    """Return a variant's theory, if it has one that covers its start."""
    own: type[Theory[S]] | None = part_of(game, "theory", Theory)  # type: ignore[type-abstract]
    if own is None:
        return None
    theory = own(game)
    if ask_theory(theory, "value", game.initial()) is None:
        return None
    return theory


def ask_theory(theory: Theory[S], name: Literal["value", "statement", "why"], *state: S) -> Any:
    """Call a theory's method, and report what it raises and a wrong type."""
    try:
        answer = getattr(theory, name)(*state)
    except ZerosumError:
        raise
    except Exception as error:
        raise PartError(f"{type(theory).__name__}.{name}() fails: {blame(error)}") from error
    if not (_is_value(answer) if name == "value" else isinstance(answer, str)):
        wanted = "a string"
        if name == "value":
            wanted = "Value('win', 'loss' or 'draw', plies) or None"
        asked = f"{name}({', '.join(brief(s, 100) for s in state)})"
        raise wrong_answer(theory, asked, wanted, answer)
    return answer


def _is_value(answer: Any) -> bool:
    """Return whether an answer is a value with a known result, or None."""
    if not isinstance(answer, Value):
        return answer is None
    plies = answer.plies
    return answer.result in RESULTS and (plies is None or (type(plies) is int and plies >= 0))
