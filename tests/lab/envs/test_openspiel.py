"""Games in OpenSpiel: its own checks and players, and the plain rules beside it, step by step."""

import pickle
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import NOUGHTS, PASS
from tests.games import Claims, Letters, Lights, Nim, Sides, Stack, Sticks
from tests.graphs import graphs
from tests.lab.envs.games import BUILT_IN, LIMIT, USER_GAMES
from tests.naive import RANK
from zerosum.bulk import Table, exploitability
from zerosum.envs import Encoding, openspiel_game
from zerosum.errors import GameError, OptionError, ZerosumError
from zerosum.options import option
from zerosum.players.level_policies import level_policy
from zerosum.protocol import Game
from zerosum.states import walk

pyspiel = pytest.importorskip("pyspiel", reason="pyspiel is not installed: pip install '.[rl]'")

GAMES: list[Game[Any]] = [*BUILT_IN, *USER_GAMES]
ACYCLIC: list[Game[Any]] = [
    zerosum.game("even-steven", start=8),
    zerosum.game("divisor-duel", start=12),
    zerosum.game("dual-digits", start=8),
    zerosum.game(PASS, heaps=(1, 2)),
    Stack(blanks=True),
]
SMALL: list[Game[Any]] = [
    *ACYCLIC,
    zerosum.game("number-navigator", start=4),
    zerosum.game("digit-battle", target=11, limit=12, lives=1),
    zerosum.game(NOUGHTS),
    Lights(),
]


