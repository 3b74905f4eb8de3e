"""Solutions in the cache: found again, and never trusted when anything about them is wrong."""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from tests import game_files
from tests.game_files import EXAMPLES
from tests.games import GAMES_FILE
from tests.graphs import Graph, graphs
from tests.naive import Naive
from zerosum.errors import TooLarge, TooSlow
from zerosum.limits import Limits
from zerosum.solver import solve, solve_table, solved_table
from zerosum.solver.cache import SMALLEST, TABLE, UNFINISHED, Cache, prune
from zerosum.solver.solution import Solution
from zerosum.solver.table import too_slow

GAME = zerosum.game("digit-battle", lives=2)
LAST_STICK = Path(game_files.STICK).read_text()


def solved(folder: Path | str, game: Any = GAME) -> Solution[Any]:
    return solve_table(game, cache=str(folder))


def cache_file(folder: Path, game: Any = GAME) -> Path:
    return Path(Cache(game, str(folder)).path(TABLE))


def same_tables(first: Any, second: Any) -> bool:
    """Compare two solved tables in all their parts."""
    arrays = (first.worth == second.worth).all() and (first.plies == second.plies).all()
    return first.graph == second.graph and bool(arrays)


@given(graphs())
def test_a_cached_solution_of_any_game_is_the_same(game: Graph) -> None:
    with TemporaryDirectory() as folder:
        table = solved(folder, game).solved
        loaded = Cache(game, folder).load()
        solution = solved(folder, game)
    assert loaded is not None
    assert same_tables(table, loaded)
    assert {type(state) for state in loaded.graph.index} == {type(game.initial())}
    assert all(solution.value(state) == value for state, value in Naive(game).values.items())


def test_a_cached_solution_of_a_symmetric_game_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = solved(tmp_path)
    assert cache_file(tmp_path).exists()
    monkeypatch.setattr("zerosum.solver.table.build_table", None)  # nothing is solved again
    again = solved(tmp_path)
    assert same_tables(first.solved, again.solved)
    state = GAME.play(GAME.initial(), 9)  # with the second seat to move
    assert again.moves(state) == first.moves(state)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from((TABLE, "law")), data=st.data())
def test_damaged_files_are_ignored(tmp_path: Path, kind: str, data: st.DataObject) -> None:
    truth, cache = solved(tmp_path), Cache(GAME, str(tmp_path))
    cache.keep("law", [1, 2, 3])
    path = Path(cache.path(kind))
    whole = path.read_bytes()
    how = data.draw(st.sampled_from(("cut", "flip", "longer", "other")))
    at = data.draw(st.integers(0, len(whole) - 1))
    if how == "cut":
        broken = whole[:at]
    elif how == "flip":
        broken = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    elif how == "longer":
        broken = whole + b"x"
    else:
        broken = data.draw(st.binary(max_size=200))
    path.write_bytes(broken)
    assert (cache.load() if kind == TABLE else cache.kept("law")) is None
    assert same_tables(solved(tmp_path).solved, truth.solved)


def test_unwritable_cache_folder_is_ignored() -> None:
    assert solved("/dev/null/x").value(GAME.initial()).result == "draw"


def test_numbers_too_long_for_json_are_not_cached(tmp_path: Path) -> None:
    path = tmp_path / "long_sticks.py"
    path.write_text(
        LAST_STICK.replace("State(self.start, 0)", "State(self.start, 0, 10**5000)")
        .replace("    player: int\n", "    player: int\n    weight: int\n")
        .replace("1 - state.player)", "1 - state.player, state.weight)")
    )
    game = zerosum.game(str(path))
    assert solved(tmp_path / "cache", game).value(game.initial()).result == "win"


def test_unfinished_files_are_removed(tmp_path: Path) -> None:
    old, new = tmp_path / "x.table.cache.123", tmp_path / "x.table.cache.124"
    for path in (old, new):
        path.write_bytes(b"half")
    before = time.time() - UNFINISHED - 60
    os.utime(old, (before, before))
    solved(tmp_path)
    assert not old.exists()
    assert new.exists()  # somebody may be writing it


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_links_are_not_followed(tmp_path: Path) -> None:
    truth = solved(tmp_path / "elsewhere")
    there = cache_file(tmp_path / "elsewhere")
    whole = there.read_bytes()
    (tmp_path / "shared").mkdir()
    link = cache_file(tmp_path / "shared")
    link.symlink_to(there)
    assert Cache(GAME, str(tmp_path / "shared")).load() is None
    assert same_tables(solved(tmp_path / "shared").solved, truth.solved)
    assert not link.is_symlink()  # replaced, and what it led to is unchanged
    assert there.read_bytes() == whole


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("how", ["writable", "pipe", "foreign"])
def test_what_others_could_have_written_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    solved(tmp_path)
    path = cache_file(tmp_path)
    if how == "writable":
        path.chmod(0o620)
    elif how == "foreign":
        monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    else:
        path.unlink()
        os.mkfifo(path)
    assert Cache(GAME, str(tmp_path)).load() is None


def test_only_the_user_can_read_a_new_cache(tmp_path: Path) -> None:
    solved(tmp_path / "cache")
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700
    assert cache_file(tmp_path / "cache").stat().st_mode & 0o777 == 0o600


def test_the_file_of_another_variant_is_ignored(tmp_path: Path) -> None:
    other = zerosum.game("digit-battle", lives=3)
    solved(tmp_path, other)
    cache_file(tmp_path, other).replace(cache_file(tmp_path))
    assert Cache(GAME, str(tmp_path)).load() is None


