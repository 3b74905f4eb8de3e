"""Tables in parts: the same as tables in memory, after whatever happened on the way."""

import itertools
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future
from errno import ENOMEM
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from tests.cli.support import run
from tests.game_files import EXAMPLES, STICK
from tests.graphs import Graph, Mirrored, graph, graphs, mirrored
from tests.helpers import eventually
from tests.naive import Naive
from zerosum.bulk import Table
from zerosum.coach.puzzles import puzzles
from zerosum.errors import GameError, RulesTooSlow, TooLarge, ZerosumError
from zerosum.lab.measure import measure_player
from zerosum.lab.measure.far import FarTable
from zerosum.lab.measure.measurement_report import summary
from zerosum.lab.measure.measuring import table_for
from zerosum.limits import PARTS, Limits
from zerosum.match import Match
from zerosum.players.levels import LEVELS, policy
from zerosum.protocol import Game
from zerosum.solver import Solution, solve_table, table_of
from zerosum.solver.cache import Cache
from zerosum.solver.spread import driver, packing, process
from zerosum.solver.spread.driver import Stage, solve_in_parts
from zerosum.solver.spread.files import PartState, PartStep
from zerosum.solver.spread.process import local

SMALL = zerosum.game(str(EXAMPLES / "noughts_and_crosses.py"))


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't wait for the disk: no test cuts the power."""
    monkeypatch.setattr(os, "sync", lambda: None)


