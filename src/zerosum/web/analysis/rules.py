"""What rules say of positions and moves: asked here, or in a process that can be killed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import GameError, MoveError, broken_game
from zerosum.match import Event, Match, outcome_of
from zerosum.options import option_values
from zerosum.protocol import Game, Move, Outcome, check_move, read_move, refusal
from zerosum.registry import BUILT_IN, entry_of
from zerosum.states import largest, read_state
from zerosum.text import brief, short
from zerosum.web.analysis.documents import Document, are_digits, board, fields
from zerosum.web.analysis.solutions import here
from zerosum.web.refusals import Refused, refused_move, sentence
from zerosum.wording.words import Names, Words, words_of

if TYPE_CHECKING:
    from zerosum.web.analysis.pool import Pool

MOST_MOVES = 60
# The rules of a built-in game with numbers up to this take less than a millisecond.
QUICK = 10**9


class Position(NamedTuple):
    """A state as the page shows it: its fields, board and moves; its numbers are strings."""

    fields: list[Document]
    own: list[list[Document]]
    board: Document | None
    moves: list[Document]
    more: int
    digits: bool
    prompt: str


class Label(NamedTuple):
    """A move in words: what a button says, and what is said of it when it is played."""

    text: str
    named: str


class Played(NamedTuple):
    """What a legal move leads to; its position only where rules are asked in advance."""

    move: Move
    state: Any
    outcome: Outcome | None
    label: Label
    position: Position | None = None


def play(game: Game[Any], state: Any, typed: str) -> Played:
    """Make a move as it was typed."""
    move = check_move(game, state, read_move(game, state, typed))
    after = game.play(state, move)
    return Played(move, after, outcome_of(game, after), label(game, state, move))


def look(game: Game[Any], state: Any, names: Names, first: int, running: bool) -> Position:
    """Return what is shown of a state; its moves only in a running game.

    `names` are those of the seats, and `first` is the player who has the first seat.
    """
    words = _words(game)
    shared, own = fields(words, state)
    legal = _legal(game, state) if running else ()
    moves, more = _moves(words, state, legal, first) if legal else ([], 0)
    prompt = short(words.prompt(state, names).strip()) if running else ""
    return Position(shared, own, board(words, state, legal), moves, more, are_digits(words), prompt)


def label(game: Game[Any], state: Any, move: Move) -> Label:
    """Return a move in words."""
    words = _words(game)
    return Label(short(words.label(state, move)), words.named(state, move))


def _legal(game: Game[Any], state: Any) -> tuple[Move, ...]:
    """Return the legal moves; blame rules that return anything else."""
    legal = game.moves(state)
    if not isinstance(legal, tuple) or not all(isinstance(move, (int, str)) for move in legal):
        raise broken_game(game, f"moves() must return a tuple of moves, not {brief(legal)}")
    return legal


def _moves(
    words: Words[Any], state: Any, legal: tuple[Move, ...], first: int
) -> tuple[list[Document], int]:
    """List the moves with what each would do, and illegal ones with the reason; count the rest."""
    game = words.game
    now = _values(words, state)
    listed = []
    for move in _ordered(words.keys() if len(legal) <= MOST_MOVES else (), legal[:MOST_MOVES]):
        why = None if move in legal else refusal(game, state, move)
        choice: Document = {"move": str(move), "legal": why is None, "why": why}
        choice["label"], choice["changes"] = None, []
        if why is None:
            choice["label"] = short(words.label(state, move))
            then = _values(words, game.play(state, move))
            choice["changes"] = [
                {"name": name, "player": None if seat is None else seat ^ first, "value": value}
                for (name, seat), value in then.items()
                if now.get((name, seat)) != value
            ]
        listed.append(choice)
    more = len(legal) - MOST_MOVES if game.lists_all(state) else 1
    return listed, max(0, more)


def _ordered(keys: tuple[Move, ...], legal: tuple[Move, ...]) -> list[Move]:
    """Sort moves into a stable order: rising numbers, then texts in the order of the keys.

    >>> _ordered((2, 1, "swap", "pass"), ("pass", 7))
    [1, 2, 7, 'swap', 'pass']
    """
    moves = dict.fromkeys((*keys, *legal))
    numbers = sorted(move for move in moves if isinstance(move, int))
    return [*numbers, *(move for move in moves if isinstance(move, str))]


def _values(words: Words[Any], state: Any) -> dict[tuple[str, int | None], str]:
    """Return the values of a state's fields, by name and seat."""
    return {(field.name, field.seat): str(field.value) for field in words.fields(state)}


