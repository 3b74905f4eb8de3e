"""Games with boards, draws and moves that are words, from the first move to the review."""

import json
from pathlib import Path

import pytest

from tests.cli.support import first_id, helpful, run
from tests.game_files import NOUGHTS, PASS, STEPS

DRAWN = "b2 a1 c1 a3 a2 c2 b1 b3 c3"
NAMES = ("--names", "Ada", "Bob")


def lines(moves: str) -> str:
    return "".join(f"{move}\n" for move in moves.split())


@pytest.fixture
def drawn(home: Path) -> str:
    """A series in which the first game was drawn, and the second won by Bob."""
    won = "a1 b1 b2 c1 c3"
    done = run(home, "play", NOUGHTS, *NAMES, "--games", "2", typed=lines(f"{DRAWN} {won}"))
    assert done.returncode == 0, done.stderr
    assert "Draw: the board is full.\n\nScore after game 1 of 2: Ada ½, Bob ½.\n" in done.stdout
    assert "Score after game 2 of 2: Ada ½, Bob 1½.\n" in done.stdout
    assert done.stdout.endswith("Bob is the champion, 1½ to ½!\n")
    return first_id(home)


def test_board_is_drawn_and_moves_work_in_any_case(home: Path) -> None:
    done = run(home, "play", NOUGHTS, typed="B2\nb2\nz9\n7\n\nundo\n")
    assert "a1 │ b1 │ c1\na2 │ X  │ c2\na3 │ b3 │ c3\n" in done.stdout
    legal = "Legal now: a1, b1, c1, a2, c2, a3, b3, c3."
    assert f"That cell is taken. {legal}\n" in done.stdout
    assert f"Name a free cell, such as b2. {legal}\n" in done.stdout
    assert f"7 is not a legal move. {legal}\n" in done.stdout
    assert "Took back Player 1's b2.\n" in done.stdout


def test_plain_board_is_comma_separated(home: Path) -> None:
    done = run(home, "play", NOUGHTS, "--plain", typed=lines("b2 a1 c1 a2 a3"))
    assert "Player 2's turn.\na1, b1, c1\na2, X, c2\na3, b3, c3\n" in done.stdout
    assert "O, empty, [X]\nO, [X], empty\n[X], empty, empty\nPlayer 1's sign: X\n" in done.stdout
    assert "|" not in done.stdout


def test_series_with_half_points_is_resumed(home: Path) -> None:
    run(home, "play", NOUGHTS, *NAMES, "--games", "3", typed=lines(DRAWN))
    assert "Ada - Bob, ½ to ½, unfinished." in run(home, "history", "--plain").stdout
    out = run(home, "resume", "--game", NOUGHTS, typed="a1\ndraw\nyes\n").stdout
    assert "game 2 of 3, ½ to ½, after 0 moves.\n" in out
    assert "Bob, do you accept the draw?" in out
    assert "Score after game 2 of 3: Ada 1, Bob 1." in out


def test_review_of_a_draw(home: Path, drawn: str) -> None:
    shown = run(home, "show", drawn, "--game", NOUGHTS).stdout
    assert shown.endswith("Bob won the match, 1½ to ½.\n")
    out = run(home, "review", drawn, "--number", "1", "--game", NOUGHTS).stdout
    assert "There was no turning point: no move changed the result." in out
    reviewed = run(home, "review", drawn, "--json", "--game", NOUGHTS).stdout
    judged = json.loads(reviewed)["games"]
    assert {move["value"]["result"] for move in judged[0]["moves"]} == {"draw"}
    assert [move["verdict"] for move in judged[0]["moves"]][::4] == ["forced", "best", "only"]
    assert [move["verdict"] for move in judged[1]["moves"]][1] == "mistake"


def test_solve_reads_each_move_in_its_position(home: Path) -> None:
    out = run(home, "solve", NOUGHTS, "--moves", "B2,b1").stdout
    assert " after b2, b1: win in 5 for the player to move.\n" in out
    assert "+ win in 5  best\n" in out
    over = run(home, "solve", NOUGHTS, "--moves", DRAWN.replace(" ", ","))
    assert over.stdout.endswith("The game is over: it is a draw.\n")
    taken = run(home, "solve", NOUGHTS, "--moves", "b2,b2")
    helpful(taken, 2, "'--moves': move 2: That cell is taken. Legal now: a1, b1, c1")
    begun = run(home, "solve", NOUGHTS).stdout
    assert "Move  Value\na1    = draw\n" in begun
    assert "c3    = draw\nAll moves draw.\nA drawing line: " in begun
    state = json.loads(run(home, "solve", NOUGHTS, "--moves", "b2", "--json").stdout)["state"]
    assert state == [["", "", "", "", "X", "", "", "", ""], 1]


def test_starts_tell_draws_from_endless_games(home: Path) -> None:
    out = run(home, "starts", "digit-battle", "--lives", "2", "--from", "0", "--to", "0").stdout
    assert "nobody (endless)" in out
    (home / "steps.py").write_text(STEPS.replace("else 1 - state.player", "else None"))
    out = run(home, "starts", "./steps.py", "--from", "2", "--to", "2").stdout
    assert "nobody (draw)" in out


def test_pass_and_moves_of_two_parts(home: Path) -> None:
    done = run(home, "play", PASS, "--heaps", "2,1", typed=lines("PASS pass A2 b1"))
    assert "No pass is left. Legal now: a1, a2, b1.\n" in done.stdout
    assert done.stdout.endswith("Player 1 wins: the heaps are empty.\n")
    listed = run(home, "play", PASS, "--heaps", "2,1", typed="moves\n").stdout
    assert "b1: Take 1 from heap b\n" in listed
    assert "c1: Take" not in listed
    for heaps in ("0,0", "1,1,1,1,1,1,1,1,1"):
        helpful(run(home, "play", PASS, "--heaps", heaps), 2, "'--heaps': must")


def test_puzzles_with_word_moves_count_a_streak(home: Path) -> None:
    (home / "steps.py").write_text(STEPS)
    done = run(home, "puzzle", "./steps.py", typed="fly\ndare\nSAFE\n" + "safe\n" * 5)
    assert "fly is not a legal move. Legal now: Safe, dare.\n" in done.stdout
    assert "No: dare → −1 loses at once. Try again.\n" in done.stdout
    assert done.stdout.count("Solved!\n") == 1
    assert "Solved! 2 in a row.\n" in done.stdout
    assert "You have solved every puzzle of this kind." in done.stdout


def test_option_with_choices_becomes_a_choice_flag(home: Path) -> None:
    (home / "steps.py").write_text(STEPS)
    play = ("play", "steps.py")
    assert "where to go: Left or Right" in run(home, *play, "--help").stdout
    helpful(run(home, *play, "--side", "up"), 2, "--side", "left", "right")
    helpful(run(home, *play, "--width", "4"), 2, "--width", "3", "5")
    record = json.loads(run(home, *play, "--side", "RIGHT", "--width", "5", "--json").stdout)
    assert record["options"] == {"start": 5, "side": "Right", "width": 5}
