"""What a measurement says, as a document: every figure in full."""

from typing import Annotated, Any, Literal

from msgspec import Struct

from zerosum.documents import Document, described
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import FaultKind
from zerosum.players.levels import Level
from zerosum.protocol import Move

# What an answer is: the chances of all moves; a move that is always the same, or that was drawn.
Basis = Literal["chances", "deterministic", "drawn"]
# What a move throws away.
Thrown = Literal["win-draw", "win-loss", "draw-loss"]
LeftOut = Literal["budget", "answers", "cycle", "size"]
ErrorsIn = Literal["own-games", "elsewhere", "asked"]
Line = Annotated[
    tuple[Move, ...] | None, described("moves from the start; null if they are unknown")
]


class MoveChance(Struct, frozen=True):
    """A move with its chance, or with how often it was drawn."""

    move: Move
    chance: float


Plays = Annotated[tuple[MoveChance, ...], described("the moves of an answer; none if faulty")]


class Contradiction(Struct, frozen=True):
    """A position in which a player that declares itself deterministic gave two answers."""

    line: Line
    state: tuple[Any, ...]
    first: Plays
    second: Plays


class ThrownShare(Struct, frozen=True):
    """How often something is thrown away, as a share of all decisions."""

    what: Thrown
    possible: Annotated[int, described("the decisions in which it is possible")]
    share: Figure
    random: Annotated[float, described("the same for random play")]


class DecisionGroup(Struct, frozen=True, kw_only=True):
    """Some of the decisions, and how they are made."""

    decisions: int
    asked: Annotated[int, described("how many of them have an answer")]
    good: Annotated[Figure | None, described("null if none was asked about")]
    thrown: Annotated[dict[Thrown, float], described("shares of those that were asked about")]
    random: Annotated[float, described("what random play gets right")]


class DifficultyBand(DecisionGroup, frozen=True, kw_only=True):
    """Decisions of one difficulty, which is the share of legal moves that are right."""

    above: Annotated[float, described("the share is larger than this")]
    up_to: Annotated[float, described("and not larger than this")]


class PlyGroup(DecisionGroup, frozen=True, kw_only=True):
    """Decisions by the fewest plies in which they can be reached from the start."""

    first: int
    last: int


class ListedFault(Struct, frozen=True):
    """A fault: where it is closest to the start, a shortest line to there, and how often it is."""

    line: Line
    state: tuple[Any, ...]
    kind: FaultKind
    message: str
    times: Annotated[int, described("how many answers")]


PerGame = Annotated[
    Figure | None,
    described("what its errors throw away in a game, in half points; null if there is no bound"),
]


class SeatScore(Struct, frozen=True):
    """How games on one seat end, as chances; the expected score, and its interval."""

    wins: float
    losses: float
    draws: float
    endless: Annotated[float, described("games that never end, which count half a point")]
    score: float
    low: Annotated[float, described("the same as the score if it is exact")]
    high: float
    regret: PerGame


class AgainstLevel(Struct, frozen=True):
    """How a player does against a level: moving first, moving second, and over both seats."""

    level: Level
    first: SeatScore
    second: SeatScore
    overall: Annotated[float, described("the score if each moves first half the time")]
    low: Annotated[float, described("the same as the score if it is exact")]
    high: float
    regret: PerGame

    @property
    def figures(self) -> tuple[Figure, Figure, Figure]:
        """The scores moving first, moving second, and over both seats, with their intervals."""
        first, second = self.first, self.second
        return (
            Figure(first.score, first.low, first.high),
            Figure(second.score, second.low, second.high),
            Figure(self.overall, self.low, self.high),
        )

    @property
    def regrets(self) -> tuple[Figure | None, Figure | None, Figure | None]:
        """What errors cost in a game moving first, moving second, and over both seats."""
        return self.first.regret, self.second.regret, self.regret


class WorstScore(Struct, frozen=True):
    """The score against the opponent that does best against this player."""

    first: float
    second: float
    overall: float
    exploitability: Annotated[float, described("what that opponent gains over best play")]


class FirstError(Struct, frozen=True):
    """A decision that a player gets wrong, always or sometimes; after `line`, it is to move."""

    line: Line
    state: tuple[Any, ...]
    seat: Annotated[Literal[0, 1], described("the seat of the player; 0 moves first")]
    result: Annotated[Literal["win", "draw"], described("what the position is worth")]
    good: Annotated[float, described("the chance, or the share of answers, that keeps the result")]
    plays: Plays
    right: Annotated[tuple[Move, ...], described("the moves that keep the result")]
    fault: Annotated[FaultKind | None, described("of the first, if all answers were faulty")]
    samples: Annotated[int | None, described("the answers, if they may have been drawn")]
    wrong: Annotated[int | None, described("how many of these throw away the result")]
    position: Annotated[str, described("the position in words; empty if it takes too many")] = ""


class Spending(Struct, frozen=True):
    """What all answers of a model took; null if some answer does not say."""

    tokens: Annotated[int | None, described("that it wrote")]
    seconds: float | None
    cost: Annotated[float | None, described("in the unit of its answers")]


class Hashes(Struct, frozen=True):
    """Digests of all that figures depend on, beside the player."""

    rules: Annotated[str, described("of the rules' files; empty if these are unknown")]
    table: Annotated[str, described("of all positions, moves and values")]
    prompt: Annotated[str, described("of what a model was told; empty for other players")]