@pytest.mark.parametrize(("name", "most"), [("LARGEST", 2 * SMALLEST), ("MOST_FILES", 2)])
def test_oldest_files_are_deleted_when_the_cache_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    monkeypatch.setattr(f"zerosum.solver.cache.{name}", most)
    for hours, name in enumerate(("b.table.cache", "c.json", "a.npz", "d.json", "notes.txt")):
        path = tmp_path / name
        path.write_bytes(bytes(10))
        os.utime(path, (path.stat().st_atime, time.time() - 3600 * hours))
    prune(str(tmp_path))
    assert set(os.listdir(tmp_path)) == {"b.table.cache", "c.json", "notes.txt"}


def test_findings_belong_to_their_variant_kind_and_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(GAME, str(tmp_path))
    assert cache.kept("law") is None
    cache.keep("law", {"number": 10**30, "text": "½"})
    assert cache.kept("law") == {"number": 10**30, "text": "½"}
    (file,) = tmp_path.glob("*.law.cache")
    for other, kind in ((GAME, "audit"), (zerosum.game("digit-battle", lives=3), "law")):
        elsewhere = Cache(other, str(tmp_path))
        assert elsewhere.kept(kind) is None
        Path(elsewhere.path(kind)).write_bytes(file.read_bytes())
        assert elsewhere.kept(kind) is None
    for source in ("_program", "parts_fingerprint", "fingerprint"):
        with monkeypatch.context() as changed:
            changed.setattr(f"zerosum.solver.cache.{source}", lambda *_: "changed")
            assert Cache(GAME, str(tmp_path)).kept("law") is None
    assert cache.kept("law") is not None


@pytest.mark.parametrize("name", ["words.py", "theory.py", "rulebook.md"])
def test_what_is_kept_depends_on_all_files_of_a_game(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "sticks"
    folder.mkdir()
    (folder / "rules.py").write_text((EXAMPLES / "last_stick.py").read_text())
    cache = Cache(zerosum.game(str(folder)), str(tmp_path))
    cache.keep("audit", "as it was")
    assert cache.kept("audit") == "as it was"
    (folder / name).write_text("")
    assert cache.kept("audit") is None


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    code = (
        "import sys, zerosum; from zerosum.solver import solve_table\n"
        "for n in (1, 2, 3):\n"
        "    game = zerosum.game('digit-battle', lives=n)\n"
        "    print(solve_table(game, cache=sys.argv[1]).value(game.initial()).result)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    racers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {racer.communicate()[0] for racer in racers}
    assert len(outputs) == 1
    assert len(os.listdir(tmp_path)) == 3


def test_refusals_are_remembered_with_the_rules_and_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = tmp_path / "sticks.py", str(tmp_path / "cache")
    path.write_text(LAST_STICK)
    game = zerosum.game(str(path), start=40)
    with pytest.raises(TooLarge) as first:
        solve(game, Limits(20), cache=cache)
    walks: list[int] = []

    def counting(game: Any, limits: Limits, *arguments: Any, **named: Any) -> Any:
        walks.append(limits.positions)
        return solved_table(game, limits, *arguments, **named)

    monkeypatch.setattr("zerosum.solver.cache.solved_table", counting)
    for limit in (20, 19, 1):
        with pytest.raises(TooLarge, match=f"more than {limit} position") as again:
            solve(game, Limits(limit), cache=cache)
    assert not walks
    assert again.value.limit == 1
    assert str(first.value) == "Last Stick has more than 20 positions, the limit for a table."
    with pytest.raises(TooLarge):
        solve(game, Limits(21), cache=cache)  # a larger limit is asked anew
    other = tmp_path / "other.py"
    other.write_text(path.read_text() + "\n# other rules\n")
    with pytest.raises(TooLarge):
        solve(zerosum.game(str(other), start=40), Limits(20), cache=cache)
    assert walks == [21, 20]
    assert solve(game, cache=cache).value(game.initial()).result == "win"
    with pytest.raises(TooLarge, match="more than 20 positions"):
        solve(game, Limits(20), cache=cache)
    assert len(walks) == 3  # now the size is known


def test_a_table_that_took_too_long_is_not_tried_again_in_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tried = zerosum.game(f"{GAMES_FILE}:Sticks", start=40), list[float]()

    def late(game: Any, limits: Limits) -> Any:
        seconds = limits.seconds or 0.0
        tried.append(seconds)
        raise too_slow(game, seconds)

    monkeypatch.setattr("zerosum.solver.cache.solved_table", late)
    now, before = "was not finished within", "takes more than"
    for seconds, said in (
        *((1.0, f"{now} 1 second"), (1.0, f"{now} 1 second"), (5.0, f"{now} 5 seconds")),
        *((5.0, f"{before} 5 seconds"), (2.0, f"{before} 5 seconds")),
        *((20.0, f"{now} 20 seconds"), (20.0, f"{before} 20 seconds")),
    ):
        again = ", as was found before; it was not tried again" * (before in said)
        with pytest.raises(TooSlow, match=rf"^A table of Sticks {said}{again}\.$"):
            solve(game, Limits(seconds=seconds), cache=str(tmp_path))
    assert tried == [1.0, 1.0, 5.0, 20.0]  # a busy machine may take a second too long
    monkeypatch.undo()
    assert solve(game, cache=str(tmp_path)).value(game.initial())
    assert solve(game, Limits(seconds=1.0), cache=str(tmp_path)).value(game.initial())
