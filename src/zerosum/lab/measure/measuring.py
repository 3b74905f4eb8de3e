"""Measure a player of a game: its decisions, its scores, and where it errs first."""

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, get_args

import numpy as np

from zerosum.bulk.policies import check_policy
from zerosum.bulk.shortest_lines import Lines
from zerosum.bulk.table import Flags, Floats, Longs, Table
from zerosum.errors import TooLarge
from zerosum.lab.journal import Journal
from zerosum.lab.measure.decisions import Decisions, Sample
from zerosum.lab.measure.interview import Answers, Faulty, Interview, OnAnswer, OverBudget
from zerosum.lab.measure.measurement import FirstError, ListedFault, Measurement
from zerosum.lab.measure.players import (
    SAMPLES,
    CallablePlayer,
    Choice,
    FaultKind,
    Player,
    UnknownPlayer,
)
from zerosum.lab.measure.programs import function_player
from zerosum.lab.measure.sampling import draw
from zerosum.lab.measure.scores import scores_of
from zerosum.options import check_whole, option_values
from zerosum.players.level_policies import level_policy
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.text import brief, plain_name
from zerosum.wording.words import variant_title, words_of

# The most faults, and errors, that are listed.
MOST_LISTED = 12
# The most characters in which a position is described.
LONGEST_POSITION = 48


def measure_player(
    game: Game[Any] | Table[Any],
    player: str | Choice | Player | Floats,
    *,
    samples: int = SAMPLES,
    budget: int | None = None,
    seed: int = 0,
    journal: Journal | None = None,
    progress: OnAnswer | None = None,
) -> Measurement:
    """Measure how well a player plays a game, or the game of a table.

    A player is a level, a function `choose(game, state)`, a name of one as in "./mine.py:choose",
    anything with a `name`, an `identity` and a method `ask(state, sample)`, or a policy: the chance
    of every edge of the table. One that answers with a move may have drawn it, and is asked about
    each position `samples` times; one with an attribute `deterministic` that is True is asked once.
    `budget` is the most positions to ask about; if there are more decisions than that, a sample of
    them is drawn, by `seed`. What is in the journal is not asked again.

    >>> import zerosum
    >>> def first(game, state):
    ...     return game.moves(state)[0]
    >>> first.deterministic = True
    >>> measured = measure_player(zerosum.game("dual-digits"), first)
    >>> f"{measured.good.value:.1%} of {measured.decisions}; random: {measured.random:.1%}"
    '37.9% of 103; random: 43.0%'
    """
    check_whole("samples", samples, least=1)
    check_whole("seed", seed)
    if budget is not None:
        check_whole("budget", budget, least=1)
    table = game if isinstance(game, Table) else Table(game)
    decisions, answers = Decisions(table), Answers(table)
    drawn = draw(len(decisions), budget, seed)
    complete, whom = True, "policy"
    if isinstance(player, str) and player in LEVELS:
        answers.take_all(level_policy(table, player))
        whom = player
    elif isinstance(player, (str, Player)) or callable(player):
        with ExitStack() as stack:
            if isinstance(player, str):
                program = function_player(table.game, player, table.actions, seed=seed)
                player = stack.enter_context(program)
            elif not isinstance(player, Player):
                player = CallablePlayer(table.game, player)
            interview = Interview(answers, player, samples, budget, journal, progress)
            complete = _ask(answers, interview, decisions.states[drawn])
            whom = player.name
    elif hasattr(player, "__len__"):
        answers.take_all(check_policy(table, player))
    else:
        raise UnknownPlayer(
            "A player is a level, a function, an object with `name`, `identity` and `ask`, or a "
            f"policy, not {brief(player)}."
        )
    if answers.known[decisions.states].all():
        drawn[:] = True
    judged = decisions.judge(answers.chances, answers.lost)
    answered = answers.samples[decisions.states]
    noise = np.divide(1.0, answered, out=np.zeros(len(answered)), where=answered > 0)
    sample = Sample(decisions, drawn, judged, noise)
    kinds = Counter(kind for listed in answers.faults.values() for kind, _ in listed)
    return Measurement(
        game=entry_of(table.game).name,
        options=option_values(table.game),
        title=variant_title(table.game),
        player=whom,
        budget=budget,
        seed=seed,
        positions=len(table),
        decisions=len(decisions),
        asked=int(drawn.sum()),
        exact=bool(drawn.all()) and not answers.drawn,
        questions=answers.questions,
        replies=answers.replies,
        contradiction=answers.contradiction,
        answers=answers.basis,
        samples=int(answers.samples.max(initial=1)),
        **sample.figures(),
        faults={kind: kinds[kind] for kind in get_args(FaultKind)},
        listed_faults=tuple(_listed_faults(answers)),
        **_scores(answers, complete),
        **_first_errors(sample, answers, complete),
    )


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


