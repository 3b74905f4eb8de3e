"""The computer and the coach at the table."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.support import configure, document, helpful, on_screen, run
from tests.helpers import Terminal
from tests.solutions import tables
from zerosum.cli.commands.play import LEVELS_HELP
from zerosum.cli.playing.session import PACE
from zerosum.players.levels import LEVELS


def test_help_names_every_level() -> None:
    assert f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}" == LEVELS_HELP


def test_play_against_a_bot(home: Path) -> None:
    args = ("play", "even-steven", "--start", "4", "--vs", "perfect", "--seed", "1")
    assert "begins" not in run(home, *args).stdout
    done = run(home, *args, typed="1\nundo\n1\n1\n1\n")
    assert "You subtract 1.\nNew Number: 3\n\nComputer (perfect) subtracts 1" in done.stdout
    assert "Computer (perfect)'s Turn" not in done.stdout
    assert "Took back your −1 and the computer's reply. Number: 4." in done.stdout, done.stdout
    assert done.stdout.endswith(
        "Computer (perfect) wins the game!\nYou lost in 4 moves; 0 of 1 decision right.\n"
    )
    assert "Player 1" not in done.stdout + run(home, "review").stdout + run(home, "show").stdout
    assert "Even-Steven: You against Computer (perfect)\n" in run(home, "review").stdout
    assert "Computer (perfect) beat you\n" in run(home, "history").stdout
    assert document(home, "review", schema="review")["players"][0] == "Player 1"
    drawn = run(home, "review", "--svg", "-").stdout
    assert "Player 1" in drawn
    assert "You" not in drawn
    record = json.loads(run(home, *args, "--json", typed="1\n").stdout)
    assert record["bots"] == [None, "perfect"]
    assert record["seed"] == 1


def test_same_seed_gives_the_same_game_after_a_break(home: Path) -> None:
    args = ("play", "digit-battle", "--lives", "3", "--vs", "easy", "--seed", "11")
    typed = [f"{move}\n" for move in (7, 2, 4, 9, 1, 8, 3, 5, 6, 2, 2, 1, 1, 9)]
    whole = json.loads(run(home, *args, "--json", typed="".join(typed)).stdout)
    run(home, *args, typed="".join(typed[:3]))
    rest = json.loads(run(home, "resume", "--json", typed="".join(typed[3:])).stdout)
    assert rest["games"] == whole["games"]


def test_computer_begins_if_moving_first_loses(home: Path) -> None:
    args = ("play", "even-steven", "--vs", "easy", "--seed", "7")
    begun = run(home, *args).stdout
    assert begun.startswith(
        "From this start, whoever moves second can win, so the computer begins.\n"
        "Reach exactly 0 to win. Subtract 1, or halve an even number.\n\n"
        "=== Even-Steven Game Start ===\n"
    )
    assert begun.endswith(run(home, *args, "--first", "2").stdout)
    assert begun.endswith(run(home, *args, "--first", "computer").stdout)
    assert "begins" not in run(home, *args, "--first", "1").stdout
    for players in ((), ("--watch", "easy", "hard")):
        refused = run(home, "play", "even-steven", *players, "--first", "computer")
        helpful(refused, 2, "'computer' works only with --vs; type 1, 2 or random.")
    assert "begins" not in run(home, "play", "even-steven").stdout
    people = run(home, "play", "even-steven", typed="1\n").stdout
    assert "Reach exactly 0" not in people + run(home, "resume").stdout
    run(home, *args, typed="1\n")
    assert "Reach exactly 0 to win." in run(home, "resume").stdout


def test_nothing_to_undo_before_your_own_first_move(home: Path) -> None:
    args = ("play", "even-steven", "--vs", "perfect", "--first", "2", "--seed", "1")
    done = run(home, *args, typed="undo\n1\n")
    assert "There is nothing to undo: you have made no move" in done.stdout
    assert done.stdout.count("Computer (perfect) subtracts 1") == 2


def test_watch_two_bots(home: Path) -> None:
    args = ("play", "dual-digits", "--watch", "easy", "hard", "--seed", "3", "--games", "2")
    done = run(home, *args)
    assert done.returncode == 0
    assert done.stdout == run(home, *args).stdout
    assert "Score after game 2 of 2: Easy" in done.stdout
    endless = run(
        home, "play", "digit-battle", "--watch", "perfect", "perfect", ZEROSUM_CACHE=tables()
    )
    assert endless.stdout.endswith("Draw: endless play.\n")


def test_unknown_levels_and_contradicting_flags_are_refused(home: Path) -> None:
    listed = f"The levels are {', '.join(LEVELS)}."
    helpful(run(home, "play", "even-steven", "--vs", "hardd"), 2, f"did you mean hard? {listed}")
    done = run(home, "play", "even-steven", "--vs", "easy", "--watch", "easy", "hard")
    helpful(done, 2, "'--vs': cannot be combined with --watch.")


def test_typed_opponent_beats_a_configured_one(home: Path) -> None:
    play = ("play", "even-steven", "--json")
    watch = ("--watch", "easy", "hard")
    configure(home, "[play]\nvs = 'medium'\n")
    assert json.loads(run(home, *play, *watch).stdout)["bots"] == ["easy", "hard"]
    configure(home, "[play]\nwatch = ['easy', 'hard']\n")
    assert json.loads(run(home, *play, "--vs", "medium").stdout)["bots"] == [None, "medium"]
    done = run(home, *play, ZEROSUM_PLAY_VS="medium")
    assert json.loads(done.stdout)["bots"] == [None, "medium"]


def test_bot_accepts_a_draw_only_when_not_winning(home: Path) -> None:
    first = ("--vs", "perfect", "--first", "1")
    lost = run(home, "play", "even-steven", *first, typed="draw\n")
    assert "Computer (perfect) declined the draw." in lost.stdout
    play = ("play", "digit-battle", "--vs", "perfect")
    even = run(home, *play, typed="draw\n", ZEROSUM_CACHE=tables())
    assert "Draw: both players agreed." in even.stdout


def test_review_of_a_resigned_game_speaks_of_you_and_of_each_move_as_its_table(home: Path) -> None:
    play = ("play", "even-steven", "--vs", "easy", "--seed", "1")
    run(home, *play, typed="1\nresign\n")
    shown = run(home, "show").stdout
    run(home, *play, typed="quit\n")  # the computer had opened
    said = run(home, "review").stdout
    for text in (shown, said):
        assert "Computer (easy) won: you resigned.\n" in text
    assert said.startswith("Even-Steven: You against Computer (easy)\n")  # which had begun
    assert re.search(r" You win │.*\n Computer \(easy\) wins │\n", said, re.DOTALL)
    assert said.count("No move changed") == 1
    assert "−1 → 13, wins later: win for " in run(home, "review", "--svg", "-").stdout


def test_draw_is_offered_to_the_computer_only_after_a_question(home: Path) -> None:
    play = ("play", "digit-battle", "--vs", "perfect")
    with Terminal(home, *play, ZEROSUM_CACHE=tables()) as terminal:
        for answer, said in (("no", "The game goes on."), ("draw", "Draw: both players agreed.")):
            terminal.answer(("(1-9): ", "d"), ("Offer a draw? (yes or no): ", answer))
            terminal.expect(said)


def test_coach_is_exact_and_leaves_the_game_s_lines_alone(home: Path) -> None:
    typed = "1\n2\n1\n2\n1\n2\n1\n"
    plain = run(home, "play", "even-steven", typed=typed).stdout
    coached = run(home, "play", "even-steven", "--coach", typed=typed).stdout
    assert "Coach: You lose in 8 moves if your opponent plays well." in coached
    assert "  + 2 (÷2 → 7): win in 7, fastest win" in coached
    assert coached.count("A loss in 8 counts the moves of both players.\n") == 1
    assert coached.count("counts the moves") == 1
    kept = [line for line in coached.splitlines() if not line.startswith(("Coach:", "  "))]
    assert kept == plain.splitlines()


def test_signs_of_the_coach_are_coloured_where_colour_is_shown(home: Path) -> None:
    args = ("play", "even-steven", "--start", "6", "--coach")
    coloured = on_screen(home, *args).stdout
    assert "\x1b[1mCoach: You can force a win in 5 moves.\x1b[0m\n" in coloured
    assert "\n  \x1b[32m+\x1b[0m 1 (−1 → 5): win in 5, best\n" in coloured
    assert "\n  \x1b[31m-\x1b[0m 2 (÷2 → 3): loss in 4\n" in coloured
    for done in (on_screen(home, *args, NO_COLOR="1"), run(home, *args)):
        assert "\n  + 1 (−1 → 5): win in 5, best\n  - 2 (÷2 → 3): loss in 4\n" in done.stdout
    spoken = on_screen(home, *args, "--plain").stdout
    assert "\n  Move 1 (−1 → 5): win in 5, best\n" in spoken


def test_quiet_watching_prints_only_the_final_score(home: Path) -> None:
    watch = ("play", "dual-digits", "--watch", "easy", "hard", "--seed", "3", "--quiet")
    done = run(home, *watch, "--games", "20")
    score, champion = done.stdout.splitlines()
    assert score.startswith("Score after game 20 of 20: Easy ")
    assert champion.startswith("Hard is the champion, ")
    assert done.stderr == ""
    assert len(run(home, *watch).stdout.splitlines()) == 1
    alone = run(home, "play", "dual-digits", "--vs", "easy", "--quiet")
    helpful(alone, 2, "'--quiet': works only with --watch.")


def test_watching_has_a_pace_on_a_terminal_only(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("zerosum.cli.playing.session.time.sleep", pauses.append)
    watch = ("play", "even-steven", "--start", "3", "--watch", "random", "random")
    run(home, *watch)
    assert pauses == []
    on_screen(home, *watch)
    assert pauses == [PACE] * 3
