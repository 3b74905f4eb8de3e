"""How people play, told from what they decided in the stored games."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from functools import cache
from typing import Any

from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.playing.match_setup import called
from zerosum.cli.solving import counting
from zerosum.errors import ZerosumError
from zerosum.limits import COACH
from zerosum.players.scale import Strength, strength_of
from zerosum.players.slips import BothDecided, Decision, decisions_of
from zerosum.solver.solution import Solution
from zerosum.store import Store
from zerosum.store.replay import entry_for, variant_of

# What somebody decided in each game that has ended, or None if it is not judged.
Decided = list[list[Decision] | None]
# That by person and game.
Judged = dict[tuple[str, str], Decided]


def judged(settings: Settings, store: Store, game: str = "") -> Judged:
    """Find out what every person has decided, where the rules are at hand and a table fits."""

    @cache
    def solved(game: Any) -> Solution[Any]:
        return Solution(game, COACH, cache=cache_dir())

    found: Judged = defaultdict(list)
    with counting(settings):
        for row, events, hints in store.journals():
            if game and row.game != game:
                continue
            if row.coach and not hints:  # it told the answers before that was noted
                continue
            made: list[BothDecided] | None = None
            with suppress(ZerosumError):
                solution = solved(variant_of(row, entry_for(row)))
                if solution.is_whole:
                    made = decisions_of(solution, row.first, row.length, events, hints)
            names, bots = called((row.player_1, row.player_2)), (row.bot_1, row.bot_2)
            for player, (name, bot) in enumerate(zip(names, bots, strict=True)):
                if bot is None:
                    own = [None] * row.played if made is None else [each[player] for each in made]
                    found[name, row.game] += own
    return found


def strength_in(games: Decided) -> Strength:
    """Place a person on the scale by some games."""
    known = [each for each in games if each is not None]
    return strength_of([made for each in known for made in each], len(known))