class Here(Executor):
    """Does steps at once, in this process."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def submit(self, step: Any, /, *arguments: Any, **_: Any) -> Any:
        done: Future[bytes] = Future()
        *_ignored, part = process._steps(
            self.game, msgspec.json.decode(arguments[1], type=PartStep)
        )
        done.set_result(msgspec.json.encode(part))
        return done


def in_parts(game: Game[Any], folder: str | Path, parts: int = 3) -> Solution[Any]:
    """Solve a game in parts, in this process."""
    solve_in_parts(game, Here(game), str(folder), parts=parts)
    solution = solve_table(game, cache=str(folder))
    assert solution.solved is None
    return solution


def check_same(game: Game[Any], parts: int) -> None:
    """Compare a table in parts with one in memory, in every position."""
    with TemporaryDirectory() as folder:
        solution, table = in_parts(game, folder, parts), table_of(solve_table(game))
        assert solution.positions == len(table)
        for state in table.graph.index:
            assert solution.value(state) == table.at(state)


def contents(folder: Path, game: Game[Any] = SMALL) -> dict[str, bytes]:
    """Read the table of a game: all of its files."""
    root = Path(Cache(game, str(folder)).parts)
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


@given(graphs(), st.integers(1, 4))
def test_parts_agree_with_a_naive_solver(game: Graph, parts: int) -> None:
    with TemporaryDirectory() as folder:
        solution = in_parts(game, folder, parts)
        values = Naive(game).values
        assert solution.positions == len(values)
        assert all(solution.value(state) == value for state, value in values.items())


@given(mirrored(), st.integers(1, 4))
def test_parts_agree_with_the_table_of_a_symmetric_game(game: Mirrored, parts: int) -> None:
    check_same(game, parts)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *[(name, {}) for name in zerosum.games() if name != "digit-battle"],
        ("digit-battle", {"lives": 4}),
        ("last_stick.py", {}),
        ("noughts_and_crosses.py", {}),
        ("dots_and_boxes.py", {"width": 2, "height": 2}),
        ("nim_with_a_pass.py", {"heaps": (2, 3)}),
        ("territory.py", {"size": 3}),
        ("connect_four.py", {"width": 3, "height": 4}),
    ],
)
def test_parts_agree_with_the_table_of_every_game(name: str, options: dict[str, Any]) -> None:
    path = str(EXAMPLES / name) if name.endswith(".py") else name
    check_same(zerosum.game(path, **options), 2)


def test_equal_first_words_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "FACTORS", packing.FACTORS * 0)
    keys = packing.pack(SMALL, list(table_of(solve_table(SMALL)).graph.index))
    assert len(set(keys[0].tolist())) < keys.shape[1] / 2
    check_same(SMALL, 2)


def test_a_limit_of_positions_holds_and_states_must_be_plain(tmp_path: Path) -> None:
    odd = graph([0, 1], [[1], []], labels=[0, 1.5 + 1j])
    with pytest.raises(GameError, match=r"must be a NamedTuple of integers, strings"):
        in_parts(odd, tmp_path)
    with pytest.raises(TooLarge, match=r"has more than 100 positions"):
        solve_in_parts(SMALL, Here(SMALL), str(tmp_path), Limits(100))


def test_what_no_step_needs_is_removed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed: list[str] = []
    save = driver._save

    def saved(work: str, progress: driver.Progress, spent: list[str]) -> None:
        removed.extend(spent)
        save(work, progress, spent)

    monkeypatch.setattr(driver, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(driver, "_save", saved)
    in_parts(SMALL, tmp_path, 2)
    assert removed
    assert len(removed) == len(set(removed))


def test_progress_is_noted_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[int] = []
    stages: list[Stage] = []
    # As many seconds as calls: a few steps pass between two notes.
    monkeypatch.setattr(driver, "monotonic", itertools.count().__next__)
    monkeypatch.setattr(driver, "SAVE_SECONDS", 30)
    monkeypatch.setattr(os, "sync", lambda: notes.append(len(stages)))
    solve_in_parts(SMALL, Here(SMALL), str(tmp_path), parts=4, tell=stages.append)
    assert len(notes) > 2
    assert min(after - before for before, after in itertools.pairwise(notes[:-1])) > 15
    assert {stage.found for stage in stages[-4:]} == {solve_table(SMALL).positions}


def test_ctrl_c_loses_only_the_step_in_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "SAVE_SECONDS", 1e9)
    stages: list[Stage] = []

    def tell(stage: Stage) -> None:
        stages.append(stage)
        if 100 < stage.saved < stage.positions:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_in_parts(SMALL, Here(SMALL), str(tmp_path), parts=4, tell=tell)
    noted = Path(Cache(SMALL, str(tmp_path)).parts, driver.WORK, driver.PROGRESS)
    progress = msgspec.json.decode(noted.read_bytes(), type=driver.Progress)
    assert (progress.phase, progress.step) == stages[-1][:2]
    assert sum(part.count for part in progress.parts) == stages[-1].saved
    assert in_parts(SMALL, tmp_path, 4).value(SMALL.initial()) == zerosum.Value("draw")


def test_what_is_saved_is_told_though_a_step_has_not_begun(tmp_path: Path) -> None:
    stages: list[Stage] = []

    class Stopped(Here):
        def submit(self, step: Any, /, *arguments: Any, **_: Any) -> Any:
            if stages and stages[-1].step == 3:
                raise KeyboardInterrupt
            return super().submit(step, *arguments)

    with pytest.raises(KeyboardInterrupt):
        solve_in_parts(SMALL, Stopped(SMALL), str(tmp_path), parts=1, tell=stages.append)
    *_, before, last = stages
    assert before.saved < before.positions == last.saved == last.positions


# Rules that wait while a file is beside them, so that the walk does not end before it is stopped.
HELD = """
    def play(self, state, move):
        import os, time
        while state.sticks < 12 and os.path.exists(f"{__file__}.held"):
            time.sleep(0.01)
        return State(state.sticks - move, 1 - state.player)
"""


def test_a_stopped_command_continues(home: Path) -> None:
    file, held = home / "stick.py", home / "stick.py.held"
    file.write_text(Path(STICK).read_text() + HELD)
    game = zerosum.game(str(file), start=20)
    in_parts(game, home / "whole", 2)
    words = ["solve", str(file), "--start", "20", "--parts", "2", "--workers"]
    variables = {**os.environ, "ZEROSUM_CACHE": str(home / "cache")}
    progress = Path(Cache(game, str(home / "cache")).parts, "work")
    held.touch()
    with subprocess.Popen(
        [sys.executable, "-m", "zerosum", *words, "1"], env=variables, stderr=subprocess.PIPE
    ) as command:
        eventually(lambda: list(progress.glob("walk-2-*")))
        command.send_signal(signal.SIGINT)
        told = command.stderr.read() if command.stderr else b""
        assert command.wait() == 130
    held.unlink()
    assert b"To continue, run the same command again." in told
    done = run(home, *words, "2", ZEROSUM_CACHE=str(home / "cache"))
    assert "win in 10 for the player to move" in done.stdout, done.stderr
    less = run(home, *words, "1", "--positions", "10", ZEROSUM_CACHE=str(home / "less"))
    assert "has more than 10 positions" in less.stderr
    assert "To continue" not in less.stderr
    assert contents(home / "cache", game) == contents(home / "whole", game)


# Kills one of its workers after some steps of parts, and itself after some more.
KILLING = """
import os, signal, sys
import zerosum
from zerosum.solver.spread import driver, process
os.sync = lambda: None
driver.SAVE_SECONDS = 0.0
path, folder, *numbers = sys.argv[1:]
workers, first, last = map(int, numbers)
told = 0
def tell(stage):
    global told
    told += 1
    if told == first:
        next(iter(process._running)).kill()
        print(stage.phase, flush=True)
    if told == last:
        os.kill(os.getpid(), signal.SIGKILL)