def names(games: list[Game[Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=lambda game: type(game).__name__)


@names(GAMES)
def test_random_simulations_of_openspiel_pass(game: Game[Any]) -> None:
    loaded = openspiel_game(game, encoding=Encoding.of(game, limit=LIMIT))
    # Saved games are loaded by their names, and Claims is slow to encode.
    saved = not isinstance(game, Claims)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=saved, verbose=False)


@given(graphs(), st.data())
def test_state_and_rules_agree_step_by_step(game: Game[Any], data: st.DataObject) -> None:
    loaded = openspiel_game(game, max_plies=6)
    encoding, position, state = loaded.encoding, game.initial(), loaded.new_initial_state()
    for plies in count():
        assert state.position == position
        outcome, cut = game.outcome(position), plies == 6
        moves = () if cut else game.moves(position)
        assert state.is_terminal() == (not moves)
        assert state.current_player() == (position.player if moves else pyspiel.PlayerId.TERMINAL)
        assert state.legal_actions() == sorted(map(encoding.number_of, moves))
        assert {state.action_to_string(a) for a in state.legal_actions()} == set(map(str, moves))
        winner = outcome.winner if outcome else None
        assert state.returns() == [(winner == seat) - (winner == 1 - seat) for seat in (0, 1)]
        vector = encoding.vector(position).astype(np.float32)
        for seat in (0, 1):
            assert state.observation_tensor(seat) == state.information_state_tensor(seat)
            assert np.array_equal(state.observation_tensor(seat), vector)
            assert state.information_state_string(seat) == state.history_str()
            assert state.observation_string(seat) == str(state)
        if not moves:
            break
        action = data.draw(st.sampled_from(state.legal_actions()))
        position = game.play(position, encoding.actions[action])
        clone, before = state.clone(), str(state)
        clone.apply_action(action)
        assert str(state) == before
        state.apply_action(action)
        saved = loaded.deserialize_state(state.serialize())
        for other in (clone, saved, state.resample_from_infostate(0, float)):
            assert (str(other), other.history()) == (str(state), state.history())
    assert plies <= loaded.max_game_length()


@names(SMALL)
def test_minimax_finds_the_exact_values(game: Game[Any]) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    solution = zerosum.solve(game)
    # A win or a loss takes no longer than its plies; sooner, nobody wins what is drawn either.
    loaded = openspiel_game(game, max_plies=5)
    for position in walk(game, limit=12):
        value = solution.value(position)
        if game.moves(position) and (value.plies or 0) <= 5:
            state = loaded.new_initial_state(position._asdict())
            assert alpha_beta_search(loaded, state)[0] == RANK[value.result] - 1


@names(ACYCLIC)
def test_exploitability_is_that_of_openspiel(game: Game[Any]) -> None:
    loaded, table = openspiel_game(game), Table(game)
    theirs = pyspiel.exploitability(loaded, pyspiel.UniformRandomPolicy(loaded))
    # Its scores go from -1 to 1, and ours from 0 to 1.
    ours = 2 * exploitability(table, level_policy(table, "random"))
    assert theirs == pytest.approx(ours, abs=1e-9)


def test_games_are_loaded_by_name() -> None:
    for _ in range(2):  # to register a game again changes nothing
        assert str(openspiel_game(Nim(heaps=(3,)))) == "zerosum_nim(heaps=3;)"
    for name in zerosum.games():
        loaded = pyspiel.load_game(f"zerosum_{name.replace('-', '_')}")
        assert loaded.rules == zerosum.game(name)
    loaded = pyspiel.load_game("zerosum_nim(heaps=1;2,shrink=true,max_plies=2)")
    assert loaded.rules == Nim(heaps=(1, 2), shrink=True)
    assert loaded.max_game_length() == 2
    assert openspiel_game(Sides(side="right", name="x")).rules == Sides(side="right", name="x")


def test_class_of_the_same_name_replaces_an_earlier_one() -> None:
    for letters in (("a", "b"), ("c", "d")):
        same = type("Same", (Letters,), {"names": letters})
        assert openspiel_game(same()).encoding.actions == letters


def test_position_is_set_up_by_its_fields() -> None:
    loaded = openspiel_game(zerosum.game(NOUGHTS))
    state = loaded.new_initial_state()
    state.apply_action(4)
    for other in (state.to_dict(), state.to_struct(), state.position._asdict()):
        assert str(loaded.new_initial_state(other)) == str(state)
    for wrong in (
        {},
        *({"marks": marks, "player": 0} for marks in ([""] * 8, ["Z"] * 9, 7, None)),
        {"marks": [""] * 9, "player": 2},
        [1, 0],
    ):
        with pytest.raises(ZerosumError):
            loaded.new_initial_state(wrong)


def test_illegal_action_is_an_error() -> None:
    state = openspiel_game(zerosum.game("even-steven", start=3)).new_initial_state()
    for act in (state.apply_action, state.apply_action_with_legality_check):
        for action in (1, 2):
            with pytest.raises(pyspiel.SpielError):
                act(action)
    with pytest.raises(pyspiel.SpielError, match="Only an even number can be divided by 2"):
        state.apply_action(1)
    assert (state.history(), str(state)) == ([], "State(number=3, player=0)")
    state = openspiel_game(Lights(), max_plies=1).new_initial_state()
    state.apply_action(state.string_to_action("blue"))
    assert str(state) == "Light(light='blue', player=1) (draw: too many moves)"
    with pytest.raises(pyspiel.SpielError, match="The game is over"):
        state.apply_action(0)


def test_observers_have_no_private_information() -> None:
    from open_spiel.python.observation import make_observation

    loaded = openspiel_game(zerosum.game("even-steven", start=6))
    state = loaded.new_initial_state()
    private = pyspiel.IIGObservationType(False, False, pyspiel.PrivateInfoType.ALL_PLAYERS)
    for kind, seen in ((None, "State(number=6, player=0)"), (private, "")):
        observation = make_observation(loaded, kind)
        observation.set_from(state, 0)
        assert observation.string_from(state, 0) == seen
        assert (observation.tensor is None) == (kind is private)


def test_options_are_checked() -> None:
    @dataclass(frozen=True)
    class Clash(Sticks):
        max_plies: int = option(3, "the limit")

    huge, text = zerosum.game("even-steven", start=10**12), Sides(name="a,b")
    for game in (huge, text, Sides(name="12")):
        with pytest.raises(OptionError, match="in OpenSpiel"):
            openspiel_game(game)
    with pytest.raises(GameError, match="rename the option"):
        openspiel_game(Clash())
    for max_plies in (0, 2**31):
        with pytest.raises(OptionError, match="max_plies"):
            openspiel_game(Lights(), max_plies=max_plies)
    for parameters in (
        "even_steven(start=0)",
        "dual_digits(numbers=a;b)",
        "even_steven(max_plies=0)",
    ):
        with pytest.raises(OptionError):
            pyspiel.load_game(f"zerosum_{parameters}")


def test_pickled_state_goes_on_in_another_process() -> None:
    state = openspiel_game(zerosum.game("even-steven", start=9), max_plies=50).new_initial_state()
    state.apply_action(0)
    code = (
        "import pickle, sys; s = pickle.load(sys.stdin.buffer); print(s, s.history(), s.get_game())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=False
    )
    expected = b"State(number=8, player=1) [0] zerosum_even_steven(max_plies=50,start=9)\n"
    assert (done.returncode, done.stderr, done.stdout) == (0, b"", expected)
