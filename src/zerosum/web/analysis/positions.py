"""Positions as JSON documents, with their values; and what Explore shows, such as a map."""

from __future__ import annotations

from traceback import walk_tb
from typing import Any

from zerosum.coach.advice import GLYPHS, Coach
from zerosum.coach.verdicts import Judgement, judge
from zerosum.errors import GameError, NotSolved, TooLarge, ZerosumError
from zerosum.pictures import map_svg as drawing
from zerosum.pictures.map_text import map_text
from zerosum.pictures.track_svg import tracks
from zerosum.protocol import Game, Move, Outcome, Value
from zerosum.registry.loading import raised_by_rules
from zerosum.states import Leaf, leaves, read_state, tuples
from zerosum.text import short
from zerosum.web import answers
from zerosum.web.analysis.referee import board, fields, lines, text_of
from zerosum.web.analysis.solutions import TooHard, solutions
from zerosum.web.refusals import Refused, sentence
from zerosum.wording.number_line import number_lines
from zerosum.wording.texts import SEATS
from zerosum.wording.words import MOST_LISTED, Names, Words, how_it_ended, spoken, words_of

# The largest whole number that JavaScript can hold.
LARGEST = 2**53 - 1
LARGEST_NUMBER = 10**100
MOST_PARTS = 2_000
LONGEST_PART = 40


def value_of(value: Value, exact: bool = True) -> answers.ShownValue:
    """Return a value as it is shown; a length too large for a browser is only in its `text`.

    Whether a draw that is only proved is endless is unknown.

    >>> value_of(Value("win", 7)).text
    'win in 7'
    >>> value_of(Value("draw"), exact=False).endless is None
    True
    """
    plies = value.plies if value.plies is None or value.plies <= LARGEST else None
    endless = value.endless if exact or value.result != "draw" else None
    return answers.ShownValue(value.result, plies, endless, GLYPHS[value.result], spoken(value))


def shown(words: Words[Any], state: Any, names: Names) -> dict[str, Any]:
    """Return the fields of a state's structure: those of `answers.Shown`."""
    shared, own = fields(words, state)
    found = number_lines(words, state)
    return {
        "state": text_of(state),
        "position": short(words.position(state, names)),
        "fields": shared,
        "player_fields": list(own),
        "board": board(words, state, words.game.moves(state)),
        "lines": lines(found),
        "picture": tracks(found, (names[0], names[1])),
        "mover": state.player,
    }


def judged_of(move: Move, judged: Judgement | None, exact: bool) -> dict[str, Any]:
    """Return what a move is worth to the player making it: the fields of `answers.MoveWorth`."""
    value, verdict, word = judged or (None, None, "")
    return {
        "move": str(move),
        "value": None if value is None else value_of(value, exact),
        "verdict": verdict,
        # If nothing is known about a move, its value says so.
        "word": "" if value is None and verdict is None else word,
    }


def standing_of(coach: Coach[Any], state: Any) -> dict[str, Any]:
    """Return what a position is worth, and why; or why that is not exact."""
    solution = coach.solution
    exact, value = solution.is_exact(state), solution.find(state)
    # A search may have proved who wins without a table.
    inexact = solution.unknown(state) if value is None else solution.reason
    return {
        "exact": exact,
        "reason": "" if exact else inexact,
        "value": None if value is None else value_of(value, exact),
        "standing": coach.standing(state),
        "why": coach.reasons(state),
    }


def position(game: Game[Any], at: list[Any] | None = None) -> answers.Position:
    """Return what a position is worth and where its moves lead; by default, the start."""
    state = game.initial() if at is None else read_position(game, at)
    coach = None
    known: dict[str, Any] = {"exact": False, "value": None, "standing": "", "why": []}
    try:
        coach = solutions().coach(game)
    except TooHard as error:
        known["reason"] = str(error)
    try:
        if coach is not None:
            known = standing_of(coach, state)
        return answers.Position(**_examined(game, state, coach), **known)
    except Exception as error:
        # Neither rules nor theory need foresee a position that no game reaches.
        if at is None or isinstance(error, (MemoryError, Refused)):
            raise
        where = f"The position {short(text_of(state))}"
        if isinstance(error, NotSolved):
            text = f"{where} cannot be reached from the start."
        elif isinstance(error, ZerosumError) and not isinstance(error, GameError):
            text = sentence(str(error))
        elif isinstance(error, GameError) or _in_a_game(error):
            text = f"{where} makes the rules fail."
        else:
            raise
        raise Refused("invalid", text) from error


def _in_a_game(error: Exception) -> bool:
    """Return whether an error was raised by a game, or by what it called."""
    names = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)]
    return raised_by_rules(error) or any(name.startswith("zerosum.books.") for name in names)


def _examined(game: Game[Any], state: Any, coach: Coach[Any] | None) -> dict[str, Any]:
    """Return a position, and its first hundred moves with their values if known."""
    words, outcome, moves = words_of(game), game.outcome(state), game.moves(state)
    judged = {} if coach is None else judge(coach.solution, state)
    exact = coach is not None and coach.solution.is_exact(state)
    return {
        **shown(words, state, SEATS),
        "over": None if outcome is None else _over(words, state, outcome),
        "moves": [
            answers.Reached(
                **judged_of(move, judged.get(move), exact),
                label=short(words.label(state, move)),
                button=words.button(state, move),
                to=text_of(game.play(state, move)),
            )
            for move in moves[:MOST_LISTED]
        ],
        "more": len(moves[MOST_LISTED:]),
        "refused": [] if outcome else list(words.objections(state, words.keys())),
    }


def _over(words: Words[Any], state: Any, outcome: Outcome) -> str:
    """Say who won, or that it is a draw, and why."""
    return how_it_ended(outcome.winner, words.reason(state, outcome, SEATS), SEATS)


def read_position(game: Game[Any], data: list[Any]) -> Any:
    """Make a state from untrusted data, or refuse it; whether it has a value is checked later.

    >>> from zerosum.books.even_steven.rules import EvenSteven
    >>> read_position(EvenSteven(), [7, 1])
    State(number=7, player=1)
    >>> read_position(EvenSteven(), [7, 1, 0])
    Traceback (most recent call last):
    ...
    zerosum.web.refusals.Refused: A position of this game looks like [15,0].
    """
    first, parts = game.initial(), [leaf for _, leaf in leaves(tuples(data))]
    if len(data) == len(first) and len(parts) <= MOST_PARTS and all(map(_fits, parts)):
        state = read_state(game, data)
        if state.player in (0, 1):
            return state
    raise Refused("invalid", f"A position of this game looks like {short(text_of(first))}.")


def _fits(part: Leaf) -> bool:
    """Return whether a string is short and printable, or a number not too long."""
    if isinstance(part, str):
        return len(part) <= LONGEST_PART and part.isprintable()
    return part is None or abs(part) < LARGEST_NUMBER


def map_svg(game: Game[Any]) -> str:
    """Draw the map of a variant's values."""
    return drawing.map_svg(solutions().coach(game).solution.whole())


def theory(game: Game[Any]) -> answers.VariantTheory:
    """Return the theory of a variant, or else the law found in its table; and its map, in words."""
    try:
        coach = solutions().coach(game)
        text = map_text(coach.solution.whole(), plain=True)
    except (TooHard, TooLarge) as error:
        return answers.VariantTheory(exact=False, reason=str(error))
    return answers.VariantTheory(
        exact=True,
        theory=coach.theory_statement,
        law=coach.law_statement,
        text=text.split("\n"),
        value=value_of(coach.solution.whole().value(game.initial())),
    )
