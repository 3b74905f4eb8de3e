"""What is said about a game: plain sentences, which its own words override."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, Literal

from zerosum.errors import PartError
from zerosum.match import LOST, Match, Round
from zerosum.options import options_of
from zerosum.protocol import Game, Move, Outcome, S, Value, refusal
from zerosum.registry import entry_of, part_of
from zerosum.states import sample_states, text_of_part
from zerosum.text import (
    brief,
    either,
    inside,
    lower_first,
    plain_name,
    runs,
    short,
    tail,
    tight,
    upper_first,
    whose,
    with_name,
)
from zerosum.wording.hooks import CONSTANTS, HOOKS, LONGEST_GOAL, Field, Mark, Step, checked
from zerosum.wording.number_line import Numbers, derived_step, numbers_of

Names = tuple[str, str]
Board = Sequence[Sequence[str]]
Cell = tuple[int, int]
SMALL = range(1, 10)
MOST_LISTED = 100
# Commands of the terminal's prompt, which no game may use for a move.
RESERVED = {
    *("help", "?", "rules", "moves", "hint", "why", "undo", "draw", "resign"),
    *("save", "skip", "quit", "exit", "yes", "no", "menu", "coach", "coach on", "coach off"),
}
# Words that a title writes in lower case.
SMALL_WORDS = {"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to", "with"}
# With more moves than this, no keyboard of buttons is offered.
MOST_KEYS = 12
LIVES = {"life", "lives", "points", "hearts"}
SEATS = ("first", "second")


class Words(Generic[S]):
    """The sentences of one variant; subclass it to give a game words of its own.

    >>> import zerosum
    >>> words = words_of(zerosum.game("dual-digits"))
    >>> words.prompt(words.game.initial(), ("Ada", "Bob"))
    'Enter the number you wish to subtract: '
    """

    title: ClassVar[str] = ""
    # The variants that puzzles are taken from, by their options; {} has the defaults.
    puzzles: ClassVar[tuple[Mapping[str, Any], ...]] = ({},)
    # What the pieces of each seat look like on the board.
    signs: ClassVar[tuple[str, str]] = ("", "")
    # Whether every other row and column of the board is drawn as lines between cells.
    lattice: ClassVar[bool] = False
    # The fields of a state that are shown in other ways.
    unshown: ClassVar[frozenset[str]] = frozenset({"player"})

    def __init__(self, game: Game[S]) -> None:
        """Take the variant to speak about."""
        self.game = game

    def __init_subclass__(cls) -> None:
        """Check the type of whatever a game's own words return."""
        super().__init_subclass__()
        for name in HOOKS.keys() & vars(cls):
            setattr(cls, name, checked(name, vars(cls)[name]))
        for name, (is_right, wanted) in CONSTANTS.items():
            if not is_right(getattr(cls, name)):
                given = brief(getattr(cls, name))
                raise PartError(f"{cls.__name__}.{name} must be {wanted}, not {given}.")

    @cached_property
    def numbers(self) -> Numbers:
        """What moves do to the numbers of the variant."""
        kind: Any = type(self)
        return numbers_of(self.game, kind)

    def goal(self) -> str:
        """Say how to win in one short sentence; by default, one of the docstring.

        >>> import zerosum
        >>> words_of(zerosum.game("even-steven")).goal()
        'Reach exactly 0 to win.'
        """
        from zerosum.wording.texts import goal_of

        return goal_of(self.game)

    def in_a_turn(self) -> str:
        """Say in one line what a player can do in a turn, if the goal does not say it.

        By default, it is the first sentence of the docstring, or what moves do to a number.

        >>> import zerosum
        >>> words_of(zerosum.game("even-steven")).in_a_turn()
        'Subtract 1, or halve an even number.'
        """
        from zerosum.wording.texts import sentences_of

        first = sentences_of(self.game)[0]
        if first:
            return "" if first == self.goal() or len(first) > LONGEST_GOAL else first
        texts = list(dict.fromkeys(step.text for step in self.numbers.made))
        return f"A move is {either(texts)}." if 0 < len(texts) <= MOST_KEYS else ""

    def aim(self) -> str:
        """Say how to win, and what a player can do in a turn."""
        return short(f"{self.goal()} {self.in_a_turn()}".strip())

    def opening(self, state: S, names: Names) -> str:
        """Return the lines that open a game."""
        return f"=== {title_of(self.game)} ===\n"

    def status(self, state: S, names: Names) -> str:
        """Show what both players see as a turn begins; often nothing."""
        return ""

    def position(self, state: S, names: Names) -> str:
        """Show a position on one line, for a player who returns to it."""
        rows = self.board(state)
        told = self._field_lines(state, names)
        if rows is not None:
            drawn = (" ".join(cell or "." for cell in row) for row in rows)
            told.insert(0, " / ".join(drawn))
        return "; ".join(told)

    def turn(self, state: S, names: Names) -> str:
        """Show the position to the player to move."""
        moves = ", ".join(map(str, self.game.moves(state)))
        lines = self._lines(state, self.game.moves(state), names)
        return "\n".join([f"{names[state.player]}'s turn.", *lines, f"Moves: {moves}"])

    def prompt(self, state: S, names: Names) -> str:
        """Ask for a move."""
        return "Your move: "

    def label(self, state: S, move: Any) -> str:
        """Describe a legal move by its effect."""
        after: Any = self.game.play(state, move)
        before: Any = state
        if self.board(state) is not None:
            return self.place(state, move)
        changes = [
            f"{plain_name(name)} from {text_of_part(old)} to {text_of_part(new)}"
            for name, old, new in zip(before._fields, before, after, strict=True)
            if name != "player" and old != new
        ]
        text = ", ".join(changes) or "changes nothing"
        return upper_first(text)

    def named(self, state: S, move: Any) -> str:
        """Name a move by what is typed and by its effect."""
        label = self.label(state, move)
        return str(move) if label == str(move) else f"{move}: {label}"

    def step(self, state: S, move: Any) -> Step:
        """Describe a legal move briefly: how it changes the number that counts."""
        return derived_step(self, state, move)

    def steps(self, state: S, line: Iterable[Move]) -> Iterator[str]:
        """Say in a few characters what each move of a line does."""
        for move in line:
            yield self.step(state, move).text
            state = self.game.play(state, move)

    def barred(self, state: S, move: Any) -> str:
        """Say in a few words why a move is not legal; by default, as the rules do."""
        return refusal(self.game, state, move) or ""

    def button(self, state: S, move: Any) -> str:
        """Return the label on a move's button: what it does, or why it is illegal.

        >>> import zerosum
        >>> game = zerosum.game("number-navigator")
        >>> words, state = words_of(game), game.initial()
        >>> words.button(state, 3), words.button(state, 4)
        ('÷2 → 10', '+5 only below 10')
        """
        if not self.game.is_legal(state, move):
            return tight(self.barred(state, move))
        return self._made(*self.step(state, move))

    def seat_text(self, state: S, move: Any) -> str:
        """Describe a move that was made as its button did, but only begin what else followed.

        >>> import zerosum
        >>> game = zerosum.game("digit-battle", start=12)
        >>> words_of(game).seat_text(game.initial(), 3)
        '+3 → 15, hit!'
        """
        text, number, note = self.step(state, move)
        begun = re.match("[^,!]*!?", note)
        return self._made(text, number, begun[0] if begun else "")

    def _made(self, text: str, number: int | None, note: str) -> str:
        """Join what a move does, the number that it makes, and what else follows."""
        made = tight(text) if number is None else f"{tight(text)} → {tail(number)}"
        return f"{made}, {tight(note)}" if note else made

    def marks(self) -> tuple[Mark, ...]:
        """List the numbers that mean something: the goal, and what is costly to reach."""
        return self.numbers.ends

    def did(self, state: S, move: Any) -> str:
        """Say what a player did with a legal move, after 'You' or a name.

        >>> import zerosum
        >>> game = zerosum.game("even-steven", start=14)
        >>> words, state = words_of(game), game.initial()
        >>> words.did(state, 1), words.did(state, 2)
        ('went from 14 to 13', 'halved 14 to 7')
        """
        number = self.step(state, move).number
        if number is None or not self.numbers.lines:
            return f"played {self.button(state, move)}"
        return f"went from {tail(self.numbers.of(state, state.player))} to {tail(number)}"

    def moved(self, state: S, move: Any, after: S, names: Names) -> str:
        """Announce a move."""
        return f"{names[state.player]} plays {self.step(state, move).text}.\n"

    def ending(self, state: S, outcome: Outcome, names: Names) -> str:
        """Announce the end of a game by its rules."""
        who = "Draw" if outcome.winner is None else f"{names[outcome.winner]} wins"
        reason = self.reason(state, outcome, names)
        return "\n".join([*self._lines(state, (), names), f"{who}: {reason}."])

    def reason(self, state: S, outcome: Outcome, names: Names) -> str:
        """Say in a few words why a game is over; by default, as the rules do."""
        return outcome.reason

    def fields(self, state: S) -> tuple[Field, ...]:
        """List the fields of a state: the shared ones, and each seat's.

        Two fields `first...` and `second...` belong to the seats, and so do their signs. The
        player to move is left out, and so are the tuples of a board.

        >>> import zerosum
        >>> game = zerosum.game("digit-battle")
        >>> fields = words_of(game).fields(game.initial())
        >>> [(field.title, field.value, field.seat) for field in fields]
        [('Number', 0, None), ('Lives', 10, 0), ('Lives', 10, 1)]
        """
        parts: Any = state
        board = self.board(state) is not None
        signs = [Field("sign", "Sign", sign, seat) for seat, sign in enumerate(self.signs) if sign]
        return (
            *signs,
            *(
                _field(name, value, parts._fields)
                for name, value in zip(parts._fields, parts, strict=True)
                if name not in self.unshown and not (board and isinstance(value, tuple))
            ),
        )

    def board(self, state: S) -> Board | None:
        """Return a board's rows, each cell a short string; None without a board."""
        return None

    def cell(self, state: S, move: Any) -> Cell | None:
        """Return the row and column of a move's cell, counted from 0."""
        return None

    def place(self, state: S, move: Move) -> str:
        """Name a move on a board: by its column, or else by its cell.

        >>> import zerosum
        >>> game = zerosum.game("docs/examples/connect_four.py")
        >>> words_of(game).place(game.initial(), 3)
        'column 3'
        """
        cell = None if isinstance(move, str) else self.cell(state, move)
        moves = self.game.moves(state)
        cells = self.moves_by_cell(state, moves)
        if cell is None or len(cells[cell]) > 1:
            return str(move)
        by_column = all(cells[place] == [place[1] + 1] for place in cells)
        if by_column and len(cells) == len(moves):
            return f"column {move}"
        return f"row {cell[0] + 1}, column {cell[1] + 1}"

    def taps(self, state: S, move: Any) -> Sequence[Cell]:
        """Return other cells on which a tap plays a move, such as those of its column."""
        return ()

    def highlights(self, state: S) -> Sequence[Cell]:
        """Return the cells that stand out, such as a winning row."""
        return ()

    def moves_by_cell(self, state: S, moves: Sequence[Move]) -> dict[Cell, list[Move]]:
        """Group moves by the cell of the board that they belong to."""
        by_cell: dict[Cell, list[Move]] = {}
        for move in moves:
            cell = self.cell(state, move)
            for place in self._on_board(state, "cell", () if cell is None else (cell,), move):
                by_cell.setdefault(place, []).append(move)
        return by_cell

    def taps_by_cell(self, state: S, moves: Sequence[Move]) -> dict[Cell, Move]:
        """Return the move that a tap plays on each cell without moves."""
        taken = self.moves_by_cell(state, moves)
        return {
            cell: move
            for move in moves
            for cell in self._on_board(state, "taps", self.taps(state, move), move)
            if cell not in taken
        }

    def highlighted(self, state: S) -> set[Cell]:
        """Return the cells of the board that stand out."""
        return set(self._on_board(state, "highlights", self.highlights(state)))

    def _on_board(
        self, state: S, method: str, cells: Sequence[Cell], move: Move | None = None
    ) -> Sequence[Cell]:
        """Return the cells that a method names, which must be on the board."""
        rows = (self.board(state) or ()) if cells else ()
        for row, column in cells:
            if not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
                size = f"{len(rows)} by {len(rows[0])}" if rows else "missing"
                about = "" if move is None else f" for {move!r}"
                raise PartError(
                    f"{type(self).__name__}.{method}() returns {(row, column)}{about}, but the "
                    f"board is {size}; rows and columns are counted from 0."
                )
        return cells

    def winner(self, outcome: Outcome, names: Names) -> str:
        """Return the name of the winner."""
        return "Nobody" if outcome.winner is None else names[outcome.winner]

    def finish(self, match: Match[S], played: Round[S]) -> str:
        """Announce the end of a game of a match, by the rules or otherwise."""
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

    def list_moves(self, state: S) -> list[str]:
        """List every legal move with its effect, then why others, or small numbers, are not."""
        reasons = self.objections(state, self.keys() or SMALL)
        refused = (f"Not {runs(moves)}: {reason}" for reason, moves in reasons.items())
        return [*self.list_legal(state), *refused]

    def list_legal(self, state: S) -> list[str]:
        """List every legal move with its effect, unless there are very many."""
        moves = self.game.moves(state)
        lines = [self.named(state, move) for move in moves[:MOST_LISTED]]
        if len(moves) > MOST_LISTED:
            lines.append(f"… and {len(moves) - MOST_LISTED} more, from {moves[MOST_LISTED]} up")
        return lines

    def objections(self, state: S, others: Sequence[Move]) -> dict[str, list[Move]]:
        """Return the reasons why some moves are not legal here, each with its moves."""
        kinds = {type(move) for move in self.game.moves(state)}
        reasons: dict[str, list[Move]] = {}
        for move in others:
            illegal = type(move) in kinds and not self.game.is_legal(state, move)
            reason = self.game.objection(state, move) if illegal else None
            if reason:
                reasons.setdefault(reason, []).append(move)
        return reasons

    def keys(self) -> tuple[Move, ...]:
        """List the moves that get a button even if not legal; () if too many.

        >>> import zerosum
        >>> words_of(zerosum.game("number-navigator")).keys()
        (1, 2, 3, 4)
        """
        return _keys(self.game)

    def lines(self, state: S, names: Names, moves: Sequence[Move] = ()) -> list[str]:
        """Show all of a state: its board, and every field on a line."""
        return [*self._drawn(state, moves), *self._field_lines(state, names)]

    def _lines(self, state: S, moves: Sequence[Move], names: Names) -> list[str]:
        """Show a state on its own lines: as a board, in words, or by its fields."""
        own = type(self).position is not Words.position and self.board(state) is None
        if own:
            return [self.position(state, names)]
        return self.lines(state, names, moves)

    def _drawn(self, state: S, moves: Sequence[Move]) -> Iterator[str]:
        """Draw the board in characters, with moves in its cells."""
        moves_by_cell = self.moves_by_cell(state, moves)
        rows = [list(cells) for cells in self.board(state) or ()]
        for row, column in self.highlighted(state):
            rows[row][column] = f"[{rows[row][column]}]"
        return draw(
            [(text, moves_by_cell.get((row, column), ())) for column, text in enumerate(cells)]
            for row, cells in enumerate(rows)
        )

    def _field_lines(self, state: S, names: Names) -> list[str]:
        """Write every field of a state on a line."""
        return [
            f"{title if seat is None else owned(title, names[seat])}: {value}"
            for _, title, value, seat, _ in self.fields(state)
        ]


