"""What rules say about positions and moves: asked here, or in a process that can be killed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from json import dumps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
from msgspec import json

from zerosum.errors import BrokenGame, MoveError
from zerosum.match import Event, Match, outcome_of
from zerosum.options import option_values
from zerosum.pictures.track_svg import tracks
from zerosum.players.programs import asked_about
from zerosum.protocol import Game, Move, Outcome, check_move, fault_of_moves, read_move, refusal
from zerosum.registry import BUILT_IN, Entry, entry_of
from zerosum.states import largest, read_state, tuples
from zerosum.text import brief, short
from zerosum.web.answers import (
    Board,
    Cell,
    Choice,
    Effect,
    Line,
    LineMark,
    MoveTexts,
    Scene,
    ShownField,
)
from zerosum.web.refusals import refused_move
from zerosum.wording import hooks
from zerosum.wording.number_line import NumberLine, number_lines
from zerosum.wording.words import Words, words_of

if TYPE_CHECKING:
    from zerosum.web.analysis.pool import Pool

T = TypeVar("T")
Document = dict[str, Any]
MOST_MOVES = 60
# Where the names of the players go in a sentence.
PLAYERS = ("{0}", "{1}")
# The rules of a built-in game with numbers up to this take less than a millisecond.
QUICK = 10**9


class Plain(NamedTuple):
    """A state as the server holds it if it does not ask the rules: who is to move, and all."""

    player: int
    parts: tuple[Any, ...]


class Label(NamedTuple):
    """A move in words: whole, briefly at its seat, and after the name of whoever has made it."""

    text: str
    button: str
    told: str


class MoveResult(NamedTuple):
    """What a legal move leads to; its scene only if rules are asked in advance."""

    move: Move
    state: Any
    outcome: Outcome | None
    label: Label
    scene: Scene | None = None


def legal_move(game: Game[Any], state: Any, typed: str) -> Move:
    """Read a move as it was typed, or refuse it."""
    try:
        return check_move(game, state, read_move(game, state, typed))
    except MoveError as error:
        raise refused_move(error, game.moves(state)) from error


def play(game: Game[Any], state: Any, typed: str) -> MoveResult:
    """Make a move as it was typed, or refuse it."""
    move = legal_move(game, state, typed)
    after = game.play(state, move)
    return MoveResult(move, after, _outcome(game, after), label(game, state, move))


# In a game with few positions, the same moves are made in many matches.
_play = lru_cache(maxsize=1024)(play)


def _outcome(game: Game[Any], state: Any) -> Outcome | None:
    """Return the outcome of a state as JSON can hold it: rules may say True for seat 1."""
    outcome = outcome_of(game, state)
    if outcome is None or outcome.winner is None:
        return outcome and Outcome(None, outcome.reason)
    return Outcome(int(outcome.winner), outcome.reason)


def look(game: Game[Any], state: Any, first: int, running: bool) -> Scene:
    """Return what is shown of a state; its moves only in a running game.

    `first` is the player who has the first seat; how the players are called depends on who looks.
    """
    words, names = _words(game), (PLAYERS[first], PLAYERS[1 - first])
    shared, own = fields(words, state)
    outcome = None if running else game.outcome(state)
    legal = _legal(game, state) if running else ()
    moves, more = _moves(words, state, legal, first) if legal else ([], 0)
    cells = board(words, state, legal)
    placed = {move for row in cells.rows for cell in row for move in cell.moves} if cells else set()
    prompt = words.prompt(state, names).strip() if running else ""
    # The first player's is above, as they are on the left.
    found = tuple(sorted(number_lines(words, state), key=lambda line: line.seat == 1 ^ first))
    drawn = found if running else tuple(line._replace(targets=()) for line in found)
    return Scene(
        state=text_of(state),
        fields=shared,
        own=own,
        board=cells,
        lines=lines(found, first),
        picture=tracks(drawn, names),
        moves=moves,
        legal=[str(move) for move in legal],
        more=max(0, more - len(placed - {choice.move for choice in moves})),
        digits=are_digits(words),
        prompt=short(prompt).rstrip(": ") or "Your move",
        goal=words.aim(),
        reason="" if outcome is None else short(words.reason(state, outcome, names)),
    )


def text_of(state: Any) -> str:
    """Serialise a state so that it can be asked about again.

    >>> from zerosum.books.even_steven.rules import State
    >>> text_of(State(15, 0))
    '[15,0]'
    """
    return dumps(parts_of(state), separators=(",", ":"))


def fields(
    words: Words[Any], state: Any
) -> tuple[list[ShownField], tuple[list[ShownField], list[ShownField]]]:
    """Return the fields of a state: the shared ones, and each seat's own."""
    shared: list[ShownField] = []
    own: tuple[list[ShownField], list[ShownField]] = ([], [])
    for name, title, value, seat, kind in _fields(words, state):
        field = ShownField(name, title, str(value), kind)
        (shared if seat is None else own[seat]).append(field)
    return shared, own