def _listed_faults(answers: Answers) -> Iterable[ListedFault]:
    """List the faults that are closest to the start, equal ones once."""
    if answers.faults:
        lines, table = Lines(answers.table), answers.table
        times = Counter(fault for listed in answers.faults.values() for fault in listed)
        first: dict[Faulty, int] = {}
        for state in sorted(answers.faults, key=lambda state: (lines.plies[state], state)):
            for fault in answers.faults[state]:
                first.setdefault(fault, state)
        for fault, state in list(first.items())[:MOST_LISTED]:
            yield ListedFault(lines.moves_to(state), table.state(state), *fault, times[fault])


def _first_errors(sample: Sample, answers: Answers, complete: bool) -> dict[str, Any]:
    """List the errors that the player's own play leads to soonest, on either seat.

    The opponent may play anything, and the player has made no error before. If there are none, or
    the player was not asked about all of these games, list the closest in all its decisions.
    """
    table = answers.table
    states = sample.decisions.states
    found = []
    for seat in (0, 1) if complete else ():

        def follow(edges: Longs, seat: int = seat) -> Flags:
            own = table.player[table.sources[edges]] == seat
            followed: Flags = ~own | ((answers.chances[edges] > 0) & (table.regret[edges] == 0))
            return followed

        lines = Lines(table, follow)
        there = (lines.plies[states] >= 0) & (table.player[states] == seat)
        found += _listed_errors(sample, answers, lines, there)
    if found:
        found.sort(key=lambda error: len(error.line))
        return {"errors_in": "own-games", "errors": tuple(found[:MOST_LISTED])}
    closest = _listed_errors(sample, answers, Lines(table), sample.asked)
    return {"errors_in": "elsewhere" if complete else "asked", "errors": tuple(closest)}


def _listed_errors(
    sample: Sample, answers: Answers, lines: Lines, those: Flags
) -> list[FirstError]:
    """List the errors among some decisions, those with the shortest lines first."""
    states = sample.decisions.states
    wrong = np.flatnonzero(those & (sample.judged.good < 1))
    order = wrong[np.argsort(lines.plies[states[wrong]], kind="stable")][:MOST_LISTED]
    return [
        _error(answers, lines, int(states[number]), float(sample.judged.good[number]))
        for number in order.tolist()
    ]


def _error(answers: Answers, lines: Lines, state: int, good: float) -> FirstError:
    """Describe an error."""
    table, samples = answers.table, answers.samples[state]
    faults = answers.faults.get(state, [])
    edges, _ = table.edges_from(np.array([state]))
    right = edges[table.regret[edges] == 0]
    return FirstError(
        line=lines.moves_to(state),
        state=table.state(state),
        position=_position_words(table.game, table.state(state)),
        seat=1 if table.player[state] else 0,
        result="win" if table.value[state] > 0 else "draw",
        good=good,
        plays=answers.moves_at(state),
        right=tuple(table.actions[move] for move in table.moves[right]),
        fault=faults[0][0] if answers.lost[state] == 1 else None,
        samples=int(samples) or None,
        wrong=round(samples * (1 - good)) if samples else None,
    )


def _position_words(game: Game[Any], state: Any) -> str:
    """Describe a position, unless that would take too many words."""
    words = words_of(game)
    if words.board(state) is not None:
        return ""
    fields = words.fields(state)
    text = ", ".join(f"{plain_name(field.name)} {brief(field.value)}" for field in fields)
    return text if len(text) <= LONGEST_POSITION else ""
