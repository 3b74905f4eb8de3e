"""The audit of a game: everything that is found about it, and the same as a JSON document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal, NamedTuple

from zerosum.bulk.chain import Chain
from zerosum.coach.laws import Law, find_law, rule_of_thumb
from zerosum.coach.laws.rules_of_thumb import RuleOfThumb
from zerosum.errors import (
    GameError,
    NotSolved,
    OptionError,
    PartError,
    RulesTooSlow,
    TooLarge,
    TooSlow,
)
from zerosum.lab.audit.document import Document, document_of
from zerosum.lab.audit.fairness import (
    Comparison,
    Fairness,
    Handicap,
    fairest_first,
    fairness,
    handicaps,
    variants,
)
from zerosum.lab.audit.lengths import Lengths, lengths, longest
from zerosum.lab.audit.measures import Measures, Skill, measures, skill
from zerosum.lab.audit.rules.dead_rules import DeadRules, dead_rules
from zerosum.lab.audit.rules.faults import (
    MOST_CHECKED,
    Fault,
    is_broken,
    rule_faults,
    table_faults,
    trial_faults,
    worst_first,
)
from zerosum.lab.audit.size import Size, size
from zerosum.limits import NONE, Limits
from zerosum.options import option_values
from zerosum.players.level_policies import chain_of, kept_chain
from zerosum.players.levels import Level
from zerosum.protocol import Game, Result, Value
from zerosum.registry import entry_of
from zerosum.solver import solve, solve_table
from zerosum.solver.cache import Cache
from zerosum.solver.search import Search
from zerosum.solver.solution import Solution
from zerosum.solver.table import room
from zerosum.solver.theory import ask_theory, theory_of

# The starts that are compared, as `zerosum starts` does, and the most positions of each.
FIRST_START, LAST_START, MOST_POSITIONS = 1, 50, 2_000
# Fairer variants are looked for among those with these starts, up to about so many positions of
# all together, and so many are proposed.
MOST_TOGETHER, MOST_PROPOSED = 10_000, 3
# Between equals, a first player whose score is this close to one half has a fair game.
FAIR = 0.05
# The positions that a search may visit where there is no table: a few seconds' work.
MOST_SEARCHED = 250_000
# The name of an audit in the cache.
KEPT = "audit"
# The levels between which a handicap is proposed.
WEAKER, STRONGER = "easy", "hard"
BROKEN = "The rules are broken, so no value can be trusted."
NO_TABLE = "A table of all positions was not finished."
NOT_LOOKED_FOR = "Rules that never apply were not looked for, as checking the rules took too long."

Winner = Literal["first", "second", "draw", "endless"]
Favours = Literal["first", "second", "nobody", "varies"]
AuditPart = Literal["values", "faults", "levels", "law", "dead_rules"]


class LeftOut(NamedTuple):
    """A part of an audit that could not be computed, and why; perhaps for a limit of positions."""

    part: AuditPart
    reason: str
    limit: int | None = None


class Starts(NamedTuple):
    """The results of the first player from all starts of a range that the game has."""

    first: int
    last: int
    results: dict[int, Result]


@dataclass(frozen=True)
class Audit:
    """What is true of a variant as a whole; None stands for what could not be computed.

    `begun` says that an environment has only played random games so far. If the rules are
    `broken`, there are faults and no values. `out_of_memory` says that a table was larger than
    memory, not than the limit; `out_of_time`, that a part took too long. `proved` is what a
    search found out about the start, for the player to move, if there is no solution.
    """

    game: Game[Any]
    faults: tuple[Fault, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    begun: bool = False
    broken: bool = False
    out_of_memory: bool = False
    out_of_time: bool = False
    solution: Solution[Any] | None = None
    proved: Result | None = None
    size: Size | None = None
    longest: int | None = None
    lengths: Lengths | None = None
    measures: dict[Level, Measures] | None = None
    skill: Skill | None = None
    starts: Starts | None = None
    dead_rules: DeadRules | None = None
    theory: str = ""
    law: Law | None = None
    rule_of_thumb: RuleOfThumb | None = None
    proposals: tuple[Fairness, ...] | None = None
    handicap: Handicap | None = None

    @property
    def value(self) -> Value | None:
        """The value of the start, if it is known."""
        return None if self.solution is None else self.solution.value(self.game.initial())

    @property
    def winner(self) -> Winner | None:
        """Who wins under best play, if that is known."""
        value = self.value
        if value is None:
            return None
        if value.result == "draw":
            return "endless" if value.endless else "draw"
        return "first" if value.result == "win" else "second"

    @property
    def favours(self) -> Favours | None:
        """Whom the game favours between equals who are not perfect."""
        if self.measures is None:
            return None
        advantages = [m.advantage for level, m in self.measures.items() if level != "perfect"]
        if all(abs(advantage) <= FAIR for advantage in advantages):
            return "nobody"
        if all(advantage >= -FAIR for advantage in advantages):
            return "first"
        return "second" if all(advantage <= FAIR for advantage in advantages) else "varies"

    def document(self) -> dict[str, Any]:
        """Return the audit as a JSON document, as described in docs/documents.md."""
        return document_of(self)


def audit_game(game: Game[Any], limits: Limits = NONE, *, cache: str | None = None) -> Audit:
    """Audit a variant: find everything that its table tells, and its faults.

    `cache` is a folder for solved tables. The seconds are for a table of slow rules, and for each
    part that asks them again. A game that is too large or broken is not an error here: the audit
    says what could be found out.

    >>> import zerosum
    >>> audit = audit_game(zerosum.game("dual-digits", start=9))
    >>> audit.winner, audit.size.positions, audit.longest
    ('first', 29, 6)
    """
    *_, audit = audit_steps(game, limits, cache=cache)
    return audit


def kept_audit(game: Game[Any], limit: int, cache: str) -> Document | None:
    """Return the document of an audit that is kept in the cache, if its table is within a limit."""
    with suppress(GameError):  # which the audit itself will meet
        document: Document | None = Cache(game, cache).kept(KEPT)
        if document and document["size"]["positions"] <= room(game.initial(), limit):
            return document
    return None


def keep_audit(audit: Audit, cache: str) -> None:
    """Keep the document of an audit by table in the cache."""
    if audit.size is not None and not (audit.broken or audit.out_of_time):
        Cache(audit.game, cache).keep(KEPT, audit.document())


def audit_steps(
    game: Game[Any], limits: Limits = NONE, *, cache: str | None = None
) -> Iterator[Audit]:
    """Yield the audit of a variant as far as it has come.

    First what random games of an environment show, then what the table tells at once.
    """
    if game.adapter.is_foreign:
        found = worst_first(trial_faults(game))
        yield Audit(game, found, (LeftOut("values", NO_TABLE),), begun=True)
    seconds = limits.seconds
    try:
        solution = solve_table(game, limits, cache=cache)
    except RulesTooSlow as error:
        yield _too_slow(game, error)
        return
    except (GameError, SystemExit) as error:
        found, _ = rule_faults(game, limit=limits.positions, seconds=seconds)
        reason = BROKEN if found or isinstance(error, SystemExit) else str(error)
        yield Audit(game, worst_first(found), (LeftOut("values", reason),), broken=True)
        return
    except TooLarge as error:
        audit = _without_table(game, error, seconds)
        yield audit
        if audit.solution is None and not (audit.broken or audit.out_of_memory):
            yield replace(audit, proved=_searched(game, seconds))
        return
    try:
        yield from _by_table(game, solution, seconds)
    except RulesTooSlow as error:
        yield _too_slow(game, error)
    except (GameError, NotSolved, SystemExit) as error:
        found, _ = rule_faults(game, solution, seconds=seconds)
        if not is_broken(found):
            message = f"The rules behaved differently on replay: {error}"
            found = (Fault("not-deterministic", message, None, "error"),)
        yield Audit(game, worst_first(found), (LeftOut("values", BROKEN),), broken=True)


def _too_slow(game: Game[Any], error: RulesTooSlow) -> Audit:
    """Return the audit of rules that hang; asked again, they would take as long each time."""
    fault = Fault("crash", str(error), None, "error")
    return Audit(game, (fault,), (LeftOut("values", BROKEN),), broken=True)


def stopped_audit(audit: Audit, reason: str) -> Audit:
    """Return an audit that was stopped, with the parts that it has not come to."""
    parts: dict[AuditPart, object] = {"levels": audit.measures, "dead_rules": audit.dead_rules}
    missing = (LeftOut(part, reason) for part, found in parts.items() if found is None)
    return replace(audit, left_out=(*audit.left_out, *missing), out_of_time=True)


def _by_table(game: Game[Any], solution: Solution[Any], seconds: float | None) -> Iterator[Audit]:
    """Yield the audit of a variant that has a table."""
    found, unfinished = rule_faults(game, solution, seconds=seconds)
    if is_broken(found):
        yield Audit(game, worst_first(found), (LeftOut("values", BROKEN),), broken=True)
        return
    chain = kept_chain(solution)
    counted = size(solution, chain)
    audit = Audit(
        game,
        worst_first((*found, *table_faults(solution, chain))),
        (LeftOut("faults", unfinished),)
        if unfinished
        else tuple(_unchecked(game, counted.positions)),
        out_of_time=bool(unfinished),
        solution=solution,
        size=counted,
        longest=longest(chain),
        lengths=lengths(chain),
    )
    yield audit
    audit = _added(audit, "levels", lambda: _compared(chain))
    yield audit
    audit = _added(audit, "law", lambda: _law(game, solution))
    yield audit
    if unfinished:  # what else asks the rules would take as long
        yield replace(audit, left_out=(*audit.left_out, LeftOut("dead_rules", NOT_LOOKED_FOR)))
        return
    audit = _added(audit, "dead_rules", lambda: {"dead_rules": dead_rules(game, seconds=seconds)})
    yield audit
    proposed = _proposed(game, counted.positions, seconds)
    yield replace(audit, starts=_starts(game, seconds), **proposed)


def _without_table(game: Game[Any], error: TooLarge, seconds: float | None) -> Audit:
    """Audit a game that is too large for a table: by its theory, and by its first positions."""
    left_out = LeftOut("values", str(error), error.limit)
    if isinstance(error.__cause__, MemoryError):
        return Audit(game, left_out=(left_out,), out_of_memory=True)
    found, unfinished = rule_faults(game, seconds=seconds)
    if is_broken(found):
        return Audit(game, worst_first(found), (LeftOut("values", BROKEN),), broken=True)
    checked = error.limit if game.adapter.is_foreign else MOST_CHECKED
    first = f"The rules were checked in the first {checked or MOST_CHECKED:,} positions."
    audit = Audit(
        game,
        worst_first(found),
        (left_out, LeftOut("faults", unfinished or first)),
        out_of_time=bool(unfinished) or isinstance(error, TooSlow),
        starts=None if unfinished else _starts(game, seconds),
    )
    return _added(audit, "law", lambda: {"solution": _by_theory(game), "theory": _theory(game)})


def _searched(game: Game[Any], seconds: float | None) -> Result | None:
    """Search for the value of the start; a fault that this shows has a command of its own."""
    with suppress(GameError, TooLarge, SystemExit):
        return Search(game).prove(game.initial(), Limits(nodes=MOST_SEARCHED, seconds=seconds))
    return None


def _unchecked(game: Game[Any], positions: int) -> Iterator[LeftOut]:
    """Say what was not checked in all positions of a large table."""
    if positions > MOST_CHECKED and not game.adapter.is_foreign:
        first = f"in the first {MOST_CHECKED:,} positions"
        yield LeftOut("faults", f"Legality, objections and symmetry were checked {first}.")


def _added(audit: Audit, part: AuditPart, compute: Callable[[], dict[str, Any]]) -> Audit:
    """Add a part to an audit, or say why that is not possible."""
    try:
        return replace(audit, **compute())
    except (TooLarge, PartError) as error:
        late = audit.out_of_time or isinstance(error, TooSlow)
        left_out = (*audit.left_out, LeftOut(part, str(error)))
        return replace(audit, left_out=left_out, out_of_time=late)


def _compared(chain: Chain) -> dict[str, Any]:
    """Compare the levels: games between equals, and between each and the next."""
    measured = measures(chain)
    return {"measures": measured, "skill": skill(chain, measured)}


def _law(game: Game[Any], solution: Solution[Any]) -> dict[str, Any]:
    """Tell the theory, and look for a law, or else for a rule of thumb."""
    law = find_law(solution)
    return {
        "theory": _theory(game),
        "law": law,
        "rule_of_thumb": None if law else rule_of_thumb(solution),
    }


def _theory(game: Game[Any]) -> str:
    """Return the theory of a game in words, or an empty text."""
    theory = theory_of(game)
    return "" if theory is None else str(ask_theory(theory, "statement"))


def _by_theory(game: Game[Any]) -> Solution[Any] | None:
    """Solve by its theory a game that is too large for a table; None if it has none."""
    if theory_of(game) is None:
        return None
    solution = solve(game, Limits(1))
    try:
        solution.value(game.initial())
    except NotSolved:  # the theory does not cover this variant
        return None
    return solution


def _starts(game: Game[Any], seconds: float | None) -> Starts | None:
    """Find who wins from small starts, as far as that is quick."""
    options, results, left = option_values(game), {}, _time_left(seconds)
    if type(options.get("start")) is not int:
        return None
    for start in range(FIRST_START, LAST_START + 1):
        try:
            variant = entry_of(game).variant(**{**options, "start": start})
            solution = solve(variant, Limits(MOST_POSITIONS, left()))
            results[start] = solution.value(variant.initial()).result
        except OptionError:  # a start that the game does not have
            continue
        except (TooLarge, GameError):
            break
    return Starts(min(results), max(results), results) if results else None


def _time_left(seconds: float | None) -> Callable[[], float | None]:
    """Return a function that tells how much of some seconds is left."""
    began = monotonic()
    return lambda: None if seconds is None else max(0.0, began + seconds - monotonic())


def _proposed(game: Game[Any], positions: int, seconds: float | None) -> dict[str, Any]:
    """Find the fairest variants, and a handicap; nothing if that takes long, or there is one."""
    start: Any = option_values(game).get("start")
    varies = type(start) is int and start > 0
    starts = range(FIRST_START, LAST_START + 1) if varies else range(0)
    games = list(variants(game, starts))
    # As a rule, positions grow at most with the square of the start.
    growth = sum(((other / start) ** 2 for other in starts), 0.0) / len(starts) if starts else 1.0
    if len(games) < 2 or len(games) * positions * growth > MOST_TOGETHER:
        return {}
    comparison: Comparison[tuple[Fairness, tuple[Handicap, Handicap]]] = Comparison()
    left = _time_left(seconds)
    try:
        comparison.extend(
            games, _judged, lambda variant: solve_table(variant, Limits(MOST_POSITIONS, left()))
        )
    except GameError:  # the rules are broken in another variant
        return {}
    # Where a variant is too large, a fairer one may be among those that are missing.
    if comparison.too_large:
        return {}
    return {
        "proposals": tuple(fairest_first(fair for fair, _ in comparison.found)[:MOST_PROPOSED]),
        "handicap": fairest_first(way for _, ways in comparison.found for way in ways)[0],
    }


def _judged(solution: Solution[Any]) -> list[tuple[Fairness, tuple[Handicap, Handicap]]]:
    """Judge a variant: between equals, and between a weaker and a stronger level."""
    chain = chain_of(solution)
    return [(fairness(solution, chain), handicaps(solution, WEAKER, STRONGER, chain))]
