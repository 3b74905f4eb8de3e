"""What a game is: four methods over states, moves and outcomes; and the value of a position."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence, Set
from functools import wraps
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from zerosum.errors import BrokenGame, GameError, IllegalMove, UnreadableMove
from zerosum.options import check_options
from zerosum.text import brief, read_whole

Move = int | str
MOVE_TYPES = frozenset((int, str))
Result = Literal["win", "loss", "draw"]
LONGEST_MOVE = 20
MOST_NAMED = 20


class AnyState(Protocol):
    """What every state has: the seat to move. A game's states are NamedTuples with more fields."""

    @property
    def player(self) -> int:
        """The seat to move: 0, which moves first, or 1."""


S = TypeVar("S", bound=AnyState)


class Outcome(NamedTuple):
    """How a game ended: the seat that won (0 moved first), or None for a draw; and why."""

    winner: int | None
    reason: str


class Value(NamedTuple):
    """What a position is worth to the player to move, under best play.

    `plies` counts the moves to the end when the winner hurries and the loser holds out. It is None
    for a draw, and if it is unknown. A draw is `endless` if neither player can force the end
    without losing. A draw proved by search may be endless or not: that is left open.

    >>> Value("win", 5), Value("draw"), Value("draw", endless=True)
    (Value(result='win', plies=5), Value(result='draw'), Value(result='draw', endless=True))
    """

    result: Result
    plies: int | None = None
    endless: bool = False

    def __repr__(self) -> str:
        """Leave out what adds nothing."""
        plies = f", plies={self.plies}" if self.result != "draw" else ""
        return f"Value(result={self.result!r}{plies}{', endless=True' * self.endless})"


class Game(ABC, Generic[S]):
    """The rules of one variant of a game: a frozen dataclass whose fields are its options.

    A state is a NamedTuple of integers, short strings, None and tuples of these, with a field
    `player`: the seat to move, 0 or 1. A move is what a player types: an integer or a short string.
    """

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Check the options of a game with a __post_init__ of its own too."""
        super().__init_subclass__(**arguments)
        own = cls.__dict__.get("__post_init__")
        if own is not None:

            @wraps(own)
            def checked(self: Any) -> None:
                check_options(self)
                own(self)

            cls.__post_init__ = checked  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        """Check the options against their bounds."""
        check_options(self)

    @abstractmethod
    def initial(self) -> S:
        """Return the position at the start."""

    @abstractmethod
    def moves(self, state: S) -> tuple[Move, ...]:
        """List the legal moves in a fixed order; () when the game is over."""

    @abstractmethod
    def play(self, state: S, move: Any) -> S:
        """Return the position after a legal move."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return who won and why; None while the game goes on."""

    def objection(self, state: S, move: Any) -> str | None:
        """Return the rule that forbids an illegal move, as a sentence."""
        return None

    def canonical(self, state: S) -> S:
        """Return the one state that stands for all equal to this one by symmetry.

        Equal states have the same outcome for the player to move, and as many moves that lead to
        equal states again. If the rules are the same for both seats, it may exchange them.
        """
        return state

    def lists_all(self, state: S) -> bool:
        """Return whether `moves` lists all legal moves; if not, `is_legal` knows the rest."""
        return True

    def is_legal(self, state: S, move: Move) -> bool:
        """Return whether a move is legal."""
        return move in self.moves(state)

    # Not for authors of rules: only a game made from somebody else's object overrides these.
    is_foreign: ClassVar[bool] = False
    foreign_words: ClassVar[type[Any] | None] = None

    def confirm(self, after: Callable[[Any, Any], Any]) -> None:
        """Compare foreign rules, played afresh, with what was found after each move."""


def check_is_game(game: object) -> None:
    """Refuse anything but a game, such as the name of one."""
    if not isinstance(game, Game):
        found = f"the string {brief(repr(game))}" if isinstance(game, str) else brief(game)
        raise GameError(f'Pass a game, such as zerosum.game("dual-digits"), not {found}.')


def fault_of_moves(state: object, moves: Any) -> str:
    """Say what is wrong with the moves listed at a position; or nothing.

    >>> fault_of_moves((7, 0), [1, 2])
    'moves() at (7, 0) must return a tuple, not list; put tuple() around it'
    >>> fault_of_moves((7, 0), ((1, 0),))
    "a move at (7, 0) must be an integer or a string, not (1, 0); write a string, such as '1-0'"
    """
    at = brief(state, 100)
    if type(moves) is not tuple:
        # The order of a set changes.
        around = "tuple(sorted())" if isinstance(moves, Set) else "tuple()"
        advice = f"; put {around} around it" if isinstance(moves, Iterable) else ""
        return f"moves() at {at} must return a tuple, not {type(moves).__name__}{advice}"
    for move in moves:
        if type(move) not in MOVE_TYPES:
            advice = ""
            if isinstance(move, tuple):
                advice = f"; write a string, such as '{brief('-'.join(map(str, move)))}'"
            elif hasattr(move, "__index__"):  # a bool, or an integer of a library
                advice = "; put int() around it"
            found = f"{brief(repr(move))}{advice}"
            return f"a move at {at} must be an integer or a string, not {found}"
    return ""