with process.local(workers) as executor:
    driver.solve_in_parts(zerosum.game(path), executor, folder, parts=4, tell=tell)
"""


def test_ten_random_kills_in_one_run_change_no_byte(tmp_path: Path) -> None:
    in_parts(SMALL, tmp_path / "whole", 4)
    path, rng = str(EXAMPLES / "noughts_and_crosses.py"), Random(29)
    phases: list[str] = []
    for attempt in range(5):
        first = rng.randint(1, 18)
        numbers = map(str, (1 + attempt % 2, first, first + rng.randint(1, 18)))
        words = [sys.executable, "-c", KILLING, path, str(tmp_path / "killed"), *numbers]
        killed = subprocess.run(words, capture_output=True, text=True)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        phases += killed.stdout.split()
    assert len(phases) == 5
    assert {*phases} >= {"walk", "decide"}
    with pytest.raises(ZerosumError, match=r"has 4 parts. Use as many, or delete it"):
        solve_in_parts(SMALL, Here(SMALL), str(tmp_path / "killed"), parts=5)
    in_parts(SMALL, tmp_path / "killed", 4)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    # Only the table is left.
    parts = Path(Cache(SMALL, str(tmp_path / "killed")).parts)
    assert {path.name for path in parts.iterdir()} == {
        *(f"part-{part}" for part in range(4)),
        *("lock", "table.json"),
    }


HANGING = """
    def play(self, state, move):
        import time
        time.sleep(60 * (state.sticks < 9))
        return State(state.sticks - move, 1 - state.player)
"""
LEAVING = """
    def play(self, state, move):
        import os
        os._exit(3)
