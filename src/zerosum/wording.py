"""What is said about a game: plain words for every game, and whatever its own words override."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, ClassVar, Generic, Literal, NamedTuple

from zerosum.errors import GameError
from zerosum.match import Match, Round
from zerosum.options import options_of, written
from zerosum.protocol import Game, Move, Outcome, S, Value
from zerosum.registry import entry_of, part_of
from zerosum.states import sample_states
from zerosum.text import brief, plain_name, runs, short

Names = tuple[str, str]
Board = Sequence[Sequence[str]]
SMALL = range(1, 10)
MOST_LISTED = 100
# Words of the terminal's prompt, which no game may use for a move.
RESERVED = {
    *("help", "?", "rules", "moves", "hint", "why", "undo", "draw", "resign"),
    *("save", "skip", "quit", "exit", "yes", "no"),
}
# Words that a title writes small.
SMALL_WORDS = {"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to", "with"}
LIVES = {"life", "lives", "points", "hearts"}
SEATS = ("first", "second")
# More keys than this are no keyboard.
MOST_KEYS = 12


class Field(NamedTuple):
    """One thing that a state shows, as a page shows it: large, with a title above it.

    `seat` is whose it is, and None for what is shared; `kind` is "number", or "lives" for what
    somebody runs out of. The value may be a word where a number would not be understood.
    """

    name: str
    title: str
    value: int | str
    seat: int | None = None
    kind: Literal["number", "lives"] = "number"


class Words(Generic[S]):
    """The sentences of one variant; subclass it to give a game words of its own.

    >>> import zerosum
    >>> words = words_of(zerosum.game("dual-digits"))
    >>> words.prompt(words.game.initial(), ("Ada", "Bob"))
    'Enter the number you wish to subtract: '
    """

    title: ClassVar[str] = ""
    # The variants that puzzles are taken from, by their options; {} is the usual one.
    puzzles: ClassVar[tuple[Mapping[str, Any], ...]] = ({},)

    def __init__(self, game: Game[S]) -> None:
        """Speak about one variant."""
        self.game = game

    def __init_subclass__(cls) -> None:
        """See to it that whatever a game says is of the type that it should be."""
        super().__init_subclass__()
        for name in HOOKS:
            if name in cls.__dict__:
                setattr(cls, name, _checked(name, cls.__dict__[name]))

    def opening(self, state: S, names: Names) -> str:
        """Open a game."""
        return f"=== {title_of(self.game)} ===\n"

    def status(self, state: S, names: Names) -> str:
        """Show what both players want to see at the start of a turn; often nothing."""
        return ""

    def position(self, state: S, names: Names) -> str:
        """Show a position on one line, to whoever comes back to it."""
        rows = self.board(state)
        board = [] if rows is None else [" / ".join(" ".join(c or "." for c in r) for r in rows)]
        return "; ".join([*board, *self._told(state, names)])

    def turn(self, state: S, names: Names) -> str:
        """Show the position to the player to move."""
        moves = ", ".join(map(str, self.game.moves(state)))
        shown = self._shown(state, self.game.moves(state), names)
        return "\n".join([f"{names[state.player]}'s turn.", *shown, f"Moves: {moves}"])

    def prompt(self, state: S, names: Names) -> str:
        """Ask for a move."""
        return "Your move: "

    def label(self, state: S, move: Any) -> str:
        """Name a legal move by what it does."""
        after: Any = self.game.play(state, move)
        before: Any = state
        if self.board(state) is not None:
            return str(move)
        changes = [
            f"{plain_name(name)} from {_text(old)} to {_text(new)}"
            for name, old, new in zip(before._fields, before, after, strict=True)
            if name != "player" and old != new
        ]
        text = ", ".join(changes) or "changes nothing"
        return f"{text[:1].upper()}{text[1:]}"

    def named(self, state: S, move: Any) -> str:
        """Name a move by what is typed and by what it does."""
        label = self.label(state, move)
        return str(move) if label == str(move) else f"{move}: {label}"

    def moved(self, state: S, move: Any, after: S, names: Names) -> str:
        """Announce a move."""
        return f"{names[state.player]} plays {move}.\n"

    def ending(self, state: S, outcome: Outcome, names: Names) -> str:
        """Announce the end that the rules brought about."""
        who = "Draw" if outcome.winner is None else f"{names[outcome.winner]} wins"
        return "\n".join([*self._shown(state, (), names), f"{who}: {outcome.reason}."])

    def fields(self, state: S) -> tuple[Field, ...]:
        """Show a state by its fields: what is shared, and what belongs to a seat.

        Two fields `first...` and `second...` belong to the seats; the player to move is shown
        in another way, and so are the tuples of a board.

        >>> import zerosum
        >>> game = zerosum.game("digit-battle")
        >>> fields = words_of(game).fields(game.initial())
        >>> [(field.title, field.value, field.seat) for field in fields]
        [('Number', 0, None), ('Lives', 10, 0), ('Lives', 10, 1)]
        """
        shown: Any = state
        board = self.board(state) is not None
        return tuple(
            _field(name, value, shown._fields)
            for name, value in zip(shown._fields, shown, strict=True)
            if name != "player" and not (board and isinstance(value, tuple))
        )

    def board(self, state: S) -> Board | None:
        """Give the rows of a board, each cell a short text; None for a game without one."""
        return None

    def cell(self, state: S, move: Any) -> tuple[int, int] | None:
        """Give the row and the column of the cell that a move belongs to, counted from 0."""
        return None

    def placed(self, state: S, moves: Sequence[Move]) -> dict[tuple[int, int], list[Move]]:
        """Gather moves by the cell of the board that they belong to."""
        rows = self.board(state) or ()
        found: dict[tuple[int, int], list[Move]] = {}
        for move in moves:
            cell = self.cell(state, move)
            if cell is None:
                continue
            if not (0 <= cell[0] < len(rows) and 0 <= cell[1] < len(rows[0])):
                size = f"{len(rows)} by {len(rows[0])}" if rows else "missing"
                raise GameError(
                    f"{type(self).__name__}.cell() gives {cell} for {move!r}, but the board is "
                    f"{size}; rows and columns are counted from 0."
                )
            found.setdefault(cell, []).append(move)
        return found

    def winner(self, outcome: Outcome, names: Names) -> str:
        """Name the winner."""
        return "Nobody" if outcome.winner is None else names[outcome.winner]

    def finish(self, match: Match[S], played: Round[S]) -> str:
        """Announce the end of a game of a match, whatever brought it about."""
        names, state, end = match.names_of(played), played.states[-1], played.end
        if end is None:
            return "The game is not over."
        outcome = self.game.outcome(state)
        if outcome is not None:
            return self.ending(state, outcome, names)
        if end.winner is None:
            return f"Draw: {end.reason}."
        loser, winner = match.players[1 - end.winner], match.players[end.winner]
        if end.by == "time":
            return f"Time is up for {loser}.\n{winner} wins the game!"
        return f"{loser} resigns.\n{winner} wins the game!"

    def survey(self, state: S) -> list[str]:
        """List every legal move with what it does, then why other moves are not legal."""
        moves = self.game.moves(state)
        lines = [self.named(state, move) for move in moves[:MOST_LISTED]]
        if len(moves) > MOST_LISTED:
            lines.append(f"… and {len(moves) - MOST_LISTED} more, from {moves[MOST_LISTED]} up")
        return lines + self.refused(state)

    def refused(self, state: S) -> list[str]:
        """Say why small numbers, or the game's other words, are not legal here."""
        known = self.keys()
        texts = any(isinstance(move, str) for move in (*known, *self.game.moves(state)))
        refused: dict[str, list[Move]] = {}
        kinds = {type(move) for move in self.game.moves(state)}
        for move in known if texts else SMALL:
            asked = type(move) in kinds and not self.game.is_legal(state, move)
            why = self.game.objection(state, move) if asked else None
            if why:
                refused.setdefault(why, []).append(move)
        return [f"Not {runs(some)}: {why}" for why, some in refused.items()]

    def keys(self) -> tuple[Move, ...]:
        """List the moves that are worth a button even when they are not legal; () if too many.

        >>> import zerosum
        >>> words_of(zerosum.game("number-navigator")).keys()
        (1, 2, 3, 4)
        """
        return _keys(self.game)

    def _shown(self, state: S, moves: Sequence[Move], names: Names) -> list[str]:
        """Show a state on lines of its own: as a board, in its own words, or by its fields."""
        rows = self.board(state)
        if rows is not None:
            return [*self._drawn(rows, state, moves), *self._told(state, names)]
        own = type(self).position is not Words.position
        return [self.position(state, names)] if own else self._told(state, names)

    def _drawn(self, rows: Board, state: S, moves: Sequence[Move]) -> Iterator[str]:
        """Draw a board in characters; an empty cell shows the move that belongs to it."""
        drawn = [[str(cell) for cell in row] for row in rows]
        for (down, across), here in self.placed(state, moves).items():
            if not drawn[down][across].strip():
                drawn[down][across] = str(here[-1])
        wide = max((len(cell) for row in drawn for cell in row), default=1)
        for row in drawn:
            yield " │ ".join((cell.strip() or ".").center(wide) for cell in row).rstrip()

    def _told(self, state: S, names: Names) -> list[str]:
        """Tell a state by its fields."""
        return [
            f"{field.title if field.seat is None else _owned(field, names)}: {field.value}"
            for field in self.fields(state)
        ]


