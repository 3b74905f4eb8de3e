"""Broken games fail the kit, and each is told where it is broken and what would be right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zerosum
from zerosum.errors import Nonconforming
from zerosum.options import option
from zerosum.protocol import Game, Outcome
from zerosum.testing import check_game

AT_START = "at State(number=5, player=0)"
TYPED = "a move must have 1 to 20 printable characters, without spaces or commas, not"


class State(NamedTuple):
    number: Any
    player: int


@dataclass(frozen=True)
class Fine(Game[Any]):
    """Take 1 or 2; whoever takes the last wins. The model of all games below, which break it."""

    start: int = option(5, "what is there at the start", least=1)

    def initial(self) -> Any:
        return State(self.start, 0)

    def moves(self, state: Any) -> Any:
        return tuple(n for n in (1, 2) if n <= state.number)

    def play(self, state: Any, move: Any) -> Any:
        return State(state.number - move, 1 - state.player)

    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(1 - state.player, "nothing is left")


@dataclass(frozen=True)
class Letters(Fine):
    """The same game with moves that are texts."""

    names = ("a", "b")

    def moves(self, state: Any) -> Any:
        return self.names[: state.number]

    def play(self, state: Any, move: Any) -> Any:
        return State(state.number - 1 - self.names.index(move), 1 - state.player)


@pytest.mark.parametrize("game", [Fine(), Letters(), Fine(start=1)])
def test_the_models_conform(game: Game[Any]) -> None:
    assert check_game(game) > 1


# What a variant may be.


class Partial:
    def initial(self) -> Any:
        return State(1, 0)


@dataclass
class Thawed(Game[Any]):
    initial, moves, play, outcome = Fine.initial, Fine.moves, Fine.play, Fine.outcome
    start: int = 5


@dataclass(frozen=True)
class NoDefault(Game[Any]):
    initial, moves, play, outcome = Fine.initial, Fine.moves, Fine.play, Fine.outcome
    start: int


class Misspelt(Fine):
    def objections(self, state: Any, move: Any) -> str:
        return "Take 1 or 2."


# What a state may be.


class NoPlayer(Fine):
    def initial(self) -> Any:
        return Alone(3)


class Alone(NamedTuple):
    number: int


class ThirdPlayer(Fine):
    def play(self, state: Any, move: int) -> Any:
        return State(state.number - move, state.player + 1)


class BareTuple(Fine):
    def initial(self) -> Any:
        return (5, 0)


class FloatState(Fine):
    def initial(self) -> Any:
        return State(5.0, 0)


class ListState(Fine):
    def initial(self) -> Any:
        return State([5], 0)


class LongText(Fine):
    def initial(self) -> Any:
        return State("x" * 41, 0)


class OtherClass(Fine):
    def play(self, state: Any, move: int) -> Any:
        return Other(state.number - move, 1 - state.player)


class Other(NamedTuple):
    number: int
    player: int


class OverAtOnce(Fine):
    def initial(self) -> Any:
        return State(0, 0)


class SecondSeatFirst(Fine):
    def initial(self) -> Any:
        return State(self.start, 1)


# What an outcome may be.


class MovesAtTheEnd(Fine):
    def moves(self, state: Any) -> Any:
        return super().moves(state) or (1,)


class NoMovesInTheMiddle(Fine):
    def moves(self, state: Any) -> Any:
        return () if state.number == 3 else super().moves(state)


class WinnerTwo(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(2, "nothing is left")


class WinnerTrue(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(True, "nothing is left")


class DrawInAWord(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome("draw", "nothing is left")  # type: ignore[arg-type]


class NoReason(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(None, " ")


class BareOutcome(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else (0, "nothing is left")


# What moves may be.


class ListOfMoves(Fine):
    def moves(self, state: Any) -> Any:
        return list(super().moves(state))


class MoveTwice(Fine):
    def moves(self, state: Any) -> Any:
        return (*super().moves(state), *super().moves(state))


class FloatMove(Fine):
    def moves(self, state: Any) -> Any:
        return tuple(map(float, super().moves(state)))


class TrueMove(Fine):
    def moves(self, state: Any) -> Any:
        return (True,) if state.number else ()


class NumberAsText(Letters):
    names = ("1", "2")


class Space(Letters):
    names = ("a", "b 2")


class Comma(Letters):
    names = ("a", "b,2")


class Invisible(Letters):
    names = ("a", "b\x07")


class EmptyMove(Letters):
    names = ("a", "")


class LongMove(Letters):
    names = ("a", "b" * 21)


class Reserved(Letters):
    names = ("a", "Undo")


class UpperAndLower(Letters):
    names = ("ab", "AB")


class Fickle(Fine):
    calls: list[int] = []  # noqa: RUF012

    def play(self, state: Any, move: int) -> Any:
        self.calls.append(move)
        return State(state.number - move - len(self.calls) % 2, 1 - state.player)


class Crashing(Fine):
    def play(self, state: Any, move: int) -> Any:
        return State(state.number - move + 0 // (state.number - 3), 1 - state.player)


# What is said of legality.


class Generous(Fine):
    def is_legal(self, state: Any, move: Any) -> bool:
        return move in (1, 2, 3)


class Strict(Fine):
    def is_legal(self, state: Any, move: Any) -> bool:
        return bool(move == 1)


class NumberObjection(Fine):
    def objection(self, state: Any, move: Any) -> Any:
        return 5


class CrashingObjection(Letters):
    def objection(self, state: Any, move: str) -> str:
        return f"There is no heap {move[0]}."


# What symmetry may be.


class WrongSeat(Fine):
    """Seats may be exchanged only where the rules are the same for both."""

    def play(self, state: Any, move: int) -> Any:
        player = state.player if state.number == 4 and state.player else 1 - state.player
        return State(state.number - move, player)

    def canonical(self, state: Any) -> Any:
        return state._replace(player=0)


class WrongOutcome(Fine):
    def outcome(self, state: Any) -> Any:
        return None if state.number else Outcome(0, "the first player always wins")

    def canonical(self, state: Any) -> Any:
        return state._replace(player=0)


class WrongMoves(Fine):
    def canonical(self, state: Any) -> Any:
        return state._replace(number=min(state.number, 4))


class Unsettled(Fine):
    def canonical(self, state: Any) -> Any:
        return state._replace(number=max(state.number - 1, 1)) if state.number else state


class CanonicalTuple(Fine):
    def canonical(self, state: Any) -> Any:
        return tuple(state)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (
            Partial,
            "Partial is not a game; write class Partial(Game[State]), with Game from zerosum",
        ),
        (Thawed, "put @dataclass(frozen=True) above its class, so that no option changes"),
        (Misspelt, "nothing calls objections(); rename it to objection"),
        (BareTuple, "a state must be a NamedTuple, not (5, 0)"),
        (NoPlayer, "a state needs a field 'player', 0 or 1: Alone(number=3)"),
        (ThirdPlayer, "the player to move must be 0 or 1: State(number=3, player=2)"),
        (
            FloatState,
            "a state holds integers, texts, None and tuples of them; number is 5.0: State(",
        ),
        (
            ListState,
            "a state holds integers, texts, None and tuples of them; number is [5]: State(",
        ),
        (LongText, "a text in a state has at most 40 characters: State(number='xxxx"),
        (OtherClass, "all states must be of one class, that of initial(): Other(number=4"),
        (
            OverAtOnce,
            "outcome() must be None at the start, where the game goes on, not Outcome(winner=1",
        ),
        (SecondSeatFirst, "seat 0 moves first, so initial() must have player 0"),
        (
            MovesAtTheEnd,
            "the game is over at State(number=0, player=1), but moves() gives (1,); give ()",
        ),
        (
            NoMovesInTheMiddle,
            "there are no moves and outcome() is None at State(number=3, player=1); give a move or "
            "an Outcome",
        ),
        (WinnerTwo, "the winner must be 0 or 1, or None for a draw, not 2, at State(number=0"),
        (WinnerTrue, "the winner must be 0 or 1, or None for a draw, not True, at State(number=0"),
        (
            DrawInAWord,
            "the winner must be 0 or 1, or None for a draw, not 'draw', at State(number=0",
        ),
        (NoReason, "an outcome needs a reason, such as 'three in a row', not ' ', at State("),
        (
            BareOutcome,
            "outcome() must give Outcome(winner, reason) or None, not (0, 'nothing is left'), at",
        ),
        (ListOfMoves, f"moves() must give a tuple, not [1, 2], {AT_START}"),
        (MoveTwice, f"moves() names a move twice: (1, 2, 1, 2), {AT_START}"),
        (FloatMove, f"a move must be an integer or a text, not 1.0, {AT_START}"),
        (TrueMove, f"a move must be an integer or a text, not True, {AT_START}"),
        (NumberAsText, f"a move that is a number must be an integer: 1, not '1', {AT_START}"),
        (Space, f"{TYPED} 'b 2', {AT_START}"),
        (Comma, f"{TYPED} 'b,2', {AT_START}"),
        (Invisible, f"{TYPED} 'b\\x07', {AT_START}"),
        (EmptyMove, f"{TYPED} '', {AT_START}"),
        (LongMove, f"{TYPED} 'bbbb"),
        (
            Reserved,
            f"'Undo' cannot be a move: it is a word of the prompt; choose another, {AT_START}",
        ),
        (UpperAndLower, f"'ab' and 'AB' are one move when typed, {AT_START}"),
        (Fickle, f"play() gives another state for 1 the second time, {AT_START}"),
        (
            Crashing,
            "play(State(number=3, player=1), 1) fails in test_broken_games.py, line ",
        ),
        (
            Generous,
            f"is_legal() allows 3, which is not in moves() {AT_START}; list it, or let lists_all() "
            "be False there",
        ),
        (Strict, f"2 is in moves() {AT_START}, but is_legal() refuses it"),
        (NumberObjection, f"objection() must give a sentence or None, not 5, for -3 {AT_START}"),
        (
            CrashingObjection,
            "objection(State(number=5, player=0), '') fails in test_broken_games.py",
        ),
        (
            WrongSeat,
            "canonical() gives State(number=4, player=0) at State(number=4, player=1)"
            ", but its moves lead to positions that are not",
        ),
        (
            WrongOutcome,
            "canonical() gives State(number=0, player=0) at State(number=0, player=1)"
            ", but its outcome differs",
        ),
        (
            WrongMoves,
            f"canonical() gives State(number=4, player=0) {AT_START}, but its moves "
            "lead to positions that are not",
        ),
        (
            Unsettled,
            f"canonical() gives State(number=4, player=0) {AT_START}, but State(number=3, player=0)"
            " for that in turn; the state that it gives must stand for itself",
        ),
        (CanonicalTuple, "a state must be a NamedTuple, not (5, 0)"),
    ],
)
def test_a_broken_game_is_told_what_is_wrong(broken: Any, message: str) -> None:
    with pytest.raises(Nonconforming, match=re.escape(message)) as caught:
        check_game(broken())
    assert str(caught.value).startswith(f"{broken.__name__}: ")
    assert str(caught.value).endswith(".")


def test_every_option_needs_a_default() -> None:
    with pytest.raises(Nonconforming, match=r"every option needs a default: NoDefault\.__init__"):
        check_game(NoDefault(3))


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: option(0, least=1), "default: must be a whole number from 1 up, not 0"),
        (lambda: option(5, least=9, most=2), "least: 9 is above most, 2"),
        (lambda: option([1, 2]), "default: must be an int, a bool, a str or a tuple of ints"),
        (lambda: option("x", choices=("a", "b")), "default: must be a or b, not 'x'"),
    ],
)
def test_an_option_cannot_be_declared_with_a_bad_default(declare: Any, message: str) -> None:
    with pytest.raises(zerosum.OptionError, match=re.escape(message)):
        declare()


# Words and theories stand in the file of their game.

RULES = (Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py").read_text()
WORDS = "from zerosum import Words\n\n\nclass Own(Words):\n"
THEORY = "from zerosum import Theory, Value\n\n\nclass Own(Theory):\n"
FIRST = "State(sticks=11, player=0)"


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ("class Words: ...", "own.py: write class LastStickWords(Words[State]), with Words from"),
        (
            "class LastStickTheory: ...",
            "own.py: write class LastStickTheory(Theory[State]), with Theory from zerosum",
        ),
        (
            f"{WORDS}    pass\n\nclass Second(Words): ...",
            "own.py has several classes of words (Own, Second); name the right one LastStickWords",
        ),
        (
            f"{WORDS}    def promt(self, state, names): ...",
            "nothing calls Own.promt(); rename it to prompt",
        ),
        (
            f"{WORDS}    def xyzzy(self): ...",
            "nothing calls Own.xyzzy(); begin it with an underscore",
        ),
        (
            f"{WORDS}    def label(self, state, move): return 5",
            f"label({FIRST}, 2) fails: Own.label() must give a text, not 5",
        ),
        (
            f"{WORDS}    def turn(self, state, names): return names[2]",
            f"turn({FIRST}, ('Player 1', 'Player 2')) fails in own.py, line ",
        ),
        (
            f"{WORDS}    def board(self, state): return ['...', '..']",
            "fails: Own.board() must give rows of texts, all of one length, or None, not ['...', ",
        ),
        (
            f"{WORDS}    def board(self, state): return ['...', '...']\n"
            "    def cell(self, state, move): return (move, 0)",
            "cell() gives (2, 0) for 2, but the board is 2 by 3; rows and columns are "
            "counted from 0",
        ),
        (
            f"{WORDS}    def cell(self, state, move): return (0, 0)",
            "cell() gives (0, 0) for 1, but the board is missing",
        ),
        (
            f"{WORDS}    puzzles = ({{'start': 1}},)",
            "puzzles names a variant that cannot be made; start: must be a whole number from 2",
        ),
        (
            f"{THEORY}    def value(self, state): return Value('win')",
            "its theory says Value(result='win', plies=None) at State(sticks=",
        ),
        (
            f"{THEORY}    def value(self, state): return 1 // 0",
            "Own.value() fails: own.py, line ",
        ),
        (
            f"{THEORY}    def value(self, state): ...\n    def whi(self, state): ...",
            "nothing calls Own.whi(); rename it to why",
        ),
    ],
)
def test_broken_words_and_theories_are_told_what_is_wrong(
    own: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"{RULES}\n\n{own}\n")
    with pytest.raises(Nonconforming, match=re.escape(message)):
        check_game(zerosum.game(str(path)))