@lru_cache(maxsize=4096)
def _fields(words: Words[Any], state: Any) -> tuple[hooks.Field, ...]:
    """Return the fields of a state: a move may lead to it before it is looked at."""
    return tuple(words.fields(state))


def board(words: Words[Any], state: Any, moves: Sequence[Move]) -> Board | None:
    """Return the board of a state with the moves of each cell, or None without a board."""
    rows = words.board(state)
    if rows is None:
        return None
    seats = {sign: seat for seat, sign in enumerate(words.signs) if sign}
    cells = [[Cell(text, [], None, seats.get(text)) for text in row] for row in rows]
    for (row, column), here in words.moves_by_cell(state, moves).items():
        cells[row][column].moves = [str(move) for move in here]
    for (row, column), move in words.taps_by_cell(state, moves).items():
        cells[row][column].tap = str(move)
    for row, column in words.highlighted(state):
        cells[row][column].lit = True
    return Board(cells, list(words.signs), words.lattice)


def lines(found: Sequence[NumberLine], first: int = 0) -> list[Line]:
    """Return number lines, with what is marked on them."""
    return [
        Line(
            name=line.name,
            title=line.title,
            player=None if line.seat is None else line.seat ^ first,
            value=line.value,
            low=line.low,
            high=line.high,
            marks=[LineMark(*mark) for mark in line.marks],
        )
        for line in found
    ]


def are_digits(words: Words[Any]) -> bool:
    """Return whether every move of the game, legal now or not, is a single digit."""
    keys = words.keys()
    return bool(keys) and all(isinstance(move, int) and 0 <= move <= 9 for move in keys)


def label(game: Game[Any], state: Any, move: Move) -> Label:
    """Return a move in words."""
    words = _words(game)
    text = short(words.label(state, move))
    told = f": {text[0].lower()}{text[1:]}." if text[1:2].islower() else f" plays {text}."
    return Label(text, words.seat_text(state, move), told)


def move_texts(words: Words[Any], state: Any, move: Move) -> MoveTexts:
    """Return a legal move as it is typed, in words, and in a few characters."""
    return MoveTexts(str(move), short(words.label(state, move)), words.button(state, move))


def _legal(game: Game[Any], state: Any) -> tuple[Move, ...]:
    """Return the legal moves; blame rules that return anything else."""
    legal = game.moves(state)
    if fault := fault_of_moves(state, legal):
        raise BrokenGame(game, fault)
    return legal


def _moves(
    words: Words[Any], state: Any, legal: tuple[Move, ...], first: int
) -> tuple[list[Choice], int]:
    """List the moves with what each would do, and illegal ones with the reason; count the rest."""
    game = words.game
    now = _values(words, state)
    listed = []
    for move in _ordered(words.keys() if len(legal) <= MOST_MOVES else (), legal[:MOST_MOVES]):
        why = None if move in legal else refusal(game, state, move)
        text, changes = None, []
        if why is None:
            text = short(words.label(state, move))
            then = _values(words, game.play(state, move))
            changes = [
                Effect(name, None if seat is None else seat ^ first, value)
                for (name, seat), value in then.items()
                if now.get((name, seat)) != value
            ]
        button = words.button(state, move)
        choice = Choice(
            move=str(move), label=text, button=button, legal=why is None, why=why, changes=changes
        )
        listed.append(choice)
    more = len(legal) - MOST_MOVES if game.lists_all(state) else 1
    return listed, max(0, more)


def _ordered(keys: tuple[Move, ...], legal: tuple[Move, ...]) -> list[Move]:
    """Sort moves into a stable order: rising numbers, then strings in the order of the keys.

    >>> _ordered((2, 1, "swap", "pass"), ("pass", 7))
    [1, 2, 7, 'swap', 'pass']
    """
    moves = dict.fromkeys((*keys, *legal))
    numbers = sorted(move for move in moves if isinstance(move, int))
    return [*numbers, *(move for move in moves if isinstance(move, str))]


def _values(words: Words[Any], state: Any) -> dict[tuple[str, int | None], str]:
    """Return the values of a state's fields, by name and seat."""
    return {(field.name, field.seat): str(field.value) for field in _fields(words, state)}


@lru_cache(maxsize=512)
def _words(game: Game[Any]) -> Words[Any]:
    """Return the words of a variant, cached."""
    return words_of(game)


# The questions about rules that another process answers.


def first_position(game: Game[Any]) -> Plain:
    """Begin a match, look at its first position, and return its state."""
    match = Match.new(game)
    state = plain(game, match.state)
    look(game, match.state, 0, match.round.end is None)
    return state


def play_and_look(game: Game[Any], state: Any, typed: str, first: int) -> MoveResult:
    """Make a move as it was typed, and look at the position that it leads to."""
    played = play(game, state, typed)
    state = plain(game, played.state)
    scene = look(game, played.state, first, played.outcome is None)
    return played._replace(state=state, scene=scene)