def draw(board: Iterable[Sequence[tuple[str, Sequence[Move]]]]) -> Iterator[str]:
    """Draw cells with their moves; an empty one shows its move, or dots."""
    rows = [[_drawn(text.strip(), moves) for text, moves in row] for row in board]
    width = max((len(cell) for row in rows for cell in row), default=1)
    for row in rows:
        yield " │ ".join(cell.center(width) for cell in row).rstrip()


def _drawn(text: str, moves: Sequence[Move]) -> str:
    """Return what a cell shows."""
    if text or not moves:
        return text or "."
    return str(moves[0]) if len(moves) == 1 else "…"


def owned(title: str, name: str) -> str:
    """Say whose a field is.

    >>> owned("Life points", "Ada")
    "Ada's life points"
    """
    return f"{upper_first(whose(name))} {lower_first(title)}"


def words_of(game: Game[S]) -> Words[S]:
    """Return a variant's words: its own, or those of every game."""
    own: type[Words[S]] | None = part_of(game, "words", Words)
    return (own or game.foreign_words or Words)(game)


def title_of(game: Game[Any]) -> str:
    """Return a game's title, as people write it.

    >>> import zerosum
    >>> title_of(zerosum.game("docs/examples/noughts_and_crosses.py"))
    'Noughts and Crosses'
    """
    own = words_of(game).title
    if own:
        return str(own)
    words = entry_of(game).name.split("-")
    return " ".join(w if i and w in SMALL_WORDS else w.title() for i, w in enumerate(words))