def _owned(field: Field, names: Names) -> str:
    """Name what belongs to a seat."""
    return f"{names[field.seat or 0]}'s {field.title[:1].lower()}{field.title[1:]}"


def words_of(game: Game[S]) -> Words[S]:
    """Give the words of a variant: those of its own where it has any."""
    own: type[Words[S]] = part_of(game, "words", Words) or Words
    return own(game)


def title_of(game: Game[Any]) -> str:
    """Give a game's title, as people write it.

    >>> import zerosum
    >>> title_of(zerosum.game("docs/examples/noughts_and_crosses.py"))
    'Noughts and Crosses'
    """
    own: Any = part_of(game, "words", Words)
    if own is not None and own.title:
        return str(own.title)
    words = entry_of(game).name.split("-")
    return " ".join(w if at and w in SMALL_WORDS else w.title() for at, w in enumerate(words))


def rulebook_of(game: Game[Any]) -> str:
    """Give a game's page for players: its rulebook.md, or what its docstrings and options say.

    In a rulebook.md, {options} stands for the list of the game's options.
    """
    options = "\n".join(
        f"- `--{option.name.replace('_', '-')}`: {option.about or 'an option'} "
        f"(default: {written(option.default)})."
        for option in options_of(game)
    )
    module = sys.modules.get(type(game).__module__)
    file = getattr(module, "__file__", None)
    if file and type(game).__module__.endswith(".rules"):
        page = os.path.join(os.path.dirname(file), "rulebook.md")
        if os.path.exists(page):
            with open(page, encoding="utf-8") as text:
                return text.read().replace("{options}", options)
    lines = [f"# {title_of(game)}"]
    docs = [type(game).__doc__, getattr(module, "__doc__", None)]
    for doc in dict.fromkeys(docs):
        # A dataclass without a docstring gets its own signature for one.
        if doc and not doc.startswith(f"{type(game).__name__}("):
            lines += ["", "\n".join(line.strip() for line in doc.strip().splitlines())]
    if options:
        lines += ["", "## Variations", "", options]
    return "\n".join(lines) + "\n"


