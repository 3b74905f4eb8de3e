"""An audit, and the audits of many games, as documents: what is found is kept in these."""

from typing import Annotated, Any, Literal

from msgspec import Struct

from zerosum.coach.laws.law import LawDocument
from zerosum.documents import Document, StatedValue, described
from zerosum.players.levels import Level
from zerosum.protocol import Move, Result
from zerosum.testing.checker import RuleCode

# From the table of all positions.
TableCode = Literal[
    "endless",
    "never-ends",
    "nobody-can-win",
    "one-side-cannot-win",
    "no-choice",
    "no-decision-matters",
    "decided-at-once",
    "first-move-decides",
]
# From the first positions and random games, of a game without a table.
WalkCode = Literal["no-end-met"]
# What an environment does that no game may do; if it is an error, no value would be sure.
EnvironmentCode = Literal[
    "hidden-state",
    "bad-step",
    "bad-reward",
    "random-start",
    "out-of-range-move",
    "illegal-move-accepted",
    "legal-move-refused",
    "reward-without-end",
    "same-player-again",
    "turn-never-changes",
    "unsorted-moves",
    "old-step",
]
FaultCode = RuleCode | TableCode | WalkCode | EnvironmentCode
Severity = Literal["error", "warning", "notice"]
Winner = Literal["first", "second", "draw", "endless"]
Favours = Literal["first", "second", "nobody", "varies"]
AuditPart = Literal["values", "faults", "levels", "law", "dead_rules"]
# Why a part is missing: for a limit, since the rules are broken, or since it is still to come.
Cause = Literal["positions", "time", "memory", "broken", "begun"]
DeadKind = Literal["end", "line", "move", "option"]
Status = Literal[
    "solved",
    "too-large",
    "broken",
    "time-limit",
    "memory-limit",
    "crashed",
    "cannot-load",
    "not-a-game",
]
Expected = Annotated[float | None, described("null if a game may never end")]


class Fault(Struct, frozen=True):
    """A fault of a game: a code for programs, a sentence, and a line of moves that shows it."""

    code: FaultCode
    message: str
    witness: Annotated[
        tuple[Move, ...] | None,
        described("moves from the start that show it, or end with one that cannot be played"),
    ]
    severity: Severity
    positions: Annotated[int | None, described("positions concerned, if they are counted")] = None


class MissingPart(Struct, frozen=True):
    """A part of an audit that could not be computed, and why."""

    part: AuditPart
    reason: str
    limit: Annotated[int | None, described("the most positions, if a higher limit would help")] = (
        None
    )
    cause: Annotated[Cause | None, described("the reason for programs; null for any other")] = None


class AuditVerdict(Struct, frozen=True):
    """What an audit comes to."""

    winner: Annotated[Winner | None, described("who wins under best play; null if unknown")] = None
    favours: Annotated[
        Favours | None, described("whom the game favours between equals below perfect play")
    ] = None
    skill_matters: Annotated[
        bool | None, described("whether some position has moves with different results")
    ] = None
    broken: Annotated[
        bool, described("whether a fault is an error, so no value can be trusted")
    ] = False
    faults: Annotated[dict[Severity, int], described("the number of faults by severity")] = {}


class FinalPositions(Struct, frozen=True):
    """The positions in which a game ends in one way, and why."""

    winner: Annotated[
        Literal[0, 1, "either"] | None,
        described("the seat; either, where equal positions count once; null for a draw"),
    ]
    reason: str
    positions: int


class Size(Struct, frozen=True):
    """How large a game is; every position counts once, a final one too."""

    positions: int
    symmetric: Annotated[bool, described("whether positions equal by symmetry count once")]
    moves: Annotated[int, described("the legal moves of all positions together")]
    ends: tuple[FinalPositions, ...]
    longest: Annotated[
        int | None, described("moves of the longest game; null if it can go on forever")
    ]
    can_go_on_forever: bool


class Lengths(Struct, frozen=True):
    """How long random games are."""

    shares: Annotated[tuple[float, ...], described("the chance of an end after 0, 1, 2, … moves")]
    rest: Annotated[float, described("the chance that it takes longer, or never ends")]
    half: Annotated[int | None, described("moves within which half of all games end")]
    nine_tenths: Annotated[int | None, described("moves within which 90% of them end")]
    last: Annotated[int, described("moves of the longest game in shares")]
    bars: Annotated[dict[str, float], described("the same in groups: 7, 8 to 9, … or more moves")]


