"""Toy games, each with a shape that the built-in games lack.

Some tests name this file as a user would name their own: `zerosum.game(f"{GAMES_FILE}:Nim")`.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from zerosum import Game, Move, Outcome, Words, option

GAMES_FILE = __file__


class Pile(NamedTuple):
    number: Any
    player: int


@dataclass(frozen=True)
class Sticks(Game[Any]):
    """Take 1 or 2; whoever takes the last one wins. The sound model of all broken games."""

    start: int = option(5, "how many sticks", least=1)

    def initial(self) -> Any:
        return Pile(self.start, 0)

    def moves(self, state: Any) -> Any:
        return tuple(n for n in (1, 2) if n <= state.number)

    def play(self, state: Any, move: Any) -> Any:
        return Pile(state.number - move, 1 - state.player)

    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(1 - state.player, "nothing is left")


@dataclass(frozen=True)
class Letters(Sticks):
    """The same game with moves that are strings."""

    names: ClassVar[tuple[str, str]] = ("a", "b")

    def moves(self, state: Any) -> Any:
        return self.names[: state.number]

    def play(self, state: Any, move: Any) -> Any:
        return super().play(state, 1 + self.names.index(move))


def broken(base: type[Sticks] = Sticks, **parts: Any) -> Sticks:
    """Make a game that differs from a sound one in some methods or attributes."""
    for name, part in parts.items():
        if callable(part):
            part.__name__ = name  # which errors mention
    game: Sticks = type("Broken", (base,), parts)()
    return game


def after(game: Game[Any], *moves: Move) -> Any:
    """Return the position after some moves."""
    state = game.initial()
    for move in moves:
        assert game.is_legal(state, move), move
        state = game.play(state, move)
    return state


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Nim(Game[Heaps]):
    """Take any number from one heap: a tuple in the state, of a length that may change.

    A move is 100 times the heap plus the number.
    """

    heaps: tuple[int, ...] = option((3, 4, 2), "the heaps")
    shrink: bool = option(False, "empty heaps are put away")

    def initial(self) -> Heaps:
        return Heaps(self.heaps, 0)

    def moves(self, state: Heaps) -> tuple[int, ...]:
        heaps = enumerate(state.heaps)
        return tuple(100 * index + n for index, heap in heaps for n in range(1, heap + 1))

    def play(self, state: Heaps, move: int) -> Heaps:
        heaps = list(state.heaps)
        heaps[move // 100] -= move % 100
        left = tuple(heap for heap in heaps if heap or not self.shrink)
        return Heaps(left, 1 - state.player)

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if any(state.heaps) else Outcome(1 - state.player, "the heaps are empty")


class Turn(NamedTuple):
    player: int


@dataclass(frozen=True)
class Hotseat(Game[Turn]):
    """A state without numbers: the first player passes, the second wins."""

    def initial(self) -> Turn:
        return Turn(0)

    def moves(self, state: Turn) -> tuple[int, ...]:
        return () if state.player else (1,)

    def play(self, state: Turn, move: int) -> Turn:
        return Turn(1)

    def outcome(self, state: Turn) -> Outcome | None:
        return Outcome(1, "the seat is hot") if state.player else None


class Light(NamedTuple):
    light: str
    player: int


# Black is lost, grey is drawn, and between the two blues nobody ever comes to an end.
LIGHTS = {
    "": ("amber", "green", "grey", "ultramarine", "blue"),
    "amber": ("green",),
    "green": ("black",),
    "ultramarine": ("blue",),
    "blue": ("ultramarine", "green"),
}


@dataclass(frozen=True)
class Lights(Game[Light]):
    """A string in the state, and draws that end or never do: whoever makes it black wins."""

    def initial(self) -> Light:
        return Light("", 0)

    def moves(self, state: Light) -> tuple[str, ...]:
        return LIGHTS.get(state.light, ())

    def play(self, state: Light, move: str) -> Light:
        return Light(move, 1 - state.player)

    def outcome(self, state: Light) -> Outcome | None:
        if state.light in LIGHTS:
            return None
        return Outcome(None if state.light == "grey" else 1 - state.player, "it is dark")


class Cards(NamedTuple):
    cards: tuple[int | None, ...]
    last: str | None
    player: int


@dataclass(frozen=True)
class Stack(Game[Cards]):
    """A state that grows, with None in it: lay a card or stop; whoever lays a third card loses.

    To stop wins on a two, draws on a one, and loses on a blank card and on none.
    """

    blanks: bool = option(False, "a card may be blank")

    def initial(self) -> Cards:
        return Cards((), None, 0)

    def moves(self, state: Cards) -> tuple[str, ...]:
        if self.outcome(state):
            return ()
        return ("one", "two", "blank", "stop") if self.blanks else ("one", "two", "stop")

    def play(self, state: Cards, move: str) -> Cards:
        if move == "stop":
            return Cards(state.cards, "stop", 1 - state.player)
        card = {"one": 1, "two": 2, "blank": None}[move]
        return Cards((*state.cards, card), "card", 1 - state.player)

    def outcome(self, state: Cards) -> Outcome | None:
        if state.last == "stop":
            top = state.cards[-1] if state.cards else None
            winner = {1: None, 2: 1 - state.player, None: state.player}[top]
            return Outcome(winner, "they stopped")
        return Outcome(state.player, "three cards") if len(state.cards) == 3 else None


class Pawn(NamedTuple):
    at: int
    waits: int
    player: int


@dataclass(frozen=True)
class Pawns(Game[Pawn]):
    """A board with several moves to a cell, and one to none: whoever brings the pawn through wins.

    It goes one or two cells to the right, or waits once.
    """

    length: int = option(6, "the cells of the board", least=3)

    def initial(self) -> Pawn:
        return Pawn(0, 1, 0)

    def moves(self, state: Pawn) -> tuple[str, ...]:
        left = self.length - 1 - state.at
        steps = ("one", "two")[:left]
        return (*steps, "wait") if state.waits and left else steps

    def play(self, state: Pawn, move: str) -> Pawn:
        step = ("wait", "one", "two").index(move)
        return Pawn(state.at + step, state.waits - (not step), 1 - state.player)

    def outcome(self, state: Pawn) -> Outcome | None:
        through = state.at == self.length - 1
        return Outcome(1 - state.player, "the pawn is through") if through else None


class PawnsWords(Words[Pawn]):
    game: Pawns

    def board(self, state: Pawn) -> list[list[str]]:
        return [["P" if at == state.at else "" for at in range(self.game.length)]]

    def cell(self, state: Pawn, move: str) -> tuple[int, int] | None:
        return None if move == "wait" else (0, state.at)


class Row(NamedTuple):
    marks: tuple[str, ...]
    passes: int
    player: int


@dataclass(frozen=True)
class WildRow(Game[Row]):
    """A board on which a cell has two moves: mark a free cell with X or O, or pass once a game."""

    goal: str = option("win", "what three in a row do", choices=("win", "lose"))

    def initial(self) -> Row:
        return Row(("",) * 3, 1, 0)

    def moves(self, state: Row) -> tuple[str, ...]:
        if self.outcome(state):
            return ()
        free = [cell for cell, mark in enumerate(state.marks) if not mark]
        marks = tuple(f"{mark}{cell + 1}" for cell in free for mark in "xo")
        return (*marks, "pass") if state.passes else marks

    def play(self, state: Row, move: str) -> Row:
        marks, passes, player = list(state.marks), state.passes, 1 - state.player
        if move == "pass":
            return Row(state.marks, passes - 1, player)
        marks[int(move[1]) - 1] = move[0].upper()
        return Row(tuple(marks), passes, player)

    def outcome(self, state: Row) -> Outcome | None:
        if "" in state.marks:
            return None
        if len(set(state.marks)) > 1:
            return Outcome(None, "the row is full")
        return Outcome(state.player if self.goal == "lose" else 1 - state.player, "three in a row")


class WildRowWords(Words[Row]):
    def board(self, state: Row) -> list[tuple[str, ...]]:
        return [state.marks]

    def cell(self, state: Row, move: str) -> tuple[int, int] | None:
        return None if move == "pass" else (0, int(move[1]) - 1)


@dataclass(frozen=True)
class Sides(Game[Pile]):
    """Options of every kind, and moves of both: always drawn when its time is over."""

    side: str = option("left", "the side that begins", choices=("left", "right"))
    name: str = option("", "what the game is called")
    size: int = option(2, "how long it lasts", least=1, most=5)

    def initial(self) -> Pile:
        return Pile(self.size, 0)

    def moves(self, state: Pile) -> tuple[Move, ...]:
        return ("pass", 10, 2) if state.number else ()

    def play(self, state: Pile, move: Move) -> Pile:
        return Pile(state.number - 1, 1 - state.player)

    def outcome(self, state: Pile) -> Outcome | None:
        return None if state.number else Outcome(None, "it is over")


class Word(NamedTuple):
    word: str
    player: int


@dataclass(frozen=True)
class Palindromes(Game[Word]):
    """A symmetry of billions: append a letter; whoever completes a palindrome loses.

    It has three letters or more; letters may be renamed.
    """

    letters: ClassVar[str] = "abcdefghijklmnopqrstuvwxyz"
    longest: ClassVar[int] = 8

    def initial(self) -> Word:
        return Word("", 0)

    def moves(self, state: Word) -> tuple[str, ...]:
        return () if self.outcome(state) else tuple(self.letters)

    def play(self, state: Word, move: str) -> Word:
        return Word(state.word + move, 1 - state.player)

    def outcome(self, state: Word) -> Outcome | None:
        word, player = state
        ends = (word[begin:] for begin in range(len(word) - 2))
        if any(end == end[::-1] for end in ends):
            return Outcome(player, "a palindrome")
        return Outcome(None, "the word is full") if len(word) == self.longest else None

    def canonical(self, state: Word) -> Word:
        names = dict(zip(dict.fromkeys(state.word), self.letters, strict=False))
        return state._replace(word="".join(names[letter] for letter in state.word))


SQUARE = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]


class Square(NamedTuple):
    cells: tuple[str, ...]
    player: int


@dataclass(frozen=True)
class Claims(Game[Square]):
    """Too large for a table: claim a cell of a square; three of one's own in a row win."""

    def initial(self) -> Square:
        return Square(("",) * len(SQUARE), 0)

    def moves(self, state: Square) -> tuple[str, ...]:
        if self.outcome(state):
            return ()
        return tuple(name for name, owner in zip(SQUARE, state.cells, strict=True) if not owner)

    def play(self, state: Square, move: str) -> Square:
        cells = list(state.cells)
        cells[SQUARE.index(move)] = "xo"[state.player]
        return Square(tuple(cells), 1 - state.player)

    def outcome(self, state: Square) -> Outcome | None:
        owner, text = "xo"[1 - state.player], "".join(cell or "." for cell in state.cells)
        if any(owner * 3 in text[row : row + 5] for row in range(0, 25, 5)):
            return Outcome(1 - state.player, "three in a row")
        return None if "." in text else Outcome(None, "the square is full")