def summary_of(game: Game[Any]) -> str:
    """Say in a sentence what a game is: the first paragraph of its rule book."""
    paragraphs = rulebook_of(game).split("\n\n")
    first = next((part for part in paragraphs if not part.startswith(("#", "-"))), "")
    return " ".join(first.split())


def spoken(value: Value, winner: str = "") -> str:
    """Say a value: its result, and in how many moves; with a name, for the one who wins.

    >>> spoken(Value("win", 7)), spoken(Value("draw")), spoken(Value("draw", endless=True))
    ('win in 7', 'draw', 'draw (endless)')
    >>> spoken(Value("loss")), spoken(Value("loss", 0)), spoken(Value("loss", 3), "Ada")
    ('loss (length unknown)', 'loss, the game is over', 'win for Ada in 3')
    """
    if value.result == "draw":
        return "draw (endless)" if value.endless else "draw"
    said = f"win for {winner}" if winner else value.result
    if value.plies is None:
        return f"{said} (length unknown)"
    return short(f"{said} in {value.plies}") if value.plies else f"{said}, the game is over"


def transcript(match: Match[S], played: Round[S]) -> Iterator[str]:
    """Tell a game from its opening to its end, as it looked when it was played."""
    words, names = words_of(match.game), match.names_of(played)
    yield words.opening(played.states[0], names)
    for ply, (move, state) in enumerate(zip(played.moves, played.states, strict=False)):
        yield from ask(words, state, names, fresh=ply == 0)
        yield f"{words.prompt(state, names)}{move}"
        yield words.moved(state, move, played.states[ply + 1], names)
    if played.end is not None:
        yield words.finish(match, played)


