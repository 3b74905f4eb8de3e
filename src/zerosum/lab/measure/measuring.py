"""Measure a player of a game: its decisions, its scores, and where it errs first."""

import hashlib
import platform
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import zerosum
from zerosum.bulk.policies import check_policy
from zerosum.bulk.shortest_lines import Lines
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.errors import GameError, TooLarge
from zerosum.lab.ids import hash_of
from zerosum.lab.journal import Journal
from zerosum.lab.measure.at_once import AskingThreads, ProgramCrew
from zerosum.lab.measure.decisions import Decisions, Sample, first_errors, listed_faults
from zerosum.lab.measure.far import (
    FAR_COUNT,
    FarTable,
    drawn_decisions,
    far_decisions,
    far_theory,
)
from zerosum.lab.measure.interview import Answers, Interview, OnAnswer, OverBudget
from zerosum.lab.measure.measurement import Hashes, LeftOut, Measurement, Spending
from zerosum.lab.measure.sampling import Draws, draw
from zerosum.lab.measure.scores import scores_of
from zerosum.limits import NONE, Limits
from zerosum.options import check_whole, option_values
from zerosum.players.asked import (
    FAULT_KINDS,
    SAMPLES,
    CallablePlayer,
    Choice,
    Player,
    UnknownPlayer,
)
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS
from zerosum.players.programs import ProgramPlayer, function_player
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.registry.fingerprint import fingerprint
from zerosum.solver import solve_table
from zerosum.solver.cache import Cache
from zerosum.text import brief
from zerosum.wording.words import variant_title


class Measured(NamedTuple):
    """A measurement, and what it was made from: the answers, and how decisions were made."""

    measurement: Measurement
    sample: Sample
    answers: Answers


def measure_player(
    game: Game[Any] | Table[Any],
    player: str | Choice | Player | Floats,
    *,
    samples: int = SAMPLES,
    budget: int | None = None,
    seed: int = 0,
    journal: Journal | None = None,
    progress: OnAnswer | None = None,
    jobs: int = 1,
) -> Measurement:
    """Measure how well a player plays a game, or the game of a table.

    A player is a level, a function `choose(game, state)`, a name of one as in "./mine.py:choose",
    anything with a `name`, an `identity` and a method `ask(state, sample)`, or a policy: the chance
    of every edge of the table. One that answers with a move may have drawn it, and is asked about
    each position `samples` times; one with an attribute `deterministic` that is True is asked once.
    `budget` is the most positions to ask about; if there are more decisions than that, a sample of
    them is drawn, by `seed`. What is in the journal is not asked again. With more `jobs` than one,
    `ask` is called from several threads; each has a process of its own if the player is a program.

    >>> import zerosum
    >>> def first(game, state):
    ...     return game.moves(state)[0]
    >>> first.deterministic = True
    >>> measured = measure_player(zerosum.game("dual-digits"), first)
    >>> f"{measured.good.value:.1%} of {measured.decisions}; random: {measured.random:.1%}"
    '37.9% of 103; random: 43.0%'
    """
    table = game if isinstance(game, Table) else table_for(game)
    how = (samples, budget, seed, journal, progress, jobs)
    return measured_answers(table, player, *how).measurement


def table_for(
    game: Game[Any],
    limits: Limits = NONE,
    count: int = FAR_COUNT,
    seed: int = 0,
    cache: str | None = None,
) -> Table[Any]:
    """Return a game's table; if it is too large, some decisions that can be valued.

    A theory values those of random games; a table in parts, in the cache, any that are drawn.
    """
    theory = far_theory(game, limits)
    if theory is not None:
        return FarTable(game, far_decisions(theory, count, seed))
    mapped = Cache(game, cache).mapped() if cache else None
    if mapped is None or cache is None:
        return Table(game, limits)
    if len(mapped) <= limits.positions:
        with suppress(TooLarge):
            return Table(game, limits)
    solution = solve_table(game, cache=cache)
    return FarTable(game, drawn_decisions(solution, mapped, count, seed), len(mapped))


def measured_answers(
    table: Table[Any],
    player: str | Choice | Player | Floats,
    samples: int = SAMPLES,
    budget: int | None = None,
    seed: int = 0,
    journal: Journal | None = None,
    progress: OnAnswer | None = None,
    jobs: int = 1,
    sample: Flags | None = None,
) -> Measured:
    """Measure a player, and return its answers too.

    A `sample` marks the decisions to ask about, drawn by strata.
    """
    check_whole("samples", samples, least=1)
    check_whole("jobs", jobs, least=1)
    check_whole("seed", seed)
    if budget is not None:
        check_whole("budget", budget, least=1)
    decisions, answers = Decisions(table), Answers(table)
    drawn = draw(len(decisions), budget, seed) if sample is None else sample.copy()
    complete, whom, prompt = True, "policy", ""
    if isinstance(player, str) and player in LEVELS:
        known = table.slips if isinstance(table, FarTable) else partial(level_policy, table)
        answers.take_all(known(player))
        whom = player
    elif isinstance(player, (str, Player)) or callable(player):
        with ExitStack() as stack:
            if isinstance(player, str):
                program = function_player(table.game, player, table.actions, seed=seed)
                player = stack.enter_context(program)
            elif not isinstance(player, Player):
                player = CallablePlayer(table.game, player)
            if jobs > 1 and isinstance(player, ProgramPlayer):
                player = stack.enter_context(ProgramCrew(player))
            threads = stack.enter_context(AskingThreads(jobs))
            interview = Interview(answers, player, samples, budget, journal, progress, threads)
            interview.ask(decisions.states[drawn].tolist())
            complete = _covers(answers, interview.ask) if sample is None else _is_complete(answers)
            whom, prompt = player.name, getattr(player, "prompt_hash", "")
    elif hasattr(player, "__len__"):
        answers.take_all(check_policy(table, player))
    else:
        raise UnknownPlayer(
            "A player is a level, a function, an object with `name`, `identity` and `ask`, or a "
            f"policy, not {brief(player)}."
        )
    if answers.known[decisions.states].all():
        drawn[:] = True
    about: dict[str, Any] = {"player": whom, "prompt": prompt, "budget": budget, "seed": seed}
    return _measured(answers, decisions, drawn, complete, sample is not None, **about)


