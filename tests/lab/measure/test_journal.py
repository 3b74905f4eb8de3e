"""A measurement that was stopped goes on where it was, and says the same as one in one go."""

import json
from pathlib import Path
from typing import Any

import pytest

import zerosum
from tests.lab.measure.players import Scripted, any_player
from zerosum.bulk import Table
from zerosum.documents import to_json
from zerosum.errors import ZerosumError
from zerosum.lab.journal import open_journal
from zerosum.lab.measure import measure_player
from zerosum.players.asked import PlayerFailed, PlayerFault
from zerosum.protocol import Move


class Stops(Scripted):
    """A player that fails after some questions."""

    def __init__(self, replies: Any, most: int) -> None:
        super().__init__(replies)
        self.most = most

    def ask(self, state: Any, sample: int = 1, /) -> dict[Move, float]:
        if len(self.questions) == self.most:
            raise PlayerFailed("It stopped.")
        return super().ask(state, sample)


@pytest.mark.parametrize("budget", [None, 20])
def test_stopped_measurement_goes_on_where_it_was(tmp_path: Path, budget: int | None) -> None:
    table, path = Table(zerosum.game("dual-digits", start=12)), str(tmp_path / "journal")
    replies = any_player(table.game, 5, fault=0.1, kinds=("illegal", "unreadable")).replies
    whole = to_json(measure_player(table, Scripted(replies), budget=budget))
    for most in (0, 4, 12):
        with open_journal(path) as journal, pytest.raises(PlayerFailed):
            measure_player(table, Stops(replies, most), budget=budget, journal=journal)
    kept = Path(path).read_bytes()
    assert kept.count(b"\n") in (17, 18)  # a fault may have been asked for twice
    Path(path).write_bytes(kept[:-5])  # the last line is torn
    rest = Scripted(replies)
    with open_journal(path) as journal:
        assert to_json(measure_player(table, rest, budget=budget, journal=journal)) == whole
    assert len(rest.questions) == json.loads(whole)["questions"] - 15
    again = Scripted(replies)
    with open_journal(path) as journal:
        assert to_json(measure_player(table, again, budget=budget, journal=journal)) == whole
    assert again.questions == []


NONSENSE = [[[1, float("nan")]], [[1, 1e308]], [[1, -1.0], [2, 2.0]], [[99, 1.0]], []]


@pytest.mark.parametrize("moves", NONSENSE)
def test_damaged_rows_are_asked_again(tmp_path: Path, moves: Any) -> None:
    game, path = zerosum.game("even-steven"), tmp_path / "journal"
    player = any_player(game, 3)
    with open_journal(str(path)) as journal:
        whole = to_json(measure_player(game, player, journal=journal))
    head, *rows = path.read_text().splitlines()
    entries = [json.loads(row) for row in rows]
    damaged = [{**entry, "row": {**entry["row"], "moves": moves}} for entry in entries]
    nested = "[" * 100_000  # a line that no reader of JSON gets through
    path.write_text("\n".join([head, nested, *map(json.dumps, damaged)]) + "\n")
    player.questions.clear()
    with open_journal(str(path)) as journal:
        assert to_json(measure_player(game, player, journal=journal)) == whole
    assert len(player.questions) == len(rows)


def test_journal_is_of_one_player_and_one_variant(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    for start, name in ((15, "Ada"), (15, "Bob"), (16, "Ada")):
        game = zerosum.game("even-steven", start=start)
        player = any_player(game, start)
        player.identity = name
        with open_journal(path) as journal:
            measured = measure_player(game, player, journal=journal)
        assert len(player.questions) == measured.questions


def test_answers_that_a_busy_machine_lost_are_asked_for_again(tmp_path: Path) -> None:
    path, game = str(tmp_path / "journal"), zerosum.game("even-steven")
    broken = any_player(game, 1, fault=0.5, kinds=("late", "crash"))
    mended = any_player(game, 1)
    with open_journal(path) as journal:
        lost = sum(measure_player(game, broken, journal=journal).faults.values())
    with open_journal(path) as journal:
        measured = measure_player(game, mended, journal=journal)
    assert (lost > 0, sum(measured.faults.values())) == (True, 0)
    assert all(isinstance(broken.replies[state], PlayerFault) for state in mended.questions)


def test_function_without_a_file_has_no_journal(tmp_path: Path) -> None:
    path, game = str(tmp_path / "journal"), zerosum.game("even-steven")
    with open_journal(path) as journal, pytest.raises(ZerosumError, match="its file is named"):
        measure_player(game, lambda game, state: 1, journal=journal)


@pytest.mark.parametrize(
    "row",
    [
        *(None, 7, [], {}, {"moves": [[1, 1.0]]}, {"basis": "odd"}),
        *({"basis": "drawn", "moves": moves} for moves in (7, [[1, "1"]], [[[], 1.0]])),
    ],
    ids=repr,
)
def test_invalid_journal_rows_are_asked_again(tmp_path: Path, row: Any) -> None:
    path, game = tmp_path / "journal", zerosum.game("even-steven")
    player = any_player(game, 1)
    with open_journal(str(path)) as journal:
        whole = measure_player(game, player, journal=journal)
    head, *lines = map(json.loads, path.read_text().splitlines())
    changed = [head, *({**line, "row": row} for line in lines)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in changed))
    again = any_player(game, 1)
    with open_journal(str(path)) as journal:
        assert measure_player(game, again, journal=journal) == whole
    assert again.questions == player.questions
