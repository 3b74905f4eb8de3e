"""Broken games fail the kit, which names the fault and what would be right."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zerosum
from tests.game_files import COUNTDOWN, STICK
from tests.games import Letters, Pile, Sticks, broken
from zerosum import testing
from zerosum.errors import Nonconforming
from zerosum.options import option
from zerosum.protocol import Game, Outcome
from zerosum.testing import Checked, check_game, check_within, fault_behind, move_order

AT_START = "at Pile(number=5, player=0)"
TYPED = "a move must have 1 to 20 printable characters, without spaces or commas, not"
HELD = "a state holds integers, strings, None and tuples of them; number is"


class Other(NamedTuple):
    number: int
    player: int


class Alone(NamedTuple):
    number: int


class Partial:
    def initial(self) -> Any:
        return Pile(1, 0)


@dataclass
class Thawed(Game[Any]):
    initial, moves, play, outcome = Sticks.initial, Sticks.moves, Sticks.play, Sticks.outcome
    start: int = 5


@dataclass(frozen=True)
class NoDefault(Game[Any]):
    initial, moves, play, outcome = Sticks.initial, Sticks.moves, Sticks.play, Sticks.outcome
    start: int


@pytest.mark.parametrize("game", [Sticks(), Letters(), Sticks(start=1)])
def test_the_unbroken_games_conform(game: Game[Any]) -> None:
    assert check_game(game) > 1


def test_slow_rules_are_checked_as_far_as_the_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0

    def moves(game: Any, state: Any) -> Any:
        nonlocal clock
        clock += 1.0
        return Sticks.moves(game, state)

    monkeypatch.setattr("zerosum.testing.checker.monotonic", lambda: clock)
    game = broken(moves=moves)
    positions, complete, _ = check_within(game, 15.0)
    assert 0 < positions < 10
    assert not complete
    assert clock <= 16
    assert check_within(game, 1e6) == Checked(check_game(Sticks()), complete=True)


def starting(state: Any) -> Sticks:
    """Sticks that begin with another state."""
    return broken(initial=lambda game: state)


def ending(outcome: Any) -> Sticks:
    """Sticks that end in another way."""
    return broken(outcome=lambda game, state: None if state.number else outcome)


def moving(change: Any) -> Sticks:
    """Sticks whose moves are changed, by the state and the sound moves."""
    return broken(moves=lambda game, state: change(state, Sticks.moves(game, state)))


def playing(state: Any) -> Sticks:
    """Sticks whose moves lead to another state, made of the number and the player."""
    return broken(play=lambda game, old, move: state(old.number - move, old.player))


def named(*names: str) -> Sticks:
    """Sticks whose moves have other names."""
    return broken(Letters, names=names)


def alike(canonical: Any, **parts: Any) -> Sticks:
    """Sticks some of whose states are called equal."""
    return broken(canonical=lambda game, state: canonical(state), **parts)


def fickle() -> Sticks:
    calls: list[int] = []

    def play(game: Sticks, state: Any, move: int) -> Any:
        calls.append(move)
        return Pile(state.number - move - len(calls) % 2, 1 - state.player)

    return broken(play=play)


def unequal_seats() -> Sticks:
    """Seats may be exchanged only where the rules are the same for both."""

    def play(game: Sticks, state: Any, move: int) -> Any:
        player = state.player if state.number == 4 and state.player else 1 - state.player
        return Pile(state.number - move, player)

    return alike(lambda state: state._replace(player=0), play=play)


STATES = [
    (
        starting([5, 0]),
        "a state must be a NamedTuple, not [5, 0], from initial(); write class State(NamedTuple), "
        "with a field 'player'",
    ),
    (broken(initial=lambda game: 1 // 0), "initial() fails in test_broken_games.py, line "),
    (starting(Alone(3)), "a state needs a field 'player', 0 or 1: Alone(number=3)"),
    (
        starting(Pile([5], 0)),
        f"{HELD} [5]: Pile(number=[5], player=0), from initial(); put tuple() around it",
    ),
    (
        starting(Pile("x" * 41, 0)),
        "a string in a state has at most 40 characters: Pile(number='xxxx",
    ),
    (
        starting(Pile(0, 0)),
        "outcome() must be None at the start, where the game goes on, not Outcome(winner=1",
    ),
    (starting(Pile(5, 1)), "seat 0 moves first, so initial() must have player 0"),
    (
        playing(lambda number, player: Pile(number, player + 1)),
        "the player to move must be 0 or 1: Pile(number=3, player=2)",
    ),
    (
        playing(lambda number, player: Other(number, 1 - player)),
        "all states must be of one class, that of initial(): Other(number=4",
    ),
]
TURNS = [
    (
        playing(lambda number, player: Pile(max(number, 0), player)),
        "the second player never has a turn in the 6 positions checked; play() must return a "
        "state with the next player, usually 1 - state.player",
    ),
    (
        broken(outcome=lambda game, state: None, moves=lambda game, state: (0,)),
        "it can never end: outcome() is None everywhere, in 2 positions",
    ),
]
OUTCOMES = [
    (
        moving(lambda state, moves: moves or (1,)),
        "the game is over at Pile(number=0, player=1), but moves() returns (1,); return ()",
    ),
    (
        moving(lambda state, moves: () if state.number == 3 else moves),
        "there are no moves and outcome() is None at Pile(number=3, player=1); return a "
        "move or an Outcome",
    ),
    *(
        (
            ending(Outcome(winner, "nothing is left")),  # type: ignore[arg-type]
            f"the winner must be 0 or 1, or None for a draw, not {winner!r}, at Pile(number=0",
        )
        for winner in (2, True, "draw")
    ),
    (
        ending(Outcome(None, " ")),
        "an outcome needs a reason, such as 'three in a row', not ' ', at Pile(",
    ),
    (
        ending((0, "nothing is left")),
        "outcome() must return Outcome(winner, reason) or None, not (0, 'nothing is left'), at",
    ),
]
MOVES = [
    (
        moving(lambda state, moves: list(moves)),
        f"moves() {AT_START} must return a tuple, not list; put tuple() around it",
    ),
    (
        moving(lambda state, moves: (move for move in moves)),
        f"moves() {AT_START} must return a tuple, not generator; put tuple() around it",
    ),
    (
        moving(lambda state, moves: set(moves)),
        f"moves() {AT_START} must return a tuple, not set; put tuple(sorted()) around it",
    ),
    (
        moving(lambda state, moves: moves + moves),
        f"moves() lists a move twice: (1, 2, 1, 2), {AT_START}",
    ),
    (
        moving(lambda state, moves: tuple((move, 0) for move in moves)),
        f"a move {AT_START} must be an integer or a string, not (1, 0); write a string, such as "
        "'1-0'",
    ),
    (
        moving(lambda state, moves: (True,) if state.number else ()),
        f"a move {AT_START} must be an integer or a string, not True; put int() around it",
    ),
    (named("1", "2"), f"a move that is a number must be an integer: 1, not '1', {AT_START}"),
    *((named("a", wrong), f"{TYPED} {wrong!r}, {AT_START}") for wrong in ("b,2", "b\x07", "")),
    (
        named("a", "Undo"),
        f"'Undo' cannot be a move {AT_START}: it is a command of the prompt; choose another word",
    ),
    (named("ab", "AB"), f"'ab' and 'AB' are the same move when typed, {AT_START}"),
    (fickle(), f"play(1) returns something else when called again {AT_START}"),
    (
        playing(lambda number, player: Pile(number + 0 // (number - 2), 1 - player)),
        "play(Pile(number=4, player=1), 2) fails in test_broken_games.py, line ",
    ),
]
LEGALITY = [
    (
        broken(objections=lambda game, state, move: "Take 1 or 2."),
        "nothing calls objections(); rename it to objection",
    ),
    (
        broken(is_legal=lambda game, state, move: move in (1, 2, 3)),
        f"is_legal() allows 3, which is not in moves() {AT_START}; list it, or let lists_all() "
        "return False there",
    ),
    (
        broken(is_legal=lambda game, state, move: bool(move == 1)),
        f"2 is in moves() {AT_START}, but is_legal() refuses it",
    ),
    (
        broken(objection=lambda game, state, move: 5),
        f"objection() must return a sentence or None, not 5, for -3 {AT_START}",
    ),
    (
        broken(Letters, objection=lambda game, state, move: f"There is no heap {move[0]}."),
        "objection(Pile(number=5, player=0), '') fails in test_broken_games.py",
    ),
]
SYMMETRY = [
    (
        unequal_seats(),
        "canonical() returns Pile(number=4, player=0) at Pile(number=4, player=1)"
        ", but its moves lead to positions that are not",
    ),
    (
        alike(
            lambda state: state._replace(player=0),
            outcome=lambda game, state: None if state.number else Outcome(0, "seat 0 always wins"),
        ),
        "canonical() returns Pile(number=0, player=0) at Pile(number=0, player=1)"
        ", but its outcome differs",
    ),
    (
        alike(lambda state: state._replace(number=max(state.number - 1, min(state.number, 1)))),
        f"canonical() returns Pile(number=4, player=0) {AT_START}, but "
        "Pile(number=3, player=0) for that in turn; it must return its own result unchanged",
    ),
]


@pytest.mark.parametrize(
    ("game", "message"),
    [*STATES, *TURNS, *OUTCOMES, *MOVES, *LEGALITY, *SYMMETRY],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_fault_of_a_broken_game(game: Any, message: str) -> None:
    with pytest.raises(Nonconforming, match=re.escape(message)) as caught:
        check_game(game)
    assert str(caught.value).startswith("Broken: ")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("part", ["moves", "play", "objection"])
def test_a_fault_deep_in_a_long_game_names_the_position(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rule(game: Any, state: Any, *move: Any) -> Any:
        assert state.number > 20
        return getattr(Sticks, part)(game, state, *move)

    monkeypatch.setattr(testing, "CHECKED_STATES", 20)
    with pytest.raises(Nonconforming, match=r"Pile\(number=(20|19), player=[01]\)"):
        check_game(broken(Sticks, initial=lambda game: Pile(60, 0), **{part: rule}))


@pytest.mark.parametrize(
    ("moves", "picked", "faulty"),
    [
        ('tuple({"one", "two", "three", "four"})', "", True),
        ('tuple({"one", "two", "three", "four"})', ":Countdown", True),
        ('tuple(sorted({"one", "two", "three", "four"}))', "", False),
    ],
)
def test_an_order_taken_from_a_set_is_a_fault(
    moves: str, picked: str, faulty: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_order, "HASH_SEEDS", ("0", "1", "2"))
    path = tmp_path / "own.py"
    path.write_text(COUNTDOWN.replace("(1,)", moves))
    game = zerosum.game(f"{path}{picked}")
    if not faulty:
        assert check_game(game) == 4
        return
    with pytest.raises(
        Nonconforming, match=r"at State\(number=3, player=0\), but .* in another run"
    ):
        check_game(game)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Partial, "Partial is not a game; write class Partial(Game[State]), with Game from"),
        (Thawed, "put @dataclass(frozen=True) above its class, so that no option changes"),
    ],
)
def test_fault_of_a_class_that_is_not_a_game(kind: Any, message: str) -> None:
    with pytest.raises(Nonconforming, match=f"^{kind.__name__}: .*{re.escape(message)}"):
        check_game(kind())


def test_every_option_needs_a_default() -> None:
    with pytest.raises(Nonconforming, match=r"every option needs a default: NoDefault\.__init__"):
        check_game(NoDefault(3))


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: option(0, least=1), "default: must be a whole number of at least 1, not 0"),
        (lambda: option(5, least=9, most=2), "least: 9 is above most, 2"),
        (lambda: option([1, 2]), "default: must be an int, a bool, a str or a tuple of ints"),
        (lambda: option("x", choices=("a", "b")), "default: must be a or b, not 'x'"),
        (
            lambda: option("x", choices=("x", "X")),
            "choices: must differ in more than upper and lower case",
        ),
        (lambda: option(True, choices=(True, False)), "choices: are not for an option that is on"),
        (lambda: option(3, 5), "help: must be a string, not 5"),  # type: ignore[arg-type]
    ],
)
def test_an_option_cannot_be_declared_with_a_bad_default(declare: Any, message: str) -> None:
    with pytest.raises(zerosum.OptionError, match=re.escape(message)):
        declare()


# Words and theories are in the file of their game.

RULES = Path(STICK).read_text()
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
            "own.py has several classes of words (Own, Second); "
            "rename the right one to LastStickWords",
        ),
        (
            f"{WORDS}    def label(self, state, move): return 5",
            f"label({FIRST}, 2) fails: own.py: Own.label() must return a string, not 5",
        ),
        (
            f"{WORDS}    def turn(self, state, names): return names[2]",
            f"turn({FIRST}, ('Player 1', 'Player 2')) fails in own.py, line ",
        ),
        (
            f"{WORDS}    def board(self, state): return ['...', '..']",
            "Own.board() must return rows of strings, all of one length, or None, not ['...', ",
        ),
        (
            f"{WORDS}    def board(self, state): return ['...', '...']\n"
            "    def cell(self, state, move): return (move, 0)",
            "cell() returns (2, 0) for 2, but the board is 2 by 3; rows and columns are "
            "counted from 0",
        ),
        (
            f"{WORDS}    def board(self, state): return ['...', '...']\n"
            "    def taps(self, state, move): return [(0, 3)]",
            "taps() returns (0, 3) for 1, but the board is 2 by 3",
        ),
        (
            f"{WORDS}    def highlights(self, state): return [(0, 0)]",
            "highlights() returns (0, 0), but the board is missing",
        ),
        (f"{WORDS}    def in_a_turn(self): return 1 // 0", "in_a_turn() fails in own.py, line "),
        (
            f"{WORDS}    def ending(self, state, outcome, names): return 'Over.'\n"
            "    def reason(self, state, outcome, names): return None",
            "own.py: Own.reason() must return a string, not None",
        ),
        (
            f"{WORDS}    puzzles = ({{'start': 1}},)",
            "puzzles has options that are not valid; start: must be a whole number of at least 2",
        ),
        (
            f"{THEORY}    def value(self, state): return Value('win')",
            "its theory says Value(result='win', plies=None) at State(sticks=",
        ),
        (f"{THEORY}    def value(self, state): return 1 // 0", "Own.value() fails: own.py, line "),
        (
            f"{THEORY}    def value(self, state): return Value('win', 'x')",
            f"own.py: Own.value({FIRST}) must return Value('win', 'loss' or 'draw', plies) or None",
        ),
        (
            f"{THEORY}    def value(self, state): ...\n    def whi(self, state): ...",
            "nothing calls Own.whi(); rename it to why",
        ),
    ],
)
def test_fault_of_broken_words_and_theories(own: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"{RULES}\n\n{own}\n")
    with pytest.raises(Nonconforming, match=re.escape(message)):
        check_game(zerosum.game(str(path)))


def test_rules_that_raise_anything_while_they_are_checked_are_at_fault() -> None:
    class Raising(Sticks):
        def moves(self, state: Any) -> Any:
            raise GeneratorExit

    def fail(game: Game[Any]) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError) as failed:
        fail(Raising())
    says = "The rules of this game failed: test_broken_games.py, line "
    assert fault_behind(failed.value, 1.0).startswith(says)
