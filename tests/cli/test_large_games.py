"""Games that are too large for a table, at the table and for `solve` and `review`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import document, helpful, run
from tests.game_files import COUNTDOWN, NOUGHTS
from zerosum.cli.playing import analysis
from zerosum.limits import Limits
from zerosum.players import levels
from zerosum.solver.search import Search

UNKNOWN = "Too many positions follow to know who is winning."
PLAY = ("play", NOUGHTS, "--seed", "1")
SMALL = (NOUGHTS, "--positions", "100")
REVIEW = ("--game", NOUGHTS, "--positions")
# Nobody can leave the circle of two positions.
CIRCLE = COUNTDOWN.replace("State(3, 0)", "State(1, 0)").replace(
    "State(state.number - 1, 1 - state.player)", "State(3 - state.number, 1 - state.player)"
)


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make tables so small that noughts and crosses is a large game, and searches find nothing."""
    monkeypatch.setattr(analysis, "COACH", Limits(100, 1.2))
    monkeypatch.setattr(levels, "LEVELS_KNOW", Limits(100, 1.0))
    monkeypatch.setattr(analysis, "COACH_SEARCH", Limits(nodes=50))


def test_a_large_game_is_played_to_its_end(home: Path) -> None:
    every = "".join(f"{letter}{number}\n" for letter in "abc" for number in "123")
    done = run(home, *PLAY, "--vs", "hard", typed=every)
    assert done.returncode == 0
    assert any(end in done.stdout for end in ("You win: ", " wins: ", "Draw: "))
    assert done.stderr == ""


def test_perfect_is_refused_where_it_is_not_proved(home: Path) -> None:
    said = (
        "Perfect play is unknown here. Noughts and Crosses has more than 100 positions, "
        "the limit for a table. The strongest level is hard."
    )
    for asked in (["--vs", "perfect"], ["--watch", "easy", "perfect"]):
        helpful(run(home, *PLAY, *asked), 1, said)
    assert json.loads(run(home, "history", "--json").stdout)["matches"] == []


def test_coach_is_exact_as_soon_as_the_rest_fits_into_a_table(home: Path) -> None:
    done = run(home, *PLAY, "--coach", typed="hint\nwhy\nb2\na2\na1\nc3\nhint\n")
    first, hint, why, _, _, proved, exact, advice, _ = done.stdout.split("Your move: ")
    assert [text.count(UNKNOWN) for text in (first, hint, why, exact)] == [0, 0, 1, 0]
    assert "\nIt expects you to score " in why
    assert " from here: an estimate, not an exact value.\n" in why
    assert "unknown" not in first  # no list of moves of which nothing is known
    assert "The hard level would play b2." in hint
    assert "Coach: You lose if your opponent plays well.\n  - b1: loss in 2\n" in proved
    assert "  - c3: loss (length unknown)\n" in proved
    assert "Coach: You can force a win in 3 moves.\n" in exact
    assert "+ c1: win in 3, best" in exact
    assert "Play b1." in advice or "Play c1." in advice


def test_coach_recommends_what_a_search_proves(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "COACH_SEARCH", Limits(nodes=1_000))
    done = run(home, "play", "digit-battle", "--lives", "9" * 99, typed="hint\nwhy\n3\n")
    assert "It keeps the draw." in done.stdout
    assert "\nNeither side can force a win.\n" in done.stdout
    assert "Updated Number: 3" in done.stdout


def test_repetition_is_announced_and_ends_a_game_against_the_computer(home: Path) -> None:
    (home / "circle.py").write_text(CIRCLE)
    args = ("play", "./circle.py", "--vs", "random", "--seed", "1")
    done = run(home, *args, "--first", "1", typed="1\n" * 12)
    rule = "; the tenth time ends the game as a draw.\nYour move: "
    for count in range(5, 10):
        assert f"This position has come up {count} times{rule}" in done.stdout
    assert done.stdout.count("come up") == 6
    assert done.stdout.count("Your move: 1\n") == 9
    drawn = "This position has come up 10 times, so the game is a draw.\nDraw: endless play.\n"
    drawn += "You drew in 18 moves.\n"
    assert done.stdout.endswith(f"Computer (random) plays −1: number from 2 to 1.\n{drawn}")
    # If the computer began, a move of the person brings the position up for the tenth time.
    second = run(home, *args, "--first", "2", typed="1\n" * 12).stdout
    assert second.endswith(f"You play −1.\n\n{drawn}")
    people = run(home, "play", "./circle.py", typed="1\n" * 12)
    assert "come up" not in people.stdout


