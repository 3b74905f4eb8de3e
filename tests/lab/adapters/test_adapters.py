"""Gymnasium environments as games: their states, players, ends, chance and faults."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from docs.examples.countdown_env import Countdown
from gymnasium import spaces

import zerosum
from tests.game_files import EXAMPLES
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint
from zerosum.states import walk
from zerosum.wording.words import title_of, words_of

COUNTDOWN = str(EXAMPLES / "countdown_env.py")


class Heap(gym.Env[Any, Any]):
    """Take one or two from a heap; whoever takes the last one wins."""

    size = 5

    def __init__(self) -> None:
        self.action_space = spaces.Discrete(3)

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.heap = self.size
        self.current_player = 1
        return self.heap, {}

    def step(self, action: Any) -> Any:
        if action not in self.valid_moves():
            return self.heap, -10, True, False, {}
        self.heap -= action
        self.current_player = 3 - self.current_player
        return self.heap, int(self.heap == 0), self.heap == 0, False, {}

    def valid_moves(self) -> Any:
        return [taken for taken in (1, 2) if taken <= self.heap]

    def render(self) -> Any:
        print("drawing")  # noqa: T201
        return f"heap: {self.heap}"


def names(env: Any) -> tuple[str, ...]:
    fields: tuple[str, ...] = zerosum.from_env(env).initial()._fields
    return fields


def code_of(env: Any, code: str) -> Any:
    """Walk a game that goes on after a notice, and return what was noticed."""
    game = zerosum.from_env(env)
    zerosum.solve(game)
    return game.notices[code]  # type: ignore[attr-defined]


def refused(env: Any, code: str) -> str:
    """Return the error of a game for which there is no value, with its notice."""
    game = zerosum.from_env(env)
    with pytest.raises(zerosum.errors.GameError) as caught:
        zerosum.solve(game)
    assert code in game.notices  # type: ignore[attr-defined]
    return str(caught.value)


# A game like any other


def test_an_environment_in_a_file_is_a_game() -> None:
    game = zerosum.game(COUNTDOWN)
    assert game.initial() == (10, 0, None)
    assert zerosum.check_game(game) == 20
    assert zerosum.solve(game).value(game.initial()) == zerosum.Value("win", 5)
    assert title_of(game) == "Countdown"
    assert words_of(game).goal() == "Subtract 1, 2 or 3 from the number; whoever reaches 0 wins."


def test_a_value_is_that_of_the_same_game_written_as_rules() -> None:
    for size in range(1, 8):
        game = zerosum.from_env(type("Sized", (Heap,), {"size": size}))
        value = zerosum.solve(game).value(game.initial())
        assert value.result == ("loss" if size % 3 == 0 else "win")


@pytest.mark.parametrize("env", [Heap, Heap(), lambda: Heap()], ids=["class", "object", "function"])
def test_class_object_and_function_make_the_same_game(env: Any) -> None:
    game = zerosum.from_env(env)
    assert [tuple(state) for state in walk(game)] == [
        tuple(state) for state in walk(zerosum.from_env(Heap))
    ]
    assert zerosum.check_game(game) == 10
    assert zerosum.from_env(Heap) == zerosum.from_env(Heap) != zerosum.from_env(Countdown)


def test_the_environment_passed_is_not_touched() -> None:
    env = Heap()
    env.reset()
    game = zerosum.from_env(env)
    game.play(game.initial(), 2)
    assert env.heap == 5


def test_a_file_has_an_entry_and_a_fingerprint_and_matches_can_be_read_again() -> None:
    game = zerosum.game(COUNTDOWN)
    assert entry_of(game) == ("countdown", type(game), COUNTDOWN)
    assert len(fingerprint(game)) == 64
    match = zerosum.Match.new(game).play(1).play(0)
    assert zerosum.Match.from_json(match.to_json(), type(game)) == match


def test_a_nameless_class_is_named_after_its_file(tmp_path: Path) -> None:
    file = tmp_path / "env_307.py"
    file.write_text(Path(COUNTDOWN).read_text().replace("class Countdown", "class CustomEnv"))
    game = zerosum.game(str(file))
    assert (entry_of(game).name, title_of(game)) == ("env-307", "Env 307")


def test_the_picture_is_what_render_returns_or_prints(capsys: pytest.CaptureFixture[str]) -> None:
    game = zerosum.from_env(Heap)
    words = words_of(game)
    shown = words.turn(game.initial(), ("Ada", "Bob"))
    assert shown == "Ada's turn.\nheap: 5\nMoves: 1, 2"
    assert words.label(game.initial(), 2) == "2"
    assert capsys.readouterr().out == ""

    class Printed(Heap):
        def render(self) -> Any:
            print("a heap of", self.heap)  # noqa: T201

    class Broken(Heap):
        def render(self) -> Any:
            raise ValueError

    for env, shown in ((Printed, "a heap of 5"), (Broken, "Heap: 5")):
        game = zerosum.from_env(env)
        assert shown in words_of(game).turn(game.initial(), ("Ada", "Bob"))


# Whose turn it is


def test_without_a_player_turns_alternate() -> None:
    class Plain(Heap):
        def step(self, action: Any) -> Any:
            self.heap -= action
            return self.heap, int(self.heap == 0), self.heap == 0, False, {}

    game = zerosum.from_env(Plain)
    assert game.play(game.initial(), 1).player == 1
    assert zerosum.solve(game).value(game.initial()).result == "win"


def test_the_same_player_again_is_noticed() -> None:
    class Again(Heap):
        def step(self, action: Any) -> Any:
            answer = super().step(action)
            if action == 2:
                self.current_player = 3 - self.current_player
            return answer

    notice = code_of(Again, "same-player-again")
    assert notice.move == 2
    game = zerosum.from_env(Again)
    assert game.play(notice.state, 2).player == notice.state.player


# Ends, and what is odd


def stepping(answer: Callable[[Heap], Any]) -> type[Heap]:
    """Make an environment whose step takes from the heap and answers in its own way."""

    class Stepping(Heap):
        def step(self, action: Any) -> Any:
            self.heap -= action
            self.current_player = 3 - self.current_player
            return answer(self)

    return Stepping


@pytest.mark.parametrize(
    ("reward", "winner"), [(1, 0), (-1, 1), (0, None), (np.float32(2), 0), (-10, 1)]
)
def test_the_reward_says_who_won(reward: Any, winner: int | None) -> None:
    env = stepping(lambda self: (None, reward, True, False, {}))
    game = zerosum.from_env(env)
    outcome = game.outcome(game.play(game.initial(), 1))
    assert outcome is not None
    assert outcome.winner == winner


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("legal-move-refused", lambda self: (None, -10, True, False, {})),
        ("reward-without-end", lambda self: (None, 1, self.heap == 0, False, {})),
        ("bad-reward", lambda self: (None, 0 if self.heap == 0 else "x", self.heap == 0, False, 0)),
        ("old-step", lambda self: (None, 1, self.heap == 0, {})),
    ],
)
def test_what_is_odd_is_noticed(code: str, answer: Any) -> None:
    notice = code_of(stepping(answer), code)
    assert notice.message.endswith(".")
    assert notice.move in (1, 2)


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("bad-reward", lambda self: (None, float("nan"), True, False, {})),
        ("bad-step", lambda self: None),
        ("bad-step", lambda self: (None, 0, "no", False, {})),
        ("bad-step", lambda self: (None, 0, np.zeros(2), False, {})),
        ("crash", lambda self: 1 // 0),
        ("crash", lambda self: exit()),
    ],
)
def test_what_has_no_sure_value_is_refused(code: str, answer: Any) -> None:
    refused(stepping(answer), code)


@pytest.mark.parametrize(
    ("code", "moves"),
    [
        ("unsorted-moves", [2, 1]),
        ("duplicate-moves", [1, 1]),
        ("out-of-range-move", [1, 7]),
        ("stuck", []),
    ],
)
def test_odd_lists_of_moves_are_noticed(code: str, moves: list[int]) -> None:
    class Odd(Heap):
        def step(self, action: Any) -> Any:
            self.heap = max(0, self.heap - action)
            self.current_player = 3 - self.current_player
            return None, 1, self.heap == 0, False, {}

        def valid_moves(self) -> Any:
            return moves if self.heap < 5 else [2]

    notice = code_of(Odd, code)
    assert notice.state.heap < 5
    assert zerosum.check_game(zerosum.from_env(Odd))


@pytest.mark.parametrize("moves", [[1.5], [(0, 1)], None, [True], 3])
def test_moves_that_are_not_integers_are_refused(moves: Any) -> None:
    class Odd(Heap):
        def valid_moves(self) -> Any:
            return moves

    refused(Odd, "bad-moves")


def test_unlisted_moves_are_tried_in_many_positions() -> None:
    class Careless(Heap):
        size = 30

        def step(self, action: Any) -> Any:
            if self.heap == 7 and action == 0:
                self.heap -= 1
                return None, 0, False, False, {}
            return super().step(action)

    notice = code_of(Careless, "illegal-move-accepted")
    assert (notice.state.heap, notice.move) == (7, 0)
    assert re.search(r"accepts it \([1-9]\d* of the [1-9]\d+ unlisted moves", notice.message)


@pytest.mark.parametrize("space", [spaces.MultiDiscrete([3, 3]), spaces.MultiBinary(3), None])
def test_only_a_range_of_actions_is_probed(space: Any) -> None:
    class Odd(Heap):
        def __init__(self) -> None:
            self.action_space = space

    game: Any = zerosum.from_env(Odd)
    assert zerosum.audit_game(game).verdict.winner == "first"


def test_a_turn_that_never_changes_is_noticed() -> None:
    class Forgetful(Heap):
        def step(self, action: Any) -> Any:
            before = self.current_player
            answer = super().step(action)
            self.current_player = before
            return answer

    assert "current_player" in code_of(Forgetful, "turn-never-changes").message
    game: Any = zerosum.from_env(Heap)
    zerosum.solve(game)
    assert "turn-never-changes" not in game.notices


def test_an_environment_of_many_cells_is_played_and_explained() -> None:
    class Wide(Heap):
        def reset(self, **options: Any) -> Any:
            self.cells = [100] * 400
            return super().reset(**options)

        def step(self, action: Any) -> Any:
            left, answer = self.heap, super().step(action)
            self.cells[left] += action
            return answer

        def valid_moves(self) -> Any:
            return super().valid_moves() if self.cells[self.heap] == 100 else []

    game = zerosum.from_env(Wide)
    words, state = words_of(game), game.initial()
    assert "100, 100" in str(words.fields(state))
    assert words.position(state, ("Ada", "Bob"))
    zerosum.check_game(game)
    audit = zerosum.audit_game(game)
    assert (audit.verdict.broken, audit.verdict.winner) == (False, "first")


# Files


def write(tmp_path: Path, text: str) -> str:
    file = tmp_path / "env.py"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import gym", "import gymnasium as gym"),
        ("import gymnasium\nclass Lonely(gymnasium.Env): pass", "Lonely has no method valid_moves"),
    ],
)
def test_a_file_that_cannot_be_played_is_explained(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(zerosum.errors.GameError, match=message):
        zerosum.game(write(tmp_path, text))


def test_a_missing_library_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gymnasium", None)
    with pytest.raises(zerosum.errors.MissingExtra, match=r"pip install -e .*\[rl\]"):
        zerosum.game(write(tmp_path, "import gymnasium"))


def test_what_a_file_prints_is_discarded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zerosum.game(write(tmp_path, f"{Path(COUNTDOWN).read_text()}\nprint('hello')\n"))
    assert capsys.readouterr().out == ""


def test_an_environment_that_cannot_start_is_explained() -> None:
    class Broken(Heap):
        def reset(self, **options: Any) -> Any:
            raise KeyError("deck")

    with pytest.raises(zerosum.errors.GameError, match="cannot be started"):
        zerosum.from_env(Broken).initial()
    with pytest.raises(zerosum.errors.GameError, match="is not an environment"):
        zerosum.from_env(3)