def variant_title(game: Game[Any]) -> str:
    """Return a game's title with the options that are not defaults.

    >>> import zerosum
    >>> variant_title(zerosum.game("even-steven", start=21, subtract_two=True))
    'Even-Steven (start 21, subtract two)'
    """
    options = changed_options(game)
    return title_of(game) + (f" ({', '.join(options)})" if options else "")


def changed_options(game: Game[Any]) -> list[str]:
    """List the options of a variant that are not at their defaults."""
    texts = []
    for option in options_of(game):
        value, name = getattr(game, option.name), plain_name(option.name)
        if value == option.default:
            continue
        if option.kind == "flag":
            texts.append(name if value else f"no {name}")
        elif option.kind == "numbers":
            texts.append(f"{name} {brief(' '.join(map(brief, value)), 60)}")
        else:
            texts.append(with_name(name, value))
    return texts


def spoken(value: Value | None, winner: str = "") -> str:
    """Write a value: its result, and in how many moves; with a name, for that winner.

    >>> spoken(Value("win", 7)), spoken(Value("draw")), spoken(Value("draw", endless=True))
    ('win in 7', 'draw', 'draw (endless)')
    >>> spoken(Value("loss")), spoken(Value("loss", 0)), spoken(Value("loss", 3), "Ada")
    ('loss (length unknown)', 'loss, the game is over', 'win for Ada in 3')
    >>> spoken(None), spoken(Value("win", 8965))
    ('unknown', 'win in 8,965')
    """
    if value is None:
        return "unknown"
    if value.result == "draw":
        return "draw (endless)" if value.endless else "draw"
    result = f"win for {winner}" if winner else value.result
    if value.plies is None:
        return f"{result} (length unknown)"
    if not value.plies:
        return f"{result}, the game is over"
    return short(f"{result} in {value.plies:,}")


