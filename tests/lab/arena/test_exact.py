"""Exact pairings, beside a walk through all games with fractions."""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import zerosum
from tests.lab.measure.players import Scripted, any_player
from zerosum.bulk import Table, outcome_chances
from zerosum.lab.arena.exact import KnownPlayer, exact_ends
from zerosum.lab.arena.leaderboard import SeatEnds
from zerosum.lab.measure.measuring import measured_answers
from zerosum.players import level_policy
from zerosum.players.asked import PlayerFault
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game

NAMES = SeatEnds.__struct_fields__


def known(table: Table[Any], player: Any) -> KnownPlayer:
    found = KnownPlayer.of(measured_answers(table, player))
    assert found is not None
    return found


def walked(game: Game[Any], first: Scripted, second: Scripted) -> dict[str, Fraction]:
    """How a game ends, for the player who moves first, by walking through all of it."""
    players = (first, second)

    @cache
    def after(state: Any) -> tuple[tuple[str, Fraction], ...]:
        outcome = game.outcome(state)
        if outcome is not None:
            name = {0: "wins", 1: "losses", None: "draws"}[outcome.winner]
            return ((name, Fraction(1)),)
        reply = players[state.player].replies[state]
        moves = game.moves(state)
        if len(moves) > 1 and isinstance(reply, PlayerFault):
            one = Fraction(1)
            lost = ("losses", "forfeits") if state.player == 0 else ("wins", "gifts")
            return tuple((name, one) for name in lost)
        chances = {moves[0]: 1.0} if len(moves) == 1 else reply
        assert isinstance(chances, dict)
        total: dict[str, Fraction] = {}
        for move, chance in chances.items():
            for name, then in after(game.play(state, move)):
                total[name] = total.get(name, Fraction(0)) + Fraction(chance) * then
        return tuple(total.items())

    return dict(after(game.initial()))


def other_way(ends: dict[str, Fraction]) -> dict[str, Fraction]:
    turned = {"wins": "losses", "losses": "wins", "forfeits": "gifts", "gifts": "forfeits"}
    return {turned.get(name, name): share for name, share in ends.items()}


@pytest.mark.parametrize(("name", "start"), [("even-steven", 9), ("dual-digits", 8)])
def test_pairings_with_faults_are_those_of_a_walk(name: str, start: int) -> None:
    game = zerosum.game(name, start=start)
    table = Table(game)
    players = [any_player(game, seed, fault=0.15 * (seed % 3)) for seed in range(5)]
    found = exact_ends(table, [known(table, player) for player in players])
    assert len(found) == 10
    faulty = False
    for (one, other), (first, second) in found.items():
        expected = walked(game, players[one], players[other])
        turned = other_way(walked(game, players[other], players[one]))
        for ends, wanted in ((first, expected), (second, turned)):
            faulty |= bool(wanted.get("forfeits", 0) and wanted.get("gifts", 0))
            for field in NAMES:
                assert getattr(ends, field) == pytest.approx(float(wanted.get(field, 0)), abs=1e-12)
    assert faulty or name != "dual-digits"  # both faults happen in one pairing


def test_pairings_in_a_game_that_may_never_end() -> None:
    table = Table(zerosum.game("number-navigator", start=4))
    rows = [level_policy(table, level) for level in LEVELS]
    none = np.zeros(len(table))
    found = exact_ends(table, [KnownPlayer(row, none) for row in rows])
    for (one, other), (first, second) in found.items():
        won, lost, drawn, endless = outcome_chances(table, rows[one], rows[other])[table.start]
        assert first.wins == pytest.approx(won)
        assert (first.draws, first.endless) == pytest.approx((drawn, endless))
        assert first.points == pytest.approx(won + (drawn + endless) / 2)
        won, lost, *_ = outcome_chances(table, rows[other], rows[one])[table.start]
        assert (second.wins, second.losses) == pytest.approx((lost, won))
        assert first.forfeits == second.gifts == 0
