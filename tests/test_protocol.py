"""Moves as they are typed, or passed by programs; and why one is refused."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import EXAMPLES
from tests.games import Letters, broken
from zerosum.errors import GameError, IllegalMove, UnreadableMove
from zerosum.match import Match
from zerosum.protocol import read_move, refusal

CROSSES = zerosum.game(str(EXAMPLES / "noughts_and_crosses.py"))
NIM = zerosum.game(str(EXAMPLES / "nim_with_a_pass.py"))
STEVEN = zerosum.game("even-steven")


@pytest.mark.parametrize(
    ("game", "typed", "move"),
    [
        (STEVEN, " 1 ", 1),
        (STEVEN, "+1", 1),
        (STEVEN, "٢", 2),
        (STEVEN, "-7", -7),
        (CROSSES, "b2", "b2"),
        (CROSSES, " B2 ", "b2"),
        (CROSSES, "d9", "d9"),  # not legal, but the rules can say why
        (CROSSES, "5", 5),
        (NIM, "PASS", "pass"),
    ],
)
def test_a_typed_move_is_read(game: Any, typed: str, move: Any) -> None:
    assert read_move(game, game.initial(), typed) == move


@pytest.mark.parametrize(
    ("game", "typed", "message"),
    [
        (STEVEN, "one", "'one' is not a whole number."),
        (STEVEN, "1.0", "'1.0' is not a whole number."),
        (STEVEN, "", "'' is not a whole number."),
        (CROSSES, "", "'' is not a move."),
        (CROSSES, "x" * 21, "'xxxxxxxxxxxxxxxxxxxxx' is not a move."),
        (CROSSES, "b\x1b2", "'b�2' is not a move."),
    ],
)
def test_text_that_cannot_be_a_move_is_unreadable(game: Any, typed: str, message: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        read_move(game, game.initial(), typed)
    assert str(caught.value) == message


@given(
    st.sampled_from(("2-from-B", "left_up", "e2.e4")),
    st.lists(st.sampled_from("-_ ./"), min_size=9, max_size=9),
    st.booleans(),
)
def test_a_move_with_other_separators_is_suggested(move: str, between: list[str], up: bool) -> None:
    game: Any = broken(Letters, names=("2-from-B", "left_up", "e2.e4"))
    parts = re.split(r"\W|_", move)
    typed = "".join(f"{part}{sign}" for part, sign in zip(parts, between, strict=False)).strip()
    typed = typed.upper() if up else typed
    read = read_move(game, game.initial(), typed)
    why = refusal(game, game.initial(), read)
    assert (
        read == move if why is None else why.endswith(f" is not a legal move. Did you mean {move}?")
    )


def test_other_letters_are_not_suggested() -> None:
    why = refusal(NIM, NIM.initial(), "p a s t")
    assert why
    assert "Did you mean" not in why


@given(st.text(max_size=30))
def test_any_typed_text_is_read_or_refused_with_a_sentence(typed: str) -> None:
    for game in (STEVEN, CROSSES, NIM):
        try:
            move = read_move(game, game.initial(), typed)
        except UnreadableMove:
            continue
        why = refusal(game, game.initial(), move)
        assert (why is None) == (move in game.moves(game.initial()))
        assert why is None or why.endswith(".")


@pytest.mark.parametrize(
    ("game", "move", "reason", "legal"),
    [
        (STEVEN, 2, "Only an even number can be divided by 2.", "Legal now: 1."),
        (STEVEN, "1", "'1' is not a legal move.", "Legal now: 1."),
        (CROSSES, "d9", "Name a free cell, such as b2.", "Legal now: a1, b1, c1, a2, b2"),
    ],
)
def test_an_illegal_move_names_the_rule_and_what_is_legal(
    game: Any, move: Any, reason: str, legal: str
) -> None:
    with pytest.raises(IllegalMove) as caught:
        Match.new(game).play(move)
    assert caught.value.reason == reason
    assert str(caught.value).startswith(f"{reason} {legal}")


def test_a_listed_move_that_is_refused_is_a_fault_of_the_method_that_differs() -> None:
    fickle = iter([(1,), (1, 2), (1, 2)])
    for game, fault in (
        (broken(is_legal=lambda *_: False), "is_legal refuses 2, which is in moves, at Pile"),
        (broken(moves=lambda *_: next(fickle)), "returns something else when called again"),
        (broken(moves=lambda *_: iter((1,))), "must return a tuple, not tuple_iterator"),
    ):
        with pytest.raises(GameError, match=fault):
            refusal(game, game.initial(), 2)


def test_objection_is_called_only_for_unfinished_games() -> None:
    state = STEVEN.initial()._replace(number=0)
    assert refusal(STEVEN, state, 2) == "2 is not a legal move."