def look_and_label(
    game: Game[Any], state: Any, first: int, running: bool, moves: Any
) -> tuple[Scene, list[Label]]:
    """Return what is shown of a state, and moves in words, each with the state before it."""
    scene = look(game, state, first, running)
    return scene, [label(game, read_state(game, before), move) for before, move in moves]


def replay(
    game: Game[Any], first: int, games: int, events: Sequence[Event]
) -> list[tuple[Plain, Outcome | None]]:
    """Return the first state, and the state and the outcome after each move of a journal."""
    match = Match.new(game, first=first, games=games)
    results: list[tuple[Plain, Outcome | None]] = [(plain(game, match.state), None)]
    for kind, move in events:
        match = match.apply(Event(kind, move))
        if kind == "move":
            results.append((plain(game, match.state), _outcome(game, match.state)))
    return results


def question(game: Game[Any], state: Any) -> str:
    """Return what a program is asked about a position, as JSON: numbers may have many digits."""
    return dumps(asked_about(game, state))


def plain(game: Game[Any], state: Any) -> Plain:
    """Return a state as the server holds it; blame rules whose states are not plain values."""
    try:
        same = isinstance(state, tuple) and tuples(json.decode(json.encode(state))) == state
    except (TypeError, ValueError, RecursionError):
        same = False
    if not same:
        wanted = "a NamedTuple of integers, strings, None and tuples of them"
        raise BrokenGame(game, f"a state must be {wanted}, not {brief(state, 80)}")
    return Plain(state.player, tuple(state))


def parts_of(state: Any) -> list[Any]:
    """Return the parts of a state, as other processes read them."""
    return list(state.parts if isinstance(state, Plain) else state)


def _held(answer: Any) -> Plain:
    """Read a state from the answer of another process."""
    player, parts = answer
    return Plain(player, tuples(parts))


@dataclass
class Referee:
    """The rules of all games: the quick ones are asked here, the others in another process."""

    pool: Pool

    async def begin(self, entry: Entry, options: dict[str, Any], asker: str) -> Any:
        """Return the first state of a variant; rules that fail do so here, before a match is made.

        Only a built-in variant is made in this process, which raises OptionError for a wrong
        option; for any other game it is Refused, with the field.
        """
        if is_built_in(entry) and is_quick(game := entry.variant(**options)):
            return Match.new(game).state
        variant = {"game": entry.name, "options": options}
        return _held(await self.pool.ask(first_position.__name__, asker=asker, **variant))

    async def play(self, match: Match[Any], typed: str, asker: str) -> MoveResult:
        """Make a move as it was typed, or refuse it."""
        game = match.game
        if is_quick(game):
            return _play(game, match.state, typed)
        asked = {"state": parts_of(match.state), "typed": typed}
        first = match.round.first
        played = await self._ask(MoveResult, play_and_look, game, asker, **asked, first=first)
        return played._replace(state=_held(played.state))

    async def look(
        self, match: Match[Any], running: bool, plies: Sequence[int], asker: str
    ) -> tuple[Scene | None, list[Label]]:
        """Return what is shown of a match, and some of its moves in words.

        Rules that are quick, and do not fail, are asked for the position when it is shown.
        """
        game, played = match.game, match.round
        if is_quick(game):
            return None, [label(game, played.states[ply], played.moves[ply]) for ply in plies]
        moves = [(parts_of(played.states[ply]), played.moves[ply]) for ply in plies]
        kind, seats = tuple[Scene, list[Label]], {"first": played.first}
        asked = {"state": parts_of(match.state), "running": running, "moves": moves, **seats}
        return await self._ask(kind, look_and_label, game, asker, **asked)

    async def asked_about(self, match: Match[Any], asker: str) -> str:
        """Return what a program is asked about the position, as JSON."""
        if is_quick(match.game):
            return question(match.game, match.state)
        state = parts_of(match.state)
        return await self._ask(str, question, match.game, asker, state=state)

    async def replay(
        self, game: Game[Any], first: int, games: int, events: Sequence[Event], asker: str
    ) -> list[tuple[Any, Outcome | None]]:
        """Return the first state, and the state and the outcome after each move of a journal."""
        kind, asked = list[tuple[Any, Outcome | None]], {"first": first, "games": games}
        results = await self._ask(kind, replay, game, asker, **asked, events=events)
        return [(_held(state), outcome) for state, outcome in results]

    async def _ask(
        self, kind: type[T], question: Callable[..., T], game: Game[Any], asker: str, **more: Any
    ) -> T:
        """Ask another process about a variant, for an answer of a kind."""
        variant = {"game": entry_of(game).name, "options": option_values(game)}
        answer = await self.pool.ask(question.__name__, asker=asker, **variant, **more)
        return msgspec.convert(answer, kind)


@lru_cache(maxsize=4096)
def is_quick(game: Game[Any]) -> bool:
    """Return whether the rules of a variant are ours, and its numbers small enough for them."""
    return is_built_in(entry_of(game)) and largest(game.initial()) <= QUICK


def is_built_in(entry: Entry) -> bool:
    """Return whether the rules of a game are ours."""
    return entry.file is None and entry.name in BUILT_IN