def refusal(game: Game[S], state: S, move: Move) -> str | None:
    """Return why a move is not legal; None for a legal one."""
    if game.is_legal(state, move):
        return None
    moves = game.moves(state)
    if fault := fault_of_moves(state, moves):
        raise BrokenGame(game, fault)
    at = f"at {brief(state, 80)}"
    if moves != game.moves(state) or (move in moves and type(game).is_legal is Game.is_legal):
        raise BrokenGame(game, f"moves() returns something else when called again {at}")
    if move in moves:
        raise BrokenGame(game, f"is_legal refuses {brief(move)}, which is in moves, {at}")
    # Rules can object to numbers if moves are numbers, to strings if they are.
    kinds = {type(legal) for legal in moves}
    meant = _same_letters(move, moves) if isinstance(move, str) else ""
    offer = f" Did you mean {meant}?" if meant else ""
    if type(move) in kinds:
        return (game.objection(state, move) or f"{brief(move)} is not a legal move.") + offer
    text = f"'{brief(move)}'" if isinstance(move, str) else brief(move)
    return f"{text} is not a legal move.{offer}"


def _same_letters(text: str, moves: Sequence[Move]) -> str:
    """Return the move with the same letters and digits as a string: 2-from-B for 2 from b."""

    def letters(text: str) -> str:
        return "".join(filter(str.isalnum, text.casefold()))

    words = (move for move in moves if isinstance(move, str))
    return next((word for word in words if letters(word) == letters(text) != ""), "")


def check_move(game: Game[S], state: S, move: object) -> Move:
    """Return a legal move as a plain integer or string; refuse others.

    >>> from zerosum.books.even_steven.rules import EvenSteven, State
    >>> check_move(EvenSteven(), State(7, 0), 2)
    Traceback (most recent call last):
    ...
    zerosum.errors.IllegalMove: Only an even number can be divided by 2. Legal now: 1.
    """
    if isinstance(move, str):
        plain: Move = _in_any_case(str(move), game.moves(state))
    else:
        try:
            plain = operator.index(move)  # type: ignore[arg-type]
        except TypeError:
            plain = ""
        if plain == "" or isinstance(move, bool):
            raise UnreadableMove(f"A move is an integer or a string, not {brief(move)}.")
    reason = refusal(game, state, plain)
    if reason is not None:
        raise IllegalMove(reason, legal_now(game, state))
    return plain


def read_move(game: Game[S], state: S, typed: str) -> Move:
    """Read what was typed: a legal move in upper or lower case, or a number.

    An illegal move is returned too, so that the rule that forbids it can be named.

    >>> from zerosum.books.even_steven.rules import EvenSteven, State
    >>> read_move(EvenSteven(), State(8, 0), " 2 ")
    2
    >>> read_move(EvenSteven(), State(8, 0), "two")
    Traceback (most recent call last):
    ...
    zerosum.errors.UnreadableMove: 'two' is not a whole number.
    """
    typed = typed.strip()
    words = [move for move in game.moves(state) if isinstance(move, str)]
    known = _in_any_case(typed, words)
    if known in words:
        return known
    try:
        return read_whole(typed)
    except UnreadableMove:
        if not words:
            raise
    if not 0 < len(typed) <= LONGEST_MOVE or not typed.isprintable():
        raise UnreadableMove(f"'{brief(typed)}' is not a move.")
    return known


def _in_any_case(text: str, moves: Sequence[Move]) -> str:
    """Return the move that a string names, ignoring case, or the string, lowered if moves are."""
    words = [move for move in moves if isinstance(move, str)]
    if text in words or not words:
        return text
    lower = text.lower() if all(word == word.lower() for word in words) else text
    return next((word for word in words if word.casefold() == text.casefold()), lower)


def legal_now(game: Game[S], state: S) -> str:
    """List the legal moves in a short sentence."""
    moves = game.moves(state)
    listed = ", ".join(map(brief, moves[:MOST_NAMED]))
    more = len(moves) > MOST_NAMED or not game.lists_all(state)
    return f"Legal now: {listed}{' and more' * more}."