def test_review_says_where_it_begins_to_be_exact(home: Path) -> None:
    run(home, *PLAY, typed="b2\na2\na1\nc3\nc1\nb1\na3\n")
    args = ("review", *REVIEW, "100")
    done = run(home, *args)
    assert "From move 5 on, every value is exact; before that" in done.stdout
    assert "decision" in done.stdout
    (game,) = document(home, *args, schema="review")["games"]
    assert game["exact_from"] == 5
    assert [move["value"]["plies"] for move in game["moves"][3:]] == [4, 3, 2, 1]
    (game,) = document(home, "review", "--game", NOUGHTS, schema="review")["games"]
    assert game["exact_from"] == 1


def test_review_of_a_series_says_where_it_is_exact(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = "b2\na2\na1\nc3\nc1\nb1\na3\n"
    run(home, *PLAY, "--games", "2", "--names", "Ada", "Bob", typed=moves + moves)
    whole, *_ = run(home, "review", *REVIEW, "100").stdout.split("\n\n")
    for name in ("Ada", "Bob"):
        assert re.search(rf"^{name} .+ where values are exact", whole, re.MULTILINE), whole
    monkeypatch.setattr("zerosum.cli.commands.review.PERSON", Limits(nodes=0))
    nothing, *_ = run(home, "review", *REVIEW, "1").stdout.split("\n\n")
    assert nothing.splitlines()[2:] == ["No move is known to have changed the result of a game."]


def test_solve_searches_where_no_table_fits(home: Path) -> None:
    done = run(home, "solve", *SMALL)
    assert done.returncode == 0
    assert done.stdout.startswith("Noughts and Crosses: draw, proved by a search of ")
    assert done.stderr == (
        "Noughts and Crosses has more than 100 positions, the limit for a table. "
        "Instead, a search tries to prove who wins.\n"
    )
    found = document(home, "solve", *SMALL, schema="solution")
    assert (found["known"], found["line"]) == ("proved", [])
    assert found["value"] == {"result": "draw", "plies": None, "endless": None}
    exact = document(home, "solve", NOUGHTS, schema="solution")
    assert (exact["known"], exact["searched"]) == ("exact", None)
    known = {move["move"]: move["result"] for move in exact["moves"]}
    assert all(move["result"] in (None, known[move["move"]]) for move in found["moves"])
    later = document(home, "solve", *SMALL, "--moves", "b2,a2,a1,c3", schema="solution")
    assert later["known"] == "exact"
    assert later["value"]["result"] == "win"
    helpful(run(home, "solve", *SMALL, "--svg", "-"), 1, "needs a table of all positions")


def test_solve_says_that_a_value_is_unknown_and_what_was_tried(home: Path) -> None:
    done = run(home, "solve", *SMALL, "--seconds", "0")
    assert done.returncode == 0
    title, tried = done.stdout.splitlines()
    assert title == "Noughts and Crosses: the value is unknown."
    assert tried.startswith("A search of 0 positions in 0.0 seconds did not prove it. --seconds N")
    found = document(home, "solve", *SMALL, "--seconds", "0", schema="solution")
    assert (found["known"], found["value"]) == ("unknown", None)
    assert {move["word"] for move in found["moves"]} == {"unknown"}
    for wrong in ("-1", "nan", "soon"):
        helpful(run(home, "solve", *SMALL, "--seconds", wrong), 2, "'--seconds'")
    (home / "partly.py").write_text(f"{COUNTDOWN}    def lists_all(self, state): return False\n")
    assert "larger table" not in run(home, "solve", "./partly.py").stdout


def test_ctrl_c_stops_a_search_and_shows_what_was_found(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove = Search.prove

    def interrupted(self: Search[Any], state: Any, budget: Limits) -> Any:
        if state.player == 0:
            prove(self, state, Limits(nodes=10))
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "prove", interrupted)
    done = run(home, "solve", *SMALL)
    assert done.returncode == 130
    assert "was stopped before it proved it" in done.stdout
    stopped = run(home, "solve", *SMALL, "--json")
    assert json.loads(stopped.stdout)["searched"]["stopped"] is True
