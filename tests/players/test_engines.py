"""Programs and functions that play whole games, and all the ways in which others fail."""

import json
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.players.engines import EXAMPLE, HEAD, command, engine
from zerosum.match import Match
from zerosum.players.asked import PlayerFailed, PlayerFault, UnknownPlayer
from zerosum.players.engines import TRIES, Engine, check_opponent, short_name
from zerosum.players.programs import ProgramLimits

GAME = zerosum.game("dual-digits")
COPYCAT = EXAMPLE.parent / "copycat.py"
PATIENT = ProgramLimits(restarts=TRIES)
# What a program does with every question but the first, and what is said about it. More of what
# programs do is in test_programs.py.
BROKEN: list[tuple[str, str, str]] = [
    ("say(id=id, move=9)", "illegal", "in 2 tries. The last time: The answer is 9."),
    ("time.sleep(60)", "late", "gave no legal move: No answer came within 0.2 s."),
    ("print('no coffee', file=sys.stderr); os._exit(3)", "crash", "ends with:\n  no coffee"),
    ("os.fork() and os._exit(3); time.sleep(60)", "crash", "It ended with exit code 3."),
]


def named(words: list[str]) -> str:
    """Name a program as on a command line."""
    return "exec:" + " ".join(words)


def logging_engine(folder: Path, *does: str) -> tuple[str, Path]:
    """Write a program that declares that it plays games, and logs all that it reads."""
    log, file = folder / "log", folder / "engine.py"
    begins = HEAD.replace("protocol=1", "protocol=1, games=True")
    begins = begins.replace(
        "    message = json.loads(line)\n",
        f"    message = json.loads(line)\n    open({str(log)!r}, 'a').write(line)\n"
        "    if message['type'] == 'game':\n        continue\n",
    )
    file.write_text(begins + "".join(f"    {line}\n" for line in does))
    return named(command(file)), log


