"""The audit of a game: everything that is found about it, step by step."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, get_args

from msgspec.structs import replace

from zerosum.bulk.chain import Chain
from zerosum.coach.laws.discovery import find_law
from zerosum.documents import StatedValue, read, to_dict
from zerosum.errors import (
    DocumentError,
    GameError,
    NotSolved,
    PartError,
    RulesTooSlow,
    TooLarge,
    TooSlow,
)
from zerosum.lab.adapters import EnvironmentGame
from zerosum.lab.audit.document import (
    Audit,
    AuditPart,
    AuditVerdict,
    BestPlay,
    Cause,
    Fault,
    Favours,
    Measures,
    MissingPart,
    Severity,
    Winner,
)
from zerosum.lab.audit.measures import lengths, measures, size, skill
from zerosum.lab.audit.rules.dead_rules import dead_rules
from zerosum.lab.audit.rules.faults import (
    is_broken,
    no_end_met,
    rule_faults,
    table_faults,
    trial_faults,
)
from zerosum.limits import AUDIT_NODES, CHECKED, NONE, QUICK, Limits
from zerosum.options import option_values
from zerosum.players.level_policies import chain_of
from zerosum.protocol import Game, Value
from zerosum.registry import entry_of
from zerosum.solver import solve, solve_table
from zerosum.solver.cache import Cache
from zerosum.solver.search import Search
from zerosum.solver.solution import Solution
from zerosum.solver.table import room
from zerosum.solver.theory import ask_theory, theory_of
from zerosum.wording.words import variant_title, words_of

# A game is fair between equals if the first player's score is this close to ½.
FAIR = 0.05
# The most moves of a best line.
LONGEST_LINE = 100
# The name of an audit in the cache.
KEPT = "audit"
BROKEN = "The rules are broken, so no value can be trusted."
NO_TABLE = "A table of all positions was not finished."


def audit_game(game: Game[Any], limits: Limits = NONE, *, cache: str | None = None) -> Audit:
    """Audit a variant: all that its table tells, and its faults.

    `cache` is a folder for solved tables and audits. The seconds are for a table of slow rules,
    and for each part that asks them again. A game that is too large or broken is not an
    error: the audit says what was found.

    >>> import zerosum
    >>> audit = audit_game(zerosum.game("dual-digits", start=9))
    >>> audit.verdict.winner, audit.size.positions, audit.size.longest
    ('first', 29, 6)
    """
    *_, audit = audit_steps(game, limits, cache=cache)
    return audit


def audit_steps(
    game: Game[Any], limits: Limits = NONE, *, cache: str | None = None
) -> Iterator[Audit]:
    """Yield the audit of a variant as it grows, or the one in the cache.

    What random games of an environment show, then what the table tells.
    """
    if cache is not None:
        with suppress(GameError, DocumentError):  # which the audit itself will meet, or an old one
            audit = read(Audit, Cache(game, cache).kept(KEPT))
            if audit.size and audit.size.positions <= room(game.initial(), limits.positions):
                yield audit
                return
    for audit in _new_steps(game, limits, cache):
        yield audit
    if cache is not None and audit.size and not (audit.verdict.broken or audit.lacks("time")):
        Cache(game, cache).keep(KEPT, to_dict(audit))


def _new_steps(game: Game[Any], limits: Limits, cache: str | None) -> Iterator[Audit]:
    """Yield the audit of a variant as far as it has come."""
    audit = Audit(
        game=entry_of(game).name,
        options=option_values(game),
        title=variant_title(game),
        environment=game.is_foreign,
    )
    if isinstance(game, EnvironmentGame):
        yield _with(
            audit,
            faults=trial_faults(game),
            left_out=(MissingPart("values", NO_TABLE, cause="begun"),),
        )
    solution, checked = None, CHECKED.in_seconds(limits.seconds)
    try:
        solution = solve_table(game, limits, cache=cache)
        yield from _by_table(audit, game, solution, checked)
    except TooLarge as error:
        yield from _without_table(audit, game, error, checked)
    except RulesTooSlow as error:  # asked again, they would take as long each time
        yield _broken(audit, Fault("crash", str(error), None, "error"))
    except (GameError, NotSolved, SystemExit) as error:
        found, _ = rule_faults(game, solution, limits if solution is None else checked)
        if solution is not None and not is_broken(found):
            message = f"The rules behaved differently on replay: {error}"
            found = (Fault("not-deterministic", message, None, "error"),)
        reason = BROKEN if found or isinstance(error, SystemExit) else str(error)
        yield _broken(audit, *found, reason=reason)


def stopped_audit(audit: Audit, reason: str) -> Audit:
    """Return an audit that was stopped, with the parts that it lacks."""
    parts: tuple[AuditPart, ...] = ("levels", "law", "dead_rules")
    lacking = [part for part in parts if getattr(audit, part) is None]
    missing = (MissingPart(part, reason, cause="time") for part in lacking)
    return replace(audit, left_out=(*audit.left_out, *missing))


def _with(audit: Audit, **parts: Any) -> Audit:
    """Add parts to an audit, and conclude from all of them."""
    audit = replace(audit, **parts)
    faults = sorted(audit.faults, key=lambda fault: get_args(Severity).index(fault.severity))
    verdict = AuditVerdict(
        winner=audit.best_play.winner if audit.best_play else None,
        favours=favoured(audit.levels) if audit.levels else None,
        skill_matters=None if audit.skill is None else audit.skill.matters > 0,
        broken=audit.lacks("broken"),
        faults=dict(Counter(fault.severity for fault in faults)),
    )
    return replace(audit, verdict=verdict, faults=tuple(faults))


def favoured(levels: tuple[Measures, ...]) -> Favours:
    """Return whom a game favours between equals who are not perfect."""
    advantages = [measured.advantage for measured in levels if measured.level != "perfect"]
    favours_first = max(advantages) > FAIR
    favours_second = min(advantages) < -FAIR
    if favours_first and favours_second:
        return "varies"
    if favours_first:
        return "first"
    return "second" if favours_second else "nobody"


def _broken(audit: Audit, *faults: Fault, reason: str = BROKEN) -> Audit:
    """Return the audit of broken rules: there are faults and no values."""
    missing = MissingPart("values", reason, cause="broken")
    return _with(audit, faults=faults, left_out=(missing,))


def _by_table(
    audit: Audit, game: Game[Any], solution: Solution[Any], checked: Limits
) -> Iterator[Audit]:
    """Yield the audit of a variant that has a table."""
    found, unfinished = rule_faults(game, solution, checked)
    if is_broken(found):
        yield _broken(audit, *found)
        return
    chain = chain_of(solution)
    counted = size(solution, chain)
    unchecked = counted.positions > checked.positions and not audit.environment
    where = f"in the first {checked.positions:,} positions"
    first = f"Legality, objections and symmetry were checked {where}."
    missing = MissingPart("faults", unfinished or first, cause="time" if unfinished else None)
    audit = _with(
        audit,
        faults=(*found, *table_faults(solution, chain)),
        left_out=(missing,) if unfinished or unchecked else (),
        best_play=_best_play(game, solution),
        size=counted,
        lengths=lengths(chain),
    )
    yield audit
    audit = _added(audit, "levels", lambda: _compared(chain))
    yield audit
    audit = _added(audit, "law", lambda: _law(game, solution))
    yield audit
    quick = QUICK.in_seconds(checked.seconds)
    yield _added(audit, "dead_rules", lambda: {"dead_rules": dead_rules(game, quick)})


def _best_play(game: Game[Any], solution: Solution[Any]) -> BestPlay:
    """Find what happens under best play."""
    start = game.initial()
    value = solution.value(start)
    # A theory may be slow at each move, and need not know the best one.
    line = solution.line(start, LONGEST_LINE) if solution.solved is not None else ()
    steps: tuple[str, ...] = ()
    with suppress(GameError):  # the words may be wrong where the rules are not
        steps = tuple(words_of(game).steps(start, line))
    return BestPlay(_winner(value), StatedValue(*value), tuple(line), steps)


def _winner(value: Value) -> Winner:
    """Return who wins by the value of the start."""
    if value.result == "draw":
        return "endless" if value.endless else "draw"
    return "first" if value.result == "win" else "second"


def _without_table(
    audit: Audit, game: Game[Any], error: TooLarge, checked: Limits
) -> Iterator[Audit]:
    """Yield the audit of a game too large for a table: its theory, first positions and a search."""
    if isinstance(error.__cause__, MemoryError):
        missing = MissingPart("values", str(error), error.limit, "memory")
        yield _with(audit, left_out=(missing,))
        return
    found, unfinished = rule_faults(game, limits=checked)
    if is_broken(found):
        yield _broken(audit, *found)
        return
    if not (audit.environment or unfinished):
        found = (*found, *no_end_met(game, checked))
    most = (audit.environment and error.limit) or checked.positions
    first = f"The rules were checked in the first {most:,} positions."
    cause: Cause = "time" if isinstance(error, TooSlow) else "positions"
    audit = _with(
        audit,
        faults=found,
        left_out=(
            MissingPart("values", str(error), error.limit, cause),
            MissingPart("faults", unfinished or first, cause="time" if unfinished else None),
        ),
    )
    audit = _added(audit, "law", lambda: _by_theory(game))
    yield audit
    if audit.best_play is None:
        with suppress(GameError, TooLarge, SystemExit):  # a fault has a command of its own
            search = Limits(nodes=AUDIT_NODES, seconds=checked.seconds)
            yield _with(audit, proved=Search(game).prove(game.initial(), search))


def _added(audit: Audit, part: AuditPart, compute: Callable[[], dict[str, Any]]) -> Audit:
    """Add a part to an audit, or say why that is not possible."""
    try:
        return _with(audit, **compute())
    except (TooLarge, PartError) as error:
        cause: Cause | None = "time" if isinstance(error, TooSlow) else None
        missing = MissingPart(part, str(error), cause=cause)
        return replace(audit, left_out=(*audit.left_out, missing))


def _compared(chain: Chain) -> dict[str, Any]:
    """Compare the levels: games between equals, and with the next level."""
    measured = measures(chain)
    return {"levels": measured, "skill": skill(chain, measured)}


def _law(game: Game[Any], solution: Solution[Any]) -> dict[str, Any]:
    """Tell the theory, and look for a law."""
    law = find_law(solution)
    return {"theory": _theory(game), "law": law and law.document}


def _theory(game: Game[Any]) -> str | None:
    """Return the theory of a game in words."""
    theory = theory_of(game)
    if theory is None:
        return None
    return str(ask_theory(theory, "statement")) or None


def _by_theory(game: Game[Any]) -> dict[str, Any]:
    """Solve a game too large for a table by its theory, if it has one."""
    statement, best = _theory(game), None
    with suppress(NotSolved, TooLarge):  # it may not cover this variant
        best = _best_play(game, solve(game, Limits(1)))
    return {"theory": statement, "best_play": best}
