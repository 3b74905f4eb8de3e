"""Levels that play positions whose value is not known, by looking ahead and by random games."""

import subprocess
import sys
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.game_files import CONNECT_FOUR
from tests.games import SQUARE, Claims, Pile, Square, after, broken
from tests.graphs import Graph, graph, graphs
from zerosum.errors import GameError, MatchError
from zerosum.limits import LEVELS_KNOW, MOVE_SECONDS, Limits
from zerosum.players import searching
from zerosum.players.autoplay import Tournament
from zerosum.players.levels import LEVELS, LevelBot, prepare
from zerosum.players.searching import EFFORTS, Effort, MonteCarlo, favourite, searched
from zerosum.protocol import Game, Move
from zerosum.solver.solution import Solution

FEW = Effort(150, 1_000)


@pytest.fixture(autouse=True)
def no_guard(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Let nothing depend on how busy this machine is, except where the time is a test's own."""
    if "slow" not in request.node.name:
        monkeypatch.setattr(searching, "MOVE_SECONDS", 3600.0)


def chosen(game: Game[Any], level: str, state: Any, seed: int = 1) -> Move:
    return favourite(searched(game, level, state, Random(seed)))[0]


@pytest.mark.parametrize("level", EFFORTS)
def test_every_level_above_random_takes_a_win_in_one(level: str) -> None:
    state = after(Claims(), "b3", "a1", "c3", "e5")
    assert {chosen(Claims(), level, state, seed) for seed in range(8)} <= {"a3", "d3"}


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_levels_that_look_two_moves_ahead_stop_a_win_in_one(level: str) -> None:
    state = after(Claims(), "a3", "a1", "b3")
    assert chosen(Claims(), level, state) == "c3"


def test_hard_finds_a_win_in_three() -> None:
    # With b3 or d3, two cells of the row win, and only one of them can be stopped.
    state = after(Claims(), "c3", "a1")
    root = searched(Claims(), "hard", state, Random(1))
    assert favourite(root)[0] in ("b3", "d3")
    assert root.expected(state.player) == 1.0


@given(graphs(), st.integers(0, 3))
def test_moves_are_legal_and_no_proved_win_is_false(game: Graph, seed: int) -> None:
    state = game.initial()
    solution = zerosum.solve(game)
    for _ in range(6):
        if game.outcome(state) is not None:
            break
        root = MonteCarlo(game, FEW, Random(seed)).search(state)
        move, after = favourite(root)
        assert move in game.moves(state)
        assert len(root.branches) == len(game.moves(state))
        if root.proved is not None:
            exact = {"win": 1.0, "draw": 0.5, "loss": 0.0}[solution.value(state).result]
            assert root.expected(state.player) == exact
            # A move that is proved to keep the result is chosen.
            assert after.expected(state.player) == exact
        state = game.play(state, move)


def test_choices_do_not_depend_on_the_process() -> None:
    code = (
        "from random import Random\n"
        "from tests.games import Claims\n"
        "from zerosum.players.searching import favourite, searched\n"
        "game = Claims(); state = game.initial()\n"
        "print([favourite(searched(game, level, state, Random('7 1 0 0')))[0]"
        " for level in ('easy', 'easy', 'medium')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "1"},
    )
    game = Claims()
    here = [
        favourite(searched(game, level, game.initial(), Random("7 1 0 0")))[0]
        for level in ("easy", "easy", "medium")
    ]
    assert done.stdout == f"{here}\n"


def test_moves_of_a_budget_are_counted() -> None:
    counted = 0

    class Counted(Claims):
        def play(self, state: Square, move: str) -> Square:
            nonlocal counted
            counted += 1
            return super().play(state, move)

    for level in ("easy", "medium"):
        counted, effort = 0, EFFORTS[level]
        searched(Counted(), level, Claims().initial(), Random(1))
        # All moves are looked at first, and at the end, perhaps, the replies to some of them.
        most = len(SQUARE) + effort.moves * (1 if level == "easy" else 2)
        assert effort.moves * 0.8 < counted <= most


@dataclass
class Time:
    """A clock that rules move."""

    now: float = 0.0


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The time of levels and searches, which begins now."""
    clock = Time()
    for module in ("players.levels", "players.searching", "solver.table", "solver.size", "limits"):
        monkeypatch.setattr(f"zerosum.{module}.monotonic", lambda: clock.now)
    return clock


def slow(time: Time, seconds: float) -> Game[Any]:
    """Claims, with moves that take a while to play."""

    class Slow(Claims):
        def play(self, state: Square, move: str) -> Square:
            time.now += seconds
            return super().play(state, move)

    return Slow()


@pytest.mark.parametrize(("seconds", "most"), [(1.0, 3.0), (0.01, 1.9)])
def test_slow_rules_end_a_search_with_what_it_has_seen(
    seconds: float, most: float, time: Time
) -> None:
    state = after(Claims(), "c3", "a1")
    search = MonteCarlo(slow(time, seconds), EFFORTS["hard"], Random(1))
    root = search.search(state)
    assert favourite(root)[0] in Claims().moves(state)
    assert len(root.branches) == 23
    assert MOVE_SECONDS < time.now <= most


def test_slow_rules_never_make_a_level_choose_a_move_that_it_saw_lose(time: Time) -> None:
    # Only the last of four moves does not lose at once; two can be looked at in time.
    game: Any = graph(
        (0, 1, 1, 1, 1, 0), ((1, 2, 3, 4), (), (), (), (5,), ()), (None, 1, 1, 1, None, 0)
    )

    class Slow(type(game)):  # type: ignore[misc]
        def play(self, state: Any, move: Move) -> Any:
            time.now += 1.0
            return super().play(state, move)

    for seed in range(6):
        search: MonteCarlo[Any] = MonteCarlo(Slow(), EFFORTS["easy"], Random(seed))
        root = search.search(game.initial())
        lost = {move for move, after in root.branches if after.proved == 0.0}
        assert len(lost) >= 1
        assert favourite(root)[0] not in lost


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"play": lambda self, state, move: 1 // 0}, "ZeroDivisionError"),
        ({"moves": lambda self, state: (1,) if state.number == 5 else ()}, "there are no moves"),
        (
            {"outcome": lambda self, state: None if state.number else zerosum.Outcome(7, "odd")},
            "is",
        ),
    ],
)
def test_failing_rules_are_named(methods: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        searched(broken(**methods), "easy", Pile(5, 0), Random(1))


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_moves_after_the_end_where_rules_still_list_moves(level: str) -> None:
    game = broken(moves=lambda self, state: (1,))
    for limit in (2, 100):
        with pytest.raises(MatchError, match="over"):
            LevelBot(level, game, Random(1), Solution(game, Limits(limit))).move(Pile(0, 0))


@pytest.mark.parametrize("seconds", [0.0005, 0.02, 0.1])
def test_slow_rules_are_answered_in_time_table_and_search_together(
    seconds: float, time: Time
) -> None:
    bot, state = LevelBot("hard", slow(time, seconds), Random(1)), after(Claims(), "c3", "a1")
    prepare(bot.solution, "hard", Claims().initial())
    assert LEVELS_KNOW.seconds is not None
    assert time.now <= LEVELS_KNOW.seconds + seconds
    time.now = 0.0
    assert bot.move(state) in Claims().moves(state)
    assert LEVELS_KNOW.seconds < time.now <= MOVE_SECONDS + 2 * seconds


def test_moves_that_are_not_listed_do_no_harm() -> None:
    game = zerosum.game("divisor-duel", start=3 * (10**600 + 1))
    assert not game.lists_all(game.initial())
    root = MonteCarlo(game, Effort(10, 1), Random(1)).search(game.initial())
    assert favourite(root)[0] in game.moves(game.initial())


def test_levels_are_exact_as_soon_as_the_rest_is_known() -> None:
    game = zerosum.game(CONNECT_FOUR, width=4, height=4)
    solution = Solution(game, Limits(100))
    state = after(game, 1, 2, 3, 4, 1, 2, 3, 4, 2, 1, 4, 3, 2)
    assert solution.how(state) == "onward"
    assert LevelBot("perfect", game, Random(1), solution).move(state) in solution.best(state)
    drawn = [LevelBot("hard", game, Random(seed), solution).move(state) for seed in range(20)]
    assert sum(move in solution.best(state) for move in drawn) >= 15


def test_a_bot_finds_out_by_itself_that_a_game_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("zerosum.players.levels.LEVELS_KNOW", Limits(1_000, 1.0))
    game = zerosum.game(CONNECT_FOUR)
    bot = zerosum.LevelBot("easy", game, Random(1))
    match = zerosum.autoplay(zerosum.Match.new(game), (bot, bot))
    assert match.over
    assert "1,000 positions" in bot.solution.reason


@pytest.mark.parametrize(
    ("game", "games"), [(Claims(), 3), (zerosum.game("digit-battle"), 6)], ids=["square", "loops"]
)
def test_every_level_is_stronger_than_the_one_before(game: Game[Any], games: int) -> None:
    solution = Solution(game, Limits(100))
    tournament = Tournament(solution, ("random", "easy", "medium"))
    assert len(list(tournament.play(games))) == tournament.total(games)
    for weaker, stronger in combinations(tournament.levels, 2):
        estimate: Any = tournament.estimate(stronger, weaker)
        assert estimate.score > 0.6, (weaker, stronger)