def told(log: Path) -> list[dict[str, Any]]:
    """Return what a program was told of games: without what every question has."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    usual = ("type", "id", "state", "player", "moves")
    return [{key: line[key] for key in line if key not in usual} for line in lines[1:]]


def test_the_example_copies_its_opponent() -> None:
    assert len(COPYCAT.read_text().splitlines()) < 60
    match = Match.new(GAME, games=2, seed=1)
    with Engine(GAME, named(command(COPYCAT)), seed=1) as copycat:
        assert copycat.move(match) == 1  # nothing to copy
        match = match.play(1).play(4)
        assert copycat.move(match) == 1  # nobody may play the number just played
        match = match.resign().next_game().play(3)
        assert copycat.move(match) == 1


def test_program_is_told_of_the_game_and_then_of_every_move(tmp_path: Path) -> None:
    name, log = logging_engine(tmp_path, "say(id=id, move=moves[-1])")
    begun = Match.new(GAME, games=2, clock=30.0)
    replied = begun.play(4).play(1)
    again = replied.undo().play(2)
    with Engine(GAME, name, seed=7) as player:
        for match in (begun, replied, replied.play(4).undo(), again):
            assert player.move(match) == match.game.moves(match.state)[-1]
        player.move(again.resign().next_game().play(3))
    game = {"game": 1, "games": 2, "seat": 0, "clock": 30.0}
    asked = {"game": 1, "sample": 1, "ply": 2, "since": []}
    assert told(log) == [
        {**game, "played": []},
        {**asked, "ply": 0},
        {**asked, "since": [4, 1]},
        asked,  # what was taken back was not told
        {**game, "played": [4, 2]},
        asked,
        {**game, "game": 2, "seat": 1, "played": [3]},
        {**asked, "game": 2, "sample": 2, "ply": 1},
    ]


def test_program_that_does_not_declare_games_is_only_asked(tmp_path: Path) -> None:
    log = tmp_path / "log"
    name = named(engine(tmp_path, f"open({str(log)!r}, 'a').write(line)", "say(id=id, move=1)"))
    with Engine(GAME, name) as player:
        assert player.move(Match.new(GAME)) == 1
    (question,) = map(json.loads, log.read_text().splitlines())
    assert question.keys() == {"type", "id", "state", "player", "sample", "moves"}


@pytest.mark.parametrize(("does", "kind", "says"), BROKEN)
def test_broken_program_is_asked_again_and_named(
    tmp_path: Path, does: str, kind: str, says: str
) -> None:
    match = Match.new(GAME)
    name = named(engine(tmp_path, "if id == 1: say(id=id, move=1); continue", does))
    limits = PATIENT._replace(answer=0.2) if kind == "late" else PATIENT
    with Engine(GAME, name, limits=limits) as player:
        match = match.play(player.move(match)).play(2)
        with pytest.raises(PlayerFault) as fault:
            player.move(match)
    assert fault.value.kind == kind
    assert str(fault.value).startswith(f"{name} gave no legal move")
    assert says in str(fault.value)


def test_program_is_told_why_and_then_of_the_game_once_more(tmp_path: Path) -> None:
    name, log = logging_engine(
        tmp_path,
        "if id == 1: say(id=id, move=9); continue",
        "if id == 3: os._exit(1)",
        "say(id=id, move=moves[0])",
    )
    match = Match.new(GAME)
    with Engine(GAME, name) as player:
        assert player.move(match) == 1
        assert player.move(match.play(1).play(2)) == 1
    _, first, second, third, *more = told(log)
    assert second == {**first, "fault": "illegal", "error": second["error"]}
    assert second["error"].startswith("The answer is 9. ")
    assert third["since"] == [1, 2]
    (game, fourth) = more[1:]  # after a greeting
    assert (game["played"], fourth["fault"]) == ([1, 2], "crash")


def test_chances_are_drawn_by_the_seed_of_the_match(tmp_path: Path) -> None:
    name = named(engine(tmp_path, 'say(id=id, moves={"1": 0.5, "2": 0.5})'))
    with Engine(GAME, name) as player:
        drawn = [player.move(Match.new(GAME, seed=seed)) for seed in range(12)]
        assert set(drawn) == {1, 2}
        assert drawn == [player.move(Match.new(GAME, seed=seed)) for seed in range(12)]


def test_clock_is_the_time_for_an_answer_and_no_failure(tmp_path: Path) -> None:
    name = named(engine(tmp_path, "time.sleep(60)"))
    with Engine(GAME, name) as player:
        for _ in range(2):
            with pytest.raises(PlayerFault, match=r"No answer came within 0\.1 s\."):
                player.move(Match.new(GAME, clock=0.1))


def test_program_that_cannot_be_started() -> None:
    with Engine(GAME, "exec:./missing") as player, pytest.raises(PlayerFailed, match="cannot be"):
        player.move(Match.new(GAME))


def test_function_plays_whole_games(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(game, state): return game.moves(state)[-1]")
    with Engine(GAME, f"{file}:choose") as player:
        assert player.move(Match.new(GAME).play(4)) == 3


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hrad", "did you mean hard? The levels are"),
        ("hrad", "An opponent is a level, a function such as"),
        ("exec:", "cannot be empty"),
        ("exec:'a", "No closing quotation"),
        ("./missing.py:choose", "There is no file ./missing.py."),
        (f"{EXAMPLE}:1", "Name a function in"),
    ],
)
def test_opponents_that_cannot_be(name: str, says: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        check_opponent(name)
    assert says in str(error.value)


def test_names_of_players() -> None:
    names = {
        "hard": "hard",
        "exec:./my-engine --deep": "my-engine",
        "exec:/usr/bin/python3.12 -I -S ./engines/deep.py": "deep.py",
        "exec:python": "python",
        "exec:''": "program",
        "exec:./an-engine-with-a-long-name": "an-engine-with-a-lo…",
        "./players/mine.py:choose": "mine.py:choose",
    }
    assert {name: short_name(name) for name in names} == names
