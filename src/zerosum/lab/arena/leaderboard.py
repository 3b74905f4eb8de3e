"""A leaderboard as a document: who played whom, how it ended, and what follows from that."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from zerosum.documents import Document, described
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import FaultKind

EntrantKind = Literal["level", "function", "program", "policy", "answers"]
Game = Annotated[str, described("the id of a game on this leaderboard")]
# How many games ended in some way; no arena plays a billion.
Count = Annotated[float, Meta(ge=0, le=1e9)]
Faults = Annotated[
    dict[FaultKind, int],
    described("answers that were not legal moves, by kind; each loses its game"),
]


class ArenaGame(Struct, frozen=True, kw_only=True):
    """A game that was played."""

    id: Annotated[str, described("the game with the options that are not at their defaults")]
    title: Annotated[str, described("the variant as people write it")]
    game: str
    options: dict[str, Any]
    rules: Annotated[str, described("a hash of the rules' files; empty if these are unknown")]
    positions: Annotated[int | None, described("null if the game is too large for a table")]
    decisions: Annotated[
        int | None, described("positions in which some move throws a result away; null likewise")
    ]


class JudgedPlayer(Struct, frozen=True, kw_only=True):
    """How a player decides in the positions of a game, without an opponent."""

    game: Game
    player: str
    exact: Annotated[bool, described("whether the chances of all its moves are known")]
    right: Annotated[Figure | None, described("the mean chance of a move that keeps the result")]
    slips: Annotated[Figure | None, described("how often it moves as if at random")]
    regret: Annotated[Figure | None, described("the mean of what is thrown away, in half points")]
    exploitability: Annotated[
        float | None, described("what a best response gains over best play; null if unknown")
    ]
    faults: Faults


class SeatEnds(Struct, frozen=True, kw_only=True):
    """How the games of a pairing end in which the player has one seat."""

    wins: Annotated[Count, described("games won, or the chance of that if the pairing is exact")]
    losses: Count
    draws: Count
    endless: Annotated[Count, described("games that never end, which count half a point")]
    forfeits: Annotated[Count, described("those of the losses that are due to a faulty answer")]
    gifts: Annotated[Count, described("those of the wins that are due to the opponent's")]

    @property
    def games(self) -> float:
        """How many games there were; 1 if these are chances."""
        return self.wins + self.losses + self.draws + self.endless

    @property
    def points(self) -> float:
        """What the player scored: 1 for a win, ½ for a draw."""
        return self.wins + (self.draws + self.endless) / 2


class Pairing(Struct, frozen=True, kw_only=True):
    """Two players in a game, each on both seats."""

    game: Game
    player: str
    opponent: str
    exact: Annotated[
        bool, described("whether the ends are chances, and not games that were played")
    ]
    first: Annotated[SeatEnds, described("with the player moving first")]
    second: SeatEnds
    score: Annotated[Figure, described("the player's, if each moves first half the time")]
    faults: Annotated[Faults, described("the player's, in games that were played")]
    opponent_faults: Annotated[Faults, described("the opponent's")]


class PairFit(Struct, frozen=True, kw_only=True):
    """What two players score over all games, each counting equally, and what ratings say."""

    player: str
    opponent: str
    score: Figure
    expected: Annotated[float, described("the score that follows from the two ratings")]

    @property
    def residual(self) -> float:
        """What the ratings do not explain."""
        return self.score.value - self.expected


class Misfit(Struct, frozen=True, kw_only=True):
    """What one number for each player cannot say about who beats whom."""

    unexplained: Annotated[
        float,
        described("the sum of squared residuals, as a share of the squared distances from ½"),
    ]
    upsets: Annotated[
        tuple[PairFit, ...],
        described("players who score more than 0.505 against a higher-rated one"),
    ]
    cycles: Annotated[
        tuple[tuple[str, str, str], ...],
        described("three players, each of whom beats the next, and the last the first"),
    ]


class RankedPlayer(Struct, frozen=True, kw_only=True):
    """A player and its figures over all games in which it takes part, each counting equally."""

    player: str
    kind: EntrantKind
    identity: Annotated[str, described("a digest of all that its answers depend on")]
    games: Annotated[int, described("in which it takes part")]
    rating: Annotated[
        Figure | None,
        described(
            "Bradley and Terry's, with 400 points for odds of ten to one; null if it never plays"
        ),
    ]
    score: Annotated[Figure | None, described("the mean over all pairings")]
    right: Figure | None
    slips: Figure | None
    regret: Figure | None
    exploitability: Annotated[float | None, described("the mean over the games where it is known")]
    exploited: Annotated[int, described("in how many games it is known")]
    faults: Faults


class Absence(Struct, frozen=True):
    """Why a player does not take part in a game."""

    game: Game
    player: str
    reason: str


class Leaderboard(Document, frozen=True, kw_only=True, tag="zerosum-leaderboard"):
    """Players and how they do against each other; figures have intervals of 95% confidence."""

    version: Literal[1] = 1
    seed: Annotated[int, described("the seed of the games that were played")]
    samples: Annotated[int, described("the answers to a position, if they may have been drawn")]
    budget: Annotated[int | None, described("the most positions that a player was asked about")]
    within: Annotated[
        float,
        described("games are played until the interval of a score is no wider on either side"),
    ]
    anchors: Annotated[
        tuple[str, ...],
        described("the levels, whose ratings depend on each other alone; the first of them has 0"),
    ]
    games: tuple[ArenaGame, ...]
    standings: Annotated[tuple[RankedPlayer, ...], described("the best first")]
    fits: Annotated[tuple[PairFit, ...], described("every two players that met, in that order")]
    misfit: Misfit | None
    judgements: tuple[JudgedPlayer, ...]
    pairings: tuple[Pairing, ...]
    absences: tuple[Absence, ...]
    versions: Annotated[dict[str, str], described("of zerosum, python and numpy")]

    @property
    def exact(self) -> bool:
        """Whether every pairing is exact."""
        return all(pairing.exact for pairing in self.pairings)

    @property
    def played(self) -> int:
        """How many games were played."""
        counted = [p.first.games + p.second.games for p in self.pairings if not p.exact]
        return round(sum(counted))
