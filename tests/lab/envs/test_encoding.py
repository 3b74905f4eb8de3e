"""The number of every move and the vector of every state, for games of any shape."""

import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import CONNECT_FOUR, DOTS, NOUGHTS
from tests.games import Heaps, Lights, Nim, Palindromes, Pile, Stack, Sticks, Word, after
from tests.graphs import graphs
from tests.lab.envs.games import LIMIT, USER_GAMES
from zerosum.bulk import Table
from zerosum.envs import Encoding
from zerosum.errors import GameError, NotEncoded, ZerosumError
from zerosum.lab.envs.layout import Column, Layout
from zerosum.protocol import Game
from zerosum.states import map_leaves, walk

IN_A_PROCESS = """
from tests.games import Claims, Palindromes
from zerosum.bulk import Table
from zerosum.envs import Encoding
print(*(Encoding.of(game, limit=200) for game in (Claims(), Palindromes())))
"""


def _rounded(name: str, leaf: Any) -> Any:
    return float(leaf) if isinstance(leaf, int) else leaf


@given(graphs(), st.booleans())
def test_vectors_tell_states_apart_and_masks_are_the_legal_moves(
    game: Game[Any], one_hot: bool
) -> None:
    encoding = Encoding.of(game, one_hot=one_hot)
    assert encoding.complete
    assert (encoding.layout.low < encoding.layout.high).all()
    vectors: dict[bytes, Any] = {}
    for state in walk(game):
        vector = encoding.vector(state)
        assert ((encoding.layout.low <= vector) & (vector <= encoding.layout.high)).all()
        assert vector.any()
        rounded = map_leaves(_rounded, state)
        assert vectors.setdefault(vector.tobytes(), rounded) == rounded
        legal = [encoding.actions[number] for number in np.flatnonzero(encoding.mask(state))]
        assert set(legal) == set(game.moves(state))


def test_columns_describe_the_vector() -> None:
    nim = Encoding.of(Nim(heaps=(1, 2), shrink=True), one_hot=False)
    assert nim.names == ("len(heaps)", "heaps[0]", "heaps[1]", "player")
    assert nim.actions == (1, 2, 101, 102)
    stack = Encoding.of(Stack(blanks=True), one_hot=False)
    assert stack.names[:3] == ("len(cards)", "cards[0]", "kind(cards[0])")
    assert stack.columns[2].meaning == ("nothing", "number", "None")
    assert stack.columns[-2].meaning == ("nothing", "None", "'card'", "'stop'")
    assert stack.columns[-1] == ("player", 1, 2, ("nothing", "seat 0", "seat 1"))
    state = Stack(blanks=True).play(Stack(blanks=True).initial(), "two")
    assert stack.vector(state).tolist() == [1, 2, 1, 0, 0, 0, 0, 2, 2]
    game = Palindromes()
    encoding = Encoding.of(game, limit=500, one_hot=False)
    assert encoding.names[:3] == ("len(word)", "word[0]", "word[1]")
    spelled = game.play(game.play(game.initial(), "c"), "a")
    assert encoding.vector(spelled)[:4].tolist() == [2, 3, 1, 0]
    assert Encoding.of(Lights()).layout.dtype == np.float32
    huge = zerosum.game("even-steven", start=10**400)
    encoding = Encoding.of(huge, one_hot=False)
    assert not encoding.complete
    assert encoding.vector(huge.initial()).tolist() == [encoding.layout.high[0], 1]


def test_every_value_of_a_small_number_has_a_place() -> None:
    game = zerosum.game("dual-digits", start=9)
    encoding = Encoding.of(game)
    assert encoding.layout.shape == (10 + 5 + 2,)
    marked = np.flatnonzero(encoding.vector(after(game, 2)))
    names = [encoding.names[place] for place in marked]
    assert names == ["number=7", "previous=2", "player=seat 1"]
    assert encoding.vector(after(game, 2)).sum() == 3
    letters = Encoding.of(Lights())
    assert letters.names[:2] == ("light=''", "light='amber'")


@pytest.mark.parametrize("start", [4_000, 5_000, 50_000, 10**40])
def test_large_numbers_stay_numbers(start: int) -> None:
    game = zerosum.game("even-steven", start=start)
    encoding = Encoding.of(game, limit=200_000)
    (size,) = encoding.layout.shape
    assert size == (start + 1 + 2 if start == 4_000 else 3)
    vector = encoding.vector(game.initial())
    assert vector[:-2].max() == (1 if start == 4_000 else start)
    assert vector[-2:].tolist() == [1, 0]