def ask(words: Words[S], state: S, names: Names, fresh: bool = False) -> Iterator[str]:
    """Show a position to the player to move; the opening has just shown a fresh one's status."""
    status = "" if fresh else words.status(state, names)
    if status:
        yield status
    yield words.turn(state, names)


def _checked(name: str, say: Callable[..., Any]) -> Callable[..., Any]:
    """Let a game speak, and blame it for an answer of the wrong type."""
    sound, wanted = HOOKS[name]

    @wraps(say)
    def checked(self: Any, *args: Any) -> Any:
        said = say(self, *args)
        if not sound(said):
            raise GameError(
                f"{type(self).__name__}.{name}() must give {wanted}, not {brief(said)}."
            )
        return said

    return checked


def _are_fields(said: Any) -> bool:
    """Tell whether a page can show what a game wants to have shown."""
    return isinstance(said, (tuple, list)) and all(
        isinstance(field, Field)
        and isinstance(field.name, str)
        and isinstance(field.title, str)
        and type(field.value) in (int, str)
        and field.seat in (None, 0, 1)
        and field.kind in ("number", "lives")
        for field in said
    )


def _is_board(said: Any) -> bool:
    """Tell whether something is rows of texts, all of one length."""
    if said is None:
        return True
    rows = isinstance(said, (tuple, list)) and all(isinstance(r, (str, tuple, list)) for r in said)
    return (
        rows
        and len({len(row) for row in said}) == 1
        and all(isinstance(cell, str) for row in said for cell in row)
    )


def _is_cell(said: Any) -> bool:
    """Tell whether something is a row and a column."""
    place = isinstance(said, tuple) and len(said) == 2 and all(type(n) is int for n in said)
    return said is None or place


TEXTS = ("opening", "status", "position", "turn", "prompt", "label", "moved", "ending")
# What a game's own words may override: whether an answer is sound, and what it should have been.
HOOKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(TEXTS, (lambda said: isinstance(said, str), "a text")),
    "fields": (_are_fields, "a tuple of zerosum.Field(name, title, value, seat, kind)"),
    "board": (_is_board, "rows of texts, all of one length, or None"),
    "cell": (_is_cell, "(row, column), or None"),
}


def _field(name: str, value: Any, among: tuple[str, ...]) -> Field:
    """Show one field of a state."""
    lives = isinstance(value, int) and LIVES & set(name.split("_"))
    kind: Literal["number", "lives"] = "lives" if lives else "number"
    value = value if isinstance(value, int) else _text(value)
    for seat, word in enumerate(SEATS):
        rest = name.removeprefix(word)
        if rest != name and f"{SEATS[1 - seat]}{rest}" in among:
            title = plain_name(rest) or ("number" if isinstance(value, int) else "holds")
            return Field(name, title.capitalize(), value, seat, kind)
    return Field(name, plain_name(name).capitalize(), value, None, kind)


def _text(value: Any) -> str:
    """Write a part of a state; what is in a tuple between commas, a tuple in it in brackets."""
    if not isinstance(value, tuple):
        return "none" if value is None else "empty" if value == "" else str(value)
    parts = [f"({_text(part)})" if isinstance(part, tuple) else _text(part) for part in value]
    return ", ".join(parts) or "none"


@lru_cache(maxsize=256)
def _keys(game: Game[Any]) -> tuple[Move, ...]:
    """Gather the moves of a variant, numbers in rising order, if there are few of them in all."""
    found: dict[Move, None] = {}
    for state in sample_states(game):
        found.update(dict.fromkeys(game.moves(state)))
        if len(found) > MOST_KEYS or not game.lists_all(state):
            return ()
    numbers = sorted(move for move in found if isinstance(move, int))
    return (*numbers, *(move for move in found if isinstance(move, str)))
