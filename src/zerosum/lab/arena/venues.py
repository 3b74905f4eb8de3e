"""The games of an arena: who takes part in each, what is known so far, and what is played next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import ceil, log
from typing import Any, NamedTuple

from zerosum.bulk.table import Table
from zerosum.errors import TooLarge, ZerosumError
from zerosum.lab.arena.entrants import Entrant
from zerosum.lab.arena.errands import ArenaRow
from zerosum.lab.arena.exact import KnownPlayer
from zerosum.lab.arena.leaderboard import ArenaGame, JudgedPlayer, Pairing, SeatEnds
from zerosum.lab.ids import example_name, hash_of, id_of, name_of
from zerosum.lab.measure.far import far_theory
from zerosum.lab.measure.sampling import Figure
from zerosum.limits import NONE, Limits
from zerosum.options import option_values
from zerosum.players.asked import FAULT_KINDS, SAMPLES, FaultKind
from zerosum.players.autoplay import DOUBT, interval
from zerosum.players.levels import prepare
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver.solution import Solution
from zerosum.solver.theory import theory_of
from zerosum.wording.words import title_of, variant_title

# After how many parts of the most games an interval is looked at: the last one is narrow enough.
LOOKS = (8, 4, 2, 1)
# Games for a process: one starts in half a second, and a game of levels that search takes longer.
QUICK_GAMES, SLOW_GAMES = 50, 4
NO_GAMES = SeatEnds(wins=0, losses=0, draws=0, endless=0, forfeits=0, gifts=0)
# Two players, in the order of their names.
Pair = tuple[Entrant, Entrant]


class ArenaSettings(NamedTuple):
    """What the figures of a leaderboard depend on, beside the games and the players."""

    seed: int = 0
    samples: int = SAMPLES
    budget: int | None = None
    seconds: float | None = None
    within: float = 0.05
    positions: int = NONE.positions

    @property
    def most_games(self) -> int:
        """How many games are enough for every score, a multiple of what is looked at.

        >>> ArenaSettings().most_games, ArenaSettings(within=0.25).most_games
        (1024, 48)
        """
        whole = ceil((DOUBT + log(len(LOOKS))) / (2 * self.within**2))
        step = 2 * LOOKS[0]
        return step * ceil(whole / step)

    def is_narrow(self, score: Figure) -> bool:
        """Return whether the interval of a score is narrow enough."""
        return score.high - score.low <= 2 * self.within

    def holds(self, pairing: Pairing) -> bool:
        """Return whether a pairing of an earlier leaderboard is sound, and says enough."""
        sound = pairing.player < pairing.opponent and pairing.first.games and pairing.second.games
        return bool(sound) and (pairing.exact or self.is_narrow(pairing.score))


class Venue:
    """A game of the arena: its table if it has one, who takes part, and what is known so far."""

    def __init__(self, game: Game[Any], limits: Limits) -> None:
        """Take a variant, and make its table if it is not too large."""
        self.game = game
        name = example_name(name_of(game))
        self.id = id_of(game, game.initial(), name).partition("#")[0]
        self.table: Table[Any] | None = None
        self.too_large = f"{variant_title(game)} is too large for one."
        try:
            if far_theory(game, limits) is None:
                self.table = Table(game, limits)
        except TooLarge as error:
            self.too_large = str(error)
        self.entrants: list[Entrant] = []
        self.judgements: dict[str, JudgedPlayer] = {}
        self.known: dict[str, KnownPlayer] = {}
        self.pairings: dict[tuple[str, str], Pairing] = {}
        self.absences: dict[str, str] = {}

    @property
    def about(self) -> ArenaGame:
        """What the leaderboard says about it."""
        return ArenaGame(
            id=self.id,
            title=variant_title(self.game),
            game=entry_of(self.game).name,
            options=option_values(self.game),
            rules=hash_of(fingerprint(self.game)),
            positions=None if self.table is None else len(self.table),
            decisions=None if self.table is None else int(self.table.critical.sum()),
        )

    def admit(self, entrants: list[Entrant]) -> None:
        """Let players take part; refuse one that cannot play a game without a table."""
        for entrant in entrants if self.table is None else ():
            if entrant.kind == "level" and entrant.word == "perfect":
                prepare(Solution(self.game), "perfect", self.game.initial())
            elif entrant.kind in ("policy", "answers"):
                raise ZerosumError(f"{entrant.name} needs a table of the game. {self.too_large}")
        self.entrants = entrants

    @property
    def quick(self) -> bool:
        """Whether levels need not search for their moves."""
        return self.table is not None or theory_of(self.game) is not None

    def missing(self) -> Iterator[Pair]:
        """List the pairings that are not known yet; answers to questions cannot play."""
        present = [
            entrant
            for entrant in self.entrants
            if entrant.kind != "answers" and entrant.name not in self.absences
        ]
        for one, other in combinations(sorted(present, key=lambda entrant: entrant.name), 2):
            if (one.name, other.name) not in self.pairings:
                yield one, other

    def pair(
        self,
        pair: Pair,
        exact: bool,
        ends: tuple[SeatEnds, SeatEnds],
        score: Figure,
        faults: tuple[Mapping[Any, int], Mapping[Any, int]] = ({}, {}),
    ) -> None:
        """Keep what is known about a pairing."""
        own, other = (
            {kind: counts[kind] for kind in FAULT_KINDS if counts.get(kind)} for counts in faults
        )
        player, opponent = (entrant.name for entrant in pair)
        self.pairings[player, opponent] = Pairing(
            game=self.id,
            player=player,
            opponent=opponent,
            exact=exact,
            first=ends[0],
            second=ends[1],
            score=score,
            faults=own,
            opponent_faults=other,
        )

    def present(self) -> Iterator[Pairing]:
        """List the pairings of all who take part to the end."""
        for names, pairing in sorted(self.pairings.items()):
            if not self.absences.keys() & set(names):
                yield pairing


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