def test_wide_columns_stay_numbers_where_all_together_have_too_many_values() -> None:
    flags, wide = [Column("flag", 0, 1)] * 40, [Column("wide", 0, 99)]
    assert Layout([*flags, *wide * 40], one_hot=True, grid=None).shape == (80 + 4_000,)
    assert Layout([*flags, *wide * 41], one_hot=True, grid=None).shape == (80 + 41,)


def test_board_has_a_plane_for_each_sign_and_for_what_it_lacks() -> None:
    game = zerosum.game(NOUGHTS)
    encoding = Encoding.of(game, planes=True)
    planes = encoding.vector(after(game, "a1", "b2", "c1"))
    assert encoding.names == (
        "board=''",
        "board='O'",
        "board='X'",
        "player=seat 0",
        "player=seat 1",
    )
    assert planes[1:3].tolist() == [
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        [[1, 0, 1], [0, 0, 0], [0, 0, 0]],
    ]
    assert (planes[:3].sum(axis=0) == 1).all()
    assert (planes[3].any(), planes[4].all()) == (False, True)
    boxes = Encoding.of(zerosum.game(DOTS, width=1, height=2), planes=True)
    assert boxes.grid
    assert boxes.grid.beside == ("first_boxes", "second_boxes")
    assert boxes.names[-5:-2] == ("second_boxes=0", "second_boxes=1", "second_boxes=2")


def test_large_game_with_a_board_is_seen_as_planes() -> None:
    game = zerosum.game(CONNECT_FOUR)
    encoding = Encoding.of(game, limit=LIMIT)
    assert encoding.layout.shape == (5, 6, 7)
    assert encoding.vector(after(game, 1))[:, 5, 0].tolist() == [0, 0, 1, 0, 1]
    assert Encoding.of(game, limit=LIMIT, planes=False).layout.shape == (4,)
    with pytest.raises(ZerosumError, match="does not draw a board of one size"):
        Encoding.of(Sticks(), planes=True)


def test_encodings_are_the_same_in_every_process() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    here = (Encoding.of(game, limit=200) for game in (USER_GAMES[2], Palindromes()))
    assert printed.stdout == " ".join(map(str, here)) + "\n"


def test_encodings_can_be_pickled_and_are_keys() -> None:
    game = zerosum.game(NOUGHTS)
    encoding = Encoding.of(game)
    copy = pickle.loads(pickle.dumps(encoding))
    assert {copy: 1} == {encoding: 1}
    assert np.array_equal(copy.vector(game.initial()), encoding.vector(game.initial()))


def test_actions_may_be_named() -> None:
    game = zerosum.game("dual-digits")
    encoding = Encoding.of(game, actions=(4, 3, 2, 1))
    assert encoding.number_of(4) == 0
    few = Encoding.of(game, actions=[1, 2])
    with pytest.raises(NotEncoded, match=r"The move 3 has no number.*Encoding.of\(game, actions="):
        few.mask(game.initial())
    with pytest.raises(ZerosumError, match="name every move once"):
        Encoding.of(game, actions=[1, 1])


@pytest.mark.parametrize(
    ("game", "state"),
    [
        *((Sticks(), Pile(number, 0)) for number in (99, "x", (1,), None, [5])),
        (Nim(), Heaps((3, 4, 2, 1), 0)),
        (Palindromes(), Word("abcdefghi", 0)),
    ],
)
def test_states_that_were_not_foreseen_are_refused(game: Game[Any], state: Any) -> None:
    with pytest.raises(NotEncoded, match=r"has no vector.*Encoding.of\(game, limit="):
        Encoding.of(game, limit=500).vector(state)


def test_moves_after_the_end_are_not_legal() -> None:
    class Careless(Sticks):
        def moves(self, state: Any) -> Any:
            return (1, 2)

        def outcome(self, state: Any) -> Any:
            return None if state.number > 0 else super().outcome(Pile(0, state.player))

    encoding = Encoding.of(Careless(), one_hot=False)
    assert encoding.layout.low.tolist() == [-1, 1]
    assert encoding.mask(Pile(0, 1)).tolist() == [0, 0]


def test_table_has_the_encoding_of_its_game() -> None:
    for game in (zerosum.game("number-navigator"), USER_GAMES[1], Stack(blanks=True)):
        assert Encoding.of(Table(game)) == Encoding.of(game)
        assert Encoding.of(Table(game), limit=2) != Encoding.of(game, limit=2)


def test_name_is_not_a_game() -> None:
    for wrong in ("dual-digits", Sticks):
        with pytest.raises(
            GameError, match=r'Pass a game, such as zerosum.game\("dual-digits"\), not'
        ):
            Encoding.of(wrong)  # type: ignore[arg-type]
