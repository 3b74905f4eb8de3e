"""An audit as a JSON document with every figure in full; schemas/audit.json describes it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from zerosum.options import option_values
from zerosum.registry import entry_of
from zerosum.wording.words import variant_title

if TYPE_CHECKING:
    from zerosum.lab.audit.measures import Skill
    from zerosum.lab.audit.report import Audit, Starts

FORMAT = "zerosum-audit"
VERSION = 3
# The most moves of a best line.
LONGEST_LINE = 100

Document = dict[str, Any]


def document_of(audit: Audit) -> Document:
    """Write an audit as a document; a part that could not be computed is None."""
    dead, thumb = audit.dead_rules, audit.rule_of_thumb
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": entry_of(audit.game).name,
        "options": option_values(audit.game),
        "title": variant_title(audit.game),
        "environment": audit.game.adapter.is_foreign,
        "verdict": {
            "winner": audit.winner,
            "favours": audit.favours,
            "skill_matters": None if audit.skill is None else audit.skill.matters > 0,
            "broken": audit.broken,
            "faults": Counter(fault.severity for fault in audit.faults),
        },
        "faults": [fault._asdict() for fault in audit.faults],
        "left_out": [part._asdict() for part in audit.left_out],
        "size": _size(audit),
        "lengths": audit.lengths and audit.lengths.document(),
        "best_play": _best_play(audit),
        "proved": audit.proved,
        "starts": audit.starts and _starts(audit.starts),
        "levels": _levels(audit),
        "skill": _skill(audit),
        "dead_rules": dead and {**dead._asdict(), "found": [rule._asdict() for rule in dead.found]},
        "theory": audit.theory or None,
        "law": audit.law and audit.law.document(),
        "rule_of_thumb": thumb and {**thumb.rule.document(), "scores": thumb.scores},
        "proposals": _proposals(audit),
        "handicap": _handicap(audit),
    }


def _size(audit: Audit) -> Document | None:
    """Write the size, with its ends and the longest game."""
    if audit.size is None:
        return None
    return {
        **audit.size._asdict(),
        "ends": [end._asdict() for end in audit.size.ends],
        "longest": audit.longest,
        "can_go_on_forever": audit.longest is None,
    }


def _best_play(audit: Audit) -> Document | None:
    """Write what happens under best play."""
    solution, value = audit.solution, audit.value
    if solution is None or value is None:
        return None
    # A theory may take long over each move, and need not know which one is the best.
    solved = solution.solved is not None
    line = solution.line(audit.game.initial(), LONGEST_LINE) if solved else ()
    return {"winner": audit.winner, "value": value._asdict(), "line": line}


def _starts(starts: Starts) -> Document:
    """List the starts by their results."""
    by_result = {
        key: [start for start, found in starts.results.items() if found == result]
        for key, result in (("wins", "win"), ("losses", "loss"), ("draws", "draw"))
    }
    return {"first": starts.first, "last": starts.last, **by_result}


def _levels(audit: Audit) -> list[Document] | None:
    """Write the measures of each level."""
    if audit.measures is None:
        return None
    rows = []
    for level, measured in audit.measures.items():
        figures = measured._asdict()
        chances = figures.pop("chances")
        rows.append({"level": level, **chances.document(), "score": chances.score, **figures})
    return rows


def _skill(audit: Audit) -> Document | None:
    """Write how much skill matters."""
    if audit.skill is None:
        return None
    figures = audit.skill._asdict()
    scores = [
        {"stronger": stronger, "weaker": weaker, "score": score}
        for (stronger, weaker), score in figures.pop("scores").items()
    ]
    shares = {f"{name}_share": _share(figures[name], audit.skill) for name in ("choice", "matters")}
    return {**figures, **shares, "scores": scores}


def _share(positions: int, skill: Skill) -> float | None:
    """Return a share of the positions in which the game goes on; None if there are none."""
    return positions / skill.open_positions if skill.open_positions else None


def _proposals(audit: Audit) -> list[Document] | None:
    """Write the fairest variants."""
    if audit.proposals is None:
        return None
    return [{"options": option_values(fair.game), "bias": fair.bias} for fair in audit.proposals]


def _handicap(audit: Audit) -> Document | None:
    """Write the variant that makes two levels equal."""
    if audit.handicap is None:
        return None
    game, weaker, stronger, first, _, score, bias = audit.handicap
    return {
        "options": option_values(game),
        "weaker": weaker,
        "stronger": stronger,
        "first": first,
        "score": score,
        "bias": bias,
    }