def ending(match: Match[Any], played: Round[Any]) -> str:
    """Describe how a game of a match ended; return nothing if it has not."""
    if played.end is None:
        return ""
    by, winner, reason = played.end
    last = played.states[-1]
    outcome = match.game.outcome(last) if by == "rules" else None
    if winner is not None and by in LOST:  # players may be called otherwise here
        loser = match.players[1 - winner]
        reason = f"{inside(loser)} {LOST[by]}"
    elif outcome is not None:
        reason = words_of(match.game).reason(last, outcome, match.names_of(played))
    return how_it_ended(winner, reason, match.players)


def how_it_ended(winner: int | None, reason: str, names: Names) -> str:
    """Say who won, or that it is a draw, and why."""
    return f"{'Draw' if winner is None else f'{names[winner]} won'}: {reason}."


def transcript(match: Match[S], played: Round[S]) -> Iterator[str]:
    """Yield a played game as text, from its opening to its end."""
    words, names = words_of(match.game), match.names_of(played)
    yield words.opening(played.states[0], names)
    for ply, (move, state) in enumerate(zip(played.moves, played.states, strict=False)):
        yield from ask(words, state, names, fresh=ply == 0)
        yield f"{words.prompt(state, names)}{move}"
        yield words.moved(state, move, played.states[ply + 1], names)
    if played.end is not None:
        yield words.finish(match, played)


