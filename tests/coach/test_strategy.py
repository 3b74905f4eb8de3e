"""How to play a game well, in sentences that are true of every position."""

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given

import zerosum
from tests.game_files import NOUGHTS, PASS, STICK
from tests.graphs import Graph, graphs
from tests.solutions import solved
from zerosum.coach.strategy import strategy
from zerosum.protocol import Game
from zerosum.registry import games
from zerosum.solver import solve_table


@cache
def advice(game: Game[Any]) -> list[str]:
    return strategy(solved(game))


@pytest.mark.parametrize("name", [*games(), NOUGHTS, STICK, PASS])
def test_every_game_gets_a_few_sentences(name: str) -> None:
    lines = advice(zerosum.game(name))
    assert 1 < len(lines) <= 10
    assert all(line[0].isupper() or line[0].isdigit() for line in lines)
    assert all(line.endswith((".", "!")) for line in lines)


def test_a_large_table_has_its_law() -> None:
    game = zerosum.game(STICK, start=30_000)
    text = " ".join(advice(game))
    assert text.startswith("The player to move loses exactly if the number of sticks has remainder")
    assert "No short law" not in text


def test_what_was_not_found_is_not_denied() -> None:
    assert "No short law was found." in advice(zerosum.game("digit-battle"))


def test_first_moves_that_keep_the_result_are_named() -> None:
    assert "At the start, only −2 wins." in advice(zerosum.game(STICK))
    assert "At the start, only these win: b2, c5." in advice(zerosum.game(PASS))
    (first,) = (line for line in advice(zerosum.game(NOUGHTS)) if "first move" in line)
    assert first.startswith("Every first move holds the draw.")
    assert "Against a medium opponent, the perfect level wins 51% of games after b2" in first


LOST = "Every first move loses, but against a medium opponent, the perfect level"


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (13, f"{LOST} still wins 42% of games after each."),
        (5, f"{LOST} still wins 17% of games after −1 or −2"),
    ],
)
def test_lost_first_moves_are_compared_by_name(start: int, says: str) -> None:
    assert says in " ".join(advice(zerosum.game(STICK, start=start)))


@given(graphs())
def test_sentences_about_several_first_moves_name_them(game: Graph) -> None:
    for said in strategy(solve_table(game)):
        assert " It wins" not in said or re.match(r"At the start, only \w+ (wins|holds)", said)
        assert not said.startswith(("At the start", "Every first")) or "loses. " not in said
