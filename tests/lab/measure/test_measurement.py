"""A measurement is what loops and fractions over the plain rules find, for any player and game."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

import zerosum
from tests.game_files import STICK
from tests.games import GAMES_FILE, Hotseat, Sides
from tests.graphs import Graph, graphs
from tests.lab.measure.exactly import NAMES, Exactly
from tests.lab.measure.players import always, any_player
from zerosum.bulk import Table
from zerosum.documents import read, schema, to_json
from zerosum.errors import ZerosumError
from zerosum.lab.measure import Measurement, measure_player
from zerosum.lab.measure.measurement import WorstScore
from zerosum.lab.measure.measurement_report import summary
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import PlayerFault
from zerosum.players.levels import SLIPS
from zerosum.protocol import Game, Move

SCHEMA = jsonschema.Draft202012Validator(schema(Measurement))


def near(exact: Any) -> Any:
    """Compare with a fraction, up to rounding."""
    return pytest.approx(float(exact), abs=1e-12)


@always
def first_move(game: Game[Any], state: Any) -> Move:
    return game.moves(state)[0]


def written(measured: Measurement) -> str:
    """Return a measurement as text, after a check by the schema; it can be read again."""
    text = to_json(measured)
    SCHEMA.validate(json.loads(text))
    assert to_json(read(Measurement, text)) == text
    return text


def check_decisions(measured: Any, exact: Exactly) -> None:
    decisions = exact.decisions
    assert (measured.decisions, measured.asked) == (len(decisions), len(decisions))
    assert measured.positions == len(exact.naive.after)
    if not decisions:
        assert (measured.good, measured.random, measured.regret) == (None, None, None)
        return
    assert measured.good.value == measured.good.low == measured.good.high
    assert measured.good.value == near(exact.good(decisions))
    assert measured.random == near(exact.good(decisions, random=True))
    assert measured.regret.value == near(exact.regret(decisions))
    thrown, by_chance = exact.thrown(decisions), exact.thrown(decisions, random=True)
    assert {part.what for part in measured.thrown} == {
        what for what in NAMES.values() if thrown[what] or by_chance[what]
    }
    for part in measured.thrown:
        assert part.share.value == near(thrown[part.what])
        assert part.random == near(by_chance[part.what])
    assert measured.good.value + sum(p.share.value for p in measured.thrown) == near(1)


def check_groups(measured: Any, exact: Exactly) -> None:
    plies, decisions = exact.distances(), exact.decisions
    parts = [
        *(
            (band, [state for state in decisions if exact.band(state) == 4 * band.above])
            for band in measured.difficulty
        ),
        *(
            (group, [state for state in decisions if group.first <= plies[state] <= group.last])
            for group in measured.plies
        ),
    ]
    for group, states in parts:
        assert group.decisions == group.asked == len(states)
        assert group.good.value == near(exact.good(states))
        assert group.random == near(exact.good(states, random=True))
        for what, share in group.thrown.items():
            assert share == near(exact.thrown(states)[what])
    assert sum(band.decisions for band in measured.difficulty) == measured.decisions
    assert sum(group.decisions for group in measured.plies) == measured.decisions


def check_errors(measured: Measurement, exact: Exactly) -> None:
    errors = {(seat, s): plies for seat in (0, 1) for s, plies in exact.errors(seat).items()}
    assert (measured.errors_in == "own-games") == bool(errors)
    if not errors:
        plies, wrong = exact.distances(), (s for s in exact.decisions if exact.good([s]) < 1)
        errors = {(state.player, state): plies[state] for state in wrong}
        assert measured.errors_in == "elsewhere"
    assert len(measured.errors) == min(12, len(errors))
    lengths = [len(error.line or ()) for error in measured.errors]
    assert lengths == sorted(errors.values())[:12]
    for error in measured.errors:
        state = exact.game.initial()
        for move in error.line or ():
            state = exact.game.play(state, move)
        assert state == error.state
        assert errors[error.seat, state] == len(error.line or ())
        assert error.good == near(exact.good([state]))
        reply = exact.replies[state]
        faulty = isinstance(reply, PlayerFault)
        assert error.fault == (reply.kind if isinstance(reply, PlayerFault) else None)
        plays = {part.move: part.chance for part in error.plays}
        assert plays == ({} if faulty else reply)
        assert error.right == tuple(m for m, (a, b) in exact.loses(state).items() if a == b)
        assert error.result == exact.naive.values[state].result


@given(graphs(), st.integers(0, 2**32), st.sampled_from([0.0, 0.2]))
def test_any_player_of_any_game(game: Graph, seed: int, fault: float) -> None:
    player = any_player(game, seed, fault)
    measured, exact = measure_player(game, player), Exactly(game, player)
    check_decisions(measured, exact)
    check_groups(measured, exact)
    check_errors(measured, exact)
    assert measured.scores is not None
    for score in measured.scores:
        assert astuple(score.first)[:4] == near_all(exact.score(score.level, 0))
        assert astuple(score.second)[:4] == near_all(exact.score(score.level, 1))
    assert len(player.questions) == len(set(player.questions)) == measured.questions
    replies = [player.replies[state] for state in player.questions]
    faults = Counter(reply.kind for reply in replies if isinstance(reply, PlayerFault))
    assert Counter(measured.faults) == faults
    written(measured)


def near_all(exact: tuple[Any, ...]) -> Any:
    return pytest.approx(tuple(map(float, exact)), abs=1e-9)


@pytest.mark.parametrize("name", [*zerosum.games()[:3], f"{GAMES_FILE}:WildRow"])
def test_perfect_play_is_right_everywhere_and_random_play_is_as_random(name: str) -> None:
    table = Table(zerosum.game(name))
    perfect: Any = measure_player(table, "perfect")
    random: Any = measure_player(table, "random")
    assert perfect.good == Figure(1.0, 1.0, 1.0)
    assert perfect.regret == Figure(0.0, 0.0, 0.0)
    assert (perfect.errors, perfect.errors_in) == ((), "elsewhere")
    assert perfect.worst.exploitability == near(0)
    assert random.good.value == random.random == perfect.random
    assert random.scores[0].overall == near(0.5)


@pytest.mark.parametrize("name", ["dual-digits", "even-steven", "number-navigator"])
def test_levels_slip_at_their_rates(name: str) -> None:
    table = Table(zerosum.game(name))
    for level, rate in SLIPS.items():
        measured = measure_player(table, level)
        assert measured.slips is not None
        assert measured.slips.value == measured.slips.low == measured.slips.high == near(rate)


def test_measurement_says_what_it_was_computed_with(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(Path(STICK).read_text())
    hashes = [
        measure_player(zerosum.game(name, **options), "random").hashes
        for name, options in ((STICK, {}), (str(file), {}), (STICK, {"start": 12}))
    ]
    same, copied, larger = hashes
    assert same.table == copied.table
    assert (same.rules == larger.rules, same.table == larger.table) == (True, False)
    file.write_text(file.read_text() + "# changed")
    changed = measure_player(zerosum.game(str(file)), "random")
    assert changed.hashes.rules not in (same.rules, copied.rules)
    assert changed.hashes.table == same.table
    assert changed.versions["zerosum"] == zerosum.__version__
    assert set(changed.versions) == {"zerosum", "python", "numpy"}


def test_policy_can_be_measured() -> None:
    table = Table(zerosum.game("even-steven"))
    counts = table.offsets[1:] - table.offsets[:-1]
    measured = measure_player(table, 1.0 / counts[table.sources])
    assert measured.player == "policy"
    assert measured.good == measure_player(table, "random").good
    with pytest.raises(ZerosumError):
        measure_player(table, 2.0 / counts[table.sources])
    with pytest.raises(ZerosumError, match="A player is a level, a function"):
        measure_player(table, 3)  # type: ignore[arg-type]
    with pytest.raises(ZerosumError, match="one for each edge"):
        measure_player(table, [0.5])  # type: ignore[arg-type]


def test_measurement_without_positions_in_words_is_read() -> None:
    document = json.loads(to_json(measure_player(zerosum.game("even-steven"), "random")))
    for error in document["errors"]:
        del error["position"]  # as in what was written before there were any
    assert {error.position for error in read(Measurement, document).errors} == {""}


def test_equal_faults_are_listed_once() -> None:
    measured = measure_player(zerosum.game("even-steven"), always(lambda game, state: 9))
    (fault,) = measured.listed_faults
    assert (fault.line, fault.times, measured.faults["illegal"]) == ((1,), 8, 8)
    assert measured.worst == WorstScore(0.0, 0.0, 0.0, 0.5)
    assert summary(measured) == f"Every answer was faulty. The first: {fault.message}"
    assert fault.message.startswith("The answer is 9. ")


@pytest.mark.parametrize("game", [Hotseat(), Sides()], ids=repr)
def test_game_without_decisions(game: Game[Any]) -> None:
    measured = measure_player(game, first_move)
    assert (measured.decisions, measured.good, measured.thrown) == (0, None, ())
    assert measured.exact
    assert measured.scores is not None
    assert summary(measured) == "No move in this game can throw away a result."
    written(measured)


def test_wrong_budget_or_seed() -> None:
    with pytest.raises(ZerosumError, match="seed: must be a whole number"):
        measure_player(zerosum.game("even-steven"), first_move, seed=1.5)  # type: ignore[arg-type]
    for budget in (0, -1, 2.5, True):
        with pytest.raises(ZerosumError, match="budget: must be a whole number of at least 1"):
            measure_player(zerosum.game("even-steven"), first_move, budget=budget)  # type: ignore[arg-type]


# Samples


def test_sample_says_what_it_is() -> None:
    table = Table(zerosum.game("dual-digits"))
    exact: Any = measure_player(table, first_move)
    part: Any = measure_player(table, first_move, budget=40, seed=3)
    assert not part.exact
    assert part.questions <= 40
    assert part.asked <= 40 < part.decisions == 103
    assert part.good.low < exact.good.value < part.good.high
    assert part.random == exact.random
    assert (part.scores, part.worst) == (None, None)
    assert (part.left_out, part.errors_in) == ("budget", "asked")
    assert " Estimated from a sample of 40; 95% confidence interval: " in summary(part)
    assert part == measure_player(table, first_move, budget=40, seed=3)
    assert part != measure_player(table, first_move, budget=40, seed=4)
    written(part)


def test_budget_for_all_decisions_is_exact_and_for_the_scores_too() -> None:
    table = Table(zerosum.game("dual-digits"))
    whole = measure_player(table, first_move)
    decided = measure_player(table, first_move, budget=whole.decisions)
    assert decided.exact
    assert decided.good == whole.good
    assert decided.scores is None
    enough = measure_player(table, first_move, budget=whole.questions)
    assert enough.scores == whole.scores
    assert enough.errors == whole.errors