class Measurement(Document, frozen=True, kw_only=True, tag="zerosum-measurement"):
    """How good a player of a game is: exactly, or estimated, with intervals of 95% confidence."""

    version: Literal[2] = 2
    game: str
    options: dict[str, Any]
    title: Annotated[str, described("the variant as people write it")]
    player: str
    budget: Annotated[int | None, described("the most positions that could be asked about")]
    seed: Annotated[int, described("the seed of the sample")]
    positions: Annotated[
        int | None,
        described(
            "the positions of the game; null if it is too large for a table, and has none in parts"
        ),
    ]
    decisions: Annotated[
        int,
        described(
            "positions in which some move throws away a result; without a table in memory, those "
            "of them that were drawn: from all positions if their number is known, or else from "
            "random games"
        ),
    ]
    asked: Annotated[int, described("the decisions with an answer")]
    exact: Annotated[bool, described("whether every decision has an answer, and none was drawn")]
    questions: Annotated[int, described("positions that it was asked about; none for a level")]
    replies: Annotated[int, described("all answers, faulty ones included")]
    answers: Annotated[
        Basis,
        described(
            "the chances of all moves; moves of a player that declares itself deterministic; or, "
            "at least in some positions, moves that may have been drawn"
        ),
    ]
    samples: Annotated[int, described("the answers to a position, if they may have been drawn")]
    spent: Annotated[Spending | None, described("null for players that do not say")] = None
    contradiction: Contradiction | None
    good: Annotated[Figure | None, described("the mean chance of a move that keeps the result")]
    random: Annotated[float | None, described("the same for random play")]
    regret: Annotated[Figure | None, described("the mean of what is thrown away, in half points")]
    random_regret: float | None
    slips: Annotated[
        Figure | None,
        described("how often it moves as if at random, from 0 (perfect) to 1: the likeliest rate"),
    ]
    thrown: Annotated[tuple[ThrownShare, ...], described("with `good`, these add up to 1")]
    difficulty: Annotated[tuple[DifficultyBand, ...], described("the most difficult first")]
    plies: tuple[PlyGroup, ...]
    faults: Annotated[
        dict[FaultKind, int],
        described("answers that were not legal moves; each loses the game at that point"),
    ]
    listed_faults: Annotated[tuple[ListedFault, ...], described("the closest to the start")]
    scores: Annotated[tuple[AgainstLevel, ...] | None, described("null if left_out says why")]
    worst: Annotated[WorstScore | None, described("null without scores, or for drawn answers")]
    left_out: Annotated[
        LeftOut | None,
        described(
            "why there are no scores: the budget has no room for all positions of the player's own "
            "games, answers that were read do not cover them, the game has a cycle too large to be "
            "solved, or it is too large for a table"
        ),
    ]
    errors_in: Annotated[
        ErrorsIn,
        described(
            "where errors were found: in the player's own games, before any other error of its "
            "own; elsewhere, if those have none; or in the decisions that were asked about"
        ),
    ]
    errors: Annotated[tuple[FirstError, ...], described("the first ones; none if all is right")]
    versions: Annotated[dict[str, str], described("of zerosum, python and numpy")]
    hashes: Hashes

    @property
    def right(self) -> Figure | None:
        """The share of right decisions, by the name that it has in a comparison."""
        return self.good

    @property
    def sampled(self) -> bool:
        """Whether only some of the decisions were asked about."""
        return self.asked < self.decisions

    @property
    def all_faulty(self) -> bool:
        """Return whether there are answers, and none was a legal move."""
        return 0 < self.replies == sum(self.faults.values())


def shown_player(name: str, number: int) -> str:
    """Name a player by how many of the same name came before: the second one is Ada (2)."""
    return f"{name} ({number + 1})" if number else name


class ComparedPlayer(Struct, frozen=True, kw_only=True):
    """A player over all games of a comparison."""

    player: str
    exact: Annotated[bool, described("whether all its measurements are")]
    slips: Annotated[Figure, described("the likeliest rate, from all decisions together")]
    right: Annotated[Figure, described("the mean over the games of its share of right decisions")]
    regret: Annotated[Figure, described("the mean over the games of what a decision costs")]
    faults: Annotated[dict[FaultKind, int], described("in all answers")]


class PairedDifference(Struct, frozen=True, kw_only=True):
    """How much better one player decides than another, on the decisions that both were asked."""

    player: str
    other: str
    decisions: Annotated[int, described("that both were asked about")]
    right: Annotated[
        Figure | None,
        described(
            "the first one's share of right decisions minus the other's, the mean over the games; "
            "null if there is a game without such decisions"
        ),
    ]
    regret: Annotated[
        Figure | None, described("likewise, the first one's regret minus the other's")
    ]


class Comparison(Struct, frozen=True, kw_only=True):
    """Players, or one player, over the games in which all of them were measured."""

    games: Annotated[tuple[str, ...], described("titles of games with decisions")]
    decisions: Annotated[int, described("in all these games")]
    random: Annotated[float, described("the mean share of decisions that random play gets right")]
    random_regret: float
    players: Annotated[tuple[ComparedPlayer, ...], described("the fewest slips first")]
    pairs: Annotated[tuple[PairedDifference, ...], described("every two players, in that order")]


class Measurements(Document, frozen=True, kw_only=True, tag="zerosum-measurements"):
    """The measurements of several players or games, in their order, and what they say together."""

    version: Literal[2] = 2
    measurements: tuple[Measurement, ...]
    comparison: Annotated[
        Comparison | None, described("null if there is no game with decisions that all played")
    ]
