"""What a solver process answers when something fails: the rules, the memory, or ourselves."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.game_files import TAKE_AWAY
from tests.web.pools import START, ask_here, solving
from zerosum.errors import GameError
from zerosum.players.levels import LEVELS
from zerosum.registry.loading import raised_by_rules
from zerosum.web.analysis import questions, solver_main
from zerosum.web.analysis.solutions import solutions
from zerosum.web.http.log import Bug
from zerosum.web.refusals import Refused


def game_that(folder: Path, deed: str) -> dict[str, str]:
    """Write a game whose moves() does something first, above 100 sticks."""
    path = folder / "take_away.py"
    code = f"        if state.sticks > 100:\n            {deed}\n"
    path.write_text(TAKE_AWAY.replace("        pass\n", code))
    return {"take-away": str(path)}


def bot_move(sticks: int = 200) -> str:
    """Ask for a move in that game."""
    about: dict[str, Any] = {"game": "take-away", "options": {"start": sticks}}
    answer: str = ask_here("bot_move", **about, state=[sticks, 0], level="random", seed_text="1")
    return answer


@pytest.mark.parametrize(
    ("deed", "kind"),
    [
        ("1 // 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("return self.moves(state)", "RecursionError"),
    ],
)
def test_failing_rules_are_blamed_by_file_and_line(tmp_path: Path, deed: str, kind: str) -> None:
    with solving(game_that(tmp_path, deed)):
        with pytest.raises(Refused, match=rf"take_away.py, line \d+: {kind}"):
            bot_move()
        assert bot_move(9) in ("1", "2")


@pytest.mark.parametrize("error", [KeyError("ours"), SystemExit(3), RecursionError()])
def test_our_own_bug_is_not_blamed_on_the_rules(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(**arguments: Any) -> None:
        raise error

    monkeypatch.setitem(questions.QUESTIONS, "bot_move", fail)
    with (
        solving(game_that(tmp_path, "pass")),
        pytest.raises(Bug, match=type(error).__name__) as bug,
    ):
        bot_move()
    assert "Traceback" in str(bug.value)
    assert "in fail" in str(bug.value)


@pytest.mark.parametrize("error", [ZeroDivisionError, GameError("ours")])
def test_failing_built_in_rules_are_our_own_bug(
    error: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr("zerosum.books.even_steven.rules.EvenSteven.moves", fail)
    with pytest.raises(Bug, match=r"ZeroDivisionError|GameError"):
        ask_here("bot_move", **START, level="random", seed_text="1")


NONSENSE = {
    "moves that change": ("tuple(n for n", "tuple(n + 5 * (next(CALLS) % 3 == 0) for n"),
    "moves in a set": ("tuple(n for n in (1, 2) if n <= state.sticks)", "{1, 2}"),
    "no moves": ("tuple(n for n", "None if state.sticks < 6 else tuple(n for n"),
    "moves that are pairs": ("tuple(n for n", "tuple((n, n) for n"),
    "a list as a state": ("return State(self.start, 0)", "return [self.start, 0]"),
    "a list in a state": ("return State(state.sticks - move", "return State([state.sticks - move]"),
    "a state without a player": ("1 - state.player)\n", "'x')\n"),
    "a string as outcome": ('Outcome(1 - state.player, "the last stick is taken")', '"won"'),
    "an outcome without a reason": ('"the last stick is taken"', "None"),
    "a winner that is nobody": ("Outcome(1 - state.player", "Outcome(7"),
}


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_is_never_a_bug_of_ours(tmp_path: Path, nonsense: str) -> None:
    old, new = NONSENSE[nonsense]
    assert old in TAKE_AWAY
    path = tmp_path / "take_away.py"
    path.write_text(f"from itertools import count\nCALLS = count()\n{TAKE_AWAY.replace(old, new)}")
    variant: dict[str, Any] = {"game": "take-away", "options": {"start": 3}}
    place = {**variant, "state": [3, 0]}
    seats = {"first": 0}
    asked: list[tuple[str, dict[str, Any]]] = [
        ("first_position", variant),
        ("play_and_look", {**place, "typed": "1", **seats}),
        ("play_and_look", {**place, "state": [1, 0], "typed": "1", **seats}),
        ("look_and_label", {**place, **seats, "running": True, "moves": [[[3, 0], 1]]}),
        ("replay", {**variant, "first": 0, "games": 1, "events": [["move", 1], ["move", 2]]}),
        *(("bot_move", {**place, "level": level, "seed_text": "1"}) for level in LEVELS),
        *((what, place) for what in ("advice",)),
        *((what, variant) for what in ("card", "offered", "game_lesson", "position", "theory")),
    ]
    with solving({"take-away": str(path)}):
        codes = set()
        for what, arguments in asked:
            try:
                ask_here(what, **arguments)
            except Refused as refused:
                codes.add(refused.code)
    assert "broken_game" in codes
    assert codes <= {"broken_game", "illegal_move", "too_hard"}


def test_rules_of_an_installed_package_are_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import import_module

    (tmp_path / "some_games" / "nim").mkdir(parents=True)
    rules = tmp_path / "some_games" / "nim" / "rules.py"
    rules.write_text(TAKE_AWAY.replace("        pass\n", "        1 // 0\n"))
    rules.with_name("words.py").write_text("def fail(): 1 // 0\n")
    (tmp_path / "some_games" / "other.py").write_text("def fail(): 1 // 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    game = import_module("some_games.nim.rules").TakeAway()
    for fail, blamed in (
        (lambda: game.moves(game.initial()), True),
        (import_module("some_games.nim.words").fail, True),
        (import_module("some_games.other").fail, False),
    ):
        with pytest.raises(ZeroDivisionError) as caught:
            fail()
        # This test's own module has no game in it.
        assert raised_by_rules(caught.value) is blamed


def test_exhausted_memory_clears_what_is_remembered(tmp_path: Path) -> None:
    with solving(game_that(tmp_path, "raise MemoryError")):
        ask_here("advice", **START)
        remembered = solutions().coach(solutions().game("even-steven", {"start": 15}))
        with pytest.raises(Refused, match="more memory than is available"):
            bot_move()
        assert solutions().coach(solutions().game("even-steven", {"start": 15})) is not remembered


@pytest.mark.parametrize(
    "deed",
    [r"return ('\ud800',)", r"from zerosum.errors import GameError; raise GameError('\ud800')"],
)
def test_text_that_is_not_unicode_is_blamed_on_the_game(tmp_path: Path, deed: str) -> None:
    with solving(game_that(tmp_path, deed)), pytest.raises(Refused, match="not valid Unicode"):
        bot_move()


def test_too_long_an_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_main, "LONGEST", 10)
    with pytest.raises(Refused, match="too long to send"):
        ask_here("advice", **START)


def test_changed_rules_are_refused(tmp_path: Path) -> None:
    with solving(game_that(tmp_path, "pass")):
        files = solutions().files
        files["take-away"] = files["take-away"]._replace(source="another")
        with pytest.raises(Refused, match="has changed; restart the server"):
            ask_here("theory", game="take-away", options={})


def test_solving_timeout_gives_an_unknown_value(tmp_path: Path) -> None:
    import_module("numpy")  # which must not be interrupted
    asked = {"game": "take-away", "options": {"start": 101}, "state": [101, 0]}
    with solving(game_that(tmp_path, "while True: pass"), seconds=0.2):
        for _ in range(2):
            advice = ask_here("advice", **asked)
            assert advice["exact"] is False
            assert "seconds" in advice["reason"]
        with pytest.raises(Refused, match=r"takes more than 0\.14 seconds"):
            ask_here("prepare", **asked, level="hard")
