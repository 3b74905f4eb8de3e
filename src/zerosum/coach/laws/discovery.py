"""What is found in the table of a game: its law, or else a rule of thumb."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from zerosum.coach.laws.finder import Finder
from zerosum.coach.laws.kept import plain, read
from zerosum.coach.laws.law import Law, Positions, positions_of
from zerosum.coach.laws.proof import proved_for
from zerosum.coach.laws.race import find_race
from zerosum.coach.laws.rules_of_thumb import RuleOfThumb, grown_rule, scores
from zerosum.coach.laws.sizes import refutation
from zerosum.errors import TooLarge
from zerosum.protocol import Game
from zerosum.solver import table_of
from zerosum.solver.solution import Solution
from zerosum.wording.words import variant_title

# In a larger table, a search would take more than a second or two.
MOST_POSITIONS = 200_000
# The name of what is kept in the cache.
KEPT = "law"


class Findings(NamedTuple):
    """The law that was found in a table; if none was, the best short rule that was, if any."""

    law: Law | None = None
    rule: Law | None = None


def find_law(solution: Solution[Any]) -> Law | None:
    """Find a short law that is true of every position, the simplest found; None if none is found.

    A game solved by its theory gets a table first. TooLarge says that the table is not searched.

    >>> import zerosum
    >>> zerosum.find_law(zerosum.solve(zerosum.game("divisor-duel"))).statement
    'The player to move loses exactly if the number is odd.'
    """
    return findings(solution).law


def rule_of_thumb(solution: Solution[Any]) -> RuleOfThumb | None:
    """Find a short rule that is right in many positions, where no law is found.

    It is None if none is found that beats a constant guess.

    >>> import zerosum
    >>> nim = zerosum.game("docs/examples/nim_with_a_pass.py")
    >>> rule, scores = rule_of_thumb(zerosum.solve(nim))
    >>> rule.clauses, rule.right, rule.positions, f"{scores['random']:.2f}"
    (1, 87, 94, '0.90')
    """
    if solution not in _rules:
        rule = findings(solution).rule
        _rules[solution] = None if rule is None else RuleOfThumb(rule, scores(solution, rule))
    return _rules[solution]


def findings(solution: Solution[Any]) -> Findings:
    """Search the table of a game, once; what was found before may be kept in the cache."""
    if solution not in _known:
        game, positions, cache = solution.game, _positions(solution), solution.cache
        kept: Any = None if cache is None else cache.kept(KEPT)
        try:
            found = Findings(*read(game, positions, kept))
        except (LookupError, TypeError, ValueError):  # nothing, or of another version
            found = _searched(game, positions)
            if cache is not None:
                cache.keep(KEPT, plain(found))
        _known[solution] = found
    return _known[solution]


_known: WeakKeyDictionary[Solution[Any], Findings] = WeakKeyDictionary()
_rules: WeakKeyDictionary[Solution[Any], RuleOfThumb | None] = WeakKeyDictionary()


def _positions(solution: Solution[Any]) -> Positions:
    """List the positions of a game, unless they are too many to be searched."""
    solved = table_of(solution)
    if len(solved.graph) > MOST_POSITIONS:
        raise TooLarge(
            f"{variant_title(solution.game)} has {len(solved.graph):,} positions, too many to look "
            f"for a law in them: the limit is {MOST_POSITIONS:,}."
        )
    return positions_of(solved)


def _searched(game: Game[Any], positions: Positions) -> Findings:
    """Look for a race, then for a law, then for a rule of thumb."""
    if not positions.states:
        return Findings()
    race = find_race(game, positions)
    if race is not None:
        size = len(positions.states)
        return Findings(Law(game, (), "loss", size, size, race=race))
    finder = Finder(game, positions)
    law, rule = finder.law(), None
    if law is None:
        rule = grown_rule(finder)
        if rule is None or not rule.exact:
            return Findings(rule=rule)
        law = replace(rule, every_size=proved_for(rule, finder.states))
    return Findings(law if law.every_size else replace(law, refuted=refutation(law, finder.states)))