class BestPlay(Struct, frozen=True):
    """What happens under best play."""

    winner: Winner
    value: Annotated[StatedValue, described("of the start, for the first player")]
    line: Annotated[
        tuple[Move, ...],
        described("to the end or the first repetition, at most 100 moves; empty without a table"),
    ]
    steps: Annotated[tuple[str, ...], described("what the moves of the line do")] = ()


class Measures(Struct, frozen=True):
    """What games between two equals of a level are like; docs/audit.md defines every measure."""

    level: Level
    first_wins: float
    second_wins: float
    draw: Annotated[float, described("the game ends without a winner")]
    endless: Annotated[float, described("the game never ends")]
    score: Annotated[float, described("of the first player; a draw counts one half")]
    advantage: float
    balance: float
    drawishness: float
    duration: Expected = None
    spread: Expected = None
    branching: Expected = None
    decision_factor: Expected = None
    decision_moves: Expected = None
    critical_moves: Expected = None
    lead_changes: Expected = None
    drama: Expected = None
    decisiveness: Expected = None


class SkillStep(Struct, frozen=True):
    """What a level scores against the next weaker one, over both seats."""

    stronger: Level
    weaker: Level
    score: float


class Skill(Struct, frozen=True):
    """How much skill matters."""

    depth: Annotated[float | None, described("decisions that matter, between two hard players")]
    open_positions: Annotated[int, described("positions in which the game goes on")]
    choice: Annotated[int, described("those with two or more moves")]
    matters: Annotated[int, described("those whose moves differ in their results")]
    scores: tuple[SkillStep, ...]


class DeadRule(Struct, frozen=True):
    """A rule that never applies: its kind, a sentence, and where it is written."""

    kind: DeadKind
    message: str
    file: str | None = None
    line: int | None = None


class Audit(Document, frozen=True, kw_only=True, tag="zerosum-audit"):
    """What is true of a variant as a whole; for a part that is null, `left_out` says why."""

    version: Literal[5] = 5
    game: str
    options: dict[str, Any]
    title: Annotated[str, described("the variant as people write it")]
    environment: Annotated[bool, described("whether it is an environment: its code was audited")]
    verdict: AuditVerdict = AuditVerdict()
    faults: tuple[Fault, ...] = ()
    left_out: tuple[MissingPart, ...] = ()
    size: Size | None = None
    lengths: Lengths | None = None
    best_play: BestPlay | None = None
    proved: Annotated[
        Result | None,
        described("what a search proved about the start, if best play is unknown"),
    ] = None
    levels: tuple[Measures, ...] | None = None
    skill: Skill | None = None
    dead_rules: Annotated[
        tuple[DeadRule, ...] | None, described("what never applies in any position")
    ] = None
    theory: str | None = None
    law: Annotated[
        LawDocument | None, described("the simplest rule found that is true of every position")
    ] = None

    def lacks(self, cause: Cause) -> bool:
        """Return whether a part is missing for a cause."""
        return any(part.cause == cause for part in self.left_out)

    def has(self, code: FaultCode) -> bool:
        """Return whether a fault of a kind was found."""
        return any(fault.code == code for fault in self.faults)

    def reasons(self, part: AuditPart) -> list[str]:
        """Return why a part was left out, if it was."""
        return [left.reason for left in self.left_out if left.part == part]


class AuditLimits(Struct, frozen=True):
    """What each game of many may use."""

    cpu_seconds: Annotated[float, described("processor time")]
    positions: int
    memory_mib: Annotated[int, described("memory beyond that of the program itself")]
    wall_seconds: Annotated[float, described("time on the clock, for rules that wait")]


class FileRow(Struct, frozen=True):
    """A row of one game of many."""

    name: str
    file: Annotated[str, described("the file or the name of the game")]


class GameRow(FileRow, frozen=True):
    """A row that tells what became of the game."""

    status: Status


class AuditRow(GameRow, frozen=True):
    """What became of one game of many."""

    complete: Annotated[bool, described("whether there is an audit, and no limit cut it short")]
    message: Annotated[str, described("what became of the game, in a sentence")]
    audit: Audit | None = None


class Audits(Document, frozen=True, kw_only=True, tag="zerosum-audits"):
    """A row for each of many games, in the order of their files."""

    version: Literal[3] = 3
    zerosum: Annotated[str, described("the version of Zerosum")]
    limits: AuditLimits
    rows: tuple[AuditRow, ...]
