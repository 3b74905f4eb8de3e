"""The arena: who is paired how, what is played, saved, and added."""

import contextlib
import json
import os
import shlex
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
import pytest

import zerosum
from tests.players.engines import script
from zerosum.bulk import Table, outcome_chances
from zerosum.documents import read, to_json
from zerosum.errors import ZerosumError
from zerosum.lab.arena.arena import Arena, work_in_process
from zerosum.lab.arena.errands import ArenaRow
from zerosum.lab.arena.leaderboard import Leaderboard
from zerosum.lab.arena.report import leaderboard_report, leaderboard_svg
from zerosum.lab.arena.venues import LOOKS, ArenaSettings
from zerosum.lab.audit.processes import many_games
from zerosum.lab.journal import Journal, open_journal
from zerosum.lab.measure import measure_player
from zerosum.players import policy_of
from zerosum.players.autoplay import interval
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.reports import Medium, to_text

GAME = zerosum.game("dual-digits", start=9)
# So few positions are allowed that there is no table: only two players play, and quickly.
FEW = ArenaSettings(within=0.45, positions=5)
MINE = """
import random

def draws(game, state):
    return random.choice(game.moves(state))

def illegal(game, state):
    return 77 if state.number < 6 else game.moves(state)[0]
illegal.deterministic = True

def chances(game, state):
    moves = game.moves(state)
    return dict.fromkeys(moves, 1 / len(moves))
"""


def first(game: Any, state: Any) -> Any:
    return {game.moves(state)[0]: 1.0}


CRASHES = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        said = {"type": "ready", "protocol": 1, "deterministic": True}
    else:
        open("asked", "a").write(".")
        if message["state"]["number"] == 8 and not os.path.exists("go"):
            sys.exit(1)
        said = {"id": message["id"], "move": message["moves"][0]}
    print(json.dumps(said), flush=True)
"""


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a file with players."""
    file = tmp_path_factory.mktemp("players") / "mine.py"
    file.write_text(MINE)
    return str(file)


def held(
    players: Any, settings: ArenaSettings, jobs: int = 1, journal: Journal | None = None
) -> str:
    with many_games.local(jobs) as workers:
        return to_json(Arena([GAME], players, settings).run(workers, journal))


@pytest.fixture(scope="module")
def drawn(mine: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], str, bytes]:
    """Two players who play, the leaderboard, and the journal."""
    players, path = ["random", f"Ada={mine}:draws"], tmp_path_factory.mktemp("drawn") / "journal"
    with open_journal(str(path), kind="arena") as journal:
        whole = held(players, FEW, 2, journal)
    return players, whole, path.read_bytes()


def test_known_players_are_paired_exactly_and_the_levels_are_always_there() -> None:
    games: list[Game[Any]] = [GAME, zerosum.game("even-steven")]
    array = policy_of(Table(GAME), first)
    board = Arena(games, {"first": first, "alias": "hard"}).run()
    alone = Arena([GAME], {"array": array}).run()
    assert board.exact
    assert board.played == 0
    assert {standing.player for standing in board.standings} == {*LEVELS, "first", "alias"}
    table = Table(GAME)
    policy: dict[str, Any] = {level: policy_of(table, level) for level in LEVELS}
    policy["first"] = array
    policy["alias"] = policy["hard"]
    pairings = [pairing for pairing in board.pairings if pairing.game == "dual-digits?start=9"]
    assert len(pairings) == 21
    for pairing in pairings:
        both = policy[pairing.player], policy[pairing.opponent]
        won, lost, *_ = outcome_chances(table, *both)[table.start]
        assert (pairing.first.wins, pairing.first.losses) == pytest.approx((won, lost))
        assert pairing.score.low == pairing.score.high
    standings = {standing.player: standing for standing in board.standings}
    scores = {name: standings[name].right for name in ("alias", "hard")}
    assert scores["alias"] == scores["hard"]
    assert standings["random"].rating.value == 0  # type: ignore[union-attr]
    # What is judged is what `measure` says.
    measured = measure_player(table, array)
    (judged,) = (one for one in alone.judgements if one.player == "array")
    assert (judged.right, judged.slips, judged.regret) == (
        measured.good,
        measured.slips,
        measured.regret,
    )
    assert judged.exploitability == measured.worst.exploitability  # type: ignore[union-attr]
    assert standings["first"].right.value == pytest.approx(  # type: ignore[union-attr]
        np.mean([j.right.value for j in board.judgements if j.player == "first"])  # type: ignore[union-attr]
    )
    assert read(Leaderboard, to_json(board)) == board


