"""Solutions that are kept: found again, never trusted when anything about them is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.game import GameError
from zerosum.solve.solver import cache_place, solve_table
from zerosum.solve.stored import BadCache, load

GAME = zerosum.game("digit-battle", lives=2)


def solved(cache: Path, game: Any = GAME) -> Any:
    return solve_table(game, cache=str(cache))


def place(cache: Path, game: Any = GAME) -> Path:
    return Path(cache_place(game, str(cache))[0])


def test_a_solution_is_found_again_without_numpy(tmp_path: Path) -> None:
    first = solved(tmp_path)
    assert place(tmp_path).exists()
    code = (
        "import sys, zerosum; from zerosum.solve.solver import solve_table\n"
        "sys.modules['numpy'] = None\n"
        "game = zerosum.game('digit-battle', lives=2)\n"
        f"solution = solve_table(game, cache={str(tmp_path)!r})\n"
        "state = game.initial(); print(solution.value(state), solution.best(state))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    state = GAME.initial()
    assert done.stdout == f"{first.value(state)} {first.best(state)}\n"


def test_the_kept_solution_is_the_same_in_every_state(tmp_path: Path) -> None:
    first = solved(tmp_path)
    again = solved(tmp_path)
    width = first.arrays.width
    kind = type(GAME.initial())
    for at in range(len(first.arrays)):
        state = kind(*first.arrays.states[at * width : (at + 1) * width])
        assert again.value(state) == first.value(state)
        assert again.moves(state) == first.moves(state)


def test_another_variant_and_other_rules_have_another_place(tmp_path: Path) -> None:
    assert place(tmp_path) != place(tmp_path, zerosum.game("digit-battle", lives=3))
    paths = set()
    for tail in ("", "\n# another line\n"):
        path = tmp_path / f"game{len(tail)}.py"
        source = Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py"
        path.write_text(source.read_text() + tail)
        paths.add(cache_place(zerosum.game(str(path)), str(tmp_path)))
    assert len(paths) == 2


def test_rules_that_change_after_they_were_loaded_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "changing.py"
    source = Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py"
    path.write_text(source.read_text())
    game = zerosum.game(str(path))
    solve_table(game, cache=str(tmp_path))
    path.write_text(source.read_text().replace("(1, 2, 3)", "(1, 2)"))
    with pytest.raises(GameError, match=r"changing\.py, or what it imports, has changed"):
        solve_table(game, cache=str(tmp_path))


def test_what_the_rules_import_is_part_of_them(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "docs" / "examples" / "last_stick.py"
    text = (
        source.read_text()
        .replace("(1, 2, 3)", "STEPS")
        .replace("from zerosum.game", "from sticks_helper import STEPS\nfrom zerosum.game", 1)
    )
    (tmp_path / "sticks.py").write_text(text)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import zerosum; from zerosum.solve.solver import solve_table\n"
        f"game = zerosum.game({str(tmp_path / 'sticks.py')!r}, start=7)\n"
        f"print(solve_table(game, cache={str(tmp_path / 'cache')!r}).value(game.initial()))"
    )
    said = []
    for steps in ("(1, 2, 3)", "(1, 2)"):
        (tmp_path / "sticks_helper.py").write_text(f"STEPS = {steps}\n")
        done = subprocess.run(
            [sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True
        )
        said.append(done.stdout)
    assert said == ["Value(result='win', plies=4)\n", "Value(result='loss', plies=5)\n"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_never_believed(tmp_path: Path, data: st.DataObject) -> None:
    truth = solved(tmp_path)
    path, key = cache_place(GAME, str(tmp_path))
    whole = Path(path).read_bytes()
    how = data.draw(st.sampled_from(("cut", "flip", "longer", "other")))
    if how == "cut":
        broken = whole[: data.draw(st.integers(0, len(whole) - 1))]
    elif how == "flip":
        at = data.draw(st.integers(0, len(whole) - 1))
        broken = whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :]
    elif how == "longer":
        broken = whole + b"x"
    else:
        broken = data.draw(st.binary(max_size=200))
    Path(path).write_bytes(broken)
    try:
        arrays = load(path, key)
    except (BadCache, OSError):
        pass
    else:
        # Only the filling between the parts may differ.
        assert arrays.width == truth.arrays.width
        assert bytes(arrays.winners) == bytes(truth.arrays.winners)
        assert bytes(arrays.plies) == bytes(truth.arrays.plies)
        assert bytes(arrays.states) == bytes(truth.arrays.states)
    again = solved(tmp_path)  # made anew where it was refused
    assert again.value(GAME.initial()) == truth.value(GAME.initial())
    Path(path).unlink()


def test_a_folder_that_takes_nothing_costs_only_time() -> None:
    assert solve_table(GAME, cache="/dev/null/x").value(GAME.initial()).result == "draw"


def test_two_processes_at_once(tmp_path: Path) -> None:
    code = (
        "import sys, zerosum; from zerosum.solve.solver import solve_table\n"
        "for n in (1, 2, 3):\n"
        "    game = zerosum.game('digit-battle', lives=n)\n"
        "    print(solve_table(game, cache=sys.argv[1]).value(game.initial()).result)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    racers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = {racer.communicate()[0] for racer in racers}
    assert len(said) == 1
    assert len(os.listdir(tmp_path)) == 3