def measure_answers(
    answers: Answers, player: str, prompt: str = "", spent: Spending | None = None
) -> Measured:
    """Measure answers that were given elsewhere, by whom, to prompts with this hash.

    Which decisions have an answer is taken for a sample, stratified as that of
    `zerosum.lab.models.questions_of`.
    """
    decisions = Decisions(answers.table)
    drawn, complete = answers.known[decisions.states], _is_complete(answers)
    about: dict[str, Any] = {"player": player, "prompt": prompt, "spent": spent}
    return _measured(answers, decisions, drawn, complete, stratified=True, **about)


def _is_complete(answers: Answers) -> bool:
    """Return whether there is an answer to every position of the player's own games."""

    def refuse(states: Iterable[int]) -> None:
        if not answers.known[[*states]].all():
            raise OverBudget

    return _covers(answers, refuse)


def _measured(
    answers: Answers,
    decisions: Decisions,
    drawn: Flags,
    complete: bool,
    stratified: bool,
    *,
    player: str,
    prompt: str,
    budget: int | None = None,
    seed: int = 0,
    spent: Spending | None = None,
) -> Measured:
    """Return what answers say about a player; `drawn` are the decisions that have one.

    If these were drawn by strata, nothing else was asked.
    """
    table = answers.table
    judged = decisions.judge(answers.chances, answers.lost)
    answered = answers.samples[decisions.states]
    noise = np.divide(1.0, answered, out=np.zeros(len(answered)), where=answered > 0)
    far = isinstance(table, FarTable)
    strata = decisions.stratum_numbers if stratified else None
    sample = Sample(decisions, judged, Draws(drawn, noise, strata, far))
    left_out: LeftOut = "size" if far else "answers" if stratified else "budget"
    complete = complete and not far
    kinds = Counter(kind for listed in answers.faults.values() for kind, _ in listed)
    measurement = Measurement(
        game=entry_of(table.game).name,
        options=option_values(table.game),
        title=variant_title(table.game),
        player=player,
        budget=budget,
        seed=seed,
        positions=table.positions if isinstance(table, FarTable) else len(table),
        decisions=len(decisions),
        asked=int(drawn.sum()),
        exact=bool(drawn.all()) and not answers.drawn and not far,
        questions=answers.questions,
        replies=answers.replies,
        spent=spent,
        contradiction=answers.contradiction,
        answers=answers.basis,
        samples=int(answers.samples.max(initial=1)),
        **sample.figures(),
        faults={kind: kinds[kind] for kind in FAULT_KINDS},
        listed_faults=tuple(listed_faults(answers)),
        **_scores(answers, complete, left_out),
        **first_errors(sample, answers, complete),
        versions=versions(),
        hashes=Hashes(_rules_hash(table.game), _table_hash(table), prompt),
    )
    return Measured(measurement, sample, answers)


def _covers(answers: Answers, ask: Callable[[Iterable[int]], None]) -> bool:
    """Ask about the player's own games, on which scores depend; False if not all is answered."""
    table = answers.table
    if isinstance(table, FarTable):
        return False
    try:
        for seat in (0, 1):

            def follow(edges: Longs, seat: int = seat) -> Flags:
                sources = table.sources[edges]
                own = table.player[sources] == seat
                ask(dict.fromkeys(sources[own].tolist()))
                followed: Flags = ~own | (answers.chances[edges] > 0)
                return followed

            Lines(table, follow)
    except OverBudget:
        return False
    return True


def _scores(answers: Answers, complete: bool, left_out: LeftOut) -> dict[str, Any]:
    """Compute the scores; without them, return why."""
    if not complete:
        return {"scores": None, "worst": None, "left_out": left_out}
    try:
        scores, worst = scores_of(answers)
    except TooLarge:
        return {"scores": None, "worst": None, "left_out": "cycle"}
    return {"scores": scores, "worst": worst, "left_out": None}


def versions() -> dict[str, str]:
    """Return the versions of all that figures are computed with."""
    python = platform.python_version()
    return {"zerosum": zerosum.__version__, "python": python, "numpy": np.__version__}


def _rules_hash(game: Game[Any]) -> str:
    """Return the fingerprint of the rules; empty if their source is unknown."""
    with suppress(GameError):
        return hash_of(fingerprint(game))
    return ""


def _table_hash(table: Table[Any]) -> str:
    """Return a digest of all positions, moves and values of a table."""
    digest = hashlib.sha256(repr(table.actions).encode())
    for array in table.arrays():
        digest.update(array.tobytes())
    return hash_of(digest.hexdigest())
