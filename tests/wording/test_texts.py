"""A game in plain text: its rules, its positions, and answers to them."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import CONNECT_FOUR, NOUGHTS, PASS, STICK
from tests.games import GAMES_FILE
from zerosum import IllegalMove, UnreadableMove, describe, read_answer, rules_text
from zerosum.states import walk
from zerosum.web.analysis import positions
from zerosum.wording.texts import rulebook_of
from zerosum.wording.words import words_of

BOOKS = zerosum.games()[:5]
OPTIONS: dict[str, dict[str, Any]] = {"digit-battle": {"lives": 2}, "divisor-duel": {"start": 60}}
OWN = ("Nim", "Letters", "Lights", "Stack", "Pawns", "WildRow", "Sides", "Palindromes")
NAMES = (*BOOKS, STICK, NOUGHTS, PASS, CONNECT_FOUR, *(f"{GAMES_FILE}:{own}" for own in OWN))
# What is said to be allowed: after a colon, on this line or on those that follow.
ALLOWED = re.compile(r"(?i)\b(?:allowed|legal|moves)\b[^:\n]*:[ \n](.*)", re.DOTALL)


def allowed_in(text: str) -> list[str] | None:
    """Return the moves that a sentence calls allowed; None if it mentions none."""
    found = ALLOWED.search(text)
    if found is None:
        return None
    listed = found[1].split("\n") if "\n" in found[0] else found[1].split(", ")
    return [line.partition(":")[0].strip() for line in listed]


@pytest.mark.parametrize("name", NAMES)
def test_moves_called_allowed_are_legal_and_complete(name: str) -> None:
    game = zerosum.game(name, **OPTIONS.get(name, {}))
    words = words_of(game)
    for state in walk(game, limit=300):
        text = describe(game, state)
        if game.outcome(state) is not None:
            assert "The game is over." in text
            assert allowed_in(text) is None
            continue
        legal = [str(move) for move in game.moves(state)]
        assert allowed_in(text) == legal
        others = (
            words.position(state, ("Ada", "Bob")),
            *(f"{field.title}: {field.value}" for field in words.fields(state)),
            str(positions.shown(words, state, ("Ada", "Bob"))["position"]),
        )
        for other in others:
            assert allowed_in(other) in (None, legal)


def test_number_that_is_too_large_is_not_called_allowed() -> None:
    game = zerosum.game("dual-digits")
    state = type(game.initial())(2, 1, 0)
    assert describe(game, state).endswith("Legal moves:\n2: Subtract 2, leaving 0")
    # The book's own line stays where the book prints it.
    turn = words_of(game).turn(state, ("Ada", "Bob"))
    assert turn.endswith("Allowed Numbers to Subtract: 2, 3, 4")


def test_a_board_that_is_won_is_shown_with_its_winner() -> None:
    game = zerosum.game(NOUGHTS)
    won = type(game.initial())(("X", "X", "X", "O", "O", "", "", "", ""), 1)
    board = "[X] │ [X] │ [X]\n O  │  O  │  .\n .  │  .  │  ."
    signs = "First player's sign: X\nSecond player's sign: O"
    assert describe(game, won).startswith(f"{board}\n{signs}\nThe game is over. First player won")


def test_a_long_list_says_that_there_are_more() -> None:
    game = zerosum.game("divisor-duel", start=2**120)
    assert describe(game, game.initial()).endswith("\nThere are more.")


@pytest.mark.parametrize("name", NAMES)
def test_a_description_tells_every_position_from_all_others(name: str) -> None:
    game = zerosum.game(name, **OPTIONS.get(name, {}))
    going_on = [state for state in walk(game, limit=400) if game.outcome(state) is None]
    assert len({describe(game, state, legal=False) for state in going_on}) == len(going_on)


@pytest.mark.parametrize("name", NAMES)
def test_the_legal_moves_can_be_left_out(name: str) -> None:
    game = zerosum.game(name, **OPTIONS.get(name, {}))
    for state in walk(game, limit=50):
        shown, _, listed = describe(game, state).partition("\nLegal moves:")
        assert describe(game, state, legal=False) == shown
        assert bool(listed) == (game.outcome(state) is None)


# Every option has a value of its own, which occurs nowhere else in the rules.
UNUSUAL: dict[str, dict[str, Any]] = {
    "even-steven": {"start": 8731, "subtract_two": True},
    "divisor-duel": {"start": 8731},
    "dual-digits": {"start": 8731, "numbers": (57, 91, 86)},
    "number-navigator": {"start": 8731},
    "digit-battle": {
        "start": 31,
        "lives": 777,
        "target": 83,
        "limit": 99,
        "negative_penalty": 41,
        "target_penalty": 43,
        "limit_penalty": 47,
        "target_reset": 53,
        "limit_reset": 59,
    },
    STICK: {"start": 8731},
    PASS: {"heaps": (61, 71), "passes": 8},
    CONNECT_FOUR: {"width": 5, "height": 8},
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_rules_have_the_numbers_of_the_variant_and_no_others(name: str) -> None:
    game = zerosum.game(name, **UNUSUAL[name])
    text = rules_text(game)
    for option in zerosum.options_of(game):
        if option.kind in ("number", "numbers"):
            for number in re.findall(r"\d+", str(UNUSUAL[name][option.name])):
                assert re.search(rf"\b{number}\b", text), option
    assert not re.search(r"unless you|can be changed|if the game is played|\{|default", text)
    usual = rules_text(zerosum.game(name))
    assert ("Subtract 2" in text) > ("Subtract 2" in usual) or name != "even-steven"


@pytest.mark.parametrize("name", NAMES)
def test_rules_have_neither_flags_nor_typing(name: str) -> None:
    text = rules_text(zerosum.game(name, **OPTIONS.get(name, {})))
    assert not re.search(r"--|\btyp(e|es|ed|ing)\b|\bclock\b|\n\n\n", text)


def test_rules_without_a_docstring_have_the_goal_of_the_words(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    source = Path(STICK).read_text()
    words = 'class LastStickWords(Words[State]):\n    def goal(self): return "Leave one."\n'
    source = source.replace("import Game", "import Words, Game") + f"\n\n{words}"
    file.write_text(re.sub(r'""".*?"""\n', "", source, flags=re.DOTALL))
    assert "Leave one." in rules_text(zerosum.game(str(file)))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("MOVE: 3", 3),
        ("MOVE: 1\nNo, better:\nMOVE: 4\n", 4),
        ("I could play 1, 2 or 3.\n**MOVE: 2**", 2),
        ("> `MOVE: 2`.", 2),
        ("MOVE: 9\nMOVE: 1 \n", 1),
        ("MOVE: 3.", 3),
        ('MOVE: "3"', 3),
        ("**MOVE:** 3", 3),
        ("**MOVE**: **3**", 3),
        ("- MOVE: [3]", 3),
        ("### MOVE: 3\r\n", 3),
        ("MOVE: $3$", 3),
        ("MOVE：３", 3),
        ("MOVE: +3", 3),
        ("MOVE: 1\nMove: 2\nmove: 4", 1),
    ],
)
def test_last_marked_answer_counts(text: str, move: int) -> None:
    game = zerosum.game("dual-digits")
    assert read_answer(game, game.initial(), text) == move


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", UnreadableMove),
        ("I play 3.", UnreadableMove),
        ("My next MOVE: is 3", UnreadableMove),
        ("Move 3", UnreadableMove),
        ("MOVE:", UnreadableMove),
        ("MOVE: 3 or 4", UnreadableMove),
        ("MOVE: 3 MOVE: 4", UnreadableMove),
        ("MOVE: x", UnreadableMove),
        ("REMOVE: 3", UnreadableMove),
        ("MOVE: 3\nMOVE:", UnreadableMove),
        ("MOVE: 1²", UnreadableMove),
        (f"MOVE: {'9' * 900_000}", UnreadableMove),
        ("MOVE: " + "* " * 500_000 + "x", UnreadableMove),
        ((" " * 1000 + "\n") * 1000, UnreadableMove),
        ("MOVE:" * 200_000, UnreadableMove),
        ("MOVE: " + "(" * 10**6, UnreadableMove),
        ("MOVE: 99", IllegalMove),
        ("MOVE: 3\nMOVE: three", UnreadableMove),
        ("MOVE: 3\nMOVE: 7", IllegalMove),
        ("MOVE: -3", IllegalMove),
    ],
)
def test_unreadable_and_illegal_answers_are_different_errors(text: str, error: type) -> None:
    game = zerosum.game("dual-digits")
    with pytest.raises(error):
        read_answer(game, game.initial(), text)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("MOVE: 2 from b", "2 from b"),
        ("MOVE:  2  From B .", "2 from b"),
        ("MOVE: *", "*"),
        ('MOVE: "quoted"', '"quoted"'),
        ("MOVE: quoted", "quoted"),
    ],
)
def test_a_move_of_several_words_or_of_signs_is_read(text: str, move: str) -> None:
    class Position(NamedTuple):
        player: int

    class Signs(zerosum.Game[Position]):
        def initial(self) -> Position:
            return Position(0)

        def moves(self, state: Position) -> tuple[str, ...]:
            return ("2 from b", "*", '"quoted"', "quoted")

        def play(self, state: Position, move: str) -> Position:
            return state

        def outcome(self, state: Position) -> None:
            return None

    assert read_answer(Signs(), Position(0), text) == move


@given(st.text(), st.sampled_from(["dual-digits", NOUGHTS]))
def test_any_answer_is_a_legal_move_or_an_error_of_its_own(text: str, name: str) -> None:
    game = zerosum.game(name)
    state = game.initial()
    for answer in (text, f"MOVE: {text}"):
        with suppress(UnreadableMove, IllegalMove):
            assert read_answer(game, state, answer) in game.moves(state)


@pytest.mark.parametrize("name", [*BOOKS, STICK])
def test_rules_for_a_page_have_neither_flags_nor_keys(name: str) -> None:
    game = zerosum.game(name)
    typed, page = rulebook_of(game), rulebook_of(game, typed=False)
    assert "`--start`" in typed
    assert not re.search(r"--\w|`\d`|\{typed|[Yy]ou type", page)
    for option in zerosum.options_of(game):
        assert f"- {option.name.replace('_', ' ').capitalize()}: " in page
    assert not re.search(r"\n\n\n|\{", typed + page)


def test_every_game_says_what_can_be_done() -> None:
    """In one line: in its words, in its docstring, or by what its moves do."""
    for name in BOOKS:
        words = words_of(zerosum.game(name))
        assert words.in_a_turn()
        assert words.aim() == f"{words.goal()} {words.in_a_turn()}"
    assert words_of(zerosum.game("even-steven", subtract_two=True)).in_a_turn() == (
        "Subtract 1 or 2, or halve an even number."
    )
    stick = words_of(zerosum.game(STICK))
    assert stick.aim() == "Take one, two or three sticks; whoever takes the last one loses."