@lru_cache(maxsize=512)
def _words(game: Game[Any]) -> Words[Any]:
    """Return the words of a variant, cached."""
    return words_of(game)


class Rules:
    """The rules of all games: the quick ones are asked here, the others in another process."""

    def __init__(self, pool: Pool) -> None:
        """Take the processes that can be asked."""
        self._pool = pool

    async def begin(self, game: Game[Any], asker: str) -> None:
        """Try the first position of a variant, so that its rules fail before a match is made."""
        if not is_quick(game):
            await self._ask("first_position", game, asker)

    async def play(self, match: Match[Any], typed: str, asker: str) -> Played:
        """Make a move as it was typed, or refuse it."""
        game, state = match.game, match.state
        if is_quick(game):
            try:
                return play(game, state, typed)
            except MoveError as error:
                raise refused_move(error, game.moves(state)) from error
        seats = {"names": match.seated, "first": match.round.first}
        answer = await self._ask("played", game, asker, state=state, typed=typed, **seats)
        if "refused" in answer:
            code, message, more = answer["refused"]
            raise Refused(code, message, **more)
        move, after, outcome, said, position = answer["played"]
        return Played(
            move,
            read_state(game, after),
            None if outcome is None else Outcome(*outcome),
            Label(*said),
            Position(*position),
        )

    async def look(
        self, match: Match[Any], running: bool, plies: Sequence[int], asker: str
    ) -> tuple[Position | None, list[Label]]:
        """Return what is shown of a match, and some of its moves in words.

        Rules that are quick, and do not fail, are asked for the position when it is shown.
        """
        game = match.game
        moves = [(match.round.states[ply], match.round.moves[ply]) for ply in plies]
        if is_quick(game):
            return None, [label(game, *move) for move in moves]
        seats = {"names": match.seated, "first": match.round.first}
        asked = {"state": match.state, "running": running, **seats}
        position, labels = await self._ask("looked", game, asker, **asked, moves=moves)
        return Position(*position), [Label(*said) for said in labels]

    async def replay(
        self, game: Game[Any], first: int, games: int, events: Sequence[Event], asker: str
    ) -> list[tuple[Any, Outcome | None]]:
        """Return the state and the outcome after each move of a journal."""
        asked = {"first": first, "games": games, "events": events}
        answer = await self._ask("replayed", game, asker, **asked)
        return [
            (read_state(game, state), None if outcome is None else Outcome(*outcome))
            for state, outcome in answer
        ]

    async def _ask(self, what: str, game: Game[Any], asker: str, **arguments: Any) -> Any:
        """Ask another process about a variant."""
        variant = {"game": entry_of(game).name, "options": option_values(game)}
        try:
            return await self._pool.ask(what, asker=asker, **variant, **arguments)
        except GameError as error:
            raise Refused("broken_game", sentence(str(error))) from error


@lru_cache(maxsize=4096)
def is_quick(game: Game[Any]) -> bool:
    """Return whether the rules of a variant are ours, and its numbers small enough for them."""
    entry = entry_of(game)
    return entry.file is None and entry.name in BUILT_IN and largest(game.initial()) <= QUICK


# The same as questions to a process, whose arguments and answers are JSON.


def first_position(game: str, options: Document) -> None:
    """Begin a match, and look at its first position."""
    match = Match.new(here().game(game, options))
    look(match.game, match.state, match.players, 0, match.round.end is None)


def played(game: str, options: Document, state: Any, typed: str, names: Any, first: int) -> Any:
    """Make a move as it was typed, or return why it is refused."""
    made = here().game(game, options)
    at = read_state(made, state)
    try:
        done = play(made, at, typed)
        running = done.outcome is None
        position = look(made, done.state, tuple(names), first, running)
        return {"played": done._replace(position=position)}
    except MoveError as error:
        refused = refused_move(error, made.moves(at))
        return {"refused": (refused.code, refused.message, refused.more)}


def looked(
    game: str, options: Document, state: Any, names: Any, first: int, running: bool, moves: Any
) -> Any:
    """Return what is shown of a state, and moves in words."""
    made = here().game(game, options)
    position = look(made, read_state(made, state), tuple(names), first, running)
    return position, [label(made, read_state(made, before), move) for before, move in moves]


def replayed(game: str, options: Document, first: int, games: int, events: Any) -> Any:
    """Return the state and the outcome after each move of a journal."""
    match = Match.new(here().game(game, options), first=first, games=games)
    results = []
    for kind, move in events:
        match = match.apply(Event(kind, move))
        if kind == "move":
            results.append((match.state, outcome_of(match.game, match.state)))
    return results
