"""Laws found in tables: the known ones, exact in every position."""

import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

import zerosum
from tests.coach.sized_games import Kayles
from tests.coach.support import FOUND, check_everywhere, law_of
from tests.game_files import EXAMPLES, PASS, STICK
from tests.graphs import Graph, graphs
from zerosum.coach.advice import Coach
from zerosum.coach.laws import discovery, finder
from zerosum.coach.laws.discovery import find_law
from zerosum.coach.laws.features import features_of
from zerosum.coach.laws.law import Law
from zerosum.coach.strategy import strategy
from zerosum.documents import to_dict
from zerosum.errors import TooLarge
from zerosum.protocol import Game
from zerosum.solver import solve_table


@pytest.fixture
def without_theories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it impossible to read the theories of the built-in games."""
    for name in ("even_steven", "divisor_duel", "dual_digits", "number_navigator"):
        monkeypatch.setitem(sys.modules, f"zerosum.books.{name}.theory", None)


@pytest.mark.usefixtures("without_theories")
@pytest.mark.parametrize("start", [None, 90])
@pytest.mark.parametrize("name", FOUND)
def test_known_laws_are_found_without_their_theories(name: Any, start: int | None) -> None:
    options: dict[str, Any] = dict.fromkeys(name[1:], True) | ({"start": start} if start else {})
    game = zerosum.game(name[0], **options)
    law = law_of(game)
    assert law.statement == f"The player to move loses exactly if {FOUND[name]}."
    check_everywhere(law, game)


@pytest.mark.parametrize("name", FOUND)
def test_found_laws_agree_with_the_theories_far_beyond_the_table(name: Any) -> None:
    law = law_of(zerosum.game(name[0], **dict.fromkeys(name[1:], True)))
    solution = zerosum.solve(zerosum.game(name[0], start=10**6, **dict.fromkeys(name[1:], True)))
    kind: Any = type(solution.game.initial())
    for number in [*range(1, 400), 10**6 - 1, 10**6]:
        for previous in range(5) if name == ("dual-digits",) else ((),):
            state = kind(number, *((previous,) if previous != () else ()), 0)
            if solution.game.outcome(state) is None:
                assert law.result(state) == solution.value(state).result


def test_nim_is_found() -> None:
    game = zerosum.game(PASS, heaps=(3, 4, 5), passes=0)
    law = law_of(game)
    assert law.statement == "The player to move loses exactly if the nim-sum of the heaps is 0."
    check_everywhere(law, game)


def test_long_coincidences_are_not_laws() -> None:
    assert find_law(solve_table(zerosum.game(PASS))) is None


def test_no_law_is_about_bits_of_a_board() -> None:
    game = zerosum.game(str(EXAMPLES / "connect_four.py"), width=2, height=4)
    assert find_law(solve_table(game)) is None
    assert set(features_of(game, [game.initial()])) <= {"turn"}


@given(graphs())
def test_whatever_is_found_in_any_game_is_true(game: Graph) -> None:
    law = find_law(solve_table(game))
    if law is not None:
        check_everywhere(law, game)
        assert law.statement.endswith(".")


def test_a_law_has_no_more_clauses_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "MOST_CLAUSES", 4)
    assert find_law(solve_table(zerosum.game("dual-digits"))) is None


def test_a_table_that_is_too_large_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "LAW_POSITIONS", 19)
    solution = solve_table(zerosum.game(STICK))
    with pytest.raises(TooLarge, match="Last Stick has 22 positions, too many to look for"):
        find_law(solution)
    assert Coach(solution).law is None
    said = "Last Stick has 22 positions, too many to look for a law in them: the limit is 19."
    assert said in strategy(solution)


KEPT = [zerosum.game(name, start=20) for name in ("even-steven", "divisor-duel", "dual-digits")]
KEPT += [zerosum.game(PASS), Kayles()]  # one without a law, and one whose law is refuted


@pytest.mark.parametrize("game", KEPT, ids=lambda game: type(game).__name__)
def test_laws_are_kept_beside_the_table(game: Game[Any], tmp_path: Path) -> None:
    def found() -> Law | None:
        return find_law(solve_table(game, cache=str(tmp_path)))

    first = found()
    with patch("zerosum.coach.laws.discovery.Finder", side_effect=AssertionError):
        again = found()
    assert again == first
    assert (again and again.statement) == (first and first.statement)
    # A file that was changed, or of another version, is not believed.
    (file,) = tmp_path.glob(f"*.{discovery.KEPT}.cache")
    file.write_bytes(file.read_bytes().replace(b"loss", b"win!"))
    assert found() == first


def test_what_another_version_kept_is_searched_again(tmp_path: Path) -> None:
    game = zerosum.game(STICK)
    solution = solve_table(game, cache=str(tmp_path))
    assert solution.cache is not None
    law = law_of(game)
    solution.cache.keep(discovery.KEPT, [None, None])  # a law, and a rule of thumb
    assert find_law(solution) == law
    other = {**to_dict(law.document), "positions": 7, "reach": "This holds in all 7 positions."}
    solution.cache.keep(discovery.KEPT, [other])
    assert find_law(solve_table(game, cache=str(tmp_path))) == law
