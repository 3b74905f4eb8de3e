"""The games of an arena: who takes part in each, and what is known about them so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import ceil, log
from typing import Any, NamedTuple

from zerosum.bulk.table import Table
from zerosum.errors import TooLarge, ZerosumError
from zerosum.lab.arena.entrants import Entrant
from zerosum.lab.arena.exact import KnownPlayer
from zerosum.lab.arena.leaderboard import ArenaGame, JudgedPlayer, Pairing, SeatEnds
from zerosum.lab.ids import example_name, hash_of, id_of, name_of
from zerosum.lab.measure.far import far_theory
from zerosum.lab.measure.sampling import Figure
from zerosum.limits import NONE, Limits
from zerosum.options import option_values
from zerosum.players.asked import FAULT_KINDS, SAMPLES
from zerosum.players.autoplay import DOUBT
from zerosum.players.levels import prepare
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver.solution import Solution
from zerosum.solver.theory import theory_of
from zerosum.wording.words import variant_title

# After how many parts of the most games an interval is looked at: the last one is narrow enough.
LOOKS = (8, 4, 2, 1)
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
