"""Numeric options of every game, to ±10⁴⁰: every command and question ends with a sentence."""

import json
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import zerosum
from tests.cli.support import run
from tests.game_files import CONNECT_FOUR, DOTS, NOUGHTS, PASS, STICK, TERRITORY
from tests.web.pools import ask_here, solving
from zerosum.cli.playing import analysis
from zerosum.errors import ZerosumError
from zerosum.limits import Limits
from zerosum.match import Match
from zerosum.options import Option, option_values, options_of, written
from zerosum.players import autoplay
from zerosum.players.searching import EFFORTS, Effort
from zerosum.record import to_record
from zerosum.solver import table
from zerosum.web.analysis.questions import QUESTIONS
from zerosum.web.refusals import Refused

FILES = {
    "last-stick": STICK,
    "nim-with-a-pass": PASS,
    "noughts-and-crosses": NOUGHTS,
    "connect-four": CONNECT_FOUR,
    "dots-and-boxes": DOTS,
    "territory": TERRITORY,
}
# Levels play dozens of games, which takes minutes on 81 cells.
BOARDS = ("connect-four", "dots-and-boxes", "territory")
NUMBERS = {
    name: numeric
    for name in (*zerosum.games(), *FILES)
    if (
        numeric := [
            option
            for option in options_of(zerosum.game(FILES.get(name, name)))
            if option.kind in ("number", "numbers")
        ]
    )
}
ASKED = "hint\nwhy\nmoves\n1\nhint\nwhy\nmoves\nundo\nquit\n"
# A command with what is typed; tables are small, and searches short.
COMMANDS = {
    "solve": (["solve", "--seconds", "0.1"], ""),
    "explain": (["explain"], ""),
    "map": (["explain", "--map"], ""),
    "levels": (["levels", "--games", "2"], ""),
    "starts": (["starts"], ""),
    "audit": (["audit"], ""),
    "play": (["play", "--coach"], ASKED),
    "vs": (["play", "--vs", "perfect"], ASKED),
    "watch": (["play", "--watch", "easy", "medium", "--quiet"], ""),
    "learn": (["learn"], "hint\nwhy\nskip\n1\nquit\n"),
    "puzzle": (["puzzle"], "hint\nwhy\nskip\n1\nquit\n"),
    "review": (["review"], ""),
}
RULES_OF_A_GAME = ("first_seat", "card", "first_position")
ABOUT_A_GAME = ("offered", "map_svg", "theory", "game_lesson", *RULES_OF_A_GAME)
MOST_MEMORY, MOST_SECONDS = 3 << 30, 60
extremes = st.builds(
    lambda sign, power, more: sign * (10**power + more),
    st.sampled_from((1, -1)),
    st.integers(0, 40),
    st.sampled_from((-1, 0, 1, 7)),
)


@st.composite
def chosen(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A game, and extreme values for some of its numbers; they may be out of bounds."""
    name = draw(st.sampled_from(sorted(NUMBERS)))
    some = draw(st.lists(st.sampled_from(NUMBERS[name]), min_size=1, max_size=3, unique=True))

    def value(option: Option) -> Any:
        if option.kind == "number":
            return draw(extremes)
        return tuple(draw(st.just(number) | extremes) for number in option.default)

    return name, {option.name: value(option) for option in some}


@contextmanager
def bounded() -> Iterator[None]:
    """Let tables be small and searches short; end what hangs, or takes all memory."""
    build = table.build_table

    def small(game: Any, limits: Limits, *args: Any, **more: Any) -> Any:
        return build(game, limits.within(Limits(3_000)), *args, **more)

    def ring(*_: Any) -> None:
        raise AssertionError(f"This took more than {MOST_SECONDS} seconds of the processor.")

    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    rung = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_MEMORY, before[1]))
    try:
        with (
            patch.object(table, "build_table", small),
            patch.object(analysis, "COACH_SEARCH", Limits(nodes=100, seconds=0.1)),
            patch.object(autoplay, "ENDLESS_PLIES", 50),
            patch.dict(EFFORTS, dict.fromkeys(EFFORTS, Effort(10, 1))),
        ):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, rung)
        resource.setrlimit(resource.RLIMIT_AS, before)


FAR_BELOW = ("digit-battle", {"start": -(10**9), "lives": 2})
WIDE = settings(max_examples=settings().max_examples // 2)
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


@WIDE
@given(chosen(), st.sampled_from(sorted(COMMANDS)))
@example(FAR_BELOW, "solve")
@example(("digit-battle", {"start": -(10**40)}), "explain")
@example(FAR_BELOW, "play")
def test_no_number_ends_a_command_with_a_bug(
    game: tuple[str, dict[str, Any]], command: str
) -> None:
    name, options = game
    assume(command != "levels" or name not in BOARDS)
    path = FILES.get(name, name)
    (verb, *more), typed = COMMANDS[command]
    if command == "starts":
        first = options.get("start", 1)
        options = {"from": first, "to": first + 4, **options}
        options.pop("start", None)
    flags = [f"--{option.replace('_', '-')}={written(value)}" for option, value in options.items()]
    with bounded(), tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if command == "review":
            run(home, "play", path, *flags, typed="1\n1\n2\n2\n1\nresign\nquit\n")
            done = run(home, verb)
        else:
            done = run(home, verb, path, *more, *flags, typed=typed)
    assert "bug in Zerosum" not in done.stderr, done.stderr
    assert "the game failed" not in done.stderr, done.stderr
    assert done.returncode in (0, 1, 2)
    assert done.returncode == 0 or done.stderr.strip() or verb == "audit", done.stdout


@WIDE
@given(chosen(), st.sampled_from(sorted(QUESTIONS)), st.randoms())
@example(("digit-battle", {"start": -(10**40), "lives": 2}), "theory", None)
def test_no_number_ends_a_question_with_a_bug(
    game: tuple[str, dict[str, Any]], what: str, rng: Any
) -> None:
    name, options = game
    try:
        variant: Any = zerosum.game(FILES.get(name, name), **options)
    except ZerosumError:
        return
    match = Match.new(variant)
    for _ in range(0 if rng is None else rng.randrange(4)):
        moves = variant.moves(match.state)
        if match.over or not moves:
            break
        match = match.play(rng.choice(moves))
    named = {"game": name, "options": option_values(variant)}
    here = {**named, "state": json.loads(json.dumps(match.state))}
    asked: dict[str, dict[str, Any]] = {
        **dict.fromkeys(ABOUT_A_GAME, named),
        "advice": here,
        "position": {**named, "at": here["state"]},
        "bot_move": {**here, "level": "perfect", "seed_text": "1"},
        "agrees": {**here, "level": "medium"},
        "prepare": {**here, "level": "perfect"},
        "review": {"record": to_record(match), "game": 0},
    }
    if what not in asked or (what == "bot_move" and match.over):
        return
    with bounded(), solving(FILES, 3_000), suppress(Refused):  # a bug of ours is another error
        ask_here(what, **asked[what])
