"""`zerosum play` and `resume`: through a real terminal where that matters."""

import json
import signal
from pathlib import Path

import pytest

from tests.cli.support import document, run
from tests.game_files import COUNTDOWN, STICK
from tests.helpers import Terminal

PROMPT = "Enter your choice: "
END = "Review, again or quit? [quit]: "


def test_unfinished_line_is_dropped_when_time_runs_out(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--clock", "2", "--games", "2") as terminal:
        terminal.expect("Time left: 2 seconds.", PROMPT)
        terminal.press("1")
        terminal.expect("Time is up for Player 1.\r\nPlayer 2 wins the game!")
        terminal.answer(("ready for the next game: ", ""))
        terminal.expect("Game 2 of 2: Player 2 moves first.", PROMPT)
        terminal.press("\n")  # would have finished the 1
        terminal.expect(
            "Legal now: 1.", "Time is up for Player 2.", "The match is tied, 1 to 1", END
        )
        terminal.press("\x03")
        assert terminal.wait() == 130
    assert json.loads(run(home, "history", "--json").stdout)["matches"] == []  # without a move


def test_clock_counts_down_above_the_prompt(home: Path) -> None:
    flags = ("play", "even-steven", "--clock", "60")
    with Terminal(home, *flags) as terminal:
        terminal.expect("Time left: 60 seconds.", PROMPT)
        terminal.press("hel")
        # one row up, and back
        terminal.expect("\x1b7\x1b[A", "Time left: 59 seconds.")
        terminal.answer(("\x1b8", "p"))
        terminal.expect("help: this list", "Time left: ", PROMPT)
    for plain in ([], ["--plain"]):
        out = run(home, *flags, *plain, typed="1\n").stdout
        assert out.count("Time for this turn: 60 seconds.") == 2  # once a turn
        assert "Time left" not in out


def test_clock_waits_for_the_answer_to_a_draw_offer(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--clock", "2") as terminal:
        terminal.answer((PROMPT, "draw"))
        terminal.expect("(yes or no): ")
        with pytest.raises(AssertionError, match="was not printed"):
            terminal.expect("Time is up", timeout=2.2)
        terminal.type("no")
        terminal.expect("Player 2 declined the draw.")
        terminal.answer((PROMPT, "1"))
        terminal.expect("New Number: 14")


def test_every_word_works_at_the_prompt(home: Path) -> None:
    typed = "help\nrules\nmoves\nundo\nsave\nhint\nwhy\n?\n HELP \n1\nsave\nundo\n1\nresign\n"
    done = run(home, "play", "even-steven", typed=typed)
    out = done.stdout
    for word in ("help", "rules", "moves", "coach", "undo", "draw", "resign", "menu", "quit"):
        assert f"  {word}: " in out
    assert "## Your turn" in out
    assert "1: Subtract 1, leaving 14" in out
    assert "Not 2: Only an even number can be divided by 2." in out
    assert "There is nothing to undo" in out
    assert "There is nothing to save: this match has no move yet." in out
    assert "Every move is saved at once. Resume with: python -m zerosum resume" in out
    assert "Took back Player 1's −1. Number: 15." in out
    assert out.count("Current Number: 15") == 3  # at first, after the rules, and after undo
    assert out.endswith("Player 2 resigns.\nPlayer 1 wins the game!\n")
    assert done.returncode == 0


def test_beginnings_and_mistyped_words_are_understood(home: Path) -> None:
    typed = "h\nhlp\nm\nHI\nquti\nres\n"
    out = run(home, "play", "even-steven", "--start", "8", typed=typed).stdout
    first, *said = out.split("Enter your choice: ")[1:]
    assert "help: this list" in first
    assert said[0] == "hlp\nDid you mean help? Legal now: 1, 2.\n"
    assert said[1] == "m\n'm' is unclear: type moves or menu. Legal now: 1, 2.\n"
    assert said[2].startswith("HI\nPlay ")
    assert said[3] == "quti\nDid you mean quit? Legal now: 1, 2.\n"
    assert said[4].startswith("res\nPlayer 1 resigns.\n")
    assert run(home, "play", "even-steven", typed="1\nq\n9\n").stderr.startswith("Saved. ")


LETTERS = """
from zerosum import Game, Outcome
from typing import NamedTuple

class State(NamedTuple):
    left: int
    player: int

class Letters(Game[State]):
    "Type letters in turn, h first; whoever types the last one wins."
    def initial(self): return State(3, 0)
    def moves(self, state): return ("h",) if state.left == 3 else ("q", "up")
    def play(self, state, move): return State(state.left - 1, 1 - state.player)
    def outcome(self, state):
        return None if state.left else Outcome(1 - state.player, "the last letter")
"""


def test_the_moves_of_a_game_win_over_words(home: Path) -> None:
    (home / "letters.py").write_text(LETTERS)
    out = run(home, "play", "./letters.py", typed="q\nu\nup\nhin\nh\nUP\nq\n").stdout
    answers = [text.partition("\n")[2] for text in out.split("Your move: ")[1:]]
    assert answers[0] == "q is not a legal move. Legal now: h.\n"
    assert answers[1].startswith("There is nothing to undo")  # u is no move
    assert answers[2] == "up is not a legal move. Legal now: h.\n"
    assert answers[3].startswith("Your only move is ")
    assert "Player 1 wins: the last letter." in answers[6]
    later = LETTERS.replace('("h",)', "(1, 2)").replace('("q", "up")', '(1, "slide")')
    (home / "letters.py").write_text(later)
    out = run(home, "play", "./letters.py", typed="slide\n").stdout
    assert "'slide' is not a legal move. Legal now: 1, 2. " in out
    wrong = run(home, "solve", "./letters.py", "--moves", "slide").stderr
    assert "move 1: 'slide' is not a legal move." in wrong
    faulty = LETTERS.replace('("q", "up")', "(1 / 0,)")
    (home / "letters.py").write_text(faulty)
    done = run(home, "play", "./letters.py", typed="q\n")
    assert done.returncode == 0, done.stderr


def test_commands_work_at_the_draw_question(home: Path) -> None:
    typed = "1\ndraw\nhelp\nhint\ndraw\nsave\nmoves\nundo\n1\ndraw\nresign\n"
    out = run(home, "play", "even-steven", "--start", "8", typed=typed).stdout
    assert "Type yes or no. Or type a command, or its beginning:" in out
    assert "For Player 2, who is to move:\nYour only move is 1 (−1 → 6)." in out
    assert "A draw has already been offered: type yes or no." in out
    assert "Every move is saved at once. Resume with: " in out
    assert "1: Subtract 1, leaving 6" in out
    assert out.count("Player 1, do you accept the draw? (yes or no): ") == 7
    assert "Took back Player 1's −1. Number: 8.\nPlayer 1's Turn:" in out
    assert out.endswith("Player 1 resigns.\nPlayer 2 wins the game!\n")


def test_resume_keeps_the_coach(home: Path) -> None:
    run(home, "play", "even-steven", "--coach", typed="1\n")
    assert "Coach: " in run(home, "resume", typed="1\n").stdout
    assert "Coach: " not in run(home, "resume", "--no-coach").stdout
    assert "Coach: " not in run(home, "resume").stdout
    assert "Coach: " in run(home, "resume", "--coach", typed="1\n").stdout
    assert "Coach: " in run(home, "resume").stdout


def test_coach_is_switched_at_the_prompt_and_stays_so(home: Path) -> None:
    typed = "coach\n1\ncoach off\n1\ncoach on\nmenu\n"
    done = run(home, "play", "even-steven", typed=typed)
    asked = done.stdout.split("Enter your choice: ")
    assert [n for n, text in enumerate(asked) if "Coach: " in text] == [1, 2, 5]
    assert "The coach is on.\nCoach: You lose in 8 moves" in asked[1]
    assert "The coach is off." in asked[3]
    assert "Type 'quit' first, then open the menu with: python -m zerosum\n" in asked[6]
    assert "Coach: " in run(home, "resume").stdout


def test_plain_leaves_out_decoration(home: Path) -> None:
    done = run(home, "play", "number-navigator", "--start", "2", "--plain", typed="2\n")
    assert done.stdout.startswith("Number Navigator Game Start\nPlayer 1's Turn\n")
    assert done.stdout.endswith("won the game!\nGame Over\n")
    assert not any(line.strip("-=* ") == "" for line in done.stdout.splitlines())


def test_moved_game_file_is_named_again(home: Path) -> None:
    (home / "a.py").write_text(Path(STICK).read_text())
    run(home, "play", "./a.py", typed="1\n")
    (home / "a.py").rename(home / "b.py")
    lost = run(home, "resume")
    assert lost.returncode == 1
    assert "of the game last-stick, from ./a.py. If you trust that file, run: " in lost.stderr
    command = lost.stderr.split()[lost.stderr.split().index("resume") :]
    assert command[2:] == ["--game", "./a.py"]
    assert "There is no file ./a.py." in run(home, *command).stderr
    found = run(home, "resume", "--game", "./b.py")
    assert "Sticks: 10" in found.stdout
    command = found.stderr.split()[found.stderr.split().index("resume") :]
    assert command[2:] == ["--game", "./b.py"]
    assert "Sticks: 10" in run(home, *command).stdout
    assert "from ./b.py" in run(home, "resume").stderr  # the new path is saved
    for name in ("show", "review", "export"):
        assert run(home, name, *command[1:]).returncode == 0
        assert "--game ./b.py" in run(home, name, command[1]).stderr


def test_last_move_can_be_taken_back(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--start", "2", "--games", "2") as terminal:
        terminal.answer((PROMPT, "help"))
        terminal.expect("To be called by your names, begin with --names A B.")
        for typed in "11":
            terminal.answer((PROMPT, typed))
        terminal.expect("Score after game 1 of 2: Player 1 0, Player 2 1.")
        terminal.answer(("ready for the next game: ", "undo"))
        terminal.expect("Took back Player 2's −1. Number: 1.", PROMPT)
        for answer in ("no", "yes"):
            terminal.type("resign")
            terminal.answer(("Resign? Your opponent wins this game. (yes or no): ", answer))
            if answer == "no":
                terminal.expect("The game goes on.", PROMPT)
        terminal.expect("Score after game 1 of 2: Player 1 1, Player 2 0.")
        terminal.answer(("ready for the next game: ", ""))
        for typed in "11":
            terminal.answer((PROMPT, typed))
        terminal.expect("Player 1 is the champion, 2 to 0!")
        for typed, said in (
            ("help", "Type review, again or quit. Or type a command, or its beginning:"),
            ("hint", "The game is over."),
            ("moves", "The game is over."),
            ("save", "Review with: "),
            ("later", "Type review, again or quit."),
            ("undo", "Took back Player 1's −1. Number: 1."),
        ):
            terminal.answer((END, typed))
            terminal.expect(said)
        terminal.expect(PROMPT)
        terminal.press("\x04")
        assert terminal.wait() == 0
    (match,) = document(home, "history", schema="history")["matches"]
    assert (match["score"], match["plies"], match["over"]) == ([1, 0], 2, False)
    assert document(home, "stats", schema="stats")["games"][0]["games"] == 1
    assert "is the champion, 2 to 0!" in run(home, "resume", typed="1\n").stdout
    assert document(home, "stats", schema="stats")["games"][0]["games"] == 2


def test_review_and_the_same_again_after_a_match(home: Path) -> None:
    with Terminal(home, "play", "even-steven", "--start", "1") as terminal:
        terminal.expect("Player 1's Turn:")
        terminal.answer((PROMPT, "1"), (END, "review"))
        terminal.expect("no real choice")
        terminal.answer((END, "again"))
        terminal.expect("Player 2's Turn:")  # the other player moves first
        terminal.answer((PROMPT, "1"))
        terminal.expect("Player 2 wins the game!")
        terminal.answer((END, "q"))
        assert terminal.wait() == 0
    assert len(json.loads(run(home, "history", "--json").stdout)["matches"]) == 2


def test_same_seed_tosses_the_same_coin(home: Path) -> None:
    def toss(seed: int) -> str:
        flags = ("--first", "random", "--seed", str(seed))
        return run(home, "play", "even-steven", *flags).stdout.splitlines()[0]

    tossed = [toss(seed) for seed in range(8)]
    assert tossed == [toss(seed) for seed in range(8)]
    assert set(tossed) == {f"Coin toss: Player {n} moves first." for n in (1, 2)}


def test_taken_flag_of_an_own_game_gets_another_name(home: Path) -> None:
    options = "(Game[State]):\n    seed: int = 2\n    word: str = 'x'"
    seeded = COUNTDOWN.replace("(Game[State]):", options).replace("State(3", "State(self.seed")
    (home / "seeded.py").write_text(seeded.replace("Countdown", "Seeded"))
    done = run(home, "play", "./seeded.py", "--game-seed", "1", "--word", "y", typed="4\n1\n")
    assert "Only 1. Legal now: 1." in done.stdout
    assert done.stdout.endswith("Number: 0\nPlayer 1 wins: zero.\n")
    (match,) = json.loads(run(home, "history", "--json").stdout)["matches"]
    assert match["game"] == "seeded"
    shown = run(home, "show", match["id"], "--game", "./seeded.py").stdout
    assert shown.count("Player 1 wins") == 1


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGHUP])
def test_a_signal_that_ends_a_terminal_game_loses_no_move(home: Path, end: signal.Signals) -> None:
    with Terminal(home, "play", "dual-digits") as terminal:
        terminal.answer(("subtract: ", "4"))
        terminal.expect("New Shared Number: 21", "subtract: ")
        terminal.process.send_signal(end)
        assert terminal.wait() == -end
    assert "Previous Opponent's Number: 4" in run(home, "resume").stdout
