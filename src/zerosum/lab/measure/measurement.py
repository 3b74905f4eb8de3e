"""Measure a player of a game: its decisions, its scores, and where it errs first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from zerosum.bulk.lines import Lines
from zerosum.bulk.policies import check_policy
from zerosum.bulk.table import Table
from zerosum.errors import TooLarge, ZerosumError
from zerosum.lab.measure.answers import (
    SAMPLES,
    Answers,
    Basis,
    Contradiction,
    FaultyAnswer,
    Interview,
    OverBudget,
    Progress,
)
from zerosum.lab.measure.decisions import (
    LARGEST_REGRET,
    Band,
    Decisions,
    PlyGroup,
    Sample,
    ThrownShare,
)
from zerosum.lab.measure.first_errors import ErrorsIn, FirstError, first_errors
from zerosum.lab.measure.players import (
    Choice,
    FaultKind,
    Player,
    UnknownPlayer,
    asked_player,
)
from zerosum.lab.measure.sampling import Figure, draw
from zerosum.lab.measure.scores import Score, Worst, scores_of
from zerosum.limits import NONE
from zerosum.limits import Limits as SolverLimits
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game, Move
from zerosum.text import brief

if TYPE_CHECKING:
    from zerosum.bulk.table import Flags, Floats, Longs
    from zerosum.journal import Journal

# Why there are no scores: the budget has no room for all positions of the player's own games, or
# the game has a cycle too large to be solved.
LeftOut = Literal["budget", "cycle"]
# The most faults that are listed.
MOST_FAULTS = 12


class ListedFault(NamedTuple):
    """A fault: where it is closest to the start, a shortest line to there, and how often it is."""

    line: tuple[Move, ...]
    state: Any
    kind: FaultKind
    message: str
    times: int


class Asked(NamedTuple):
    """Who was asked about how many positions, with how many answers, and what these are.

    `complete` is whether all of its own games are known.
    """

    name: str
    questions: int = 0
    replies: int = 0
    basis: Basis = "chances"
    samples: int = 1
    contradiction: Contradiction | None = None
    complete: bool = True


@dataclass(frozen=True)
class Measurement:
    """How good a player is: exactly, or estimated from drawn answers or a sample of decisions.

    A decision is a position in which some move throws away a result. Each counts once. `good` is
    the mean chance of the moves that keep the result, and `regret` the mean of what is thrown
    away: 1 for half a point, 2 for a win turned into a loss. `random` and `random_regret` are the
    same for random play. They are None for a game without decisions.

    Of all decisions, `asked` have an answer; `questions` counts the positions that the player was
    asked about, none for a level, and `replies` its answers. `answers` says what they are: the
    chances of all moves, moves of a player that declares itself deterministic, or, at least in some
    positions, moves that may have been drawn; then each such position has `samples` answers. A
    player that broke its promise to be deterministic has a `contradiction`.

    A faulty answer to a decision is wrong, and in the scores it loses the game at that point.
    `scores` and `worst` are from the start of the game; where they are None, `left_out` says why.
    `worst` is None too if answers were drawn: a best response would exploit their noise.
    `errors_in` says where `errors` were found.
    """

    game: Game[Any]
    player: str
    budget: int | None
    seed: int
    positions: int
    decisions: int
    asked: int
    questions: int
    replies: int
    answers: Basis
    samples: int
    contradiction: Contradiction | None
    good: Figure | None
    random: float | None
    regret: Figure | None
    random_regret: float | None
    thrown: tuple[ThrownShare, ...]
    difficulty: tuple[Band, ...]
    plies: tuple[PlyGroup, ...]
    faults: dict[FaultKind, int]
    listed_faults: tuple[ListedFault, ...]
    scores: tuple[Score, ...] | None
    worst: Worst | None
    left_out: LeftOut | None
    errors_in: ErrorsIn
    errors: tuple[FirstError, ...]

    @property
    def sampled(self) -> bool:
        """Whether only some of the decisions were asked about."""
        return self.asked < self.decisions

    @property
    def exact(self) -> bool:
        """Whether every decision has an answer, and none was drawn."""
        return not self.sampled and self.answers != "drawn"

    def document(self) -> dict[str, Any]:
        """Return the measurement as a JSON document; schemas/measurement.json describes it."""
        from zerosum.lab.measure.document import document_of

        return document_of(self)


def measure_player(
    game: Game[Any] | Table[Any],
    player: str | Choice | Player | Floats,
    *,
    samples: int = SAMPLES,
    budget: int | None = None,
    seed: int = 0,
    journal: Journal | None = None,
    progress: Progress | None = None,
    limit: int = NONE.positions,
) -> Measurement:
    """Measure how well a player plays a game, or the game of a table.

    A player is a level, a function `choose(game, state)`, a name of one as in "./mine.py:choose",
    anything with a `name`, an `identity` and a method `ask(state, sample)`, or a policy: the chance
    of every edge of the table. One that answers with a move may have drawn it, and is asked about
    each position `samples` times; one with an attribute `deterministic` that is True is asked once.
    `budget` is the most positions to ask about; if there are more decisions than that, a sample of
    them is drawn, by `seed`. What is in the journal is not asked again. A game with more than
    `limit` positions is refused.

    >>> import zerosum
    >>> def first(game, state):
    ...     return game.moves(state)[0]
    >>> first.deterministic = True
    >>> measured = measure_player(zerosum.game("dual-digits"), first)
    >>> f"{measured.good.value:.1%} of {measured.decisions}; random: {measured.random:.1%}"
    '37.9% of 103; random: 43.0%'
    """
    if type(samples) is not int or samples < 1:
        raise ZerosumError(f"`samples` must be a whole number of at least 1, not {brief(samples)}.")
    if budget is not None and (type(budget) is not int or budget < 1):
        raise ZerosumError(f"A budget is a whole number of positions, not {brief(budget)}.")
    if type(seed) is not int:
        raise ZerosumError(f"A seed is a whole number, not {brief(seed)}.")
    check_is_player(player)
    table = game if isinstance(game, Table) else Table(game, SolverLimits(limit))
    decisions, answers = Decisions(table), Answers(table)
    drawn, strata = draw(decisions.strata, budget, seed)
    if _is_policy(player):
        answers.take_all(check_policy(table, player))
        asked = Asked("policy")
    elif isinstance(player, str) and player in LEVELS:
        answers.take_all(level_policy(table, player))
        asked = Asked(player)
    else:
        whom = cast("str | Choice | Player", player)
        with asked_player(table.game, whom, table.actions, seed) as opened:
            interview = Interview(answers, opened, samples, budget, journal, progress)
            complete = _ask(answers, interview, decisions.states[drawn])
            asked = _asked(opened.name, answers, interview, complete)
    if answers.known[decisions.states].all():
        drawn[:] = True
    judged = decisions.judge(answers.chances, answers.lost)
    sample = Sample(decisions, drawn, strata, judged, answers.noise[decisions.states])
    return _measurement(sample, answers, asked, budget, seed)


def _asked(name: str, answers: Answers, interview: Interview, complete: bool) -> Asked:
    """Say what the answers of a player are."""
    basis: Basis = "deterministic" if interview.declared else "chances"
    if answers.drawn:
        basis = "drawn"
    samples = int(answers.samples.max(initial=1))
    replies, contradiction = interview.replies, interview.contradiction
    return Asked(name, interview.questions, replies, basis, samples, contradiction, complete)


def _measurement(
    sample: Sample, answers: Answers, asked: Asked, budget: int | None, seed: int
) -> Measurement:
    """Put together what is known."""
    figures = {**_figures(sample), **_scores(answers, asked.complete)}
    errors_in, errors = first_errors(sample, answers, asked.complete)
    return Measurement(
        game=answers.table.game,
        player=asked.name,
        budget=budget,
        seed=seed,
        positions=len(answers.table),
        decisions=len(sample.decisions),
        asked=int(sample.asked.sum()),
        questions=asked.questions,
        replies=asked.replies,
        answers=asked.basis,
        samples=asked.samples,
        contradiction=asked.contradiction,
        **figures,
        faults=dict(Counter(fault.kind for listed in answers.faults.values() for fault in listed)),
        listed_faults=tuple(_listed_faults(answers)),
        errors_in=errors_in,
        errors=errors,
    )


def check_is_player(player: object) -> None:
    """Refuse what is neither a player nor a policy.

    >>> check_is_player(3)
    Traceback (most recent call last):
    ...
    zerosum.lab.measure.players.UnknownPlayer: A player is a level, a function, an object \