def ask(words: Words[S], state: S, names: Names, fresh: bool = False) -> Iterator[str]:
    """Show a position to the player to move; a fresh one was shown already."""
    status = "" if fresh else words.status(state, names)
    if status:
        yield status
    yield words.turn(state, names)


def _field(name: str, value: Any, among: Sequence[str]) -> Field:
    """Describe one field of a state."""
    whole = isinstance(value, int)
    shown = value if whole else text_of_part(value)
    kind: Literal["number", "lives"] = "number"
    if whole and LIVES.intersection(name.split("_")):
        kind = "lives"
    for seat, word in enumerate(SEATS):
        rest = name.removeprefix(word)
        if rest != name and f"{SEATS[1 - seat]}{rest}" in among:
            title = plain_name(rest) or ("number" if whole else "holds")
            return Field(name, title.capitalize(), shown, seat, kind)
    return Field(name, plain_name(name).capitalize(), shown, None, kind)


@lru_cache(maxsize=256)
def _keys(game: Game[Any]) -> tuple[Move, ...]:
    """Collect a variant's moves, numbers in ascending order; () if there are too many."""
    moves: dict[Move, None] = {}
    for state in sample_states(game):
        moves.update(dict.fromkeys(game.moves(state)))
        if len(moves) > MOST_KEYS or not game.lists_all(state):
            return ()
    numbers = sorted(move for move in moves if isinstance(move, int))
    return (*numbers, *(move for move in moves if isinstance(move, str)))