"""
ABORTING = LEAVING.replace("_exit(3)", "abort()")
EXITING = LEAVING.replace("os._exit(3)", "raise SystemExit(0)")
STOPPING = LEAVING.replace("os._exit(3)", "raise KeyboardInterrupt")


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        (HANGING, RulesTooSlow, r"LastStick.play at State\(sticks=8, .* within 1.5 seconds"),
        (
            ABORTING,
            ZerosumError,
            r"A process ended 1 time in the same step, in play \(stick\.py, line \d+\)\.$",
        ),
        (LEAVING, GameError, r"LastStick.play at .* SystemExit: os\._exit\(3\)"),
        (EXITING, GameError, r"LastStick.play at .* SystemExit: 0"),
        (STOPPING, GameError, r"LastStick.play at .* KeyboardInterrupt"),
        ("\n    def moves(self, state):\n        1 / 0\n", GameError, r"moves at .* ZeroDivision"),
    ],
)
def test_rules_that_hang_or_die_are_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    error: type[ZerosumError],
    said: str,
) -> None:
    if error is RulesTooSlow:  # the others do not wait
        monkeypatch.setattr(process, "CALL_SECONDS", 1.5)
    monkeypatch.setattr(process, "TRIES", 1)
    file = tmp_path / "stick.py"
    file.write_text(Path(STICK).read_text() + fault)
    game = zerosum.game(str(file))
    with local(1) as executor, pytest.raises(error, match=said):
        solve_in_parts(game, executor, str(tmp_path), parts=2)


def test_memory_and_folders_are_limits_with_a_sentence(tmp_path: Path) -> None:
    board = zerosum.game(str(EXAMPLES / "connect_four.py"), width=4, height=4)
    too_little = Limits(1 << 40, memory=1)
    said = r"Connect Four \(.*\) needs more than the 1 MB .* delete .*\.parts and try --parts 2\."
    with local(1) as executor:
        with pytest.raises(TooLarge, match=said):
            solve_in_parts(board, executor, str(tmp_path), too_little, parts=1)
        (tmp_path / "file").touch()
        with pytest.raises(ZerosumError, match=r"file.* cannot be used: Not a directory"):
            solve_in_parts(SMALL, executor, str(tmp_path / "file"))


def test_damaged_tables_are_refused_or_made_again(tmp_path: Path) -> None:
    before = os.umask(0o002)
    solution = in_parts(SMALL, tmp_path)
    os.umask(before)
    folder = Path(Cache(SMALL, str(tmp_path)).parts)
    whole_keys = {path: path.read_bytes() for path in folder.glob("part-*/keys.npy")}
    for path, told in whole_keys.items():
        path.write_bytes(told[:128] + bytes(len(told) - 128))
    lost, start = solve_table(SMALL, cache=str(tmp_path)), SMALL.initial()
    for state in (start, SMALL.play(start, SMALL.moves(start)[0])):
        with pytest.raises(ZerosumError, match="lacks the start of the game"):
            lost.value(state)
    for path, told in whole_keys.items():
        path.write_bytes(told)
    flat, deep = b"{'descr': '|i1', 'fortran_order': False, 'shape': %s, }\n", b"-" * 9000 + b"1"
    vast = b"(%d, %d)" % (2**32 - 1, 2**32 - 1)
    whole = {path: path.read_bytes() for path in folder.glob("part-*/*.npy")}
    for shape in (b"()", b"(True,)", b"(-5,)", b"(%d,)" % 10**25, vast, b"(%s,)" % deep, b"{1:("):
        head = flat % shape
        for path in folder.glob("part-*/worth.npy"):
            whole_head = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head
            path.write_bytes(whole_head + bytes(4000))
        with pytest.raises(ZerosumError, match=r"parts cannot be read: .*[^.]\. Delete its folder"):
            solve_table(SMALL, cache=str(tmp_path)).value(SMALL.initial())
    for name, kept, rest in (("plies", 128, b"\xf9"), ("worth", 128, b"M"), ("keys", 200, b"")):
        for path, told in whole.items():
            damaged = told[:kept] + rest * (len(told) - kept)
            path.write_bytes(damaged if path.stem == name else told)
        with pytest.raises(ZerosumError, match=r"parts cannot be read: .*[^.]\. Delete its folder"):
            solve_table(SMALL, cache=str(tmp_path)).value(SMALL.initial())
    table = folder / "table.json"
    for wrong in ('"parts": [], "was": [', '"positions": -5, "parts": ['):
        intact = table.read_text()
        table.write_text(intact.replace('"parts": [', wrong))
        assert solve_table(SMALL, cache=str(tmp_path)).solved is not None
        table.write_text(intact)
    table.write_text(table.read_text().replace('"key": "', '"key": "0'))
    assert solve_table(SMALL, cache=str(tmp_path)).solved is not None
    assert in_parts(SMALL, tmp_path).value(SMALL.initial()) == zerosum.Value("draw")
    assert solution.how(SMALL.initial()) == "table"


def test_damaged_progress_and_a_full_disk_are_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(Cache(SMALL, str(tmp_path)).parts)
    (folder / "work").mkdir(parents=True)
    (folder / "work" / "progress.json").touch()
    with pytest.raises(ZerosumError, match=rf"progress.json is damaged\. Delete {folder} to"):
        in_parts(SMALL, tmp_path)
    (folder / "work" / "progress.json").unlink()

    def full(*_: Any) -> None:
        raise OSError("8 requested and 0 written")

    monkeypatch.setattr("zerosum.sandbox.refuse_to_exit", lambda: None)
    monkeypatch.setattr(process, "_steps", full)
    step = PartStep(str(folder), "walk", 0, 0, 1, [], PartState())
    setting = msgspec.json.encode(process.Setting.of(SMALL, None))
    *_, said = process.prepare(setting)(msgspec.json.encode(step))
    assert b"cannot be used: 8 requested and 0 written; is the disk full?" in bytes(said)

    def crowded(*_: Any) -> None:
        raise OSError(ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(process, "_steps", crowded)
    *_, said = process.prepare(setting)(msgspec.json.encode(step))
    assert b"needs more memory than there is. Delete" in bytes(said)


def test_a_table_in_parts_serves_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, plain = in_parts(SMALL, tmp_path), solve_table(SMALL)
    # As if there were too many positions for a table.
    for room in ("solution.NONE", "table.NONE"):
        monkeypatch.setattr(f"zerosum.solver.{room}", Limits(100))
    with pytest.raises(TooLarge, match=r"more than 100 positions"):
        table_of(parts)
    states = list(table_of(plain).graph.index)[::16]
    for state in states:
        assert parts.moves(state) == plain.moves(state)
        assert parts.best(state) == plain.best(state)
        if not plain.moves(state):
            continue
        for level in LEVELS[:-1]:  # perfect is patient in draws only with a table
            assert policy(parts, level, state) == policy(plain, level, state)
        assert set(policy(parts, "perfect", state)) <= set(plain.best(state))
    with pytest.raises(ZerosumError):
        parts.value(states[0]._replace(player=5))
    assert [puzzle.id for puzzle in puzzles(parts)] == [puzzle.id for puzzle in puzzles(plain)]
    match = Match.new(SMALL)
    for move in ("b2", "b1", "a2", "c2"):
        match = match.play(move)
    assert zerosum.review(parts, match.round) == zerosum.review(plain, match.round)
    coach = zerosum.Coach(parts)
    assert coach.why(match.round.states[1])


def test_players_are_measured_on_a_sample_of_a_table_in_parts(tmp_path: Path) -> None:
    table, folder = Table(SMALL), str(tmp_path)
    solution = in_parts(SMALL, folder)
    assert len(table_for(SMALL, Limits(10_000), cache=folder)) == len(table)
    few = table_for(SMALL, Limits(100), count=40, seed=1, cache=folder)
    assert isinstance(few, FarTable)
    for number in range(40):
        here, there = few.state(number), table.index_of(few.state(number))
        edges = slice(*table.offsets[there : there + 2])
        assert few.moves_of(number) == table.moves_of(there)
        own = slice(*few.offsets[number : number + 2])
        assert few.regret[own].tolist() == table.regret[edges].tolist()
        assert few.value[number] == table.value[there]
        assert few.index_of(here) == number
    measured = measure_player(few, "medium", seed=1)
    exact = measure_player(table, "medium")
    assert (measured.positions, measured.asked, measured.left_out) == (765, 40, "size")
    assert not measured.exact
    assert not measured.plies
    assert measured.good
    assert exact.good
    assert measured.good.low < exact.good.value < measured.good.high
    assert summary(measured).startswith("Right in about ")
    assert "of 40 decisions drawn from 765 positions (" in summary(measured)
    assert " Estimated from these decisions; 95% confidence interval: " in summary(measured)
    assert " / " in measured.errors[0].position
    # Each position is as likely as any other.
    mapped = Cache(SMALL, folder).mapped()
    assert mapped is not None
    every = list(mapped.drawn(10_000, 0))
    assert len({*every}) == len(every) == solution.positions
    assert list(mapped.drawn(10_000, 1)) != every
    for path in Path(Cache(SMALL, folder).parts).glob("part-*/keys.npy"):
        told = path.read_bytes()
        path.write_bytes(told[:128] + b"\xc1" * (len(told) - 128))
    damaged = Cache(SMALL, folder).mapped()
    assert damaged is not None
    with pytest.raises(ZerosumError, match="a key is not that of a position"):
        next(damaged.drawn(1, 0))


def test_measure_finds_a_table_in_parts(home: Path) -> None:
    in_parts(SMALL, home / "cache")
    path = str(EXAMPLES / "noughts_and_crosses.py")
    words = ["measure", "medium", path, "--positions", "100", "--budget", "20"]
    done = run(home, *words, ZEROSUM_CACHE=str(home / "cache"))
    assert "of 20 decisions drawn from 765 positions (random play: " in done.stdout, done.stderr


@pytest.mark.filterwarnings("ignore")  # those of Dask are not ours
def test_a_cluster_makes_the_same_table(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    game = zerosum.game(str(EXAMPLES / "nim_with_a_pass.py"), heaps=(2, 3))
    in_parts(game, tmp_path / "here", PARTS)
    with distributed.Client(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as client:
        cache = str(tmp_path / "there")
        solution = zerosum.solve(game, cache=cache, cluster=client)
    assert solution.value(game.initial()) == zerosum.solve(game).value(game.initial())
    assert contents(tmp_path / "there", game) == contents(tmp_path / "here", game)
    with pytest.raises(ZerosumError, match=r"cache: a cluster leaves its table there"):
        zerosum.solve(game, cluster=client)