with `name`, `identity` and `ask`, or a policy, not 3.
    """
    if not (callable(player) or isinstance(player, Player) or hasattr(player, "__len__")):
        raise UnknownPlayer(
            "A player is a level, a function, an object with `name`, `identity` and `ask`, or a "
            f"policy, not {brief(player)}."
        )


def _is_policy(player: object) -> bool:
    """Return whether a player is given as an array, and not as something that can be asked."""
    return not (isinstance(player, (str, Player)) or callable(player))


def _ask(answers: Answers, interview: Interview, decisions: Longs) -> bool:
    """Ask about decisions, then about all that the scores depend on; False if that is too much."""
    interview.ask(decisions.tolist())
    table = answers.table
    try:
        for seat in (0, 1):

            def follow(edges: Longs, seat: int = seat) -> Flags:
                sources = table.sources[edges]
                own = table.player[sources] == seat
                interview.ask(dict.fromkeys(sources[own].tolist()))
                followed: Flags = ~own | (answers.chances[edges] > 0)
                return followed

            Lines(table, follow)
    except OverBudget:
        return False
    return True


def _scores(answers: Answers, complete: bool) -> dict[str, Any]:
    """Compute the scores; without them, return why."""
    if not complete:
        return {"scores": None, "worst": None, "left_out": "budget"}
    try:
        scores, worst = scores_of(answers)
    except TooLarge:
        return {"scores": None, "worst": None, "left_out": "cycle"}
    return {"scores": scores, "worst": worst, "left_out": None}


def _figures(sample: Sample) -> dict[str, Any]:
    """Return the figures of the decisions, if the game has any."""
    if not len(sample.decisions):
        figures = dict.fromkeys(("good", "random", "regret", "random_regret"))
        return {**figures, "thrown": (), "difficulty": (), "plies": ()}
    random = sample.decisions.random
    return {
        "good": sample.figure(sample.judged.good),
        "random": float(random.good.mean()),
        "regret": sample.figure(sample.judged.regret, LARGEST_REGRET),
        "random_regret": float(random.regret.mean()),
        "thrown": sample.thrown(),
        "difficulty": sample.bands(),
        "plies": sample.ply_groups(),
    }


def _listed_faults(answers: Answers) -> Iterable[ListedFault]:
    """List the faults that are closest to the start, equal ones once."""
    if answers.faults:
        lines, table = Lines(answers.table), answers.table
        times = Counter(fault for listed in answers.faults.values() for fault in listed)
        first: dict[FaultyAnswer, int] = {}
        for state in sorted(answers.faults, key=lambda state: (lines.plies[state], state)):
            for fault in answers.faults[state]:
                first.setdefault(fault, state)
        for fault, state in list(first.items())[:MOST_FAULTS]:
            yield ListedFault(lines.moves_to(state), table.state(state), *fault, times[fault])
