"""`zerosum stats`: who won how often, and how well people play."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import zerosum
from tests.cli.support import document, run
from tests.figures import strange_numbers
from tests.game_files import EXAMPLES
from tests.helpers import database
from tests.solutions import solved
from tests.store.support import execute
from zerosum.documents import dumps, loads, to_dict
from zerosum.match import NAMES, Match
from zerosum.players.levels import LEVELS, LevelBot
from zerosum.players.scale import strength_of
from zerosum.players.slips import decisions_of
from zerosum.store import open_store

ADA = {"name": "Ada", "games": 3, "wins": 2, "draws": 0, "computer": False}


def stats(home: Path) -> Any:
    return document(home, "stats", schema="stats")


def career(name: str, game: str | None, found: Any) -> Any:
    """Return how a person plays, as a document says it."""
    (one,) = (one for one in found["careers"] if (one["name"], one["game"]) == (name, game))
    return one


def test_people_come_first_and_watched_games_are_apart(home: Path) -> None:
    for args, typed in (
        (("--names", "Ada", "Bob", "--start", "2"), "1\n1\n"),
        (("--names", "Ada", "Bob", "--start", "1", "--games", "2"), "1\nresign\n"),
        (("--watch", "random", "easy", "--games", "3", "--start", "5"), ""),
        (("--vs", "perfect", "--names", "Eve", "Deep", "--start", "15"), "resign\n"),
    ):
        assert run(home, "play", "even-steven", *args, typed=typed).returncode == 0
    found = stats(home)
    assert [one["name"] for one in found["players"]] == ["Ada", "Bob", "Eve", "Deep"]
    assert found["players"][0] == ADA
    assert [one["computer"] for one in found["players"]] == [False, False, False, True]
    assert [(one["games"], one["first"], one["second"]) for one in found["games"]] == [(4, 2, 2)]
    assert [(one["game"], one["games"]) for one in found["watched"]] == [("even-steven", 3)]
    text = run(home, "stats").stdout
    assert text.index("Ada") < text.index("Deep") < text.index("Watched")
    assert "Too few" not in text


@pytest.fixture
def played(home: Path) -> list[Match[Any]]:
    """Games of Ada, who plays as well as the level hard, against the computer; all are saved."""
    return career_of(home, "Ada")


def career_of(home: Path, name: str, file: str = "dual-digits") -> list[Match[Any]]:
    """Save games of somebody who plays as well as the level hard against the computer."""
    game = zerosum.game(file)
    solution, matches, store = zerosum.solve(game), [], open_store(str(database(home)))
    for number in range(12):
        players = (name, "Computer (easy)")
        match = Match.new(game, players, number % 2, bots=(None, "easy"), seed=number)
        levels = [
            LevelBot(level, game, Random(f"{number} {level}"), solution)
            for level in ("hard", "easy")
        ]
        while not match.over:
            match = match.play(levels[match.mover].move(match.state))
        matches.append(match)
        store.create(match)
    store.close()
    return matches


def test_people_are_placed_by_what_they_decided(home: Path, played: list[Match[Any]]) -> None:
    solution = zerosum.solve(played[0].game)
    made = [
        decisions_of(solution, match.rounds[0].first, 1, match.events)[0][0] for match in played
    ]
    strength = strength_of([one for each in made for one in each], len(played))
    found = stats(home)
    for game in ("dual-digits", None):
        assert career("Ada", game, found) == {
            "name": "Ada",
            "game": game,
            "strength": loads(dumps(to_dict(strength))),
            "unjudged": 0,
        }
    assert strength.like
    text = run(home, "stats").stdout
    assert f"{strength.right} of {strength.decisions}" in text
    assert strange_numbers(text, found) == []


def test_of_two_people_without_a_name_neither_is_you_nor_judged(home: Path) -> None:
    two = run(home, "play", "even-steven", "--start", "2", typed="1\n1\n")
    assert two.returncode == 0
    career_of(home, NAMES[0])
    found = stats(home)
    counted = {one["name"]: one["games"] for one in found["players"] if not one["computer"]}
    assert counted == {"Player 1": 1, "Player 2": 1, "You": 12}
    assert {one["name"] for one in found["careers"]} == {"You"}
    (like,) = career("You", "dual-digits", found)["strength"]["like"]
    # The end of a match and that of a lesson say the same.
    args = ("play", "dual-digits", "--start", "21", "--vs", "random", "--first", "1")
    said = run(home, *args, typed="1\nresign\n").stdout
    assert f"You play Dual Digits like {like}; " in said
    lesson = run(home, "learn", "dual-digits", "--step", "99")
    last = re.search(r"at most (\d+)", lesson.stderr)
    assert last
    said = run(home, "learn", "dual-digits", "--step", last[1], typed="no\n").stdout
    above = LEVELS[min(LEVELS.index(like) + 1, len(LEVELS) - 1)]
    assert f"The level to try is {above}." in said


def test_a_review_places_people_by_its_own_games(home: Path) -> None:
    game = zerosum.game("digit-battle")
    match = Match.new(game, ("Ada", "Computer (random)"), bots=(None, "random"), games=3)
    bot = LevelBot("random", game, Random(1), solved(game))
    while not match.over:
        match = match.next_game() if match.round.end else match.play(bot.move(match.state))
    store = open_store(str(database(home)))
    store.create(match)
    store.close()
    found = document(home, "review", schema="review")
    strength, nobody = found["strength"]
    assert nobody is None
    assert (strength["right"], strength["decisions"]) == (found["good"][0], found["decisions"][0])
    assert strength["like"]
    place = f"Ada plays like {strength['like'][0]}; {strength['decisions']} decisions so far."
    assert place in run(home, "review").stdout
    first = document(home, "review", "--number", "1", schema="review")
    assert first["strength"][0]["decisions"] == first["decisions"][0] < found["decisions"][0]


def test_what_cannot_be_judged_is_told(home: Path) -> None:
    store = open_store(str(database(home)))
    game = zerosum.game(str(EXAMPLES / "connect_four.py"))
    store.create(Match.new(game, ("Ada", "Bob")).play(1).resign())
    even = Match.new(zerosum.game("even-steven", start=6), ("Ada", "Bob"))
    helped = store.create(even.play(2).play(1).resign())
    coached = store.create(even.play(2).resign(), coach=True)
    found = stats(home)
    assert career("Ada", "connect-four", found)["unjudged"] == 1
    assert career("Ada", "connect-four", found)["strength"]["games"] == 0
    one = career("Ada", "even-steven", found)["strength"]
    assert (one["games"], one["decisions"], one["right"]) == (1, 1, 0)
    said = "Ada: 1 game not judged; too large, or the rules are not at hand."
    assert said in run(home, "stats").stdout
    store.save_hint(helped.id, 0, 0)
    store.save_hint(coached.id, 0, 2)
    store.close()
    one = career("Ada", "even-steven", stats(home))["strength"]
    assert (one["games"], one["decisions"], one["right"]) == (2, 1, 0)


def test_games_from_files_are_judged_once_their_files_are_named(home: Path) -> None:
    file = str(EXAMPLES / "last_stick.py")
    made = career_of(home, NAMES[0], file)
    assert career("You", "last-stick", stats(home))["unjudged"] == len(made)
    told = run(home, "stats").stderr
    assert "last-stick is in a file of your own. To judge it too: " in told
    assert told.endswith(f" stats --game {file}\n")
    found = document(home, "stats", "--game", file, schema="stats")
    assert career("You", "last-stick", found)["unjudged"] == 0
    assert run(home, "stats", "--game", file).stderr == ""
    (like,) = career("You", "last-stick", found)["strength"]["like"]
    said = run(home, "play", file, "--vs", "random", "--first", "1", typed="1\nresign\n").stdout
    assert f"You play Last Stick like {like}; " in said
    execute(database(home), "update matches set file = '/gone/last_stick.py'")
    told = "/gone/last_stick.py is missing. If it has moved, add --game FILE."
    assert told in run(home, "stats").stderr
    assert career("You", "last-stick", stats(home))["unjudged"] == len(made) + 1


@pytest.mark.parametrize(
    ("args", "typed", "hints"),
    [
        ((), "hint\n2\n1\nwhy\nresign\n", [(0, 0), (0, 2)]),
        ((), "2\nundo\n2\n1\nresign\n", []),
        (("--coach",), "2\n1\ncoach\n1\nresign\n", [(0, 0), (0, 1), (0, 2)]),
    ],
)
def test_the_coach_at_the_keyboard_is_noted(
    home: Path, args: tuple[str, ...], typed: str, hints: list[tuple[int, int]]
) -> None:
    names = ("--names", "Ada", "Bob", "--start", "8")
    assert run(home, "play", "even-steven", *names, *args, typed=typed).returncode == 0
    store = open_store(str(database(home)), write=False)
    ((_, _, found),) = store.journals()
    store.close()
    assert found == hints


def test_what_does_not_count_is_told_where_nothing_counts(home: Path) -> None:
    names = ("--names", "Ada", "Bob", "--start", "8")
    run(home, "play", "even-steven", *names, typed="2\nresign\n")
    told = run(home, "stats").stdout
    assert "Those with the coach's help, or after a move was taken back, do not count." in told
    assert "brackets" not in told
