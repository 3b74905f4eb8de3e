"""How people play, told from what they decided in the stored games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from zerosum.cli.config import Settings, cache_dir
from zerosum.cli.playing.match_setup import called
from zerosum.cli.solving import counting
from zerosum.errors import RulesTooSlow, ZerosumError
from zerosum.limits import COACH
from zerosum.match import NAMES
from zerosum.players.scale import Strength, strength_of
from zerosum.players.slips import BothDecided, Decision, decisions_of
from zerosum.registry import Entry
from zerosum.solver.solution import Solution
from zerosum.store import Store
from zerosum.store.replay import entry_for, variant_of

# What somebody decided in each game that has ended, or None if it is not judged.
Decided = list[list[Decision] | None]


class Careers(NamedTuple):
    """What people decided, by person and game; and why some games are not judged."""

    games: dict[tuple[str, str], Decided]
    reasons: dict[str, ZerosumError]


def judged(
    settings: Settings, store: Store, named: Iterable[Entry] = (), game: str = ""
) -> Careers:
    """Find out what every person has decided, where the rules are at hand and a table fits.

    A game from a file is loaded only if it is among those that were named.
    """
    entries = {entry.name: entry for entry in named}

    @cache
    def solved(game: Any) -> Solution[Any]:
        return Solution(game, COACH, cache=cache_dir())

    found = Careers(defaultdict(list), {})
    with counting(settings):
        for row, events, hints in store.journals():
            if game and row.game != game:
                continue
            if row.coach and not hints:  # it told the answers before that was noted
                continue
            made: list[BothDecided] | None = None
            own = entries.get(row.game) if row.file else None
            try:
                if isinstance(slow := found.reasons.get(row.game), RulesTooSlow):
                    raise slow  # the next match would take as long
                solution = solved(variant_of(row, own or entry_for(row)))
                if solution.is_whole:
                    made = decisions_of(solution, row.first, row.length, events, hints)
            except ZerosumError as error:
                found.reasons[row.game] = error
            names, bots = called((row.player_1, row.player_2)), (row.bot_1, row.bot_2)
            for player, (name, bot) in enumerate(zip(names, bots, strict=True)):
                if bot is None and name not in NAMES:  # which is nobody in particular
                    games = found.games[name, row.game]
                    if made is None:
                        games += [None] * row.played
                    else:
                        games += [both[player] for both in made]
    return found


def strength_in(games: Decided) -> Strength:
    """Place a person on the scale by some games."""
    known = [each for each in games if each is not None]
    return strength_of([made for each in known for made in each], len(known))
