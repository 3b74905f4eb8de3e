"""The games of two players that are played: how many so far, how they ended, and what is next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from zerosum.errors import ZerosumError
from zerosum.lab.arena.entrants import Entrant
from zerosum.lab.arena.errands import ArenaRow
from zerosum.lab.arena.leaderboard import SeatEnds
from zerosum.lab.arena.venues import LOOKS, Pair, Venue
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import FaultKind
from zerosum.players.autoplay import interval
from zerosum.wording.words import title_of

# Games for a process: one starts in half a second, and a game of levels that search takes longer.
QUICK_GAMES, SLOW_GAMES = 50, 4
NO_GAMES = SeatEnds(wins=0, losses=0, draws=0, endless=0, forfeits=0, gifts=0)


class Errand(NamedTuple):
    """What a process is to do: judge one player in a game, or play some games of two."""

    venue: Venue
    players: tuple[Entrant, ...]
    begin: int = 0
    end: int = 0


class Contest:
    """The games of a pairing so far; it is off once no more are needed, or possible."""

    def __init__(self, venue: Venue, pair: Pair) -> None:
        """Begin with no games."""
        self.venue, self.pair = venue, pair
        self.ends = (NO_GAMES, NO_GAMES)
        self.faults: tuple[Counter[FaultKind], Counter[FaultKind]] = (Counter(), Counter())
        self.off = False

    def check(self) -> None:
        """Refuse a player that cannot be asked where its chances are not enough."""
        for entrant in self.pair:
            if entrant.kind == "policy" and (
                entrant.name not in self.venue.known or self.venue.known[entrant.name].faulty.any()
            ):
                raise ZerosumError(
                    f"{entrant.name} cannot be asked in another process, and its chances in "
                    f"{title_of(self.venue.game)} are not enough. Name it by its file, as in "
                    "./mine.py:choose."
                )

    def errands(self, begin: int, end: int) -> Iterator[Errand]:
        """Divide some games into errands."""
        step = QUICK_GAMES if self.venue.quick else SLOW_GAMES
        for first in range(begin, end, step):
            yield Errand(self.venue, self.pair, first, min(first + step, end))

    def add(self, row: ArenaRow) -> None:
        """Add some games; a player that failed takes part no more."""
        if row.failed:
            self.off = True
            self.venue.absences.setdefault(row.guilty, row.failed)
        elif row.first is not None and row.second is not None:
            self.ends = (_sum(self.ends[0], row.first), _sum(self.ends[1], row.second))
            for counts, more in zip(self.faults, row.faults, strict=True):
                counts.update(more)

    @property
    def score(self) -> Figure:
        """The first player's score; its interval holds although it is looked at several times."""
        first, second = self.ends
        games = first.games + second.games
        score = (first.points + second.points) / games
        return Figure(score, *interval(score, games, len(LOOKS)))


def _sum(one: SeatEnds, other: SeatEnds) -> SeatEnds:
    """Add up how games ended."""
    names = SeatEnds.__struct_fields__
    return SeatEnds(**{name: getattr(one, name) + getattr(other, name) for name in names})