def test_games_are_the_same_for_any_number_of_jobs_and_after_a_stop(
    drawn: tuple[list[str], str, bytes], tmp_path: Path
) -> None:
    players, whole, kept = drawn
    path = str(tmp_path / "journal")
    board = msgspec.json.decode(whole)
    (pairing,) = board["pairings"]
    games = sum(pairing[seat][end] for seat in ("first", "second") for end in ("wins", "losses"))
    assert not pairing["exact"]
    # Both seats have as many games, until the interval is narrow enough.
    assert pairing["first"]["wins"] + pairing["first"]["losses"] == games / 2
    assert games in [FEW.most_games // part for part in LOOKS]
    wins = pairing["first"]["wins"] + pairing["second"]["wins"]
    low, high = interval(wins / games, games, len(LOOKS))
    assert (pairing["score"]["low"], pairing["score"]["high"]) == (low, high)
    assert high - low <= 2 * FEW.within or games == FEW.most_games
    # What is left of the journal after a kill is not played again.
    lines = kept.splitlines(keepends=True)
    Path(path).write_bytes(b"".join(lines[:2]) + lines[2][:-9])
    done = []

    def counted(job: Any, **how: Any) -> Any:
        done.append(job)
        return work_in_process(job, **how)

    with (
        open_journal(path, kind="arena") as journal,
        patch("zerosum.lab.arena.arena.work_in_process", counted),
    ):
        assert held(players, FEW, 1, journal) == whole
    assert len(done) == len(lines) - 2


def test_damaged_rows_are_played_again(drawn: tuple[list[str], str, bytes], tmp_path: Path) -> None:
    players, whole, kept = drawn
    path = tmp_path / "journal"
    head, *rows = kept.decode().splitlines()
    damaged = [json.loads(row) for row in rows]
    none = dict.fromkeys(damaged[0]["row"]["first"], 0)
    wrong: list[dict[str, Any]] = [
        {"first": {**none, "wins": -25}},
        {"first": {**none, "wins": 1e308, "losses": 1e308}},
        {"first": none},
        {"second": None},
        {"known": ["x!", "y"]},
        {"failed": "No.", "guilty": "nobody"},
        {"faults": []},
    ]
    for change in wrong:
        with contextlib.suppress(msgspec.ValidationError):
            assert not msgspec.convert({**damaged[0]["row"], **change}, ArenaRow).lasting
    damaged[-1]["row"]["faults"] = []
    path.write_text("\n".join([head, *map(json.dumps, damaged)]) + "\n")
    with open_journal(str(path), kind="arena") as journal:
        assert held(players, FEW, 2, journal) == whole


def test_faults_lose_and_are_counted_apart(mine: str) -> None:
    board = read(Leaderboard, held(["random", f"Bad={mine}:illegal"], FEW, 2))
    (pairing,) = board.pairings
    assert pairing.player == "Bad"
    both = [pairing.first, pairing.second]
    assert sum(seat.forfeits for seat in both) == pairing.faults["illegal"] > 0
    assert sum(seat.losses for seat in both) >= pairing.faults["illegal"]
    assert sum(seat.draws + seat.gifts for seat in both) == 0
    assert sum(pairing.opponent_faults.values()) == 0
    (bad,) = (standing for standing in board.standings if standing.player == "Bad")
    assert bad.faults["illegal"] == pairing.faults["illegal"]
    assert "illegal" in to_text(leaderboard_report(board))


def test_functions_with_chances_are_exact_and_the_others_play(mine: str) -> None:
    players = [f"Ada={mine}:chances", f"Bad={mine}:illegal"]
    board = read(Leaderboard, held(players, ArenaSettings(), 2))
    assert board.exact
    standings = {standing.player: standing for standing in board.standings}
    assert (standings["Ada"].right, standings["Ada"].slips) == (
        standings["random"].right,
        standings["random"].slips,
    )
    (pairing,) = (one for one in board.pairings if {one.player, one.opponent} == {"Ada", "Bad"})
    assert pairing.player == "Ada"
    # Whoever plays at random meets every fault of the other one; it has none itself.
    for seat in (pairing.first, pairing.second):
        assert seat.wins >= seat.gifts > seat.forfeits == 0
    (judged,) = (one for one in board.judgements if one.player == "Bad")
    assert judged.faults["illegal"] > 0


def test_answers_of_a_player_that_stopped_are_not_asked_for_again(tmp_path: Path) -> None:
    # Until a file is there, it crashes in one position.
    program = script(tmp_path, CRASHES)
    players, folder = [f"Ada=exec:{shlex.join(program)}"], str(tmp_path / "answers")
    os.makedirs(folder)

    def asked(fresh: bool = False) -> int:
        before = (tmp_path / "asked").stat().st_size if (tmp_path / "asked").exists() else 0
        with many_games.local(1) as workers:
            board = Arena([GAME], players).run(workers, None, folder, fresh)
        faults = next(one.faults for one in board.standings if one.player == "Ada")
        assert faults.get("crash", 0) == (not (tmp_path / "go").exists())
        return (tmp_path / "asked").stat().st_size - before

    with contextlib.chdir(tmp_path):
        many = asked()
        (tmp_path / "go").touch()
        assert 1 <= asked() <= 2  # where it crashed
        assert os.listdir(folder) == []
        assert asked(fresh=True) >= many


def test_newcomers_are_added_to_an_earlier_leaderboard() -> None:
    early = Arena([GAME], {"first": policy_of(Table(GAME), first)}).run()
    # What an earlier leaderboard says is not computed again: here it is made to differ.
    changed = [
        msgspec.structs.replace(pairing, exact=True, score=pairing.score.__class__(0.5, 0.5, 0.5))
        for pairing in early.pairings
    ]
    marked = msgspec.structs.replace(early, pairings=tuple(changed))
    arena = Arena([GAME], ["Ada=easy"])
    arena.take(marked)
    late = arena.run()
    scores = {(p.player, p.opponent): p.score.value for p in late.pairings}
    assert scores["easy", "hard"] == 0.5
    assert scores["Ada", "hard"] != 0.5
    other = Arena([zerosum.game("dual-digits", start=10)], ["easy"])
    other.take(marked)
    assert other.run() == Arena([zerosum.game("dual-digits", start=10)], ["easy"]).run()
    swapped = [
        msgspec.structs.replace(pairing, player=pairing.opponent, opponent=pairing.player)
        for pairing in early.pairings
    ]
    twice = Arena([GAME], ["Ada=easy"])
    twice.take(msgspec.structs.replace(early, pairings=tuple(swapped)))
    assert len(twice.run().pairings) == len(late.pairings)
    with pytest.raises(ZerosumError, match="use --seed 0 --samples 10"):
        Arena([GAME], ["easy"], ArenaSettings(seed=4)).take(early)


def test_player_that_fails_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    program = script(tmp_path, 'print(\'{"error": "I only play Even-Steven."}\')')
    players = [f"Picky=exec:{shlex.join(program)}", "hard"]
    board = read(Leaderboard, held(players, ArenaSettings()))
    (absence,) = board.absences
    assert (absence.player, absence.game) == ("Picky", "dual-digits?start=9")
    assert "I only play Even-Steven." in absence.reason
    (picky,) = (standing for standing in board.standings if standing.player == "Picky")
    assert (picky.rating, picky.games) == (None, 0)
    assert board.standings[-1] == picky
    assert "Picky" not in {pairing.player for pairing in board.pairings}


def test_players_are_told_apart(mine: str, tmp_path: Path) -> None:
    def refused(players: Any, words: str, game: Any = GAME, **settings: Any) -> None:
        with pytest.raises(ZerosumError, match=words):
            Arena([game], players, ArenaSettings(**settings)).run()

    refused(["hrad"], "did you mean hard")
    refused([f"hard={mine}:draws"], "Only the level itself can be called hard")
    refused([f"Ada={mine}:draws", "Ada=easy"], "Two players are called Ada")
    refused(["\x07=easy"], "cannot be a player's name")
    refused(["easy"], "Name a second player", positions=5)
    refused({"Ada": first, "Bob": first}, "Ada needs a table of the game", positions=5)
    refused({"Ada": lambda game, state: game.moves(state)[0]}, "Name it by its file")
    refused([f"Ada={mine}:draws"], "need an executor")
    np.save(tmp_path / "policy.npy", policy_of(Table(GAME), "easy"))
    (tmp_path / "text.npy").write_text("no numbers")
    refused([str(tmp_path / "text.npy")], "is not an array")
    np.savez(tmp_path / "archive.npz", np.zeros(3))
    whole = (tmp_path / "archive.npz").read_bytes()
    shapes = (b"(1" + b"0" * 13 + b",)", b"(1" + b"0" * 25 + b",)", b"(True,)", b"-" * 9000 + b"1")
    heads = [b"{'descr': '<f8', 'fortran_order': False, 'shape': %s}\n" % shape for shape in shapes]
    arrays = [b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head for head in heads]
    for content in (whole, whole[:50], *arrays):
        (tmp_path / "odd.npy").write_bytes(content)
        refused([str(tmp_path / "odd.npy")], "is not an array")
    refused([str(tmp_path / "none.npy")], "No such file")
    twice = Arena([GAME], ["easy", "easy", str(tmp_path / "policy.npy")]).run()
    assert len(twice.standings) == 6
    ratings = {s.player: s.rating.value for s in twice.standings if s.rating}
    assert ratings["policy.npy"] == pytest.approx(ratings["easy"])


def test_pictures_and_plain_text_say_what_the_document_says() -> None:
    board = Arena([GAME], {"<Ada> & 'Bob' ": first}).run()
    drawn = leaderboard_svg(board)
    assert "&lt;Ada&gt; &amp; 'Bob'" in drawn
    fit = board.fits[0]
    assert f"{fit.player} against {fit.opponent}: {fit.score.value:.3f}" in drawn
    plain = to_text(leaderboard_report(board), Medium(plain=True))
    assert f"Player: {board.standings[0].player}. Rating: " in plain
    assert f"{fit.player} scores {fit.score.value:.3f} against {fit.opponent}" in plain
